"""What machines show each other of a project, as it lies here: `pull` brings all writers' refs of a
remote and the index of what they hold, `NAME@MACHINE` is read from it, `peers` lists it.

Strangers wrote it: each record that is none is refused by itself, and the rest used.
"""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from hashlib import blake2b
from itertools import compress
from pathlib import Path
from shlex import quote
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from onward import sharing
from onward.briefing.text import count
from onward.commands import listing
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.documents import checkpoint_md, protocol_json, session_md, times
from onward.errors import InputError, NotFoundError, RefusedError
from onward.model import Draft
from onward.redaction import Redactor
from onward.repo import objects, remote
from onward.repo.objects import Bare, Found
from onward.repo.remote import Connection, Settings, Wish
from onward.sharing import ENDING, FOLDER, Held, Index, Opener, Peer, Sealer
from onward.storage import atomic, locks, machine, reading
from onward.storage.project import Project

OWN = "refs/onward/own/"  # in our repository: the chain of this work tree's writer
PEERS = "refs/onward/peers/"  # what was pulled, below eight digits for each remote
NEXT = "refs/onward/next/"  # in our repository: a commit that is being made
_HEAD = ("MACHINE", "LAST PUSH", "CHECKPOINTS", "DOCUMENTS", "WRITER")
_FILE_MODE, _FOLDER_MODE = "100644", "040000"
_KEY = "git config onward.identity FILE, then onward pull"
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
    own: str  # the ref of its chain in our repository
    there: str  # the same on a remote
    machine: str
    sealer: Sealer | None  # for whom its records are encrypted, if they are
    opener: Opener  # what opens those of others


@contextmanager
def opened(world: World, settings: Settings, to: Connection, limit: float) -> Iterator[Place]:
    """The place of the project here, for one push, pull or forget at a time."""
    project, key = world.project, world.key()
    with alone(world, limit) as stem:
        bare = Bare(Path(f"{stem}.git"), to.digits)
        objects.prepare(bare)
        told = world.redactor.text(settings.last("onward.machine") or platform.node())
        machine = " ".join(told.split())
        digits = blake2b(stem.name.encode(), key=key[:64], digest_size=4).hexdigest()
        known = (ref.removeprefix(OWN) for ref in objects.refs(bare, OWN))
        writer = next(known, "") or sharing.writer(machine, digits)
        recipients = settings.each("onward.recipient")
        yield Place(
            project=project,
            stem=stem,
            bare=bare,
            writer=writer,
            own=OWN + writer,
            there=sharing.REFS + writer,
            machine=machine if sharing.fits(machine) else writer,
            sealer=Sealer(key, recipients) if recipients else None,
            opener=opener(world, settings),
        )


@contextmanager
def alone(world: World, limit: float) -> Iterator[Path]:
    """Hold what lies here of the project, waiting `limit` seconds; what its names begin with."""
    stem = _stem(world)
    with atomic.told(stem.parent):
        atomic.folder(stem.parent, 0o700)
    with locks.hold(Path(f"{stem}.lock"), limit):
        yield stem


def opener(world: World, settings: Settings) -> Opener:
    """The keys in the file that `onward.identity` names, else in `identity`. Raises OnwardError."""
    told = settings.last("onward.identity")
    path = world.home / world.expanded(told) if told else world.data / "identity"
    if not told and not path.is_file():
        return Opener()
    return sharing.opener(reading.text(path), told or str(path))


def pulled(world: World) -> Index:
    """What was pulled of the project, as `index` has it."""
    return index(f"{_stem(world)}.json")


def index(file: str) -> Index:
    """What a pull wrote into a file; empty if nothing was pulled, or if it cannot be read."""
    return reading.kept(Path(file), Index) or Index()


def bare(world: World) -> Bare:
    """Our repository for the project, which may not be there."""
    return Bare(Path(f"{_stem(world)}.git"))


def keep(world: World, found: Index) -> None:
    """Write down what was pulled."""
    path = Path(f"{_stem(world)}.json")
    atomic.write_bytes(path, msgspec.json.encode(found), atomic.PRIVATE)


def mark(addresses: str) -> str:
    """Eight digits that tell a remote from others."""
    return blake2b(addresses.encode("utf-8", "replace"), digest_size=4).hexdigest()


def _stem(world: World) -> Path:
    """What the names of all that lies here of the project begin with."""
    return Path(machine.shared_stem(str(world.data), str(world.project.root)))


def parse(kind: str, text: str, redactor: Redactor) -> Draft:
    """What a file of ours holds, its secrets hidden before it is taken apart: a key of many lines is
    none any more in pieces. The strings of JSON are whole.
    """
    return _PARSE[kind](text if kind == "protocol" else redactor.hide(text))


def is_address(what: str) -> bool:
    """Whether a word of the command line is meant as `NAME@MACHINE`."""
    name, at, machine = what.rpartition("@")
    return bool(name and at and machine) and not any(sign in what for sign in "/\\")


def find(world: World, what: str, verb: str) -> tuple[Peer, Held]:
    """The record that an address means. Raises NotFoundError, RefusedError for several."""
    name, _, machine = what.rpartition("@")
    known = pulled(world)
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


def load(world: World, what: str, verb: str) -> tuple[Peer, Held, Draft]:
    """The record of an address, its paths those of this clone. Raises as `find`, InputError."""
    peer, held = find(world, what, verb)
    (text,) = texts(world, [held])
    if text is None:
        if held.sealed:
            message = f"{what} is encrypted, and no key here opens it"
            raise InputError(message, "git config onward.identity FILE")
        raise InputError(f"{what} is not on this machine any more", "onward pull")
    draft = parse(held.kind, text, world.redactor)
    roots = [draft.repo.root if draft.repo else "", peer.root]
    draft = sharing.relocate(draft, filter(None, roots), str(world.project.root))
    return peer, held, replace(draft, name=f"{held.name}@{peer.label}")


def texts(world: World, wanted: Sequence[Held]) -> Iterator[str | None]:
    """What lies here of each record; None where it is gone, or no key here opens it."""
    ours = bare(world)
    nothing = [objects.NOTHING] * len(wanted)
    blobs = objects.look(ours, [h.oid for h in wanted]) if ours.folder.exists() else nothing
    fits = [blob.kind == "blob" and blob.size <= sharing.LARGEST for blob in blobs]
    read = iter(objects.contents(ours, list(compress(blobs, fits))))
    is_sealed = any(held.sealed for held in wanted)
    keys = opener(world, remote.settings(world.project.root)) if is_sealed else Opener()
    for held, is_there in zip(wanted, fits, strict=True):
        found = ("", next(read)) if is_there else None
        if found and held.sealed:
            found = keys.open(found[1])
        yield found[1].decode("utf-8", "replace") if found else None


def pull(world: World, name: str, wish: Wish) -> Result:
    """Fetch what others wrote, and read it. Raises OnwardError."""
    settings = remote.settings(world.cwd)
    to = remote.connect(settings, name, wish.verb)
    with opened(world, settings, to, wish.limit) as here:
        where = mark(to.addresses)
        folder = f"{PEERS}{where}/"
        remote.fetch(here.bare, to, f"+{sharing.REFS}*:{folder}*", wish)
        before = pulled(world)
        named = {mark(each) for each in remote.addresses(settings)}
        unnamed = tuple(sorted({*before.unnamed, where} - named))
        # What came from any other is dropped: its remote was removed, or leads elsewhere now.
        here_too = tuple(f"{PEERS}{each}/" for each in (*named, *unnamed))
        left = [ref for ref in objects.refs(here.bare, PEERS) if not ref.startswith(here_too)]
        found = zip(left, objects.look(here.bare, left), strict=True)
        objects.move(here.bare, [(name, "", each.oid) for name, each in found])
        after = sharing.index(replace(_index(world, here, before), unnamed=unnamed))
        now = {peer.writer: peer.commit for peer in after.peers}
        # Whether a writer took something back: what it said before must not stay here.
        rewritten = any(
            not now.get(peer.writer)
            or not objects.is_ancestor(here.bare, peer.commit, now[peer.writer])
            for peer in before.peers
            if peer.commit and now.get(peer.writer) != peer.commit
        )
        if before.peers != after.peers:
            # Before it is written down: a pull that is killed here tidies up the next time.
            objects.tidy(here.bare, drop=rewritten)
        keep(world, after)
    return _told(world, to, before, after)


def _index(world: World, here: Place, before: Index) -> Index:
    """What all refs of all remotes hold. A writer whose commit was read before is not read again.
    Where there are too many, those that are known come first; the others are counted.
    """
    known = {(peer.remote, peer.writer): peer for peer in before.peers}
    refs: dict[tuple[str, str], str] = {}
    for name, commit in objects.refs(here.bare, PEERS).items():
        where, _, writer = name.removeprefix(PEERS).partition("/")
        if sharing.is_writer(writer) and writer != here.writer:
            refs[where, writer] = commit
    now, peers = times.utc(world.now), list[Peer]()
    reader = Reader(here.bare, world.redactor, here.opener, now)
    for key in sorted(refs, key=lambda key: key not in known)[: sharing.MOST_WRITERS]:
        old, commit = known.get(key), refs[key]
        # What was sealed may be open to a key that came since.
        is_known = old and old.commit == commit and not (old.sealed and here.opener.identities)
        peers.append(old if old and is_known else reader.peer(*key, commit))
    found = Index(own=here.writer, machine=here.machine, pulled=now, peers=tuple(peers))
    return replace(found, unread=len(refs) - len(peers), hidden=before.hidden)


def _told(world: World, to: Connection, before: Index, after: Index) -> Result:
    old = {peer.writer: peer for peer in before.peers}
    now = {peer.writer: peer for peer in after.peers}
    changed = [w for w, peer in now.items() if w not in old or old[w].commit != peer.commit]
    gone = [writer for writer in old if writer not in now]
    records, where = sum(len(p.held) for p in after.peers), world.redactor.text(to.name)
    line = f"Pulled from {where}: {count(len(now), 'machine')}, {count(records, 'record')}."
    if not changed and not gone:
        line = f"Nothing new on {where}." if now else f"Nobody else has pushed to {where} yet."
    lines = [line, *(f"- {now[w].label}: {count(len(now[w].held), 'record')}" for w in changed)]
    lines += [f"- {old[w].label} is there no more" for w in gone]
    notes = _left_out(after.peers)
    if after.unread:
        notes.append(f"{after.unread} more refs were not read: onward reads {sharing.MOST_WRITERS}")
    if changed and records:
        notes.append("to see them: onward list")
    data = {"remote": where, "changed": changed, "gone": gone, "peers": len(now)}
    data |= {name: sum(getattr(p, name) for p in after.peers) for name in ("refused", "sealed")}
    return Result(text=compose(*lines), data=data | {"records": records}, notes=tuple(notes))


def _left_out(peers: Sequence[Peer]) -> list[str]:
    """What of other machines could not be read, and why."""
    told = [f"{peer.writer}: {peer.fault}" for peer in peers if peer.fault]
    for each in (peer for peer in peers if peer.refused):
        records = count(each.refused, "record")
        told.append(f"{each.label}: {records} left out, none of ours (odd names, links, sizes)")
    for each in (peer for peer in peers if peer.sealed):
        records = count(each.sealed, "encrypted record")
        told.append(f"{each.label}: {records}; with a key for them: {_KEY}")
    return told


class Reader(NamedTuple):
    """What reading takes: our repository, redaction, this machine's keys, the time now in UTC."""

    bare: Bare
    redactor: Redactor
    opener: Opener
    now: str

    def peer(self, where: str, writer: str, commit: str) -> Peer:
        """What a writer's commit holds; few calls of git, however many records there are."""
        peer = Peer(writer=writer, machine=writer, remote=where, commit=commit)
        if not commit:
            return replace(peer, fault="its ref leads to no commit")
        found, refused = _listed(self.bare, commit)
        if found is None:
            return replace(peer, fault="its list of files is too long")
        texts = dict(zip(found, objects.contents(self.bare, found.values()), strict=True))
        about = sharing.machine(texts.pop(sharing.MACHINE, b""))
        if about is None:
            fault = "it writes a version that this onward does not read: update onward"
            return replace(peer, fault=fault)
        graves = sharing.graves(texts.pop(sharing.FORGOTTEN, b""))
        written = min(_time(about.written), self.now)
        held, sealed = list[Held](), 0
        for path, data in texts.items():
            is_sealed = path.startswith(f"{FOLDER}/")
            if not (opened := self.opener.open(data) if is_sealed else (path, data)):
                sealed += 1
            elif one := self._held(*opened, found[path].oid, written):
                held.append(replace(one, sealed=is_sealed))
            else:
                refused += 1
        shown = self.redactor.text(about.name)
        return replace(
            peer,
            machine=shown if sharing.fits(shown) else writer,
            written=written,
            root=self.redactor.text(about.root),
            held=tuple(held),
            refused=refused,
            sealed=sealed,
            forgotten=frozenset(each.name for each in graves if self._is_name(each.name)),
        )

    def _held(self, path: str, data: bytes, oid: str, written: str) -> Held | None:
        """A record; None if it is no text, or its name cannot be shown."""
        key = sharing.parse_path(path)
        try:
            text = self.redactor.hide(data.decode())
        except UnicodeDecodeError:
            return None
        if key is None or not self._is_name(key[1]):
            return None
        created, task = ("", "") if key[0] == "protocol" else listing.told(text)
        closing = checkpoint_md.split(text)[1]
        saved = _time(closing.saved or closing.created if closing else created)
        saved = min(saved or written, written)  # nobody is newer than their own last word
        held = Held(kind=key[0], name=key[1], oid=oid, saved=saved)
        return replace(held, created=times.local(created), task=self.redactor.text(task))

    def _is_name(self, name: str) -> bool:
        return sharing.fits(name) and self.redactor.text(name) == name


def _listed(bare: Bare, commit: str) -> tuple[dict[str, Found] | None, int]:
    """Path and blob of each file that may be one of ours and is small enough, None for a list that
    is too long; and how many entries are none. A stranger made the trees.
    """
    folders = ("", *sharing.FOLDERS, FOLDER)
    looked = objects.look(bare, [f"{commit}:{folder}" for folder in folders])
    trees = dict(zip(folders, looked, strict=True))
    found, refused, wanted, room = dict[str, Found](), 0, [""], sharing.LARGEST_ALL
    for folder in wanted:  # which grows while the first of them is read
        if trees[folder].kind != "tree" or trees[folder].size > sharing.LARGEST_TREE:
            if not folder:
                return None, 0
            refused += 1
            continue
        ending, seen = {"": ".json", FOLDER: ENDING}.get(folder, ".md"), set[str]()
        for mode, name, blob in objects.listed(bare, trees[folder].oid):
            stem = name.removesuffix(ending)
            is_good = stem != name and sharing.fits(stem) and stem.casefold() not in seen
            is_small = blob.oid and blob.size <= min(sharing.LARGEST, room)
            if mode == _FOLDER_MODE and not folder and name in {*folders} - {*wanted}:
                wanted.append(name)
            elif mode == _FILE_MODE and is_good and is_small and len(found) < sharing.MOST:
                seen.add(stem.casefold())
                room -= blob.size
                found[f"{folder}/{name}".lstrip("/")] = blob
            else:
                refused += 1
    return found, refused


def _time(stamp: str) -> str:
    at = times.moment(stamp)
    return times.utc(at) if at else ""


def peers(world: World) -> Result:
    """The machines of the last pull and this one, the newest first. Raises NotFoundError."""
    known, own = pulled(world), list(_own(world))
    every = sorted((*own, *known.peers), key=lambda p: (p.written, p in own), reverse=True)
    if not every:
        remote.settings(world.cwd)  # outside of a repository nobody ever will
        note = "no machine has pushed yet, or nothing was pulled here: onward push, onward pull"
        return Result(text=compose(), data=[], notes=(note,))
    rows, cells = list[dict[str, object]](), list[tuple[str, ...]]()
    for peer in every:
        kinds = Counter(held.kind for held in peer.held)
        age, is_own = world.age(times.seconds(peer.written)), peer in own
        found = kinds["checkpoint"], kinds["document"]
        row = {"machine": peer.label, "writer": peer.writer, "own": is_own}
        row |= {"written": peer.written, "age": age, "checkpoints": found[0], "documents": found[1]}
        rows.append(row | {"encrypted": peer.sealed, "refused": peer.refused, "fault": peer.fault})
        name, at = f"{peer.label} (here)" if is_own else peer.label, f"{age} ago"
        cells.append((name, at if peer.written else "never", *map(str, found), peer.writer))
    age = world.age(times.seconds(known.pulled))
    last = f"as of the pull {age} ago; to look again" if age else "nothing was pulled here yet"
    text = compose(*listing.table(_HEAD, cells))
    notes = (*_left_out([peer for peer in every if peer not in own]), f"{last}: onward pull")
    return Result(text=text, data=rows, notes=notes)


def _own(world: World) -> Iterator[Peer]:
    """This work tree's writer, as others have it."""
    ours = bare(world)
    reader = Reader(ours, world.redactor, Opener(), times.utc(world.now))
    for ref, commit in objects.refs(ours, OWN).items() if ours.folder.exists() else ():
        peer = reader.peer("", ref.removeprefix(OWN), commit)
        yield replace(peer, label=peer.machine)
