"""Our hooks in somebody else's settings file: put in, taken out, and known again.

Pure: text in, text out. An entry of ours is known by its command string. One that a
user changed is theirs: it stays, and is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PureWindowsPath
from typing import Any

from msgspec import Struct

from onward.clients import splice
from onward.clients.splice import Child, Edit, Json, JsonError, Node

_NAMING = 3
"""Arguments that name a hook of ours: `hook`, the client, the event."""
ABSENT = ""
"""What stood where nothing stood."""
Before = Mapping[str, str]
"""The text of each place that was empty before we filled it ("hooks", "hooks.Stop", "" for the
whole file), ABSENT where there was none. With it an uninstall is exact to the byte."""


class Hook(Struct, frozen=True, kw_only=True):
    """One registration: the client's `event`, whose calls `matcher` narrows ("": all), our word
    `kind` for it, the file `shim` that the command calls, the limit in seconds that the client is
    told, the command string and those of former releases. With `args` the command is a program that
    the client starts without a shell; `windows` is what it runs there in place of the command.
    """

    event: str
    shim: str
    timeout: int
    command: str = ""
    kind: str = ""
    matcher: str = ""
    older: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    windows: str = ""

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
        return value in [{**self.inner, "command": each} for each in (self.command, *self.older)]

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


class Outcome(Struct, frozen=True, kw_only=True):
    """A settings file after a change. `text` None: the file is to go. `changed`: line and event
    of what is ours and was changed by a user.
    """

    text: str | None
    before: Before
    changed: tuple[tuple[int, str], ...] = ()


def register(text: str | None, hooks: Sequence[Hook], before: Before | None) -> Outcome:
    """The file with our hooks in it, at the end of each event's list; `text` None: a new file.

    `before` is what an earlier call returned, None if that is lost. Raises JsonError, also for
    JSON that cannot hold hooks.
    """
    if text is None and not hooks:
        return Outcome(text=None, before={})
    whole = "{}\n" if text is None else text
    root = splice.parse(whole)
    lists = _lists(root, hooks)
    how = splice.style(whole, root)
    edits: list[Edit] = []
    new: dict[str, list[Json]] = {}
    for hook in hooks:
        found = [command for _, _, command in _meant(lists.get(hook.event), hook)]
        edits += [
            Edit(each.start, each.end, splice.render(hook.command, how))
            for each in found
            if each.value in hook.older
        ]
        if not found:
            new.setdefault(hook.event, []).append(hook.entry)
    edits += _additions(whole, root, lists, new)
    stood = _stood(whole, root, lists, hooks, _lost(hooks) if before is None else before)
    if text is None:
        stood[""] = ABSENT
    return Outcome(
        text=splice.apply(whole, edits), before=stood, changed=_changed(whole, lists, hooks)
    )


def unregister(text: str | None, hooks: Sequence[Hook], before: Before | None) -> Outcome:
    """The file without what `register` wrote, whatever was done to it elsewhere. Raises JsonError."""
    if text is None:
        return Outcome(text=None, before={})
    root = splice.parse(text)
    lists = _lists(root, hooks)
    stood = _lost(hooks) if before is None else before

    def prune(path: str, node: Node) -> list[Edit] | None:
        """The edits that take out what is ours below a node; None where the node goes too."""
        edits, gone = list[Edit](), list[Child]()
        for child in node.children:
            below = deeper(path, child)
            if below is None:
                gone.append(child)
            else:
                edits += below
        if not gone or len(gone) < len(node.children):
            return edits + (splice.cut(node, gone) if gone else [])
        was = stood.get(path, "{}" if node.kind == "object" else "[]")
        return None if was == ABSENT else [Edit(node.start, node.end, was)]

    def deeper(path: str, child: Child) -> list[Edit] | None:
        if not path:
            return prune("hooks", child.node) if child.name == "hooks" else []
        if path == "hooks":
            is_list = child.name in lists
            return prune(f"hooks.{child.name}", child.node) if is_list else []
        return _without(child.node, [hook for hook in hooks if path == f"hooks.{hook.event}"])

    edits = prune("", root)
    after = None if edits is None else splice.apply(text, edits)
    left = splice.parse(after) if after is not None else None
    return Outcome(
        text=after,
        before={},
        changed=_changed(after or "", _lists(left, hooks) if left else {}, hooks),
    )


def registered(text: str, hooks: Sequence[Hook]) -> list[Hook]:
    """Those of the hooks that the file holds, changed ones too. Raises JsonError."""
    found = [hook for hook, _, _ in registrations(text, hooks)]
    return [hook for hook in hooks if hook in found]


def registrations(text: str, hooks: Sequence[Hook]) -> Iterator[tuple[Hook, Any, Any]]:
    """Each registration of a hook that the file holds: the hook, the entry in its event's list and
    the one in that. Raises JsonError.
    """
    lists = _lists(splice.parse(text), hooks)
    for hook in hooks:
        for entry, inner, _ in _meant(lists.get(hook.event), hook):
            yield hook, entry.plain(), inner.node.plain()


def _lists(root: Node, hooks: Sequence[Hook]) -> Mapping[str, Node]:
    """The list of each event of ours that there is one for. Raises JsonError for wrong types."""
    _typed(root, "object", "the settings")
    table = root.get("hooks")
    if table is None:
        return {}
    _typed(table, "object", '"hooks"')
    found = {hook.event: table.get(hook.event) for hook in hooks}
    lists = {event: node for event, node in found.items() if node is not None}
    for event, node in lists.items():
        _typed(node, "array", f'"{event}"')
    return lists


def _typed(node: Node, kind: str, name: str) -> None:
    if node.kind != kind:
        ends = {"object": "an object, {…}", "array": "a list, […]"}
        raise JsonError(f"{name} must be {ends[kind]}", node.start)


def _meant(entries: Node | None, hook: Hook) -> Iterator[tuple[Node, Child, Node]]:
    """Each registration of a hook in its event's list: the entry, the hook in it, its command."""
    for entry in entries.children if entries else ():
        for inner in _inner(entry.node):
            command = _last(inner.node, "command")
            args = _last(inner.node, "args")
            if command and hook.meant(command.value, args.plain() if args else None):
                yield entry.node, inner, command


def _inner(entry: Node) -> Sequence[Child]:
    hooks = _last(entry, "hooks")
    return hooks.children if hooks and hooks.kind == "array" else ()


def _last(node: Node, name: str) -> Node | None:
    """The member that the client takes; other people's entries are not ours to judge."""
    return next((child.node for child in reversed(node.children) if child.name == name), None)


def _additions(
    text: str, root: Node, lists: Mapping[str, Node], new: Mapping[str, list[Json]]
) -> list[Edit]:
    how = splice.style(text, root)
    edits = []
    for event, entries in new.items():
        if event in lists:
            edits += splice.add(text, lists[event], [("", entry) for entry in entries], how)
    events = {event: entries for event, entries in new.items() if event not in lists}
    table = root.get("hooks")
    if events and table is None:
        edits += splice.add(text, root, [("hooks", events)], how)
    elif events and table:
        edits += splice.add(text, table, list(events.items()), how)
    return edits


def _stood(
    text: str, root: Node, lists: Mapping[str, Node], hooks: Sequence[Hook], known: Before
) -> dict[str, str]:
    """What stands now in the places that are empty; of those that we filled, what was known."""
    filled = {hook.event for hook in hooks if any(_meant(lists.get(hook.event), hook))}
    places = {"": root, "hooks": root.get("hooks")}
    places |= {f"hooks.{hook.event}": lists.get(hook.event) for hook in hooks}
    stood = {}
    for path, node in places.items():
        ours = path.removeprefix("hooks.") in filled or (path in {"", "hooks"} and filled)
        if node is None:
            stood[path] = ABSENT
        elif not node.children:
            stood[path] = text[node.start : node.end]
        elif ours and path in known:
            stood[path] = known[path]
    return stood


def _lost(hooks: Sequence[Hook]) -> Before:
    """The likeliest where nobody knows: that the lists were made for us."""
    return {"hooks": ABSENT} | {f"hooks.{hook.event}": ABSENT for hook in hooks}


def _without(entry: Node, hooks: Sequence[Hook]) -> list[Edit] | None:
    """The edits that take our hooks out of an entry; None where the whole entry is ours."""
    inner = _inner(entry)
    gone = [c for c in inner if any(hook.wrote(c.node.plain()) for hook in hooks)]
    if len(gone) < len(inner):
        table = _last(entry, "hooks")
        return splice.cut(table, gone) if table and gone else []
    around = {child.name: child.node.plain() for child in entry.children if child.name != "hooks"}
    return None if inner and any(around == hook.around for hook in hooks) else []


def _changed(
    text: str, lists: Mapping[str, Node], hooks: Sequence[Hook]
) -> tuple[tuple[int, str], ...]:
    """Line and event of what is ours by its command and not as we wrote it."""
    found = set()
    for hook in hooks:
        for entry, inner, _ in _meant(lists.get(hook.event), hook):
            alone = len(_inner(entry)) == 1
            if not hook.wrote(inner.node.plain()) or (alone and _without(entry, [hook]) == []):
                found.add((splice.place(text, inner.start)[0], hook.event))
    return tuple(sorted(found))
