"""`NAME@MACHINE`: a record of another machine, read as if it had been made here."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from msgspec.structs import replace

from onward.commands import workspace
from onward.commands.share import place
from onward.commands.world import World
from onward.documents import checkpoint_md, protocol_json, session_md, times
from onward.errors import InputError, NotFoundError, RefusedError
from onward.model import Draft
from onward.repo import connection, objects
from onward.sharing import mapping, record, union
from onward.sharing.record import Kind
from onward.sharing.union import Held, Index, Peer
from onward.storage.project import Project

PARSE = {
    "checkpoint": checkpoint_md.parse,
    "document": session_md.parse,
    "protocol": protocol_json.parse,
}


class Read(NamedTuple):
    """A record, its paths those of this clone, before redaction. `saved` in seconds since 1970."""

    kind: Kind
    name: str
    machine: str
    draft: Draft
    saved: float
    path: Path


def is_address(what: str) -> bool:
    """Whether a word of the command line is meant as `NAME@MACHINE`."""
    name, at, machine = what.rpartition("@")
    return bool(name and at and machine) and not any(sign in what for sign in "/\\")


def others(world: World, project: Project) -> list[str]:
    """What can be typed as `NAME@MACHINE`, the newest first."""
    return union.addresses(place.pulled(world, project))


def find(world: World, project: Project, what: str, verb: str) -> tuple[Peer, Held]:
    """The record that an address means. Raises NotFoundError, and RefusedError where several
    machines of that name hold one.
    """
    name, _, machine = what.rpartition("@")
    known = place.pulled(world, project)
    found = union.find(known, name, machine)
    if not found:
        raise _missing(known, what, verb)
    if len(found) > 1:
        ways = "\n".join(f"onward {verb} {quote(f'{name}@{peer.writer}')}" for peer, _ in found)
        raise RefusedError(f"{len(found)} machines are called {machine} and hold {name}", ways)
    return found[0]


def load(world: World, project: Project, what: str, verb: str) -> Read:
    """Read the record that an address means. Raises as `find`, and InputError for one that is
    there no more or cannot be read.
    """
    peer, held = find(world, project, what, verb)
    bare = place.bare(world, project)
    (blob,) = objects.look(bare, [held.oid]) if bare.folder.exists() else [objects.NOTHING]
    if blob.kind != "blob" or blob.size > record.LARGEST:
        raise InputError(f"{what} is not on this machine any more", "onward pull")
    (data,) = objects.contents(bare, [blob])
    if held.sealed:
        data = _opened(world, data, what)
    text = data.decode("utf-8", "replace")
    if held.kind != "protocol":  # whose strings are whole
        # Before it is taken apart: a key of many lines is none any more in pieces.
        text = workspace.redactor(world).hide(text)
    draft = PARSE[held.kind](text)
    address = f"{held.name}@{peer.label}"
    roots = [draft.repo.root if draft.repo else "", peer.root]
    draft = mapping.relocate(draft, filter(None, roots), str(project.root))
    at = times.moment(held.saved)
    return Read(
        kind=held.kind,
        name=address,
        machine=peer.label,
        draft=replace(draft, name=address),
        saved=at.timestamp() if at else 0.0,
        path=bare.folder,
    )


def _opened(world: World, data: bytes, what: str) -> bytes:
    found = place.opener(world, connection.settings(world.cwd)).open(data)
    if found is None:
        raise InputError(
            f"{what} is encrypted, and no key here opens it", "git config onward.identity FILE"
        )
    return found[1]


def _missing(known: Index, what: str, verb: str) -> NotFoundError:
    if peer := union.taken_back(known, what):
        return NotFoundError(f"{what} was taken back by {peer.label}", "onward list")
    addresses = union.addresses(known)
    near = get_close_matches(what, addresses, n=1, cutoff=0.5)
    hint = f"onward {verb} {quote(near[0])}" if near else "onward pull\nonward peers"
    return NotFoundError(
        f"no record {what!r} of another machine was pulled into this project", hint
    )
