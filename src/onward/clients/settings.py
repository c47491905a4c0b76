"""What is ours in somebody else's settings: hooks, and `onward mcp` among the servers that a client
starts; put in, taken out, and known again.

Pure: text or bytes in, and out. An entry of ours is known by its command string. One that a
user changed is theirs: it stays, and is named.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PureWindowsPath
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from onward.clients import splice
from onward.clients.splice import ABSENT, Before, Child, Edit, Json, JsonError, Node, Style
from onward.errors import InputError

_LIMIT = 60.0  # seconds that a command may take which names no timeout of its own
_ALLOW, _GRANT = "permissions.allow", "grant"
"""What `Before` calls the list of what is allowed, and our rule in it, which was not there."""
_NAMING = 3  # arguments that name a hook of ours: `hook`, the client, the event


class Hook(Struct, frozen=True, kw_only=True):
    """One registration of a command at one of the client's events."""

    event: str
    shim: str  # the file that the command calls
    timeout: float  # seconds, as the client is told
    command: str = ""
    kind: str = ""  # our word for the event
    matcher: str = ""  # which of its calls; "" for all
    older: tuple[str, ...] = ()  # commands of former releases
    args: tuple[str, ...] = ()  # then the command is a program that is started without a shell
    windows: str = ""  # what runs there in place of the command

    def guarded(self, command: str, ending: str) -> Hook:
        """The hook with a command that ends well also where no process can be started."""
        return replace(self, command=f"trap 'exit 0' {ending}; {command}", older=(command,))

    @property
    def name(self) -> str:
        """The event, and which of its calls if not all: `SessionStart (compact)`."""
        return f"{self.event} ({self.matcher})" if self.matcher else self.event

    @property
    def around(self) -> Mapping[str, Json]:
        """What the entry holds besides its list of hooks."""
        return {"matcher": self.matcher} if self.matcher else {}

    @property
    def inner(self) -> Mapping[str, Json]:
        """The entry's one hook."""
        more: dict[str, Json] = {"args": list(self.args)} if self.args else {}
        if self.windows:
            more["commandWindows"] = self.windows
        return {"type": "command", "command": self.command, **more, "timeout": self.timeout}

    @property
    def entry(self) -> Mapping[str, Json]:
        """The entry in the list of its event."""
        return {**self.around, "hooks": [self.inner]}

    def wrote(self, value: Json) -> bool:
        """Whether a release of ours wrote this hook just so."""
        before = {key: each for key, each in self.inner.items() if key != "commandWindows"}
        known = (self.inner, before)
        commands = (self.command, *self.older)
        return value in [{**inner, "command": each} for inner in known for each in commands]

    def meant(self, command: object, args: object = None) -> bool:
        """Whether a command is ours, as we wrote it or changed by a user."""
        if not isinstance(command, str):
            return False
        if self.args or args is not None:
            program = PureWindowsPath(command).name.lower().removesuffix(".exe")
            known = list(self.args[:_NAMING])
            named = isinstance(args, list) and args[:_NAMING] == known
            return bool(known) and named and program == self.command
        if command in {self.command, *self.older}:
            return True
        # Other programs have files of these names too.
        return f"/hooks/{self.shim}" in command.replace("\\", "/") and "onward" in command


Hooks = Sequence[Hook]


class Outcome(Struct, frozen=True, kw_only=True):
    """A settings file after a change, None if it goes, and our lines that users changed."""

    text: str | None
    before: Before
    changed: tuple[tuple[int, str], ...] = ()


def register(text: str | None, hooks: Hooks, before: Before | None, grant: str = "") -> Outcome:
    """The file with our hooks and the rule `grant`; `before`: what was there. Raises JsonError."""
    if text is None and not hooks:
        return Outcome(text=None, before={})
    whole = "{}\n" if text is None else text
    root = splice.parse(whole)
    lists = _lists(root, hooks)
    how = splice.style(whole, root)
    granted, table = _granted(root, grant), root.get("permissions")
    is_theirs = bool(granted) and _GRANT not in (before or {})
    edits, new = list[Edit](), dict[str, list[Json]]()
    for hook in hooks:
        found = list(_meant(lists.get(hook.event), hook))
        for _, inner, command in found:
            edits += _renewed(whole, hook, inner.node, command, how)
        if not found:
            new.setdefault(hook.event, []).append(hook.entry)
    values: dict[str, Json] = {"hooks": new} if new else {}
    if hooks and grant and not granted:
        values["permissions"] = {"allow": [grant]}
    edits += splice.fill(whole, root, values, how)
    filled = {hook.event for hook in hooks if any(_meant(lists.get(hook.event), hook))}
    ours = {f"hooks.{event}" for event in filled} | ({"", "hooks"} if filled else set())
    places = {"": root, "hooks": root.get("hooks")}
    places |= {f"hooks.{hook.event}": lists.get(hook.event) for hook in hooks}
    known = _lost(hooks) if before is None else before
    ended: dict[str, str] = {}
    if hooks and grant and not is_theirs:
        places |= {"permissions": table, _ALLOW: table.get("allow") if table else None}
        ours |= {"permissions", _ALLOW} if granted else set()
        ended[_GRANT] = ABSENT
    return Outcome(
        text=splice.apply(whole, edits),
        before=splice.stood(text, places, ours, known) | ended,
        changed=_changed(whole, lists, hooks),
    )


def unregister(text: str | None, hooks: Hooks, before: Before | None, grant: str = "") -> Outcome:
    """The file without what `register` wrote, whatever was done to it elsewhere. Raises JsonError."""
    if text is None:
        return Outcome(text=None, before={})
    root, gone = splice.parse(text), set[int]()
    for event, entries in _lists(root, hooks).items():
        own = [hook for hook in hooks if hook.event == event]
        gone.update(*(_ours(entry, own) for entry in entries.children))
    if before is None or _GRANT in before:
        gone |= {child.start for child in _granted(root, grant)}
    edits = splice.without(root, gone, _lost(hooks) if before is None else before)
    if edits is None:
        return Outcome(text=None, before={})
    after = splice.apply(text, edits)
    changed = _changed(after, _lists(splice.parse(after), hooks), hooks)
    return Outcome(text=after, before={}, changed=changed)


def registrations(text: str, hooks: Hooks) -> Iterator[Hook]:
    """Each registration of a hook that the file holds, as it stands there. Raises JsonError."""
    lists = _lists(splice.parse(text), hooks)
    for hook in hooks:
        for entry, inner, command in _meant(lists.get(hook.event), hook):
            around: Any = entry.node.plain()
            told: Any = inner.node.plain()
            matcher, args = str(around.get("matcher", "")), map(str, told.get("args") or ())
            limit = told.get("timeout")
            limit = limit if isinstance(limit, int | float) and limit > 0 else _LIMIT
            found = replace(hook, matcher=matcher, args=tuple(args), timeout=limit)
            yield replace(found, command=str(command.value))


def _renewed(whole: str, hook: Hook, inner: Node, command: Node, how: Style) -> Iterator[Edit]:
    """What a registration of a former release lacks."""
    if command.value in hook.older:
        yield Edit(command.start, command.end, splice.render(hook.command, how))
    if hook.windows and not inner.get("commandWindows") and hook.wrote(inner.plain()):
        yield from splice.fill(whole, inner, {"commandWindows": hook.windows}, how)


def _granted(root: Node, grant: str) -> list[Child]:
    """Where the rule stands among what is allowed. Raises JsonError for wrong types."""
    if (table := root.get("permissions")) is None or not grant:
        return []
    splice.demand(table, "object", '"permissions"')
    if (allow := table.get("allow")) is None:
        return []
    splice.demand(allow, "array", '"allow"')
    return [child for child in allow.children if child.node.value == grant]


def _lists(root: Node, hooks: Hooks) -> Mapping[str, Node]:
    """The list of each event of ours that there is one for. Raises JsonError for wrong types."""
    splice.demand(root, "object", "the settings")
    table = root.get("hooks")
    if table is None:
        return {}
    splice.demand(table, "object", '"hooks"')
    found = {hook.event: table.get(hook.event) for hook in hooks}
    lists = {event: node for event, node in found.items() if node is not None}
    for event, node in lists.items():
        splice.demand(node, "array", f'"{event}"')
    return lists


def _meant(entries: Node | None, hook: Hook) -> Iterator[tuple[Child, Child, Node]]:
    """Each registration of a hook in its event's list: the entry, the hook in it, its command."""
    for entry in entries.children if entries else ():
        for inner in _inner(entry.node):
            command = _last(inner.node, "command")
            args = _last(inner.node, "args")
            if command and hook.meant(command.value, args.plain() if args else None):
                yield entry, inner, command


def _inner(entry: Node) -> Sequence[Child]:
    hooks = _last(entry, "hooks")
    return hooks.children if hooks and hooks.kind == "array" else ()


def _last(node: Node, name: str) -> Node | None:
    """The member that the client takes; other people's entries are not ours to judge."""
    return next((child.node for child in reversed(node.children) if child.name == name), None)


def _lost(hooks: Hooks) -> Before:
    """The likeliest where nobody knows: that the lists were made for us."""
    lists = (f"hooks.{hook.event}" for hook in hooks)
    return dict.fromkeys(("hooks", "permissions", _ALLOW, *lists), ABSENT)


def _ours(entry: Child, hooks: Hooks) -> list[int]:
    """Where that begins which is ours in an entry: the whole entry, or some of its hooks."""
    inner = _inner(entry.node)
    gone = [c.start for c in inner if any(hook.wrote(c.node.plain()) for hook in hooks)]
    if len(gone) < len(inner):
        return gone
    members = entry.node.children
    around = {child.name: child.node.plain() for child in members if child.name != "hooks"}
    return [entry.start] if inner and any(around == hook.around for hook in hooks) else []


def _changed(text: str, lists: Mapping[str, Node], hooks: Hooks) -> tuple[tuple[int, str], ...]:
    """Line and event of what is ours by its command and not as we wrote it."""
    found = set()
    for hook in hooks:
        for entry, inner, _ in _meant(lists.get(hook.event), hook):
            alone = len(_inner(entry.node)) == 1
            if not hook.wrote(inner.node.plain()) or (alone and not _ours(entry, [hook])):
                found.add((splice.place(text, inner.start)[0], hook.event))
    return tuple(sorted(found))


# ------------------------------------------------------------------------ our server
#
# Measured: the clients read theirs from a project that the user trusts, or from a plugin, a file of ours.

_TABLE, _NAME = "mcpServers", "onward"
_ODD = "surrogateescape"  # what is no UTF-8 stays as it is
_ENTRY: Json = {"type": "stdio", "command": "onward", "args": ["mcp"]}
_TOML = b'# onward: begin\n[mcp_servers.onward]\ncommand = "onward"\nargs = ["mcp"]\n# onward: end'
_PLACES = {"mcp": "", "mcp.servers": _TABLE}
"""What `Before` calls the whole file and the table in it, which may have been empty before our entry."""


def server(path: Path, own: Path) -> tuple[Literal["entry", "block", "file"], bytes]:
    """What belongs there, of its own, and as what; `own` is our file for a client that takes a whole one."""
    if path.suffix == ".json":
        return "entry", json.dumps(_ENTRY).encode()
    if path.suffix == ".toml":
        return "block", _TOML
    return "file", own.read_bytes()


def entry_found(path: Path, data: bytes) -> bytes | None:
    """What stands there under its name; None for nothing. Raises InputError."""
    _, _, child = _server(path, _text(data))
    return json.dumps(child.node.plain()).encode() if child else None


def put_entry(path: Path, data: bytes | None) -> bytes:
    """The file with it. Raises InputError for a file in which it could not stand."""
    text = "{}\n" if data is None else _text(data)
    root, _, child = _server(path, text)
    how = splice.style(text, root)
    if child:
        edits = [Edit(child.node.start, child.node.end, splice.render(_ENTRY, how))]
    else:
        edits = splice.fill(text, root, {_TABLE: {_NAME: _ENTRY}}, how)
    return splice.apply(text, edits).encode(errors=_ODD)


def take_entry(path: Path, data: bytes, before: Before) -> bytes | None:
    """The file without it, as it stood before; None where it came with it. Raises InputError."""
    text = _text(data)
    root, _, child = _server(path, text)
    known = {place: before.get(name, ABSENT) for name, place in _PLACES.items()}
    edits = splice.without(root, {child.start} if child else set(), known)
    return None if edits is None else splice.apply(text, edits).encode(errors=_ODD)


def entry_stood(path: Path, data: bytes | None, known: Before) -> Before:
    """What stands in the empty places before `put`; where the entry is there, what was known."""
    text = None if data is None else _text(data)
    root, table, child = _server(path, "{}" if text is None else text)
    empty = {"mcp": root, "mcp.servers": table}
    return splice.stood(text, empty, _PLACES if child else (), known)


def _text(data: bytes) -> str:
    return data.decode(errors=_ODD)


def _server(path: Path, text: str) -> tuple[Node, Node | None, Child | None]:
    """The file, its table of servers and our entry there."""
    try:
        root = splice.parse(text)
        splice.demand(root, "object", "the file")
        if (table := root.get(_TABLE)) is None:
            return root, None, None
        splice.demand(table, "object", f'"{_TABLE}"')
        table.get(_NAME)  # raises for a doubled key
        return root, table, next((each for each in table.children if each.name == _NAME), None)
    except JsonError as error:
        raise error.told(path, text) from None


def holds_server(path: Path, data: bytes) -> bool:
    """Whether a TOML file has one of its name. Raises InputError for one that cannot be read."""
    try:
        table = tomllib.loads(data.decode()).get("mcp_servers", {})
    except (ValueError, RecursionError) as error:
        hint = f"fix {path}, then type the same command again"
        raise InputError(f"our entry cannot stand in {path}: {error}", hint) from None
    return isinstance(table, dict) and _NAME in table
