"""The machine's key: made once, whole, private, and never over another one."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from onward.storage import machine


def names(data: Path) -> list[str]:
    return sorted(path.name for path in data.iterdir())


def without_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)


def test_a_key_is_made_once_and_is_nobody_elses_to_read(tmp_path: Path) -> None:
    made = machine.key(str(tmp_path))
    assert len(made) == 32
    assert machine.key(str(tmp_path)) == made
    assert names(tmp_path) == ["key"]
    if os.name == "posix":
        assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_a_disk_without_links_holds_a_key_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_links(monkeypatch)
    made = machine.key(str(tmp_path))
    assert len(made) == 32
    assert machine.key(str(tmp_path)) == made
    assert names(tmp_path) == ["key"]


@pytest.mark.parametrize("links", [True, False])
def test_the_key_of_a_process_that_was_faster_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, links: bool
) -> None:
    if not links:
        without_links(monkeypatch)
    (tmp_path / "key").write_bytes(b"the other one")
    assert machine.make_key(str(tmp_path)) == b"the other one"
    assert names(tmp_path) == ["key"]


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_key_that_could_not_be_written_whole_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(OSError, match="full"):
        machine.key(str(tmp_path))
    assert names(tmp_path) == []
