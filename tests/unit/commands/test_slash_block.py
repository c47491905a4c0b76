"""A slash command runs once for each time that the user types it, whatever they typed."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch

Run = Callable[..., str]
NAME = "build-login-page"


@pytest.fixture
def run(onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`onward slash checkpoint` from a shell of that number; its text."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", scratch.transcript.stem)

    def call(shell: int, words: str, *step: str) -> str:
        framed = io.TextIOWrapper(io.BytesIO(f'"\n{words}\n"\n'.encode()), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", framed)
        monkeypatch.setattr(os, "getsid", lambda _: shell, raising=False)
        answer = onward("slash", "checkpoint", *step)
        assert (answer.code, answer.err) == (0, "")
        return answer.out

    return call


def test_a_second_call_from_the_same_shell_does_nothing_and_says_so(
    run: Run, scratch: Scratch
) -> None:
    assert "Saved" in run(4242, f"save {NAME}")
    assert "was run already" in run(4242, f"delete {NAME}")
    assert (scratch.checkpoints / f"{NAME}.md").exists()


def test_the_next_command_has_a_shell_of_its_own_and_is_done(run: Run) -> None:
    run(4242, f"save {NAME}")
    assert "in the trash" in run(4243, f"delete {NAME}")


def test_what_the_agent_adds_is_no_second_call(run: Run) -> None:
    run(4242, f"save {NAME}")
    assert "There is no draft" in run(4242, "", "add")


def test_two_sessions_do_not_hinder_each_other(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run(4242, "list")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "1b1c2d3e-4f50-4a61-8b72-9c83ad94be05")
    assert "was run already" not in run(4242, "list")


def test_a_number_that_comes_round_is_another_shell_and_what_was_counted_goes(
    run: Run, tmp_path: Path
) -> None:
    run(4242, "list")
    run(4243, "list")
    counted = list(tmp_path.rglob("shell-*"))
    assert len(counted) == 2
    for path in counted:
        os.utime(path, (long_ago := time.time() - 61, long_ago))
    assert "was run already" not in run(4242, "list")
    assert [path.name for path in tmp_path.rglob("shell-*")] == ["shell-4242"]
    assert "was run already" in run(4242, "list")


def test_outside_of_a_session_nothing_is_counted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")
    assert run(4242, "list") == run(4242, "list")
