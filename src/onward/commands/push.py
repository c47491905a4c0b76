"""`push` and `forget`: this work tree's records onto its own ref of a remote, or off it.

One commit and one compare-and-swap bring a ref up to date. What stands in the files passes redaction
once more, since people edit them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC
from pathlib import Path
from shlex import quote
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from onward import __version__, sharing
from onward.briefing.text import count
from onward.commands import shared
from onward.commands.result import Result, compose
from onward.commands.shared import Place, parse
from onward.commands.world import World, rules_sign
from onward.decode import mapped
from onward.documents import checkpoint_md, session_md, times
from onward.errors import NotFoundError, OnwardError, RemoteError
from onward.redaction import Redactor
from onward.repo import objects, remote
from onward.repo.remote import Connection, Outcome, Wish
from onward.sharing import Graves, Kind, Machine, Tombstone
from onward.storage import atomic, checkpoints, documents, reading
from onward.storage.project import Project

_TRIES = 5
_SHOWN = 3  # refs that are in the way, each with what removes it
_LONGEST = 500  # commits of a chain, after which it begins anew
_SEEN = "refs/onward/seen/"  # in our repository: the own ref as a remote has it


def push(world: World, name: str, wish: Wish) -> Result:
    """Bring the remote's ref of this work tree up to date. Raises OnwardError."""
    settings = remote.settings(world.cwd)
    to = remote.connect(settings, name, wish.verb)
    with shared.opened(world, settings, to, wish.limit) as here:
        sent, rewritten = send(world, here, to, wish)
    where, notes = world.redactor.text(to.name), list[str]()
    if sent["skipped"]:
        files = count(sent["skipped"], "file")
        notes.append(f"not shared: {files} with a name or a size that others cannot take")
    if rewritten:
        other = "another state of this machine, made by somebody else"
        notes.append(f"{where} had {other}; it is yours again")
    if not sent["commit"]:
        notes.append("to make one: onward save NAME")
        text = "There is no checkpoint to push yet."
    elif sent["outcome"] != "pushed":
        text = f"Nothing new for {where}."
    else:
        new = f"{count(sent['written'], 'record')} new or changed"
        gone = f", {sent['removed']} removed" if sent["removed"] else ""
        text = f"Pushed to {where} as {here.machine}: {new}{gone}."
    return Result(text=compose(text), data={"remote": where, **sent}, notes=tuple(notes))


def send(world: World, here: Place, to: Connection, wish: Wish) -> tuple[dict[str, Any], bool]:
    """One commit and one push if anything is new; whether another had moved the ref."""
    outcome: Outcome = "raced"
    for _ in range(_TRIES):
        # The commit of this writer on the remote when last asked, and now. A pattern, since a ref
        # that is not there yet is no fault; and git asks for these refs alone.
        seen = f"{_SEEN}{shared.mark(to.addresses)}/{here.writer}"
        known = _at(here, seen)
        remote.fetch(here.bare, to, f"+{here.there}*:{seen}*", wish)
        theirs = _at(here, seen)
        sent = _commit(world, here, theirs)
        tip = sent["commit"]
        if tip == theirs:
            return sent, False
        grown = objects.is_ancestor(here.bare, theirs, tip) if theirs else True
        outcome = remote.push(here.bare, to, here.there, (theirs, tip), wish)
        if outcome in {"done", "same"}:
            objects.move(here.bare, [(seen, tip, theirs)])
            objects.tidy(here.bare, drop=not grown)
            return sent | {"outcome": "pushed"}, not grown and theirs != known
    if outcome == "raced":
        raise _stuck(here, to, wish)
    lock = f"{'packed-refs' if outcome.endswith('packed-refs') else here.there}.lock"
    why = "is in the way: a push is running or was killed"
    remove = f"rm {lock}  # in the repository there, if nobody else is pushing"
    message = f"git's lock {lock} on the remote {to.name} {why}"
    raise RemoteError(message, f"{remove}\nonward {wish.verb}")


def _stuck(here: Place, to: Connection, wish: Wish) -> RemoteError:
    """The error for a ref that would not be moved: why, as far as the remote shows it."""
    top = sharing.REFS.rstrip("/")
    there = remote.refs(here.bare, to, "refs/onward", wish)
    if odd := [n for n in there if n.startswith(f"{here.there}/") or f"{top}/".startswith(f"{n}/")]:
        ways = [f"git push {quote(to.name)} {quote(f':{name}')}" for name in odd[:_SHOWN]]
        more = f" and {len(odd) - 1} more" if len(odd) > 1 else ""
        message = f"on the remote {to.name} {odd[0]}{more} leaves no room for this machine's ref"
        return RemoteError(message, "\n".join((*ways, f"onward {wish.verb}")))
    if to.splits:
        message = f"{to.name} is fetched from one repository and pushed to another (its pushurl)"
        return RemoteError(message, "git remote -v\ngit config onward.remote ADDRESS")
    message = f"the remote {to.name} changed under each of {_TRIES} tries"
    return RemoteError(message, f"onward {wish.verb}")


def _at(here: Place, ref: str) -> str:
    """Where a ref of our repository stands, be it at a commit or not; "" where it is not there."""
    return objects.look(here.bare, [ref])[0].oid


def _commit(
    world: World, here: Place, theirs: str, bury: frozenset[Tombstone] = frozenset()
) -> dict[str, Any]:
    """What is new, and the chain's new end if anything is. The chain begins anew where something is
    taken back or to be encrypted, and when it has grown long; it never goes on from `theirs`, which
    others may have made: only what was taken back is read from there, where our chain was lost.
    """
    ours = _at(here, here.own)
    before = objects.tree(here.bare, ours) if ours else {}
    lost = f"{theirs}:{sharing.FORGOTTEN}" if theirs else ""
    known = _read(here, before.get(sharing.FORGOTTEN, "") if ours else lost)
    gone = bury | frozenset(sharing.graves(known))
    shown, skipped = _gathered(world, here, before)
    # A record that was taken back stays out until it says something else.
    wanted = {p: made for p, made in shown.items() if sharing.grave(p, made[0]) not in gone}
    if gone:
        data = sharing.encode(Graves(forgotten=tuple(sorted(gone))))
        wanted[sharing.FORGOTTEN] = here.bare.oid(data), data
    about = sharing.machine(_read(here, before.get(sharing.MACHINE, "")))
    data = _machine(world, here, about.written if about else "")
    wanted[sharing.MACHINE] = here.bare.oid(data), data
    changes: dict[str, objects.Content] = {path: None for path in before if path not in wanted}
    changes |= {p: data or oid for p, (oid, data) in wanted.items() if before.get(p) != oid}
    records = [data for path, data in changes.items() if sharing.grave(path, "")]
    sent: dict[str, Any] = {"writer": here.writer, "machine": here.machine}
    sent |= {"outcome": "nothing new", "written": len(records) - records.count(None)}
    sent |= {"removed": records.count(None), "skipped": skipped, "commit": ours}
    if not (changes if ours else records or theirs):
        return sent
    opened = here.sealer and any(map(sharing.parse_path, before))
    anew = bool(bury or opened or (ours and objects.length(here.bare, ours) >= _LONGEST))
    if anew:
        changes = {path: data or oid for path, (oid, data) in wanted.items()}
    changes[sharing.MACHINE] = _machine(world, here, times.utc(world.now))  # only with a change
    left = objects.refs(here.bare, shared.NEXT)  # of a process that was killed
    objects.move(here.bare, [(name, "", oid) for name, oid in left.items()])
    ref, when = f"{shared.NEXT}{here.writer}", int(world.now.timestamp())
    tip = objects.commit(here.bare, "" if anew else ours, changes, name=ref, when=when)
    objects.move(here.bare, [(here.own, tip, ours), (ref, "", tip)])
    return sent | {"commit": tip}


def _machine(world: World, here: Place, written: str) -> bytes:
    root = "" if here.sealer else world.redactor.text(str(here.project.root))
    made = Machine(version=sharing.VERSION, name=here.machine, root=root, written=written)
    return sharing.encode(made)


def _read(here: Place, name: str) -> bytes:
    """A file about the writer itself, by what leads to it; nothing where there is none."""
    found = objects.look(here.bare, [name]) if name else []
    good = [blob for blob in found if blob.kind == "blob" and blob.size <= sharing.LARGEST_ALL]
    return b"".join(objects.contents(here.bare, good))


def forget(world: World, what: str, name: str, wish: Wish) -> Result:
    """Take a name back, or an address, or (for "") all of this machine's. Raises OnwardError."""
    if shared.is_address(what):
        return _hide(world, what, wish.limit)
    settings = remote.settings(world.cwd)
    to = remote.connect(settings, name, wish.verb)
    with shared.opened(world, settings, to, wish.limit) as here:
        graves = _meant(here, what)
        _commit(world, here, "", graves)  # the chain here begins anew
        try:
            send(world, here, to, wish)
        except RemoteError as error:
            message = f"taken back here, but not there yet: {error.message}"
            raise RemoteError(message, f"{error.hint}\nonward push") from None
    names = sorted({grave.name for grave in graves if grave.name} or {what or "all of it"})
    remote_ = world.redactor.text(to.name)
    shown = ", ".join(names) if len(names) < 4 else count(len(names), "name")
    text = f"Taken back from {remote_}: {shown}. It is gone for others with their next pull."
    server = "the server may keep the bytes until it cleans up: change what must stay secret"
    notes = (server, "the files here stay: onward delete NAME")
    return Result(text=compose(text), data={"forgotten": names, "remote": remote_}, notes=notes)


def _meant(here: Place, what: str) -> frozenset[Tombstone]:
    """All of that name that was pushed or taken back before, which may have stopped half-way."""
    own = _at(here, here.own)
    tree = objects.tree(here.bare, own) if own else {}
    pushed = {grave for path, oid in tree.items() if (grave := sharing.grave(path, oid))}
    taken = sharing.graves(_read(here, tree.get(sharing.FORGOTTEN, "")))
    found = {grave for grave in pushed.union(taken) if what in {"", grave.name}}
    if here.sealer:  # whose path tells no name
        for plain, (*_, oid) in _known(here).made.items():
            key = sharing.parse_path(plain)
            grave = sharing.grave(here.sealer.path(plain, oid), "")
            if grave and grave in pushed and key and key[1] == what:
                found.add(grave)
    if not found:
        told = f"nothing named {what!r} was pushed" if what else "nothing was pushed"
        raise NotFoundError(f"{told} from here", "onward peers")
    return frozenset(found)


def _hide(world: World, what: str, limit: float) -> Result:
    """Leave a record of another machine out of every list here, from now on."""
    with shared.alone(world, limit):
        peer, held = shared.find(world, what, "forget")
        known = shared.pulled(world)
        hidden = (*known.hidden, (peer.writer, held.grave))
        shared.keep(world, sharing.index(replace(known, hidden=hidden)))
    text = compose(f"{what} is hidden here. {peer.label} still has it, and so have the others.")
    return Result(text=text, data={"forgotten": [what], "remote": ""})


# ---------------------------------------------------------- what this work tree has to show


Blobs = dict[str, tuple[str, bytes]]


class _Known(Struct, frozen=True):
    """Of each file when it was last read its time, size, number and blob; and the rules then."""

    rules: str
    made: dict[str, tuple[int, int, int, str]]


def _gathered(world: World, here: Place, before: Mapping[str, str]) -> tuple[Blobs, int]:
    """The records of the project as others will see them: by path in the tree the blob, and its
    bytes where the tree `before` does not hold it; and how many files cannot be shown.
    """
    redactor, seal, known = world.redactor, here.sealer, _known(here)
    made, shown, skipped = dict[str, tuple[int, int, int, str]](), Blobs(), 0
    blobs = set(before.values())
    for kind, name, file in _files(here.project):
        plain, data, oid = sharing.path(kind, name), b"", ""
        with suppress(OSError, OnwardError):  # gone a moment ago, or nothing of ours
            status = file.stat()
            now = status.st_mtime_ns, status.st_size, status.st_ino
            *was, oid = known.made.get(plain, (0, 0, 0, ""))
            is_held = seal.path(plain, oid) in before if seal else oid in blobs
            if tuple(was) != now or not is_held:
                oid, data = "", _bytes(kind, file, redactor)
                if data and sharing.fits(name) and len(data) <= sharing.LARGEST:
                    oid = here.bare.oid(data)
        if not oid:
            skipped += 1
            continue
        made[plain], path = (*now, oid), seal.path(plain, oid) if seal else plain
        if seal and path in before:
            oid, data = before[path], b""
        elif seal:
            data = seal.seal(plain, data)
            oid = here.bare.oid(data)
        shown[path] = oid, data
    if made != known.made:
        kept = msgspec.json.encode(_Known(known.rules, made))
        atomic.write_bytes(Path(f"{here.stem}.made"), kept, atomic.PRIVATE)
    return shown, skipped


def _files(project: Project) -> Iterator[tuple[Kind, str, Path]]:
    for name in checkpoints.names(project):
        yield "checkpoint", name, checkpoints.path_of(project, name)
    for path in documents.sessions(project):
        yield "document", path.stem, path
    if (path := documents.protocol(project)).is_file():
        yield "protocol", sharing.PROTOCOL, path


def _bytes(kind: Kind, path: Path, redactor: Redactor) -> bytes:
    """What others are shown of a file. Raises OSError, OnwardError."""
    text = reading.text(path)
    if kind == "protocol":
        value = mapped(msgspec.json.decode(text), redactor.text)
        return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
    draft = parse(kind, text, redactor)
    if kind == "document":
        return session_md.render(redactor.draft(draft), zone=UTC).encode()
    return checkpoint_md.render(redactor.draft(replace(draft, name=path.stem)), zone=UTC).encode()


def _known(here: Place) -> _Known:
    """What the last push made, unless it was made by other rules."""
    rules = f"{__version__} {rules_sign(here.project.root)}"
    found = reading.kept(Path(f"{here.stem}.made"), _Known)
    return found if found and found.rules == rules else _Known(rules, {})
