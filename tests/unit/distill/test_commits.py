from __future__ import annotations

import pytest

from onward.distill.work.commits import Commits
from onward.model import Event, Linked, Moved, Ran


def seen(*events: Event) -> Commits:
    commits = Commits()
    for at, event in enumerate(events):
        commits.see(event, at)
    return commits


def ran(command: str, output: str = "", *, failed: bool = False) -> Ran:
    return Ran(line=7, command=command, cwd="/w", output=output, failed=failed)


@pytest.mark.parametrize(
    ("line", "sha", "branch"),
    [
        ("[main 9f5a3c7] Fix login", "9f5a3c7", "main"),
        ("[main (root-commit) 9f5a3c7] Fix login", "9f5a3c7", "main"),
        ("[feat/a-b 9f5a3c7d1] Fix login", "9f5a3c7", "feat/a-b"),
        ("[detached HEAD 9f5a3c7] Fix login", "9f5a3c7", ""),
    ],
)
def test_a_commit_is_what_git_printed(line: str, sha: str, branch: str) -> None:
    commits = seen(ran("git commit -m x | tail -3", f"hook ok\n{line}\n 1 file changed\n"))
    (act,) = commits.commits
    assert (act.sha, act.branch, act.subject) == (sha, branch, "Fix login")
    assert act.item.text == "Committed 9f5a3c7 Fix login"
    assert act.item.places == ("c:9f5a3c7", "t:7")
    assert act.item.evidence == "observed"


def test_an_amended_commit_replaces_the_last() -> None:
    commits = seen(
        ran("git commit -m a", "[main 1111111] a"), ran("git commit --amend", "[main 2222222] b")
    )
    assert [a.sha for a in commits.commits] == ["2222222"]


def test_a_quiet_commit_is_told_by_its_subject() -> None:
    assert seen(ran("git commit -qm 'Fix it'")).commits[0].item.text == "Committed: Fix it"
    logged = seen(ran("git commit -qm 'Fix it' && git log --oneline -1", "abc1234 Fix it\n"))
    assert logged.commits[0].sha == "abc1234"


def test_a_message_in_a_here_document_gives_its_first_line() -> None:
    command = "git commit -q -m \"$(cat <<'EOF'\nAdd x\n\nWhy: y\nEOF\n)\""
    assert seen(ran(command)).commits[0].subject == "Add x"


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


def test_hooks_that_refuse_a_commit_are_open_until_it_is_made() -> None:
    refused = ran("git commit -m x", "ruff....................Failed\n- exit code: 1", failed=True)
    failure = seen(refused).hook_failure
    assert failure is not None
    assert failure.text == "The commit was refused by its hooks: ruff"
    assert seen(refused, ran("git commit -m x", "[main 1234567] x")).hook_failure is None
    assert seen(ran("git commit -m x", "nothing to commit", failed=True)).hook_failure is None


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


def test_the_branch_follows_switches_and_records() -> None:
    assert seen(ran("git checkout -b new", "Switched to a new branch 'new'")).branch == "new"
    assert seen(Moved(line=1, branch="b")).branch == "b"
    assert seen(ran("git commit -m x", "[topic 1234567] x")).branch == "topic"


def test_tags_and_merges_are_told() -> None:
    commits = seen(ran("git tag v1.2.0"), ran("git merge dev", "Fast-forward\n a | 1 +"))
    assert [item.text for item in commits.items()] == ["Tagged v1.2.0", "Merged: git merge dev"]


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


NOW_AT = "Working copy  (@) now at: {} {} (empty) (no description set)\n"
PARENT = "Parent commit (@-)      : {} {} {}\n"


def test_a_commit_of_jujutsu_is_the_parent_of_the_new_working_copy() -> None:
    output = NOW_AT.format("wxnkktxu", "5b15bcea") + PARENT.format("unzqotty", "85ec8d4c", "Fix it")
    (act,) = seen(ran('jj commit -R . -m "Fix it" -m body', output)).commits
    assert (act.sha, act.subject, act.change, act.whole) == ("85ec8d4c", "Fix it", "unzqotty", True)
    assert act.item.text == "Committed 85ec8d4c Fix it"
    (part,) = seen(ran("jj commit a.py -m 'Fix it'", output)).commits
    assert (part.whole, part.paths) == (False, ("/w/a.py",))


def test_a_change_that_is_described_or_squashed_again_is_one_commit() -> None:
    first = "Working copy  (@) now at: wrntkpom e4e6cb9a feat: x\n"
    again = "Working copy  (@) now at: wrntkpom 5a8ec93f feat: y\n"
    into = NOW_AT.format("nkmlzqtl", "154a3f04") + PARENT.format(
        "wrntkpom", "d3aec910", "main* | feat: y"
    )
    described = [ran("jj describe -m 'feat: x'", first), ran("jj describe -m 'feat: y'", again)]
    assert [a.item.text for a in seen(*described).commits] == ["Committed 5a8ec93f feat: y"]
    squashed = seen(
        *described, ran("jj new", NOW_AT.format("p" * 8, "1" * 8)), ran("jj squash", into)
    )
    assert [a.sha for a in squashed.commits] == ["d3aec910"]


def test_a_commit_of_jujutsu_whose_end_was_cut_off_is_told_by_its_subject() -> None:
    (act,) = seen(ran("jj commit -m 'Fix it' 2>&1 | head -1", "Warning: x")).commits
    assert (act.sha, act.item.text) == ("", "Committed Fix it")
    assert seen(ran("jj log -r @", PARENT.format("unzqotty", "85ec8d4c", "x"))).items() == ()
    assert seen(ran("cat > x.md <<'E'\njj commit -m x\nE")).items() == ()


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("  bookmark: main [move forward from ef9aed26b238 to 14540f84300e]", ["main"]),
        ("  bookmark: topic [add to ef9aed26b238]", ["topic"]),
        ("  bookmark: topic [delete from 14540f84300e]", []),
        ("  Move forward bookmark main from ef9aed26b238 to 14540f84300e", ["main"]),
        ("Nothing changed.", []),
    ],
)
def test_a_push_of_jujutsu_names_the_bookmarks(line: str, names: list[str]) -> None:
    items = seen(ran("jj git push -R .", f"Changes to push to origin:\n{line}\n")).items()
    assert [item.text for item in items] == [f"Pushed {name}" for name in names]
