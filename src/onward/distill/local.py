"""Distil: paths of the project, told from its folder wherever they stand in a line."""

from __future__ import annotations

import re

from msgspec.structs import replace

from onward.model import Draft, Item, Task

_SECTIONS = ("progress", "blockers", "decisions", "dead_ends", "deferred", "context", "trail")
_SINGLE = ("next_action", "closing", "task", "plan", "goal")


def local(draft: Draft, root: str) -> Draft:
    """The draft with `root/src/x` as `src/x`. What the person typed in the requests, and
    commands to be typed again, stay word for word.
    """
    parts = [re.escape(part) for part in re.split(r"[\\/]+", root.rstrip("\\/"))]
    if len(parts) < 3:  # a folder like `/srv` is too short to be told from prose
        return draft
    prefix = re.compile(r"(?<![\w.-])" + r"[\\/]+".join(parts) + r"[\\/]+(?=[\w.-])")
    changes: dict[str, object] = {
        name: tuple(_item(item, prefix) for item in getattr(draft, name)) for name in _SECTIONS
    }
    changes["requests"] = tuple(
        replace(item, why=prefix.sub("", item.why)) if item.why else item for item in draft.requests
    )
    for name in _SINGLE:
        item = getattr(draft, name)
        changes[name] = _item(item, prefix) if item else item
    changes["tasks"] = tuple(_task(task, prefix) for task in draft.tasks)
    return replace(draft, **changes)


def _item(item: Item[str], prefix: re.Pattern[str]) -> Item[str]:
    why = prefix.sub("", item.why) if item.why else item.why
    return replace(item, text=prefix.sub("", item.text), why=why)


def _task(task: Task[str], prefix: re.Pattern[str]) -> Task[str]:
    return replace(task, title=prefix.sub("", task.title))
