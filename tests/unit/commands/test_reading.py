"""Verbs that only look: they answer, and leave every file as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward.brief.tokens import estimate

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch

LOOKING = [
    ["list"],
    ["sessions"],
    ["sessions", "--all"],
    ["resume"],
    ["resume", "add-jwt-login"],
    ["resume", "add-jwt-login", "--yes"],
    ["check"],
    ["show", "add-jwt-login"],
    ["show", "t:1"],
    ["show", "c:0000000"],
    ["brief", "add-jwt-login"],
    ["brief", "TRANSCRIPT"],
    ["brief", "TRANSCRIPT", "--no-drift"],
    ["distill", "TRANSCRIPT"],
    ["read", "TRANSCRIPT"],
    ["protocol", "load"],
    ["document", "list"],
    ["backup", "list"],
    ["completion", "bash"],
    ["--help"],
    ["save", "add-jwt-login"],
    ["delete", "no-such-name"],
    ["restore", "no-such-name"],
]


@pytest.mark.parametrize("words", LOOKING, ids=" ".join)
def test_a_verb_that_looks_changes_no_file(
    words: list[str],
    saved: Onward,
    scratch: Scratch,
    unchanged: Callable[[Path], Callable[[], bool]],
) -> None:
    saved("protocol", "save")
    words = [str(scratch.transcript) if word == "TRANSCRIPT" else word for word in words]
    same = [unchanged(folder) for folder in (scratch.root, scratch.home, scratch.data)]
    assert saved(*words).code in {0, 3, 5, 7}
    assert all(check() for check in same)


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["sessions"],
        ["resume"],
        ["check"],
        ["show", "add-jwt-login"],
        ["brief", "add-jwt-login"],
        ["distill", "TRANSCRIPT"],
        ["read", "TRANSCRIPT"],
        ["protocol", "load"],
        ["document", "list"],
        ["backup", "list"],
    ],
    ids=" ".join,
)
def test_json_is_json(words: list[str], saved: Onward, scratch: Scratch) -> None:
    saved("protocol", "save")
    words = [str(scratch.transcript) if word == "TRANSCRIPT" else word for word in words]
    assert saved(*words, "--json").data is not None


def test_a_briefing_of_a_transcript_says_what_is_wanted_and_what_failed(
    onward: Onward, scratch: Scratch, planted: str
) -> None:
    out = onward("brief", str(scratch.transcript)).out
    assert "Use RS256" in out
    assert "tests/test_auth.py" in out
    assert planted not in out
    assert "maria" not in out


@pytest.mark.parametrize("budget", [300, 800, 1500])
def test_a_briefing_keeps_its_budget(budget: int, onward: Onward, scratch: Scratch) -> None:
    out = onward("brief", str(scratch.transcript), "--budget", str(budget)).out
    assert 0 < estimate(out) <= budget * 1.1


def test_no_drift_does_not_look_at_the_repository(saved: Onward, scratch: Scratch) -> None:
    (scratch.root / "src/auth.py").unlink()
    assert saved("brief", "add-jwt-login", "--json").data["drift"]["files"]
    assert saved("brief", "add-jwt-login", "--no-drift", "--json").data["drift"] is None


def test_a_session_of_a_folder_that_is_gone_is_briefed_without_drift(
    onward: Onward, scratch: Scratch
) -> None:
    text = scratch.transcript.read_text().replace(str(scratch.root), "/no/such/folder")
    elsewhere = scratch.home / "moved.jsonl"
    elsewhere.write_text(text)
    assert onward("brief", str(elsewhere), "--json").data["drift"] is None


def test_a_place_is_shown_redacted(saved: Onward, scratch: Scratch, planted: str) -> None:
    lines = len(scratch.transcript.read_text().splitlines())
    assert "Add a login with JWT" in saved("show", "t:1").out
    last = saved("show", f"t:{lines}").out
    assert "One test still fails" in last
    assert planted not in last


def test_a_commit_is_shown(saved: Onward, scratch: Scratch) -> None:
    out = saved("show", f"c:{scratch.git('rev-parse', '--short', 'HEAD')}").out
    assert "Start" in out
    assert "src/auth.py" in out
    assert "maria@example.org" not in out


@pytest.mark.parametrize("place", ["t:999", "c:0000000", "t:", "c:--help", "t:0"])
def test_a_place_that_is_not_there_is_an_error_of_its_own(place: str, saved: Onward) -> None:
    answer = saved("show", place)
    assert answer.code in {2, 3}
    assert "  try: " in answer.err
