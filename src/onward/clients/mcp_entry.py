"""`onward mcp` among the servers that a client starts: an entry in a file that others share.

Measured: Claude Code (2.1.197, 2.1.330), Codex 0.169.0 and Copilot CLI 1.0.102 read theirs from a
project that the user trusts; opencode 1.18.33 takes it from a plugin, a file of ours alone.
Pure: bytes in, bytes out.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path

from onward.clients import files, splice
from onward.clients.splice import ABSENT, Before, Child, Edit, Json, JsonError, Node
from onward.errors import InputError

_TABLE, _NAME = "mcpServers", "onward"
_ODD = "surrogateescape"  # what is no UTF-8 stays as it is
_ENTRY: Json = {"type": "stdio", "command": "onward", "args": ["mcp"]}
_TOML = b'# onward: begin\n[mcp_servers.onward]\ncommand = "onward"\nargs = ["mcp"]\n# onward: end'
_PLACES = {"mcp": "", "mcp.servers": _TABLE}
"""What `Before` calls the whole file and the table in it, which may have been empty before our entry."""


def shipped(path: Path) -> bytes:
    """What belongs there, of its own: the entry, the block or the file."""
    if path.suffix == ".json":
        return json.dumps(_ENTRY).encode()
    if path.suffix == ".toml":
        return _TOML
    return (files.TEMPLATES / "mcp" / path.name).read_bytes()


def found(path: Path, data: bytes | None) -> bytes | None:
    """What stands there of it or under its name; None for nothing. Raises InputError."""
    if data is None or path.suffix not in {".json", ".toml"}:
        return data
    if path.suffix == ".toml":
        text = files.block(data, path)
        there = _NAME in _servers(path, data)
        return text or (b"another's" if there else None)
    _, _, child = _json(path, _text(data))
    return json.dumps(child.node.plain()).encode() if child else None


def put(path: Path, data: bytes | None) -> bytes:
    """The file with it. Raises InputError for a file in which it could not stand."""
    if path.suffix == ".toml":
        after = files.with_block(data, _TOML)
        _servers(path, after)
        return after
    if path.suffix != ".json":
        return shipped(path)
    text = "{}\n" if data is None else _text(data)
    root, _, child = _json(path, text)
    how = splice.style(text, root)
    if child:
        edits = [Edit(child.node.start, child.node.end, splice.render(_ENTRY, how))]
    else:
        edits = splice.fill(text, root, {_TABLE: {_NAME: _ENTRY}}, how)
    return splice.apply(text, edits).encode(errors=_ODD)


def taken(path: Path, data: bytes, before: Before) -> bytes | None:
    """The file without it, as it stood before; None where it came with it. Raises InputError."""
    if path.suffix == ".toml":
        return files.without_block(data)
    if path.suffix != ".json":
        return None
    text = _text(data)
    root, _, child = _json(path, text)
    gone = {child.start} if child else set[int]()
    known = {place: before.get(name, ABSENT) for name, place in _PLACES.items()}
    edits = splice.without(root, gone, known)
    return None if edits is None else splice.apply(text, edits).encode(errors=_ODD)


def stood(path: Path, data: bytes | None, known: Before) -> Before:
    """What stands in the empty places before `put`; where the entry is there, what was known."""
    if path.suffix != ".json":
        return {}
    text = None if data is None else _text(data)
    root, table, child = _json(path, "{}" if text is None else text)
    empty = {"mcp": root, "mcp.servers": table}
    return splice.stood(text, empty, _PLACES if child else (), known)


def _text(data: bytes) -> str:
    return data.decode(errors=_ODD)


def _json(path: Path, text: str) -> tuple[Node, Node | None, Child | None]:
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
        line, _ = splice.place(text, error.at)
        hint = f"fix line {line} of {path}, then type the same command again"
        raise InputError(f"{path}, line {line}: {error.what}", hint) from None


def _servers(path: Path, data: bytes) -> Mapping[str, object]:
    try:
        table = tomllib.loads(data.decode()).get("mcp_servers", {})
    except (ValueError, RecursionError) as error:
        hint = f"fix {path}, then type the same command again"
        raise InputError(f"our entry cannot stand in {path}: {error}", hint) from None
    return table if isinstance(table, dict) else {}
