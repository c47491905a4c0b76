"""Secrets that only their surroundings give away: a key, a header, a flag, a URL, a sentence."""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules import (
    assigned,
    calls,
    flags,
    headers,
    languages,
    prose,
    sql,
    stores,
    terminal,
    urls,
)

# Of two that find the same value the first gives the name.
RULES: tuple[Rule, ...] = (
    *urls.RULES,
    *headers.RULES,
    *flags.RULES,
    *stores.RULES,
    *sql.RULES,
    *assigned.RULES,
    *calls.RULES,
    *prose.RULES,
    *languages.RULES,
    *terminal.RULES,
)
