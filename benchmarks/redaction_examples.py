"""Our own examples: is every one found, is any near miss touched?"""

from __future__ import annotations

import json
from collections import Counter

from tests.examples import SURROUNDINGS, TOKEN_SURROUNDINGS, Sample, fill, hits, misses

from onward.redaction import Redactor, rules

SEEDS = 3
# A near miss inside a URL or behind `X-Custom:` is another text, and may be a hit there.
MISS_SURROUNDINGS = ("alone", "prose", "yaml", "shell", "diff", "log", "numbered")


def examples() -> bool:
    """Print the rates; whether nothing was missed and nothing touched."""
    redactor = Redactor(b"a key for the benchmark")
    bad: Counter[str] = Counter()
    print(f"{len(rules.RULES)} rules; each example made {SEEDS} times")
    for name, frame in (SURROUNDINGS | TOKEN_SURROUNDINGS).items():
        tried = found = 0
        for rule in rules.RULES:
            for sample in _samples(hits(rule)):
                if name in TOKEN_SURROUNDINGS and not _is_token(sample):
                    continue
                clean = redactor.text(frame(sample.text))
                spelled = {sample.secret, json.dumps(sample.secret)[1:-1]}
                hit = not any(each in clean for each in spelled)
                tried, found = tried + 1, found + hit
                bad[f"missed: an example of {rule.id}"] += not hit
        print(f"  {name:20}{found:6} of {tried:6} found")
    tried = touched = 0
    for rule in rules.RULES:
        for sample in _samples(misses(rule)):
            for name in MISS_SURROUNDINGS:
                text = SURROUNDINGS[name](sample.text)
                clean = redactor.text(text)
                tried, touched = tried + 1, touched + (clean != text)
                bad[f"touched: a near miss of {rule.id}"] += clean != text
    print(f"  near misses         {touched:6} of {tried:6} touched")
    for what, count in (+bad).most_common(20):
        print(f"    {what}, {count} times")
    return not +bad


def _samples(templates: list[str]) -> list[Sample]:
    return [fill(template, seed) for template in templates for seed in range(SEEDS)]


def _is_token(sample: Sample) -> bool:
    """One word that needs nothing around it."""
    return sample.secret == sample.text and not any(c in sample.text for c in " \n\"'=&")
