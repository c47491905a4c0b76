"""`.onwardignore`: what a user said is no secret, and what nobody can say."""

from __future__ import annotations

import pytest
from tests.examples import fill

from onward.errors import InputError
from onward.redaction import Redactor, user_rules
from onward.redaction.engine import MARK
from onward.redaction.user_rules import Allowed

KEY = b"k" * 32
TOKEN = fill("ghp_{an:36}").text


def redactor(*entries: str, key: bytes = KEY) -> Redactor:
    return Redactor(key, home="/home/jdoe", allowed=user_rules.read_allowances("\n".join(entries)))


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (TOKEN, f"token {TOKEN} here"),
        ("hunter2x", 'password = "hunter2x"'),
        ("correct horse 12", 'password = "correct horse 12"'),
        ("help@example.org", "write to help@example.org"),
        ("/home/demo", "see /home/demo/x"),
        (f"  {TOKEN}\t", TOKEN),
    ],
)
def test_an_exact_value_is_left_alone(entry: str, text: str) -> None:
    assert redactor().text(text) != text
    assert redactor(entry).text(text) == text


def test_a_mark_as_it_reads_in_our_text_is_left_alone() -> None:
    text = f"token {TOKEN} here, and {fill('ghp_{an:36}', 1).text}"
    clean = redactor().text(text)
    first, second = (each.decode() for each in MARK.findall(clean.encode()))
    assert redactor(first).text(text) == text.replace(fill("ghp_{an:36}", 1).text, second)


def test_a_mark_means_nothing_under_the_key_of_another_machine() -> None:
    mark = redactor().text(TOKEN)
    assert TOKEN in redactor(mark).text(TOKEN)
    assert TOKEN not in redactor(mark, key=b"another").text(TOKEN)


@pytest.mark.parametrize(
    "entry",
    ["*", "ghp_*", ".*", "[REDACTED:github-token:*]", "[REDACTED:github-token:]", "github-token"],
)
def test_there_are_no_wildcards_and_no_rule_can_be_switched_off(entry: str) -> None:
    try:
        asked = redactor(entry)
    except InputError:
        return
    assert TOKEN not in asked.text(f"a {TOKEN}")


@pytest.mark.parametrize("entry", [TOKEN[:-1], TOKEN.upper(), f"x{TOKEN}", TOKEN[4:]])
def test_a_part_of_a_value_leaves_nothing_alone(entry: str) -> None:
    assert TOKEN not in redactor(entry).text(f"a {TOKEN}")


def test_comments_blank_lines_and_the_mark_of_windows_count_for_nothing() -> None:
    found = user_rules.read_allowances(f"\ufeff# ours\r\n\r\n{TOKEN}\r\n  # {TOKEN}x\r\n")
    assert found == Allowed(values=frozenset([TOKEN.encode()]))


def test_a_value_that_is_too_short_is_refused_by_its_line() -> None:
    with pytest.raises(InputError) as error:
        user_rules.read_allowances("# ours\nabc\n")
    assert error.value.message == ".onwardignore, line 2: a value of fewer than 4 characters"


def test_nobody_can_guess_at_marks_in_a_long_list() -> None:
    with pytest.raises(InputError, match="more than 1000"):
        user_rules.read_allowances(
            "\n".join(f"[REDACTED:github-token:{n:06x}]" for n in range(1001))
        )


def test_what_is_left_alone_stays_so_the_second_time() -> None:
    text = f'{TOKEN} password = "hunter2x" /home/demo a@example.org'
    asked = redactor("hunter2x", "/home/demo")
    once = asked.text(text)
    assert "hunter2x" in once
    assert asked.text(once) == once


def test_text_cannot_switch_off_its_own_redaction() -> None:
    for said in ("onward:allow", "gitleaks:allow", ".onwardignore", "noqa"):
        assert TOKEN not in redactor().text(f"{TOKEN}  # {said}")
