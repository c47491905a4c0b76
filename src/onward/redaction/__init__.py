"""Redaction: raw text in, `Clean` text out.

The only room that makes `Clean` of raw text. A few others, named in a test, join clean text
with words of our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from onward.decode import mapped
from onward.errors import InputError
from onward.model import Checkpoint, Clean, Draft, Drift
from onward.redaction import engine, rules
from onward.redaction.defang import Seen, defang
from onward.redaction.engine import Edit, Rule
from onward.redaction.user_rules import Allowed

PASSES = 16
"""A replacement may uncover another (its mark is an edge); real text settles in two."""
_PATIENCE = 2
"""Passes after which what touches a mark goes with all that it is glued to."""
NOTHING_ALLOWED = Allowed()
_LEARNED = 20_000_000
"""Characters of a session that are searched for secrets."""
_REMEMBERED = 2000
"""Values of a session that are looked at for whether they are hidden wherever they stand."""
_SHORT, _PLAIN = 6, 12
"""Letters of the shortest value that is hidden everywhere, and of the shortest without any other
sign.
"""
_WORD = re.compile(r"[A-Za-z0-9]+")
_PERSONAL = frozenset(rule.id for rule in rules.personal.RULES)
"""A name stands in paths too, where it is no secret."""

_Tables = tuple[engine.Table, ...]


Finding = Edit
"""A value that goes, its place in characters."""


class Redactor:
    """Takes secrets, e-mail addresses and user names in paths out of text.

    `key` is this machine's redaction key (any length but 0), `home` the home folder and
    `user` the login name of the user, as this machine spells them; both may be "". `extra`
    are the user's own rules, `also` the kinds of personal data that go on request (the names
    in `rules.personal.KINDS`), `allowed` what stays. `personal=False` looks for secrets alone.
    Raises InputError if the key is empty or a rule does not compile.
    """

    def __init__(  # noqa: PLR0913 - but for the first, each has its default
        self,
        key: bytes,
        home: str = "",
        user: str = "",
        *,
        extra: tuple[Rule, ...] = (),
        also: Iterable[str] = (),
        allowed: Allowed = NOTHING_ALLOWED,
        personal: bool = True,
    ) -> None:
        if not key:
            raise InputError(
                "The redaction key is empty.", "Delete the key file; onward makes a new one."
            )
        self._key = blake2b(key).digest()  # blake2b takes keys up to 64 bytes
        self._allowed = allowed
        own = rules.personal.of(home, user) if personal else ()
        asked = tuple(rule for kind in sorted(set(also)) for rule in rules.personal.KINDS[kind])
        wide = (_ready(extra, wide=True),) if extra else ()
        kinds = "all" if personal else "secrets"
        self._tables = (_table(kinds), _ready((*own, *asked), wide=False), *wide)
        self._unnamed = (_table("marked"), _ready(asked, wide=False), *wide)

    def text(self, raw: str) -> Clean:
        """The text, defanged and redacted. Idempotent."""
        text = defang(raw)
        for number in range(PASSES):
            data = text.encode()
            changes = self._edits(data, self._tables, number)
            if not changes:
                break
            text = defang(engine.rebuild(data, changes).decode())
        return Clean(text)

    def draft(self, draft: Draft) -> Checkpoint:
        """A checkpoint of the draft: every string of it went through `text`."""
        return msgspec.convert(self._redacted(draft), Checkpoint)

    def drift(self, drift: Drift[str]) -> Drift[Clean]:
        """The drift, every string of it gone through `text`."""
        return msgspec.convert(self._redacted(drift), Drift[Clean])

    def hide(self, raw: str) -> str:
        """The text with marks for what rules put marks for, and as it is otherwise: paths stay
        whole, nothing is defanged. For text that is cut to pieces before `draft` sees them.
        """
        return _marked(raw, self.secrets(raw))

    def secrets(self, raw: str) -> list[Finding]:
        """What `hide` would take out, from left to right."""
        return self._findings(raw, self._unnamed)

    def findings(self, text: str) -> list[Finding]:
        """What `text` would take out, from left to right, where the text is to stay as it is
        otherwise: nothing is defanged, and what is hidden is only looked past.
        """
        return self._findings(text, self._tables)

    def _findings(self, text: str, tables: _Tables) -> list[Finding]:
        seen = Seen(text)
        data = seen.shown.encode()
        done: list[Edit] = []
        now = data
        for number in range(PASSES):
            more = self._edits(now, tables, number)
            if not more:
                break
            done = engine.compose(done, more)
            now = engine.rebuild(data, done)
        if not done:
            return []
        places = _characters(data, [place for each in done for place in (each.start, each.end)])
        return [
            replace(each, start=seen.start(start), end=seen.end(end))
            for each, start, end in zip(done, places[::2], places[1::2], strict=True)
        ]

    def whole(self, value: str, rule: str) -> list[Finding]:
        """The finding that a value goes as a whole, for a reason that stands outside of it."""
        data = Seen(value).shown.encode()
        if engine.is_marks(data) or self._allowed.has(data, rule, self._key):
            return []
        shown = engine.mark(rule, data, self._key)
        return [Finding(start=0, end=len(value), rule=rule, shown=shown)]

    def _edits(self, data: bytes, tables: _Tables, number: int) -> list[Edit]:
        """The edits of one pass; `number` counts those before it."""
        found, key = engine.find(data, *tables), self._key

        def may_stay(start: int, end: int, rule: str) -> bool:
            return self._allowed.has(data[start:end], rule, key)

        stay = {(f.start, f.end) for f in found if may_stay(f.start, f.end, f.rule.id)}
        found = [f for f in found if (f.start, f.end) not in stay]
        changes = engine.edits(data, found, key)
        changes = [e for e in changes if not may_stay(e.start, e.end, e.rule)]
        return engine.widened(data, changes, key) if number >= _PATIENCE else changes

    def _redacted(self, raw: object) -> Any:
        """The same as builtins with every string redacted, each distinct one once."""
        return mapped(msgspec.to_builtins(raw), cache(self.text), names=False)


@cache
def _table(kinds: Literal["all", "secrets", "marked"]) -> engine.Table:
    """The built-in rules; a test compiles each, so here that may wait until one is needed."""
    chosen = rules.RULES
    if kinds == "secrets":
        chosen = tuple(rule for rule in chosen if rule not in rules.personal.RULES)
    elif kinds == "marked":
        chosen = tuple(rule for rule in chosen if not rule.shown)
    return engine.compile_rules(chosen, at_once=False)


@lru_cache(maxsize=8)
def _ready(more: tuple[Rule, ...], *, wide: bool) -> engine.Table:
    return engine.compile_rules(more, wide=wide)


def _characters(data: bytes, places: list[int]) -> list[int]:
    """Places in bytes, in order, as places in characters."""
    out, count = [], 0
    for last, place in pairwise((0, *places)):
        count += len(data[last:place].decode())
        out.append(count)
    return out


class Secrets:
    """What redaction hides anywhere in a session, hidden wherever it stands in it: a password is
    one without the option before it, too, and with a shell's backslashes in it.
    """

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._known: dict[str, tuple[str, re.Pattern[str], str]] = {}
        """Of each value, the longest first, its longest word, its pattern and its mark."""
        self._judged = set[str]()
        self.learned = 0
        """Characters so far."""

    def learn(self, text: str) -> None:
        """Remember the secrets of a raw text, which is whole."""
        if self.learned < _LEARNED:
            self.learned += len(text)
            self._remember(text, self._redactor.secrets(text))

    def text(self, raw: str) -> Clean:
        """The text, redacted."""
        return self._redactor.text(self.again(raw))

    def hide(self, raw: str) -> str:
        """As `Redactor.hide`, with what is known by now; what it hides is remembered."""
        raw = self.again(raw)
        found = self._redactor.secrets(raw)
        self._remember(raw, found)
        return _marked(raw, found)

    def again(self, text: str) -> str:
        """The text with marks in the place of the values that are known by now."""
        for word, pattern, shown in self._known.values():
            if word in text:
                text = shown.join(pattern.split(text))
        return text

    def _remember(self, text: str, found: list[Finding]) -> None:
        for each in found:
            value = text[each.start : each.end]
            # An everyday word is hidden only beside what tells that it is a secret, and what looks
            # like one by itself is found wherever it stands.
            plain = value.replace("\\", "")
            least = _PLAIN if plain.isalpha() else _SHORT
            if len(plain) < least or value in self._judged or each.rule in _PERSONAL:
                continue
            if len(self._judged) >= _REMEMBERED:
                return
            self._judged.add(value)
            alone = self._redactor.secrets(value)
            if not alone or (alone[0].start, alone[0].end) != (0, len(value)):
                written = "".join(c if c.isalnum() else rf"\\{{0,7}}{re.escape(c)}" for c in plain)
                either = re.compile(rf"(?<![A-Za-z0-9]){written}(?![A-Za-z0-9])")
                word = max(_WORD.findall(plain), key=len, default=plain)
                self._known[value] = (word, either, each.shown)
        if found:
            ordered = sorted(self._known.items(), key=lambda known: -len(known[0]))
            self._known = dict(ordered)


def _marked(raw: str, found: list[Finding]) -> str:
    pieces, at = list[str](), 0
    for each in found:
        pieces += (raw[at : each.start], each.shown)
        at = each.end
    return "".join((*pieces, raw[at:]))
