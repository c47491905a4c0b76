"""One file at a time: old or new, never in between, and never somewhere else."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward.errors import RefusedError, StorageError
from onward.model import Clean
from onward.storage import atomic

if TYPE_CHECKING:
    from tests.unit.conftest import Obeying

posix = pytest.mark.skipif(os.name == "nt", reason="modes and links as POSIX has them")


def listing(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_missing_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "c.md"
    atomic.write(path, Clean("héllo\n"))
    assert path.read_bytes() == "héllo\n".encode()
    assert listing(path.parent) == ["c.md"]


def test_line_breaks_are_written_as_they_are(tmp_path: Path) -> None:
    atomic.write(tmp_path / "a", Clean("one\r\ntwo\n"))
    assert (tmp_path / "a").read_bytes() == b"one\r\ntwo\n"


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_an_existing_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(mode)
    atomic.write(path, Clean("new"))
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix
def test_a_private_file_is_private_from_its_first_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes: list[int] = []
    real = os.write

    def write(descriptor: int, data: bytes) -> int:
        modes.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", write)
    atomic.write_bytes(tmp_path / "key", b"k", atomic.PRIVATE)
    (tmp_path / "settings").write_bytes(b"")
    (tmp_path / "settings").chmod(0o600)
    atomic.write_bytes(tmp_path / "settings", b"k")
    assert modes == [0o600, 0o600]


@posix
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        atomic.write_bytes(tmp_path / "new", b"k")
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_the_file_is_on_disk_before_its_name_and_its_name_before_the_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def spy(name: str) -> None:
        real = getattr(os, name)

        def call(*args: object) -> object:
            calls.append(name)
            return real(*args)

        monkeypatch.setattr(os, name, call)

    for name in ("write", "fsync", "close", "replace"):
        spy(name)
    atomic.write(tmp_path / "a", Clean("x"))
    file, folder = ["write", "fsync", "close", "replace"], ["fsync", "close"]
    assert calls == file + ([] if os.name == "nt" else folder)


def test_a_short_write_of_the_system_is_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:3]))
    atomic.write(tmp_path / "a", Clean("0123456789"))
    assert (tmp_path / "a").read_text() == "0123456789"


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "no space left"),
        (errno.EDQUOT, "no space left"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "read-only"),
        (errno.ENAMETOOLONG, "no name as long"),
        (errno.EIO, "could not be written"),
    ],
)
def test_the_disks_no_is_told_with_the_path_and_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(StorageError, match=said) as caught:
        atomic.write(path, Clean("new"))
    assert "a.md" in caught.value.message
    assert caught.value.hint
    assert path.read_text() == "old"
    assert listing(tmp_path) == ["a.md"]


def test_a_folder_in_the_files_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.md").mkdir()
    with pytest.raises(StorageError, match="is a folder"):
        atomic.write(tmp_path / "a.md", Clean("x"))
    assert listing(tmp_path) == ["a.md"]


def test_a_file_in_the_folders_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("mine")
    with pytest.raises(StorageError, match="needs a folder"):
        atomic.write(tmp_path / "memory" / "checkpoints" / "a.md", Clean("x"))
    assert (tmp_path / "memory").read_text() == "mine"


WRITE = """
import sys
from pathlib import Path
from onward.errors import StorageError
from onward.storage import atomic
try:
    atomic.write(Path("a"), "new")
except StorageError as error:
    sys.exit(error.message)
"""


def test_a_read_only_folder_is_told(tmp_path: Path, obeying: Obeying) -> None:
    tmp_path.chmod(0o500)
    try:
        done = obeying("-c", WRITE)
    finally:
        tmp_path.chmod(0o700)
    assert (done.returncode, "read-only" in done.stderr) == (1, True)
    assert listing(tmp_path) == []


def test_a_file_that_its_owner_made_read_only_is_not_replaced(
    tmp_path: Path, obeying: Obeying
) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o400)
    done = obeying("-c", WRITE)
    assert (done.returncode, "read-only" in done.stderr) == (1, True)
    assert path.read_text() == "old"


@posix
class TestLinks:
    def test_one_within_the_project_is_written_through_and_stays(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "real" / "state.md").write_text("old")
        (tmp_path / "state.md").symlink_to("real/state.md")
        atomic.write(tmp_path / "state.md", Clean("new"), inside=tmp_path)
        assert (tmp_path / "state.md").is_symlink()
        assert (tmp_path / "real" / "state.md").read_text() == "new"

    @pytest.mark.parametrize("link", ["file", "folder", "dangling", "loop"])
    @pytest.mark.parametrize("action", ["write", "append", "remove"])
    def test_one_that_leads_out_is_refused(self, tmp_path: Path, link: str, action: str) -> None:
        root, outside = tmp_path / "shop", tmp_path / "outside"
        root.mkdir()
        outside.mkdir()
        (outside / "a.md").write_text("theirs")
        target = root / "memory" / "a.md"
        if link == "folder":
            (root / "memory").symlink_to(outside)
        else:
            target.parent.mkdir()
            goal = {"file": outside / "a.md", "dangling": outside / "b.md", "loop": target}[link]
            target.symlink_to(goal)
        acts = {
            "write": lambda: atomic.write(target, Clean("x"), inside=root),
            "append": lambda: atomic.append_bytes(target, b"x", inside=root),
            "remove": lambda: atomic.remove(target, inside=root),
        }
        if link == "loop" and action == "remove":
            acts["remove"]()  # stays within the project: the link itself goes
            return
        if link == "loop":
            with pytest.raises((RefusedError, StorageError)):
                acts[action]()
            return
        with pytest.raises(RefusedError, match="leads out of"):
            acts[action]()
        assert (outside / "a.md").read_text() == "theirs"
        assert listing(outside) == ["a.md"]

    def test_without_a_project_any_link_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "real.md").write_text("old")
        (tmp_path / "a.md").symlink_to("real.md")
        with pytest.raises(RefusedError, match="is a link"):
            atomic.write(tmp_path / "a.md", Clean("new"))
        assert (tmp_path / "real.md").read_text() == "old"


class TestAppend:
    def test_lines_come_one_after_the_other(self, tmp_path: Path) -> None:
        log = tmp_path / "log"
        atomic.append_bytes(log, b"one")
        atomic.append_bytes(log, b"two")
        assert log.read_text() == "one\ntwo\n"

    def test_a_line_that_the_disk_has_no_room_for_is_taken_back(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log, real, calls = tmp_path / "log", os.write, iter([3, 0])
        log.write_bytes(b"one\n")

        def write(descriptor: int, data: bytes) -> int:
            if room := next(calls):
                return real(descriptor, data[:room])
            raise OSError(errno.ENOSPC, "full")

        monkeypatch.setattr(os, "write", write)
        with pytest.raises(StorageError):
            atomic.append_bytes(log, b"three")
        assert log.read_text() == "one\n"

    def test_a_torn_line_before_stays_a_line_of_its_own(self, tmp_path: Path) -> None:
        log = tmp_path / "log"
        log.write_bytes(b"one\ntw")
        atomic.append_bytes(log, b"three")
        assert log.read_text() == "one\ntw\nthree\n"


def test_removing_what_is_gone_is_no_error(tmp_path: Path) -> None:
    atomic.remove(tmp_path / "a")
    (tmp_path / "a").write_text("x")
    atomic.remove(tmp_path / "a")
    assert listing(tmp_path) == []


def test_only_old_temporary_files_are_swept(tmp_path: Path) -> None:
    old, young, other = (
        tmp_path / f".1-aa{atomic.TEMPORARY}",
        tmp_path / f".2-bb{atomic.TEMPORARY}",
        tmp_path / "mine.md",
    )
    for path in (old, young, other):
        path.write_text("x")
    for path in (old, other):
        os.utime(path, (1, 1))
    atomic.sweep(tmp_path)
    assert listing(tmp_path) == sorted([young.name, other.name])
    atomic.sweep(tmp_path / "missing")


@posix
@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
def test_a_disk_that_cannot_flush_folders_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    atomic.write(tmp_path / "a", Clean("x"))
    assert (tmp_path / "a").read_text() == "x"
