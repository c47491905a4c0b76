"""The rules, in one table. A new kind of secret is a new entry here, with its proof."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules import clouds, forges, keyed, keys, models, personal, services

RULES: tuple[Rule, ...] = (
    *keys.RULES,
    *forges.RULES,
    *clouds.RULES,
    *models.RULES,
    *services.RULES,
    *keyed.RULES,
    *personal.RULES,
)
