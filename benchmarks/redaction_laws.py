"""What has to hold for any text: redacted twice is redacted once, JSON stays valid, 100 KB of
anything takes at most 50 ms.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from redaction_texts import Text
from tests.examples import fill, hits, misses

from onward.redaction import Redactor, rules

SIZE = 100_000
BUDGET_MS = 50.0
SCREEN = 5_000  # every text is tried at this size, the slowest at full size
SMALL = 1_500  # enough to repeat anything more often than there are passes
SLOWEST = 100
MIXES = 150
ROUNDS = 3
MARK = "[REDACTED:token:abcdef]"


class Slow(NamedTuple):
    """A text that was timed, and the rule it was made for."""

    ms: float
    name: str
    rule: str
    text: str


def idempotent(texts: Iterable[Text]) -> bool:
    """Redact every text twice; what is JSON has to stay JSON."""
    redactor = Redactor(b"a key for the benchmark")
    count = changed = again = json_texts = broken = 0
    for origin, text in texts:
        once = redactor.text(text)
        count += 1
        if once == text:
            continue
        changed += 1
        if redactor.text(once) != once:
            again += 1
            print(f"    not idempotent: {origin}")
        if text.lstrip().startswith(("{", "[")) and _is_json(text):
            json_texts += 1
            if not _is_json(once):
                broken += 1
                print(f"    no JSON any more: {origin}")
    print(f"  {count} texts, {changed} changed by redaction: {again} changed again by a second one")
    print(f"  {json_texts} of the changed were JSON: {broken} are not any more")
    return not again + broken


def settled() -> bool:
    """The same for hostile texts."""
    redactor = Redactor(b"a key for the benchmark")
    count = again = 0
    for name, rule, text in _hostile(SMALL):
        once = redactor.text(text)
        count += 1
        if redactor.text(once) != once:
            again += 1
            print(f"    not idempotent: {rule}, {name}")
    print(f"  {count} hostile texts: {again} changed again by a second redaction")
    return not again


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def linear() -> bool:
    """Time the worst texts that we know how to make."""
    redactor = Redactor(b"a key for the benchmark")
    redactor.text("\n".join(fill(hit).text for rule in rules.RULES for hit in hits(rule)))
    tried = sorted((_timed(redactor, *each) for each in _hostile(SCREEN)), reverse=True)
    chosen = {(each.name, each.rule) for each in tried[:SLOWEST]}
    whole = [_timed(redactor, *each) for each in _hostile(SIZE) if each[:2] in chosen]
    worst = sorted((_best(redactor, each) for each in whole), reverse=True)
    print(f"  {len(tried)} texts; the slowest at {SIZE // 1000} KB (budget: {BUDGET_MS:.0f} ms):")
    for each in {slow.rule: slow for slow in reversed(worst)}.values():
        if each.ms > BUDGET_MS or each is worst[0]:
            print(f"    {each.ms:6.1f} ms  {each.rule}: {each.name} {each.text[:50]!r}…")
    return worst[0].ms <= BUDGET_MS


def _best(redactor: Redactor, slow: Slow) -> Slow:
    again = [_timed(redactor, slow.name, slow.rule, slow.text) for _ in range(ROUNDS)]
    return min([slow, *again], key=lambda each: each.ms)


def _timed(redactor: Redactor, name: str, rule: str, text: str) -> Slow:
    start = time.process_time()
    redactor.text(text)
    return Slow((time.process_time() - start) * 1000, name, rule, text)


def _hostile(size: int) -> Iterator[tuple[str, str, str]]:
    """Name, rule and text: each rule's keywords, hits and near misses, repeated in several
    ways, and mixes of all of them.
    """
    pieces: list[str] = []
    for rule in rules.RULES:
        seeds = {
            **{f"keyword {n}": word for n, word in enumerate(rule.keywords)},
            **{f"hit {n}": fill(text).text for n, text in enumerate(hits(rule))},
            **{f"miss {n}": fill(text).text for n, text in enumerate(misses(rule))},
        }
        pieces += seeds.values()
        for name, seed in seeds.items():
            half = seed[: len(seed) // 2 + 1]
            for shape, unit in (
                ("in a row", seed),
                ("a word each", f"{seed} "),
                ("a line each", f"{seed}\n"),
                ("the half in a row", half),
                ("behind quotes", f'{seed}="'),
                ("between marks", f"{seed}{MARK}"),
            ):
                yield f"{name} {shape}", rule.id, (unit * (size // len(unit) + 1))[:size]
            yield f"{name} and a long run", rule.id, seed + "a" * size + "!"
            yield f"a long run and {name}", rule.id, "a1" * (size // 2) + seed
    dice = random.Random(9)
    glue = [" ", "\n", "=", ": ", '"', "'", "\\n", "\\", "/", "@", "é", "://", "-", "."]
    for number in range(MIXES):
        some = dice.choices(pieces, k=12) + dice.choices(glue, k=12)
        text = "".join(dice.choices(some, k=size // 4))[:size]
        yield f"mix {number}", "all", text
