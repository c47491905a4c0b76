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
from onward.clients.splice import Child, Edit, Json, JsonError, Node
from onward.errors import InputError

_TABLE, _NAME = "mcpServers", "onward"
_ENTRY: Json = {"type": "stdio", "command": "onward", "args": ["mcp"]}
_TOML = b'# onward: begin\n[mcp_servers.onward]\ncommand = "onward"\nargs = ["mcp"]\n# onward: end'
_ABSENT = ""
Before = Mapping[str, str]
"""The text of the places that were empty before our entry came: "mcp" the whole file,
"mcp.servers" the table in it; "" where there was none. With it an uninstall is exact to the byte."""


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
        text = files.marked(data)
        there = _NAME in _servers(path, data)
        return text or (b"another's" if there else None)
    _, _, child = _json(path, data.decode(errors="replace"))
    return json.dumps(child.node.plain()).encode() if child else None


def put(path: Path, data: bytes | None) -> bytes:
    """The file with it. Raises InputError for a file in which it could not stand."""
    if path.suffix == ".toml":
        after = files.with_block(data, _TOML)
        _servers(path, after)
        return after
    if path.suffix != ".json":
        return shipped(path)
    text = "{}\n" if data is None else data.decode(errors="replace")
    root, table, child = _json(path, text)
    how = splice.style(text, root)
    if child:
        edits = [Edit(child.node.start, child.node.end, splice.render(_ENTRY, how))]
    elif table:
        edits = splice.add(text, table.node, [(_NAME, _ENTRY)], how)
    else:
        edits = splice.add(text, root, [(_TABLE, {_NAME: _ENTRY})], how)
    return splice.apply(text, edits).encode()


def taken(path: Path, data: bytes, before: Before) -> bytes | None:
    """The file without it, as it stood before; None where it came with it. Raises InputError."""
    if path.suffix == ".toml":
        return files.without_block(data)
    if path.suffix != ".json":
        return None
    text = data.decode(errors="replace")
    root, table, child = _json(path, text)
    if not table or not child:
        return data
    if len(table.node.children) > 1:
        edits = splice.cut(table.node, [child])
    elif before.get("mcp.servers", _ABSENT) != _ABSENT:
        edits = [Edit(table.node.start, table.node.end, before["mcp.servers"])]
    elif len(root.children) > 1:
        edits = splice.cut(root, [table])
    elif before.get("mcp", _ABSENT) != _ABSENT:
        edits = [Edit(root.start, root.end, before["mcp"])]
    else:
        return None
    return splice.apply(text, edits).encode()


def stood(path: Path, data: bytes | None, known: Before) -> Before:
    """What stands in the empty places before `put`; where the entry is there, what was known."""
    own = {key: text for key, text in known.items() if key in {"mcp", "mcp.servers"}}
    if path.suffix != ".json":
        return {}
    if data is None:
        return {"mcp": _ABSENT, "mcp.servers": _ABSENT}
    text = data.decode(errors="replace")
    root, table, child = _json(path, text)
    if child:
        return own
    empty = {"mcp": root, "mcp.servers": table.node if table else None}
    return {
        key: text[node.start : node.end] if node else _ABSENT
        for key, node in empty.items()
        if node is None or not node.children
    }


def _json(path: Path, text: str) -> tuple[Node, Child | None, Child | None]:
    """The file, its table of servers and our entry there."""
    try:
        root = splice.parse(text)
        table = _member(root, _TABLE, "the file")
        return root, table, _member(table.node, _NAME, f'"{_TABLE}"') if table else None
    except JsonError as error:
        line, _ = splice.place(text, error.at)
        hint = f"fix line {line} of {path}, then type the same command again"
        raise InputError(f"{path}, line {line}: {error.what}", hint) from None


def _member(node: Node, name: str, what: str) -> Child | None:
    if node.kind != "object":
        raise JsonError(f"{what} must be an object, {{…}}", node.start)
    node.get(name)  # raises for a doubled key
    return next((child for child in node.children if child.name == name), None)


def _servers(path: Path, data: bytes) -> Mapping[str, object]:
    try:
        table = tomllib.loads(data.decode()).get("mcp_servers", {})
    except (ValueError, RecursionError) as error:
        hint = f"fix {path}, then type the same command again"
        raise InputError(f"our entry cannot stand in {path}: {error}", hint) from None
    return table if isinstance(table, dict) else {}
