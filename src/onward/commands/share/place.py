"""What was shared, on this machine: where it lies, `NAME@MACHINE` read from it, and `peers`."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from hashlib import blake2b
from itertools import compress
from pathlib import Path
from shlex import quote

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from onward import sharing
from onward.briefing.text import count
from onward.commands import workspace
from onward.commands.listing import table
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.documents import checkpoint_md, protocol_json, session_md, times
from onward.errors import InputError, NotFoundError, OnwardError, RefusedError
from onward.model import Draft
from onward.redaction import Redactor
from onward.repo import objects, remote
from onward.repo.objects import Bare
from onward.repo.remote import Connection, Settings
from onward.sharing import FOLDER, Held, Index, Opener, Peer, Sealer
from onward.storage import atomic, locks, machine, reading
from onward.storage.project import Project

OWN = "refs/onward/own/"
"""In our repository: the chain of this work tree's writer."""
PEERS = "refs/onward/peers/"
"""In our repository: what was pulled, below eight digits for each remote."""
NEXT = "refs/onward/next/"
"""In our repository: a commit that is being made."""
_PARSE = {
    "checkpoint": checkpoint_md.parse,
    "document": session_md.parse,
    "protocol": protocol_json.parse,
}


class Place(Struct, frozen=True, kw_only=True):
    """Where the records of one work tree lie, and who it is for others."""

    project: Project
    stem: Path
    bare: Bare
    writer: str
    machine: str
    sealer: Sealer | None = None
    """For whom its records are encrypted, if they are."""
    opener: Opener = Opener()
    """What opens those of others."""

    @property
    def own(self) -> str:
        """The ref of its chain in our repository."""
        return OWN + self.writer

    @property
    def there(self) -> str:
        """The same on a remote."""
        return sharing.REFS + self.writer


@contextmanager
def opened(world: World, settings: Settings, to: Connection, limit: float) -> Iterator[Place]:
    """The place of the project here, made if there was none, for one push, pull or forget at a
    time; another one is waited for `limit` seconds. Its writer stays the same when the machine is
    renamed.
    """
    project, key = workspace.here(world), workspace.key(world)
    with alone(world, project, limit) as stem:
        bare = Bare(Path(f"{stem}.git"), to.digits)
        objects.prepare(bare)
        told = workspace.redactor(world).text(settings.last("onward.machine") or platform.node())
        machine = " ".join(told.split())
        digits = blake2b(stem.name.encode(), key=key[:64], digest_size=4).hexdigest()
        known = [ref.removeprefix(OWN) for ref in objects.refs(bare, OWN)]
        writer = known[0] if known else sharing.writer(machine, digits)
        recipients = settings.each("onward.recipient")
        yield Place(
            project=project,
            stem=stem,
            bare=bare,
            writer=writer,
            machine=machine if sharing.fits(machine) else writer,
            sealer=Sealer(key, recipients) if recipients else None,
            opener=opener(world, settings),
        )


@contextmanager
def alone(world: World, project: Project, limit: float) -> Iterator[Path]:
    """Nobody else changes what lies here of the project meanwhile; another one is waited for
    `limit` seconds. Yields what the names of all of it begin with.
    """
    stem = _stem(world, project)
    with atomic.told(stem.parent):
        atomic.folder(stem.parent, 0o700)
    with locks.hold(Path(f"{stem}.lock"), limit):
        yield stem


def opener(world: World, settings: Settings) -> Opener:
    """The keys in the file that `onward.identity` names, else in `identity` in the data folder, if
    one is there. Raises OnwardError for a file without one.
    """
    told = settings.last("onward.identity")
    path = world.home / told.removeprefix("~/") if told else world.data / "identity"
    if not told and not path.is_file():
        return Opener()
    return sharing.opener(reading.text(path), told or str(path))


def pulled(world: World, project: Project) -> Index:
    """What was pulled of a project, as `index` has it."""
    return index(f"{_stem(world, project)}.json")


def index(file: str) -> Index:
    """What a pull wrote into a file; empty if nothing was pulled, or if it cannot be read."""
    path = Path(file)
    try:
        data = reading.data(path, most=reading.LARGEST_CACHE) if path.is_file() else b"{}"
        return msgspec.json.decode(data, type=Index)
    except (msgspec.DecodeError, OnwardError):
        return Index()


def bare(world: World, project: Project) -> Bare:
    """Our repository for a project, which may not be there."""
    return Bare(Path(f"{_stem(world, project)}.git"))


def keep(world: World, project: Project, found: Index) -> None:
    """Write down what was pulled."""
    path = Path(f"{_stem(world, project)}.json")
    atomic.write_bytes(path, msgspec.json.encode(found), atomic.PRIVATE)


def mark(addresses: str) -> str:
    """Eight digits that tell a remote from others."""
    return blake2b(addresses.encode("utf-8", "replace"), digest_size=4).hexdigest()


def _stem(world: World, project: Project) -> Path:
    """What the names of all that lies here of a project begin with."""
    return Path(machine.shared_stem(str(world.data), str(project.root)))


def parse(kind: str, text: str, redactor: Redactor) -> Draft:
    """What a file of ours holds, its secrets hidden before it is taken apart: a key of many lines is
    none any more in pieces. The strings of JSON are whole.
    """
    return _PARSE[kind](text if kind == "protocol" else redactor.hide(text))


def is_address(what: str) -> bool:
    """Whether a word of the command line is meant as `NAME@MACHINE`."""
    name, at, machine = what.rpartition("@")
    return bool(name and at and machine) and not any(sign in what for sign in "/\\")


def others(world: World, project: Project) -> list[str]:
    """What can be typed as `NAME@MACHINE`, the newest first."""
    return sharing.addresses(pulled(world, project))


def find(world: World, project: Project, what: str, verb: str) -> tuple[Peer, Held]:
    """The record that an address means. Raises NotFoundError, and RefusedError where several
    machines of that name hold one.
    """
    name, _, machine = what.rpartition("@")
    known = pulled(world, project)
    found = sharing.find(known, name, machine)
    if not found:
        if taker := sharing.taken_back(known, what):
            raise NotFoundError(f"{what} was taken back by {taker.label}", "onward list")
        near = get_close_matches(what, sharing.addresses(known), n=1, cutoff=0.5)
        hint = f"onward {verb} {quote(near[0])}" if near else "onward pull\nonward peers"
        message = f"no record {what!r} of another machine was pulled into this project"
        raise NotFoundError(message, hint)
    if len(found) > 1:
        ways = "\n".join(f"onward {verb} {quote(f'{name}@{peer.writer}')}" for peer, _ in found)
        raise RefusedError(f"{len(found)} machines are called {machine} and hold {name}", ways)
    return found[0]


def load(world: World, project: Project, what: str, verb: str) -> tuple[Peer, Held, Draft]:
    """The record that an address means, its paths those of this clone, before redaction. Raises as
    `find`, and InputError for one that is there no more or cannot be read.
    """
    peer, held = find(world, project, what, verb)
    (text,) = texts(world, project, [held])
    if text is None:
        fault, hint = "is not on this machine any more", "onward pull"
        if held.sealed:
            fault = "is encrypted, and no key here opens it"
            hint = "git config onward.identity FILE"
        raise InputError(f"{what} {fault}", hint)
    draft = parse(held.kind, text, workspace.redactor(world))
    roots = [draft.repo.root if draft.repo else "", peer.root]
    draft = sharing.relocate(draft, filter(None, roots), str(project.root))
    return peer, held, replace(draft, name=f"{held.name}@{peer.label}")


def texts(world: World, project: Project, wanted: Sequence[Held]) -> Iterator[str | None]:
    """What lies here of each record; None where it is gone, or no key here opens it."""
    ours = bare(world, project)
    nothing = [objects.NOTHING] * len(wanted)
    blobs = objects.look(ours, [h.oid for h in wanted]) if ours.folder.exists() else nothing
    fits = [blob.kind == "blob" and blob.size <= sharing.LARGEST for blob in blobs]
    read = iter(objects.contents(ours, list(compress(blobs, fits))))
    is_sealed = any(held.sealed for held in wanted)
    keys = opener(world, remote.settings(project.root)) if is_sealed else Opener()
    for held, is_there in zip(wanted, fits, strict=True):
        found = ("", next(read)) if is_there else None
        if found and held.sealed:
            found = keys.open(found[1])
        yield found[1].decode("utf-8", "replace") if found else None


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
    known = pulled(world, project)
    own = list(_own(bare(world, project)))
    rows = []
    for peer in (*own, *known.peers):
        kinds = [held.kind for held in peer.held]
        row = Row(
            machine=peer.label,
            writer=peer.writer,
            own=peer in own,
            written=peer.written,
            age=world.age(times.seconds(peer.written)),
            checkpoints=kinds.count("checkpoint"),
            documents=kinds.count("document"),
            encrypted=peer.sealed,
            refused=peer.refused,
            fault=peer.fault,
        )
        rows.append(row)
    rows.sort(key=lambda row: (row.written, row.own), reverse=True)
    if not rows:
        remote.settings(world.cwd)  # outside of a repository nobody ever will
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


def _own(bare: Bare) -> Iterator[Peer]:
    """This work tree's writer, as others have it."""
    for ref, commit in objects.refs(bare, OWN).items() if bare.folder.exists() else ():
        tree = objects.tree(bare, commit)
        (about,) = objects.contents(bare, objects.look(bare, [tree[sharing.MACHINE]]))
        machine = sharing.machine(about) or sharing.Machine(version=sharing.VERSION)
        keys = ((path, sharing.parse_path(path)) for path in tree)
        yield Peer(
            writer=ref.removeprefix(OWN),
            machine=machine.name,
            label=machine.name,
            remote="",
            commit=commit,
            written=machine.written,
            held=tuple(Held(kind=k[0], name=k[1], oid=tree[path]) for path, k in keys if k),
            sealed=sum(path.startswith(f"{FOLDER}/") for path in tree),
        )


def _notes(world: World, known: Index, rows: list[Row]) -> tuple[str, ...]:
    notes = [f"{row.writer}: {row.fault}" for row in rows if row.fault]
    notes += [f"{row.machine}: {row.refused} left out, none of ours" for row in rows if row.refused]
    notes += [
        f"{row.machine}: {count(row.encrypted, 'encrypted record')}; with a key for them:"
        " git config onward.identity FILE, then onward pull"
        for row in rows
        if row.encrypted and not row.own
    ]
    if age := world.age(times.seconds(known.pulled)):
        notes.append(f"as of the pull {age} ago; to look again: onward pull")
    else:
        notes.append("nothing was pulled here yet: onward pull")
    return tuple(notes)
