"""Real transcripts with damage: whatever stands in a file, a reader says so and goes on."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from onward.errors import OnwardError
from onward.transcripts import registry

SESSIONS = sorted(Path(__file__).parents[1].glob("golden/sessions/**/*.jsonl"))
MUTANTS = 400


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
        client.facts(data[:65536])
        for line in data.splitlines():
            with suppress(ValueError):  # the line is counted as unreadable
                registry.records(client, line)


@pytest.mark.parametrize("seed", range(8))
def test_no_damage_ends_in_an_internal_error(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "5e551011-0000-4000-8000-00000000000f.jsonl"
    dice = random.Random(seed)
    for number in range(MUTANTS // 8):
        data = bytearray(dice.choice(SESSIONS).read_bytes())
        for _ in range(dice.randrange(1, 6)):
            dice.choice(DAMAGE)(data, dice)
            if not data:
                break
        path.write_bytes(data)
        try:
            _read(path)
        except Exception as error:
            error.add_note(f"seed {seed}, mutant {number}")
            raise
