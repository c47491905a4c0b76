"""Codex, live, in a window. Its sessions run in a server that outlives the window, or without it."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from tests.e2e.codex_live.lab import CodexLab
from tests.e2e.codex_live.session import assert_offered, turn
from tests.e2e.kit.model import Request
from tests.e2e.kit.session import ASKED, DONE
from tests.e2e.kit.terminal import Window

ALONE = "--no-daemon"


def work(lab: CodexLab, window: Window) -> Path:
    """One whole turn; the session's transcript."""
    lab.model.script(turn())
    window.type(ASKED)
    transcript = lab.wait_written(DONE)
    window.wait(DONE[:30])
    window.still()
    return transcript


def next_window(lab: CodexLab, *words: str) -> Request:
    """The first request of the next session in a window."""
    lab.model.script(["Let me see."])
    count = len(lab.requests())
    window = lab.terminal(*words)
    window.type("What now?")
    return lab.model.wait("main", count + 1)


def test_a_window_that_was_left_with_ctrl_c_is_offered_to_the_next(lab: CodexLab) -> None:
    lab.live()
    window = lab.terminal(ALONE)
    transcript = work(lab, window)
    window.key("C-c")
    window.wait_dead()
    lab.wait_quiet()
    assert_offered(next_window(lab, ALONE), lab, transcript)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
def test_a_window_that_was_killed_is_offered_to_the_next(
    lab: CodexLab, number: signal.Signals
) -> None:
    lab.live()
    window = lab.terminal(ALONE)
    transcript = work(lab, window)
    window.kill(number)
    window.wait_dead()
    assert_offered(next_window(lab, ALONE), lab, transcript)


def test_a_window_of_the_shared_server_is_offered_to_the_next_one(lab: CodexLab) -> None:
    lab.live()
    window = lab.terminal()
    transcript = work(lab, window)
    window.key("C-c")
    window.wait_dead()
    assert_offered(next_window(lab), lab, transcript)
