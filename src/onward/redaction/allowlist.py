"""What a user said is no secret: the lines of `.onwardignore`.

An entry is one exact value, or the mark that stands for it in our text. Neither can be used by
somebody else's repository to keep a secret of yours from being found: they would have to know
the secret, or the key of your machine. So there are no wildcards, and no rule can be
switched off.
"""

from __future__ import annotations

from msgspec import Struct

from onward.errors import InputError
from onward.redaction import engine

NAME = ".onwardignore"
LEAST = 4
"""Characters of a value: a shorter one stands in any text."""
MOST = 1000
"""Entries. There are 16 million marks a rule: many could be guessed at, in a long list."""


class Allowed(Struct, frozen=True, kw_only=True):
    """Values, in UTF-8, and marks that are left alone."""

    values: frozenset[bytes] = frozenset()
    marks: frozenset[bytes] = frozenset()

    def has(self, value: bytes, rule: str, key: bytes) -> bool:
        """Is this value to stay where that rule finds it?"""
        return value in self.values or (
            bool(self.marks) and engine.mark(rule, value, key).encode() in self.marks
        )


def read(text: str) -> Allowed:
    """The entries: one a line, blanks around it and lines that begin with `#` apart.

    Raises InputError, which names the line and never its words.
    """
    values: set[bytes] = set()
    marks: set[bytes] = set()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        if len(entry) < LEAST:
            raise InputError(
                f"{NAME}, line {number}: a value of fewer than {LEAST} characters",
                f"take line {number} out of {NAME}, or write the whole value",
            )
        raw = entry.encode("utf-8", "replace")
        (marks if engine.MARK.fullmatch(raw) else values).add(raw)
    if len(values) + len(marks) > MOST:
        raise InputError(f"{NAME} has more than {MOST} entries", f"take some out of {NAME}")
    return Allowed(values=frozenset(values), marks=frozenset(marks))
