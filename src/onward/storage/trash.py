"""The trash on this machine: deleted and replaced files of all projects, until restored.

One file per entry, `<id>`: a line of JSON about it, then the file's bytes as they were. The
id is a hash of project, place and content, so that the same thing is kept once.
"""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from onward import regular
from onward.errors import NotFoundError, RefusedError
from onward.storage import atomic, locks, reading
from onward.storage.project import Project

_HEAD = 1 << 16  # bytes of the line about an entry
_MOST = 2 * reading.LARGEST_CACHE  # of an entry with that line


class Entry(Struct, frozen=True):
    """One deleted file. Times are nanoseconds since the epoch."""

    id: str
    kind: str
    project: str
    path: str  # relative to the project's root, with forward slashes
    trashed: int
    mtime: int

    @property
    def name(self) -> str:
        """What the user called it: the file's name without its ending."""
        return Path(self.path).stem


class Trash(Struct, frozen=True):
    """The folder that holds the entries; made when the first one comes."""

    folder: Path

    def put(self, path: Path, kind: str, project: Project) -> str:
        """Keep a copy of a file of the project, durably; returns its id. The file stays."""
        content = reading.data(path, inside=project.root, most=reading.LARGEST_CACHE)
        mtime, root = path.stat().st_mtime_ns, str(project.root)
        place = path.relative_to(project.root).as_posix()
        parts = (root.encode(), place.encode(), content)
        # Later than all before, also where the clock was ahead.
        last = max((each.trashed for each in self.entries(project)), default=0)
        key = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
        entry = Entry(key, kind, root, place, max(time.time_ns(), last + 1), mtime)
        data = msgspec.json.encode(entry) + b"\n" + content
        with atomic.told(self.folder):
            atomic.folder(self.folder, 0o700)
        atomic.write_bytes(self.folder / key, data, atomic.PRIVATE)
        return key

    def entries(self, project: Project) -> list[Entry]:
        """What was deleted in a project, the newest first."""
        read = [_head(path) for path in reading.files(self.folder, "[0-9a-f]*")]
        mine = [entry for entry in read if entry and entry.project == str(project.root)]
        return sorted(mine, key=lambda entry: -entry.trashed)

    def restore(self, name: str, project: Project, *, over: bool = False) -> Path:
        """Bring the newest entry of a name (or the one of an id) back to its place; with `over`, a
        file that stands there goes to the trash. Raises NotFoundError; RefusedError without `over`.
        """
        found = [e for e in self.entries(project) if name in {e.name, e.id}]
        if not found:
            raise NotFoundError("nothing of that name was deleted in this project", "onward list")
        target = project.root / found[0].path
        with locks.of(project, target):
            stands = reading.data(target) if target.exists() else None
            if stands is not None and not over:
                hint = f"onward restore {found[0].name} --force"
                raise RefusedError(f"{target} exists and is not overwritten", hint)
            kept = ((each, reading.data(self.folder / each.id, most=_MOST)) for each in found)
            contents = ((each, data.partition(b"\n")[2]) for each, data in kept)
            chosen = next((pair for pair in contents if pair[1] != stands), None)
            if chosen is None:
                message = f"all that was kept of {found[0].name} is what stands there already"
                raise NotFoundError(message, f"onward show {found[0].name}")
            entry, content = chosen
            if stands is not None:
                self.put(target, entry.kind, project)
            atomic.write_bytes(target, content, inside=project.root)
            with atomic.told(target):
                os.utime(target, ns=(entry.mtime, entry.mtime))
        atomic.remove(self.folder / entry.id)
        return target


def _head(path: Path) -> Entry | None:
    """An entry's first line; None for a file that is not ours."""
    try:
        return msgspec.json.decode(regular.head(path, _HEAD).split(b"\n", 1)[0], type=Entry)
    except (OSError, msgspec.DecodeError):
        return None
