"""Edits of other people's JSON that leave every other byte as it is.

Pure: text in, text out. A tokenizer of our own, since every value must know where it stands;
the grammar is the strict one of RFC 8259, because the client skips a file that breaks it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from onward.errors import InputError

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_DEEPEST = 200
_SNIPPET = 80  # characters of a line that is shown in an error
_LONG = 300  # characters of a number that is not worth reading as one

Json = Mapping[str, "Json"] | Sequence["Json"] | str | int | float | None
ABSENT = ""  # what stood where nothing stood
Before = Mapping[str, str]
"""The text of each place that was empty before we filled it ("" for the whole file, "hooks.Stop" for
a member of a member), ABSENT where there was none. With it an uninstall is exact to the byte."""


class JsonError(ValueError):
    """Text that is no JSON, or not the JSON that is needed: `what`, at the offset `at`."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.what = what
        self.at = at

    def told(self, path: Path, text: str, clean: Callable[[str], str] | None = None) -> InputError:
        """The same for the user, with the line of the file, which is quoted where it can be made clean."""
        line, snippet = place(text, self.at)
        quoted = f": {clean(snippet)[:_SNIPPET]}" if clean else ""
        hint = f"fix line {line} of {path}, then type the same command again"
        return InputError(f"{path}, line {line}: {self.what}{quoted}", hint)


class Node(Struct, frozen=True, kw_only=True):
    """A value between the offsets `start` and `end`; `value` is that of a scalar."""

    kind: str  # "object", "array", "string" or "other"
    start: int
    end: int
    children: tuple[Child, ...] = ()
    value: str | float | bool | None = None

    def plain(self) -> Json:
        """The value as Python has it; of a doubled key the last one, as the client takes it."""
        if self.kind == "object":
            return {child.name: child.node.plain() for child in self.children}
        if self.kind == "array":
            return [child.node.plain() for child in self.children]
        return self.value

    def get(self, name: str) -> Node | None:
        """The member of that name. Raises JsonError where the key is doubled."""
        found = [child for child in self.children if child.name == name]
        if len(found) > 1:
            raise JsonError(f'the key "{name}" stands here a second time', found[1].start)
        return found[0].node if found else None


class Child(Struct, frozen=True, kw_only=True):
    """A member of an object, which starts at its key, or an item of an array (no name)."""

    name: str
    start: int
    node: Node


class Edit(NamedTuple):
    """The text between two offsets becomes `new`."""

    start: int
    end: int
    new: str


class Style(Struct, frozen=True, kw_only=True):
    """How a file is written. `inline`: all of it on one line."""

    newline: str
    unit: str
    colon: str
    comma: str
    inline: bool


def parse(text: str) -> Node:
    """The one value that the text holds. Raises JsonError, which says where and why."""
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    root = _value(text, start, 0)
    end = _skip(text, root.end)
    if end < len(text):
        raise JsonError(_odd(text, end, "the end of the file"), end)
    return root


def demand(node: Node, kind: str, name: str) -> None:
    """Raise JsonError unless the node is an "object", or an "array"."""
    if node.kind != kind:
        ends = {"object": "an object, {…}", "array": "a list, […]"}
        raise JsonError(f"{name} must be {ends[kind]}", node.start)


def apply(text: str, edits: Sequence[Edit]) -> str:
    """The text after edits that do not overlap."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


def style(text: str, root: Node) -> Style:
    """The style of a file, from its first lines; two spaces where it shows none."""
    body = text[root.start : root.end]
    indent = re.search(r"\n([ \t]+)\S", body)
    colon = re.search(r'"([ \t]*:[ \t]*)[^\s]', body)
    first = root.children[1] if len(root.children) > 1 else None
    gap = text[root.children[0].node.end : first.start] if first else ""
    return Style(
        newline="\r\n" if "\r\n" in text else "\n",
        unit=indent[1] if indent else "  ",
        colon=colon[1] if colon else ": ",
        comma="," if gap == "," or (colon and colon[1] == ":") else ", ",
        inline=bool(root.children) and "\n" not in body,
    )


def add(text: str, container: Node, values: Sequence[tuple[str, Json]], how: Style) -> list[Edit]:
    """The edit that puts values at the end of an object or array, in the style of what is there."""
    named = container.kind == "object"
    if not container.children:
        start = text.rfind("\n", 0, container.start) + 1
        line = text[start : container.start].removeprefix("\ufeff")
        base = line[: len(line) - len(line.lstrip(" \t"))]
        new = dict(values) if named else [value for _, value in values]
        return [Edit(container.start, container.end, render(new, how, base))]
    last = container.children[-1]
    gap = text[container.start + 1 : last.start]
    lead = f",{gap}" if "\n" in gap else how.comma
    if len(container.children) > 1:
        lead = text[container.children[-2].node.end : last.start]
    line = lead.rpartition("\n")[2]
    base = line[: len(line) - len(line.lstrip(" \t"))]
    within = how if "\n" in lead else replace(how, newline="", unit="", inline=True)
    written = ""
    for name, value in values:
        key = json.dumps(name) + how.colon if named else ""
        written += lead + key + render(value, within, base)
    return [Edit(last.node.end, last.node.end, written)]


def fill(text: str, node: Node, values: Any, how: Style) -> list[Edit]:
    """The edits that bring values into what is there: members into an object, items into a list."""
    if node.kind == "array":
        return add(text, node, [("", each) for each in values], how)
    there = {name: node.get(name) for name in values}
    inner = [edit for name, n in there.items() if n for edit in fill(text, n, values[name], how)]
    new = [(name, values[name]) for name, n in there.items() if n is None]
    return inner + (add(text, node, new, how) if new else [])


def stood(
    text: str | None, places: Mapping[str, Node | None], filled: Container[str], known: Before
) -> dict[str, str]:
    """What stands in the places that are empty; of those that we filled, what was known."""
    found = {path: known[path] for path in places if path in filled and path in known}
    for path, node in places.items():
        if text is None or node is None:
            found[path] = ABSENT
        elif not node.children:
            found[path] = text[node.start : node.end]
    return found


def without(node: Node, gone: Container[int], before: Before, path: str = "") -> list[Edit] | None:
    """The edits that take out what begins at the offsets `gone`, and put what stood `before` where
    nothing is left; None where the node goes too.
    """
    edits, out = list[Edit](), list[Child]()
    for child in node.children:
        inner = f"{path}.{child.name}" if path else child.name
        below = None if child.start in gone else without(child.node, gone, before, inner)
        if below is None:
            out.append(child)
        else:
            edits += below
    if len(out) < len(node.children) or not out:
        return edits + cut(node, out)
    was = before.get(path, "{}" if node.kind == "object" else "[]")
    return None if was == ABSENT else [Edit(node.start, node.end, was)]


def cut(container: Node, gone: Collection[Child]) -> list[Edit]:
    """The edits that take some children out, not all, each with its comma."""
    edits, previous, kept = [], None, False
    children = container.children
    for index, child in enumerate(children):
        if child not in gone:
            kept = True
        elif kept and previous:
            edits.append(Edit(previous.node.end, child.node.end, ""))
        else:
            edits.append(Edit(child.start, children[index + 1].start, ""))
        previous = child
    return edits


def render(value: Json, how: Style, base: str = "") -> str:
    """A value as text; `base` is the indentation of the line that it begins on."""
    if how.inline:
        return json.dumps(value, separators=(how.comma, how.colon))
    text = json.dumps(value, indent=how.unit, separators=(",", how.colon))
    return text.replace("\n", how.newline + base)


def place(text: str, at: int) -> tuple[int, str]:
    """The number of the line at an offset, from 1, and the line itself."""
    line = text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0].strip()
    return text.count("\n", 0, at) + 1, line


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _DEEPEST:
        raise JsonError(f"more than {_DEEPEST} brackets stand inside one another", at)
    opening = text[at : at + 1]
    if opening in {"{", "["}:
        return _container(text, at, depth)
    if found := _STRING.match(text, at):
        return Node(kind="string", start=at, end=found.end(), value=json.loads(found[0]))
    if found := _SCALAR.match(text, at):
        value = json.loads(found[0]) if len(found[0]) < _LONG else found[0]
        return Node(kind="other", start=at, end=found.end(), value=value)
    raise JsonError(_odd(text, at, "a value"), at)


def _container(text: str, opening: int, depth: int) -> Node:
    kind, closing = ("object", "}") if text[opening] == "{" else ("array", "]")
    children: list[Child] = []
    at = _skip(text, opening + 1)
    while text[at : at + 1] != closing or children:
        name, start = "", at
        if kind == "object":
            key = _STRING.match(text, at)
            if not key:
                raise JsonError(_odd(text, at, "a key in double quotes"), at)
            name, at = json.loads(key[0]), _skip(text, key.end())
            if text[at : at + 1] != ":":
                raise JsonError(_odd(text, at, "a colon"), at)
            at = _skip(text, at + 1)
        node = _value(text, at, depth + 1)
        children.append(Child(name=name, start=start, node=node))
        at = _skip(text, node.end)
        if text[at : at + 1] == closing:
            break
        if text[at : at + 1] != ",":
            raise JsonError(_odd(text, at, f'a comma or "{closing}"'), at)
        at = _skip(text, at + 1)
    return Node(kind=kind, start=opening, end=at + 1, children=tuple(children))


def _odd(text: str, at: int, wanted: str) -> str:
    """What stands at a place where something else was wanted."""
    if at >= len(text):
        return f"the file ends where {wanted} belongs"
    if text.startswith(("//", "/*"), at):
        return "a comment, which JSON does not have"
    if text[at] in "}]" and text[:at].rstrip().endswith(","):
        return "a comma that nothing follows"
    return f"{wanted} belongs here"
