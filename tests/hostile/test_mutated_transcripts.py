"""Real transcripts with damage: whatever stands in a file, a reader says so and goes on, and every verb too.

With `ONWARD_HOSTILE=all` 5,000 files go through all verbs; with `--corpus=DIR` they are drawn from real ones too.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from tests.canary.machine import Machine
from tests.sampling import everything

from onward.cli import BUG
from onward.errors import OnwardError
from onward.transcripts import registry

SESSIONS = sorted(Path(__file__).parents[1].glob("golden/sessions/**/*.jsonl"))
IS_WHOLE = os.environ.get("ONWARD_HOSTILE") == "all"
MUTANTS = 5000 if IS_WHOLE else 2000 if everything() else 400
THROUGH_VERBS = MUTANTS if IS_WHOLE else MUTANTS // 10
SHARES = 8
LARGEST = 200_000
"""Bytes of a file that is taken from a corpus: its beginning."""
HELD = re.compile(rb'("cwd":)"(?:[^"\\]|\\.)*"')
OF_A_FILE: tuple[tuple[str, ...], ...] = (
    *(("distill", "FILE"), ("brief", "FILE"), ("view", "FILE")),
    *(("show", "PLACE", "--session", "FILE"), ("save", "fix-login", "--session", "FILE", "--force")),
    *(("resume", "fix-login"), ("check", "fix-login"), ("document", "--session", "FILE")),
    ("protocol", "save", "--session", "FILE"),
)  # fmt: skip
OF_ALL: tuple[tuple[str, ...], ...] = (
    *(("sessions", "--all"), ("sessions",), ("search", "the"), ("why", "src/app.py")),
    *(("--all",), (), ("list",), ("doctor",)),
)


def _byte(data: bytearray, dice: random.Random) -> None:
    data[dice.randrange(len(data))] = dice.randrange(256)


def _invalid(data: bytearray, dice: random.Random) -> None:
    at = dice.randrange(len(data))
    data[at:at] = dice.choice(
        (b"\xbb", b"\xff\xfe", b"\xed\xa0\x80", b"\\ud800", b"\x00", b"\\u0000")
    )


def _cut(data: bytearray, dice: random.Random) -> None:
    at = dice.randrange(len(data))
    del data[at : at + dice.choice((1, 7, 400, 40_000))]


def _value(data: bytearray, dice: random.Random) -> None:
    """Another type where a value stands."""
    if found := list(re.finditer(rb'":("[^"\\]*"|\d+|true|false|null)', data)):
        start, end = dice.choice(found).span(1)
        data[start:end] = dice.choice((b"null", b"[]", b"{}", b"17", b'"x"', b"[[[[]]]]", b"1e999"))


def _lines(data: bytearray, dice: random.Random) -> None:
    """Lines in another order, and some twice."""
    lines = bytes(data).splitlines(keepends=True)
    at, to = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[at], lines[to] = lines[to], lines[at] * 2
    data[:] = b"".join(lines)


DAMAGE: tuple[Callable[[bytearray, random.Random], None], ...] = (
    _byte,
    _invalid,
    _cut,
    _value,
    _lines,
)


def _read(path: Path) -> None:
    """All that a verb reads of a file: its events, its facts, and what a search looks through."""
    try:
        for _ in registry.open_transcript(path):
            pass
    except OnwardError as error:
        assert error.hint or error.message  # noqa: PT017 - a clear sentence, and no crash
    data = path.read_bytes()
    if client := registry.client_of(data[:65536]):
        client.reader.facts(data[:65536])
        for line in data.splitlines():
            with suppress(ValueError):  # the line is counted as unreadable
                client.reader.heard(line)


def _damaged(data: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.randrange(1, 6)):
        if changed:
            dice.choice(DAMAGE)(changed, dice)
    return bytes(changed)


@pytest.fixture(scope="module")
def sessions(request: pytest.FixtureRequest) -> list[bytes]:
    """What is damaged: our own sessions, and the beginnings of those of a corpus."""
    corpus = request.config.getoption("--corpus")
    files = sorted(Path(corpus).rglob("*.jsonl")) if corpus else []
    heads = [path.read_bytes()[:LARGEST] for path in files]
    return [path.read_bytes() for path in SESSIONS] + [head for head in heads if head]


@pytest.mark.parametrize("seed", range(SHARES))
def test_no_damage_ends_in_an_internal_error(
    seed: int, tmp_path: Path, sessions: list[bytes]
) -> None:
    path = tmp_path / "5e551011-0000-4000-8000-00000000000f.jsonl"
    dice = random.Random(seed)
    for number in range(MUTANTS // SHARES):
        path.write_bytes(_damaged(dice.choice(sessions), dice))
        try:
            _read(path)
        except Exception as error:
            error.add_note(f"seed {seed}, mutant {number}")
            raise


@pytest.mark.parametrize("seed", range(SHARES))
def test_no_damage_ends_a_verb(seed: int, tmp_path: Path, sessions: list[bytes]) -> None:
    machine = Machine(tmp_path)
    machine.git("init", "-q", "-b", "main")
    here = str(machine.root).encode()
    dice = random.Random(1000 + seed)
    for number in range(THROUGH_VERBS // SHARES):
        # Held in this project, so that the verbs which look for its sessions find it.
        held = HELD.sub(rb'\1"' + here + b'"', dice.choice(sessions))
        path = machine.transcript(f"{number:08}-0000-4000-8000-{seed:012}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_damaged(held, dice))
        place = f"t:{dice.randrange(1, 40)}"
        for verb in OF_A_FILE:
            words = [{"FILE": str(path), "PLACE": place}.get(word, word) for word in verb]
            said = machine.onward(*words)
            assert said.code != BUG, (seed, number, verb, said.err)
        if number % 64 and number != THROUGH_VERBS // SHARES - 1:
            continue
        for verb in OF_ALL:
            said = machine.onward(*verb)
            assert said.code != BUG, (seed, number, verb, said.err)
    assert len(list(machine.transcript().parent.iterdir())) == THROUGH_VERBS // SHARES
