"""The rules, in one table. A new token format is a new row of `tokens.tsv`, with its examples."""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules import keyed, keys, personal, tokens

FIXED: tuple[Rule, ...] = (*keys.RULES, *tokens.RULES)
"""The formats that need no surroundings."""

RULES: tuple[Rule, ...] = (*FIXED, *keyed.RULES, *personal.RULES)
