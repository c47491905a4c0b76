"""Checklists in files: what the session wrote and ticked, as far as its calls show it."""

from __future__ import annotations

from collections.abc import Sequence

from onward import paths
from onward.checkboxes import boxes
from onward.model import Box, Checklist, Edited, Event, Looked, Moved, Ran
from onward.record.commands import consulted
from onward.record.text import keep

_FILES, _ENTRIES, _OPEN = 20, 400, 12
"""Files that are remembered, entries of one, and those of it that are told."""
_TOLD = 2
"""Lists that are told."""


class _List:
    """The entries of one file in their order, with whether each is ticked."""

    def __init__(self) -> None:
        self.entries: dict[str, bool] = {}
        self.ticked: set[str] = set()
        self.created = False
        self.twice = False
        """Whether two entries say the same, so that they cannot be told apart."""
        self.place = ""
        """Where the session changed an entry last; "" where it only read them."""

    def show(self, shown: Sequence[Box]) -> None:
        new = {box.title: box.done for box in shown}
        self.twice = self.twice or len(new) < len(shown)
        self.entries |= new
        keep(self.entries, _ENTRIES)


class Checklists:
    """Collects the entries `- [ ] …` of files, and which of them the session ticked."""

    def __init__(self, root: str) -> None:
        self._root = self._cwd = root
        self._lists: dict[str, _List] = {}

    def see(self, event: Event, _at: int) -> None:
        """Take note of what was read of a list, and of what was changed in one."""
        match event:
            case Moved() if event.cwd and not event.thread:
                self._cwd = event.cwd
            case Looked() if event.boxes:
                self._of(event.path).show(event.boxes)
            case Ran() if shown := boxes(event.output):
                # Of several files it is not known which entry is of which.
                if len(read := [*consulted(event)]) == 1:
                    self._of(read[0]).show(shown)
            case Edited():
                self._edited(event)
            case _:
                pass

    def items(self) -> tuple[Checklist[str], ...]:
        """The lists that the session ticked or wrote, but for scratch files: the ticked ones first,
        then the last changed.
        """
        changed = [each for each in reversed(self._lists.items()) if each[1].place]
        changed = [each for each in changed if each[1].ticked or each[1].created]
        changed.sort(key=lambda each: not each[1].ticked)
        return tuple(
            Checklist(
                path=path,
                done=sum(one.entries.values()),
                total=len(one.entries),
                ticked=sum(one.entries.get(title, False) for title in one.ticked),
                open=tuple(title for title, done in one.entries.items() if not done)[:_OPEN],
                places=(one.place,),
            )
            for each, one in changed
            if one.entries
            and not one.twice
            and paths.prose(path := paths.relative(each, self._root))
            and not paths.apart(path)
        )[:_TOLD]

    def _of(self, path: str) -> _List:
        path = paths.join(self._cwd, path)
        found = self._lists.setdefault(path, _List())
        keep(self._lists, _FILES)
        return found

    def _edited(self, event: Edited) -> None:
        path = paths.join(self._cwd, event.path)
        if event.change == "deleted":
            self._lists.pop(path, None)
        if event.change == "renamed" and path in self._lists:
            self._lists[paths.join(self._cwd, event.to)] = self._lists.pop(path)
        if event.change in {"deleted", "renamed"} or not (event.boxes or event.unboxed):
            return
        one = self._lists.pop(path, None) or _List()
        self._lists[path] = one  # the last changed is the last
        keep(self._lists, _FILES)
        one.place = event.place
        one.created = one.created or event.change == "created"
        shown = {box.title for box in event.boxes}
        was_open = {box.title for box in event.unboxed if not box.done}
        one.ticked |= {box.title for box in event.boxes if box.done and box.title in was_open}
        for title in {box.title for box in event.unboxed} - shown:
            one.entries.pop(title, None)
        one.show(event.boxes)
