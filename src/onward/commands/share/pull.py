"""`pull`: all writers' refs of a remote, and the index of what they hold.

Strangers wrote it: each record is looked at before a byte of it is taken, each that is none is refused by
itself, and the rest used.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import compress
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from onward.briefing.text import count
from onward.commands import listing, workspace
from onward.commands.result import Result, compose
from onward.commands.share import place
from onward.commands.share.place import PEERS, Place
from onward.commands.world import World
from onward.documents import checkpoint_md, times
from onward.redaction import Redactor
from onward.repo import objects, remote
from onward.repo.objects import Bare, Found
from onward.repo.remote import Connection, Wish
from onward.sharing import record, union
from onward.sharing.record import ENDING, FOLDER, Entry, Kind, Opener
from onward.sharing.union import Held, Index, Peer

Writers = Mapping[tuple[str, str], str]


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
    settings = remote.settings(world.cwd)
    to = remote.connect(settings, name, wish.verb)
    with place.opened(world, settings, to, wish.limit) as here:
        where = place.mark(to.addresses)
        folder = f"{PEERS}{where}/"
        remote.fetch(here.bare, to, f"+{record.REFS}*:{folder}*", wish)
        before = place.pulled(world, here.project)
        named = {place.mark(each) for each in remote.addresses(settings)}
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
    reader = Reader(here.bare, workspace.redactor(world), here.opener, now)
    return union.index(
        Index(
            own=here.writer,
            machine=here.machine,
            pulled=now,
            unread=unread,
            peers=(*old, *read(reader, new)),
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
        if record.is_writer(writer) and writer != here.writer:
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
    every = f"{count(data.peers, 'machine')}, {count(data.records, 'record')}"
    line = f"Pulled from {data.remote}: {every}."
    if not changed and not data.gone:
        line = f"Nothing new on {data.remote}."
        if not after.peers:
            line = f"Nobody else has pushed to {data.remote} yet."
    lines = [line]
    lines += [f"- {now[w].label}: {count(len(now[w].held), 'record')}" for w in changed]
    lines += [f"- {old[w].label} is there no more" for w in data.gone]
    return Result(text=compose(*lines), data=data, notes=tuple(_notes(data, after)))


def _notes(data: Pulled, after: Index) -> Iterator[str]:
    if data.refused:
        refused = count(data.refused, "record")
        yield f"left out: {refused} that are none of ours (odd names, links, sizes)"
    if after.unread:
        yield f"{after.unread} more refs were not read: onward reads {record.MOST_WRITERS}"
    if data.sealed:
        told = f"{count(data.sealed, 'encrypted record')} that no key here opens"
        yield f"{told}; with one: git config onward.identity FILE, then onward pull"
    yield from (f"{peer.writer}: {peer.fault}" for peer in after.peers if peer.fault)
    if data.changed and data.records:
        yield "to see them: onward list"


class _Reading(Struct):
    """One writer while it is read."""

    writer: str
    remote: str
    commit: str
    files: dict[str, str] = {}
    """Of the tree's top: name and blob."""
    folders: dict[str, str] = {}
    found: list[tuple[Kind, str, str]] = []
    closed: list[str] = []
    """Blobs that are encrypted."""
    sealed: int = 0
    """Those of them that no key here opens."""
    refused: int = 0
    fault: str = ""


class Reader(NamedTuple):
    """What reading takes: our repository, redaction, this machine's keys, the time now in UTC."""

    bare: Bare
    redactor: Redactor
    opener: Opener
    now: str


def read(by: Reader, writers: Writers) -> Iterator[Peer]:
    """What each writer's commit holds; few calls of git for all of them together."""
    reading = [_Reading(writer, where, oid) for (where, writer), oid in writers.items()]
    _tops(by.bare, reading)
    _folders(by.bare, reading)
    for one in reading:
        yield _peer(by, one)


def _tops(bare: Bare, reading: Sequence[_Reading]) -> None:
    for one in reading:
        if not one.commit:
            one.fault = "its ref leads to no commit"
    good = [one for one in reading if not one.fault]
    for one, entries in zip(
        good, _trees(bare, [f"{o.commit}^{{tree}}" for o in good]), strict=True
    ):
        if entries is None:
            one.fault = "its list of files is too long"
            continue
        for entry in entries:
            name = entry.name.decode("utf-8", "replace")
            if entry.kind == "file" and name.endswith(".json"):
                one.files[name] = entry.oid
            elif entry.kind == "folder" and name in {*record.FOLDERS, FOLDER}:
                one.folders[name] = entry.oid
            else:
                one.refused += 1


def _folders(bare: Bare, reading: Sequence[_Reading]) -> None:
    pairs = [(one, name, oid) for one in reading for name, oid in one.folders.items()]
    for (one, folder, _), entries in zip(pairs, _trees(bare, [p[2] for p in pairs]), strict=True):
        if entries is None:
            one.refused += 1
            continue
        seen: set[str] = set()
        for entry in entries:
            name = _name(entry, ENDING if folder == FOLDER else ".md")
            is_full = len(one.found) + len(one.closed) >= record.MOST
            if not name or name.casefold() in seen or is_full:
                one.refused += 1
                continue
            seen.add(name.casefold())
            if folder == FOLDER:
                one.closed.append(entry.oid)
            else:
                one.found.append((record.FOLDERS[folder], name, entry.oid))


def _name(entry: Entry, ending: str) -> str:
    """The record's name; "" for what is no record."""
    try:
        file = entry.name.decode()
    except UnicodeDecodeError:
        return ""
    name = file.removesuffix(ending)
    return name if entry.kind == "file" and file.endswith(ending) and record.fits(name) else ""


def _trees(bare: Bare, wanted: Sequence[str]) -> Iterator[list[Entry] | None]:
    """The entries of each tree; None for one that is too large, or none."""
    found = objects.look(bare, wanted)
    fits = [each.kind == "tree" and each.size <= record.LARGEST_TREE for each in found]
    read = objects.contents(bare, compress(found, fits))
    for good in fits:
        yield list(record.entries(next(read), bare.hash_bytes)) if good else None


def _peer(by: Reader, one: _Reading) -> Peer:
    small = _small(by.bare, one)
    machine = record.machine(small.get(record.MACHINE, b""))
    peer = Peer(writer=one.writer, machine=one.writer, remote=one.remote, commit=one.commit)
    if machine is None:
        fault = "it writes a version that this onward does not read: update onward"
        return replace(peer, fault=one.fault or fault)
    written = min(_time(machine.written), by.now)
    if protocol := one.files.get(record.path("protocol", "")):
        one.found.append(("protocol", record.PROTOCOL, protocol))
    held = tuple(_held(by, one, written))
    shown = by.redactor.text(machine.name)
    taken = {grave.name for grave in record.graves(small.get(record.FORGOTTEN, b""))}
    return replace(
        peer,
        machine=shown if record.fits(shown) else one.writer,
        written=written,
        root=by.redactor.text(machine.root),
        held=held,
        refused=one.refused,
        sealed=one.sealed,
        forgotten=frozenset(n for n in taken if record.fits(n) and by.redactor.text(n) == n),
    )


def _small(bare: Bare, one: _Reading) -> dict[str, bytes]:
    """The files about the writer itself."""
    wanted = {n: one.files[n] for n in (record.MACHINE, record.FORGOTTEN) if n in one.files}
    looked = zip(wanted, objects.look(bare, list(wanted.values())), strict=True)
    good = {n: f for n, f in looked if f.kind == "blob" and f.size <= record.LARGEST}
    return dict(zip(good, objects.contents(bare, good.values()), strict=True))


def _held(by: Reader, one: _Reading, written: str) -> Iterator[Held]:
    """The records that can be read; the others are counted, as refused or as sealed."""
    unnamed = ((None, "", oid) for oid in one.closed)
    every = [*one.found, *unnamed]
    fits = _fitting(by.bare, one, [oid for *_, oid in every])
    if not by.opener.identities:
        one.sealed = sum(blob is not None for blob in fits[len(one.found) :])
        fits = fits[: len(one.found)]
    read = objects.contents(by.bare, [blob for blob in fits if blob])
    for (kind, name, oid), data in zip(compress(every, fits), read, strict=True):
        held = None
        if kind is not None:
            held = _record(by, (kind, name, oid), data, written)
        elif opened := by.opener.open(data):
            if key := record.parse_path(opened[0]):
                held = _record(by, (*key, oid), opened[1], written)
                held = replace(held, sealed=True) if held else None
        else:
            one.sealed += 1
            continue
        if held:
            yield held
        else:
            one.refused += 1


def _fitting(bare: Bare, one: _Reading, oids: Sequence[str]) -> list[Found | None]:
    """The blobs that are small enough, one by one and together; None for any other."""
    room = record.LARGEST_ALL
    fitting: list[Found | None] = []
    for blob in objects.look(bare, oids):
        good = blob.kind == "blob" and blob.size <= min(record.LARGEST, room)
        room -= blob.size if good else 0
        one.refused += not good
        fitting.append(blob if good else None)
    return fitting


def _record(by: Reader, key: tuple[Kind, str, str], data: bytes, written: str) -> Held | None:
    """A record of a kind, name and blob; None if it is no text or its name cannot be shown."""
    kind, name, oid = key
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    if not record.fits(name) or by.redactor.text(name) != name:
        return None
    task, created, saved = _about(kind, by.redactor.hide(text))
    return Held(
        kind=kind,
        name=name,
        oid=oid,
        created=created,
        # Nobody is newer than their own last word.
        saved=min(saved or written, written),
        task=by.redactor.text(task),
    )


def _about(kind: Kind, text: str) -> tuple[str, str, str]:
    """What a list shows of a record: its task, when it was made, and when it was saved, in UTC."""
    created, task = ("", "") if kind == "protocol" else listing.told(text)
    closing = checkpoint_md.split(text)[1]
    saved = _time(closing.saved or closing.created if closing else created)
    return task, times.local(created), saved


def _time(stamp: str) -> str:
    at = times.moment(stamp)
    return times.utc(at) if at else ""
