"""What an installation would change, file by file, before the first byte is written.

Files come first and the settings last, so that no hook is registered
whose shim is missing; an uninstall goes the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct

from onward.clients import files, mcp_entry, settings, splice
from onward.clients.changes import Change, present
from onward.clients.files import Manifest, digest
from onward.clients.settings import Hook, Outcome
from onward.clients.target import Target
from onward.errors import InputError
from onward.storage import backups

_SNIPPET = 80  # characters of a line that is shown in an error
Clean = Callable[[str], str]
"""Redacts: a line of somebody's settings may hold a token."""


class Plan(Struct, frozen=True, kw_only=True):
    """The changes in their order; `folders`, which hold files of ours, are removed
    behind them where they are empty.

    Named to the user: `foreign` files that bear a name of ours, `changed` files and entries
    of ours, `unhooked` events whose shim is foreign.
    """

    changes: tuple[Change, ...]
    folders: tuple[Path, ...] = ()
    foreign: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unhooked: tuple[str, ...] = ()


class _Piece(Struct, frozen=True, kw_only=True):
    """One thing of ours in its place: a file, the block in a user's file, or the entry of our server.

    `data` is what is there of it now, `shipped` what we have for it ("None": only a former
    release had it), `recorded` the digest of what was written there once, "" for nothing.
    """

    path: Path
    key: str
    whole: bytes | None
    data: bytes | None
    shipped: bytes | None
    recorded: str
    block: bool = False
    entry: bool = False
    before: mcp_entry.Before = {}
    in_memory: bool = False

    @property
    def standing(self) -> files.Standing:
        """See `files.standing`."""
        return files.standing(self.data, self.shipped, self.recorded)

    @property
    def settled(self) -> bool:
        """Whether it stays as it is or is not: git must go on leaving out what lies beside it.
        Where that lay there before us, the next capture writes it: ours would have to stay.
        """
        return self.path.name == backups.IGNORE and backups.to_ignore(self.path.parent)

    @property
    def is_shared(self) -> bool:
        """Whether the file is a user's."""
        return self.block or self.entry

    def to_record(self) -> str:
        """The digest to keep of what we wrote, "" for nothing. Sessions write the files of the
        memory, and the record, which is committed, does not change with them.
        """
        if self.standing in {"changed", "foreign"} and not self.in_memory:
            return self.recorded
        return digest(self.shipped) if self.shipped is not None else ""

    def put(self) -> bytes | None:
        """The file with it."""
        if self.entry:
            return mcp_entry.put(self.path, self.whole)
        if self.block and self.shipped is not None:
            return files.with_block(self.whole, self.shipped)
        return self.shipped

    def taken(self) -> bytes | None:
        """The file without it."""
        if self.entry:
            return mcp_entry.taken(self.path, self.whole or b"", self.before)
        return files.without_block(self.whole or b"") if self.block else None


def install(
    target: Target, clean: Clean, last: Iterable[Change] = (), *, mcp: bool = False
) -> Plan:
    """`last` is made behind all others; `mcp` registers the server too, which stays from then on. Raises InputError for a file that cannot be read as what it is, RefusedError, StorageError."""
    record = _record(target)
    changes, digests = list[Change](), dict[str, str]()
    foreign, changed = list[Path](), list[Path]()
    empty = dict[str, str]()
    for piece in _pieces(target, record, mcp=mcp):
        standing = piece.standing
        if standing == "older" or (standing == "absent" and not piece.settled):
            changes += _change(target, piece.path, piece.whole, piece.put(), piece.is_shared)
        elif standing == "foreign":
            foreign.append(piece.path)
        elif standing == "changed":
            changed.append(piece.path)
        digests[piece.key] = piece.to_record()
        if piece.entry:
            empty |= mcp_entry.stood(piece.path, piece.whole, piece.before)
    every = target.hooks()
    hooks = _callable(target, every, foreign)
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
        foreign=_shown(target, _not_memory(target, foreign)),
        changed=(*_shown(target, _not_memory(target, changed)), *_lines(target, outcome)),
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
            gone += _change(target, piece.path, piece.whole, piece.taken(), piece.is_shared)
        elif piece.standing == "changed":
            changed.append(piece.path)
    record_path = target.base / files.MANIFEST
    gone += _change(target, record_path, present(record_path, target.bound), None)
    held = {folder for piece in pieces for folder in piece.path.parents} if gone else set()
    held = {folder for folder in held if folder != target.root and target.root in folder.parents}
    return Plan(
        changes=(*first, *entries, *gone),
        folders=tuple(sorted(held, key=lambda path: -len(path.parts))),
        changed=(*_lines(target, outcome), *_shown(target, _not_memory(target, changed))),
    )


def _record(target: Target) -> Manifest:
    path = target.base / files.MANIFEST
    return files.parse_manifest(present(path, target.bound), path)


def _pieces(target: Target, record: Manifest, *, mcp: bool = False) -> Iterator[_Piece]:
    """Everything of ours but the settings, of this release and of the one that was recorded."""
    server = target.server()
    shipped: Mapping[Path, bytes | None] = target.shipped()
    former = {target.root / name for name in record.files if _is_inside(name)}
    places = target.places()
    former = {path for path in former if any(path.is_relative_to(place) for place in places)}
    former.discard(server)
    for path in [*shipped, *sorted(former - set(shipped))]:
        data = present(path, target.bound)
        key = path.relative_to(target.root).as_posix()
        recorded = record.files.get(key, "")
        yield _Piece(
            path=path,
            key=key,
            whole=data,
            data=data,
            shipped=shipped.get(path),
            recorded=recorded,
            in_memory=path.parent == target.memory,
        )
    block = target.block()
    if block is not None:
        path = target.base / target.RULES
        data = present(path, target.bound)
        key = path.relative_to(target.root).as_posix()
        yield _Piece(
            path=path,
            key=key,
            whole=data,
            data=files.block(data, path),
            shipped=block,
            recorded=record.files.get(key, ""),
            block=True,
        )
    key = server.relative_to(target.root).as_posix() if server else ""
    if server and (mcp or key in record.files):
        data = present(server, target.bound)
        yield _Piece(
            path=server,
            key=key,
            whole=data,
            data=mcp_entry.found(server, data),
            shipped=mcp_entry.shipped(server),
            recorded=record.files.get(key, ""),
            entry=True,
            before=record.settings or {},
        )


def _entries(
    target: Target,
    hooks: Sequence[Hook],
    clean: Clean,
    before: settings.Before | None,
    change: Callable[[str | None, Sequence[Hook], settings.Before | None], Outcome],
) -> tuple[list[Change], Outcome]:
    """The change of the settings file, and what came of it."""
    path = target.settings
    if not hooks and path in target.shipped():
        return [], Outcome(text=None, before={})
    data = present(path, target.bound)
    text = None if data is None else _text(path, data)
    blank = text is not None and not text.strip("\ufeff \t\r\n")
    if blank and change is settings.unregister:
        return [], Outcome(text=text, before={})
    if blank:
        hint = f"delete {path}, or write {{}} into it"
        raise InputError(f"{path} is empty: the client silently skips such a file", hint)
    try:
        outcome = change(text, hooks, before)
    except splice.JsonError as error:
        line, snippet = splice.place(text or "", error.at)
        said = f"{path}, line {line}: {error.what}: {clean(snippet)[:_SNIPPET]}"
        hint = f"fix line {line} of {path}, then type the same command again"
        raise InputError(said, hint) from None
    after = None if outcome.text is None else outcome.text.encode()
    return _change(target, path, data, after, theirs=True), outcome


def _text(path: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8", f"save {path.name} as UTF-8") from None


def _callable(target: Target, hooks: Sequence[Hook], foreign: Collection[Path]) -> list[Hook]:
    """The hooks whose shim, and what all shims share, is ours."""
    names = {path.name for path in foreign if path.parent == target.base / "hooks"}
    if names - {hook.shim for hook in hooks}:
        return []
    return [hook for hook in hooks if hook.shim not in names]


def _change(
    target: Target, path: Path, before: bytes | None, after: bytes | None, theirs: bool = False
) -> list[Change]:
    if before == after:
        return []
    name = target.shown(path)
    return [Change(path=path, name=name, before=before, after=after, theirs=theirs)]


def _lines(target: Target, outcome: Outcome) -> tuple[str, ...]:
    name = target.shown(target.settings)
    return tuple(f"{name}, line {line} ({event})" for line, event in outcome.changed)


def _shown(target: Target, paths: Sequence[Path]) -> tuple[str, ...]:
    return tuple(target.shown(path) for path in paths)


def _not_memory(target: Target, paths: Sequence[Path]) -> list[Path]:
    """What lies in the memory folder is meant to be changed."""
    return [path for path in paths if path.parent != target.memory]


def _is_inside(name: str) -> bool:
    """Whether a path of the record stays below the root."""
    pure = PurePosixPath(name)
    return (
        bool(pure.parts) and not pure.is_absolute() and ".." not in pure.parts and ":" not in name
    )
