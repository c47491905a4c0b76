"""The rules, in one table. A new kind of secret is a new entry here, with its proof."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules import (
    azure,
    builds,
    clouds,
    data,
    forges,
    hosts,
    keyed,
    keys,
    messaging,
    models,
    monitoring,
    payments,
    personal,
    registries,
    short,
    vaults,
    work,
)

FIXED: tuple[Rule, ...] = (
    *keys.RULES,
    *forges.RULES,
    *registries.RULES,
    *builds.RULES,
    *clouds.RULES,
    *azure.RULES,
    *hosts.RULES,
    *data.RULES,
    *models.RULES,
    *payments.RULES,
    *messaging.RULES,
    *monitoring.RULES,
    *work.RULES,
    *vaults.RULES,
    *short.RULES,
)
"""The formats that need no surroundings."""

RULES: tuple[Rule, ...] = (*FIXED, *keyed.RULES, *personal.RULES)
