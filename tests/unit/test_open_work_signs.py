"""Which sessions count as open: by their status, their checks and their tasks alone."""

from __future__ import annotations

from typing import Any

import pytest

from onward.model import Checkpoint, Clean, FileFact, Item, Request, Run, Status, Task
from onward.open_work import known, signs, wanted


def place(**fields: Any) -> Checkpoint:
    return Checkpoint(task=Item(text=Clean("Add a login")), **fields)


def kinds(**fields: Any) -> list[str]:
    return [sign.kind for sign in signs(place(**fields))]


@pytest.mark.parametrize(
    ("kind", "sign"),
    [
        ("waiting", ["question"]),
        ("interrupted", ["stopped"]),
        ("cut-off", ["broken-off"]),
        ("background", ["background"]),
        ("finished", []),
        ("unknown", []),
    ],
)
def test_the_status_is_the_first_sign(kind: Any, sign: list[str]) -> None:
    assert kinds(status=Status(kind=kind)) == sign


def test_the_sign_quotes_what_the_status_rests_on() -> None:
    status = Status(kind="waiting", detail=Clean("Which store?"), places=("t:7",))
    (sign,) = signs(place(status=status))
    assert (sign.text, sign.places) == ("Which store?", ("t:7",))


@pytest.mark.parametrize(
    ("run", "open_"),
    [
        (Run(command="pytest", outcome="failed"), True),
        (Run(command="pytest", outcome="passed"), False),
        (Run(command="pytest", outcome="unseen"), False),
        (Run(command="pytest", outcome="failed", edits_after=2), False),
        (Run(command="ls", kind="other", outcome="failed"), False),
    ],
)
def test_a_check_that_failed_last_is_one(run: Run[Clean], open_: bool) -> None:
    assert kinds(runs=(run,)) == (["failing"] if open_ else [])


def test_open_tasks_are_one_and_the_one_in_progress_is_named() -> None:
    tasks = (
        Task(title=Clean("Docs")),
        Task(title=Clean("Form"), status="in_progress"),
        Task(title=Clean("Token"), status="completed"),
    )
    (sign,) = signs(place(tasks=tasks))
    assert (sign.kind, sign.count) == ("tasks", 2)
    assert sign.text.startswith("Form")


def test_a_finished_session_has_none() -> None:
    assert kinds(tasks=(Task(title=Clean("Form"), status="completed"),)) == []


def test_what_is_wanted_is_the_active_request() -> None:
    requests = (Request(text=Clean("Add a login")), Request(text=Clean("yes")))
    assert wanted(place(requests=requests)) == "yes"
    assert wanted(place()) == "Add a login"


def test_only_changed_files_of_the_project_count_under_the_name_they_have_now() -> None:
    files = (
        FileFact(path=Clean("a.py"), commit="2db93cf"),
        FileFact(path=Clean("b.py"), change="renamed", to=Clean("c.py")),
        FileFact(path=Clean("~/.claude/plans/x.md"), change="created"),
        FileFact(path=Clean("d.py"), change="read"),
    )
    left = known(place(files=files), Clean("~/shop"))
    assert (left.loose, left.changed) == (("c.py",), ("a.py", "c.py"))
