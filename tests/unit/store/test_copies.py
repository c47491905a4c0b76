"""Copies of a transcript that is still being written."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onward.errors import StorageError
from onward.store import atomic, copies

LINE = b'{"type":"user","text":"hi"}\n'


def copy(source: Path, into: Path) -> bytes:
    with copies.copied(source, into) as new:
        return new.read_bytes()


@pytest.mark.parametrize(
    ("tail", "kept"),
    [
        (b"", b""),
        (b'{"type":"assis', b""),
        (b'{"type":"assistant"}', b'{"type":"assistant"}'),
        (b'"torn string', b""),
        (b'{"bad":"\xff"}', b""),
        (b"x" * 200_000, b""),
        (
            json.dumps({"long": "y" * 200_000}).encode(),
            json.dumps({"long": "y" * 200_000}).encode(),
        ),
    ],
    ids=["whole", "torn", "whole without break", "string", "no utf-8", "long torn", "long whole"],
)
def test_a_copy_ends_after_the_last_complete_record(
    tmp_path: Path, tail: bytes, kept: bytes
) -> None:
    source = tmp_path / "s.jsonl"
    source.write_bytes(LINE * 3 + tail)
    assert copy(source, tmp_path / "raw") == LINE * 3 + kept


def test_a_file_with_nothing_but_a_torn_line_gives_an_empty_copy(tmp_path: Path) -> None:
    source = tmp_path / "s.jsonl"
    source.write_bytes(b'{"type":')
    assert copy(source, tmp_path / "raw") == b""


@settings(max_examples=60, deadline=None)
@given(lines=st.lists(st.binary(max_size=40).map(lambda b: b.replace(b"\n", b"")), max_size=8))
def test_a_copy_is_always_a_beginning_of_its_source(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("law")
    source = folder / "s.jsonl"
    source.write_bytes(b"\n".join(lines))
    got = copy(source, folder / "raw")
    assert source.read_bytes().startswith(got)
    assert source.read_bytes()[len(got) :].count(b"\n") == 0


@pytest.mark.skipif(os.name == "nt", reason="modes as POSIX has them")
def test_a_copy_is_private_whatever_its_source_is(tmp_path: Path) -> None:
    source = tmp_path / "s.jsonl"
    source.write_bytes(LINE)
    source.chmod(0o644)
    with copies.copied(source, tmp_path / "raw") as new:
        assert stat.S_IMODE(new.stat().st_mode) == 0o600
        assert stat.S_IMODE(new.parent.stat().st_mode) == 0o700


def test_a_copy_that_nobody_named_is_removed(tmp_path: Path) -> None:
    source = tmp_path / "s.jsonl"
    source.write_bytes(LINE)
    copy(source, tmp_path / "raw")
    assert list((tmp_path / "raw").iterdir()) == []


def test_a_renamed_copy_stays(tmp_path: Path) -> None:
    source = tmp_path / "s.jsonl"
    source.write_bytes(LINE)
    with copies.copied(source, tmp_path / "raw") as new:
        atomic.rename(new, tmp_path / "raw" / "a.jsonl")
    assert [path.name for path in (tmp_path / "raw").iterdir()] == ["a.jsonl"]


@pytest.mark.parametrize("what", ["missing", "folder"])
def test_a_source_that_is_no_file_is_told(tmp_path: Path, what: str) -> None:
    source = tmp_path / "s.jsonl"
    if what == "folder":
        source.mkdir()
    with pytest.raises(StorageError):
        copy(source, tmp_path / "raw")
    assert list((tmp_path / "raw").iterdir()) == []
