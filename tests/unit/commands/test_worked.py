"""What counts as work: for a save of a session in which nothing was said, and for the next start."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.unit.commands.conftest import saved_place

from onward.commands import handover
from onward.commands.world import World
from onward.storage import sessions

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Script

    Empty = Callable[[Path, str], Script]

SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
TEMPLATE = "# Session State\n\n## Current Task\n\n## Key Decisions\n\n## Next Action\n"
FOREIGN = "## Decisions\n- Use tabs\n\n## Preferences\n- Always run the linter\n"
OWN = "## Task\nThe login\n"


@pytest.fixture
def empty(scratch: Scratch, empty_session: Empty) -> Script:
    """A session that was opened and greeted."""
    script = empty_session(scratch.root, SESSION)
    script.user("hi there")
    script.says("Hello! What shall we do?")
    script.write(scratch.transcript)
    return script


@pytest.mark.parametrize(("state", "saved"), [(TEMPLATE, False), (FOREIGN, False), (OWN, True)])
@pytest.mark.parametrize(
    "words", [["save", "add-login"], ["document"], ["protocol", "save"]], ids=lambda w: w[0]
)
def test_an_empty_session_is_saved_only_where_the_state_file_says_what_is_done(
    onward: Onward, scratch: Scratch, empty: Script, words: list[str], state: str, *, saved: bool
) -> None:
    assert empty.lines
    (scratch.root / "SESSION-STATE.md").write_text(state)
    answer = onward(*words)
    assert (answer.code == 0) is saved, answer.err


@pytest.mark.parametrize("state", [TEMPLATE, FOREIGN])
def test_without_a_session_foreign_decisions_are_no_work_either(
    onward: Onward, scratch: Scratch, state: str
) -> None:
    scratch.transcript.unlink()
    (scratch.root / "SESSION-STATE.md").write_text(state)
    assert onward("save", "add-login").code == 3


def test_a_title_is_no_bare_answer(onward: Onward, scratch: Scratch, empty_session: Empty) -> None:
    script = empty_session(scratch.root, SESSION)
    for words in ("yes", "Fix the cart total", "And round it half up", "goodnight"):
        script.user(words)
        script.says("Done.")
    script.write(scratch.transcript)
    [row] = onward("sessions", "--json").data
    assert row["title"] == "Fix the cart total"
    assert row["last_prompt"] == "goodnight"


class TestHandOver:
    @pytest.fixture
    def world(self, scratch: Scratch) -> World:
        now = datetime.now(UTC)
        return World(now=now, cwd=scratch.root, home=scratch.home, data=scratch.data, env={})

    @staticmethod
    def told(world: World, scratch: Scratch) -> str:
        return handover.handover(world, SESSION, scratch.transcript)

    def test_what_was_asked_and_never_answered_is_the_next_action(
        self, world: World, scratch: Scratch, empty_session: Empty
    ) -> None:
        script = empty_session(scratch.root, SESSION)
        script.user("Fix the cart total in src/cart.py")
        script.write(scratch.transcript)
        assert "Fix the cart total in src/cart.py" in self.told(world, scratch)

    @pytest.mark.parametrize("word", ["hello", "yes", "/resume-latest", "goodnight"])
    def test_a_bare_word_is_none(
        self, world: World, scratch: Scratch, empty_session: Empty, word: str
    ) -> None:
        script = empty_session(scratch.root, SESSION)
        script.user(word)
        script.write(scratch.transcript)
        assert self.told(world, scratch) == ""

    @pytest.mark.parametrize(
        ("since", "told"), [(2, "; 2 prompts since."), (1, "; 1 prompt since."), (0, ".")]
    )
    def test_what_it_was_saved_as_before_is_told(
        self, onward: Onward, world: World, scratch: Scratch, since: int, told: str
    ) -> None:
        assert "Saved before" not in self.told(world, scratch)
        assert onward("save", "add-jwt-login").code == 0
        sessions.count_since(str(scratch.data), SESSION, since)
        assert f"- Saved before that: `add-jwt-login`{told}\n" in self.told(world, scratch)
        (scratch.checkpoints / "add-jwt-login.md").unlink()
        assert "Saved before" not in self.told(world, scratch)

    @pytest.mark.parametrize(
        ("words", "command"),
        [
            (["save", "add-jwt-login"], "/checkpoint resume add-jwt-login"),
            (["document"], "/resume-from .claude/memory/session-"),
            (["document", "notes/hand-over.md"], "/resume-from notes/hand-over.md"),
            (["protocol", "save"], "/load-session-protocol"),
        ],
        ids=lambda value: value if isinstance(value, str) else " ".join(value),
    )
    def test_whatever_was_saved_last_is_the_saved_place(
        self, onward: Onward, world: World, scratch: Scratch, words: list[str], command: str
    ) -> None:
        assert onward("save", "older-work").code == 0
        os.utime(scratch.checkpoints / "older-work.md", (1e9, 1e9))
        assert onward(*words).code == 0
        text = saved_place(world)
        assert f"the user types {command}" in text
        assert len(text.splitlines()) == 2


def test_a_document_is_what_was_saved_last_wherever_it_lies(
    onward: Onward, scratch: Scratch
) -> None:
    assert onward("document", "notes/hand-over.md").code == 0
    answer = onward("backup", "resume")
    assert answer.code == 0
    assert "this is notes/hand-over.md" in answer.err


def test_records_that_cannot_be_read_are_none(scratch: Scratch) -> None:
    data = str(scratch.data)
    place = scratch.data / "live" / SESSION
    place.mkdir(parents=True)
    for text in ("", "a\n", f"checkpoint\nx\n{scratch.root}\n{scratch.transcript}\nmany\nnow\n"):
        (place / "saved").write_text(text)
        assert sessions.saved(data, SESSION, str(scratch.root)) is None
        assert sessions.saved_last(data, str(scratch.root)) == 0.0
    made = (sessions.CHECKPOINT, "x", str(scratch.transcript), 1.0)
    sessions.save(data, SESSION, "/gone", str(scratch.root), made)
    assert sessions.saved(data, SESSION, str(scratch.root)) is None


def test_a_path_for_machines_opens_the_file_or_is_left_out(
    onward: Onward, scratch: Scratch
) -> None:
    """A client's folder is named after the project's path, which may hold the user's name."""
    [row] = onward("sessions", "--json").data
    if row["path"]:
        assert Path(row["path"].replace("~", str(scratch.home), 1)).is_file()
    assert onward("brief", row["session"][:8]).code == 0
    folder = scratch.transcript.parent
    named = folder.with_name("-home-maria-shop")
    folder.rename(named)
    [row] = onward("sessions", "--json").data
    assert "maria" not in row["path"]
    assert row["path"] == ""
    assert onward("brief", row["session"][:8]).code == 0
