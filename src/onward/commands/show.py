"""`show`: a checkpoint by its name, or what stands at a place that one of its lines names.

Places are `t:541`, `t:540-545`, `t:last`, `t:<sub-agent>:12`, `c:9f5a3c7`.
"""

from __future__ import annotations

import re
import shlex
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC
from itertools import accumulate
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from onward import evidence
from onward.briefing.text import count
from onward.briefing.tokens import characters_for, estimate
from onward.commands import listing, sessions, source, thread
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.documents import checkpoint_md
from onward.errors import NotFoundError, UsageError
from onward.model import Clean
from onward.paths import relative
from onward.redaction import Redactor, Secrets
from onward.repo import git
from onward.repo.git import ask, decode
from onward.search.record import Record
from onward.storage import checkpoints
from onward.transcripts import registry
from onward.transcripts.reader import SESSION_ID

_HASH = re.compile(r"c:([0-9a-fA-F]{4,64})")
_PLACE = re.compile(r"t:(?:([\w-]{1,100}):)?(?:(\d{1,9})(?:-(\d{1,9}))?|(last))")
PAGE: Final = 1_320  # tokens of one page; counted, with the notes, 1,500 as a rule
_FEWEST: Final = 100  # tokens of text below which a page is not made smaller
_FILES: Final = 8  # files of one record that are named
BESIDE: Final = 2  # neighbours on either side that are named
_LABEL: Final = 72  # characters of what a neighbour says
_ABOVE: Final = 3  # lines that stand before the one that was looked for
_LEAST: Final = 400  # characters of one record among several; with fewer, it waits
_SLACK: Final = 120  # characters that are not worth a line on how to read on
_FIELD: Final = re.compile(r"  \w+: ")
RESULTS: Final = ("✓ result", "✗ result")  # what a result begins with as it is shown
_MARGIN: Final = " \t+-→0123456789"  # before a line of a difference or a listing


class Place(Struct, frozen=True):
    """A line, or a range with both ends counted; the line 0 is the last one."""

    thread: str
    first: int
    last: int


class View(Struct, frozen=True, kw_only=True):
    """How much of a place is shown, and from where on."""

    before: int = 0
    after: int = 0  # records on either side that are shown in full, too
    find: str = ""  # begin at the line that holds this text
    offset: int = 0  # begin after so many characters
    whole: bool = False  # print all of it at once


_START: Final = View()
_Said = tuple[int, str, str, Record | None]
"""One line that says something, raw: its number, its head, its text, and what it says as a search has
it; None where the client only notes it once more."""


def parse(text: str) -> Place:
    """Read a place; UsageError with the right form."""
    found = _PLACE.fullmatch(text)
    if not found:
        raise UsageError(f"{text!r} is no place", "onward show t:541 (or t:540-545, t:last)")
    if found[4]:
        return Place(found[1] or "", 0, 0)
    first, last = int(found[2]), int(found[3] or found[2])
    if not 0 < first <= last:
        raise UsageError(f"{text!r} holds no line", "onward show t:541")
    return Place(found[1] or "", first, last)


class Entry(Struct, frozen=True, kw_only=True):
    """One line that says something, as it is shown."""

    place: str
    by: str  # who said it; where that is not known, what the client calls the record
    at: str
    size: int  # characters of the text
    label: Clean  # some words of it on one line; of a tool call the tool, and its command or file
    text: Clean | None  # None for a neighbour
    pairs: tuple[str, ...]  # where the result of this call, or the call of this result, stands
    files: tuple[Clean, ...]  # what an edit or a read touched


class Session:
    """The lines of a session, or a sub-agent's file, that say something. Raises NotFoundError."""

    def __init__(self, path: Path, near: Place, redactor: Redactor) -> None:
        self._path, self._near = path, near
        self._called = f"sub-agent {near.thread} of {path.name}" if near.thread else path.name
        self._agent = registry.agent_of(path)
        self.secrets = Secrets(redactor)
        self.lines: list[int] = []
        self.pairs: dict[int, list[int]] = defaultdict(list)  # a call's results, a result's call
        self._again: dict[int, int] = {}  # of what stands twice, the line kept, by the other one
        self.end = 0
        noted, former, calls = list[int](), "", dict[str, int]()
        kept = noted  # the list that holds the line before
        for line, _, text, record in self._each():
            self.secrets.learn(text)
            if text == former:
                if record is None:
                    self._again[line] = kept[-1]
                    continue
                self._again[kept.pop()] = line
            former, kept = text, self.lines if record else noted
            kept.append(line)
            if record and record.tool:
                calls[record.call] = line
            elif record and record.call and (call := calls.get(record.call)):
                self.pairs[call].append(line)
                self.pairs[line].append(call)
        # What the client itself notes is shown where it is asked for, and beside nothing else.
        asked = [line for line in noted if near.first == line == near.last]
        self.lines = sorted(self.lines + asked) or noted
        if not self.lines:
            message = f"{self._called} has no line that says anything"
            raise NotFoundError(message, f"onward distill {shlex.quote(str(path))}")

    def _each(self, some: set[int] | None = None) -> Iterator[_Said]:
        near, reader = self._near, self._agent.reader
        for line, raw in reader.numbered(self._path, near.first, near.thread):
            self.end = max(self.end, line)
            if some is not None and line not in some:
                continue
            shown = reader.render(raw)
            if shown.text and not shown.inner:
                first = next(
                    (one for one in shown.records if one.call), next(iter(shown.records), None)
                )
                yield line, shown.head, shown.text, first

    def chosen(self, place: Place, view: View) -> tuple[list[int], int]:
        """The lines of a place that say something, else the next one, and how many stand before it.
        Raises NotFoundError.
        """
        lines = self.lines
        if place.first > self.end:
            message = f"{self._called} has no line {place.first}: it ends at {self.end}"
            whose = shlex.quote(str(self._path))
            raise NotFoundError(message, f"onward show {whose} {self.mark('last')}")
        start = self._again.get(place.first, place.first)
        first = bisect_left(lines, start) if start else len(lines) - 1
        last = bisect_right(lines, max(start, place.last)) if start else len(lines)
        if first >= last:
            first = min(first, len(lines) - 1)
            last = first + 1
        before = min(first, view.before)
        return lines[first - before : last + view.after], before

    def skipped(self, place: Place, chosen: list[int], before: int) -> list[str]:
        """What is to be said where not the very lines of a place are shown."""
        if place.first and not any(place.first <= line <= place.last for line in chosen):
            asked, line = self.mark(place.first), self.mark(chosen[before])
            return [f"{asked} holds nothing that was said or done: {line} is shown instead"]
        return [f"the last line is {self.mark(self.end)}"] if place.last > self.end else []

    def entries(self, lines: set[int], whole: set[int]) -> dict[int, Entry]:
        """These lines, those of `whole` with their text."""
        clean, found = self.secrets.text, dict[int, Entry]()
        for line, head, raw, record in self._each(lines):
            text = clean(raw)
            label = call_of(record) if record and record.tool else in_short(raw, record)
            files = dict.fromkeys(record.files) if record and not record.command else ()
            found[line] = Entry(
                place=self.mark(line),
                by=record.by if record else clean(head.partition(" · ")[0]),
                at=record.at if record else "",
                size=len(text),
                label=one_line(clean(label[: 20 * PAGE]), _LABEL),
                text=text if line in whole else None,
                pairs=tuple(self.mark(each) for each in dict.fromkeys(self.pairs[line])),
                files=tuple(clean(file) for file in files),
            )
        return found

    def mark(self, line: int | str) -> str:
        """How a line of it is named."""
        return f"t:{self._near.thread}:{line}" if self._near.thread else f"t:{line}"


def call_of(record: Record) -> str:
    """A tool call: the tool, and the command that was run or what else it was given."""
    file = relative(record.files[0], record.cwd) if record.files else ""
    return f"{record.tool}: {(record.command or file or record.text).strip()}"


def in_short(text: str, record: Record | None) -> str:
    """What a line says, of a result without what its client puts above it."""
    if record is None or record.tool:
        return text
    sign = text[0] if text.startswith(RESULTS) else ""
    if record.by == "result" and record.call and not sign:  # in one line with its call
        sign = "✗" if record.failed else "✓"
    told = record.text.strip() or text.partition("\n")[2] if sign else ""
    return f"{sign} {told}" if told else text


def one_line(text: str, room: int) -> Clean:
    """So many columns of a clean text, on one line."""
    flat = " ".join(text[: 20 * room].split())
    return compose(listing.cut(flat, room))


def show_place(
    place: Place, path: Path, redactor: Redactor, whose: str = "", view: View = _START
) -> Result:
    """The records at a place, a line for each neighbour. Raises NotFoundError, UsageError."""
    session = Session(path, place, redactor)
    chosen, before = session.chosen(place, view)
    # With the results of the calls among them, and the calls of their results.
    lines, partners = session.lines, {*chosen, *(n for line in chosen for n in session.pairs[line])}
    first, last = bisect_left(lines, chosen[0]), bisect_right(lines, chosen[-1])
    around = lines[max(0, first - BESIDE) : last + BESIDE]
    by_line = session.entries({*around, *partners}, {*chosen, *partners})
    page = _Page(
        shown=[by_line[line] for line in chosen],
        before=before,
        others=[by_line[line] for line in sorted(partners.difference(chosen))],
        above=[by_line[line] for line in around if line < chosen[0]],
        below=[by_line[line] for line in around if line > chosen[-1]],
        show=f"onward show {whose}".rstrip(),
    )
    printed, told = page.lines(view)
    short = {line: structs.replace(by_line[line], text=None) for line in {*around} - {*chosen}}
    data = [short.get(line, by_line[line]) for line in around]
    notes = (*session.skipped(place, chosen, before), *told)
    return Result(text=compose(*printed), data=data, notes=notes)


class _Page(Struct, kw_only=True):
    """What is printed of a place, in `PAGE` tokens."""

    shown: list[Entry]
    before: int  # how many of these stand before the place that was asked for
    others: list[Entry]  # the other halves of the tool calls among them
    above: list[Entry]
    below: list[Entry]
    show: str  # the command, as far as a place follows

    def lines(self, view: View) -> tuple[list[str], list[str]]:
        """The page, and what is to be said beside it. Raises UsageError."""
        parts, start, told = [_part(entry) for entry in self.shown], view.offset, list[str]()
        if view.find:
            places = (*(located(part, view.find) for part in parts), 0)
            first = next(n for n, at in enumerate(places) if at >= 0) % len(parts)
            told = ["the text is not there: shown from the beginning"] * (places[first] < 0)
            self.shown, parts, start = self.shown[first:], parts[first:], max(places[first], 0)
            self.before = 0
        if start >= len(parts[0]):
            place = self.shown[0].place
            raise UsageError(f"{place} has {len(parts[0])} characters", f"{self.show} {place}")
        parts[0], room = parts[0][start:], PAGE
        while True:
            lines = self._printed([*parts], start, None if view.whole else room)
            if view.whole or (size := estimate("\n".join(lines))) <= PAGE or room < _FEWEST:
                return lines, told
            room = min(room * PAGE // size, room - 8)

    def _printed(self, parts: list[str], start: int, room: int | None) -> list[str]:
        """The page with so many tokens of text, or all; the first part begins at `start`."""
        skip = 0 if room is None or start else self._skips(parts, 6 * room)
        parts, shown, gone = parts[skip:], self.shown[skip:], self.shown[:skip]
        end, printed = (size := len(parts[0])), list[Entry]()
        if room is None:
            pieces = parts
        elif parts[1:] and not start:
            pieces = self._shared(parts, shown, 6 * room)
        elif start:
            end = page_end(parts[0], 0, room)
            pieces = [parts[0][:end]]
        else:  # how it ends is told with how it begins
            most = characters_for(parts[0][: 8 * room], room)
            pieces = [_cut(parts[0], most, f"{self.show} {shown[0].place}")]
        read, rest = shown[: len(pieces)], shown[len(pieces) :]
        if end < size:
            left = f"{size - end:,} of {start + size:,} characters follow"
            pieces[0] += f"\n({left}: {self.show} {read[0].place} --offset {start + end})"
        elif not (parts[1:] or room is None or start):
            printed = self._halves(pieces, room)
        if rest:
            pieces.append(self._left(rest, "more record"))
        lines = [self._neighbour(entry) for entry in self.above if entry not in printed]
        if gone:
            lines = [self._left(gone, "earlier record")]
        if start:
            lines = [f"(from character {start:,} of {start + size:,})"]
        lines.append("\n\n".join(pieces))
        if end == size and not rest:
            lines += (self._neighbour(entry) for entry in self.below if entry not in printed)
            lines += ["  (nothing follows)"] if len(self.below) < BESIDE else []
        return [*lines, *self._next(read, printed, "".join(lines))]

    def _left(self, entries: list[Entry], noun: str) -> str:
        place, last = entries[0].place, entries[-1].place.rpartition(":")[2]
        place += f"-{last}" if entries[1:] else ""
        return f"({count(len(entries), noun)}: {self.show} {place})"

    def _skips(self, parts: list[str], room: int) -> int:
        """How many of those before the place are left out so that there is room for it."""
        fits = (n for n in range(self.before) if _fitting(parts[n:], room) > self.before - n)
        return next(fits, self.before)

    def _shared(self, parts: list[str], shown: list[Entry], room: int) -> list[str]:
        """Those of several records that have room; long ones share what short ones leave."""
        parts = parts[: max(1, _fitting(parts, room))]
        shares = [0] * len(parts)
        for left, n in enumerate(sorted(range(len(parts)), key=lambda n: len(parts[n]))):
            shares[n] = min(len(parts[n]), room // (len(parts) - left))
            room -= shares[n]
        read_on = (f"{self.show} {entry.place}" for entry in shown)
        return [_cut(*each) for each in zip(parts, shares, read_on, strict=False)]

    def _halves(self, pieces: list[str], room: int) -> list[Entry]:
        """Add the other half of a tool call, as far as there is room and it says more."""
        known, printed = pieces[0], list[Entry]()
        for entry in self.others:
            text = _part(entry)
            left = characters_for(text, room - estimate("".join(pieces)))
            if left >= min(len(text), _LEAST) and adds(entry.text or "", known):
                pieces.append(_cut(text, left, f"{self.show} {entry.place}"))
                printed.append(entry)
        return printed

    def _who(self, entry: Entry) -> str:
        """Whose other half it is, else who said it."""
        whose = ", ".join(each.place for each in self.shown if entry.place in each.pairs)
        kind = {"agent": "call", "user": "answer"}.get(entry.by, entry.by)
        return f"{kind} of {whose}" if whose else entry.by

    def _neighbour(self, entry: Entry) -> str:
        size, label = f"{entry.size:,} characters", evidence.escape(entry.label)
        return f"  {entry.place} · {self._who(entry)} · {size} · {label}"

    def _next(self, read: list[Entry], printed: list[Entry], page: str) -> Iterator[str]:
        """Where the other half of a tool call stands, and the files that were touched."""
        places = {place for entry in read for place in entry.pairs}
        for other in self.others:
            if other.place in places and other not in (*printed, *self.above, *self.below):
                label = evidence.escape(other.label)
                yield f"{self._who(other)}: {self.show} {other.place} · {label}"
        files: dict[str, list[str]] = {}
        for entry in read:
            if any(file not in page for file in entry.files):
                more = [f"and {len(entry.files) - _FILES} more"] if entry.files[_FILES:] else []
                named = ", ".join([*entry.files[:_FILES], *more])
                files.setdefault(named, []).append(entry.place)
        yield from (f"files of {', '.join(places)}: {names}" for names, places in files.items())


def _fitting(parts: list[str], room: int) -> int:
    """How many of several records have room, each with a little of it at least."""
    return sum(size <= room for size in accumulate(min(len(part), _LEAST) for part in parts))


def _part(entry: Entry) -> str:
    head = " · ".join(filter(None, (entry.place, entry.by, entry.at)))
    return f"{head}\n{evidence.escape(entry.text or '')}"


def _cut(text: str, room: int, show: str) -> str:
    """A text in about so many characters: its beginning and its end, and how to read on."""
    if len(text) <= room + _SLACK:
        return text
    room -= len(show)
    head = _boundary(text[: max(room * 2 // 3, _SLACK)])
    tail = max(len(text) - room // 3, head)
    ends = (text.find(sign, tail, tail + room // 6) for sign in ("\n", " "))
    tail = next((at + 1 for at in ends if at >= 0), tail)
    left = f"({tail - head:,} of {len(text):,} characters left out: {show} --offset {head})"
    return f"{text[:head].rstrip()}\n{left}\n{text[tail:]}"


def adds(text: str, known: str) -> bool:
    """Whether most lines of a text do not stand in another one."""
    bare = (_FIELD.sub("", line).lstrip(_MARGIN).rstrip() for line in text.splitlines())
    lines = [line for line in bare if line]
    return 2 * sum(line in known for line in lines) <= len(lines)


def page_end(text: str, start: int, room: int) -> int:
    """Where a page that begins there ends: at the end of a line, else between two words."""
    part = text[start : start + 8 * room]
    size = characters_for(part, room)
    return len(text) if start + size >= len(text) else start + max(_boundary(part[:size]), 1)


def _boundary(text: str) -> int:
    """Where a text is cut: behind its last line, else behind its last word."""
    ends = (text.rfind(sign, 1) + 1 for sign in ("\n", " "))
    return next((at for at in ends if at > len(text) // 2), len(text))


def located(text: str, wanted: str) -> int:
    """Where the page begins that shows a text, which may stand over several lines; else -1."""
    words = [re.escape(word) for word in wanted.split()]
    found = re.search(r"\s+".join(words), text, re.IGNORECASE) if words else None
    if not found:
        return -1
    return line_above(text, found.start())


def line_above(text: str, place: int) -> int:
    """Where some lines above a place begin; in a very long line, near it."""
    at = place
    for _ in range(_ABOVE + 1):
        at = text.rfind("\n", 0, max(at, 0)) if at > 0 else -1
    at += 1
    return at if place - at <= PAGE else max(text.rfind(" ", 0, place - 200) + 1, 0)


def show(
    world: World, what: str, session: str = "", *, of: str = "", view: View = _START
) -> Result:
    """Show a place (`t:541`), a commit (`c:9f5a3c7`) or a checkpoint. A place is looked up in the
    session that `of` was made from, or in the session named; else in the one that this session was
    briefed on, in that of the newest checkpoint, or in the newest here.
    """
    if what.startswith("c:"):
        return _commit(world, what, view)
    if of or what.startswith("t:"):
        return _place(world, parse(what), of or session, view)
    found = source.load(world, what, verb="show").checkpoint
    return Result(text=checkpoint_md.render(found, zone=world.now.tzinfo or UTC), data=found)


def _commit(world: World, what: str, view: View) -> Result:
    """Who, when, what and which files, redacted, a page of it. Raises UsageError, NotFoundError."""
    found, root = _HASH.fullmatch(what), world.project.root
    if not found:
        raise UsageError(f"{what!r} is no commit", "onward show c:9f5a3c7")
    form = "--format=commit %H%nDate: %cI%n%n%B"
    if git.top(root) is None:
        raise NotFoundError(f"{root} is in no git repository, so it has no commits", "git init")
    said = ask(root, "show", "--stat", "--no-ext-diff", form, f"{found[1]}^{{commit}}", "--")
    if said is None:
        raise NotFoundError(f"the commit {found[1]} is not in this repository", "git fetch --all")
    text = world.redactor.text(decode(said))
    shown, start = evidence.escape(text).rstrip("\n"), view.offset
    if start >= len(shown):
        raise UsageError(f"{what} has {len(shown)} characters", f"onward show {what}")
    end = len(shown) if view.whole else page_end(shown, start, PAGE)
    left = f"({len(shown) - end:,} of {len(shown):,} characters follow"
    more = [f"{left}: onward show {what} --offset {end})"] if end < len(shown) else []
    return Result(text=compose(shown[start:end], *more), data={"place": what, "text": text})


def _place(world: World, place: Place, whose: str, view: View) -> Result:
    told: tuple[str, ...] = ()
    if whose:
        path = transcript(world, whose)
    else:
        whose, path = briefed(world) or _newest(world)
        told = (f"of session {whose[:8]}; pass a name or an id before the place to choose another",)
    named = shlex.quote(world.redactor.text(whose))
    found = show_place(place, path, world.redactor, named, view)
    return found._replace(notes=(*told, *found.notes))


def transcript(world: World, what: str) -> Path:
    """The transcript that a file or an id means, or a place was made from. Raises NotFoundError."""
    named = what in checkpoints.names(world.project)
    if not named and (SESSION_ID.fullmatch(what) or what.endswith((".jsonl", ".jsonl.zst"))):
        return source.transcript(world, what)
    session = source.load(world, what, verb="show").checkpoint.origin.session
    if made := source.transcript_of(world, session):
        return made
    whose = f"of session {session}" if session else "which it does not name"
    message = f"the transcript that {what} was made from is not on this machine ({whose})"
    raise NotFoundError(message, f"onward show {what}")


def briefed(world: World) -> tuple[str, Path] | None:
    """The session whose briefing this one was given, and its transcript, if that is here."""
    session = thread.briefed(world)
    path = source.transcript_of(world, session)
    return (session, path) if path else None


def _newest(world: World) -> tuple[str, Path]:
    """The session of the newest checkpoint, else the newest one here, and its transcript."""
    for name in checkpoints.names(world.project)[:1]:
        session = source.load(world, name).checkpoint.origin.session
        if made := source.transcript_of(world, session):
            return session, made
    here = sessions.of_project(world, world.project.root)
    if not here:
        raise sessions.none_here(world)
    return here[0].session, here[0].path
