"""Significant input goes into SESSION-STATE.md as it comes, once, and over nobody's words."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward.commands import rim
from onward.commands.remember import remember
from onward.commands.world import World
from onward.store.project import Project, locate

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session

SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
NOW = datetime(2026, 3, 1, 16, 0, tzinfo=UTC)
RULE = "Always run the linter before you commit"
CHOICE = "use tox instead of nox, please"


@pytest.fixture
def world(scratch: Scratch) -> World:
    env = {"USER": "maria"}
    return World(now=NOW, cwd=scratch.root, home=scratch.home, data=scratch.data, env=env)


@pytest.fixture
def project(world: World) -> Project:
    return rim.here(world)


@pytest.fixture
def state(project: Project) -> Path:
    return project.state_file


def test_lines_stand_below_headings_of_their_kind(
    world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    assert remember(world, project, SESSION, scratch.transcript, f"{CHOICE}. {RULE}.") == 2
    assert state.read_text() == (
        "# Session State\n\n## Decisions\n\n- use tox instead of nox, please. [asked]\n"
        "\n## Preferences\n\n- Always run the linter before you commit. [asked]\n"
    )


def test_a_bare_pick_says_what_the_agent_had_offered(
    world: World, project: Project, scratch: Scratch, session: Session, state: Path
) -> None:
    script = session(scratch.root, SESSION)
    script.says("Two ways:\n\n1. Mend the token\n2. Drop the test\n\nWhich one?")
    script.write(scratch.transcript)
    assert remember(world, project, SESSION, scratch.transcript, "option 2") == 1
    assert "- Which one? → option 2: Drop the test [asked]" in state.read_text()


def test_it_does_not_matter_whether_the_client_has_written_the_prompt_yet(
    world: World, project: Project, scratch: Scratch, session: Session, state: Path
) -> None:
    script = session(scratch.root, SESSION)
    script.says("Two ways:\n\n1. Mend the token\n2. Drop the test\n\nWhich one?")
    script.person("option 2")
    script.says("It is dropped.")
    script.write(scratch.transcript)
    assert remember(world, project, SESSION, scratch.transcript, "option 2") == 1
    assert "Drop the test" in state.read_text()


@pytest.mark.parametrize("prompt", ["yes", "ok, go on", "fix the test", "goodnight", "option 7"])
def test_other_prompts_leave_no_trace(
    prompt: str, world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    assert remember(world, project, SESSION, scratch.transcript, prompt) == 0
    assert not state.exists()


def test_what_is_there_already_is_not_added_again(
    world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    state.write_text(f"my notes\n* {RULE.upper()}!\n")
    assert remember(world, project, SESSION, scratch.transcript, RULE) == 0
    assert state.read_text() == f"my notes\n* {RULE.upper()}!\n"


def test_what_the_person_took_out_stays_out(
    world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    assert remember(world, project, SESSION, scratch.transcript, RULE) == 1
    state.write_text("my own words\n")
    assert remember(world, project, SESSION, scratch.transcript, RULE) == 0
    assert state.read_text() == "my own words\n"


def test_nothing_a_person_wrote_is_changed(
    world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    before = b"\xef\xbb\xbfmy STATE\r\n\r\n* odd \xff bytes, no last line break"
    state.write_bytes(before)
    remember(world, project, SESSION, scratch.transcript, RULE)
    assert state.read_bytes().startswith(before)


def test_secrets_are_taken_out(
    planted: str, world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    assert remember(world, project, SESSION, scratch.transcript, f"Always use the token {planted}")
    assert planted not in state.read_text()
    assert "[REDACTED" in state.read_text()


def test_the_next_save_reads_it(
    onward: Onward, world: World, project: Project, scratch: Scratch
) -> None:
    remember(world, project, SESSION, scratch.transcript, RULE)
    assert onward("save", "add-jwt-login").code == 0
    assert RULE in (scratch.checkpoints / "add-jwt-login.md").read_text()


def test_a_folder_that_is_no_project_gets_no_file(
    world: World, scratch: Scratch, tmp_path: Path
) -> None:
    bare = tmp_path / "downloads"
    bare.mkdir()
    assert remember(world, locate(bare, bare), SESSION, scratch.transcript, RULE) == 0
    assert list(bare.iterdir()) == []
    (bare / ".claude" / "memory" / "raw").mkdir(parents=True)
    assert remember(world, locate(bare, bare), SESSION, scratch.transcript, RULE) == 0
    (bare / ".claude" / "memory" / "active-context.md").touch()
    assert remember(world, locate(bare, bare), SESSION, scratch.transcript, RULE) == 1
    home = locate(scratch.home, scratch.home)
    assert remember(world, home, SESSION, scratch.transcript, RULE) == 0
    assert not home.state_file.exists()


def test_a_session_without_a_transcript_yet_counts(
    world: World, project: Project, tmp_path: Path, state: Path
) -> None:
    assert remember(world, project, SESSION, tmp_path / "none.jsonl", CHOICE) == 1
    assert CHOICE in state.read_text()


def test_the_first_lines_of_a_session_that_nobody_can_tell_yet_do_not_hinder(
    world: World, project: Project, tmp_path: Path, state: Path
) -> None:
    begun = tmp_path / "begun.jsonl"
    begun.write_text('{"type":"mode","mode":"normal"}\n')
    assert remember(world, project, SESSION, begun, CHOICE) == 1
    assert CHOICE in state.read_text()
