"""Redaction takes time in proportion to the text, whatever the text is."""

from __future__ import annotations

import time

import pytest

from onward.redact import Redactor
from onward.redact.samples import fill

REDACTOR = Redactor(b"k" * 32, home="/home/jdoe", user="jdoe")
MARK = "[REDACTED:token:abcdef]"
UNITS = {
    "marks alone": MARK,
    "marks in the place of a user": f"x:{MARK}@h/",
    "marks where passwords were": f"redis://:{MARK}@cache:6379/0",
    "marks between prefixes": f"nvapi-{MARK}",
    "marks before names": f"{MARK}seed",
    "marks behind names": f"nonce{MARK}",
    "marks in front of tokens": MARK + fill("ghp_{an:36}").text,
    "passwords in a row": fill("redis://:{an:24}@cache:6379/0").text,
    "open quotes": 'pw="',
    "names in a row": "password=",
    "addresses": "jane.doe@example.org",
    "folders": "/home/",
}


def _seconds(unit: str, size: int) -> float:
    """The best of three: what else the machine does makes some of them slower, none faster."""
    text = (unit * (size // len(unit) + 1))[:size]
    took = []
    for _ in range(3):
        start = time.process_time()
        REDACTOR.text(text)
        took.append(time.process_time() - start)
    return min(took)


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_four_times_the_text_takes_at_most_eight_times_as_long(unit: str) -> None:
    _seconds(unit, 1_000)  # compiles the rules that it calls for
    few, many = _seconds(unit, 12_000), _seconds(unit, 48_000)
    assert many < 8 * max(few, 0.001)
