from __future__ import annotations

import pytest
from tests.unit.record.session import Session

from onward.model import Background, Event, GitSeen, Linked, Ran
from onward.record.commits import Commits
from onward.record.tree import Tree

ROOT = "/w"


def seen(*events: Event) -> Tree:
    commits = Commits()
    tree = Tree(commits, ROOT)
    for at, event in enumerate(events):
        commits.see(event, at)
        tree.see(event, at)
    return tree


def ran(command: str, output: str = "", *, failed: bool = False, line: int = 7) -> Ran:
    return Ran(line=line, command=command, cwd=ROOT, output=output, failed=failed)


def dirty(*events: Event) -> tuple[str, ...] | None:
    git = seen(*events).seen()
    return git.dirty if git and git.listed else None


def unpushed(*events: Event) -> int:
    return (seen(*events).seen() or GitSeen()).unpushed


STAT = "push review:\n  work (/w):\n    src/a.py | 20 +++--\n    2 files changed\npush: done"


@pytest.mark.parametrize(
    ("event", "clean"),
    [
        (ran("vc push main --yes", STAT), True),
        (ran("vc push main --yes", STAT, failed=True), False),
        (ran("vc push main | tail -3", STAT), False),
        (ran("vc review main", STAT), False),
        (ran("git diff --stat && docker push shop", STAT), False),
        (ran("jj commit -m 'Fix it'", "Working copy now at: abc"), True),
        (ran("jj commit -m 'Fix it' src/b.py", "Working copy now at: abc"), False),
        (ran("jj commit -R ../other -m 'Fix it'", "Working copy now at: abc"), False),
        (ran("jj st", "The working copy has no changes."), True),
    ],
)
def test_what_jj_or_a_tool_of_the_project_took_in_is_clean(event: Ran, clean: bool) -> None:
    assert seen(event).is_clean("/w/src/a.py", 0) is clean


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git status --short", " D a.py\nD  b.py\nD  c.py\n?? c.py\n M d.py\n"),
        (
            "git status",
            (
                "On branch main\nChanges to be committed:\n\tdeleted:    b.py\n\tdeleted:    c.py\n"
                "Changes not staged for commit:\n\tdeleted:    a.py\n\tmodified:   d.py\n"
                "Untracked files:\n\tc.py\n"
            ),
        ),
    ],
)
def test_what_git_listed_as_deleted_is_deleted(command: str, output: str) -> None:
    git = seen(ran(command, output)).seen() or GitSeen()
    assert git.dirty == ("a.py", "b.py", "c.py", "d.py")
    assert git.deleted == ("a.py",)  # the others may have left the index alone


def test_a_file_that_was_edited_and_then_listed_as_deleted_is_deleted() -> None:
    session = Session().user("Clean up").edited("a.py").edited("b.py")
    facts = {
        f.path: f.change for f in session.ran("git status -s", " D a.py\n M b.py").record().files
    }
    assert facts == {"a.py": "deleted", "b.py": "edited"}
    again = session.edited("a.py").record().files
    assert {f.path: f.change for f in again} == {"a.py": "edited", "b.py": "edited"}


LONG = """On branch main
Your branch is ahead of 'origin/main' by 2 commits.
  (use "git push" to publish your local commits)

Changes to be committed:
\trenamed:    old.py -> new.py

Changes not staged for commit:
  (use "git add <file>..." to update what will be committed)
\tmodified:   src/a.py

Untracked files:
\tnotes/

no changes added to commit (use "git add" and/or "git commit -a")
"""
CHANGED = ("new.py", "notes/", "old.py", "src/a.py")


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git status", LONG),
        ("git diff && git status", f"diff --git a/x b/x\n M in_a_diff\n{LONG}"),
        ("git status --short", "R  old.py -> new.py\n M src/a.py\n?? notes/\n"),
        (
            "git add -u; git status -sb",
            "## main...up/main\nR  old.py -> new.py\nMM src/a.py\n?? notes/",
        ),
        ("cd src && git status -s", "R  ../old.py -> ../new.py\n M a.py\n?? ../notes/\n"),
    ],
)
def test_the_last_listing_of_git_is_what_is_uncommitted(command: str, output: str) -> None:
    assert dirty(ran(command, output)) == CHANGED


def test_a_quoted_path_is_told_as_it_is() -> None:
    listed = ' M "b\\303\\244r \\"x\\".md"\n?? "- a.md"\n'
    assert dirty(ran("git status -s", listed)) == ("- a.md", 'bär "x".md')
    assert dirty(ran("git status -s", '?? "书 \\"a\\".md"')) == ('书 "a".md',)


def test_only_the_end_of_a_background_script_with_git_in_it_makes_a_listing_old() -> None:
    listing = ran("git status -s", " M a.md")
    for command, told in (("npm run dev", ("a.md",)), ("git push", None)):
        began = Ran(line=8, command=command, cwd=ROOT, failed=False, background="b1")
        assert dirty(listing, began, Background(line=9, id="b1", state="done")) == told


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git status -s | grep md", " M a.md\n"),
        ("git status -s src", " M src/a.py\n"),
        ("git diff && git status -s", " M src/a.py\n"),
        ("cat notes.txt; git status -s", " M src/a.py\n"),
        ("git log --oneline; git status -s", "1234567 Fix it\n"),
        ("git status", "fatal: not a git repository"),
        ("git status -s && git commit -qam x", " M src/a.py\n"),
    ],
)
def test_what_is_no_whole_listing_tells_nothing(command: str, output: str) -> None:
    assert dirty(ran(command, output)) is None


@pytest.mark.parametrize(
    ("command", "holds"),
    [
        ("git log --oneline", True),
        ("git add -A", True),
        ("npm test", True),
        ("git commit -qam x", False),
        ("git stash", False),
        ("git checkout -- src/a.py", False),
        ("vc push", False),
    ],
)
def test_a_listing_holds_until_something_is_done_with_it(command: str, holds: bool) -> None:
    told = dirty(ran("git status -s", " M src/a.py\n"), ran(command))
    assert told == (("src/a.py",) if holds else None)


@pytest.mark.parametrize(
    ("output", "clean"),
    [
        ("", True),
        (" M src/a.py", False),
        ("?? src/", False),
        (" M src/b.py", True),
        (" M src/b.py\n[... 40 lines cut ...]\n M z.py", False),
    ],
)
def test_a_file_that_git_does_not_list_is_clean(output: str, clean: bool) -> None:
    assert seen(ran("git status --porcelain", output)).is_clean("/w/src/a.py", 0) is clean


@pytest.mark.parametrize(
    ("command", "output", "clean"),
    [
        ("git status --short -- src/a.py", "", True),
        ("git status -s src/", " M src/b.py", True),
        ("git status -s src", " M src/a.py", False),
        ("git status -s src/b.py", "", False),
        ("git status -s -uno src/a.py", "", False),
        ("git status -s src/a.py | grep x", "", False),
    ],
)
def test_a_file_that_git_was_asked_for_and_does_not_list_is_clean(
    command: str, output: str, clean: bool
) -> None:
    tree = seen(ran("git status -s", "?? src/"), ran(command, output))
    assert tree.is_clean("/w/src/a.py", 1) is clean
    assert (tree.seen() or GitSeen()).dirty == ("src/",)


MADE = ran("git commit -m x", "[main 9f5a3c7] Fix login", line=8)
PUSHED = ran("git push", "To host:x\n   1234567..9f5a3c7  main -> main\n")
LEVEL = ran("git status", "On branch main\nYour branch is up to date with 'origin/main'.\n")


@pytest.mark.parametrize(
    ("events", "number"),
    [
        ([ran("git status", LONG)], 2),
        ([ran("git status -sb | head -1", "## main...origin/main [ahead 3, behind 1]")], 3),
        ([ran("git status", LONG), MADE], 3),
        ([LEVEL, MADE], 1),
        ([PUSHED, MADE, MADE], 2),
        ([MADE], 0),
        ([MADE, PUSHED], 0),
        ([LEVEL, MADE, ran("git push -q")], 0),
        ([LEVEL, MADE, ran("git pull --rebase")], 0),
        ([LEVEL, MADE, ran("git switch other")], 0),
        ([LEVEL, MADE, ran("git commit --amend -m x", "[main 1234567] Fix login")], 1),
        ([LEVEL, ran("git -C /v commit -m x", "[main 9f5a3c7] Fix login")], 0),
        ([LEVEL, MADE, ran("vc push main")], 0),
    ],
)
def test_commits_that_no_push_was_seen_of_are_counted_where_git_said_how_many(
    events: list[Event], number: int
) -> None:
    assert unpushed(*events) == number


OFFERED = ran(
    "git push -u origin fix/a",
    "remote: Create a pull request for 'fix/a' on GitHub by visiting:\n"
    "remote:      https://github.com/o/r/pull/new/fix/a\n * [new branch]  fix/a -> fix/a\n",
)


@pytest.mark.parametrize(
    ("after", "branches"),
    [
        ([], ("fix/a",)),
        ([ran("git log fix/a")], ("fix/a",)),
        ([Linked(line=9, url="https://github.com/o/r/pull/1")], ()),
        ([ran("git merge fix/a")], ()),
        ([ran("git push origin --delete fix/a")], ()),
        ([ran("gh pr create --fill", "https://github.com/o/r/pull/1\n")], ()),
    ],
)
def test_a_pushed_branch_for_which_no_pull_request_was_seen(
    after: list[Event], branches: tuple[str, ...]
) -> None:
    git = seen(OFFERED, *after).seen()
    assert tuple(item.text for item in (git.branches if git else ())) == branches


OPENED = ran("gh pr create --fill", "https://github.com/o/r/pull/7\n")


@pytest.mark.parametrize(
    ("after", "pulls"),
    [
        ([], ("https://github.com/o/r/pull/7",)),
        ([ran("gh pr merge 8")], ("https://github.com/o/r/pull/7",)),
        ([ran("gh pr merge 7 --squash")], ()),
        ([ran("gh pr merge 7", failed=True)], ("https://github.com/o/r/pull/7",)),
        ([ran("gh pr merge 7"), Linked(line=9, url="https://github.com/o/r/pull/7")], ()),
        ([ran("gh pr merge")], ()),
        ([ran("gh pr close https://github.com/o/r/pull/7")], ()),
    ],
)
def test_a_pull_request_that_no_merge_was_seen_of(
    after: list[Event], pulls: tuple[str, ...]
) -> None:
    git = seen(OPENED, *after).seen()
    assert tuple(item.text for item in (git.pulls if git else ())) == pulls


@pytest.mark.parametrize(
    ("events", "branch"),
    [
        ([ran("git switch -c fix/a", "Switched to a new branch 'fix/a'")], "fix/a"),
        (
            [LEVEL, ran("git checkout fix/a", "Your branch is up to date with 'origin/fix/a'.")],
            "fix/a",
        ),
        ([ran("scripts/begin.sh", "Switched to a new branch 'fix/a'\ndone")], "fix/a"),
        ([ran("git status -sb", "## fix/a...origin/fix/a")], "fix/a"),
        ([ran("git status -sb", "## v1.2-fix...up/v1.2-fix [ahead 1]\n M a.md")], "v1.2-fix"),
        ([LEVEL, ran("git status -sb", "## No commits yet on trunk")], "main"),
        ([LEVEL, ran("cd sub && git status -sb", "## other")], "main"),
        ([LEVEL, ran("git log -1 && gh pr view", "## Summary\nFixes it")], "main"),
        ([LEVEL, ran("git checkout fix/a", "Switched to branch 'fix/a'")], "fix/a"),
        ([LEVEL, ran("git -C /v checkout fix/a", "Switched to branch 'fix/a'")], "main"),
        ([LEVEL, ran("cat log.txt", "Switched to branch 'fix/a'")], "main"),
    ],
)
def test_the_branch_is_the_one_that_git_named_last(events: list[Event], branch: str) -> None:
    git = seen(*events).seen()
    assert git is not None
    assert git.branch == branch


def test_where_somebody_else_pushes_nothing_is_said_of_pushes() -> None:
    assert unpushed(MADE, LEVEL, MADE) == 0
    assert unpushed(MADE, PUSHED, LEVEL, MADE) == 1
    assert unpushed(MADE, ran("git push -q"), LEVEL, MADE) == 1


def test_a_commit_of_what_was_added_by_name_leaves_the_rest_of_the_listing() -> None:
    listing = ran("git status -s", " M src/a.py\n M b.py\n?? gen/")
    added, made = ran("git add src/a.py"), ran("git commit -m x", "[main 9f5a3c7] Fix login")
    assert dirty(listing, added, made) == ("b.py", "gen/")
    assert dirty(listing, ran("git add -A"), made) is None
    assert dirty(listing, ran("git add *.py"), made) == ("gen/",)
    assert dirty(listing, ran("git add $FILES"), made) is None
    staged = ran("git status -s", "M  src/a.py\n M b.py")
    assert dirty(staged, ran("git add b.py"), made) is None


@pytest.mark.parametrize(
    ("command", "output", "clean"),
    [
        ("git status -sb", "## main...origin/main\n", True),
        ("git status -s -uno", "", False),
        ("cd src && git status --porcelain", " M src/a.py", False),
        ("cd src && git status --porcelain", "", True),
        ("git status", "On branch main\n\tmodified:   src (modified content)\n", False),
    ],
)
def test_a_listing_says_nothing_of_what_it_does_not_show(
    command: str, output: str, clean: bool
) -> None:
    assert seen(ran(command, output)).is_clean("/w/src/a.py", 0) is clean


@pytest.mark.parametrize(
    ("command", "known"),
    [("head -20", True), ("head -n 3", True), ("head -2", False), ("grep b", False)],
)
def test_a_listing_that_head_let_through_whole_is_a_listing(command: str, known: bool) -> None:
    session = Session().user("Go on").edited("a.py")
    session.ran(f"git status --short | {command}", " M a.py\n M b.py")
    git = session.done().record().git
    assert (git is not None and git.dirty == ("a.py", "b.py")) is known


def test_entries_that_were_left_out_of_the_output_are_counted() -> None:
    lines = [" M src/first.py", "[... 104 lines cut ...]", " M src/last.py"]
    git = seen(ran("cd /w && git status -s", "\n".join(lines))).seen()
    assert git is not None
    assert (git.dirty, git.more) == (("src/first.py", "src/last.py"), 104)
    git = seen(ran("git log --oneline; git status -s", "\n".join(lines))).seen()
    assert git is not None
    assert git.more == 0


def test_commits_whose_push_failed_are_not_pushed() -> None:
    session = Session().user("Commit and push").edited("a.py")
    session.ran("git commit -am x", "[main 156c7fc] x\n 1 file changed, 1 insertion(+)")
    session.ran("git push origin main", "fatal: unable to access", failed=True)
    git = session.record().git
    assert git is not None
    assert git.unpushed == 1
    sent = "   33aef1c..156c7fc  main -> main"
    late = Session().user("Commit and push").edited("a.py")
    late.ran("git commit -am x", "[main 156c7fc] x\n 1 file changed, 1 insertion(+)")
    git = late.ran("git push && npm test", f"{sent}\n1 failing", failed=True).record().git
    assert git is None or not git.unpushed
    git = session.ran("git push", sent).record().git
    assert git is None or not git.unpushed
