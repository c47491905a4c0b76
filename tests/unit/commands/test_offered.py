"""What a project offers to go on with, in which order, and what a yes, a no or neither does to it."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward.commands import offered, resume, source, thread
from onward.commands.world import World
from onward.model import Checkpoint as Saved
from onward.model import Clean, Item, Origin
from onward.storage import backups, ranking, sessions
from onward.storage.sessions import Running

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Script, Session

SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
ONE, TWO, THREE = (f"{n}b1c2d3e-4f50-4a61-8b72-9c83ad94be05" for n in (1, 2, 3))
NOW = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)
Keep = Callable[..., Path]


@pytest.fixture
def world(scratch: Scratch) -> World:
    return World(
        now=NOW, cwd=scratch.root, home=scratch.home, data=scratch.data, env={"USER": "maria"}
    )


@pytest.fixture
def keep(scratch: Scratch, world: World, session: Session) -> Keep:
    """Keeps a copy of a session that ended at an hour of 2026-03-08."""

    def copied(name: str, hour: int, standing: int = ranking.WORK) -> Path:
        source = scratch.home / f"{name}.jsonl"
        session(scratch.root, name).write(source)
        at = datetime(2026, 3, 8, hour, tzinfo=UTC)
        project = world.project
        made = backups.save(project, source, now=at, session=name, standing=standing)
        assert made
        return made

    scratch.transcript.unlink()
    return copied


def checkpoint(scratch: Scratch, name: str, hour: int, whose: str = "") -> Path:
    path = scratch.checkpoints / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    closing = f'\n<!-- onward:1 {{"origin":{{"session":"{whose}"}}}} -->\n' if whose else ""
    path.write_text(
        f"# Checkpoint: {name}\n\n**Task:** The task of {name}\n\n## Next Action\n\nRun make\n{closing}"
    )
    at = datetime(2026, 3, 8, hour, tzinfo=UTC).timestamp()
    os.utime(path, (at, at))
    return path


def names(world: World) -> list[str]:
    return [each.session[:1] or Path(each.word).name for each in offers(world).entries]


def offers(world: World) -> offered.Offers:
    return offered.offers(world)


def test_work_comes_first_then_what_was_saved_then_headless_runs_and_words(
    world: World, scratch: Scratch, keep: Keep
) -> None:
    keep(ONE, 9)
    keep(TWO, 10, ranking.HEADLESS)
    keep(THREE, 11, ranking.TRIVIAL)
    keep("4" + ONE[1:], 12, ranking.CHAT)
    checkpoint(scratch, "fix-the-cart", 8)
    assert names(world) == ["1", "fix-the-cart", "4", "2", "3"]
    listed = offered.rows(world, enumerate(offers(world).entries[2:], 1))
    for line, kind in zip(listed, ("short chat", "headless", "nothing done"), strict=True):
        assert f".jsonl · {kind} · " in line


@pytest.mark.parametrize("kind", [ranking.HEADLESS, ranking.TRIVIAL])
def test_a_headless_run_or_a_word_never_stands_before_a_saved_place(
    world: World, scratch: Scratch, keep: Keep, kind: int, onward: Onward
) -> None:
    checkpoint(scratch, "fix-the-cart", 8)
    keep(TWO, 10, kind)
    told = onward("backup", "resume")
    assert "📌 Resume: The task of fix-the-cart" in told.out
    assert backups.pending(world.project), "it waits on"
    assert "2. 20260308_100000.jsonl" in told.err
    assert onward("backup", "resume", "2").out.startswith("📌 Resume: ")
    assert not backups.pending(world.project)


def test_a_saved_place_and_a_later_backup_of_its_thread_are_one_row(
    world: World, scratch: Scratch, keep: Keep
) -> None:
    keep(ONE, 9)
    checkpoint(scratch, "fix-the-cart", 8, ONE)
    checkpoint(scratch, "sell-the-cart", 7, TWO)
    assert names(world) == ["1", "2"]
    (first, _) = offers(world).entries
    assert [each.word for each in first.also] == ["fix-the-cart"]
    told = offered.rows(world, [(1, first)])
    assert "saved before as `fix-the-cart`" in told[0]


def test_a_headless_session_that_was_saved_stands_where_its_saved_place_would(
    world: World, scratch: Scratch, keep: Keep
) -> None:
    checkpoint(scratch, "fix-the-cart", 8, ONE)
    checkpoint(scratch, "sell-the-cart", 7)
    keep(ONE, 9, ranking.HEADLESS)
    assert names(world) == ["1", "sell-the-cart"]


def test_what_a_session_was_shown_and_did_not_agree_to_is_offered_by_itself(
    world: World, scratch: Scratch, keep: Keep
) -> None:
    checkpoint(scratch, "fix-the-cart", 7, ONE)
    keep(TWO, 9)
    place: Saved = Saved(task=Item(text=Clean("x")), origin=Origin(session=ONE))
    thread.keep(world, "checkpoint", place, session=TWO)
    assert names(world) == ["2", "1"]


def test_the_list_of_sessions_has_the_same_last(
    scratch: Scratch, session: Session, empty_session: type[Script], onward: Onward
) -> None:
    folder = scratch.transcript.parent
    greeting = empty_session(scratch.root, TWO)
    greeting.user("good morning")
    greeting.says("Good morning!")
    greeting.write(folder / f"{TWO}.jsonl")
    os.utime(scratch.transcript, (NOW.timestamp() - 99, NOW.timestamp() - 99))
    rows = onward("sessions", "--json").data
    assert [(row["session"], row["trivial"]) for row in rows] == [(SESSION, False), (TWO, True)]
    assert "nothing done · " in onward("sessions").out.splitlines()[-1]


def test_so_is_what_a_session_took_up(world: World, scratch: Scratch, keep: Keep) -> None:
    checkpoint(scratch, "fix-the-cart", 7, ONE)
    keep(TWO, 9)
    place: Saved = Saved(task=Item(text=Clean("x")), origin=Origin(session=ONE))
    thread.keep(world, "checkpoint", place, agreed=True, session=TWO)
    assert names(world) == ["2"]


def test_a_session_that_is_open_elsewhere_is_told_and_not_offered(
    world: World, scratch: Scratch, keep: Keep, onward: Onward
) -> None:
    copy, root = keep(ONE, 9), str(scratch.root.resolve())
    pid = str(os.getpid())
    source = str(scratch.home / f"{ONE}.jsonl")
    sessions.run(str(world.data), ONE, Running(pid, sessions.began(pid), root, "", source))
    assert names(world) == []
    told = onward("backup", "resume")
    assert told.code == 3
    assert "open in another window, not offered: 20260308_090000.jsonl" in told.err
    assert backups.pending(world.project) == [copy]
    keep(TWO, 8)
    told = onward("document", "list")
    assert "open in another window" in told.out
    sessions.end(str(world.data), ONE)
    assert names(world) == ["1", "2"]


def test_of_many_three_are_told_and_the_rest_is_counted(world: World, keep: Keep) -> None:
    for hour in range(1, 9):
        keep(f"{hour}{ONE[1:]}", hour)
    told = offered.rows(world, enumerate(offers(world).entries, 1))
    assert [line[:2] for line in told] == ["1.", "2.", "3.", "an"]
    assert told[-1] == "and 5 more"
    assert "Use RS256" in told[0]
    assert "old" in told[0]
    assert "turn finished" in told[0]


class TestAnswers:
    """To `/resume-latest` where no backup waits, so that a saved place was shown."""

    @pytest.fixture
    def asked(self, world: World, scratch: Scratch) -> World:
        scratch.transcript.unlink()
        checkpoint(scratch, "sell-the-cart", 7)
        path = checkpoint(scratch, "fix-the-cart", 8)
        open_ = sessions.Question("", str(scratch.root), at=NOW.timestamp(), file=str(path))
        sessions.ask(str(world.data), ONE, open_)
        return world

    @staticmethod
    def say(world: World, text: str) -> str:
        return str(resume.answer(world, ONE, text))

    def test_no_offers_it_no_more_and_deletes_nothing(self, asked: World, scratch: Scratch) -> None:
        assert names(asked) == ["fix-the-cart", "sell-the-cart"]
        assert "Nothing was deleted" in self.say(asked, "no")
        assert names(asked) == ["sell-the-cart"]
        assert (scratch.checkpoints / "fix-the-cart.md").exists()
        assert source.newest_place(asked) == "sell-the-cart"
        checkpoint(scratch, "fix-the-cart", 9)
        assert names(asked) == ["fix-the-cart", "sell-the-cart"], "it was saved again"

    @pytest.mark.parametrize("text", ["not now", "what is it about?", "later, fix the test first"])
    def test_what_is_no_answer_changes_nothing(self, asked: World, text: str) -> None:
        assert self.say(asked, text) == ""
        assert names(asked) == ["fix-the-cart", "sell-the-cart"]

    @pytest.mark.parametrize(("day", "is_new"), [(7, True), (9, False)])
    def test_yes_brings_an_older_active_context_up_to_date(
        self, asked: World, day: int, is_new: bool
    ) -> None:
        context = asked.project.active_context
        context.parent.mkdir(parents=True)
        context.write_text(
            f"# Active Context\n\n**Updated:** 2026-03-0{day} 10:00 GMT\n\n**Task:** x\n"
        )
        self.say(asked, "yes")
        assert ("The task of fix-the-cart" in context.read_text()) == is_new


def test_the_numbers_hold_while_the_first_has_no_answer(
    world: World, scratch: Scratch, keep: Keep, onward: Onward, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (keep(name, hour) for name, hour in ((ONE, 9), (TWO, 8), (THREE, 7)))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "9" + ONE[1:])
    project = world.project

    def resume(words: str, shell: int) -> str:
        from onward.commands import slash  # noqa: PLC0415 - as the command line does

        there = World(
            now=NOW, cwd=world.cwd, home=world.home, data=world.data, env=dict(os.environ)
        )
        return str(slash.run(there, "resume-latest", "", f'"\n{words}\n"\n', str(shell)))

    told = resume("", 1)
    assert f"Taken in: .claude/memory/raw/{first.name}" in told
    assert f"2. {second.name}" in told
    assert f"3. {third.name}" in told
    assert f"Taken in: .claude/memory/raw/{third.name}" in resume("3", 2)
    assert backups.pending(project) == [first, second]


def test_pending_copies_are_bounded_too(world: World, keep: Keep) -> None:
    copies = [keep(f"{hour}{ONE[1:]}", hour) for hour in range(1, 8)]
    project = world.project
    gone = backups.prune(project, now=NOW, most=3)
    assert gone == copies[:4]
    assert backups.pending(project) == copies[:3:-1]
    size = copies[-1].stat().st_size
    assert backups.prune(project, now=NOW, cap=size) == copies[4:6]
    assert backups.pending(project) == copies[6:]
    backups.process(project, [], None, now=NOW)
    assert backups.prune(project, now=NOW, cap=0) == [], "the one that is offered stays"


def test_what_was_put_aside_without_onward_goes_first(world: World, keep: Keep) -> None:
    old, new = keep(ONE, 7), keep(TWO, 8)
    aside = new.parent / "discarded" / "20260308_060000.jsonl"
    aside.parent.mkdir()
    aside.write_bytes(old.read_bytes())
    project = world.project
    assert backups.prune(project, now=NOW, most=3) == []
    assert backups.prune(project, now=NOW, most=2) == [aside]
    assert [each.path for each in backups.entries(project)] == [new, old]


def test_a_trivial_one_goes_before_older_work(world: World, keep: Keep) -> None:
    work = keep(ONE, 7)
    trivial = keep(TWO, 8, ranking.TRIVIAL)
    newest = keep(THREE, 9)
    assert backups.prune(world.project, now=NOW, most=2) == [trivial]
    assert backups.pending(world.project) == [newest, work]
