from __future__ import annotations

import pytest

from onward.model import Event, Linked, Ran
from onward.record.commits import Commits


def seen(*events: Event) -> Commits:
    commits = Commits()
    for at, event in enumerate(events):
        commits.see(event, at)
    return commits


def ran(command: str, output: str = "", *, failed: bool = False) -> Ran:
    return Ran(line=7, command=command, cwd="/w", output=output, failed=failed)


@pytest.mark.parametrize(
    "line",
    [
        "[main 9f5a3c7] Fix login",
        "[main (root-commit) 9f5a3c7] Fix login",
        "[feat/a-b 9f5a3c7d1] Fix login",
        "[detached HEAD 9f5a3c7] Fix login",
    ],
)
def test_a_commit_is_what_git_printed(line: str) -> None:
    commits = seen(ran("git commit -m x | tail -3", f"hook ok\n{line}\n 1 file changed\n"))
    (act,) = commits.commits
    assert act.sha == "9f5a3c7"
    assert act.item.text == "Committed 9f5a3c7 Fix login"
    assert act.item.places == ("c:9f5a3c7", "t:7")
    assert act.item.evidence == "observed"


def test_jj_tells_which_bookmarks_it_pushed() -> None:
    said = "Changes to push to origin:\n  bookmark: main [move forward from aba6 to 0514]\n"
    said += "  bookmark: docs-x [delete from dc0b64e6b253]"
    told = [item.text for item in seen(ran("jj git push", said)).items()]
    assert told == ["Pushed main", "Deleted on the remote: docs-x"]
    older = "  Move forward bookmark main from aba6 to 0514\n  Delete bookmark docs-x from dc0b"
    assert [item.text for item in seen(ran("jj git push", older)).items()] == told


def test_an_amended_commit_replaces_the_last() -> None:
    commits = seen(
        ran("git commit -m a", "[main 1111111] a"), ran("git commit --amend", "[main 2222222] b")
    )
    assert [item.text for item in commits.items()] == ["Committed 2222222 b (amended)"]


def test_an_amended_commit_of_the_same_subject_as_one_before_the_last_replaces_that() -> None:
    made = (ran(f"git commit -m {x}", f"[main {x * 7}] {x}") for x in ("a", "b"))
    commits = seen(*made, ran("git commit --amend --no-edit", "[main 2222222] a"))
    told = ["Committed bbbbbbb b", "Committed 2222222 a (amended)"]
    assert [item.text for item in commits.items()] == told


def test_jj_replaces_only_the_commit_of_the_same_change_and_none_by_the_working_copy() -> None:
    def squash(more: str, change: str, sha: str) -> Ran:
        return ran(f"jj squash{more}", f"Parent commit (@-)      : {change} {sha} Fix it")

    commits = seen(
        squash("", "vyzowsmw", "1111111"),
        squash(" --into @-", "rtuwyzyo", "2222222"),
        squash("", "rtuwyzyo", "3333333"),
        squash(" --from @- --into @", "rtuwyzyo", "4444444"),
    )
    assert [act.sha for act in commits.commits if act.kind == "commit"] == ["1111111", "3333333"]


def test_a_commit_that_was_amended_elsewhere_is_told_by_the_hash_that_git_logged_last() -> None:
    made = ran("git commit -m x", "[main b46376e] Fix it\n 1 file changed")
    (act,) = seen(made, ran("git log --oneline -3", "98c19ec Fix it\n5d582eb Older")).commits
    assert (act.sha, act.item.text, act.item.places[0]) == (
        "98c19ec",
        "Committed 98c19ec Fix it",
        "c:98c19ec",
    )
    for other in ("git log --oneline -3 origin/next", "cd ../lib && git log --oneline -3"):
        assert seen(made, ran(other, "98c19ec Fix it")).commits[0].sha == "b46376e"
    both = "98c19ec Fix it\nb46376e Fix it"
    assert seen(made, ran("git log --oneline -3", both)).commits[0].sha == "b46376e"


def test_a_quiet_commit_is_told_by_its_subject() -> None:
    assert seen(ran("git commit -qm 'Fix it'")).commits[0].item.text == "Committed: Fix it"
    logged = seen(ran("git commit -qm 'Fix it' && git log --oneline -1", "abc1234 Fix it\n"))
    assert logged.commits[0].sha == "abc1234"


def test_a_message_in_a_here_document_gives_its_first_line() -> None:
    command = "git commit -q -m \"$(cat <<'EOF'\nAdd x\n\nWhy: y\nEOF\n)\""
    assert seen(ran(command)).commits[0].item.text == "Committed: Add x"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git commit -m x", "nothing to commit, working tree clean"),
        ("git log", "[main 9f5a3c7] quoted in a log"),
        ("cat notes", "[main 9f5a3c7] Fix login"),
        ("git commit -qm x | tail -1", "On branch main"),
    ],
)
def test_what_is_no_commit_is_not_told(command: str, output: str) -> None:
    assert seen(ran(command, output)).commits == ()


def test_pushes_name_the_branch() -> None:
    output = "To x\n   1111111..2222222  main -> main\n * [new branch]      feat -> feat\n"
    assert [item.text for item in seen(ran("git push", output)).items()] == [
        "Pushed main",
        "Pushed feat",
    ]


@pytest.mark.parametrize(
    "output", ["Everything up-to-date", " ! [rejected] main -> main (fetch first)"]
)
def test_a_push_that_moved_nothing_is_none(output: str) -> None:
    assert seen(ran("git push", output)).items() == ()


def test_a_pull_request_is_told_once() -> None:
    url = "https://git.example.org/o/r/pull/12"
    commits = seen(ran("gh pr create --fill", url + "\n"), Linked(line=9, url=url, title="A"))
    assert [item.text for item in commits.items()] == [f"Pull request {url}"]


def test_merges_are_told() -> None:
    commits = seen(ran("git merge dev", "Fast-forward\n a | 1 +"))
    assert [item.text for item in commits.items()] == ["Merged: git merge dev"]


@pytest.mark.parametrize(
    ("command", "whole", "paths"),
    [
        ("git add -A && git commit -m x", True, ()),
        ("git commit -am x", True, ()),
        ("git add src/a.py b.py && git commit -m x", False, ("/w/src/a.py", "/w/b.py")),
        ("git commit -m x", False, ()),
    ],
)
def test_a_commit_knows_what_it_took_in(command: str, whole: bool, paths: tuple[str, ...]) -> None:
    (act,) = seen(ran(command, "[main 1234567] x")).commits
    assert (act.whole, act.paths) == (whole, paths)


def test_the_state_is_bounded() -> None:
    events = [ran("git commit -m x", f"[main {n:07x}] x") for n in range(500)]
    assert len(seen(*events).items()) == 200
