"""The lines of a file that a search lets through, and where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sampling import examples

from onward.transcripts import disk

FILES = st.lists(st.text("ab\u00e9", max_size=30), max_size=12)


def every(data: bytes, end: int) -> Iterator[tuple[int, int]]:
    at = 0
    while at < end:
        stop = data.find(b"\n", at, end) + 1 or end
        yield at, stop
        at = stop


def all_lines(path: Path) -> list[tuple[int, bytes]]:
    return [*disk.passing(path, every, lambda _: None, lambda _: None)]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces and longest lines of a few bytes."""
    monkeypatch.setattr(disk, "CHUNK", 8)
    monkeypatch.setattr(disk, "LIMIT", 64)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("packed", [False, True])
def test_every_line_comes_with_its_place(tmp_path: Path, packed: bool) -> None:
    @settings(max_examples=examples(40))
    @given(FILES, st.booleans())
    def law(texts: list[str], ended: bool) -> None:
        data = "\n".join(texts).encode() + b"\n" * ended
        path = tmp_path / ("a.jsonl.zst" if packed else "a.jsonl")
        path.write_bytes(zstd.compress(data) if packed else data)
        whole = data.splitlines(keepends=True)
        places = [sum(map(len, whole[:number])) for number in range(len(whole))]
        assert all_lines(path) == [*zip(places, whole, strict=True)]

    law()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("length", [63, 64, 65, 72, 200, 1000])
def test_a_line_that_is_too_long_costs_only_itself(tmp_path: Path, length: int) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\n" + b"x" * length + b"\ntwo\nthree\n")
    found = [(at, raw) for at, raw in all_lines(path) if b"x" not in raw and raw != b"\n"]
    assert found == [(0, b"one\n"), (5 + length, b"two\n"), (9 + length, b"three\n")]
    assert [raw for _, raw in all_lines(path)][2:] == [b"two\n", b"three\n"]  # counted as one


def test_what_was_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\ntwo\n" * 1000)
    told: list[int] = []
    assert len([*disk.passing(path, every, lambda _: None, told.append)]) == 2000
    assert sum(told) == 8000


def test_a_file_that_was_compressed_meanwhile_is_read_under_its_other_name(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.zst").write_bytes(zstd.compress(b"one\n"))
    assert all_lines(tmp_path / "a.jsonl") == [(0, b"one\n")]
