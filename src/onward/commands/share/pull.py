"""`pull`: all writers' refs of a remote, and the index of what they hold."""

from __future__ import annotations

from collections.abc import Container

from msgspec import Struct
from msgspec.structs import replace

from onward.commands import workspace
from onward.commands.result import Result, compose
from onward.commands.share import indexing, place
from onward.commands.share.indexing import Reader
from onward.commands.share.place import PEERS, Place
from onward.commands.share.wording import count
from onward.commands.world import World
from onward.documents import times
from onward.repo import connection, objects, remote
from onward.repo.connection import Connection
from onward.repo.remote import Wish
from onward.sharing import names, record, union
from onward.sharing.union import Index


class Pulled(Struct, frozen=True, kw_only=True):
    """What `pull --json` prints."""

    remote: str
    changed: list[str]
    """Writers whose records are others than before."""
    gone: list[str]
    peers: int
    records: int
    refused: int
    sealed: int


def pull(world: World, name: str, wish: Wish) -> Result:
    """Fetch what others wrote, and read it. Raises OnwardError."""
    settings = connection.settings(world.cwd)
    to = connection.connect(settings, name, wish.verb)
    with place.opened(world, settings, to, wish.limit) as here:
        where = place.mark(to.addresses)
        folder = f"{PEERS}{where}/"
        remote.fetch(here.bare, to, f"+{names.REFS}*:{folder}*", wish)
        before = place.pulled(world, here.project)
        named = {place.mark(each) for each in connection.addresses(settings)}
        unnamed = tuple(sorted({*before.unnamed, where} - named))
        _leave(here, named.union(unnamed))
        after = replace(_index(world, here, before), unnamed=unnamed)
        rewritten = _rewritten(here, before, after)
        if before.peers != after.peers:
            # Before it is written down: a pull that is killed here tidies up the next time.
            objects.tidy(here.bare, drop=rewritten)
        place.keep(world, here.project, after)
    return _told(world, to, before, after)


def _leave(here: Place, remotes: Container[str]) -> None:
    """Drop what was pulled from any but these: its remote was removed, or leads elsewhere now."""
    refs = [
        name
        for name in objects.refs(here.bare, PEERS)
        if name.removeprefix(PEERS).partition("/")[0] not in remotes
    ]
    found = zip(refs, objects.look(here.bare, refs), strict=True)
    objects.move(here.bare, [(name, "", each.oid) for name, each in found])


def _index(world: World, here: Place, before: Index) -> Index:
    """What all refs of all remotes hold. A writer whose commit was read before is not read again;
    one that stands on two remotes counts once, as it wrote last.
    """
    known = {(peer.remote, peer.writer): peer for peer in before.peers}
    refs, unread = _writers(here, known)
    # What was sealed may be open to a key that came since.
    closed = {key for key, peer in known.items() if peer.sealed and here.opener.identities}
    old = [
        known[key]
        for key, oid in refs.items()
        if key in known and known[key].commit == oid and key not in closed
    ]
    kept = {(peer.remote, peer.writer) for peer in old}
    new = {key: oid for key, oid in refs.items() if key not in kept}
    now = times.utc(world.now)
    read = indexing.read(Reader(here.bare, workspace.redactor(world), here.opener, now), new)
    return union.index(
        Index(
            own=here.writer,
            machine=here.machine,
            pulled=now,
            unread=unread,
            peers=(*old, *read),
            hidden=before.hidden,
        )
    )


def _writers(
    here: Place, known: Container[tuple[str, str]]
) -> tuple[dict[tuple[str, str], str], int]:
    """Remote and writer of each ref that may be one, and its commit ("" where it leads to none).
    Where there are too many, those that are known already come first; the others are counted.
    """
    found: dict[tuple[str, str], str] = {}
    for name, oid in objects.refs(here.bare, PEERS).items():
        where, _, writer = name.removeprefix(PEERS).partition("/")
        if names.is_writer(writer) and writer != here.writer:
            found[where, writer] = oid
    kept = sorted(found, key=lambda key: key not in known)[: record.MOST_WRITERS]
    return {key: found[key] for key in kept}, len(found) - len(kept)


def _rewritten(here: Place, before: Index, after: Index) -> bool:
    """Whether a writer took something back: what it said before must not stay here."""
    now = {peer.writer: peer.commit for peer in after.peers}
    return any(
        not now.get(peer.writer)
        or not objects.is_ancestor(here.bare, peer.commit, now[peer.writer])
        for peer in before.peers
        if peer.commit and now.get(peer.writer) != peer.commit
    )


def _told(world: World, to: Connection, before: Index, after: Index) -> Result:
    old = {peer.writer: peer for peer in before.peers}
    now = {peer.writer: peer for peer in after.peers}
    changed = [w for w, peer in now.items() if w not in old or old[w].commit != peer.commit]
    data = Pulled(
        remote=workspace.redactor(world).text(to.name),
        changed=changed,
        gone=[writer for writer in old if writer not in now],
        peers=len(now),
        records=sum(len(peer.held) for peer in after.peers),
        refused=sum(peer.refused for peer in after.peers),
        sealed=sum(peer.sealed for peer in after.peers),
    )
    lines = [_line(data, after)]
    lines += [f"- {now[w].label}: {count(len(now[w].held), 'record')}" for w in changed]
    lines += [f"- {old[w].label} is there no more" for w in data.gone]
    return Result(text=compose(*lines), data=data, notes=_notes(data, after))


def _line(data: Pulled, after: Index) -> str:
    if not after.peers and not data.gone:
        return f"Nobody else has pushed to {data.remote} yet."
    if not data.changed and not data.gone:
        return f"Nothing new on {data.remote}."
    return f"Pulled from {data.remote}: {count(data.peers, 'machine')}, {count(data.records, 'record')}."


def _notes(data: Pulled, after: Index) -> tuple[str, ...]:
    notes: tuple[str, ...] = ()
    if data.refused:
        notes += (
            f"left out: {count(data.refused, 'record')} that are none of ours (odd names, links, sizes)",
        )
    if after.unread:
        notes += (f"{after.unread} more refs were not read: onward reads {record.MOST_WRITERS}",)
    if data.sealed:
        told = f"{count(data.sealed, 'encrypted record')} that no key here opens"
        notes += (f"{told}; with one: git config onward.identity FILE, then onward pull",)
    notes += tuple(f"{peer.writer}: {peer.fault}" for peer in after.peers if peer.fault)
    if data.changed and data.records:
        notes += ("to see them: onward list",)
    return notes
