"""A copy's transcript, read ahead of its resume: what distilling it gave, by the child that made the
copy, so that `/resume-latest` need not read 50 MB while somebody waits.

It holds for that very file alone: one of another size or time, a project whose rules of redaction
changed, another release, and a record that is torn or changed all count as nothing read.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

from onward import __version__
from onward.commands import source, workspace
from onward.commands.source import Distilled
from onward.commands.work import Counted
from onward.commands.world import World
from onward.errors import OnwardError
from onward.model import Draft
from onward.storage import atomic, reading
from onward.storage.project import Project

KEPT = "distilled.json"  # beside the session's records
LEAST = 2 << 20
"""Bytes of a copy below which it is read again sooner than this pays."""


class _Read(Struct, frozen=True, kw_only=True):
    """What is kept: the draft as the copy alone says it, its project, and what was counted."""

    draft: Draft
    root: str
    counted: Counted


def keep(world: World, project: Project, session: str, copy: Path) -> None:
    """Read a copy of a session that ended, and keep that. Raises OnwardError, OSError."""
    place, sign = workspace.beside(world, session, KEPT), _sign(world, project, copy)
    is_small = not copy.is_file() or copy.stat().st_size < LEAST
    if place is None or not sign or is_small or _held(world, project, session, copy):
        return
    found = source.read(copy, workspace.redactor(world))
    if found.root is None:
        return
    held = _Read(draft=found.draft, root=str(found.root), counted=found.counted)
    if sign == _sign(world, project, copy):  # else it was written to meanwhile
        body = msgspec.json.encode(held)
        atomic.write_bytes(place, b"\n".join((_seal(sign, body), body)), atomic.PRIVATE)


def distilled(world: World, project: Project, session: str, copy: Path) -> Distilled:
    """The copy, distilled: as it was read ahead, if that still holds. Raises InputError."""
    redactor, held = workspace.redactor(world), _held(world, project, session, copy)
    if held is None:
        return source.distilled(copy, redactor)
    found = Distilled(draft=held.draft, root=Path(held.root), counted=held.counted)
    return source.summed_up(found, redactor)


def _held(world: World, project: Project, session: str, copy: Path) -> _Read | None:
    place, sign = workspace.beside(world, session, KEPT), _sign(world, project, copy)
    if place is None or not sign or not place.is_file():
        return None
    with suppress(OnwardError, OSError, msgspec.MsgspecError, ValueError, RecursionError):
        seal, _, body = reading.data(place, most=reading.LARGEST_CACHE).partition(b"\n")
        if seal == _seal(sign, body):
            held = msgspec.json.decode(body, type=_Read)
            return held if source.root_of(held.draft.origin.cwd or "") == Path(held.root) else None
    return None


def _sign(world: World, project: Project, copy: Path) -> str:
    """What changes when the copy does, or how it is to be read; "" where that cannot be said."""
    if world.rules:
        return ""
    try:
        status = copy.stat()
    except OSError:
        return ""
    told = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    rules = workspace.rules_sign(project.root)
    return f"{__version__} {rules} {world.home} {copy.name} {' '.join(map(str, told))}"


def _seal(sign: str, body: bytes) -> bytes:
    key = blake2b(sign.encode("utf-8", "surrogateescape")).digest()
    return blake2b(body, key=key, digest_size=32).hexdigest().encode()
