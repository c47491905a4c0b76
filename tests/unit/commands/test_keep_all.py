"""`onward keep`: transcripts that stay when their client deletes them."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from onward.cli import Call
from onward.commands import backup

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session

HELPER = "a1b2c3d4e5f6a7b8c"


@pytest.fixture
def archive(scratch: Scratch) -> Path:
    return scratch.data / "archive"


def files(archive: Path) -> list[Path]:
    return sorted(path for path in archive.rglob("*") if path.is_file())


def gone(scratch: Scratch) -> None:
    """The client deletes the session, as it does after 30 days."""
    scratch.transcript.unlink()


def test_what_was_kept_is_found_when_the_client_has_deleted_it(
    onward: Onward, scratch: Scratch, archive: Path
) -> None:
    before = onward("distill", scratch.transcript.stem).out
    answer = onward("keep", "--all", "--json")
    assert (answer.code, answer.data["new"]) == (0, 1)
    assert [stat.S_IMODE(path.stat().st_mode) for path in files(archive)] == [0o600]
    assert len(onward("sessions", "--json").data) == 1
    gone(scratch)
    id_ = scratch.transcript.stem
    assert [row["session"] for row in onward("sessions", "--json").data] == [id_]
    assert onward("distill", id_).out == before
    assert "## Where it stopped" in onward("brief", id_).out
    assert "RS256" in onward("resume").out
    assert onward("show", id_, "t:1").code == 0
    found = onward("search", "RS256", "--json").data["hits"]
    assert found[0]["session"] == id_
    assert onward("save", "add-jwt-login", "--session", id_).code == 0
    assert [row["wanted"] for row in onward("--json").data] != []


def test_a_sub_agents_file_is_kept_with_its_session(
    onward: Onward, scratch: Scratch, session: Session, archive: Path
) -> None:
    helper = session(scratch.root, scratch.transcript.stem)
    place = scratch.transcript.with_suffix("") / "subagents" / f"agent-{HELPER}.jsonl"
    helper.write(place)
    assert onward("keep", scratch.transcript.stem).code == 0
    gone(scratch)
    place.unlink()
    assert len(files(archive)) == 2
    assert len(onward("sessions", "--json").data) == 1
    found = onward("show", scratch.transcript.stem, f"t:{HELPER}:1")
    assert found.code == 0, found.err


def test_again_adds_what_is_new_and_never_loses_what_was_there(
    onward: Onward, scratch: Scratch, archive: Path
) -> None:
    whole = scratch.transcript.read_bytes()
    half = whole[: whole.rfind(b"\n", 0, len(whole) // 2) + 1]

    def told(data: bytes, second: int) -> tuple[int, int, int]:
        scratch.transcript.write_bytes(data)
        os.utime(scratch.transcript, (second, second))
        found = onward("keep", "--all", "--json").data
        return found["new"], found["renewed"], found["known"]

    assert told(half, 1) == (1, 0, 0)
    assert told(half, 1) == (0, 0, 1)
    assert told(whole, 2) == (0, 1, 0)
    assert told(half, 3) == (0, 0, 1)  # cut: ours holds more
    assert len(files(archive)) == 1
    assert told(whole.replace(b"RS256", b"ES256"), 4) == (0, 1, 0)
    assert len(files(archive)) == 2
    gone(scratch)
    assert len(onward("sessions", "--json").data) == 1
    assert "ES256" in onward("brief", scratch.transcript.stem).out


def test_the_same_session_in_two_folders_is_kept_once(
    onward: Onward, scratch: Scratch, archive: Path
) -> None:
    other = scratch.transcript.parent.with_name("-other") / scratch.transcript.name
    other.parent.mkdir()
    other.write_bytes(scratch.transcript.read_bytes())
    assert onward("keep", "--all").code == 0
    assert len(files(archive)) == 1


def test_a_session_is_kept_as_it_ends_once_that_was_asked_for(
    onward: Onward, scratch: Scratch, archive: Path
) -> None:
    world = Call().world
    backup.keep_ended(world, scratch.transcript)
    assert not archive.exists()
    archive.mkdir(parents=True)
    backup.keep_ended(world, scratch.transcript)
    gone(scratch)
    assert "RS256" in onward("brief", scratch.transcript.stem).out


def test_a_torn_one_is_kept_and_read_as_far_as_it_goes(onward: Onward, scratch: Scratch) -> None:
    scratch.transcript.write_bytes(scratch.transcript.read_bytes()[:-40])
    told = onward("doctor", "--json").data["findings"]
    (found,) = [each for each in told if each["subject"] == "transcripts"]
    assert found["level"] == "warning"
    assert found["text"].endswith(f"{scratch.transcript.name} ends in the middle of a record")
    # Of a path the name of the home folder is taken out, also where a client made one word of it.
    assert found["advice"] == f"onward brief {scratch.transcript.stem}"
    assert onward(*found["advice"].split()[1:]).code == 0
    assert onward("keep", "--all").code == 0
    gone(scratch)
    assert "RS256" in onward("brief", scratch.transcript.stem).out


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads anything")
def test_one_that_cannot_be_read_is_told_and_the_others_are_kept(
    onward: Onward, scratch: Scratch
) -> None:
    closed = scratch.transcript.with_name("ffffffff-4f50-4a61-8b72-9c83ad94be05.jsonl")
    closed.write_text("{}")
    closed.chmod(0)
    answer = onward("keep", "--all")
    assert answer.out.startswith("1 transcript kept: 1 new")
    assert f"not kept: {closed}" in answer.err.replace("~", str(scratch.home))


def test_the_clients_own_resume_of_a_deleted_session_is_refused(
    onward: Onward, scratch: Scratch
) -> None:
    onward("keep", "--all")
    gone(scratch)
    answer = onward("go", scratch.transcript.stem, "--native", "--dry-run")
    assert answer.code == 2
    assert "claude has deleted that session" in answer.err


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Somebody at a terminal, who answers every question so; what they are asked."""

    def given(answer: str) -> list[str]:
        asked: list[str] = []

        def ask(question: str, **_: object) -> bool:
            asked.append(question)
            if not answer:
                raise click.Abort
            return answer == "y"

        monkeypatch.setattr(Call, "asking", True)
        monkeypatch.setattr(click, "confirm", ask)
        return asked

    return given


@pytest.mark.parametrize("answer", ["y", "n", ""])
def test_an_installation_asks_once_whether_to_keep_them(
    onward: Onward,
    scratch: Scratch,
    archive: Path,
    answers: Callable[[str], list[str]],
    answer: str,
) -> None:
    asked = answers(answer)
    assert onward("install", "--dry-run").code == 0
    assert onward("install", "--json").code == 0
    assert asked == []
    first = onward("install")
    assert first.code == 0
    assert len(asked) == 1
    assert "archive" in asked[0]
    assert "Clients delete" not in first.out
    assert len(files(archive)) == (answer == "y")
    for words in (["--user"], ["--codex"], []):
        assert onward("install", *words).code == 0
    assert len(asked) == 1


def test_where_nobody_is_there_to_answer_nothing_is_asked_or_kept(
    onward: Onward, archive: Path, answers: Callable[[str], list[str]]
) -> None:
    assert "onward keep --all" in onward("install").out
    assert not archive.exists()
    asked = answers("n")
    onward("install")
    assert len(asked) == 1


def test_yes_before_the_first_session_keeps_the_first_session(
    onward: Onward, scratch: Scratch, archive: Path, answers: Callable[[str], list[str]]
) -> None:
    whole = scratch.transcript.read_bytes()
    gone(scratch)
    answers("y")
    assert onward("install").code == 0
    scratch.transcript.write_bytes(whole)
    backup.keep_ended(Call().world, scratch.transcript)
    assert len(files(archive)) == 1


@pytest.mark.parametrize("words", [[], ["--all", "0b1c2d3e"], ["no-such"]])
def test_what_is_to_be_kept_must_be_said(onward: Onward, archive: Path, words: list[str]) -> None:
    answer = onward("keep", *words)
    assert answer.code in {2, 3}
    assert "  try: onward " in answer.err
    assert not archive.exists()


def test_what_a_briefing_of_a_clients_own_file_says_to_type_leads_to_it(
    onward: Onward, scratch: Scratch
) -> None:
    told = onward("brief", str(scratch.transcript)).out
    (words,) = re.findall(r"`onward (show --session \S+ t:\d+)` prints a place", told)
    assert scratch.transcript.stem in words.split()
    assert onward(*words.split()).code == 0
