"""A tool call and its result as neutral events, for clients whose tools are named plainly: which
of them does what is a table of theirs, the fields are the same few.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from onward.model import (
    Asked,
    Edited,
    Event,
    Looked,
    Question,
    Ran,
    Refusal,
    Searched,
    TodoItem,
    TodoList,
    Used,
)
from onward.transcripts import diff, opened, truncation
from onward.transcripts.codex import patch
from onward.transcripts.hook_call import text
from onward.transcripts.opened import HERE

Kind = Literal["shell", "edit", "write", "patch", "read", "search", "todo", "ask", "other", "quiet"]
Change = Literal["created", "edited", "deleted", "renamed"]
State = Literal["done", "open", "interrupted", "timeout", "denied", "refused"]

PATH: Final = ("filePath", "file_path", "path")
_NEW: Final = ("newString", "new_str", "content", "file_text")
_OLD: Final = ("oldString", "old_str")
_PATCH: Final = ("patchText", "patch", "input")
_ACTS: Final[dict[str, Literal["command", "edit", "question"]]] = {
    "shell": "command",
    "edit": "edit",
    "write": "edit",
    "patch": "edit",
    "ask": "question",
}
_FEW: Final = 8
_MOST: Final = 10**12
"""No line, exit status or time is greater."""


class Call(Struct, kw_only=True):
    """A tool call; `given` is its input, of which nothing is sure."""

    name: str
    kind: Kind
    given: dict[str, Any]
    line: int
    at: str = ""
    cwd: str = ""

    @property
    def act(self) -> str:
        """What it does, in one line."""
        if self.kind == "shell":
            return truncation.one_line(text(self.given, "command"))
        path = text(self.given, *PATH)
        return f"edit {path}" if self.kind in {"edit", "write"} else self.name


class End(Struct, kw_only=True):
    """How a call ended. `patch` is a unified diff of the one file that it changed, `answers` what
    the user chose of each question, `words` what they said instead of yes. `files`, of a patch of
    several: path, what became of it, where it went, unified diff.
    """

    state: State = "done"
    text: str = ""
    failed: bool = False
    code: int | None = None
    patch: str = ""
    created: bool = False
    files: tuple[tuple[str, Change, str, str], ...] = ()
    background: str = ""
    answers: tuple[str, ...] = ()
    words: str = ""


def fields(value: Any, *keys: str) -> dict[str, Any]:
    """The object behind these keys; an empty one where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def listed(value: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects of a list."""
    found = value.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def whole(value: Any) -> int | None:
    """A whole number, if it is one."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return value if is_whole and abs(value) <= _MOST else None


def events(call: Call, end: End, tasks: opened.TodoBook) -> Iterator[Event]:
    """What a call that ended did; the list of tasks is brought up to date."""
    if end.state == "refused":
        yield Refusal(line=HERE, act=call.act, words=end.words, kind=_ACTS.get(call.kind, "other"))
        if call.kind == "ask":
            yield _asked(call, end)
    elif call.kind == "shell":
        yield _ran(call, end)
    elif call.kind == "ask":
        yield _asked(call, end)
    elif call.kind == "quiet":
        return
    elif call.kind == "other" or end.failed or end.state != "done":
        error = truncation.one_line(end.text) if end.failed else ""
        yield Used(line=HERE, tool=call.name, detail=_detail(call), error=error)
    else:
        yield from _done(call, end, tasks)


def _done(call: Call, end: End, tasks: opened.TodoBook) -> Iterator[Event]:
    if call.kind == "todo":
        if tasks.replace(_items(call.given)):
            yield TodoList(line=HERE, items=tasks.items)
    elif call.kind == "read":
        yield Looked(line=HERE, path=text(call.given, *PATH), span=_span(call.given))
    elif call.kind == "search":
        yield _searched(call, end)
    else:
        yield from _edited(call, end)


def unfinished(call: Call, state: Literal["open", "interrupted"] = "open") -> Iterator[Event]:
    """A call that never got a result."""
    if call.kind == "shell":
        yield replace(_ran(call, End(state=state)), line=call.line, at=call.at, failed=None)
    elif call.kind == "ask":
        yield replace(_asked(call, End()), line=call.line, at=call.at)
    elif call.kind != "quiet":
        detail = _detail(call)
        yield Used(line=call.line, at=call.at, tool=call.name, detail=detail, open=state == "open")


def _ran(call: Call, end: End) -> Ran:
    state = "denied" if end.state == "refused" else end.state
    return Ran(
        line=HERE,
        command=text(call.given, "command"),
        cwd=text(call.given, "workdir") or call.cwd,
        description=text(call.given, "description"),
        failed=None if state == "denied" else end.code != 0 if end.code is not None else end.failed,
        exit_code=end.code,
        output=truncation.output(end.text),
        background=end.background,
        state=state,
        call_line=call.line,
    )


def _edited(call: Call, end: End) -> Iterator[Edited]:
    for path, became, to, text_of in end.files:
        told = diff.diff(diff.hunks(text_of))
        yield Edited(line=HERE, path=path, change=became, to=to, **asdict(told))
    if end.files:
        return
    if call.kind == "patch":
        for one in patch.changes(text(call.given, *_PATCH)):
            made = Edited(line=HERE, path=one.path, change=one.kind, to=one.to, spans=one.spans)
            yield replace(made, added=one.added, removed=one.removed, text=one.text, gone=one.gone)
        return
    told = diff.diff(diff.hunks(end.patch))
    new, old = text(call.given, *_NEW), text(call.given, *_OLD)
    if not told.spans:
        added = diff.counted(new)
        told = diff.Diff(
            diff.created(added) if end.created else (),
            truncation.first_lines(new),
            added,
            diff.counted(old),
            truncation.few_lines(old.split("\n")),
        )
    change: Literal["created", "edited"] = "created" if end.created else "edited"
    yield Edited(line=HERE, path=text(call.given, *PATH), change=change, **asdict(told))


def _items(given: Mapping[str, Any]) -> Iterator[TodoItem]:
    for one in listed(given, "todos"):
        title, status = text(one, "content", "title"), text(one, "status")
        if title and status not in {"cancelled", "deleted"}:
            yield opened.item(title, status)


def _searched(call: Call, end: End) -> Searched:
    lines = [line for line in end.text.splitlines() if line.strip()]
    return Searched(
        line=HERE,
        pattern=truncation.one_line(text(call.given, "pattern", "query")),
        where=text(call.given, "include", "glob", "path"),
        found=tuple(truncation.one_line(line) for line in lines[:_FEW]),
        more=max(0, len(lines) - _FEW),
    )


def _asked(call: Call, end: End) -> Asked:
    asked = listed(call.given, "questions") or [call.given]
    questions = []
    for n, one in enumerate(asked):
        offered = one.get("options", one.get("choices"))
        options = tuple(
            text(each, "label", "description") if isinstance(each, dict) else str(each)
            for each in (offered if isinstance(offered, list) else ())
        )
        answer = end.answers[n] if n < len(end.answers) else ""
        questions.append(Question(text=text(one, "question"), options=options, answer=answer))
    return Asked(
        line=HERE, questions=tuple(questions), answered=any(one.answer for one in questions)
    )


def _span(given: Mapping[str, Any]) -> tuple[int, int]:
    """The lines that a read asked for, from an offset and a limit or from a range."""
    both = given.get("view_range")
    if isinstance(both, list) and len(both) == 2 and all(whole(each) for each in both):
        return max(both[0], 0), max(both[1], 0)
    first, limit = whole(given.get("offset")) or 0, whole(given.get("limit")) or 0
    if first < 0 or limit < 0 or not (first or limit):
        return 0, 0
    return max(first, 1), max(first, 1) + limit - 1 if limit else 0


def _detail(call: Call) -> str:
    short = (each for each in call.given.values() if isinstance(each, str | int | float))
    return truncation.one_line(" · ".join(str(each)[:400] for each in short))
