"""What stands in marks, and at them, is found neither twice nor not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import fill

from onward.redaction import Redactor, engine
from onward.redaction.engine import Found, Rule

REDACTOR = Redactor(b"k" * 32)
MARK = "[REDACTED:token:abcdef]"


@pytest.mark.parametrize(
    "text",
    [
        MARK,
        f"{MARK} {MARK}",
        f"password={MARK}",
        f'"password": "{MARK}"',
        f"https://{MARK}@host.test/x",
        f"https://{MARK}:{MARK}@host.test/x",
        f"https://me:{MARK}@host.test/x",
        f"--token {MARK} --user {MARK}",
    ],
)
def test_text_whose_secrets_are_marks_stays(text: str) -> None:
    assert REDACTOR.text(text) == text
    assert REDACTOR.hide(text) == text


def test_a_password_behind_a_mark_is_found_and_the_mark_stays() -> None:
    text = REDACTOR.text(f"https://{MARK}:{fill('{an:12}').text}@host.test/x")
    assert text.startswith(f"https://{MARK}:[REDACTED:url-password:")


def test_a_mark_that_is_glued_to_a_secret_is_no_reason_to_leave_it() -> None:
    for text in ("log in with admin / hunter48", "password=hunter48", "requirepass hunter48"):
        assert "hunter48" not in REDACTOR.text(f"{text}{MARK}--from=$USER")
        assert "hunter48" not in REDACTOR.text(f"{text}{MARK}")


def test_what_only_looks_like_a_mark_hides_nothing() -> None:
    token = fill("ghp_{an:36}").text
    for text in (f"[REDACTED:{token}]", f"[REDACTED:token:{token}]", f"[REDACTED:{token}:abcdef]"):
        assert token not in REDACTOR.text(text)


def rule(pattern: str) -> Rule:
    return Rule(id="x", pattern=pattern, keywords=(), source="test")


def found(pattern: str, text: str) -> list[str]:
    data = text.encode()
    spans: list[Found] = engine.find(data, engine.compile_rules([rule(pattern)]))
    return [data[each.start : each.end].decode() for each in spans]


@pytest.mark.parametrize(
    ("pattern", "text", "values"),
    [
        (r"b\S+", f"a b{MARK}c d b{MARK}", [f"b{MARK}c", f"b{MARK}"]),
        (r"\[(\S+)", f"é {MARK}c é{MARK}{MARK}d", [f"{MARK}c", f"{MARK}{MARK}d"]),  # from within
        (r"\w+\[", f"a{MARK} éa{MARK}é", [f"a{MARK}", f"a{MARK}"]),  # into it
        (r"token|abcdef|\d", f"{MARK}1{MARK}", ["1"]),
        (r"\][a-z]+", f"{MARK}ab{MARK}", [f"{MARK}ab"]),
        (r"[^x]+", f" {MARK} {MARK}\nx \n x", []),
    ],
)
def test_a_value_holds_whole_marks_and_something_else(
    pattern: str, text: str, values: list[str]
) -> None:
    assert found(pattern, text) == values


@given(st.lists(st.sampled_from(["a", "é", " ", "[", "]", MARK, "[]"]), max_size=10).map("".join))
def test_no_mark_is_ever_cut(text: str) -> None:
    for pattern in (r"a.", r".a", r"\]+.", r"[^a]\[", r"(?s).{3}", r"[\x80-\xff]"):
        for value in found(pattern, text):
            assert value in text
            assert engine.MARK.sub(b"", value.encode()).strip()
            assert "REDACTED" not in engine.MARK.sub(b"", value.encode()).decode()
