"""Distil: which files were read, and which were only named in what was said."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from msgspec import Struct

from onward.distill import paths
from onward.distill.fold import keep
from onward.distill.shell.consulted import consulted
from onward.distill.work.mentions import Mention, mentions
from onward.model import Delegated, Edited, Event, Looked, Moved, Planned, Prompt, Ran, Reply

_KEPT = 300
_KNOWN = 4000
"""Paths that are known to exist, for telling what a bare name in prose means."""
_TEXTS = 30
"""Texts that are searched for names at the end, the newest."""


class Read(Struct, kw_only=True):
    """A file that was read and not changed, or (`named`) that somebody only spoke of."""

    path: str
    last: int
    count: int
    place: str
    named: bool = False
    focus: bool = False
    """Named where the work stands: in the last request, what it answers, the plan, the
    closing words.
    """


class _Text(Struct, frozen=True):
    at: int
    place: str
    text: str


class Looks:
    """Collects the files that were read, in order of the last look."""

    def __init__(self) -> None:
        self._start = self._cwd = ""
        self._reads: dict[str, Read] = {}
        self._known: dict[str, None] = {}
        self._changed: dict[str, None] = {}
        self._texts: deque[_Text] = deque(maxlen=_TEXTS)
        self._reply = self._offer = self._prompt = self._plan = _Text(-1, "", "")

    def see(self, event: Event, at: int) -> None:
        """Take note of a look; those of sub-agents only tell that the file is there."""
        match event:
            case Moved() if event.cwd and not event.thread:
                self._cwd = event.cwd
                self._start = self._start or event.cwd
            case Looked():
                self._look(paths.join(self._cwd, event.path), event, at)
            case Ran():
                for path in consulted(event):
                    self._look(path, event, at)
            case Edited():
                self._changed[self._know(paths.join(self._cwd, event.path))] = None
                keep(self._changed, _KNOWN)
            case _:
                self._hear(event, at)

    def reads(self) -> tuple[Read, ...]:
        """The files that were read, last one first; then those that were only named."""
        named = {text.at: self._named(text) for text in (*self._texts, *self._focus())}
        focus = {path for text in self._focus() for path in named[text.at]}
        found = {r.path: r for r in reversed(self._reads.values())}
        for text in (*self._focus(), *reversed(self._texts)):
            for path in named[text.at]:
                if path not in found and path not in self._changed:
                    found[path] = Read(
                        path=path, last=text.at, count=1, place=text.place, named=True
                    )
        for read in found.values():
            read.focus = read.path in focus
        return tuple(found.values())

    def uses(self, path: str) -> int:
        """How often a file was read or given to a command."""
        read = self._reads.get(path)
        return read.count if read else 0

    def _look(self, path: str, event: Event, at: int) -> None:
        self._know(path)
        if event.thread:
            return
        before = self._reads.pop(path, None)
        count = before.count + 1 if before else 1
        self._reads[path] = Read(path=path, last=at, count=count, place=event.place)
        keep(self._reads, _KEPT)

    def _know(self, path: str) -> str:
        self._known.pop(path, None)
        self._known[path] = None
        keep(self._known, _KNOWN)
        return path

    def _hear(self, event: Event, at: int) -> None:
        """Words that may name files: they are searched only at the end."""
        if event.thread:
            return
        if isinstance(event, Reply):
            self._reply = self._keep(event.text, event, at)
        elif isinstance(event, Prompt):
            self._offer, self._prompt = self._reply, self._keep(event.text, event, at)
        elif isinstance(event, Planned) and event.approved is not False:
            self._plan = self._keep(event.text, event, at)
        elif isinstance(event, Delegated):
            self._keep(f"{event.task}\n{event.report}", event, at)

    def _keep(self, text: str, event: Event, at: int) -> _Text:
        kept = _Text(at, event.place, text)
        if "." in text:
            self._texts.append(kept)
        return kept

    def _focus(self) -> Iterator[_Text]:
        yield from (self._prompt, self._offer, self._reply)
        if self._plan.at > self._prompt.at - _TEXTS:
            yield self._plan

    def _named(self, text: _Text) -> list[str]:
        return [path for m in mentions(text.text) if (path := self._resolved(m))]

    def _resolved(self, mention: Mention) -> str:
        """The file that is meant: a known one whose path ends so, else the path as spelt."""
        spelt = paths.join(self._start, mention.path)
        if spelt in self._known:
            return spelt
        end = "/" + mention.path.removeprefix("~/").lstrip("/")
        known = next((path for path in reversed(self._known) if path.endswith(end)), "")
        return known or (spelt if mention.sure and "/" in mention.path else "")
