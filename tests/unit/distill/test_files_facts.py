from __future__ import annotations

from onward.distill.commits import Commits
from onward.distill.edits import Edits
from onward.distill.files import Looks, facts
from onward.distill.fold import fold
from onward.distill.runs import Runs
from onward.model import Edited, Event, FileFact, Looked, Ran


def told(
    *events: Event, root: str = "/w", named: tuple[str, ...] = ()
) -> tuple[FileFact[str], ...]:
    edits, runs, commits, looks = Edits(root), Runs(root), Commits(), Looks()
    fold(events, (edits, runs, commits, looks))
    return facts(edits, runs, commits, looks.reads(), root, named)


def edit(line: int, name: str) -> Edited:
    return Edited(line=line, path=f"/w/{name}")


def ran(command: str, output: str = "") -> Ran:
    return Ran(line=99, command=command, cwd="/w", output=output, failed=False)


def test_edited_comes_before_read_and_late_before_early() -> None:
    files = told(edit(1, "a.py"), Looked(line=2, path="/w/r.py"), edit(3, "b.py"))
    assert [(f.path, f.change) for f in files] == [
        ("b.py", "edited"),
        ("a.py", "edited"),
        ("r.py", "read"),
    ]


def test_what_changed_since_the_last_green_run_comes_first() -> None:
    files = told(edit(1, "a.py"), ran("pytest"), edit(2, "b.py"), ran("git rm c.py"))
    assert [(f.path, f.since_green) for f in files] == [
        ("b.py", True),
        ("a.py", False),
        ("c.py", True),
    ]


def test_a_file_the_person_named_comes_before_others() -> None:
    files = told(edit(1, "main.py"), edit(2, "b.py"), named=("look at main.py please",))
    assert [f.path for f in files] == ["main.py", "b.py"]


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


def test_plans_and_scratch_come_last() -> None:
    plan = Edited(line=2, path="/home/me/.claude/plans/p.md", change="created")
    files = told(edit(1, "a.py"), plan, Looked(line=3, path="/tmp/x.txt"))
    assert [f.path for f in files] == ["a.py", "/home/me/.claude/plans/p.md"]


def test_a_windows_project_has_relative_paths() -> None:
    files = told(Edited(line=1, path="C:\\Work\\src\\a.py"), root="c:\\work")
    assert [f.path for f in files] == ["src/a.py"]


def test_what_the_edits_were_about_stands_beside_the_file() -> None:
    made = Edited(line=1, path="/w/a.py", text="def load(): ...\nclass Store: ...", by_person=True)
    assert told(made)[0].why == "load, Store; the person changed the proposed edit"
    assert told(ran("cp x.py y.py"))[0].why == "by command"


def test_the_list_is_bounded_and_keeps_room_for_what_was_read() -> None:
    events: list[Event] = [edit(n, f"{n}.py") for n in range(100)]
    events += [Looked(line=n, path=f"/w/r{n}.py") for n in range(100)]
    files = told(*events)
    assert len(files) == 60
    assert sum(f.change == "read" for f in files) == 20
    assert files[0].path == "99.py"
