"""After a compaction: what the client's own summary lacks, and nothing that it says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from onward.commands import loss, rim
from onward.commands.world import World
from onward.errors import NotFoundError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.commands.conftest import Scratch, Script

SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
MADE = datetime(2026, 3, 1, 13, 50, tzinfo=UTC)
LEAN = "The session is about a login."
FULL = """The user asked: "Add a login with JWT to src/auth.py and make tests/test_auth.py pass".
They said: "Use RS256, not HS256, because the gateway only has the public key"
test_login in tests/test_auth.py fails: assert False."""


def summed_up(script: Script, summary: str, at: datetime = MADE) -> None:
    script.add("system", "", subtype="compact_boundary", compactMetadata={"trigger": "auto"})
    script.add("user", summary, isCompactSummary=True, isVisibleInTranscriptOnly=True)
    for line in script.lines[-2:]:
        line["timestamp"] = stamp(at)


@pytest.fixture
def script(scratch: Scratch, session: Callable[..., Script]) -> Script:
    return session(scratch.root, SESSION)


@pytest.fixture
def world(scratch: Scratch) -> World:
    now = MADE + timedelta(seconds=1)
    return World(now=now, cwd=scratch.root, home=scratch.home, data=scratch.data, env={})


def told(world: World, transcript: Path, wait: float = 0.0) -> str:
    return loss.after_compaction(world, rim.here(world), transcript, wait=wait)


def test_what_a_lean_summary_lacks_is_told(world: World, scratch: Scratch, script: Script) -> None:
    summed_up(script, LEAN)
    script.write(scratch.transcript)
    text = told(world, scratch.transcript)
    assert "“Use RS256, not HS256, because the gateway only has the public key”" in text
    assert "Failing: `pytest tests/test_auth.py`" in text
    assert "`src/auth.py`" in text
    assert "[t:5]" in text


def test_a_full_summary_lacks_nothing(world: World, scratch: Scratch, script: Script) -> None:
    summed_up(script, FULL)
    script.write(scratch.transcript)
    assert told(world, scratch.transcript) == ""


def test_it_is_about_the_state_before_the_summary(
    world: World, scratch: Scratch, script: Script
) -> None:
    summed_up(script, LEAN)
    script.person("Now write a haiku about the gateway in HAIKU.md")
    script.write(scratch.transcript)
    text = told(world, scratch.transcript)
    assert "RS256" in text
    assert "haiku" not in text


def test_an_older_summary_was_told_of_in_its_time(
    world: World, scratch: Scratch, script: Script
) -> None:
    summed_up(script, LEAN, MADE - timedelta(minutes=5))
    script.write(scratch.transcript)
    assert told(world, scratch.transcript) == ""


def test_without_a_summary_there_is_nothing_to_tell(
    world: World, scratch: Scratch, script: Script
) -> None:
    script.write(scratch.transcript)
    assert told(world, scratch.transcript) == ""


def test_a_summary_that_is_written_late_is_waited_for(
    world: World, scratch: Scratch, script: Script
) -> None:
    script.write(scratch.transcript)
    known = len(script.lines)
    summed_up(script, LEAN)
    late = "".join(json.dumps(line) + "\n" for line in script.lines[known:])

    def append() -> None:
        with scratch.transcript.open("a") as stream:
            stream.write(late)

    client = threading.Timer(0.2, append)
    client.start()
    assert "RS256" in told(world, scratch.transcript, wait=20)
    client.join()


def stamp(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


def test_a_summary_of_moments_ago_is_not_taken_for_the_one_to_come(
    world: World, scratch: Scratch, script: Script
) -> None:
    summed_up(script, FULL, MADE - timedelta(seconds=10))
    script.person("Never touch the gateway's own repository, it is frozen")
    script.write(scratch.transcript)
    assert told(world, scratch.transcript) == ""
    summed_up(script, LEAN)
    script.write(scratch.transcript)
    assert "frozen" in told(world, scratch.transcript)


@pytest.mark.parametrize("act", ["words", "a command"])
def test_where_the_agent_goes_on_without_a_summary_none_is_waited_for(
    world: World,
    scratch: Scratch,
    script: Script,
    monkeypatch: pytest.MonkeyPatch,
    act: str,
) -> None:
    if act == "words":
        script.says("I go on with the login.")
    else:
        script.call("Bash", {"command": "pytest -q"}, "1 passed", {"stdout": "1 passed"})
    for line in script.lines[-2:]:
        line["timestamp"] = stamp(MADE + timedelta(seconds=2))
    script.write(scratch.transcript)
    monkeypatch.setattr(loss, "_grows", lambda *_: pytest.fail("it waited"))
    assert told(world, scratch.transcript, wait=9) == ""


@pytest.mark.parametrize("late", ["an earlier answer", "a prompt", "a title", "the boundary alone"])
def test_what_may_stand_before_the_summary_does_not_end_the_waiting(
    world: World, scratch: Scratch, script: Script, late: str
) -> None:
    if late == "an earlier answer":
        script.says("I am about to go on with the login.")
        script.lines[-1]["timestamp"] = stamp(MADE)
    elif late == "a prompt":
        script.person("Are you there?")
    elif late == "a title":
        script.add("ai-title", "", aiTitle="A login")
    else:
        script.add("system", "", subtype="compact_boundary", compactMetadata={"trigger": "auto"})
    if late != "an earlier answer":
        script.lines[-1]["timestamp"] = stamp(MADE + timedelta(seconds=2))
    script.write(scratch.transcript)
    known = len(script.lines)
    summed_up(script, LEAN)
    lines = script.lines[known + (late == "the boundary alone") :]

    def append() -> None:
        with scratch.transcript.open("a") as stream:
            stream.writelines(json.dumps(line) + "\n" for line in lines)

    client = threading.Timer(0.2, append)
    client.start()
    assert "RS256" in told(world, scratch.transcript, wait=20)
    client.join()


def test_waiting_ends(world: World, scratch: Scratch, script: Script) -> None:
    script.write(scratch.transcript)
    assert told(world, scratch.transcript, wait=0.1) == ""


def test_of_a_large_transcript_the_end_is_read_and_no_places_are_told(
    world: World, scratch: Scratch, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    summed_up(script, LEAN)
    script.write(scratch.transcript)
    monkeypatch.setattr(loss, "LARGEST", scratch.transcript.stat().st_size - 1)
    text = told(world, scratch.transcript)
    assert "RS256" in text
    assert "[t:" not in text


def test_no_secret_is_told(world: World, scratch: Scratch, script: Script, planted: str) -> None:
    script.person(f"Never log the key {planted} of the gateway anywhere")
    summed_up(script, LEAN)
    script.write(scratch.transcript)
    text = told(world, scratch.transcript)
    assert "of the gateway anywhere" in text
    assert planted not in text


def test_a_rule_is_told_and_what_was_acted_on_is_not(
    world: World, scratch: Scratch, script: Script
) -> None:
    script.person("Never push to the release branch without asking me")
    script.says("Understood. Shall I rename the helper or leave the name?")
    script.person("rename it")
    summed_up(script, LEAN)
    script.write(scratch.transcript)
    text = told(world, scratch.transcript)
    assert "The person's word: Never push to the release branch" in text
    assert text.count("rename") <= 2


def test_a_missing_transcript_is_one_of_our_errors(world: World, scratch: Scratch) -> None:
    scratch.transcript.unlink()
    with pytest.raises(NotFoundError):
        told(world, scratch.transcript)
