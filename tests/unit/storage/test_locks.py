"""Two sessions, one writer at a time."""

from __future__ import annotations

import errno
import threading
import time
from pathlib import Path

import pytest

from onward.errors import StorageError
from onward.storage import locks


def test_the_lock_file_is_gone_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "memory" / ".lock"
    with locks.hold(path):
        assert path.exists()
    assert not path.exists()


def test_a_lock_that_is_held_is_waited_for_until_the_limit(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    with locks.hold(path):
        started = time.monotonic()
        with pytest.raises(StorageError, match="another session"), locks.hold(path, 0.05):
            pytest.fail("two holders")
        assert 0.05 <= time.monotonic() - started < 2
    with locks.hold(path, 0.05):
        pass


def test_a_lock_file_that_a_dead_process_left_is_taken(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    path.write_text("4711")
    with locks.hold(path, 0.05):
        pass
    assert not path.exists()


def test_a_lock_that_its_holder_removes_at_that_moment_is_taken_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the one who waited would hold a file without a name, and the next one another."""
    path, real = tmp_path / ".lock", locks._lock

    def lock(descriptor: int) -> None:
        monkeypatch.setattr(locks, "_lock", real)
        path.unlink()
        real(descriptor)

    monkeypatch.setattr(locks, "_lock", lock)
    with locks.hold(path), pytest.raises(StorageError), locks.hold(path, 0.01):
        pytest.fail("two holders")


def test_a_disk_without_locks_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lock(_: int) -> None:
        raise OSError(errno.ENOLCK, "no locks here")

    monkeypatch.setattr(locks, "_lock", lock)
    with locks.hold(tmp_path / ".lock", 0.01):
        pass


def test_a_failure_within_releases_it(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    with pytest.raises(ValueError, match="mine"), locks.hold(path):
        raise ValueError("mine")
    with locks.hold(path, 0.05):
        pass


def test_many_at_once_are_never_two_inside(tmp_path: Path) -> None:
    path, inside, seen = tmp_path / ".lock", [0], [0]

    def work() -> None:
        for _ in range(20):
            with locks.hold(path, 30):
                inside[0] += 1
                assert inside[0] == 1
                time.sleep(0.0005)
                inside[0] -= 1
                seen[0] += 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [80]


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("a file")
    with pytest.raises(StorageError), locks.hold(tmp_path / "memory" / ".lock"):
        pytest.fail("held nothing")


def test_the_lock_of_a_file_lies_beside_it(tmp_path: Path) -> None:
    assert locks.beside(tmp_path / "a.json") == tmp_path / ".a.json.lock"


@pytest.mark.parametrize("lock", ["memory/.SESSION-STATE.md.lock", "memory/.lock"])
def test_a_lock_that_cannot_be_made_is_told_by_its_folder(
    lock: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory").mkdir()

    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr("onward.storage.locks.os.open", refuse)
    with pytest.raises(StorageError) as caught, locks.hold(tmp_path / lock):
        pytest.fail("no lock was made")
    assert caught.value.message == f"{tmp_path / 'memory'} cannot be written: read-only"
    assert caught.value.hint.startswith(f"make {tmp_path / 'memory'} writable")
