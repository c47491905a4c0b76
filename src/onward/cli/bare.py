"""`onward` without a verb: what was I in the middle of? On a terminal, one of it can be chosen."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import accumulate, chain

from onward import commands
from onward.cli import Call, output
from onward.commands import overview
from onward.commands.listing import NARROWEST
from onward.commands.overview import Overview, Row
from onward.errors import OnwardError

_MANY = 10  # files; fewer are read before anybody wonders
_QUESTION = "Continue which one? 1-{} or a name; ?: keys; Enter: none >"
_OLDER = "{} older not shown here; all of them in lines: {} | less"
_KEYS = {
    "3 or NAME": "start its client there, with the briefing or its own resume, whichever costs less",
    "n 3": "start it with the client's own resume, which reads the whole session again",
    "b 3": "start it with the briefing as the first prompt",
    "p 3": "print the briefing and start nothing",
    "d 3": "mark it as done, until something happens in it again; u 3 takes that back",
    "/WORDS": "show only what holds these words; / alone shows all",
    "q, Enter": "leave: nothing is changed",
}


def answer(call: Call, *, everything: bool = False, why: bool = False) -> int:
    """Print what is open; on a terminal ask which one to continue, and start its client."""
    with output.percent("reading sessions, once", least=_MANY) as tell:
        found = overview.overview(call.world, tell, everything=everything)
    width = call.width
    is_narrow = width is not None and width < NARROWEST and call.asking
    if call.json or width is None or not found.rows or is_narrow:
        code = output.emit(overview.plain(found, why=why), as_json=call.json)
        if is_narrow and found.rows and not call.json:
            output.note(f"to choose one, make the terminal {NARROWEST} wide, or: onward go")
        return code
    picker = Picker(call, found, why=why, again="onward --all" if everything else "onward")
    picker.draw()
    for note in found.notes:
        output.note(note)
    return picker.ask() if picker.asking else 0


class Picker:
    """The table on a terminal, and what is done with a row of it; keys are typed with Enter."""

    def __init__(self, call: Call, found: Overview, *, why: bool, again: str) -> None:
        self.asking = call.asking and os.environ.get("TERM") != "dumb"
        self._call, self._found, self._why, self._again = call, found, why, again
        self._shown = list(range(len(found.rows)))

    def draw(self) -> None:
        """Print the table for the terminal as it is now: it may have been resized meanwhile."""
        width, lines = os.get_terminal_size(sys.stdout.fileno())
        head, entries = overview.drawn(self._rows, width, why=self._why)
        if self.asking:
            count = len(self._shown)
            older = _OLDER.format(count, self._again)
            beside = (*self._found.notes, older, _QUESTION.format(count))
            below = sum(output.fitted(each).count("\n") + 1 for each in beside)
            ends = accumulate(map(len, entries))  # as many as fit above the question
            entries = entries[: max(1, sum(end <= lines - 1 - below for end in ends))]
        output.say("\n".join(map(output.one_line, chain([head], *entries))))
        if left := len(self._shown) - len(entries):
            output.note(_OLDER.format(left, self._again))

    def ask(self) -> int:
        """Do what is typed until a client is started or the user leaves; the exit code."""
        try:
            while (typed := _ask(len(self._shown))) not in {"", "q"}:
                if typed == "?":
                    output.say("\n".join(output.fitted(_KEYS[key], f"{key:12}") for key in _KEYS))
                elif typed.startswith("/"):
                    self._filter(typed[1:])
                elif (code := self._do(typed)) is not None:
                    return code
        except KeyboardInterrupt:
            output.note("")
        return 0

    @property
    def _rows(self) -> list[Row]:
        return [self._found.rows[number] for number in self._shown]

    def _filter(self, typed: str) -> None:
        words = typed.casefold().split()
        every = enumerate(self._found.rows)
        shown = [number for number, row in every if all(word in _text(row) for word in words)]
        if not shown:
            output.note(f"nothing here holds: {' '.join(words)}")
            return
        self._shown = shown
        self.draw()

    def _do(self, typed: str) -> int | None:
        """The exit code where a client was started or could have been; None to ask again."""
        projects = [row.project for row in self._rows]
        key, name = typed[:1], typed[1:].strip()
        is_key = key in "nbpdu" and (not name or typed[1] == " " or name.isdecimal())
        if not is_key or choice(typed, projects) is not None:
            key, name = "", typed
        elif not name and len(projects) > 1:
            output.note(f"which one? type {key} 1, say")
            return None
        chosen = choice(name or "1", projects)
        if chosen is None:
            output.note(f"not found: {name} (? tells the keys)")
            return None
        try:
            return self._done(key, self._shown[chosen], chosen + 1)
        except OnwardError as error:
            output.fail(error.message, error.hint)
            return None

    def _done(self, key: str, number: int, told: int) -> int | None:
        world = self._call.world
        seen, row = self._found.seen[number], self._found.rows[number]
        if key in {"d", "u"}:
            overview.mark(world, seen, is_done=key == "d")
            ways = f"done; u {told} takes that back" if key == "d" else "not done"
            output.note(f"{told} {row.project} is marked as {ways}")
            return None
        if key == "p" or seen.place.gone:
            output.emit(overview.going_on(world, seen, row), as_json=False)
            return None
        if row.live:
            output.note(f"{told} {row.project} is open in another window; to read it: p {told}")
            return None
        found = overview.departure(world, seen, native=key == "n" if key else None)
        if found.cost:
            output.note(found.cost)
        return commands.go.start(found, world)


def _text(row: Row) -> str:
    told = (row.project, row.branch, row.work_tree, row.state, row.task, row.wanted)
    return "\n".join((*told, row.next_action, row.agent)).casefold()


def choice(typed: str, names: Sequence[str]) -> int | None:
    """The index that is meant by a number from 1, else by the beginning of a name; else None."""
    if typed.isdecimal() and 0 < int(typed) <= len(names):
        return int(typed) - 1
    starts = (n for n, name in enumerate(names) if name.casefold().startswith(typed.casefold()))
    return next(starts, None)


def _ask(count: int) -> str:
    sys.stderr.write(output.fitted(_QUESTION.format(count)) + " ")
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        output.note("")
    return line.strip()
