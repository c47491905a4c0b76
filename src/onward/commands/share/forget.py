"""`forget`: take back what was pushed, or hide here what another machine holds."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from onward.commands import workspace
from onward.commands.result import Result, compose
from onward.commands.share import gathering, loading, place, pushing
from onward.commands.share.place import Place
from onward.commands.share.wording import count
from onward.commands.world import World
from onward.errors import NotFoundError, RemoteError
from onward.repo import connection, objects
from onward.repo.connection import Connection
from onward.repo.remote import Wish
from onward.sharing import record, union
from onward.sharing.record import Tombstone
from onward.storage.project import Project


class Forgotten(Struct, frozen=True, kw_only=True):
    """What `forget --json` prints. `remote` is "" where something was only hidden here."""

    forgotten: list[str]
    remote: str


class What(NamedTuple):
    """What is to be forgotten: a name, an address, or with `all` everything of this machine's."""

    name: str
    all: bool = False


def forget(world: World, what: What, remote: str, wish: Wish) -> Result:
    """Take it back, so that the remote's ref leads to no byte of it. Raises OnwardError."""
    project = workspace.here(world)
    if loading.is_address(what.name):
        return _hide(world, project, what.name, wish.limit)
    settings = connection.settings(world.cwd)
    to = connection.connect(settings, remote, wish.verb)
    with place.opened(world, settings, to, wish.limit) as here:
        graves = _graves(world, here, what)
        pushing.bury(world, here, graves)
        try:
            pushing.send(world, here, to, wish)
        except RemoteError as error:
            message = f"taken back here, but not there yet: {error.message}"
            raise RemoteError(message, f"{error.hint}\nonward push") from None
    named = {grave.name for grave in graves if grave.name} or {what.name or "all of it"}
    return _told(world, to, sorted(named))


def _graves(world: World, here: Place, what: What) -> frozenset[Tombstone]:
    """Everything of that name which was pushed; also what was taken back before, since that may
    have got only half way.
    """
    own = objects.refs(here.bare, here.own).get(here.own, "")
    tree = objects.tree(here.bare, own) if own else {}
    pushed = {grave for path, oid in tree.items() if (grave := record.grave(path, oid))}
    found = {
        grave
        for grave in pushed | pushing.graves(here, tree)
        if what.all or grave.name == what.name
    }
    if here.sealer:  # whose path tells no name
        for plain, oid in gathering.last(world, here).items():
            key, grave = record.parse_path(plain), record.grave(here.sealer.path(plain, oid), "")
            if grave and grave in pushed and key and key[1] == what.name:
                found.add(grave)
    if not found:
        told = "nothing was pushed" if what.all else f"nothing named {what.name!r} was pushed"
        raise NotFoundError(f"{told} from here", "onward peers")
    return frozenset(found)


def _hide(world: World, project: Project, what: str, limit: float) -> Result:
    """Leave a record of another machine out of every list here, from now on."""
    with place.alone(world, project, limit):
        peer, held = loading.find(world, project, what, "forget")
        known = place.pulled(world, project)
        hidden = (*known.hidden, (peer.writer, held.grave))
        place.keep(world, project, union.index(replace(known, hidden=hidden)))
    text = f"{what} is hidden here. {peer.label} still has it, and so have the others."
    return Result(text=compose(text), data=Forgotten(forgotten=[what], remote=""))


def _told(world: World, to: Connection, names: list[str]) -> Result:
    remote = workspace.redactor(world).text(to.name)
    shown = ", ".join(names) if len(names) < 4 else count(len(names), "name")
    text = f"Taken back from {remote}: {shown}. It is gone for others with their next pull."
    notes = (
        "the server may keep the bytes until it cleans up: change what must stay secret",
        "the files here stay: onward delete NAME",
    )
    return Result(text=compose(text), data=Forgotten(forgotten=names, remote=remote), notes=notes)
