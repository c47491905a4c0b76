"""The only writer: each file is at any moment wholly old or wholly new.

The recipe: a temporary file in the target's folder, fsync, rename, fsync of the folder.
The first fsync comes before the rename, else a power cut may leave the new name on an empty
file; the second makes the rename itself last. Imports are few because hooks use this module.
"""
# Every system call is one name of `os`, so that a test can let each of them fail.
# ruff: noqa: PTH101, PTH102, PTH105, PTH108, PTH116

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from onward.errors import RefusedError, StorageError

if TYPE_CHECKING:
    from onward.model import Clean

PUBLIC = 0o644
PRIVATE = 0o600
TEMPORARY = ".onward-tmp"
_LEFT_OVER, _GIVEN_UP = 3600.0, 7 * 86400.0  # seconds: of a write, and of a part of a copy
NEW = os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND | NEW & ~os.O_EXCL
_NO_FOLDER_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EBADF}


def write(path: Path, text: Clean, *, inside: Path | None = None, mode: int = PUBLIC) -> None:
    """Write text as UTF-8; see `write_bytes`."""
    write_bytes(path, text.encode(), mode, inside=inside)


def write_bytes(path: Path, data: bytes, mode: int = PUBLIC, *, inside: Path | None = None) -> None:
    """Write a file; an existing one keeps its own mode. Raises StorageError or RefusedError."""
    with told(path):
        target = within(path, inside)
        kept = _mode(target)
        folder(target.parent)
        with temporary(target.parent) as new:
            _fill(new, data)
            _publish(new, mode, kept)
            rename(new, target)


def append_bytes(
    path: Path, data: bytes, mode: int = PUBLIC, *, inside: Path | None = None
) -> None:
    """Add `data` and a line break; a line that the disk had no room for is taken back."""
    with told(path):
        target = within(path, inside)
        folder(target.parent)
        descriptor = os.open(target, _APPEND, mode)
        try:
            size = os.lseek(descriptor, 0, os.SEEK_END)
            if size:
                os.lseek(descriptor, size - 1, os.SEEK_SET)
                data = data if os.read(descriptor, 1) == b"\n" else b"\n" + data
            try:
                _write_all(descriptor, data + b"\n")
            except OSError:
                # Only where nobody else appended behind our half line.
                with suppress(OSError):
                    if os.lseek(descriptor, 0, os.SEEK_END) < size + len(data) + 1:
                        os.ftruncate(descriptor, size)
                raise
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove(path: Path, *, inside: Path | None = None) -> None:
    """Delete a file for good; one that is gone already is no error."""
    with told(path):
        target = within(path, inside)
        with suppress(FileNotFoundError):
            os.unlink(target)
            sync(target.parent)


def rename(new: Path, target: Path) -> None:
    """Give a complete file its name, durably. Raises OSError."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    os.replace(new, target)
    sync(target.parent)


def folder(path: Path, mode: int = 0o777) -> None:
    """Make a folder and those above it, each durable in its parent. Raises OSError."""
    if path.is_dir() or path.parent == path:
        return
    folder(path.parent)
    try:
        os.mkdir(path, mode)
    except FileExistsError:  # another session made it, or it is a file
        if not path.is_dir():
            raise
    sync(path.parent)


def sync(path: Path) -> None:
    """Flush a folder to disk; Windows and some network disks have none and need none."""
    if os.name == "nt":
        return
    try:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise


def sweep(path: Path, age: float = _LEFT_OVER) -> None:
    """Remove files of killed processes after `age` seconds, parts of copies after a week."""
    with told(path), suppress(FileNotFoundError):
        for left in path.glob(f".*{TEMPORARY}"):
            most = _GIVEN_UP if left.name.endswith(f".part{TEMPORARY}") else age
            if time.time() - left.lstat().st_mtime > most:
                os.unlink(left)


def within(path: Path, inside: Path | None) -> Path:
    """The real path to write to. Raises RefusedError for a link out of `inside` (without it: any)."""
    real = Path(os.path.realpath(path))
    if inside is None:
        if path.is_symlink():
            raise RefusedError(f"{path} is a link", f"name what it points to: {real}")
        return path
    if not real.is_relative_to(os.path.realpath(inside)):
        hint = "put a real folder or file in the link's place, then type the same command again"
        raise RefusedError(f"{path} leads out of {inside} through a link", hint)
    return real


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn an OSError into the StorageError that says which path and what to do."""
    try:
        yield
    except OSError as error:
        message, hint = _explain(error, path)
        raise StorageError(message, hint) from error


def _explain(error: OSError, path: Path) -> tuple[str, str]:
    again = "then type the same command again"
    folders = (path, *path.parents) if path.is_dir() else path.parents
    there = next((each for each in folders if os.path.lexists(each)), path)
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return f"no space left on the disk for {path}", f"free some space, {again}"
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return f"{path} cannot be written: read-only", f"make {there} writable, {again}"
        case errno.EISDIR:
            return f"{path} is a folder; a file belongs there", f"move the folder away, {again}"
        case errno.ENOTDIR | errno.EEXIST:
            return f"a file stands where {path} needs a folder", f"move that file away, {again}"
        case errno.ENAMETOOLONG:
            return f"the disk takes no name as long as {path.name}", "choose a shorter name"
        case _:
            reason = os.strerror(error.errno) if error.errno else type(error).__name__
            return f"{path} could not be written: {reason}", f"look at that disk, {again}"


def _mode(target: Path) -> int | None:
    try:
        found = os.stat(target)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        message = f"{target} is a pipe or a device; a file belongs there"
        raise StorageError(message, f"move {target} away")
    # A rename would replace a file that its owner protected on purpose.
    if not stat.S_ISDIR(found.st_mode) and not os.access(target, os.W_OK):
        hint = f"make {target} writable, then type the same command again"
        raise StorageError(f"{target} is read-only", hint)
    return stat.S_IMODE(found.st_mode)


@contextmanager
def temporary(parent: Path, name: str = "") -> Iterator[Path]:
    """A name for a new file that no reader looks at; the file goes at the end unless renamed. With a
    `name` it stays where an error or a signal ends the work, for the next work of that name.
    """
    one = f"{name}.part" if name else f"{os.getpid()}-{os.urandom(4).hex()}"
    path, is_done = parent / f".{one}{TEMPORARY}", not name
    try:
        yield path
        is_done = True
    finally:
        if is_done:
            with suppress(OSError):  # renamed, or on a disk that failed already
                os.unlink(path)


def _publish(path: Path, mode: int, kept: int | None) -> None:
    """Give a complete file the mode `kept` of the one it replaces, else `mode` as the umask has it."""
    if kept is not None:
        os.chmod(path, kept)
    elif mode != PRIVATE:
        mask = os.umask(0o077)  # the only way to ask for it
        os.umask(mask)
        with suppress(PermissionError):  # a disk without modes
            os.chmod(path, mode & ~mask)


def _fill(path: Path, data: bytes) -> None:
    """Private until it is complete: whoever kills us leaves nothing that others can read."""
    descriptor = os.open(path, os.O_WRONLY | NEW, PRIVATE)
    try:
        _write_all(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


# ------------------------------------------------------------------------ verbatim copies

_LONGEST_TAIL = 16 * 1024 * 1024
_STEP = 32 * 1024 * 1024
"""Bytes that are copied before the disk is told of them. Measured on ext4 with 200 MB: the fsync
at the end then finds most of them written, and the whole takes 0.6 to 0.7 of copy and fsync.
"""


@contextmanager
def copied(source: Path, into: Path, name: str = "") -> Iterator[Path]:
    """A durable copy (0600) of a JSON-lines file, which its client may be appending to, under a
    temporary name, cut after its last complete record. With a `name` it stays where the copying
    ends early, and the next call of that name goes on from there: one such call at a time.
    """
    with told(into):
        folder(into, 0o700)
    sweep(into)
    with temporary(into, name) as new:
        with told(into):
            descriptor = os.open(new, os.O_RDWR | (NEW & ~os.O_EXCL if name else NEW), PRIVATE)
            with os.fdopen(descriptor, "r+b") as file:
                start = _same(source, file) if name else 0
                os.ftruncate(descriptor, start)
                if not _sent(source, descriptor, start, lasting=bool(name)):
                    import shutil  # noqa: PLC0415  # 5 ms that a hook without a copy need not pay

                    shutil.copyfile(source, new)
                os.ftruncate(descriptor, _complete(file))
                os.fsync(descriptor)
        yield new


def _same(source: Path, file: BinaryIO) -> int:
    """How many bytes of the source are there. Of a part, each step but the last is on the disk."""
    size = file.seek(0, os.SEEK_END)
    with source.open("rb") as original:
        for start, count in ((0, _STEP), (max(0, size - 2 * _STEP), 2 * _STEP)):
            file.seek(start)
            original.seek(start)
            if (part := file.read(count)) != original.read(len(part)):
                return 0
    return size


def _sent(source: Path, descriptor: int, done: int, *, lasting: bool) -> bool:
    """Copy within the kernel; False where system or disk cannot: then copy otherwise."""
    if not (hasattr(os, "sendfile") and hasattr(os, "posix_fadvise")):
        return False
    with source.open("rb") as original:
        size = os.fstat(original.fileno()).st_size
        os.lseek(descriptor, done, os.SEEK_SET)
        try:
            while done < size:
                sent = os.sendfile(descriptor, original.fileno(), done, min(_STEP, size - done))
                if not sent:  # cut off meanwhile
                    break
                # Starts the writing of these pages, and waits for nothing (Linux, mm/fadvise.c).
                os.posix_fadvise(descriptor, done, sent, os.POSIX_FADV_DONTNEED)
                if lasting:
                    os.fsync(descriptor)
                done += sent
        except OSError:
            return False
    return True


def _complete(file: BinaryIO) -> int:
    """Bytes up to the end of the last complete record: a line, or whole JSON without its break."""
    size = position = file.seek(0, os.SEEK_END)
    while position:
        start = max(0, position - 65536)
        file.seek(start)
        found = file.read(position - start).rfind(b"\n")
        if found >= 0:
            position = start + found + 1
            break
        position = start
    if not 0 < size - position <= _LONGEST_TAIL:
        return position
    import json  # noqa: PLC0415  # only for a file that does not end in a line break

    file.seek(position)
    try:
        json.loads(file.read(size - position))
    except ValueError:
        return position
    return size
