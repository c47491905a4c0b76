"""However a session ends, the next one in the folder offers it, whole."""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest
from tests.e2e.kit.lab import Lab, conversation
from tests.e2e.kit.model import Answer, Call
from tests.e2e.kit.session import (
    ASKED,
    DONE,
    assert_whole,
    backup_in,
    begin,
    leave,
    next_start,
    turn,
    work,
)
from tests.e2e.kit.terminal import Window

LONG = " ".join(f"stroke-{count}" for count in range(4000))
Way = Callable[[Window], None]


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A lab with the hooks in its project."""
    lab.install("--project")
    return lab


def press_twice(window: Window, key: str) -> None:
    window.key(key)
    window.wait("again to exit")
    window.key(key)


def send(number: signal.Signals) -> Way:
    return lambda window: window.kill(number)


IDLE: dict[str, Way] = {
    "exit": lambda window: window.type("/exit"),
    "the word exit": lambda window: window.type("exit"),
    "ctrl-c twice": lambda window: press_twice(window, "C-c"),
    "ctrl-d twice": lambda window: press_twice(window, "C-d"),
    "SIGTERM": send(signal.SIGTERM),
    "SIGHUP": send(signal.SIGHUP),
    "SIGKILL": send(signal.SIGKILL),
    "closed terminal": Window.close_pane,
    "killed terminal program": Window.kill_terminal,
}


@pytest.mark.parametrize("way", IDLE)
def test_a_session_that_ended_at_rest_is_offered_whole(lab: Lab, way: str) -> None:
    window = begin(lab)
    transcript = work(lab, window)
    window.still()
    IDLE[way](window)
    window.wait_dead()
    request = next_start(lab)
    assert_whole(backup_in(request, lab), transcript)
    assert request.where(ASKED), "the hand-over tells what was asked"


MIDWAY: dict[str, Way] = {
    "SIGTERM": send(signal.SIGTERM),
    "SIGKILL": send(signal.SIGKILL),
    "closed terminal": Window.close_pane,
}


@pytest.mark.parametrize("way", MIDWAY)
def test_a_session_that_ended_in_the_middle_of_an_answer_is_offered_whole(
    lab: Lab, way: str
) -> None:
    window = begin(lab)
    work(lab, window)
    lab.model.script([Answer(LONG, pause=0.05)])
    window.type("Now row to the island")
    window.wait("stroke-1")
    transcript = lab.wait_written("row to the island")
    MIDWAY[way](window)
    window.wait_dead()
    request = next_start(lab)
    assert_whole(backup_in(request, lab), transcript)
    assert request.where("row to the island")


def test_an_answer_that_was_interrupted_before_the_end_is_kept(lab: Lab) -> None:
    window = begin(lab)
    work(lab, window)
    lab.model.script([Answer(LONG, pause=0.05)])
    window.type("Now row to the island")
    window.wait("stroke-1")
    window.key("Escape")
    transcript = lab.wait_written("Request interrupted")
    leave(window)
    backup = backup_in(next_start(lab), lab)
    assert_whole(backup, transcript)
    assert "stroke-1" in conversation(backup)


def test_a_headless_session_is_offered_whole(lab: Lab) -> None:
    lab.model.script(turn(lab))
    lab.headless(ASKED, "--dangerously-skip-permissions")
    (transcript,) = lab.transcripts()
    request = next_start(lab)
    assert_whole(backup_in(request, lab), transcript)
    assert request.where(ASKED)


@pytest.mark.every_version
def test_what_was_cleared_is_offered_in_the_same_window(lab: Lab) -> None:
    window = begin(lab)
    transcript = work(lab, window)
    window.still()
    window.type("/clear")
    window.wait_gone(DONE)
    window.still()
    lab.model.script(["Let me see."])
    window.type("What now?")
    request = lab.model.wait(count=3)
    window.wait("Let me see")
    assert_whole(backup_in(request, lab), transcript)
    assert request.where(ASKED)
    leave(window)


def test_a_compacted_session_offers_what_was_before(lab: Lab) -> None:
    window = begin(lab)
    transcript = work(lab, window)
    lab.model.script(["Plank five is caulked."])  # 2.1.197 compacts no single exchange
    window.type("Go on with plank five")
    lab.wait_written("Plank five is caulked.")
    window.still()
    before = conversation(transcript)
    window.type("/compact")
    lab.model.wait("compact")
    window.wait("Compacted|compacted")
    window.still()
    lab.model.script(["Let me see."])
    window.type("What now?")
    request = lab.model.wait(count=4)
    window.wait("Let me see")
    backup = backup_in(request, lab)
    assert request.where("same session"), "it is told that the backup is its own"
    assert transcript.read_bytes().startswith(backup.read_bytes())
    assert conversation(backup).startswith(before)
    leave(window)


def test_a_session_that_compacted_by_itself_offers_what_was_before(lab: Lab) -> None:
    step = Call("Bash", {"command": "echo step", "description": "Step"})
    lab.model.script(
        [Answer("", (step,), usage={"input_tokens": size}) for size in (20_000, 50_000, 99_000)]
        + [Answer("Done rowing.", usage={"input_tokens": 20_000})]
    )
    window = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}
    words = ("--dangerously-skip-permissions", "--model", "claude-sonnet-4-5")
    lab.headless(ASKED, *words, env=window)
    assert [request.kind for request in lab.requests("compact")] == ["compact"]
    (transcript,) = lab.transcripts()
    backup = backup_in(lab.requests()[-1], lab)
    assert transcript.read_bytes().startswith(backup.read_bytes())
    assert ASKED in conversation(backup)
    assert_whole(backup_in(next_start(lab), lab), transcript)


def test_a_fork_and_the_session_it_came_from_are_both_kept(lab: Lab) -> None:
    window = begin(lab)
    first = work(lab, window)
    leave(window)
    window = begin(lab, "--resume", first.stem, "--fork-session")
    lab.model.script(["The other seam is caulked."])
    window.type("Caulk the other seam too")
    fork = lab.wait_written("The other seam is caulked.")
    assert fork != first
    leave(window)
    assert_whole(backup_in(next_start(lab), lab), fork)
    assert any(first.read_bytes().startswith(raw.read_bytes()) for raw in lab.pending())


def test_a_session_left_for_another_one_is_kept(lab: Lab) -> None:
    window = begin(lab)  # the client's list leaves out headless sessions
    lab.model.script(["The mast is up."])
    window.type("Put up the mast")
    lab.wait_written("The mast is up.")
    leave(window)
    window = begin(lab)
    left = work(lab, window)
    window.still()
    window.type("/resume")
    window.wait("Put up the mast|seconds? ago")  # 2.1.197 shows the title that the model gave
    window.still()
    window.key("Enter")
    window.wait("The mast is up")
    window.still()
    lab.wait_quiet()
    assert any(conversation(raw) == conversation(left) for raw in lab.pending())
    leave(window)
