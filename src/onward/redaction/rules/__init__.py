"""The rules, in one table. A new token format is a new line of `tokens.py`; `tests/examples.txt`
holds what each rule must find and what it must leave.
"""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules import commands, connections, keyed, personal, prose, tokens

FIXED: tuple[Rule, ...] = tokens.RULES
"""The formats that need no surroundings."""

# Of two that find the same value the first gives the name.
RULES: tuple[Rule, ...] = (
    *FIXED,
    *connections.RULES,
    *commands.RULES,
    *keyed.RULES,
    *prose.RULES,
    *commands.TERMINAL,
    *personal.RULES,
)
