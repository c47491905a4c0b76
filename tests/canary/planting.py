"""Canaries: examples of the redaction rules, planted in fields, and looked for in bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from typing import NamedTuple

from tests.examples import Sample, fill, hits

from onward.redaction import Redactor, rules

PIECE = 12
"""Characters of a secret that must not come out: a cut-off secret is a secret too."""
LEAST = 8
"""Characters of a secret that can be looked for: a shorter one (a PIN) stands in a hash by chance."""
TEMPLATES = [
    (rule.id, hit) for rule in rules.RULES for hit in hits(rule) if len(fill(hit).secret) >= LEAST
]
_REDACTOR = Redactor(b"canary")
_OTHER = 7_000_000  # seeds from here on are no canary's


def _templates() -> list[tuple[str, str]]:
    """Those of all rules, without the few secrets that are a word of the language."""
    return [each for each in TEMPLATES if not fill(each[1]).secret.isalpha() or "{" in each[1]]


class Canary(NamedTuple):
    """One example in one field: the text with its surroundings, and the part that must go."""

    field: str
    rule: str
    template: str
    text: str
    secret: str


class Garden:
    """Plants the templates one after the other, each time with other characters; before them
    stand `pad` more, so that whatever shortens a text cuts at another place. Not before an
    example of several lines: between two of them a cut may part a value from its name.
    """

    def __init__(self, templates: list[tuple[str, str]], seed: int = 0) -> None:
        self.planted: list[Canary] = []
        self.pad = 0
        self._pieces: dict[bytes, Canary] = {}
        self._cut = 0  # how many of those planted are in pieces
        self._seed = seed * 1000
        plain = [each for each in templates if _fits(fill(each[1]))]
        self._has_names = bool(plain)
        self._all, self._plain = cycle(templates), cycle(plain)

    def plant(self, field: str, words: str = "Then I ran it") -> str:
        """Words with the next example in them."""
        return self._next(field, self._all, f"{words}{{pad}} with {{text}} and it worked.")

    def name(self, field: str, words: str = "work") -> str:
        """A name for a branch or a file, with the next example that may stand in one."""
        return self._next(field, self._plain, f"{words}-{{text}}") if self._has_names else words

    def _next(self, field: str, templates: Iterator[tuple[str, str]], around: str) -> str:
        rule, template = next(templates)
        self._seed += 1
        pad = "" if "\n" in template else (" and looked at it again" * 40)[: self.pad]
        while True:
            sample = fill(template, self._seed)
            text = around.format(text=sample.text, pad=pad)
            if _is_known(sample, text):
                self.planted.append(Canary(field, rule, template, sample.text, sample.secret))
                return text
            self._seed += 1

    def found(self, data: bytes) -> list[str]:
        """Which canaries, or pieces of them, stand in `data`."""
        pieces = self._pieces
        for each in self.planted[self._cut :]:
            pieces.update(dict.fromkeys(_pieces(each), each))
        self._cut = len(self.planted)
        sizes = sorted({len(piece) for piece in pieces})
        hits = {
            pieces[piece]
            for size in sizes
            for at in range(len(data) - size + 1)
            if (piece := data[at : at + size]) in pieces
        }
        return sorted(f"{each.field}: {each.rule}" for each in hits)


def _is_known(sample: Sample, text: str) -> bool:
    """Whether the rules know it there; of words drawn at random some look like no secret."""
    return sample.secret not in _REDACTOR.text(text)


def _fits(sample: Sample) -> bool:
    """Whether an example may stand in the name of a file or a branch, and is known in one. Some
    forms are too short for that: a rule for them would eat names.
    """
    plain = sample.text.replace("-", "").replace("_", "")
    fits = sample.text == sample.secret and plain.isalnum() and len(sample.text) < 120
    return fits and _is_known(sample, f"src/work-{sample.text}.py")


def _pieces(canary: Canary) -> set[bytes]:
    """What tells this secret from every other of its form; all of it, where nothing does."""
    known = _common(canary.template)
    return set(_windows(canary.secret)) - known or {canary.secret.encode()}


@cache
def _common(template: str) -> frozenset[bytes]:
    """What stands in other secrets of its form too."""
    others = [fill(template, _OTHER + n) for n in range(3)]
    return frozenset(window for other in others for window in _windows(other.secret))


def _windows(secret: str) -> Iterator[bytes]:
    for spelled in {secret, json.dumps(secret)[1:-1]}:
        data = spelled.encode()
        size = min(PIECE, len(data))
        yield from (data[at : at + size] for at in range(len(data) - size + 1))


TEMPLATES = _templates()
