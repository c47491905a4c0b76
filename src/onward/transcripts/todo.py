"""A client's own task list, kept up to date from whole lists and single changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from onward.model import TodoItem

Status = Literal["pending", "in_progress", "completed"]

_STATUS: Final[dict[str, Status]] = {
    "pending": "pending",
    "in_progress": "in_progress",
    "completed": "completed",
}


def item(title: str, status: str = "", key: str = "") -> TodoItem:
    """An entry; a status that is not known counts as pending."""
    return TodoItem(id=key, title=title, status=_STATUS.get(status, "pending"))


class TodoBook:
    """The list as it stands. Each method says whether it changed."""

    def __init__(self) -> None:
        self._items: dict[str, TodoItem] = {}

    @property
    def items(self) -> tuple[TodoItem, ...]:
        """The list, deleted entries left out, in the order of first appearance."""
        return tuple(self._items.values())

    def has(self, key: str) -> bool:
        """Whether the list holds an entry."""
        return key in self._items

    def replace(self, items: Iterable[TodoItem]) -> bool:
        """The whole list, anew."""
        before = self.items
        self._items = {one.id or f"#{n}": one for n, one in enumerate(items)}
        return self.items != before

    def put(self, key: str, title: str, status: str = "") -> bool:
        """Add an entry, or change one: an empty title or status leaves it as it was."""
        old = self._items.get(key)
        if status == "deleted":
            return self._items.pop(key, None) is not None
        new = item(
            title or (old.title if old else ""),
            status or (old.status if old else "pending"),
            key,
        )
        if new == old or not new.title:
            return False
        self._items[key] = new
        return True
