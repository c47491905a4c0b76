"""What this work tree has to show: its saved places, read, redacted and written anew.

Whatever stands in the files passes redaction once more, since people edit them. What did not
change since it was last read is not read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from onward import __version__
from onward.commands import workspace
from onward.commands.share.place import Place, parse
from onward.commands.world import World
from onward.documents import checkpoint_md, session_md
from onward.errors import OnwardError
from onward.redaction import Redactor
from onward.redaction.user_rules import ALLOWANCES
from onward.sharing import record
from onward.sharing.record import Kind
from onward.storage import atomic, checkpoints, documents, reading
from onward.storage.project import Project


class Shown(NamedTuple):
    """One record as others will see it: its blob, and its bytes where they had to be made."""

    oid: str
    data: bytes | None

    @property
    def content(self) -> bytes | str:
        """What a commit is to put there."""
        return self.oid if self.data is None else self.data


class _Made(Struct, frozen=True, array_like=True):
    """What was made of a file when it was last read: its time, size, number, and the blob."""

    time: int
    size: int
    number: int
    oid: str


class _Known(Struct, frozen=True):
    rules: str
    made: dict[str, _Made]


def gather(world: World, place: Place, before: Mapping[str, str]) -> tuple[dict[str, Shown], int]:
    """The records of the project by their path in the tree, encrypted if they are to be, and how
    many files cannot be shown; bytes are made for those alone that the tree `before` does not hold.
    """
    redactor, seal, known = workspace.redactor(world), place.sealer, _known(world, place)
    made, shown, skipped = dict[str, _Made](), dict[str, Shown](), 0
    blobs = set(before.values())
    for kind, name, file in _files(place.project):
        plain = record.path(kind, name)
        try:
            status = file.stat()
            now = (status.st_mtime_ns, status.st_size, status.st_ino)
            was, data = known.made.get(plain), b""
            oid = was.oid if was and (was.time, was.size, was.number) == now else ""
            if not oid or (seal.path(plain, oid) not in before if seal else oid not in blobs):
                data = _bytes(kind, file, redactor)
                is_good = data and record.fits(name) and len(data) <= record.LARGEST
                oid = place.bare.oid(data) if is_good else ""
        except (OSError, OnwardError):  # gone a moment ago, or nothing of ours
            oid = ""
        if not oid:
            skipped += 1
            continue
        made[plain] = _Made(*now, oid)
        path = seal.path(plain, oid) if seal else plain
        if seal and path in before:
            shown[path] = Shown(before[path], None)
        elif seal:
            sealed = seal.seal(plain, data)
            shown[path] = Shown(place.bare.oid(sealed), sealed)
        else:
            shown[path] = Shown(oid, data or None)
    if made != known.made:
        kept = _Known(rules=known.rules, made=made)
        atomic.write_bytes(_cache(place), msgspec.json.encode(kept), atomic.PRIVATE)
    return shown, skipped


def last(world: World, place: Place) -> Mapping[str, str]:
    """Path and blob of what the last push gathered."""
    return {path: one.oid for path, one in _known(world, place).made.items()}


def _files(project: Project) -> Iterator[tuple[Kind, str, Path]]:
    for name in checkpoints.names(project):
        yield "checkpoint", name, checkpoints.path_of(project, name)
    for path in documents.sessions(project):
        yield "document", path.stem, path
    if (path := documents.protocol(project)).is_file():
        yield "protocol", record.PROTOCOL, path


def _bytes(kind: Kind, path: Path, redactor: Redactor) -> bytes:
    """What others are shown of a file. Raises OSError, OnwardError."""
    text = reading.text(path)
    if kind == "protocol":
        value = _walk(msgspec.json.decode(text), redactor)
        return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
    draft = parse(kind, text, redactor)
    if kind == "document":
        return session_md.render(redactor.draft(draft), zone=UTC).encode()
    return checkpoint_md.render(redactor.draft(replace(draft, name=path.stem)), zone=UTC).encode()


def _walk(value: Any, redactor: Redactor) -> Any:
    if isinstance(value, str):
        return redactor.text(value)
    if isinstance(value, dict):
        return {redactor.text(str(k)): _walk(each, redactor) for k, each in value.items()}
    if isinstance(value, list):
        return [_walk(each, redactor) for each in value]
    return value


def _known(world: World, place: Place) -> _Known:
    """What the last push made, unless it was made by other rules."""
    rules = _rules(world, place.project.root)
    try:
        found = msgspec.json.decode(
            reading.data(_cache(place), most=reading.LARGEST_CACHE), type=_Known
        )
    except (msgspec.DecodeError, OnwardError):
        return _Known(rules=rules, made={})
    return found if found.rules == rules else _Known(rules=rules, made={})


def _rules(world: World, root: Path) -> str:
    """A number for all that decides what redaction takes out."""
    found = blake2b(key=workspace.key(world)[:64], digest_size=16)
    added = workspace.additions(world)
    for part in (
        __version__,
        repr(added.also),
        repr([(r.id, r.pattern, r.keywords, r.group) for r in added.rules]),
    ):
        found.update(f"{part}\0".encode("utf-8", "replace"))
    allowed = root / ALLOWANCES
    found.update(reading.data(allowed) if allowed.is_file() else b"")
    return found.hexdigest()


def _cache(place: Place) -> Path:
    return place.stem.with_name(f"{place.stem.name}.made")
