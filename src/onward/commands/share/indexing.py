"""Reading what strangers wrote: each record looked at before a byte of it is taken, each that is
none refused by itself, and the rest used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress

from msgspec import Struct

from onward.commands import list as listing
from onward.formats import times, trailer
from onward.redact import Redactor
from onward.repo import objects
from onward.repo.objects import Bare
from onward.share import names, record, trees
from onward.share.record import Kind
from onward.share.trees import Entry
from onward.share.union import Held, Peer

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
    refused: int = 0
    fault: str = ""


def read(bare: Bare, writers: Writers, redactor: Redactor, now: str) -> Iterator[Peer]:
    """What each writer's commit holds; few calls of git for all of them together."""
    reading = [_Reading(writer, where, oid) for (where, writer), oid in writers.items()]
    _tops(bare, reading)
    _folders(bare, reading)
    for one in reading:
        yield _peer(bare, one, redactor, now)


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
            elif entry.kind == "folder" and name in record.FOLDERS:
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
            name = _name(entry)
            if not name or name.casefold() in seen or len(one.found) >= record.MOST:
                one.refused += 1
                continue
            seen.add(name.casefold())
            one.found.append((record.FOLDERS[folder], name, entry.oid))


def _name(entry: Entry) -> str:
    """The record's name; "" for what is no record."""
    try:
        file = entry.name.decode()
    except UnicodeDecodeError:
        return ""
    name = file.removesuffix(".md")
    return name if entry.kind == "file" and file.endswith(".md") and names.fits(name) else ""


def _trees(bare: Bare, wanted: Sequence[str]) -> Iterator[list[Entry] | None]:
    """The entries of each tree; None for one that is too large, or none."""
    found = objects.look(bare, wanted)
    fits = [each.kind == "tree" and each.size <= record.LARGEST_TREE for each in found]
    read = objects.contents(bare, compress(found, fits))
    for good in fits:
        yield list(trees.read(next(read), bare.hash_bytes)) if good else None


def _peer(bare: Bare, one: _Reading, redactor: Redactor, now: str) -> Peer:
    small = _small(bare, one)
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
    written = min(_time(machine.written), now)
    if record.PROTOCOL + ".json" in one.files:
        one.found.append(("protocol", record.PROTOCOL, one.files[record.PROTOCOL + ".json"]))
    held = tuple(_held(bare, one, redactor, written))
    shown = redactor.text(machine.name)
    return Peer(
        writer=one.writer,
        machine=shown if names.fits(shown) else one.writer,
        remote=one.remote,
        commit=one.commit,
        written=written,
        root=redactor.text(machine.root),
        held=held,
        refused=one.refused,
        forgotten=record.graves(small.get(record.FORGOTTEN, b"")),
    )


def _small(bare: Bare, one: _Reading) -> dict[str, bytes]:
    """The files about the writer itself."""
    wanted = {n: one.files[n] for n in (record.MACHINE, record.FORGOTTEN) if n in one.files}
    looked = zip(wanted, objects.look(bare, list(wanted.values())), strict=True)
    good = {n: f for n, f in looked if f.kind == "blob" and f.size <= record.LARGEST}
    return dict(zip(good, objects.contents(bare, good.values()), strict=True))


def _held(bare: Bare, one: _Reading, redactor: Redactor, written: str) -> Iterator[Held]:
    found = list(zip(one.found, objects.look(bare, [oid for *_, oid in one.found]), strict=True))
    good, room = [], record.LARGEST_ALL
    for (kind, name, _), blob in found:
        if blob.kind == "blob" and blob.size <= min(record.LARGEST, room):
            room -= blob.size
            good.append((kind, name, blob))
        else:
            one.refused += 1
    read = objects.contents(bare, (blob for *_, blob in good))
    for (kind, name, blob), data in zip(good, read, strict=True):
        try:
            text = data.decode()
        except UnicodeDecodeError:
            one.refused += 1
            continue
        if redactor.text(name) != name:  # a secret, or a piece of one
            one.refused += 1
            continue
        task, created, saved = _about(kind, text)
        yield Held(
            kind=kind,
            name=name,
            oid=blob.oid,
            created=redactor.text(created),
            # Nobody is newer than their own last word.
            saved=min(saved or written, written),
            task=redactor.text(task),
        )


def _about(kind: Kind, text: str) -> tuple[str, str, str]:
    """What a list shows of a record: its task, when it was made as it says itself, and when it was
    saved, in UTC.
    """
    created, task = ("", "") if kind == "protocol" else listing.told(text)
    closing = trailer.split(text)[1]
    return task, created, _time(closing.saved or closing.created if closing else created)


def _time(stamp: str) -> str:
    at = times.moment(stamp)
    return times.utc(at) if at else ""
