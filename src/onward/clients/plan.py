"""What an installation would change, file by file, before the first byte is written.

Files come first and the settings last, so that no hook is registered
whose shim is missing; an uninstall goes the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Literal

from msgspec import Struct

from onward.clients import files, settings, splice
from onward.clients.files import Change, Manifest, digest, present
from onward.clients.settings import Hook, Outcome
from onward.clients.target import Target
from onward.errors import InputError
from onward.storage import backups

Clean = Callable[[str], str]  # redacts: a line of somebody's settings may hold a token


Kind = Literal["file", "block", "entry"]


class Plan(Struct, frozen=True, kw_only=True):
    """The changes in their order, and what is named to the user."""

    changes: tuple[Change, ...]
    folders: tuple[Path, ...] = ()  # of ours, removed behind the changes where they are empty
    foreign: tuple[str, ...] = ()  # files that bear a name of ours
    changed: tuple[str, ...] = ()  # files and entries of ours that a user changed
    unhooked: tuple[str, ...] = ()  # events whose shim is foreign


class _Piece(Struct, frozen=True):
    """One thing of ours in its place."""

    path: Path
    key: str
    kind: Kind
    whole: bytes | None  # the file as it is
    data: bytes | None  # what is there of ours
    shipped: bytes | None  # what we have for it; None for one of a former release
    recorded: str  # the digest of what was written there once, "" for nothing

    @property
    def standing(self) -> Literal["absent", "current", "older", "changed", "foreign"]:
        """How it stands to what we ship now, and to what we once wrote there."""
        if self.data is None:
            return "absent"
        if self.shipped is not None and digest(self.data) == digest(self.shipped):
            return "current"
        if not self.recorded:
            return "foreign"
        return "older" if digest(self.data) == self.recorded else "changed"

    @property
    def settled(self) -> bool:
        """Whether it stays as it is: git must go on leaving out what lies beside it."""
        return self.path.name == backups.IGNORE and backups.to_ignore(self.path.parent)

    def put(self) -> bytes | None:
        """The file with it."""
        if self.kind == "entry":
            return settings.put_entry(self.path, self.whole)
        if self.kind == "block" and self.shipped is not None:
            after = files.with_block(self.whole, self.shipped)
            if self.path.suffix == ".toml":
                settings.holds_server(self.path, after)  # whether it can stand there
            return after
        return self.shipped

    def taken(self, before: splice.Before) -> bytes | None:
        """The file without it."""
        if self.kind == "entry":
            return settings.take_entry(self.path, self.whole or b"", before)
        return files.without_block(self.whole or b"") if self.kind == "block" else None


def install(
    target: Target, clean: Clean, last: Iterable[Change] = (), *, mcp: bool = False
) -> Plan:
    """`mcp` registers the server too. Raises InputError, RefusedError, StorageError."""
    record = _record(target)
    changes, digests, empty = list[Change](), dict[str, str](), dict[str, str]()
    foreign, changed = list[Path](), list[Path]()
    for piece in _pieces(target, record, mcp=mcp):
        standing, in_memory = piece.standing, piece.path.parent == target.memory
        if standing == "older" or (standing == "absent" and not piece.settled):
            theirs = piece.kind != "file"
            changes += _change(target, piece.path, piece.whole, piece.put(), theirs=theirs)
        elif standing in {"foreign", "changed"} and not in_memory:  # that is meant to be changed
            (foreign if standing == "foreign" else changed).append(piece.path)
        # The record, which is committed, does not change with what sessions write to the memory.
        if standing in {"foreign", "changed"} and not in_memory:
            digests[piece.key] = piece.recorded
        else:
            digests[piece.key] = digest(piece.shipped) if piece.shipped is not None else ""
        if piece.kind == "entry":
            empty |= settings.entry_stood(piece.path, piece.whole, record.settings or {})
    every = target.hooks()
    # Those whose shim, and what all shims share, is ours.
    names = {path.name for path in foreign if path.parent == target.base / "hooks"}
    shared = names - {hook.shim for hook in every}
    hooks = [hook for hook in every if hook.shim not in names and not shared]
    entries, outcome = _entries(target, hooks, clean, record.settings, settings.register)
    record_path = target.base / files.MANIFEST
    new = Manifest(
        files={key: value for key, value in digests.items() if value},
        settings={**outcome.before, **empty},
    )
    if new != record:
        old = present(record_path, target.bound)
        changes += _change(target, record_path, old, files.render_manifest(new))
    return Plan(
        changes=(*changes, *entries, *last),
        foreign=tuple(map(target.shown, foreign)),
        changed=(*map(target.shown, changed), *_lines(target, outcome)),
        unhooked=tuple(hook.event for hook in every if hook not in hooks),
    )


def uninstall(target: Target, clean: Clean, first: Iterable[Change] = ()) -> Plan:
    """`first` is made before all others. Raises as `install` does."""
    record = _record(target)
    hooks = target.hooks()
    entries, outcome = _entries(target, hooks, clean, record.settings, settings.unregister)
    gone, changed = list[Change](), list[Path]()
    pieces = list(_pieces(target, record))
    for piece in pieces:
        if piece.standing in {"current", "older"} and not piece.settled:
            after, theirs = piece.taken(record.settings or {}), piece.kind != "file"
            gone += _change(target, piece.path, piece.whole, after, theirs=theirs)
        elif piece.standing == "changed" and piece.path.parent != target.memory:
            changed.append(piece.path)
    record_path = target.base / files.MANIFEST
    gone += _change(target, record_path, present(record_path, target.bound), None)
    held = {folder for piece in pieces for folder in piece.path.parents} if gone else set()
    held = {folder for folder in held if folder != target.root and target.root in folder.parents}
    return Plan(
        changes=(*first, *entries, *gone),
        folders=tuple(sorted(held, key=lambda path: -len(path.parts))),
        changed=(*_lines(target, outcome), *map(target.shown, changed)),
    )


def _record(target: Target) -> Manifest:
    path = target.base / files.MANIFEST
    return files.parse_manifest(present(path, target.bound), path)


def _pieces(target: Target, record: Manifest, *, mcp: bool = False) -> Iterator[_Piece]:
    """Everything of ours but the settings, of this release and of the one that was recorded."""

    def piece(path: Path, shipped: bytes | None, kind: Kind = "file") -> _Piece:
        data = whole = present(path, target.bound)
        if kind == "block":
            data = files.block(whole, path)
            if whole and not data and path.suffix == ".toml" and settings.holds_server(path, whole):
                data = b"another's"
        elif kind == "entry" and whole is not None:
            data = settings.entry_found(path, whole)
        key = path.relative_to(target.root).as_posix()
        return _Piece(path, key, kind, whole, data, shipped, record.files.get(key, ""))

    server, shipped, places = target.server(), target.shipped(), target.places()
    named = [target.root / PurePosixPath(name) for name in record.files if ":" not in name]
    # They came with a repository: in our own folders alone.
    own = {path for path in named if any(path.is_relative_to(place) for place in places)}
    former = {path for path in own if ".." not in path.parts}
    for path, data in shipped.items():
        yield piece(path, data)
    for path in sorted(former - set(shipped) - {server}):
        yield piece(path, None)
    block = target.block()
    if block is not None:
        yield piece(target.base / target.RULES, block, "block")
    if server and (mcp or server.relative_to(target.root).as_posix() in record.files):
        how, shipped_there = settings.server(server, target.TEMPLATES.with_name(server.name))
        yield piece(server, shipped_there, how)


def _entries(
    target: Target,
    hooks: Sequence[Hook],
    clean: Clean,
    before: splice.Before | None,
    change: Callable[[str | None, Sequence[Hook], splice.Before | None, str], Outcome],
) -> tuple[list[Change], Outcome]:
    """The change of the settings file, and what came of it."""
    path = target.settings
    if not hooks and path in target.shipped():
        return [], Outcome(text=None, before={})
    data = present(path, target.bound)
    try:
        text = None if data is None else data.decode()
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8", f"save {path.name} as UTF-8") from None
    blank = text is not None and not text.strip("\ufeff \t\r\n")
    if blank and change is settings.unregister:
        return [], Outcome(text=text, before={})
    if blank:
        hint = f"delete {path}, or write {{}} into it"
        raise InputError(f"{path} is empty: the client silently skips such a file", hint)
    try:
        outcome = change(text, hooks, before, target.grant)
    except splice.JsonError as error:
        raise error.told(path, text or "", clean) from None
    after = None if outcome.text is None else outcome.text.encode()
    return _change(target, path, data, after, theirs=True), outcome


def _change(
    target: Target, path: Path, before: bytes | None, after: bytes | None, *, theirs: bool = False
) -> list[Change]:
    if before == after:
        return []
    name = target.shown(path)
    return [Change(path=path, name=name, before=before, after=after, theirs=theirs)]


def _lines(target: Target, outcome: Outcome) -> tuple[str, ...]:
    name = target.shown(target.settings)
    return tuple(f"{name}, line {line} ({event})" for line, event in outcome.changed)
