"""The question of a resume, on record until it is answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from onward.storage import live, sessions
from onward.storage.sessions import Question

SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
NAMES = st.sampled_from(["20260301_100000.jsonl", "20260301_100000_other.jsonl"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(["", "fix-login", "later"]),
    again=st.lists(NAMES, unique=True),
    is_late=st.booleans(),
)
def test_what_was_put_down_is_found_again(
    tmp_path: Path, name: str, again: list[str], is_late: bool
) -> None:
    sessions.ask(str(tmp_path), SESSION, Question(name, "/shop", again, is_late=is_late))
    found = sessions.asked(str(tmp_path), SESSION)
    assert found
    assert (found.name, found.root, found.again, found.is_late) == (name, "/shop", again, is_late)


@pytest.mark.parametrize("lines", [(), ("resume",), ("resume", ""), ("other", "", "/shop")])
def test_a_record_that_is_none_of_ours_is_no_question(
    tmp_path: Path, lines: tuple[str, ...]
) -> None:
    live.put(str(tmp_path), SESSION, "awaiting", *lines)
    assert sessions.asked(str(tmp_path), SESSION) is None


def test_a_question_that_was_answered_is_gone(tmp_path: Path) -> None:
    sessions.ask(str(tmp_path), SESSION, Question("", "/shop"))
    sessions.answered(str(tmp_path), SESSION)
    assert sessions.asked(str(tmp_path), SESSION) is None
