"""Which sessions run and which were captured, as small records tell it."""

from __future__ import annotations

from pathlib import Path

import pytest

from onward.storage import live, sessions
from onward.storage.sessions import Captured, Resumed, Running

ONE = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
TWO = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be06"
PLACE = ("/shop", "/shop/.git", "/t.jsonl")


@pytest.fixture
def data(tmp_path: Path) -> str:
    return str(tmp_path)


def test_a_session_runs_until_it_ends(data: str) -> None:
    sessions.run(data, ONE, Running("7", "123", *PLACE))
    found = sessions.running(data, ONE)
    assert found
    assert (found.pid, found.began) == ("7", "123")
    assert (found.root, found.common, found.transcript) == PLACE
    sessions.end(data, ONE)
    assert sessions.running(data, ONE) is None


def test_a_capture_waits_until_it_is_pending_no_more(data: str) -> None:
    known = Captured("5", "9", "20260301_100000.jsonl", *PLACE)
    sessions.capture(data, ONE, known)
    assert sessions.near(data, wait=True) == {ONE}
    known.copy = ""
    sessions.capture(data, ONE, known)
    found = sessions.captured(data, ONE)
    assert found
    assert (found.status, found.copy) == (("5", "9"), "")
    assert (found.root, found.common, found.transcript) == PLACE
    assert sessions.near(data, wait=True) == set()


def test_those_that_wait_are_looked_at_only_when_asked_for(data: str) -> None:
    sessions.capture(data, ONE, Captured("5", "9", "20260301_100000.jsonl", *PLACE))
    sessions.run(data, TWO, Running("7", "123", *PLACE))
    assert sessions.near(data, wait=False) == {TWO}


@pytest.mark.parametrize(
    "lines", [(), ("7",), ("7", "123", *PLACE[:2]), ("7", "8", "9", *PLACE, "x")]
)
def test_a_torn_record_is_none(data: str, lines: tuple[str, ...]) -> None:
    for key in ("alive", "captured"):
        live.put(data, ONE, key, *lines)
    assert sessions.running(data, ONE) is None
    assert sessions.captured(data, ONE) is None


@pytest.mark.parametrize("agreed", [True, False])
def test_what_a_session_took_up_is_on_record_until_it_leaves_it(data: str, *, agreed: bool) -> None:
    assert sessions.resumed(data, ONE) is None
    sessions.resume(data, ONE, Resumed(sessions.BACKUP, "/shop", agreed=agreed))
    found = sessions.resumed(data, ONE)
    assert found
    assert (found.kind, found.root, found.agreed) == ("transcript", "/shop", agreed)
    sessions.leave(data, ONE)
    assert sessions.resumed(data, ONE) is None


def test_a_torn_record_of_what_was_taken_up_counts_as_none(data: str) -> None:
    live.put(data, ONE, "resumed", "transcript")
    assert sessions.resumed(data, ONE) is None
