from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from onward.cli.verbs.demo import Scratch
from onward.transcripts.registry import open_transcript

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "src/onward/samples/tally"
KEPT = [SAMPLE, *sorted((ROOT / "tests/golden/sessions").iterdir())]
COMMIT = re.compile(r"^\[[\w/-]+ ([0-9a-f]{7})\] (.+)$", re.MULTILINE)
HARNESS = ("prompt_snapshot", "skill_listing", "agent_listing_delta", "instructions", "environment")
each = pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.name)


def lines(kept: Path) -> Iterator[str]:
    for path in kept.rglob("*.jsonl"):
        yield from path.read_text("utf-8").splitlines()


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


@each
def test_a_session_is_small_enough_to_keep(kept: Path) -> None:
    assert all(path.stat().st_size < 100_000 for path in kept.rglob("*") if path.is_file())


def test_all_sessions_together_are_small_enough_to_keep() -> None:
    files = [path for kept in KEPT for path in kept.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 700_000


@each
def test_a_session_names_no_folder_but_its_persons(kept: Path) -> None:
    places = set(
        re.findall(r"(?<![\w.~*-])/(?:home|root|work|Users|tmp)/[\w.-]+", "\n".join(lines(kept)))
    )
    assert places <= {"/home/ada", "/tmp/claude-0", "/tmp/pytest-of-ada"}


@each
def test_a_session_holds_no_words_of_the_client(kept: Path) -> None:
    for line in lines(kept):
        record = json.loads(line)
        beside = record.get("attachment", {})
        if beside.get("type") in HARNESS:
            assert not [text for text in strings(beside) if len(text) > 20], beside["type"]


@each
def test_a_session_is_read_without_a_problem(kept: Path) -> None:
    transcript = open_transcript(kept / "session.jsonl")
    assert len(list(transcript)) > 5
    assert not transcript.problems


@each
def test_the_repository_is_made_anew_with_the_commits_of_the_session(kept: Path) -> None:
    said = {
        found
        for line in lines(kept)
        if isinstance(result := json.loads(line).get("toolUseResult"), dict)
        for found in COMMIT.findall(result.get("stdout", ""))
    }
    with Scratch(kept=kept) as scratch:
        log = scratch.run("git log --abbrev=7 --format=%h%x09%s").splitlines()
        assert said <= {tuple(line.split("\t")) for line in log}
        assert scratch.transcript.is_file()


def test_the_sample_is_left_with_changes_that_are_not_committed() -> None:
    with Scratch() as scratch:
        changed = scratch.run("git status --porcelain").split("\n")
    assert changed == [" M src/tally/cli.py", " M tests/test_cli.py", ""]


def test_every_run_of_the_scratch_prints_the_same() -> None:
    def play() -> str:
        with Scratch() as scratch:
            scratch.run("onward save add-currency-option")
            scratch.pass_time(days=3)
            return scratch.run("onward list") + scratch.run("onward resume --yes")

    assert play() == play()
