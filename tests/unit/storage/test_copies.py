"""Copies of a transcript that is still being written."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sampling import examples

from onward.errors import StorageError
from onward.storage import atomic

LINE = b'{"type":"user","text":"hi"}\n'


def copy(source: Path, into: Path) -> bytes:
    with atomic.copied(source, into) as new:
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


def refuse(*_: object) -> int:
    raise OSError(errno.EINVAL, "not on this disk")


@pytest.mark.skipif(not hasattr(os, "sendfile"), reason="the system has none")
class TestWithinTheKernel:
    def test_it_is_copied_in_as_many_steps_as_it_takes(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        source, send = tmp_path / "s.jsonl", os.sendfile
        source.write_bytes(LINE * 100)
        monkeypatch.setattr(atomic, "_STEP", 64)
        # A kernel may send less than it was asked for.
        monkeypatch.setattr(
            os, "sendfile", lambda to, of, at, count: send(to, of, at, max(1, count // 2))
        )
        assert copy(source, tmp_path / "raw") == LINE * 100

    @pytest.mark.parametrize("call", ["sendfile", "posix_fadvise"])
    def test_where_it_cannot_be_done_it_is_done_otherwise(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
    ) -> None:
        source = tmp_path / "s.jsonl"
        source.write_bytes(LINE * 100)
        monkeypatch.setattr(atomic, "_STEP", 64)
        monkeypatch.setattr(os, call, refuse, raising=False)
        assert copy(source, tmp_path / "raw") == LINE * 100

    def test_one_that_shrinks_meanwhile_is_copied_as_far_as_it_goes(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        source, send = tmp_path / "s.jsonl", os.sendfile
        source.write_bytes(LINE * 10)

        def shrinking(to: int, of: int, at: int, count: int) -> int:
            sent = send(to, of, at, min(count, len(LINE) * 4))
            os.truncate(source, len(LINE) * 4)
            return sent

        monkeypatch.setattr(os, "sendfile", shrinking)
        assert copy(source, tmp_path / "raw") == LINE * 4


def test_a_file_with_nothing_but_a_torn_line_gives_an_empty_copy(tmp_path: Path) -> None:
    source = tmp_path / "s.jsonl"
    source.write_bytes(b'{"type":')
    assert copy(source, tmp_path / "raw") == b""


@settings(max_examples=examples(60), deadline=None)
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
    with atomic.copied(source, tmp_path / "raw") as new:
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
    with atomic.copied(source, tmp_path / "raw") as new:
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


class Ended(BaseException):
    """As a signal ends a process."""


@pytest.mark.skipif(not hasattr(os, "sendfile"), reason="the system has none")
class TestResumed:
    @pytest.fixture
    def source(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A copy of which the first ten of a hundred steps were made."""
        source, send, steps = tmp_path / "s.jsonl", os.sendfile, iter(range(10))
        source.write_bytes(LINE * 100)
        monkeypatch.setattr(atomic, "_STEP", len(LINE))

        def ending(to: int, of: int, at: int, count: int) -> int:
            if next(steps, None) is None:
                raise Ended
            return send(to, of, at, count)

        monkeypatch.setattr(os, "sendfile", ending)
        with pytest.raises(Ended), atomic.copied(source, tmp_path / "raw", "one"):
            pass
        monkeypatch.setattr(os, "sendfile", send)
        return source

    def test_only_the_rest_is_copied(
        self, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sent: list[int] = []
        send = os.sendfile

        def counting(to: int, of: int, at: int, count: int) -> int:
            sent.append(at)
            return send(to, of, at, count)

        monkeypatch.setattr(os, "sendfile", counting)
        with atomic.copied(source, tmp_path / "raw", "one") as new:
            assert new.read_bytes() == source.read_bytes()
        assert sent[0] == 10 * len(LINE)
        assert list((tmp_path / "raw").iterdir()) == []

    @pytest.mark.parametrize("place", [0, 9])
    def test_what_is_no_beginning_of_the_source_is_copied_anew(
        self, source: Path, tmp_path: Path, place: int
    ) -> None:
        [part] = (tmp_path / "raw").iterdir()
        data = bytearray(part.read_bytes())
        data[place * len(LINE)] = 0
        part.write_bytes(data)
        with atomic.copied(source, tmp_path / "raw", "one") as new:
            assert new.read_bytes() == source.read_bytes()

    def test_one_of_another_name_is_left_alone_for_a_week(
        self, source: Path, tmp_path: Path
    ) -> None:
        raw = tmp_path / "raw"
        [part] = raw.iterdir()
        copy(source, raw)
        assert part.exists()
        os.utime(part, (0, 0))
        copy(source, raw)
        assert not part.exists()
