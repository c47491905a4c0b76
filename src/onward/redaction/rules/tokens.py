"""The vendors' token formats: one row of `tokens.tsv` each, with its examples and negative examples.

In a row `⟨edge⟩` stands for `shared.EDGE`, `↵` for a line end, and ` ¦ ` parts the entries of a list.
"""

from __future__ import annotations

from importlib.resources import files

from onward.redaction import checks
from onward.redaction.engine import Judge, Rule
from onward.redaction.rules import shapes
from onward.redaction.rules.shared import EDGE, lazy, not_filler

_BAR = lazy(r"\||%7[Cc]")
_DIGEST = lazy(r"(?i)\b(?:sha\d{1,3}|md5|blake2b)[=:-]$")


def _beside_no_hash(value: str, before: str, after: str) -> bool:
    """Chance makes the prefix in the digests of lists of files (`sha256=…`)."""
    return shapes.distinct(value, before, after) and not _DIGEST.search(before)


def _app_secret(value: str, before: str, after: str) -> bool:
    """The part after the bar; columns of a table stand there as well."""
    return shapes.distinct(_BAR.split(value)[1], before, after)


def _nkey(value: str, before: str, after: str) -> bool:
    """A NATS seed by its checksum, or by its looks."""
    return checks.nkey(value) or shapes.distinct(value, before, after)


_VALIDATORS: dict[str, Judge] = {
    "token": shapes.token,
    "distinct": shapes.distinct,
    "weak_prefix": shapes.weak_prefix,
    "whole_run": shapes.whole_run,
    "standing_alone": shapes.standing_alone,
    "unless_words": shapes.unless_words(),
    "unless_words:github_or_npm": shapes.unless_words(checks.github_or_npm),
    "sound:github_or_npm": shapes.sound(checks.github_or_npm),
    "sound:cloudflare": shapes.sound(checks.cloudflare),
    "distinct:nkey": _nkey,
    "beside_no_hash": _beside_no_hash,
    "app_secret": _app_secret,
    "not_filler": not_filler,
}
_SEPARATOR = " ¦ "


def _entries(cell: str) -> tuple[str, ...]:
    return tuple(cell.replace("↵", "\n").split(_SEPARATOR))


def _read() -> dict[str, tuple[Rule, ...]]:
    """The rules of each group, in the order of the table."""
    out: dict[str, tuple[Rule, ...]] = {}
    for line in (files(__package__) / "tokens.tsv").read_text("utf-8").split("\n")[1:-1]:
        group, name, validator, keywords, pattern, examples, negative, source = line.split("\t")
        rule = Rule(
            id=name,
            pattern=pattern.replace("⟨edge⟩", EDGE),
            keywords=_entries(keywords),
            hits=_entries(examples),
            misses=_entries(negative),
            source=source,
            judge=_VALIDATORS[validator] if validator else None,
        )
        out[group] = (*out.get(group, ()), rule)
    return out


GROUPS = _read()
"""The rules by group; those of `short` have a prefix that says next to nothing."""
RULES: tuple[Rule, ...] = tuple(rule for group in GROUPS.values() for rule in group)
