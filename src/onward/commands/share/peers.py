"""`peers`: who pushed, when, and how much of it is new here."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from onward.commands import workspace
from onward.commands.listing import table
from onward.commands.result import Result, compose
from onward.commands.share import place
from onward.commands.share.wording import count
from onward.commands.world import World
from onward.documents import times
from onward.repo import connection, objects
from onward.repo.objects import Bare
from onward.sharing import record
from onward.sharing.sealing import FOLDER
from onward.sharing.union import Index


class Row(Struct, frozen=True, kw_only=True):
    """One machine as `peers --json` has it."""

    machine: str
    writer: str
    own: bool
    written: str
    """When it pushed last, UTC; "" where it never did."""
    age: str
    checkpoints: int
    documents: int
    encrypted: int
    refused: int
    fault: str


def peers(world: World) -> Result:
    """The machines of the last pull, the newest first, this one among them. No remote is asked. Raises
    NotFoundError where there are none, and no git repository to share through.
    """
    project = workspace.here(world)
    known, bare = place.pulled(world, project), place.bare(world, project)
    rows = [*_own(world, bare), *_others(world, known)]
    rows.sort(key=lambda row: (row.written, row.own), reverse=True)
    if not rows:
        connection.settings(world.cwd)  # outside of a repository nobody ever will
        note = "no machine has pushed yet, or nothing was pulled here: onward push, onward pull"
        return Result(text=compose(), data=[], notes=(note,))
    head = ("MACHINE", "LAST PUSH", "CHECKPOINTS", "DOCUMENTS", "WRITER")
    cells = [
        (
            f"{row.machine} (here)" if row.own else row.machine,
            f"{row.age} ago" if row.written else "never",
            str(row.checkpoints),
            str(row.documents),
            row.writer,
        )
        for row in rows
    ]
    return Result(text=compose(*table(head, cells)), data=rows, notes=_notes(world, known, rows))


def _own(world: World, bare: Bare) -> Iterator[Row]:
    for ref, commit in objects.refs(bare, place.OWN).items() if bare.folder.exists() else ():
        tree = objects.tree(bare, commit)
        (about,) = objects.contents(bare, objects.look(bare, [tree[record.MACHINE]]))
        machine = record.machine(about) or record.Machine(version=record.VERSION)
        kinds = [key[0] for path in tree if (key := record.parse_path(path))]
        yield Row(
            machine=machine.name,
            writer=ref.removeprefix(place.OWN),
            own=True,
            written=machine.written,
            age=_age(world, machine.written),
            checkpoints=kinds.count("checkpoint"),
            documents=kinds.count("document"),
            encrypted=sum(path.startswith(f"{FOLDER}/") for path in tree),
            refused=0,
            fault="",
        )


def _others(world: World, known: Index) -> Iterator[Row]:
    for peer in known.peers:
        kinds = [held.kind for held in peer.held]
        yield Row(
            machine=peer.label,
            writer=peer.writer,
            own=False,
            written=peer.written,
            age=_age(world, peer.written),
            checkpoints=kinds.count("checkpoint"),
            documents=kinds.count("document"),
            encrypted=peer.sealed,
            refused=peer.refused,
            fault=peer.fault,
        )


def _age(world: World, stamp: str) -> str:
    at = times.moment(stamp)
    return times.age(max(0.0, world.now.timestamp() - at.timestamp())) if at else ""


def _notes(world: World, known: Index, rows: list[Row]) -> tuple[str, ...]:
    notes = [f"{row.writer}: {row.fault}" for row in rows if row.fault]
    notes += [f"{row.machine}: {row.refused} left out, none of ours" for row in rows if row.refused]
    notes += [
        f"{row.machine}: {count(row.encrypted, 'encrypted record')}; with a key for them:"
        " git config onward.identity FILE, then onward pull"
        for row in rows
        if row.encrypted and not row.own
    ]
    if known.pulled:
        notes.append(f"as of the pull {_age(world, known.pulled)} ago; to look again: onward pull")
    else:
        notes.append("nothing was pulled here yet: onward pull")
    return tuple(notes)
