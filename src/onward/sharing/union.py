"""What all writers of a project hold together, and what `NAME@MACHINE` means in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from onward.model import Draft
from onward.sharing.record import Kind, Tombstone

_FIRST: Mapping[Kind, int] = {"checkpoint": 0, "document": 1, "protocol": 2}


class Held(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One record of a writer. All text in it is clean; times are UTC."""

    kind: Kind
    name: str
    oid: str
    """Of the blob that holds it."""
    created: str = ""
    saved: str = ""
    task: str = ""
    sealed: bool = False
    """The blob is encrypted."""

    @property
    def grave(self) -> Tombstone:
        """What is left of it once it is hidden."""
        return Tombstone(kind=self.kind, name=self.name, hash=self.oid)


class Peer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One writer, as its last commit that was pulled shows it."""

    writer: str
    machine: str
    """The name it shows, else the writer's own."""
    label: str = ""
    """What it is called here: `machine`, but where two are called so, the writer's own name."""
    remote: str
    """Which remote it was pulled from: eight hex digits."""
    commit: str
    written: str = ""
    root: str = ""
    held: tuple[Held, ...] = ()
    refused: int = 0
    """Records that are none: odd names, links, sizes, bytes that are no text."""
    sealed: int = 0
    """Records that this machine has no key for."""
    forgotten: frozenset[str] = frozenset()
    """The names of what it took back."""
    fault: str = ""
    """Why nothing of it is read; "" where it is."""


class Index(Struct, frozen=True, kw_only=True):
    """All that was pulled of a project; `own` is this work tree's writer, which is left out, and
    `unread` counts the writers that were too many.
    """

    version: int = 1
    unread: int = 0
    own: str = ""
    machine: str = ""
    """The name that this machine shows others."""
    pulled: str = ""
    peers: tuple[Peer, ...] = ()
    unnamed: tuple[str, ...] = ()
    """Remotes that were pulled by their addresses: no settings name them."""
    hidden: tuple[tuple[str, Tombstone], ...] = ()
    """Records of others, each with its writer, that are not to be shown here."""


def index(found: Index) -> Index:
    """The same with each writer once, as it wrote last, called so that it is told from all others
    and from this machine, and without what is hidden.
    """
    latest = {peer.writer: peer for peer in sorted(found.peers, key=lambda peer: peer.written)}
    # A machine that calls itself as another's writer is, is told from it too.
    called = [
        (found.machine, found.own),
        *((peer.machine, peer.writer) for peer in latest.values()),
    ]
    times = Counter(name for machine, writer in called for name in {machine.casefold(), writer})
    shown = tuple(
        replace(
            peer,
            label=peer.machine if times[peer.machine.casefold()] == 1 else peer.writer,
            held=tuple(held for held in peer.held if (peer.writer, held.grave) not in found.hidden),
        )
        for _, peer in sorted(latest.items())
    )
    return replace(found, peers=shown)


def find(known: Index, name: str, machine: str) -> list[tuple[Peer, Held]]:
    """The records that `NAME@MACHINE` can mean, the newest first: a checkpoint before a session
    document of that name.
    """
    found = [
        (peer, held) for peer in _called(known, machine) for held in peer.held if held.name == name
    ]
    found.sort(key=lambda pair: pair[1].saved, reverse=True)
    found.sort(key=lambda pair: _FIRST[pair[1].kind])
    return [pair for pair in found if pair[1].kind == found[0][1].kind]


def taken_back(known: Index, address: str) -> Peer | None:
    """The writer that took back what `NAME@MACHINE` was, if it says so."""
    name, _, machine = address.rpartition("@")
    called = _called(known, machine)
    return next((peer for peer in called if name in peer.forgotten), None)


def _called(known: Index, machine: str) -> list[Peer]:
    """The writers that `MACHINE` can mean: the one of that very name, else those that show it."""
    wanted = machine.casefold()
    exact = [peer for peer in known.peers if peer.writer == wanted]
    return exact or [
        peer for peer in known.peers if wanted in {peer.label.casefold(), peer.machine.casefold()}
    ]


def addresses(known: Index) -> list[str]:
    """All checkpoints of others, as `NAME@MACHINE`, the newest first."""
    found = [
        (held.saved, f"{held.name}@{peer.label}")
        for peer in known.peers
        for held in peer.held
        if held.kind == "checkpoint"
    ]
    return [address for _, address in sorted(found, reverse=True)]


_BEFORE = r"(?<![\w.~/\\-])"
_END = r"(?![\w~-]|\.\w)"
_REST = r"""(?P<rest>[/\\][^\s"'`<>|*?:;,)\]}]*)?"""
_WINDOWS = re.compile(r"^[A-Za-z]:[/\\]|\\")
_LONGEST = 1000  # characters: no disk takes longer ones, and a stranger may claim any
_SHORTEST = 2  # parts: a root like `/srv` or `~` would be found where nobody meant it


def relocate(draft: Draft, roots: Iterable[str], here: str) -> Draft:
    """The draft with each of `roots`, as the other machine spells the project's folder, turned
    into `here`, this machine's; files within it become relative. Separators follow.
    """
    for root in dict.fromkeys(roots):
        if (pattern := _pattern(root)) is None:
            continue
        slash = "\\" if _WINDOWS.search(here) else "/"
        plain = _relocated(msgspec.to_builtins(draft), pattern, here.rstrip("/\\"), slash)
        draft = msgspec.convert(plain, Draft)
    files = tuple(
        replace(fact, path=_relative(fact.path, here), to=fact.to and _relative(fact.to, here))
        for fact in draft.files
    )
    return replace(draft, files=files)


def _pattern(root: str) -> re.Pattern[str] | None:
    parts = [part for part in re.split(r"[/\\]+", root) if part]
    if len(parts) < _SHORTEST or len(root) > _LONGEST:
        return None
    lead = r"[/\\]" if root[:1] in "/\\" else ""
    flags = re.IGNORECASE if _WINDOWS.search(root) else 0
    spelt = lead + r"[/\\]+".join(map(re.escape, parts))
    return re.compile(f"{_BEFORE}{spelt}{_REST}{_END}", flags)


def _relocated(value: Any, pattern: re.Pattern[str], here: str, slash: str) -> Any:
    if isinstance(value, str):
        return pattern.sub(
            lambda found: here + re.sub(r"[/\\]", lambda _: slash, found["rest"] or ""), value
        )
    if isinstance(value, dict):
        return {name: _relocated(each, pattern, here, slash) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_relocated(each, pattern, here, slash) for each in value]
    return value


def _relative(path: str, here: str) -> str:
    inside = path.startswith((f"{here}/", f"{here}\\"))
    return path[len(here) + 1 :].replace("\\", "/") if inside else path
