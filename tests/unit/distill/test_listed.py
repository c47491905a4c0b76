"""Everything that ever stood on a task list."""

from __future__ import annotations

from onward.distill.said.listed import listed
from onward.model import TodoItem, TodoList


def todo(line: int, thread: str = "", **items: str) -> TodoList:
    entries = tuple(TodoItem(title=title, status=status) for title, status in items.items())  # type: ignore[arg-type]
    return TodoList(line=line, at=f"2026-03-01T13:{line:02}:00Z", thread=thread, items=entries)


def test_an_entry_has_the_time_it_was_first_seen_and_the_time_it_was_ticked_off() -> None:
    found = listed([todo(1, a="pending"), todo(2, a="completed"), todo(3, a="completed")])
    assert (found["a"].created, found["a"].completed) == (
        "2026-03-01T13:01:00Z",
        "2026-03-01T13:02:00Z",
    )
    assert found["a"].places == ("t:2",)


def test_entries_of_earlier_lists_stay_as_they_were_left() -> None:
    found = listed([todo(1, a="completed", b="pending"), todo(2, c="in_progress")])
    assert {title: task.status for title, task in found.items()} == {
        "a": "completed",
        "b": "pending",
        "c": "in_progress",
    }


def test_an_entry_that_was_taken_up_again_is_not_done() -> None:
    found = listed([todo(1, a="completed"), todo(2, a="pending")])
    assert (found["a"].status, found["a"].completed) == ("pending", "")


def test_a_sub_agents_list_is_not_the_sessions() -> None:
    assert listed([todo(1, thread="a1", a="pending")]) == {}


def test_the_newest_are_kept() -> None:
    found = listed(todo(n, **{f"task{n}": "completed"}) for n in range(400))
    assert len(found) == 300
    assert "task399" in found
    assert "task0" not in found
