"""What the user types and decides goes into SESSION-STATE.md, bounded, and over nobody's words."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from onward.commands.autosave import INPUT, KEPT, add, log_input, trim
from onward.commands.world import World
from onward.storage.project import Project

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Scratch, Session

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
    return world.project


@pytest.fixture
def state(project: Project) -> Path:
    return project.state_file


def log(world: World, project: Project, scratch: Scratch, *prompts: str) -> list[int]:
    return [log_input(world, SESSION, scratch.transcript, each) for each in prompts]


def test_input_is_kept_word_for_word(
    world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    assert log(world, project, scratch, RULE) == [1]
    assert f"## Requests\n\n- {RULE} [asked" in state.read_text()


def test_long_input_is_clipped_between_words(
    world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    log(world, project, scratch, "pelican " * 200)
    line = next(line for line in state.read_text().splitlines() if "pelican" in line)
    assert len(line) < 340
    assert "pelican…" in line


def test_answers_refusals_and_approved_plans_stand_among_the_decisions(
    world: World, project: Project, scratch: Scratch, session: Session, state: Path
) -> None:
    script = session(scratch.root, SESSION)
    script.user("which unit should a day be, do you think?")
    asked = {"question": "Which unit should a day be?", "options": [{"label": "8 hours"}]}
    answers = {"Which unit should a day be?": "8 hours"}
    script.call(
        "AskUserQuestion",
        {"questions": [asked]},
        "User has answered your questions",
        {"questions": [asked], "answers": answers},
    )
    script.write(scratch.transcript)
    assert log(world, project, scratch, "now write the parser for it") == [2]
    below = state.read_text().partition("## Decisions")[2].partition("##")[0]
    assert "Which unit should a day be?" in below
    assert "8 hours" in below


def test_only_the_newest_inputs_stay(
    world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    log(world, project, scratch, *(f"please do the thing number {n}" for n in range(KEPT + 5)))
    kept = [line for line in state.read_text().splitlines() if "the thing number" in line]
    assert len(kept) == KEPT
    assert f"number {KEPT + 4} " in kept[-1]


def test_an_edited_line_is_the_users_and_stays(
    world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    log(world, project, scratch, "please do the first thing now")
    state.write_text(state.read_text().replace("first thing", "very first thing"))
    log(world, project, scratch, *(f"please do the thing number {n}" for n in range(KEPT + 5)))
    assert "the very first thing" in state.read_text()


def test_the_same_input_is_not_added_again(
    world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    assert log(world, project, scratch, RULE, RULE) == [1, 0]


def test_what_the_user_removed_stays_removed(
    world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    log(world, project, scratch, RULE)
    state.write_text("my own words\n")
    assert log(world, project, scratch, RULE) == [0]
    assert state.read_text() == "my own words\n"


@given(
    before=st.binary(), line=st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")))
)
def test_no_byte_that_stood_there_is_lost(before: bytes, line: str) -> None:
    after = add(before, INPUT, f"- {line}")
    if before.strip():
        rest = iter(after)
        assert all(byte in rest for byte in before)
    assert f"- {line}".encode() in after
    assert trim(after) == after


def test_a_second_line_joins_the_first(state: Path) -> None:
    once = add(b"# Session State\n\n## Requests\n\n- one\n\n## Notes\n\nmine\n", INPUT, "- two")
    assert once == b"# Session State\n\n## Requests\n\n- one\n- two\n\n## Notes\n\nmine\n"


def test_secrets_are_taken_out(
    planted: str, world: World, project: Project, scratch: Scratch, state: Path
) -> None:
    log(world, project, scratch, f"Always use the token {planted}")
    assert planted not in state.read_text()
    assert "[REDACTED" in state.read_text()


def test_a_folder_that_is_no_project_gets_no_file(
    world: World, scratch: Scratch, tmp_path: Path
) -> None:
    bare = tmp_path / "downloads"
    bare.mkdir()
    assert log_input(replace(world, cwd=bare), SESSION, scratch.transcript, RULE) == 0
    assert list(bare.iterdir()) == []
    (bare / ".claude" / "memory" / "raw").mkdir(parents=True)
    assert log_input(replace(world, cwd=bare), SESSION, scratch.transcript, RULE) == 0
    (bare / ".claude" / "memory" / "active-context.md").touch()
    assert log_input(replace(world, cwd=bare), SESSION, scratch.transcript, RULE) == 1
    home = replace(world, cwd=scratch.home)
    assert log_input(home, SESSION, scratch.transcript, RULE) == 0
    assert not home.project.state_file.exists()


def test_a_session_without_a_transcript_yet_counts(
    world: World, project: Project, tmp_path: Path, state: Path
) -> None:
    assert log_input(world, SESSION, tmp_path / "none.jsonl", CHOICE) == 1
    assert CHOICE in state.read_text()


def test_the_first_lines_of_a_session_that_nobody_can_tell_yet_do_not_hinder(
    world: World, project: Project, tmp_path: Path, state: Path
) -> None:
    begun = tmp_path / "begun.jsonl"
    begun.write_text('{"type":"mode","mode":"normal"}\n')
    assert log_input(world, SESSION, begun, CHOICE) == 1
    assert CHOICE in state.read_text()
