"""The user's yes or no to a resume that waits."""
# ruff: noqa: RUF001 - people type their own script

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from onward.commands import autosave, resume
from onward.commands.resume import answer, plain
from onward.commands.world import World
from onward.storage import backups, live
from onward.storage.project import Project

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch

SESSION = "1c2d3e4f-5061-4b72-8c93-ad94be05c6d7"
NOW = datetime(2026, 3, 1, 16, 0, tzinfo=UTC)
NAME = "add-jwt-login"

YES = [
    "yes",
    "y",
    "Y",
    "Yes!",
    "yes.",
    "yes please",
    "yes, continue",
    "ok",
    "okay",
    "go ahead",
    "sure",
    "ja",
    "oui",
    "sí",
    "да",
    "はい",
    "네",
    "是",
    "好",
    "好的",
    "继续",
]
NO = [
    "no",
    "n",
    "N",
    "No.",
    "No!",
    "NO",
    "nope",
    "no thanks",
    "no, thank you",
    "nein",
    "non",
    "não",
    "нет",
    "いいえ",
    "不",
    "不要",
    "start fresh",
    "no, start fresh",
]
NEITHER = [
    "not now",
    "no problem",
    "no idea",
    "not yet",
    "nothing",
    "know",
    "yesterday",
    "maybe",
    "1",
    "y/n",
    "yes or no",
    "ok?",
    "next?",
    "what next",
    "\nyes, but first fix the test",
    "no, continue with the tests",
    "go ahead with option 2 and delete the rest",
    "don't delete it",
    "\nfix the login",
    "ok, who wrote this?",
    "restart the server",
    "是吗？",
    "不知道",
    "yes yes yes and then a lot of other words",
]


@pytest.fixture
def world(scratch: Scratch) -> World:
    env = {"USER": "maria"}
    return World(now=NOW, cwd=scratch.root, home=scratch.home, data=scratch.data, env=env)


@pytest.fixture
def project(world: World) -> Project:
    return world.project


def wait_for(world: World, project: Project, name: str) -> None:
    live.put(str(world.data), SESSION, "awaiting", "resume", name, str(project.root))


def waits(world: World) -> bool:
    return bool(live.get(str(world.data), SESSION, "awaiting"))


def test_only_a_plain_yes_is_one() -> None:
    assert [text for text in YES if plain(text) not in resume.YES - resume.NO] == []


def test_only_a_plain_no_is_one() -> None:
    assert [text for text in NO if plain(text) not in resume.NO - resume.YES] == []


def test_anything_else_is_no_answer() -> None:
    assert [text for text in NEITHER if plain(text) in resume.YES | resume.NO] == []


def test_yes_tells_the_next_action_and_empties_the_buffer(
    saved: Onward, world: World, project: Project
) -> None:
    autosave.add_exchange(world, "one", "two")
    wait_for(world, project, NAME)
    told = answer(world, SESSION, "yes")
    assert told.startswith("The user said yes: continue with: Fix the failing test run: `pytest")
    assert "] Human" not in project.buffer.read_text()
    assert not waits(world)


def test_paths_that_moved_are_named(
    saved: Onward, world: World, project: Project, scratch: Scratch
) -> None:
    scratch.git("rm", "-qf", "src/auth.py")
    wait_for(world, project, NAME)
    told = answer(world, SESSION, "yes")
    assert "Before that verify these paths again: src/auth.py" in told


@pytest.mark.parametrize("name", ["", "gone-since-then"])
def test_yes_without_a_checkpoint_points_at_the_briefing(
    name: str, world: World, project: Project
) -> None:
    wait_for(world, project, name)
    told = answer(world, SESSION, "yes")
    assert told == "The user said yes: continue with the next action of the briefing above."
    assert not waits(world)


def test_no_puts_the_checkpoint_into_the_trash_and_says_how_to_bring_it_back(
    saved: Onward, world: World, project: Project, scratch: Scratch
) -> None:
    autosave.add_exchange(world, "one", "two")
    wait_for(world, project, NAME)
    told = answer(world, SESSION, "no")
    assert f"onward restore {NAME}" in told
    assert "start fresh" in told
    assert not (scratch.checkpoints / f"{NAME}.md").exists()
    assert "] Human" in project.buffer.read_text()
    assert not waits(world)
    assert saved("restore", NAME).code == 0


@pytest.mark.parametrize("name", ["", "gone-since-then", "../../etc/passwd"])
def test_no_to_anything_else_deletes_nothing(
    name: str, saved: Onward, world: World, project: Project, scratch: Scratch
) -> None:
    wait_for(world, project, name)
    told = answer(world, SESSION, "no")
    assert "Nothing was deleted" in told
    assert (scratch.checkpoints / f"{NAME}.md").exists()
    assert not waits(world)


def test_another_prompt_may_come_between_but_not_two(
    saved: Onward, world: World, project: Project, scratch: Scratch
) -> None:
    wait_for(world, project, NAME)
    assert answer(world, SESSION, "what does it say about the token?") == ""
    assert waits(world)
    assert answer(world, SESSION, "and the test?") == ""
    assert not waits(world)
    assert answer(world, SESSION, "no") == ""
    assert (scratch.checkpoints / f"{NAME}.md").exists()


@pytest.mark.parametrize(
    ("prompts", "pending"),
    [(["yes"], False), (["no"], False), (["what?", "yes"], False), (["what?", "why?"], True)],
)
def test_an_answer_ends_the_waiting_of_the_backup_that_it_is_about(
    prompts: list[str], pending: bool, world: World, project: Project, scratch: Scratch
) -> None:
    transcript = scratch.home / "told.jsonl"
    transcript.write_text('{"type":"user"}\n')
    backup = backups.save(project, transcript, now=NOW)
    other = backups.save(project, transcript, now=NOW)
    assert backup
    record = ("resume", "", str(project.root), backup.name)
    live.put(str(world.data), SESSION, "awaiting", *record)
    for prompt in prompts:
        answer(world, SESSION, prompt)
    assert (backup in backups.pending(project)) == pending
    assert other in backups.pending(project)


@pytest.mark.parametrize(
    ("prompts", "is_offered"),
    [
        (["not now"], True),
        (["not now", "explain the parser"], True),
        (["not now", "yes"], False),
        (["no"], False),
    ],
)
def test_what_is_no_answer_leaves_the_backup_that_was_taken_in_on_offer(
    prompts: list[str], is_offered: bool, world: World, project: Project, scratch: Scratch
) -> None:
    transcript = scratch.home / "told.jsonl"
    transcript.write_text('{"type":"user"}\n')
    backup = backups.save(project, transcript, now=NOW)
    assert backup
    backups.process(project, [backup], None, now=NOW)
    at = f"at {NOW.timestamp()!r}"
    live.put(str(world.data), SESSION, "awaiting", "resume", "", str(project.root), at)
    for prompt in prompts:
        answer(world, SESSION, prompt)
    assert (backups.pending(project) == [backup]) == is_offered


def test_an_answer_after_one_other_prompt_counts(
    saved: Onward, world: World, project: Project
) -> None:
    wait_for(world, project, NAME)
    answer(world, SESSION, "what does it say about the token?")
    assert "continue with" in answer(world, SESSION, "ok")


@pytest.mark.parametrize(
    "record", [(), ("resume",), ("resume", NAME), ("delete", NAME, "."), ("resume", NAME, "/other")]
)
def test_a_record_that_is_none_of_ours_or_of_another_project_does_nothing(
    record: tuple[str, ...], saved: Onward, world: World, project: Project, scratch: Scratch
) -> None:
    live.put(str(world.data), SESSION, "awaiting", *record)
    assert answer(world, SESSION, "no") == ""
    assert (scratch.checkpoints / f"{NAME}.md").exists()
