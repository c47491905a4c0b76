"""Distil: facts of the machine that were learned the hard way."""

from __future__ import annotations

import re
from collections import deque

from onward.distill.checks.outcome import checks
from onward.distill.said.cues import is_assent, is_substantial
from onward.distill.said.manner import shared
from onward.distill.shell.looking import is_looking
from onward.distill.shell.split import split
from onward.distill.text import one_line
from onward.model import Event, Item, Prompt, Ran, Refusal

_KEPT = 20
_SHOWN = 6
_LONGEST = 400
_LONGEST_COMMAND = 300
_PATIENCE = 8
"""Runs after the person's words within which the other way must have worked."""
_MISSING = re.compile(
    r"(?:^|[\s:])(?:command not found: (?P<zsh>[\w.+-]+)|(?P<sh>[\w.+-]+): (?:command )?not found(?!:)"
    r"|'(?P<cmd>[\w.+-]+)' is not recognized|The term '(?P<ps>[\w.+-]+)' is not recognized"
    r"|: No module named (?P<py>[\w.]+))",
    re.MULTILINE,
)


class Lessons:
    """Collects: a failed command, the person's words on it, and another that then worked. Words that
    name nothing of either are about something else.
    """

    def __init__(self) -> None:
        self.learned: deque[Item[str]] = deque(maxlen=_KEPT)
        self.missing: dict[str, str] = {}
        """Programs that the machine does not have, and where that was seen."""
        self._failed: Ran | None = None
        self._words = ""
        self._words_place = ""
        self._patience = 0

    def see(self, event: Event, _at: int) -> None:
        """Take note of failures, and of what the person said to them."""
        if event.thread:
            return
        match event:
            case Prompt() | Refusal() if self._failed is not None:
                said = event.text if isinstance(event, Prompt) else event.words
                if len(said) <= _LONGEST and not is_assent(said) and is_substantial(said):
                    self._words, self._words_place = said, event.place
                    self._patience = _PATIENCE
            case Ran(state="done"):
                self._ran(event)
            case _:
                pass

    def _ran(self, event: Ran) -> None:
        found = _MISSING.search(event.output) if event.failed else None
        if found:
            self.missing[str(found[found.lastgroup or 0])] = event.place
        elif event.failed is False:
            self.missing.pop(_program(event.command), None)
        if self._words:
            self._other_way(event)
        elif event.failed is not None:
            # A check that fails is mended, not learned from: the runs tell of it.
            self._failed = event if event.failed and not checks(event) else None

    def _other_way(self, event: Ran) -> None:
        """A run after the person's words: the way that works, another try, or too late."""
        self._patience -= 1
        failed = self._failed
        acts = not all(is_looking(command) for command in split(event.command))
        about = f"{failed.command if failed else ''} {event.command}"
        acts = acts and shared(self._words, about) > 0
        if failed and acts and event.failed is False and _alike(failed.command, event.command):
            text = (
                f"`{one_line(failed.command, 160)}` failed; the person said: "
                f"“{one_line(self._words, 240)}”; `{one_line(event.command, 200)}` worked"
            )
            places = (failed.place, self._words_place, event.place)
            self.learned.append(Item(text=text, evidence="observed", places=places))
        elif self._patience > 0:
            return
        self._failed, self._words = None, ""


def _program(command: str) -> str:
    return command.split(maxsplit=1)[0] if command.split() else ""


def _alike(failed: str, worked: str) -> bool:
    """Another command for the same end: not the same again, and with much in common."""
    if failed.strip() == worked.strip() or max(len(failed), len(worked)) > _LONGEST_COMMAND:
        return False
    first, second = (
        {w for w in re.split(r"[\s/\\;&|'\"=]+", c) if len(w) > 2 and not w.startswith("-")}
        for c in (failed, worked)
    )
    return len(first & second) * 2 >= min(len(first), len(second)) > 0


def lessons(found: Lessons) -> list[Item[str]]:
    """What the next session need not learn again, newest first."""
    learned = list(reversed(found.learned))[:_SHOWN]
    missing = [
        Item(text=f"Not installed here: {name}", evidence="observed", places=(place,))
        for name, place in reversed(found.missing.items())
    ]
    return [*learned, *missing[:_SHOWN]]
