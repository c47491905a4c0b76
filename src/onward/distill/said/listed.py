"""Distil: everything that ever stood on the task list of a session, and when it was ticked off.

Clients replace a list that is done by the next one; a file of all tasks keeps both.
"""

from __future__ import annotations

from collections.abc import Iterable

from onward.distill.fold import keep
from onward.distill.text import one_line
from onward.model import Event, Task, TodoList

_KEPT = 300
_TITLE = 300


def listed(events: Iterable[Event]) -> dict[str, Task[str]]:
    """The entries by title, those seen last at the end; `created` is when an entry was first
    seen, `completed` when it was ticked off. At most _KEPT.
    """
    found: dict[str, Task[str]] = {}
    for event in events:
        if event.thread or not isinstance(event, TodoList):
            continue
        for item in event.items:
            title = one_line(item.title, _TITLE)
            before = found.pop(title, Task(title=title, created=event.at))
            is_done = item.status == "completed"
            found[title] = Task(
                title=title,
                status=item.status,
                created=before.created,
                completed=(before.completed or event.at) if is_done else "",
                places=before.places if is_done and before.completed else (event.place,),
            )
        keep(found, _KEPT)
    return found
