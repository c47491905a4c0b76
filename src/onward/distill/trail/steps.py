"""Distil: one event as a step of the trail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate, takewhile

from msgspec import Struct
from msgspec.structs import replace

from onward.distill import paths
from onward.distill.acts import act, code
from onward.distill.said.closing import whole
from onward.distill.said.message import leads
from onward.distill.shell.written import written
from onward.distill.text import one_line, words
from onward.distill.trail.messages import CLAIM, body, claimed
from onward.distill.trail.result import in_lines, result
from onward.model import (
    Asked,
    Delegated,
    Edited,
    Event,
    Evidence,
    Halt,
    Interrupt,
    Item,
    Looked,
    Planned,
    Prompt,
    Ran,
    Refusal,
    Reply,
    Searched,
    Used,
)

_WORDS = 70
"""Characters of the person's words, which stand whole among the requests."""
_SNIPPET = 64
_PARTS = 5
_ROOM = 300
"""Characters of the parts of one step, but for the last, which is told whole."""
_BEFORE = 120
"""Characters of the parts for which there is no room, in short."""
_HEAD = 40
_SLIGHT = 3
"""Blanks in the head of a command that was cut before its point."""
_HITS, _HIT = 4, 90
"""Lines of a search that are told, and characters of each."""
_PLACED = re.compile(r":\d+[:-]")
_VERBS = {
    "edit": "Edited ",
    "new": "Wrote ",
    "look": "Looked at ",
    "seek": "Searched for ",
    "run": "Ran ",
}
_AT = "\0"
"""Between a file and the place in it, in the key of an edit."""
_ENDS = {"done": "reported", "running": "was at work", "failed": "failed"}
_SPAN = re.compile(r"(?P<fence>`+) ?(?P<code>.+?) ?(?P=fence)(?!`)")
_WORD = re.compile(r"\w+")
_TELLING_LINE = re.compile(r"\w{3}.*\w{2}")
_COMMENT = re.compile(r"\s*(?:#(?!\w)|//|/\*|\*|--|\"\"\"|'''|import\b|from\b.*\bimport\b|@)")


class Step(Struct, frozen=True, kw_only=True):
    """One step. `parts` are what was done, by what it was done to; steps of one kind may be joined."""

    kind: str
    """`said`, `claim`, `edit`, `new`, `look`, `seek`, `run` or `act`."""
    parts: dict[str, str]
    place: str
    evidence: Evidence = "observed"
    folder: str = ""
    """Where commands ran, "" for the project's own folder."""
    whole: str = ""
    """Of a message that says more than is told, its lines."""

    def item(self) -> Item[str]:
        """The step in a line."""
        told = list(self.parts.items())
        kept = _last(told)
        more = self._earlier(told[: len(told) - len(kept)], kept)
        where = f"in {code(self.folder)}: " if self.folder else ""
        between = ", " if self.kind in {"new", "look"} else "; "
        text = f"{_VERBS.get(self.kind, '')}{where}{between.join(_led(kept))}{more}"
        return Item(text=text, evidence=self.evidence, places=(self.place,), why=self.whole or None)

    def _earlier(self, parts: list[tuple[str, str]], kept: list[tuple[str, str]]) -> str:
        """What came before the parts that are told, in short: other files by their names, other
        commands by their heads, the newest first; `; before that a.py, b.py and 3 more`.
        """
        if not parts:
            return ""
        shown = {_file(key) for key, _ in kept}
        every = [_name(key, told, self.kind) for key, told in reversed(parts)]
        others = list(dict.fromkeys(name for name in every if name and name not in shown))
        fit = list(
            takewhile(lambda told: len(told) <= _BEFORE, accumulate(others, "{}, {}".format))
        )
        named = others[: len(fit)]
        left = sum(name not in named for name in every)
        if not named:
            of = f"edit{'s' * (left > 1)} of the same " if self.kind == "edit" else ""
            return f"; {left} more {of}before"
        return f"; before that {fit[-1]}" + (f" and {left} more" if left else "")


def _file(key: str) -> str:
    return code(key.partition(_AT)[0].rpartition("/")[2])


def _name(key: str, told: str, kind: str) -> str:
    """A part in short: the name of its file, or the head of its command with what came of it; "" for
    a command whose head says nothing.
    """
    if kind != "run" and not key.startswith("`"):
        return _file(key)
    span = _SPAN.match(told)
    short = code(span["code"], _HEAD) if span else one_line(told, _HEAD)
    ended = told[span.end() :].partition(": ")[2] if span else ""
    if ended:
        return f"{short}: {one_line(ended, _HEAD)}"
    return "" if short.endswith("…`") and short.count(" ") <= _SLIGHT else short


def _last(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The last parts, as many as there is room for."""
    room, kept = _ROOM, list[tuple[str, str]]()
    for key, told in reversed(parts[-_PARTS:]):
        room -= len(told)
        if room < 0 and kept:
            break
        kept.append((key, told))
    return kept[::-1]


def _led(parts: list[tuple[str, str]]) -> Iterator[str]:
    """What was done, a file named once for all that was done to it in a row."""
    before = ""
    for key, told in parts:
        path, found, _ = key.partition(_AT)
        yield told.removeprefix(f"{code(path)} ") if found and path == before else told
        before = path


def step_of(event: Event, root: str, asked: str = "") -> Step | None:
    """The step that an event is; None where it tells nothing of the work. `asked` are the person's
    words before it, which a message answers.
    """
    match event:
        case Prompt() if event.source != "shell":
            told = quoted(one_line(event.text, _WORDS)) if event.text.strip() else "a picture"
            # A lone "." sends the agent on.
            step = _step("said", told, event, "asked") if words(told) else None
        case Reply():
            step = _message(event, "", event.text, claimed(event.text, asked))
        case Delegated():
            step = _delegated(event)
        case Edited():
            step = _edit(event, root)
        case Looked():
            path = paths.relative(event.path, root)
            told = code(path) + in_lines(*event.span)
            step = Step(kind="look", parts={path: told}, place=event.place)
        case Searched():
            told = _searched(event, root)
            step = Step(kind="seek", parts={event.pattern: told}, place=event.place)
        case Ran():
            step = _ran(event, root)
        case _:
            told = _other(event)
            step = _step("act", told, event) if told else None
    return step


def _step(kind: str, told: str, event: Event, evidence: Evidence = "observed") -> Step:
    return Step(kind=kind, parts={told: told}, place=event.place, evidence=evidence)


def _message(event: Event, lead: str, text: str, told: str) -> Step | None:
    """A message by what it says of the work, and by its lines where they say more."""
    if not told:
        return None
    step = _step("claim", lead + quoted(told), event, "claimed")
    return replace(step, whole=whole(text, told))


def _delegated(event: Delegated) -> Step:
    task = one_line(event.task.strip().partition("\n")[0], _WORDS)
    lead = f"The sub-agent {quoted(task)} {_ENDS[event.state]}"
    said = body(event.report) if event.state == "done" else ""
    return _message(event, f"{lead}: ", said, claimed(said)) or _step("act", lead, event)


def announced(event: Event) -> Step | None:
    """The agent's last message where it only says what comes next."""
    if not isinstance(event, Reply) or not event.text.strip():
        return None
    return _step("claim", quoted(one_line(event.text, CLAIM)), event, "claimed")


def _edit(event: Edited, root: str) -> Step:
    path = paths.relative(event.path, root)
    told = code(path)
    if event.change == "created":
        return Step(kind="new", parts={path: told}, place=event.place)
    if event.change == "renamed" and event.to:
        told += f" (renamed to {code(paths.relative(event.to, root))})"
    else:
        told += f" ({event.change})" if event.change != "edited" else _where(event)
    return Step(kind="edit", parts={f"{path}{_AT}{event.spans}": told}, place=event.place)


def _where(event: Edited) -> str:
    """` line 767 — `if (firstBlockCode) {``: where, and the first line that was put in, after the one
    that it was made of.
    """
    where = ""
    if event.spans:
        where = in_lines(event.spans[0][0], event.spans[-1][1])
    line, gone = (_first(text, event.path) for text in (event.text, event.gone))
    if not line:
        return f"{where} — {code(gone, _SNIPPET)} taken out" if gone else where
    if _alike(gone, line) and len(gone) + len(line) <= 2 * _SNIPPET:
        return f"{where} — {code(gone)} → {code(line)}"  # whole: the end may be all that differs
    return f"{where} — {code(line, _SNIPPET)}"


def _first(text: str, path: str) -> str:
    """The first line that says something; in prose one that leads to others only for want of them."""
    told = [line.strip() for line in text.splitlines() if _tells(line)]
    says = (line for line in told if not (paths.prose(path) and leads(line)))
    return next(says, next(iter(told), ""))


def _alike(gone: str, line: str) -> bool:
    """Whether one line was made of another: they share most of their words and differ in some."""
    old, new = set(_WORD.findall(gone)), set(_WORD.findall(line))
    return old != new and len(old & new) * 2 >= max(len(old), len(new))


def _tells(line: str) -> bool:
    return bool(_TELLING_LINE.search(line)) and not _COMMENT.match(line)


def _ran(event: Ran, root: str) -> Step | None:
    found = result(event, root)
    if found is None:
        made = [paths.relative(w.to or w.path, root) for w in written(event)]
        return (
            Step(kind="new", parts={p: code(p) for p in made}, place=event.place) if made else None
        )
    kind = "look" if found.looks else "act" if found.tells else "run"
    return Step(kind=kind, parts=found.parts, place=event.place, folder=found.folder)


def _searched(event: Searched, root: str) -> str:
    """`` `avatar` in `**/*.ts`: `a.ts`, `b.ts` and 12 more ``: paths, or lines with their places."""
    where = paths.relative(event.where, root) if event.where else "."
    told = code(event.pattern) + ("" if where == "." else f" in {code(where)}")
    found = [line.removeprefix(f"{root}/") if root else line for line in event.found]
    plain = not any(_PLACED.search(line) for line in found)
    shown = [code(line) if plain else one_line(line, _HIT) for line in found[:_HITS]]
    more = len(found) - len(shown) + event.more
    kept = (", " if plain else "; ").join(shown) + (f" and {more} more" if more else "")
    return f"{told}: {kept or 'nothing found'}"


def _other(event: Event) -> str:
    """What was done beside commands and edits, in a line; "" for nothing."""
    told = ""
    match event:
        case Interrupt():
            told = "The person stopped the agent" + (f" at {act(event.act)}" if event.act else "")
        case Refusal():
            saying = one_line(event.words, CLAIM)
            told = f"The person refused {act(event.act)}"
            told += f", saying {quoted(saying)}" if saying else ""
        case Halt():
            told = f"The client broke off the work: {one_line(event.reason, CLAIM)}"
        case Planned():
            told = f"Put a plan before the person{', who approved it' if event.approved else ''}"
        case Asked():
            each = (
                f"{one_line(q.text, _WORDS)} {q.answer or '(no answer)'}" for q in event.questions
            )
            told = f"Asked in a form: {one_line('; '.join(each), CLAIM)}"
        case Used():
            failed = f": failed, {one_line(event.error, _WORDS)}" if event.error else ""
            told = f"Used {event.tool} {one_line(event.detail, _WORDS)}".rstrip() + failed
        case _:
            pass
    return told


def quoted(text: str) -> str:
    """Someone's words, marked as such."""
    return f"“{text.strip()}”"
