"""What skips the rules would have come out of them unchanged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import fill, hits

from onward.commands.listing import is_plain
from onward.redaction import Redactor, rules

REDACTOR = Redactor(b"key", home="/home/maria", user="maria")
HITS = [fill(hit).text for rule in rules.RULES for hit in hits(rule)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Build the login page with OAuth fallback",
        "Use RS256, not HS256, because the gateway only has the public key",
        "build-login-page",
        "Fix `src/cart.py`: the total is wrong (again) …",
        "2026-03-01 21:40 GMT+8",
        "2026-03-01 21:40 GMT+5:30",
        "分析日志数据，并写一份完整的报告给团队使用",  # noqa: RUF001 - as people write it
    ],
)
def test_prose_is_plain(text: str) -> None:
    assert is_plain(text)
    assert REDACTOR.text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "maria@example.org",
        "/home/maria/shop",
        "see /home/maria",
        "C:\\Users\\maria",
        "a\u200bb",
        "\x1b[31mred",
        "<system-reminder>",
        "password: hunter2",
        "curl -u maria:x1y2z3",
    ],
)
def test_what_may_be_personal_or_obeyed_is_not(text: str) -> None:
    assert not is_plain(text)


def test_nothing_that_a_rule_catches_is_plain() -> None:
    lines = [" ".join(text.split()) for text in HITS]
    assert [line for line in lines if is_plain(line) and REDACTOR.text(line) != line] == []


@given(st.text(max_size=80))
def test_a_plain_text_is_one_that_the_rules_leave_alone(text: str) -> None:
    line = " ".join(text.split())
    if is_plain(line):
        assert REDACTOR.text(line) == line
