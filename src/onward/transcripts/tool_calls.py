"""A tool call, its result, and the events of both, whatever client ran it. Which tool does what is a table
of each client's; the fields of an input are the same few. And the lines that an edit changes: from a unified
diff, a patch of `*** Begin Patch`, or the texts that a tool was given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.checkboxes import boxes
from onward.model import (
    Asked,
    Edited,
    Event,
    Looked,
    Question,
    Ran,
    Refusal,
    Searched,
    TaskStatus,
    TodoItem,
    TodoList,
    Used,
)
from onward.search.record import Record
from onward.transcripts import truncation
from onward.transcripts.values import listed, paths_in, strings, text

Kind = Literal["created", "edited", "deleted", "renamed"]

_HUNK: Final = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_NOT_IN_NEW: Final = frozenset({"-", "\\"})
"""Marks of patch lines that the new file does not hold; the second says "no newline at end"."""
_HEAD: Final = re.compile(r"(Add|Update|Delete) File: (.+)")
_NAMED: Final = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)
_MOVE: Final = re.compile(r"Move to: (.+)")
_KINDS: Final[dict[str, Kind]] = {"Add": "created", "Update": "edited", "Delete": "deleted"}
_HEREDOC: Final = re.compile(
    r"(?:cd\s+(?P<cd>\"[^\"\n]+\"|'[^'\n]+'|\S+)\s*&&\s*)?"
    r"(?:apply_patch|applypatch)\s*<<-?\s*(?P<q>['\"]?)(?P<end>\w+)(?P=q)[^\n]*+(?:\n|\Z)"
)


HERE: Final = 0  # the line of an event that has the place of its record
NO_EDIT: Final = Edited(line=HERE, path="")


def diff(hunks: Iterable[tuple[int, Sequence[str]]]) -> Edited:
    """What hunks say, of a file not named yet: their first lines in the new file, and their lines."""
    spans: list[tuple[int, int]] = []
    added: list[str] = []
    removed: list[str] = []
    kept: list[str] = []
    for start, lines in hunks:
        here, first, last = start, 0, 0
        for line in _differing(lines):
            mark = line[:1]
            if mark in {"+", " "}:
                kept.append(line[1:])
            if mark == "+":
                added.append(line[1:])
                first, last = first or here, here
            elif mark == "-":
                removed.append(line[1:])
                first = first or max(here, 1)
            here += mark not in _NOT_IN_NEW
        if first:
            spans.append((first, max(first, last)))
    return replace(
        NO_EDIT,
        spans=tuple(spans),
        text=truncation.first_lines("\n".join(added[: truncation.FIRST])),
        added=len(added),
        removed=len(removed),
        gone=truncation.first_lines("\n".join(removed[: truncation.FEW])),
        boxes=boxes("\n".join(kept)),
        unboxed=boxes("\n".join(removed)),
    )


def _differing(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a hunk; those that it takes out and puts in again as they were, as unchanged."""
    at = 0
    while at < len(lines):
        if lines[at][:1] != "-":  # most lines: none of the rest is looked at for them
            yield lines[at]
            at += 1
            continue
        old = [line[1:] for line in takewhile(lambda x: x[:1] == "-", lines[at:])]
        new = [line[1:] for line in takewhile(lambda x: x[:1] == "+", lines[at + len(old) :])]
        if not new:
            yield from lines[at : at + len(old)]
            at += len(old)
            continue
        head = sum(1 for _ in takewhile(lambda x: x[0] == x[1], zip(old, new, strict=False)))
        rest = zip(reversed(old[head:]), reversed(new[head:]), strict=False)
        tail = sum(1 for _ in takewhile(lambda x: x[0] == x[1], rest))
        yield from (f" {line}" for line in old[:head])
        yield from (f"-{line}" for line in old[head : len(old) - tail])
        yield from (f"+{line}" for line in new[head : len(new) - tail])
        yield from (f" {line}" for line in new[len(new) - tail :])
        at += len(old) + len(new)


def unified(text: str) -> Edited:
    """What a unified diff of one file says."""
    hunks = list[tuple[int, list[str]]]()
    for line in text.splitlines():
        if head := _HUNK.match(line):
            hunks.append((int(head[1]), []))
        elif hunks:
            hunks[-1][1].append(line)
    return diff(hunk for hunk in hunks if hunk[0])


def replaced(changes: Sequence[tuple[str, str]]) -> Edited:
    """What old texts that give way to new ones tell; where in the file is not known."""
    old, new = changes[0]
    return replace(
        NO_EDIT,
        text=truncation.first_lines(new),
        added=sum(counted(each) for _, each in changes),
        removed=sum(counted(each) for each, _ in changes),
        gone=truncation.first_lines(old, truncation.FEW),
        boxes=boxes("\n".join(each for _, each in changes)),
        unboxed=boxes("\n".join(each for each, _ in changes)),
    )


def new_file(put: Edited) -> Edited:
    """The same text as the whole of a new file."""
    spans = ((1, put.added),) if put.added else ()
    return replace(put, spans=spans, removed=0, gone="")


def counted(text: str) -> int:
    """How many lines a text has."""
    return text.count("\n") + (text[-1:] not in {"", "\n"})


# ----------------------------------------------------------------- patches


def patched(text: str, folder: str = "") -> tuple[Edited, ...]:
    """The files of a patch in the client's own form, their paths as seen from `folder`."""
    found: list[Edited] = []
    for part in f"\n{text}".split("\n*** ")[1:]:
        if head := _HEAD.match(part):
            found.append(_change(_KINDS[head[1]], paths.join(folder, head[2]), part))
        elif found and (move := _MOVE.match(part)):
            rest = _change("renamed", found[-1].path, part)
            found[-1] = replace(rest, to=paths.join(folder, move[1]))
    return tuple(found)


def in_script(script: str, folder: str = "") -> tuple[tuple[Edited, ...], str]:
    """The files of the patches within a shell script, and what else the script does."""
    found: list[Edited] = []
    rest: list[str] = []
    at = 0
    while head := _HEREDOC.search(script, at):
        rest.append(script[at : head.start()])
        # From a line's end on: a beginning of a line would be sought at every letter.
        end = re.compile(rf"\n[ \t]*{head['end']}[ \t]*(?=\n|\Z|\))")
        close = end.search(script, head.end() - 1)
        own = (head["cd"] or ".").strip("\"'")
        body = script[head.end() : close.start() + 1 if close else len(script)]
        found += patched(body, paths.join(folder, own))
        at = close.end() if close else len(script)
    return tuple(found), "".join([*rest, script[at:]]).strip(" \n;&") if found else script


def _change(kind: Kind, path: str, body: str) -> Edited:
    """One file of a patch, whose lines have marks and no numbers."""
    told = diff([(1, body.split("\n")[1:])])
    told = new_file(told) if kind == "created" else replace(told, spans=())
    return replace(told, path=path, change=kind)


# -------------------------------------------------------------------------------- calls


Helped = Literal["done", "running", "failed"]  # how far a sub-agent came
State = Literal["done", "open", "interrupted", "timeout", "denied", "cancelled", "refused"]

_PATH: Final = ("filePath", "file_path", "notebook_path", "path")
_NEW: Final = ("newString", "new_string", "new_str", "content", "file_text", "new_source")
_OLD: Final = ("oldString", "old_string", "old_str")
_PATCH: Final = ("patchText", "patch", "input")
_EDITS: Final = frozenset({"edit", "write"})
_REFUSED: Final[dict[str, Literal["command", "edit", "plan", "question"]]] = {
    "shell": "command",
    "edit": "edit",
    "write": "edit",
    "patch": "edit",
    "plan": "plan",
    "ask": "question",
}
_SHORT: Final = 400  # bytes below which a value of an input is short
_FEW: Final = 8  # lines kept of what a search found
_DIGITS: Final = 9  # digits that no number of lines has
_COUNTED: Final = re.compile(
    r"(?:Found \d+ (?:files?|matches|lines?)\b|No (?:files|matches) found|\[Showing results with pagination\b)"
)
"""What stands above or below what a search found, or in place of it."""
_PLACED: Final = re.compile(r":\d+:")


class Call(Struct, kw_only=True):
    """A tool call that waits for its result. `given` is its input, of which nothing is sure, as far
    as its events need it: contents of files are not kept.

    `kind` is what the tool does: shell, edit, write, patch, read, search, todo, ask, plan, quiet (it
    only looks, or news tell of it), other, or one that only its client knows.
    """

    name: str
    kind: str = "other"
    line: int = HERE
    at: str = ""
    cwd: str = ""
    given: dict[str, Any] = {}
    detail: str = ""  # the short values of an input of another tool, in one line
    put: Edited = NO_EDIT  # what an edit puts into a file, as far as its input tells
    changes: tuple[Edited, ...] = ()  # what a patch does, by its own text

    @property
    def path(self) -> str:
        """The file it is about."""
        return text(self.given, *_PATH)

    @property
    def act(self) -> str:
        """What it would do, in one line."""
        if self.kind == "shell":
            return truncation.one_line(text(self.given, "command"))
        if self.kind in _EDITS:
            return f"edit {self.path}"
        if self.kind == "plan":
            return truncation.one_line(title(text(self.given, "plan")))
        if self.changes:
            return truncation.one_line(f"edit {', '.join(one.path for one in self.changes)}")
        if self.kind == "ask" and (asked := listed(self.given, "questions")):
            return truncation.one_line(text(asked[0], "question"))
        return truncation.one_line(f"{self.name}: {self.detail}" if self.detail else self.name)


def title(plan: str) -> str:
    """The first line of a plan, without its heading mark."""
    first = next((line for line in plan.splitlines() if line.strip()), "")
    return first.lstrip("# ").removeprefix("Plan:").strip()


class End(Struct, kw_only=True):
    """How a call ended. `code` is its exit status where it is known, `background` the id of what
    still runs; `diff`, `path`, `created` and `by_user` tell of the file that it changed, `changes` of
    several; `answers` are what the user chose of each question, `words` what they said instead of yes.
    """

    state: State = "done"
    text: str = ""
    failed: bool | None = False
    code: int | None = None
    background: str = ""
    diff: Edited = NO_EDIT
    path: str = ""
    created: bool = False
    by_user: bool = False
    changes: tuple[Edited, ...] = ()
    answers: tuple[Any, ...] = ()
    words: str = ""

    @property
    def went_wrong(self) -> bool | None:
        """By its exit status, else as its client says; None where neither tells."""
        return self.failed if self.code is None else self.code != 0


def called(call: Call) -> Call:
    """Keep of a call what its events will need."""
    given = call.given
    if call.kind in _EDITS:
        edits = [(text(one, *_OLD), text(one, *_NEW)) for one in listed(given, "edits")]
        call.put = replaced(edits or [(text(given, *_OLD), text(given, *_NEW))])
        call.given = {"path": call.path}
    elif call.kind == "patch":
        call.changes, call.given = patched(text(given, *_PATCH)), {}
    elif call.kind == "other":
        call.detail, call.given = detail(given), {}
    return call


def detail(given: Mapping[str, Any]) -> str:
    """An input of a tool in one line: its short values, in the order they were given."""
    plain = (each for each in given.values() if isinstance(each, str | int | float))
    short = (str(each) for each in plain if len(msgspec.json.encode(each)) < _SHORT)
    return truncation.one_line(" · ".join(short))


def events(call: Call, end: End, tasks: TodoBook) -> Iterator[Event]:
    """What a call that ended did; the list of tasks is brought up to date."""
    if end.state == "refused":
        yield from refused(call, end)
    elif call.kind == "shell":
        yield ran(call, end)
    elif call.kind == "ask":
        yield asked(call, end.answers)
    elif call.kind == "quiet":
        return
    elif call.kind == "other" or end.failed or end.state != "done":
        yield used(call, end)
    elif call.kind == "todo":
        if tasks.replace(entries(call.given)):
            yield TodoList(line=HERE, items=tasks.items)
    elif call.kind == "read" and call.path:
        seen = boxes(end.text)
        yield Looked(line=HERE, path=call.path, span=span(call.given), boxes=seen)
    elif call.kind == "search":
        yield searched(call, end.text)
    else:
        yield from edited(call, end)


def unfinished(call: Call, state: Literal["open", "interrupted"] = "open") -> Iterator[Event]:
    """A call that never got a result."""
    if call.kind == "shell":
        yield ran(call, End(state=state, failed=None))
    elif call.kind == "ask":
        yield asked(call)
    elif state == "open" and call.kind != "quiet":
        yield Used(line=HERE, tool=call.name, detail=call.path or call.detail, open=True)


def refused(call: Call, end: End) -> Iterator[Event]:
    """The user said no when asked."""
    if call.kind == "ask":
        yield asked(call, end.answers)
    yield Refusal(line=HERE, act=call.act, words=end.words, kind=_REFUSED.get(call.kind, "other"))


def ran(call: Call, end: End) -> Ran:
    """A shell command that was started, or kept back."""
    state = "denied" if end.state == "refused" else end.state
    return Ran(
        line=HERE,
        command=text(call.given, "command"),
        cwd=text(call.given, "workdir") or call.cwd,
        failed=None if state in {"denied", "cancelled"} else end.went_wrong,
        exit_code=end.code,
        output=truncation.output(end.text),
        background=end.background,
        state=state,
    )


def edited(call: Call, end: End) -> Iterator[Event]:
    """The files that a call changed: by its result, else by its input."""
    if changes := end.changes or call.changes:
        yield from changes
    elif path := end.path or call.path:
        told = end.diff
        if not told.spans:
            told = new_file(call.put) if end.created else call.put
        kind: Kind = "created" if end.created else "edited"
        yield replace(told, path=path, change=kind, by_user=end.by_user)


def asked(call: Call, answers: Sequence[Any] = ()) -> Asked:
    """A form of questions and the answers, if there were any."""
    questions = []
    for n, one in enumerate(listed(call.given, "questions") or [call.given]):
        offered = one.get("options", one.get("choices"))
        options = dict(map(_option, offered if isinstance(offered, list) else []))
        answer = chosen(answers[n]) if n < len(answers) else ""
        questions.append(
            Question(
                text=text(one, "question"),
                options=tuple(options),
                answer=answer,
                meaning=options.get(answer, ""),
            )
        )
    is_answered = any(one.answer for one in questions)
    return Asked(line=HERE, questions=tuple(questions), answered=is_answered)


def chosen(answer: Any) -> str:
    """An answer as a client has it: one, or a list of several."""
    return ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer)


def _option(one: Any) -> tuple[str, str]:
    """What an option is called, and what it means."""
    if not isinstance(one, dict):
        return str(one), ""
    return text(one, "label"), text(one, "description")


_STATUS: Final[dict[str, TaskStatus]] = {each: each for each in get_args(TaskStatus)}


class TodoBook:
    """The task list as it stands. Each method says whether it changed."""

    def __init__(self) -> None:
        self._items: dict[str, TodoItem] = {}

    @property
    def items(self) -> tuple[TodoItem, ...]:
        """The list, deleted entries left out, in the order of their numbers or of appearance."""
        return tuple(self._items.values())

    def replace(self, items: Iterable[TodoItem]) -> bool:
        """The whole list, anew; what is shown of an entry meanwhile may stay as it was."""
        before, was = self.items, {one.id: one.doing for one in self.items if one.id}
        made = (replace(one, doing=one.doing or was.get(one.id, "")) for one in items if one.title)
        self._items = _numbered({one.id or f"#{n}": one for n, one in enumerate(made)})
        return self.items != before

    def put(self, key: str, title: str, status: str = "", doing: str = "") -> bool:
        """Add an entry, or change one: what is empty leaves it as it was."""
        old = self._items.get(key)
        if status == "deleted":
            return self._items.pop(key, None) is not None
        old = old or TodoItem(title="")
        state = _STATUS.get(status or old.status, "pending")
        new = TodoItem(id=key, title=title or old.title, status=state, doing=doing or old.doing)
        if new == old or not new.title:
            return False
        self._items = _numbered({**self._items, key: new})
        return True


def _numbered(items: dict[str, TodoItem]) -> dict[str, TodoItem]:
    """By their numbers, if all have one: calls that were made at once come back in any order, and so
    does the list that an agent asks for.
    """
    if not all(map(str.isdecimal, items)):
        return items
    return dict(sorted(items.items(), key=lambda item: int(item[0])))


def entries(given: Mapping[str, Any], key: str = "todos") -> Iterator[TodoItem]:
    """The entries of a task list, in any client's form; a status that is not known counts as pending."""
    for one in listed(given, key):
        title, status = text(one, "subject", "content", "title", "step"), text(one, "status")
        if status not in {"cancelled", "deleted"}:
            state, doing = _STATUS.get(status, "pending"), text(one, "activeForm")
            yield TodoItem(id=text(one, "id"), title=title, status=state, doing=doing)


def searched(call: Call, found: str) -> Searched:
    """A search through the files, and the first of what it found."""
    lines = [x for x in found.splitlines() if x.strip() and not _COUNTED.match(x)]
    lines = [line for line in lines if _PLACED.search(line)] or lines  # not those around the hits
    return Searched(
        line=HERE,
        pattern=truncation.one_line(text(call.given, "pattern", "query")),
        where=text(call.given, "include", "glob", "path"),
        found=tuple(truncation.one_line(line) for line in lines[:_FEW]),
        more=max(0, len(lines) - _FEW),
    )


def used(call: Call, end: End) -> Used:
    """Any other tool, or one that failed."""
    to_change = (call.path if call.kind in _EDITS else "", *(one.path for one in call.changes))
    path = next(filter(None, to_change), "") if end.failed else ""
    # A patch is often given to the shell without the last line of its here-document.
    lines = (x for x in end.text.splitlines() if x.strip() and ": warning: here-doc" not in x)
    told = next(lines, "") if path else end.text
    error = truncation.one_line(told) if end.failed else ""
    detail = call.detail or call.path
    return Used(line=HERE, tool=call.name, detail=detail, error=error, path=path)


def span(given: Mapping[str, Any]) -> tuple[int, int]:
    """The lines that a read asked for, by offset and limit or by a range; 0 where it does not say."""
    both = given.get("view_range")
    if isinstance(both, list) and len(both) == 2:
        return _number(both[0]), _number(both[1])
    first, many = _number(given.get("offset")), _number(given.get("limit"))
    return (first, max(first, 1) + many - 1) if many else (first, 0)


def _number(value: Any) -> int:
    """A number of lines as a client writes it; 0 for none, and for what no file has."""
    found = str(value).partition(".")[0]
    return int(found) if found.isdecimal() and len(found) < _DIGITS else 0


def show(name: str, given: Mapping[str, Any]) -> str:
    """A call for a user to read: each field of its input on its line."""
    if list(given) == ["input"]:  # a text of the tool's own form
        return f"→ {name}\n{given['input']}"
    plain = {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in given.items()
    }
    return f"→ {name}\n" + "\n".join(f"  {key}: {value}" for key, value in plain.items())


def show_result(told: str, *, well: bool, code: int | None = None) -> str:
    """A result for a user to read; `code` is an exit status that it does not tell."""
    status = "" if code is None else f", exit status {code}"
    return f"{'✓' if well else '✗'} result{status}\n{told or '(no output)'}"


def result(end: End, text: str, key: str) -> Record:
    """A result for a search; what the user refused did not fail."""
    wrong = bool(end.went_wrong)
    shown, failed = partial(show_result, text, well=not wrong), wrong and end.state != "refused"
    return Record(by="result", text=text, shown=shown, call=key, failed=failed)


def record(call: Call, key: str) -> Record:
    """A call for a search."""
    given, command = call.given, text(call.given, "command")
    said = "\n".join(strings({key: each for key, each in given.items() if key != "workdir"}))
    patch = [] if call.kind in _EDITS else _NAMED.findall(said)  # in a shell's script too
    named = [path for key_ in _PATH if (path := text(given, key_))]
    return Record(
        by="agent",
        text=said,
        shown=partial(show, call.name, given),
        tool=call.name,
        call=key,
        command=command if call.kind == "shell" else "",
        files=(*named, *(patch or paths_in(command))),
        edits=call.kind in {*_EDITS, "patch"} or bool(patch),
    )
