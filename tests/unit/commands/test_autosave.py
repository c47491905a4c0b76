"""The autosave: what it writes, when it writes nothing, and what it never touches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest
from msgspec.structs import replace

from onward.commands.autosave import Signal, autosave
from onward.commands.world import World
from onward.documents import checkpoint_md
from onward.errors import RefusedError
from onward.storage.project import Project

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Script, Session

    Empty = Callable[[Path, str], Script]

SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
NOW = datetime(2026, 3, 1, 21, 40, tzinfo=timezone(timedelta(hours=8)))


@pytest.fixture
def world(scratch: Scratch) -> World:
    env = {"USER": "maria"}
    return World(now=NOW, cwd=scratch.root, home=scratch.home, data=scratch.data, env=env)


@pytest.fixture
def project(world: World) -> Project:
    return world.project


@pytest.mark.parametrize("signal", get_args(Signal))
def test_the_state_is_saved_and_one_line_logged(
    signal: Signal, world: World, project: Project, scratch: Scratch
) -> None:
    assert autosave(world, SESSION, scratch.transcript, signal)
    draft = checkpoint_md.parse((scratch.checkpoints / "autosave.md").read_text())
    assert draft.name == "autosave"
    assert draft.saved == "2026-03-01T13:40:00Z"
    assert draft.task.text.startswith("Use RS256, not HS256")
    assert draft.next_action is not None
    line = (scratch.checkpoints / "autosave-log.md").read_text()
    assert line.startswith(f"- 2026-03-01 21:40 GMT+8 · {signal} · {SESSION[:8]} · Use RS256")
    assert "· Next: Fix the failing test run: `pytest tests/test_auth.py`" in line
    assert line.count("\n") == 1


def test_the_state_file_leads(world: World, project: Project, scratch: Scratch) -> None:
    project.state_file.write_text("## Current Task\nLogin with OAuth fallback\n")
    autosave(world, SESSION, scratch.transcript, "idle")
    text = (scratch.checkpoints / "autosave.md").read_text()
    assert "**Task:** Login with OAuth fallback" in text
    assert project.state_file.read_text() == "## Current Task\nLogin with OAuth fallback\n"


def test_the_last_one_is_overwritten_and_the_log_grows(
    world: World, project: Project, scratch: Scratch
) -> None:
    for signal in get_args(Signal):
        assert autosave(world, SESSION, scratch.transcript, signal)
    assert sorted(path.name for path in scratch.checkpoints.iterdir()) == [
        "autosave-log.md",
        "autosave.md",
    ]
    log = (scratch.checkpoints / "autosave-log.md").read_text().splitlines()
    assert [line.split(" · ")[1] for line in log] == list(get_args(Signal))


def test_named_checkpoints_and_everything_else_stay(
    saved: Onward,
    world: World,
    project: Project,
    scratch: Scratch,
    unchanged: Callable[[Path], Callable[[], bool]],
) -> None:
    named = scratch.checkpoints / "add-jwt-login.md"
    before, same = named.read_bytes(), unchanged(scratch.root / "src")
    assert autosave(world, SESSION, scratch.transcript, "context")
    assert named.read_bytes() == before
    assert same()


@pytest.mark.parametrize("name", ["autosave.md", "autosave-log.md"])
def test_a_link_to_a_named_checkpoint_is_not_followed(
    name: str, saved: Onward, world: World, project: Project, scratch: Scratch
) -> None:
    named = scratch.checkpoints / "add-jwt-login.md"
    before = named.read_bytes()
    (scratch.checkpoints / name).symlink_to(named)
    with pytest.raises(RefusedError):
        autosave(world, SESSION, scratch.transcript, "long")
    assert named.read_bytes() == before


def test_no_secret_gets_out(planted: str, world: World, project: Project, scratch: Scratch) -> None:
    autosave(world, SESSION, scratch.transcript, "farewell")
    for path in scratch.checkpoints.iterdir():
        assert planted not in path.read_text()


class TestNothingIsWritten:
    def test_for_a_session_of_one_reply(
        self, world: World, project: Project, scratch: Scratch, empty_session: Empty
    ) -> None:
        script = empty_session(scratch.root, SESSION)
        script.user("What does src/auth.py do?")
        script.says("It makes a token.")
        script.write(scratch.transcript)
        assert not autosave(world, SESSION, scratch.transcript, "farewell")
        assert not scratch.checkpoints.exists()

    @pytest.mark.parametrize("content", [None, ""])
    def test_before_the_client_has_written_anything(
        self, content: str | None, world: World, project: Project, scratch: Scratch
    ) -> None:
        scratch.transcript.unlink()
        if content is not None:
            scratch.transcript.write_text(content)
        assert not autosave(world, SESSION, scratch.transcript, "farewell")
        assert not scratch.checkpoints.exists()

    def test_in_the_home_folder(self, world: World, scratch: Scratch) -> None:
        home = replace(world, cwd=scratch.home)
        assert home.project.root == scratch.home
        assert not autosave(home, SESSION, scratch.transcript, "farewell")
        assert not (scratch.home / "memory").exists()

    @pytest.mark.parametrize("state", ["", "## Decisions\n- Use tabs\n", "## Task\nThe login\n"])
    @pytest.mark.parametrize("signal", get_args(Signal))
    def test_for_a_greeting_and_a_farewell_whatever_was_noted_before(
        self,
        world: World,
        project: Project,
        scratch: Scratch,
        empty_session: Empty,
        state: str,
        signal: Signal,
    ) -> None:
        assert autosave(world, SESSION, scratch.transcript, signal)
        before = (scratch.checkpoints / "autosave.md").read_bytes()
        project.state_file.write_text(state)
        script = empty_session(scratch.root, SESSION)
        for word in ("hi there", "/checkpoint list", "goodnight"):
            script.user(word)
            script.says("Hello! What shall we do?")
        script.write(scratch.transcript)
        assert not autosave(world, SESSION, scratch.transcript, signal)
        assert (scratch.checkpoints / "autosave.md").read_bytes() == before

    @pytest.mark.parametrize(
        ("command", "saved"), [("pytest -q", True), ("onward slash checkpoint add", False)]
    )
    def test_unless_something_was_run(
        self,
        world: World,
        project: Project,
        scratch: Scratch,
        empty_session: Empty,
        command: str,
        saved: bool,
    ) -> None:
        script = empty_session(scratch.root, SESSION)
        script.user("go on")
        given = {"command": command, "description": "run"}
        script.call("Bash", given, "ok", {"stdout": "ok", "stderr": "", "interrupted": False})
        script.says("Done.")
        script.write(scratch.transcript)
        assert autosave(world, SESSION, scratch.transcript, "farewell") is saved


def test_the_farewell_is_nowhere_in_it(
    world: World, project: Project, scratch: Scratch, session: Session
) -> None:
    script = session(scratch.root, SESSION)
    script.user("goodnight")
    script.write(scratch.transcript)
    assert autosave(world, SESSION, scratch.transcript, "farewell")
    assert "goodnight" not in (scratch.checkpoints / "autosave.md").read_text()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## Progress\n", "## Progress\n\n- Ask Ben for the key\n"),
        ("**Task:** ", "**Task:** Ask Ben for the key "),
        ("## Blockers\n", "## My notes\n\nAsk Ben for the key\n\n## Blockers\n"),
    ],
)
def test_what_the_user_wrote_into_it_survives_later_autosaves(
    world: World, project: Project, scratch: Scratch, old: str, new: str
) -> None:
    path = scratch.checkpoints / "autosave.md"
    assert autosave(world, SESSION, scratch.transcript, "idle")
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    for _ in range(2):
        assert autosave(world, SESSION, scratch.transcript, "idle")
        assert path.read_text().count("Ask Ben for the key") == 1


@pytest.mark.parametrize("whole", [True, False])
def test_what_another_session_would_overwrite_goes_to_the_trash(
    world: World, project: Project, scratch: Scratch, onward: Onward, session: Session, whole: bool
) -> None:
    path = scratch.checkpoints / "autosave.md"
    assert autosave(world, SESSION, scratch.transcript, "idle")
    text = (
        "Ask Ben\n"
        if whole
        else path.read_text().replace("## Progress\n", "## Progress\n\n- Ask Ben\n")
    )
    path.write_text(text)
    other = scratch.transcript.with_name("1b1c2d3e-4f50-4a61-8b72-9c83ad94be05.jsonl")
    session(scratch.root, other.stem).write(other)
    assert autosave(world, other.stem, other, "idle")
    assert "Ask Ben" not in path.read_text()
    assert onward("restore", "autosave", "--force").code == 0
    assert path.read_text() == text


def test_an_autosave_that_nobody_edited_leaves_no_trash(
    world: World, project: Project, scratch: Scratch, session: Session
) -> None:
    assert autosave(world, SESSION, scratch.transcript, "idle")
    other = scratch.transcript.with_name("1b1c2d3e-4f50-4a61-8b72-9c83ad94be05.jsonl")
    session(scratch.root, other.stem).write(other)
    assert autosave(world, other.stem, other, "idle")
    assert not world.trash.entries(project)
