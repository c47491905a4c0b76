"""Reading what strangers wrote: each record looked at before a byte of it is taken, each that is
none refused by itself, and the rest used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from onward.commands import listing
from onward.documents import times, trailer
from onward.redaction import Redactor
from onward.repo import objects
from onward.repo.objects import Bare, Found
from onward.sharing import names, record, trees
from onward.sharing.record import Kind
from onward.sharing.sealing import ENDING, FOLDER, Opener
from onward.sharing.trees import Entry
from onward.sharing.union import Held, Peer

Writers = Mapping[tuple[str, str], str]


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
            if (
                not name
                or name.casefold() in seen
                or len(one.found) + len(one.closed) >= record.MOST
            ):
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
    return name if entry.kind == "file" and file.endswith(ending) and names.fits(name) else ""


def _trees(bare: Bare, wanted: Sequence[str]) -> Iterator[list[Entry] | None]:
    """The entries of each tree; None for one that is too large, or none."""
    found = objects.look(bare, wanted)
    fits = [each.kind == "tree" and each.size <= record.LARGEST_TREE for each in found]
    read = objects.contents(bare, compress(found, fits))
    for good in fits:
        yield list(trees.read(next(read), bare.hash_bytes)) if good else None


def _peer(by: Reader, one: _Reading) -> Peer:
    small = _small(by.bare, one)
    machine = record.machine(small.get(record.MACHINE, b""))
    if machine is None and not one.fault:
        one.fault = "it writes a version that this onward does not read: update onward"
    if machine is None:
        return Peer(
            writer=one.writer,
            machine=one.writer,
            remote=one.remote,
            commit=one.commit,
            fault=one.fault,
        )
    written = min(_time(machine.written), by.now)
    if record.PROTOCOL + ".json" in one.files:
        one.found.append(("protocol", record.PROTOCOL, one.files[record.PROTOCOL + ".json"]))
    held = (*_held(by, one, written), *_opened(by, one, written))
    shown = by.redactor.text(machine.name)
    return Peer(
        writer=one.writer,
        machine=shown if names.fits(shown) else one.writer,
        remote=one.remote,
        commit=one.commit,
        written=written,
        root=by.redactor.text(machine.root),
        held=held,
        refused=one.refused,
        sealed=one.sealed,
        forgotten=_forgotten(by, small.get(record.FORGOTTEN, b"")),
    )


def _forgotten(by: Reader, data: bytes) -> frozenset[str]:
    """The names of what the writer took back, those that can be shown."""
    told = {grave.name for grave in record.graves(data)}
    return frozenset(n for n in told if names.fits(n) and by.redactor.text(n) == n)


def _small(bare: Bare, one: _Reading) -> dict[str, bytes]:
    """The files about the writer itself."""
    wanted = {n: one.files[n] for n in (record.MACHINE, record.FORGOTTEN) if n in one.files}
    looked = zip(wanted, objects.look(bare, list(wanted.values())), strict=True)
    good = {n: f for n, f in looked if f.kind == "blob" and f.size <= record.LARGEST}
    return dict(zip(good, objects.contents(bare, good.values()), strict=True))


def _held(by: Reader, one: _Reading, written: str) -> Iterator[Held]:
    fits = _fitting(by.bare, one, [oid for *_, oid in one.found])
    good = [blob for blob in fits if blob]
    read = objects.contents(by.bare, good)
    for (kind, name, oid), data in zip(compress(one.found, fits), read, strict=True):
        if held := _record(by, (kind, name, oid), data, written):
            yield held
        else:
            one.refused += 1


def _opened(by: Reader, one: _Reading, written: str) -> Iterator[Held]:
    """The encrypted ones that this machine has a key for; the others are counted."""
    good = [blob for blob in _fitting(by.bare, one, one.closed) if blob]
    if not by.opener.identities:
        one.sealed = len(good)
        return
    for blob, data in zip(good, objects.contents(by.bare, good), strict=True):
        found = by.opener.open(data)
        if found is None:
            one.sealed += 1
            continue
        key = record.parse_path(found[0])
        held = _record(by, (*key, blob.oid), found[1], written) if key else None
        if held:
            yield replace(held, sealed=True)
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
    """A record of a kind, a name and a blob; None for what is no text, or has a name that cannot be
    shown: a secret, or a piece of one.
    """
    kind, name, oid = key
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    if not names.fits(name) or by.redactor.text(name) != name:
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
    closing = trailer.split(text)[1]
    saved = _time(closing.saved or closing.created if closing else created)
    return task, times.local(created), saved


def _time(stamp: str) -> str:
    at = times.moment(stamp)
    return times.utc(at) if at else ""
