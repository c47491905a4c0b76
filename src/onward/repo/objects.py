"""repo.objects: a bare repository of our own, in onward's data folder, never the user's.

Nothing is ever checked out of it, so no name in a stranger's tree becomes a file.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from onward.errors import StorageError
from onward.repo.invocation import OPTIONS, environment

_LIMIT = 120.0  # seconds for work on our own disk
_QUIET = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")
_ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1"}
"""Whatever the user set for their own repositories is not meant for this one."""
_WRITER = b"onward <onward@localhost>"  # who commits: never the user
_LEFT = ("*.lock", "refs/**/*.lock", "gc.pid", "objects/**/tmp_*")
"""What git leaves behind where it is killed; the locks among it would stop every later call."""
_AT_ONCE = 16_000_000  # bytes of objects that are read at once
_PACKS = 30  # packs and twenty times as many single objects, from which on they are put together


Content = bytes | str | None
"""What a commit puts at a path: bytes, a blob that is there by its hash, or nothing any more."""


class Bare(NamedTuple):
    """Our repository; `digits` is how many a hash has, 40 or 64, as in the user's own."""

    folder: Path
    digits: int = 40

    def oid(self, data: bytes) -> str:
        """The name that git gives to these bytes."""
        kind = "sha1" if self.digits == 40 else "sha256"
        return hashlib.new(kind, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


class Found(NamedTuple):
    """What a name leads to. `kind` is git's (blob, tree, commit, tag), "" where it leads nowhere."""

    oid: str
    kind: str
    size: int


NOTHING = Found("", "", 0)


def prepare(bare: Bare) -> None:
    """Make the repository where there is none; one that a kill left half made is finished, and
    what killed calls of git hold no more is let go. Nobody else may be at work in it.
    """
    for left in chain.from_iterable(bare.folder.glob(pattern) for pattern in _LEFT):
        with suppress(OSError):  # gone, a folder, or held by a reader where that counts
            left.unlink()
    if all((bare.folder / name).exists() for name in ("HEAD", "config", "refs", "objects")):
        return
    kind = "sha1" if bare.digits == 40 else "sha256"
    words = ("init", "--quiet", "--bare", "--template=", f"--object-format={kind}")
    _run(bare, (*words, str(bare.folder)), own=False)


def refs(bare: Bare, prefix: str) -> dict[str, str]:
    """The refs below a prefix and the commits that they lead to; () for one to anything else."""
    said = _run(bare, ("for-each-ref", "--format=%(refname) %(objecttype) %(objectname)", prefix))
    lines = (line.split(" ") for line in said.decode("utf-8", "replace").splitlines())
    return {line[0]: line[2] if line[1] == "commit" else "" for line in lines if len(line) == 3}


def move(bare: Bare, changes: Iterable[tuple[str, str, str]]) -> bool:
    """Move refs, each (name, new, old) from its old value to its new one, all or none; "" stands
    for not being there. Whether it was done: it is not where somebody else was first.
    """
    none = "0" * bare.digits
    lines = [f"update {name} {new or none} {old or none}\n" for name, new, old in changes]
    said = _start(bare, ("update-ref", "--stdin"), "".join(lines).encode())
    return said.returncode == 0


def is_ancestor(bare: Bare, older: str, newer: str) -> bool:
    """Whether a commit is another one or comes before it."""
    return _start(bare, ("merge-base", "--is-ancestor", older, newer)).returncode == 0


def length(bare: Bare, commit: str) -> int:
    """How many commits a chain has."""
    return int(_run(bare, ("rev-list", "--count", commit, "--")) or 0)


def look(bare: Bare, names: Sequence[str]) -> list[Found]:
    """What each of these names (a hash, `<commit>^{tree}`) leads to."""
    if not names:
        return []
    asked = "".join(f"{name}\n" for name in names).encode()
    lines = _run(bare, ("cat-file", "--batch-check"), asked).decode("utf-8", "replace").split("\n")
    return [_found(line) for line in lines[: len(names)]]


def _found(line: str) -> Found:
    words = line.split(" ")
    if len(words) == 3 and words[2].isdecimal():
        return Found(words[0], words[1], int(words[2]))
    return NOTHING  # "… missing", "… ambiguous"


def contents(bare: Bare, found: Iterable[Found]) -> Iterator[bytes]:
    """The bytes of each object that `look` found, so many at a time that memory suffices."""
    some: list[Found] = []
    size = 0
    for one in found:
        some.append(one)
        size += one.size
        if size >= _AT_ONCE:
            yield from _contents(bare, some)
            some, size = [], 0
    if some:
        yield from _contents(bare, some)


def _contents(bare: Bare, found: Sequence[Found]) -> Iterator[bytes]:
    said = _run(bare, ("cat-file", "--batch"), "".join(f"{one.oid}\n" for one in found).encode())
    at = 0
    for one in found:
        start = said.index(b"\n", at) + 1
        yield said[start : start + one.size]
        at = start + one.size + 1


def tree(bare: Bare, commit: str) -> dict[str, str]:
    """Path and hash of each file of a commit of our own."""
    said = _run(bare, ("ls-tree", "-r", "-z", commit)).decode("utf-8", "replace")
    parts = (line.partition("\t") for line in said.split("\0") if line)
    return {name: about.rpartition(" ")[2] for about, _, name in parts}


def listed(bare: Bare, folder: str) -> Iterator[tuple[str, str, Found]]:
    """Mode, name and what it leads to of each entry of a tree, which a stranger may have made; it
    ends where the tree is broken.
    """
    said = _start(bare, ("ls-tree", "-z", "-l", folder)).stdout.decode("utf-8", "surrogateescape")
    for line in filter(None, said.split("\0")):
        about, _, name = line.partition("\t")
        mode, kind, oid, size = about.split()
        yield mode, name, Found(oid, kind, int(size)) if size.isdecimal() else NOTHING


def commit(bare: Bare, parent: str, changes: Mapping[str, Content], *, name: str, when: int) -> str:
    """A commit on top of `parent` ("": the first of a chain) with these files changed, under the
    ref `name`, which must be new. Returns its hash. `when` is in seconds since 1970.
    """
    ref = name.encode()
    stream = [b"feature done\ncommit %s\n" % ref]
    stream += [b"committer %s %d +0000\ndata 6\nonward\n" % (_WRITER, when)]
    if parent:
        stream.append(b"from %s\n" % parent.encode())
    for path, data in changes.items():
        if data is None:
            stream.append(b"D %s\n" % path.encode())
        elif isinstance(data, str):
            stream.append(b"M 100644 %s %s\n" % (data.encode(), path.encode()))
        else:
            stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
    stream.append(b"done\n")
    _run(bare, ("fast-import", "--quiet", "--done"), b"".join(stream))
    return refs(bare, name)[name]


def tidy(bare: Bare, *, drop: bool = False) -> None:
    """Put loose pieces together once there are many; `drop` takes out all that no ref leads to
    any more, at once.
    """
    if drop:
        _start(bare, ("gc", "--quiet", "--prune=now"))
        return
    packs = ("-c", f"gc.auto={20 * _PACKS}", "-c", f"gc.autoPackLimit={_PACKS}")
    _start(bare, (*packs, "-c", "gc.autoDetach=false", "gc", "--quiet", "--auto"))


def _run(bare: Bare, words: Sequence[str], given: bytes = b"", *, own: bool = True) -> bytes:
    """Standard output of git in our repository. Raises StorageError."""
    done = _start(bare, words, given, own=own)
    if done.returncode:
        raise StorageError(
            f"git {words[0]} failed in {bare.folder}",
            f'See what it says: git --git-dir="{bare.folder}" fsck',
        )
    return done.stdout


def _start(
    bare: Bare, words: Sequence[str], given: bytes = b"", *, own: bool = True
) -> subprocess.CompletedProcess[bytes]:
    where = (f"--git-dir={bare.folder}",) if own else ()
    try:
        return subprocess.run(
            ["git", *OPTIONS, *_QUIET, *where, *words],
            input=given,
            capture_output=True,
            check=False,
            timeout=_LIMIT,
            env=environment() | _ALONE,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StorageError(
            f"git could not be run ({type(error).__name__})", "git --version"
        ) from None
