"""The rules, in one table. A new token format is a new line of `tokens.py`; `tests/examples.txt`
holds what each rule must find and what it must leave.
"""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules import keyed, personal, tokens

FIXED: tuple[Rule, ...] = tokens.RULES
"""The formats that need no surroundings."""

RULES: tuple[Rule, ...] = (*FIXED, *keyed.RULES, *personal.RULES)
