"""After a compaction: the verified state, always, and what the summary has wrong."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from onward.commands import compaction, thread
from onward.commands.world import World
from onward.errors import NotFoundError
from onward.model import Draft, Item

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.commands.conftest import Scratch, Script

SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
MADE = datetime(2026, 3, 1, 13, 50, tzinfo=UTC)
LEAN = "The session is about a login."
WRONG = "It is done: `pytest tests/test_auth.py` gave 3 passed, committed as `abc1234`."


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
    return compaction.after_compaction(world, transcript, wait=wait)


def test_the_state_is_told_whatever_the_summary_says(
    world: World, scratch: Scratch, script: Script
) -> None:
    summed_up(script, LEAN)
    script.write(scratch.transcript)
    text = told(world, scratch.transcript)
    assert "> Use RS256, not HS256, because the gateway only has the public key" in text
    assert "`pytest tests/test_auth.py`: failed" in text
    assert "`src/auth.py`" in text
    assert "[t:5]" in text
    assert "CONTRADICTION" not in text


def test_what_the_summary_has_wrong_stands_first(
    world: World, scratch: Scratch, script: Script
) -> None:
    summed_up(script, WRONG)
    script.write(scratch.transcript)
    lines = told(world, scratch.transcript).splitlines()
    assert lines[1].startswith("- CONTRADICTION: The summary says")
    assert "NOT IN THE TRANSCRIPT" in lines[2]
    assert "`abc1234`" in lines[2]


def test_it_is_about_the_state_before_the_summary(
    world: World, scratch: Scratch, script: Script
) -> None:
    summed_up(script, LEAN)
    script.user("Now write a haiku about the gateway in HAIKU.md")
    script.write(scratch.transcript)
    text = told(world, scratch.transcript)
    assert "RS256" in text
    assert "haiku" not in text


def test_without_a_new_summary_the_state_is_told_without_a_comparison(
    world: World, scratch: Scratch, script: Script
) -> None:
    script.write(scratch.transcript)
    assert "RS256" in told(world, scratch.transcript)
    summed_up(script, WRONG, MADE - timedelta(minutes=5))
    script.write(scratch.transcript)
    text = told(world, scratch.transcript)
    assert "RS256" in text
    assert "CONTRADICTION" not in text


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
    summed_up(script, WRONG, MADE - timedelta(seconds=10))
    script.user("Never touch the gateway's own repository, it is frozen")
    script.write(scratch.transcript)
    assert "CONTRADICTION" not in told(world, scratch.transcript)
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
    monkeypatch.setattr(compaction, "_grows", lambda *_: pytest.fail("it waited"))
    assert "RS256" in told(world, scratch.transcript, wait=9)


@pytest.mark.parametrize("late", ["an earlier answer", "a prompt", "a title", "the boundary alone"])
def test_what_may_stand_before_the_summary_does_not_end_the_waiting(
    world: World, scratch: Scratch, script: Script, late: str
) -> None:
    if late == "an earlier answer":
        script.says("I am about to go on with the login.")
        script.lines[-1]["timestamp"] = stamp(MADE)
    elif late == "a prompt":
        script.user("Are you there?")
    elif late == "a title":
        script.add("ai-title", "", aiTitle="A login")
    else:
        script.add("system", "", subtype="compact_boundary", compactMetadata={"trigger": "auto"})
    if late != "an earlier answer":
        script.lines[-1]["timestamp"] = stamp(MADE + timedelta(seconds=2))
    script.write(scratch.transcript)
    known = len(script.lines)
    summed_up(script, WRONG)
    lines = script.lines[known + (late == "the boundary alone") :]

    def append() -> None:
        with scratch.transcript.open("a") as stream:
            stream.writelines(json.dumps(line) + "\n" for line in lines)

    client = threading.Timer(0.2, append)
    client.start()
    assert "CONTRADICTION" in told(world, scratch.transcript, wait=20)
    client.join()


def test_waiting_ends(world: World, scratch: Scratch, script: Script) -> None:
    script.write(scratch.transcript)
    assert "RS256" in told(world, scratch.transcript, wait=0.1)


def test_of_a_large_transcript_the_end_is_read_and_no_places_are_told(
    world: World, scratch: Scratch, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    summed_up(script, LEAN)
    script.write(scratch.transcript)
    monkeypatch.setattr(compaction, "LARGEST_AFTER", scratch.transcript.stat().st_size - 1)
    text = told(world, scratch.transcript)
    assert "RS256" in text
    assert "[t:" not in text


def test_no_secret_is_told(world: World, scratch: Scratch, script: Script, planted: str) -> None:
    script.user(f"Never log the key {planted} of the gateway anywhere")
    summed_up(script, LEAN)
    script.write(scratch.transcript)
    text = told(world, scratch.transcript)
    assert "of the gateway anywhere" in text
    assert planted not in text


def test_a_missing_transcript_is_one_of_our_errors(world: World, scratch: Scratch) -> None:
    scratch.transcript.unlink()
    with pytest.raises(NotFoundError):
        told(world, scratch.transcript)


def test_what_the_user_wants_for_good_is_told_before_and_after(
    world: World, scratch: Scratch, script: Script
) -> None:
    state = "# Session State\n\n## Corrections\n\n- Only `Approp.` bills are budgets [asked]\n"
    (scratch.root / "SESSION-STATE.md").write_text(state)
    note = Draft(task=Item(text=""), constraints=(Item(text="Never push to main", author="agent"),))
    thread.keep_note(world, SESSION, note, "")
    summed_up(script, LEAN)
    script.write(scratch.transcript)
    before = compaction.before_compaction(world, scratch.transcript, SESSION)
    after = compaction.after_compaction(world, scratch.transcript, SESSION)
    for text in (before, after):
        assert "The user demands: “Only `Approp.` bills are budgets”" in text
        assert "The user demands (noted by the agent): “Never push to main”" in text
