from __future__ import annotations

import pytest

from onward.model import Delegated, Edited, Event, FileFact, Looked, Moved, Ran, Reply
from onward.record import fold
from onward.record.commits import Commits
from onward.record.edits import Edits
from onward.record.files import Looks, facts
from onward.record.runs import Runs
from onward.record.tree import Tree


def told(*events: Event, root: str = "/w") -> tuple[FileFact[str], ...]:
    edits, commits, looks = Edits(root), Commits(), Looks()
    runs, tree = Runs(root, edits), Tree(commits, root)
    fold(events, (runs, edits, commits, tree, looks))
    return facts(edits, runs, tree, looks, root)


def edit(line: int, name: str) -> Edited:
    return Edited(line=line, path=f"/w/{name}")


def ran(command: str, output: str = "its text") -> Ran:
    return Ran(line=99, command=command, cwd="/w", output=output, failed=False)


def test_edited_comes_before_read_and_late_before_early() -> None:
    files = told(edit(1, "a.py"), Looked(line=2, path="/w/r.py"), edit(3, "b.py"))
    assert [(f.path, f.change) for f in files] == [
        ("b.py", "edited"),
        ("a.py", "edited"),
        ("r.py", "read"),
    ]


def test_of_a_commit_of_every_change_it_is_known_how_many_files_it_has() -> None:
    for command, of in (("add -A", 832), ("add a.py", 0)):
        made = "[main abc1234] Add it\n 832 files changed, 5 insertions(+)\n"
        (fact,) = told(edit(1, "a.py"), ran(f"git {command} && git commit -m x", made))
        assert (fact.commit, fact.of) == ("abc1234", of)


def test_what_changed_since_the_last_green_run_comes_first() -> None:
    files = told(edit(1, "a.py"), ran("pytest"), edit(2, "b.py"), ran("git rm c.py"))
    assert [(f.path, f.since_green) for f in files] == [
        ("b.py", True),
        ("a.py", False),
        ("c.py", True),
    ]


def test_without_a_green_run_nothing_is_said_to_have_changed_since() -> None:
    assert [f.since_green for f in told(edit(1, "a.py"))] == [False]


def test_a_commit_that_took_the_file_in_is_named() -> None:
    done = ran("git add a.py && git commit -m x", "[main 1234567] x")
    files = {f.path: f.commit for f in told(edit(1, "a.py"), edit(2, "b.py"), done)}
    assert files == {"a.py": "1234567", "b.py": ""}


def test_a_commit_of_everything_takes_in_what_came_before_it_only() -> None:
    done = ran("git commit -am x", "[main 1234567] x")
    files = {f.path: f.commit for f in told(edit(1, "a.py"), done, edit(2, "b.py"))}
    assert files == {"a.py": "1234567", "b.py": ""}


def test_a_commit_that_does_not_say_what_it_took_is_believed() -> None:
    files = told(edit(1, "a.py"), ran("git commit -m x", "[main 1234567] x"))
    assert files[0].commit == "1234567"


def test_a_file_edited_again_is_not_committed() -> None:
    done = ran("git commit -am x", "[main 1234567] x")
    assert told(edit(1, "a.py"), done, edit(2, "a.py"))[0].commit == ""


def test_of_a_file_edited_after_its_rename_was_committed_only_the_edit_is_left() -> None:
    moved = Edited(line=1, path="/w/a.py", change="renamed", to="/w/b.py", added=9)
    late = Edited(line=3, path="/w/b.py", added=1)
    (fact,) = told(moved, ran("git add -A && git commit -m x", "[main 1234567] x"), late)
    assert (fact.path, fact.change, fact.to, fact.added, fact.commit) == (
        "b.py",
        "edited",
        None,
        0,
        "",
    )


def test_plans_and_scratch_come_last() -> None:
    plan = Edited(line=2, path="/home/me/.claude/plans/p.md", change="created")
    files = told(edit(1, "a.py"), plan, Looked(line=3, path="/tmp/x.txt"))
    assert [f.path for f in files] == ["a.py", "/home/me/.claude/plans/p.md"]


def test_a_windows_project_has_relative_paths() -> None:
    files = told(Edited(line=1, path="C:\\Work\\src\\a.py"), root="c:\\work")
    assert [f.path for f in files] == ["src/a.py"]


def test_what_the_edits_were_about_stands_beside_the_file() -> None:
    made = Edited(line=1, path="/w/a.py", text="def load(): ...\nclass Store: ...", by_user=True)
    assert told(made)[0].why == "defines load, Store; the user changed the proposed edit"
    assert told(ran("cp x.py y.py"))[0].why == "by command"


def test_the_list_is_bounded_and_keeps_room_for_what_was_read() -> None:
    events: list[Event] = [edit(n, f"{n}.py") for n in range(300)]
    events += [Looked(line=n, path=f"/w/r{n}.py") for n in range(100)]
    files = told(*events)
    assert len(files) == 220
    assert sum(f.change == "read" for f in files) == 20
    assert files[0].path == "299.py"


def test_where_few_files_were_changed_more_of_those_that_were_read_are_told() -> None:
    events: list[Event] = [edit(n, f"{n}.py") for n in range(30)]
    events += [Looked(line=n, path=f"/w/r{n}.py") for n in range(100)]
    files = told(*events)
    assert sum(f.change == "edited" for f in files) == 30
    assert sum(f.change == "read" for f in files) == 30
    assert sum(f.change == "read" for f in told(*events[25:])) == 30


def test_the_names_of_a_file_are_told_whole_or_not_at_all() -> None:
    long = [f"parse_{'x' * 36}_{n}" for n in range(8)]
    text = "\n".join(f"def {name}(): ..." for name in long)
    (fact,) = told(Edited(line=1, path="/w/a.py", text=text))
    assert fact.why is not None
    assert len(fact.why) <= 200
    assert set(fact.why.removeprefix("defines ").split(", ")) < set(long)


def moved() -> Moved:
    return Moved(line=1, cwd="/w")


def told_of(*events: Event) -> list[tuple[str, str]]:
    return [(f.path, f.change) for f in told(moved(), *events)]


def test_a_file_read_by_a_command_is_read() -> None:
    assert told_of(ran("sed -n 1,9p src/a.py"), ran("cat b.md")) == [
        ("b.md", "read"),
        ("src/a.py", "read"),
    ]


def test_what_is_only_named_comes_last_and_as_named() -> None:
    report = Delegated(line=3, task="look", report="the cause is in lib/c.py:12")
    assert told_of(report, Looked(line=4, path="/w/r.py"), edit(5, "a.py")) == [
        ("a.py", "edited"),
        ("r.py", "read"),
        ("lib/c.py", "named"),
    ]


def test_a_bare_name_means_the_known_file_of_that_name() -> None:
    look = Looked(line=2, path="/w/src/deep/store.py", thread="x1")
    said = Reply(line=3, text="Next I change store.py and other.py.")
    assert told_of(look, said) == [("src/deep/store.py", "named")]


def test_a_name_that_is_edited_or_removed_is_not_told_again() -> None:
    said = Reply(line=9, text="see src/a.py, src/old.py and gone/x.py")
    events = [edit(2, "src/a.py"), ran("git rm src/old.py"), ran("rm -rf gone")]
    assert told_of(*events, Looked(line=1, path="/w/q.py"), ran("rm q.py"), said)[0] == (
        "src/a.py",
        "edited",
    )
    changes = dict(told_of(Looked(line=1, path="/w/q.py"), ran("rm -rf /w/q.py"), *events))
    assert "read" not in changes.values()


def test_documents_are_never_untested() -> None:
    files = told(ran("pytest"), edit(2, "README.md"), edit(3, "a.py"), edit(4, "docs/x.rst"))
    assert {f.path: f.since_green for f in files} == {
        "README.md": False,
        "docs/x.rst": False,
        "a.py": True,
    }


def test_what_tools_leave_behind_is_no_file_of_the_work() -> None:
    events = [
        edit(1, "x.log"),
        edit(2, "node_modules/a.js"),
        edit(2, f"s/{UUID}.jsonl"),
        Looked(line=3, path="/w/node_modules/b.js"),
    ]
    assert told_of(*events) == []


def test_a_log_that_was_read_is_told() -> None:
    assert told_of(Looked(line=3, path="/w/y.log")) == [("y.log", "read")]


UUID = "0a1b2c3d-0000-4000-8000-000000000001"
STAT = "[main 1234567] x\n 2 files changed, 3 insertions(+)\n create mode 100644 src/new.py\n"


def test_a_commit_took_in_what_git_printed_of_it() -> None:
    first = ran("git commit -m y", "[main 7654321] y\n 1 file changed, 1 insertion(+)")
    made = Edited(line=1, path="/w/src/new.py", change="created")
    files = {
        f.path: f.commit for f in told(made, edit(1, "a.py"), first, ran("git commit -m x", STAT))
    }
    assert files == {"src/new.py": "1234567", "a.py": ""}


def test_a_whole_list_of_files_leaves_no_guess() -> None:
    done = ran(
        "git commit -am x --stat",
        "[main 1234567] x\n src/a.py | 3 +-\n 1 file changed, 2 insertions(+)",
    )
    files = {f.path: f.commit for f in told(edit(1, "src/a.py"), edit(2, "b.py"), done)}
    assert files == {"src/a.py": "1234567", "b.py": ""}


def test_the_files_of_a_commit_may_be_shown_later() -> None:
    both = (ran("git commit -m y", "[main 7654321] y"), ran("git commit -m x", "[main 1234567] x"))
    shown = ran(
        "git log --stat -2",
        "commit 1234567aaaa\n\n    x\n\n .../deep/a.py | 3 +-\n 1 file changed\n\n"
        "commit 7654321bbbb\n\n    y\n\n lib/{old => new}/b.py | 2 +\n 1 file changed\n",
    )
    files = {
        f.path: f.commit
        for f in told(edit(1, "lib/new/b.py"), edit(2, "x/deep/a.py"), *both, shown)
    }
    assert files == {"x/deep/a.py": "1234567", "lib/new/b.py": "7654321"}


@pytest.mark.parametrize("folder", ["~/shop", "$REPO", '"$HOME/shop"'])
def test_a_commit_in_a_folder_that_only_the_shell_knows_holds_the_files_that_git_named(
    folder: str,
) -> None:
    done = ran(f"cd {folder} && git commit -m x", "[main 1234567] x\n a.py | 3 +-\n 1 file changed")
    assert [f.commit for f in told(edit(1, "a.py"), done)] == ["1234567"]


def test_a_file_of_another_folder_is_in_no_commit_that_names_one_like_it() -> None:
    done = ran("git commit -m x", "[main 1234567] x\n CLAUDE.md | 3 +-\n 1 file changed")
    there = Looked(line=2, path="/elsewhere/shop/CLAUDE.md")
    files = {f.path: f.commit for f in told(edit(1, "CLAUDE.md"), there, done)}
    assert files == {"CLAUDE.md": "1234567", "/elsewhere/shop/CLAUDE.md": ""}


def test_what_was_added_below_one_folder_is_not_everything() -> None:
    done = ran("cd sub && git add . && git commit -m x", "[main 1234567] x")
    files = {f.path: f.commit for f in told(edit(1, "sub/a.py"), edit(2, "b.py"), done)}
    assert files == {"sub/a.py": "1234567", "b.py": ""}


def test_a_project_in_a_scratch_folder_is_a_project() -> None:
    events = [Edited(line=1, path="/tmp/shop/a.py"), Looked(line=2, path="/tmp/shop/b.py")]
    events += [Edited(line=3, path="/tmp/x.py"), Looked(line=4, path="/tmp/y.py")]
    files = told(*events, ran("git commit -m x", "[main 1234567] x"), root="/tmp/shop")
    assert [(f.path, f.change, f.commit) for f in files] == [
        ("a.py", "edited", "1234567"),
        ("/tmp/x.py", "edited", ""),
        ("b.py", "read", ""),
    ]


def test_it_is_counted_how_often_a_file_was_used() -> None:
    seen = [Looked(line=n, path="/w/a.py") for n in (1, 2)]
    files = told(*seen, edit(3, "a.py"), ran("cat b.py"), Reply(line=100, text="See `docs/c.md`."))
    assert {f.path: f.uses for f in files} == {"a.py": 3, "b.py": 1, "docs/c.md": 0}


def test_a_renamed_file_was_used_under_both_its_names() -> None:
    files = told(Looked(line=1, path="/w/a.py"), ran("git mv a.py b.py"), ran("cat b.py"))
    assert {f.path: f.uses for f in files} == {"a.py": 3}


def test_a_file_that_a_sub_agent_changed_stands_where_its_work_came_back() -> None:
    helped = Edited(line=3, path="/w/a.py", thread="helper")
    back = Delegated(line=7, task="do a", report="done", agent="helper")
    files = told(edit(1, "b.py"), helped, back, edit(9, "c.py"))
    assert {f.path: f.places for f in files} == {
        "c.py": ("t:9",),
        "a.py": ("t:7",),
        "b.py": ("t:1",),
    }


def test_what_a_sub_agent_s_own_helper_changed_waits_for_the_outermost_to_come_back() -> None:
    inner = Edited(line=3, path="/w/a.py", thread="inner")
    came = Delegated(line=5, task="a", agent="inner", thread="outer")
    files = told(inner, came, Delegated(line=8, task="b", agent="outer"))
    assert [f.places for f in files] == [("t:8",)]


def test_a_file_that_the_session_changed_after_its_sub_agent_keeps_its_own_place() -> None:
    helped = Edited(line=3, path="/w/a.py", thread="helper")
    back = Delegated(line=7, task="do a", agent="helper")
    files = told(helped, edit(6, "a.py"), back)
    assert [f.places for f in files] == [("t:6",)]


def test_what_was_changed_before_git_called_the_file_clean_is_not_counted() -> None:
    first = Edited(line=1, path="/w/a.py", added=5, removed=1)
    again = Edited(line=3, path="/w/a.py", added=2)
    (fact,) = told(first, ran("git status --short", " M b.py"), again)
    assert (fact.added, fact.edits, fact.clean) == (0, 0, False)


def test_a_file_that_git_named_in_a_commit_is_none_that_was_only_read() -> None:
    made = "[main 9f5a3c7] Enable it\n 2 files changed, 2 insertions(+)\n create mode 100644 conf/b.json\n"
    files = told(
        Looked(line=1, path="/w/conf/a.json"),
        Looked(line=2, path="/w/conf/b.json"),
        ran("git add conf && git commit -m 'Enable it'", made),
    )
    assert {f.path: (f.change, f.commit) for f in files} == {
        "conf/a.json": ("read", ""),
        "conf/b.json": ("edited", "9f5a3c7"),
    }
