"""Redaction: raw text in, `Clean` text out.

The only room that makes `Clean` of raw text. A few others, named in a test, join clean text
with words of our own.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import Any

import msgspec

from onward.errors import InputError
from onward.model import Checkpoint, Clean, Draft, Drift
from onward.redact import defang, engine, rules

PASSES = 16
"""A replacement may uncover another (its mark is an edge); real text settles in two."""


class Redactor:
    """Takes secrets, e-mail addresses and user names in paths out of text.

    `key` is this machine's redaction key (any length but 0), `home` the home folder and
    `user` the login name of the person, as this machine spells them; both may be "".
    Raises InputError if the key is empty or a rule does not compile.
    """

    def __init__(self, key: bytes, home: str = "", user: str = "") -> None:
        if not key:
            raise InputError(
                "The redaction key is empty.", "Delete the key file; onward makes a new one."
            )
        self._key = blake2b(key).digest()  # blake2b takes keys up to 64 bytes
        self._tables = (_table(), engine.compile_rules(rules.personal.of(home, user)))

    def text(self, raw: str) -> Clean:
        """The text, defanged and redacted. Idempotent; never raises."""
        return Clean(self._text(raw))

    def draft(self, draft: Draft) -> Checkpoint:
        """A checkpoint of the draft: every string of it went through `text`."""
        return msgspec.convert(self._walk(msgspec.to_builtins(draft), {}), Checkpoint)

    def drift(self, drift: Drift[str]) -> Drift[Clean]:
        """The drift, every string of it gone through `text`."""
        return msgspec.convert(self._walk(msgspec.to_builtins(drift), {}), Drift[Clean])

    def _text(self, raw: str) -> str:
        text = defang.defang(raw)
        for _ in range(PASSES):
            data = text.encode()
            found = [each for table in self._tables for each in engine.find(data, table)]
            changed = engine.rebuild(data, found, self._key).decode() if found else text
            if changed == text:
                break
            text = defang.defang(changed)
        return text

    def _walk(self, value: Any, seen: dict[str, str]) -> Any:
        """The same builtins with every string redacted, each distinct one once."""
        if isinstance(value, str):
            if value not in seen:
                seen[value] = self._text(value)
            return seen[value]
        if isinstance(value, dict):
            return {name: self._walk(each, seen) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [self._walk(each, seen) for each in value]
        return value


@cache
def _table() -> engine.Table:
    return engine.compile_rules(rules.RULES)
