"""Progress: lines that can be verified, in order of time, bounded."""

from __future__ import annotations

import msgspec
import pytest

from onward.distill import distill
from onward.distill.local import local
from onward.distill.said.tasks import Todos
from onward.distill.work.progress import progress, ticked_off, wrote
from onward.model import (
    Draft,
    Edited,
    Event,
    FileFact,
    Item,
    Linked,
    Moved,
    Prompt,
    Ran,
    Reply,
    Run,
    TodoItem,
    TodoList,
)

HOME = "/home/ann/shop"


def session(*events: Event) -> Draft:
    return distill(msgspec.structs.replace(e, line=n) for n, e in enumerate(events, 1))


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (
            FileFact(path="src/auth.py", change="edited", spans=((45, 120),), added=76, removed=3),
            "Edited src/auth.py lines 45-120 (+76 -3)",
        ),
        (FileFact(path="src/auth.py", change="created", added=120), "Wrote src/auth.py (+120 -0)"),
        (FileFact(path="old.py", change="deleted"), "Deleted old.py"),
        (FileFact(path="a.py", change="renamed", to="b.py"), "Renamed a.py to b.py"),
        (
            FileFact(path="a.py", spans=((7, 7),), added=1, commit="9f5a3c7"),
            "Edited a.py line 7 (+1 -0), committed in 9f5a3c7",
        ),
        (
            FileFact(path="a.py", spans=tuple((n, n + 1) for n in range(10, 80, 10))),
            "Edited a.py lines 40-41, 50-51, 60-61, 70-71 and 3 more places",
        ),
    ],
)
def test_a_changed_file_is_told_so_that_it_can_be_checked(fact: FileFact[str], text: str) -> None:
    assert wrote(fact).text == text


def test_what_was_done_is_told_in_order_of_time() -> None:
    draft = session(
        Moved(line=0, cwd=HOME),
        Prompt(line=0, text="Add a login page to the shop"),
        Edited(line=0, path=f"{HOME}/src/auth.py", change="created", added=40),
        Ran(line=0, command="pytest -q", cwd=HOME, failed=False, output="14 passed in 0.10s\n"),
        Ran(
            line=0,
            command="git add -A && git commit -m 'Add login'",
            cwd=HOME,
            failed=False,
            output="[main 9f5a3c7] Add login\n 1 file changed, 40 insertions(+)\n",
        ),
        Linked(line=0, url="https://example.org/shop/pull/7"),
    )
    told = [(item.text.split(":")[0][:24], item.evidence) for item in draft.progress]
    assert told == [
        ("Wrote src/auth.py (+40 -", "observed"),
        ("`pytest -q` passed", "observed"),
        ("Committed 9f5a3c7 Add lo", "observed"),
        ("Pull request https", "observed"),
    ]
    assert "c:9f5a3c7" in draft.progress[0].places


def test_files_that_were_only_read_and_plans_are_no_progress() -> None:
    facts = (
        FileFact(path="a.py", change="read"),
        FileFact(path="~/.claude/plans/calm-otter.md", change="created"),
    )
    assert progress(facts, (), ()) == ()


def test_only_the_newest_steps_are_told_and_the_older_ones_counted() -> None:
    facts = [FileFact(path=f"m{n}.py", added=1, places=(f"t:{n}",)) for n in range(1, 41)]
    commits = [Item(text="Committed 9f5a3c7 Begin", evidence="observed", places=("t:2",))]
    found = progress(facts, commits, ())
    assert len(found) == 25
    assert found[0].text == "Before that: 16 changed files, 1 other step"
    assert found[-1].text == "Edited m40.py (+1 -0)"


def test_a_pass_that_edits_made_stale_says_so() -> None:
    run = Run(command="pytest -q", outcome="passed", summary="4 passed", edits_after=1, cwd="api")
    assert progress((), (), (run,))[0].text == "`pytest -q` in api passed: 4 passed (1 edit since)"


def test_a_list_that_is_shown_is_not_told_again_as_history() -> None:
    todos = Todos()
    items = (TodoItem(title="Schema", status="completed"),)
    todos.see(TodoList(line=3, items=items), 0)
    assert ticked_off(todos, shown=True) == []
    (item,) = ticked_off(todos, shown=False)
    assert item.text == "Ticked off in the task list, 1 entry: Schema"
    assert item.places == ("t:3",)


# ------------------------------------------------------------------------------ local


def test_paths_of_the_project_are_told_from_its_folder() -> None:
    draft = session(
        Moved(line=0, cwd=HOME),
        Prompt(line=0, text=f"Look at {HOME}/src/auth.py and mend it"),
        Reply(line=0, text=f"Mended {HOME}/src/auth.py, see also {HOME}2/x.py and {HOME}."),
    )
    assert draft.requests[0].text == f"Look at {HOME}/src/auth.py and mend it"
    assert draft.closing is not None
    assert draft.closing.text == f"Mended src/auth.py, see also {HOME}2/x.py and {HOME}."


@pytest.mark.parametrize("root", ["", "/", "/srv", "C:\\"])
def test_a_root_too_short_to_be_told_from_prose_changes_nothing(root: str) -> None:
    draft = Draft(task=Item(text="see /srv/x and C:\\x"))
    assert local(draft, root) == draft


def test_windows_paths_are_told_from_the_project_as_well() -> None:
    draft = Draft(task=Item(text="mend C:\\Users\\ann\\shop\\src\\a.py and C:/Users/ann/shop/b.py"))
    assert local(draft, "C:\\Users\\ann\\shop").task.text == "mend src\\a.py and b.py"
