"""Distil: checks that the person does not want run in the way they were run."""

from __future__ import annotations

import re

from msgspec import Struct

from onward.distill.said.manner import asks_back
from onward.distill.said.talk import Talk
from onward.distill.shell.split import split
from onward.distill.text import one_line, sentences

_USE = re.compile(r"\buse\s+`?([\w./-]+)", re.IGNORECASE)
_INSTEAD = re.compile(
    r"\buse\s+`?([\w./-]+)[^.\n]{0,30}?(?:instead\s+of|not|rather\s+than)\s+`?([\w./-]+)",
    re.IGNORECASE,
)
_TESTING = re.compile(
    r"\buse\s+`([\w./-]{1,60})[^`\n]{0,60}`\s+(?:when|for)\s+(?:all\s+)?(?:test|check|build)",
    re.IGNORECASE,
)
_QUOTED = 120


class Ruling(Struct, frozen=True, kw_only=True):
    """The person's words on how a check is to be run."""

    instead: str
    """The program that is wanted."""
    barred: str
    """The program that is not; "" for any other."""
    words: str
    place: str


def rulings(talk: Talk) -> list[Ruling]:
    """What refusals and rules say on programs, the newest first."""
    out: list[Ruling] = []
    for said in reversed(talk.said):
        if asks_back(said.text):
            continue
        found = _INSTEAD.search(said.text) or _TESTING.search(said.text)
        barred = (found[2] if found.re is _INSTEAD else "") if found else ""
        if found is None and said.source == "refusal" and said.kind == "command":
            found, barred = _USE.search(said.text), program(said.about)
        if found is not None and found[1] != barred:
            told = next((s for s in sentences(said.text) if found[0] in s), said.text)
            words = one_line(told, _QUOTED)
            out.append(Ruling(instead=found[1], barred=barred, words=words, place=said.place))
    return out


def ruled_out(command: str, talk: Talk) -> Ruling | None:
    """The ruling by which a command is not to be run again, if there is one."""
    name = program(command)
    return next(
        (r for r in rulings(talk) if name != r.instead and r.barred in {name, ""}),
        None,
    )


def program(command: str) -> str:
    """The program that a script runs first, folders changed to before it left out."""
    names = [c.words[0] for c in split(command) if c.words]
    return next((n for n in names if n != "cd"), "")
