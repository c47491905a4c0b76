"""`pull`: all writers' refs of a remote, and the index of what they hold.

Strangers wrote it: each record is looked at before a byte of it is taken, each that is none is refused by
itself, and the rest used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import compress
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from onward import sharing
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
from onward.sharing import ENDING, FOLDER, Held, Index, Opener, Peer


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
        remote.fetch(here.bare, to, f"+{sharing.REFS}*:{folder}*", wish)
        before = place.pulled(world, here.project)
        named = {place.mark(each) for each in remote.addresses(settings)}
        unnamed = tuple(sorted({*before.unnamed, where} - named))
        # What came from any other is dropped: its remote was removed, or leads elsewhere now.
        left = [
            name
            for name in objects.refs(here.bare, PEERS)
            if name.removeprefix(PEERS).partition("/")[0] not in {*named, *unnamed}
        ]
        found = zip(left, objects.look(here.bare, left), strict=True)
        objects.move(here.bare, [(name, "", each.oid) for name, each in found])
        after = replace(_index(world, here, before), unnamed=unnamed)
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
        place.keep(world, here.project, after)
    return _told(world, to, before, after)


def _index(world: World, here: Place, before: Index) -> Index:
    """What all refs of all remotes hold. A writer whose commit was read before is not read again;
    one that stands on two remotes counts once, as it wrote last. Where there are too many, those that
    are known already come first; the others are counted.
    """
    known = {(peer.remote, peer.writer): peer for peer in before.peers}
    refs: dict[tuple[str, str], str] = {}
    for name, commit in objects.refs(here.bare, PEERS).items():
        where, _, writer = name.removeprefix(PEERS).partition("/")
        if sharing.is_writer(writer) and writer != here.writer:
            refs[where, writer] = commit
    now, peers = times.utc(world.now), list[Peer]()
    reader = Reader(here.bare, workspace.redactor(world), here.opener, now)
    for key in sorted(refs, key=lambda key: key not in known)[: sharing.MOST_WRITERS]:
        old, commit = known.get(key), refs[key]
        # What was sealed may be open to a key that came since.
        is_known = old and old.commit == commit and not (old.sealed and here.opener.identities)
        peers.append(old if old and is_known else reader.peer(*key, commit))
    return sharing.index(
        Index(
            own=here.writer,
            machine=here.machine,
            pulled=now,
            unread=len(refs) - len(peers),
            peers=tuple(peers),
            hidden=before.hidden,
        )
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
        yield f"{after.unread} more refs were not read: onward reads {sharing.MOST_WRITERS}"
    if data.sealed:
        told = f"{count(data.sealed, 'encrypted record')} that no key here opens"
        yield f"{told}; with one: git config onward.identity FILE, then onward pull"
    yield from (f"{peer.writer}: {peer.fault}" for peer in after.peers if peer.fault)
    if data.changed and data.records:
        yield "to see them: onward list"


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
        small = _small(self.bare, found)
        texts = dict(zip(small, objects.contents(self.bare, small.values()), strict=True))
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
            elif one := self._held(*opened, small[path].oid, written):
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
            refused=refused + len(found) - len(small),
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
        return Held(
            kind=key[0],
            name=key[1],
            oid=oid,
            created=times.local(created),
            saved=min(saved or written, written),  # nobody is newer than their own last word
            task=self.redactor.text(task),
        )

    def _is_name(self, name: str) -> bool:
        return sharing.fits(name) and self.redactor.text(name) == name


def _listed(bare: Bare, commit: str) -> tuple[dict[str, str] | None, int]:
    """Path and blob of each file that may be one of ours, None for a list that is too long; and how
    many entries are none. A stranger made the trees, so each entry is looked at by itself.
    """
    folders = ("", *sharing.FOLDERS, FOLDER)
    looked = objects.look(bare, [f"{commit}:{folder}" for folder in folders])
    fits = [each.kind == "tree" and each.size <= sharing.LARGEST_TREE for each in looked]
    read = objects.contents(bare, compress(looked, fits))
    trees = dict(zip(compress(folders, fits), read, strict=True))
    found, refused, wanted = dict[str, str](), 0, [""]
    for folder in wanted:  # which grows while the first of them is read
        if folder not in trees:
            refused += 1
            continue
        ending, seen = {"": ".json", FOLDER: ENDING}.get(folder, ".md"), set[str]()
        for entry in sharing.entries(trees[folder], bare.hash_bytes):
            name = entry.name.decode("utf-8", "surrogateescape")
            stem = name.removesuffix(ending)
            is_good = stem != name and sharing.fits(stem) and stem.casefold() not in seen
            if entry.kind == "folder" and not folder and name in {*folders} - {*wanted}:
                wanted.append(name)
            elif entry.kind == "file" and is_good and len(found) < sharing.MOST:
                seen.add(stem.casefold())
                found[f"{folder}/{name}".lstrip("/")] = entry.oid
            else:
                refused += 1
    return found if "" in trees else None, refused


def _small(bare: Bare, found: Mapping[str, str]) -> dict[str, Found]:
    """The blobs that are small enough, one by one and together."""
    room, small = sharing.LARGEST_ALL, dict[str, Found]()
    for path, blob in zip(found, objects.look(bare, list(found.values())), strict=True):
        if blob.kind == "blob" and blob.size <= min(sharing.LARGEST, room):
            room -= blob.size
            small[path] = blob
    return small


def _time(stamp: str) -> str:
    at = times.moment(stamp)
    return times.utc(at) if at else ""
