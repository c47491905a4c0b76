"""`show t:541`: what stands at a place of a transcript, redacted, and where to look next.

Places are `t:541`, `t:540-545`, `t:last`, `t:<sub-agent>:12`.
"""

from __future__ import annotations

import re
import shlex
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from onward.briefing.tokens import characters_for
from onward.commands.result import Result, compose
from onward.errors import NotFoundError, UsageError
from onward.model import Clean
from onward.redaction import Redactor
from onward.search.record import Record
from onward.transcripts import searchable
from onward.transcripts.registry import agent_of

_PLACE = re.compile(r"t:(?:([\w-]{1,100}):)?(?:(\d{1,9})(?:-(\d{1,9}))?|(last))")
ROOM: Final = 1_500
"""Tokens of text that one call prints."""
BESIDE: Final = 2
"""Neighbours on either side that are named."""
_LABEL: Final = 72
"""Characters of what a neighbour says."""
_ABOVE: Final = 3
"""Lines that stand before the one that was looked for."""
_LEARNED: Final = 20_000_000
"""Characters of a session that are searched for secrets."""
_CHUNK: Final = 20_000
_SHORT: Final = 6
_PLAIN: Final = 12
"""Letters of the shortest value without any other sign that is hidden everywhere."""


class Place(Struct, frozen=True):
    """A line, or a range with both ends counted, of a session or of a sub-agent's file; the
    line 0 is the last one.
    """

    thread: str
    first: int
    last: int


class View(Struct, frozen=True, kw_only=True):
    """How much of a place is shown, and from where on."""

    before: int = 0
    after: int = 0
    """Records on either side that are shown in full, too."""
    find: str = ""
    """Begin at the line that holds this text."""
    offset: int = 0
    """Begin after so many characters."""
    whole: bool = False
    """Print all of it at once."""


_ALL_OF_IT: Final = View()


def is_place(text: str) -> bool:
    """Whether a word of the command line is meant as a place of a transcript."""
    return text.startswith("t:")


def parse(text: str) -> Place:
    """Read a place; UsageError with the right form."""
    found = _PLACE.fullmatch(text)
    if not found:
        raise UsageError(f"{text!r} is no place", "onward show t:541 (or t:540-545, t:last)")
    if found[4]:
        return Place(found[1] or "", 0, 0)
    first = int(found[2])
    last = int(found[3] or first)
    if not 0 < first <= last:
        raise UsageError(f"{text!r} holds no line", "onward show t:541")
    return Place(found[1] or "", first, last)


class Secrets:
    """What redaction hides anywhere in a session, hidden wherever it stands in it: a password is
    one without the option before it, too.
    """

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._known: dict[str, str] = {}
        self._waiting: list[str] = []
        self._size = 0
        self.learned = 0
        """Characters so far."""
        self._pattern: re.Pattern[str] | None = None

    def learn(self, text: str) -> None:
        """Remember the secrets of a raw text, which is whole."""
        if self.learned >= _LEARNED:
            return
        self._waiting.append(text)
        self._size += len(text)
        self.learned += len(text)
        if self._size >= _CHUNK:
            self._look()

    def text(self, raw: str) -> Clean:
        """The text, redacted."""
        if self._waiting:
            self._look()
        if self._pattern:
            raw = self._pattern.sub(lambda found: self._known[found[0]], raw)
        return self._redactor.text(raw)

    def _look(self) -> None:
        text = "\n;\n".join(self._waiting)  # no blank: one text says nothing of the next
        self._waiting, self._size = [], 0
        for each in self._redactor.secrets(text):
            value = text[each.start : each.end]
            if _is_telling(value):
                self._known.setdefault(value, each.shown)
        if self._known:
            longest_first = sorted(self._known, key=len, reverse=True)
            either = "|".join(map(re.escape, longest_first))
            self._pattern = re.compile(rf"(?<![A-Za-z0-9])(?:{either})(?![A-Za-z0-9])")


def _is_telling(value: str) -> bool:
    """Whether a value is hidden where nothing around it tells what it is: no everyday word."""
    return len(value) >= (_PLAIN if value.isalpha() else _SHORT)


class Said(Struct, frozen=True, kw_only=True):
    """One line that says something, raw."""

    line: int
    head: str
    text: str
    record: Record | None
    """What it says, as a search has it; None where the client only notes it once more."""

    @property
    def who(self) -> str:
        """Who said it; where that is not known, what the client calls the record."""
        kind = self.head.rpartition(" · ")[0] or self.head
        return self.record.by if self.record else kind


class Session:
    """The lines of one session, or of a sub-agent's file, that say something. Raises
    NotFoundError where there is none.
    """

    def __init__(self, path: Path, near: Place, redactor: Redactor) -> None:
        self._path, self._near = path, near
        self._agent = agent_of(path)
        self._client = searchable.named(self._agent.name)
        self.secrets = Secrets(redactor)
        self.lines: list[int] = []
        self._calls: dict[str, list[int]] = {}
        self._ids: dict[int, str] = {}
        self._again: dict[int, int] = {}
        """Of what the client wrote twice in a row, the line that is kept, by the other one."""
        self.end = 0
        before: Said | None = None
        for said in self._each():
            self.secrets.learn(said.text)
            if before and before.text == said.text:
                if said.record is None:
                    self._again[said.line] = before.line
                    continue
                self._again[self.lines.pop()] = said.line
            before = said
            self.lines.append(said.line)
            if said.record and said.record.call:
                self._calls.setdefault(said.record.call, []).append(said.line)
                self._ids[said.line] = said.record.call
        if not self.lines:
            thread = f"sub-agent {near.thread} of " if near.thread else ""
            message = f"{thread}{path.name} has no line that says anything"
            raise NotFoundError(message, f"onward read {shlex.quote(str(path))}")

    def _each(self, wanted: Iterable[int] | None = None) -> Iterator[Said]:
        some = None if wanted is None else set(wanted)
        for line, raw in self._agent.lines(self._path, self._near.first, self._near.thread):
            self.end = max(self.end, line)
            if some is not None and line not in some:
                continue
            shown = self._agent.render(raw)
            if shown.text and not shown.inner:
                yield Said(line=line, head=shown.head, text=shown.text, record=self._record(raw))

    def _record(self, raw: bytes | None) -> Record | None:
        try:
            found = searchable.records(self._client, raw or b"")
        except ValueError:
            found = []
        return next((each for each in found if each.call), found[0] if found else None)

    def get(self, lines: Iterable[int]) -> dict[int, Said]:
        """Those lines."""
        return {said.line: said for said in self._each(lines)}

    def chosen(self, place: Place, view: View) -> list[int]:
        """The lines of a place that say something; where none does, the next one that does, else
        the one before. Raises NotFoundError for a place behind the end.
        """
        lines = self.lines
        if place.first > self.end:
            thread = f"{place.thread}:" if place.thread else ""
            where = f"sub-agent {place.thread} of " if place.thread else ""
            message = f"{where}{self._path.name} has no line {place.first}: it ends at {self.end}"
            raise NotFoundError(
                message, f"onward show {shlex.quote(str(self._path))} t:{thread}last"
            )
        start = self._again.get(place.first, place.first)
        first = bisect_left(lines, start) if start else len(lines) - 1
        last = bisect_right(lines, max(start, place.last)) if start else len(lines)
        if first >= last:
            first = min(first, len(lines) - 1)
            last = first + 1
        return lines[max(0, first - view.before) : last + view.after]

    def beside(self, chosen: list[int]) -> tuple[list[int], list[int]]:
        """The neighbours of these lines, before and after them."""
        first, last = self.lines.index(chosen[0]), self.lines.index(chosen[-1]) + 1
        return self.lines[max(0, first - BESIDE) : first], self.lines[last : last + BESIDE]

    def label(self, said: Said, room: int = _LABEL) -> Clean:
        """What it says in some words of one line: of a call the tool and what it was given."""
        text = said.text
        if (record := said.record) and record.tool:
            given = record.command or (record.files[0] if record.files else record.text)
            text = f"{record.tool}: {given.strip()}"
        flat = " ".join(self.secrets.text(text).replace(" result\n", " ", 1).split())
        return Clean(flat if len(flat) <= room else f"{flat[: room - 1].rstrip()}…")

    def partners(self, line: int) -> list[int]:
        """Where the result of the call in this line, or the call of its result, stands."""
        return [each for each in self._calls.get(self._ids.get(line, ""), []) if each != line]


def show_place(
    place: Place, path: Path, redactor: Redactor, whose: str = "", view: View = _ALL_OF_IT
) -> Result:
    """The records at a place as readable text, with a line on each neighbour and on what to look
    at next. `whose` is what `onward show` takes before the place. NotFoundError where there is no
    such line.
    """
    session = Session(path, place, redactor)
    chosen = session.chosen(place, view)
    before, after = session.beside(chosen)
    others = {line for number in chosen for line in session.partners(number)}
    held = session.get({*chosen, *before, *after, *others})
    page = _Page(session, place, held, " ".join(filter(None, ("onward show", whose))))
    return page.result(chosen, (before, after), view)


class _Page:
    def __init__(self, session: Session, place: Place, held: dict[int, Said], show: str) -> None:
        self._session, self._place, self._held, self._show = session, place, held, show

    def _mark(self, line: int) -> str:
        return f"t:{self._place.thread}:{line}" if self._place.thread else f"t:{line}"

    def result(self, chosen: list[int], beside: tuple[list[int], list[int]], view: View) -> Result:
        told = self._skipped(chosen)
        texts = {line: self._session.secrets.text(self._held[line].text) for line in chosen}
        whole, starts = "", dict[int, int]()
        for line in chosen:
            starts[line] = len(whole)
            whole += f"{self._mark(line)} · {self._who(line)}\n{texts[line]}\n\n"
        whole = whole.rstrip("\n")
        start = view.offset
        if view.find:
            at = located(whole, view.find)
            start = at if at >= 0 else start
            told += () if at >= 0 else ("the text is not there: shown from the beginning",)
        stop = len(whole) if view.whole else page_end(whole, start)
        lines = [*([] if start else map(self._line, beside[0])), whole[start:stop]]
        if start:
            lines.insert(0, f"(from character {start:,} of {len(whole):,})")
        span = self._span(chosen)
        if stop < len(whole):
            rest = f"{len(whole) - stop:,} of {len(whole):,} characters follow"
            lines.append(f"({rest}: {self._show} {span} --offset {stop})")
        else:
            lines += map(self._line, beside[1])
        lines += self._next([line for line in chosen if starts[line] < stop], chosen)
        data = [self._data(line, None) for line in beside[0]]
        data += [self._data(line, texts[line]) for line in chosen]
        data += [self._data(line, None) for line in beside[1]]
        return Result(text=compose(*lines), data=data, notes=told)

    def _span(self, chosen: list[int]) -> str:
        first = self._mark(chosen[0])
        return first if len(chosen) == 1 else f"{first}-{chosen[-1]}"

    def _skipped(self, chosen: list[int]) -> tuple[str, ...]:
        place = self._place
        if not place.first:
            return ()
        if not any(place.first <= line <= place.last for line in chosen):
            asked, line = self._mark(place.first), self._mark(chosen[0])
            return (f"{asked} holds nothing that was said or done: {line} is shown instead",)
        if place.last > self._session.end:
            return (f"the last line is {self._mark(self._session.end)}",)
        return ()

    def _who(self, line: int) -> str:
        said = self._held[line]
        record = said.record
        if record is None:
            return said.head
        return " · ".join(filter(None, (record.by, record.tool, record.at or said.head)))

    def _line(self, line: int) -> str:
        said = self._held[line]
        size = f"{len(said.text):,} characters"
        return f"  {self._mark(line)} · {said.who} · {size} · {self._session.label(said)}"

    def _next(self, shown: list[int], chosen: list[int]) -> Iterator[str]:
        """Where to look next: the other half of a tool call, and the files that it touched."""
        for line in shown:
            said = self._held[line]
            for other in self._session.partners(line):
                if other in chosen:
                    continue
                partner = self._held[other]
                kind = "call" if other < line else "result"
                kind = "answer" if kind == "result" and partner.who == "user" else kind
                what = self._session.label(partner)
                yield f"{kind} of {self._mark(line)}: {self._show} {self._mark(other)} · {what}"
            if files := self._files(said):
                yield f"files of {self._mark(line)}: {', '.join(files)}"

    def _files(self, said: Said) -> list[Clean]:
        record = said.record
        if record is None or record.command:
            return []
        return [self._session.secrets.text(file) for file in dict.fromkeys(record.files)]

    def _data(self, line: int, text: Clean | None) -> dict[str, Any]:
        said = self._held[line]
        return {
            "place": self._mark(line),
            "by": said.who,
            "at": said.record.at if said.record else "",
            "size": len(said.text),
            "label": self._session.label(said),
            "text": text,
            "pairs": [self._mark(each) for each in self._session.partners(line)],
            "files": self._files(said),
        }


def page_end(text: str, start: int, room: int = ROOM) -> int:
    """Where a page that begins there ends: at the end of a line, else between two words."""
    part = text[start : start + 8 * room]
    size = characters_for(part, room)
    if start + size >= len(text):
        return len(text)
    for cut in ("\n", " "):
        if (at := part.rfind(cut, 1, size)) > size // 2:
            return start + at + 1
    return start + max(size, 1)


def located(text: str, wanted: str) -> int:
    """Where the page begins that shows a text, which may stand over several lines; -1 for no
    such text.
    """
    words = [re.escape(word) for word in wanted.split()]
    found = re.search(r"\s+".join(words), text, re.IGNORECASE) if words else None
    if not found:
        return -1
    at = found.start()
    for _ in range(_ABOVE + 1):
        at = text.rfind("\n", 0, max(at, 0)) if at > 0 else -1
    at += 1
    # In a very long line, near it.
    return at if found.start() - at <= ROOM else max(text.rfind(" ", 0, found.start() - 200) + 1, 0)
