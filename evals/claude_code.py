"""Claude Code's transcripts: raw records → entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evals.entries import Call, Compacted, Entry, Prompt, Reply, Result, Transcript, strings
from evals.times import seconds

_TAGGED = re.compile(r"<(system-reminder|ide_[a-z_]+|pasted-image)>.*?</\1>", re.DOTALL)
_COMMAND = re.compile(
    r"^<command-message>.*?<command-name>\s*(/?\S+?)\s*</command-name>", re.DOTALL
)
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
# What a client writes in the user's name. A tag with a dash in it at the very start is always
# the client's; nobody types one.
_NOT_TYPED = re.compile(
    r"<[a-z]+-[a-z-]+[ >]|Caveat: The messages below|\[Request interrupted"
    r"|This session is being continued from a previous|Base directory for this skill:"
    r"|<objective>|<execution_context>|Continue from where you left off\."
)
_STATUS = re.compile(r"^(?:Error: )?Exit code (\d+)")
# A failure that no command had: refused, cancelled, stopped, still running.
_NO_RUN = re.compile(
    r"The user doesn't want|<tool_use_error>|This command requires approval|Claude requested perm"
    r"|\[Request interrupted|Command timed out|Command running in background|Permission to use"
)
_READERS = {"Read", "NotebookRead"}
_WRITERS = {"Edit", "Write", "MultiEdit", "NotebookEdit"}


def recognises(record: dict[str, Any]) -> bool:
    """Whether a record is of this client."""
    return "sessionId" in record and bool(
        {"uuid", "leafUuid", "messageId", "operation"} & record.keys()
    )


def read(path: Path, records: list[tuple[int, dict[str, Any]]]) -> Transcript:
    """The entries of a session; a file that is a sub-agent's from end to end is marked so."""
    entries: list[Entry] = []
    folders: dict[str, None] = {}
    branches: list[tuple[int, str]] = []
    said = {_typed(record) for _, record in records if record.get("type") == "user"}
    own = False
    for line, record in records:
        if record.get("isSidechain"):
            continue
        own = own or record.get("type") in {"user", "assistant"}
        if isinstance(cwd := record.get("cwd"), str):
            folders[cwd] = None
        branch = record.get("gitBranch")
        if isinstance(branch, str) and branch and branch != (branches[-1][1] if branches else ""):
            branches.append((line, branch))
        entries += _entries(line, record, said)
    lines = records[-1][0] if records else 0
    return Transcript(
        path=path,
        agent="claude-code",
        entries=entries,
        lines=lines,
        folders=tuple(folders),
        branches=tuple(branches),
        helper=not own,
    )


def _entries(line: int, record: dict[str, Any], said: set[str]) -> Iterator[Entry]:
    at, kind = seconds(record.get("timestamp")), record.get("type")
    if kind == "assistant":
        yield from _answer(line, at, record)
    elif record.get("isCompactSummary"):
        yield Compacted(line=line, at=at, summary=_plain(record))
    elif kind == "system" and record.get("subtype") == "compact_boundary":
        yield Compacted(line=line, at=at)
    elif kind == "user":
        yield from _results(line, at, record)
        if text := _typed(record):
            yield Prompt(line=line, at=at, text=text)
    # A client that feeds every prompt through its queue writes it again as a prompt.
    elif (text := _queued(record)) and text not in said:
        yield Prompt(line=line, at=at, text=text)


def _answer(line: int, at: float | None, record: dict[str, Any]) -> Iterator[Entry]:
    if _message(record).get("model") == "<synthetic>":
        return  # the client's own notice in the agent's name
    for block in _blocks(record):
        if block.get("type") == "text":
            yield Reply(line=line, at=at, text=str(block.get("text", "")))
        elif block.get("type") == "tool_use":
            yield _call(line, at, block)


def _message(record: dict[str, Any]) -> dict[str, Any]:
    message = record.get("message")
    return message if isinstance(message, dict) else {}


def _blocks(record: dict[str, Any]) -> list[dict[str, Any]]:
    content = _message(record).get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


def _plain(record: dict[str, Any]) -> str:
    return "\n".join(str(b.get("text", "")) for b in _blocks(record) if b.get("type") == "text")


def _typed(record: dict[str, Any]) -> str:
    """What the user typed in a user record; "" where nothing was."""
    if record.get("isMeta") or record.get("isCompactSummary") or record.get("isSidechain"):
        return ""
    texts = [str(b.get("text", "")) for b in _blocks(record) if b.get("type") == "text"]
    return "\n".join(filter(None, map(_own_words, texts)))


def _own_words(text: str) -> str:
    text = _TAGGED.sub("", text).strip()
    if command := _COMMAND.match(text):
        words = _ARGUMENTS.search(text)
        return f"/{command[1].lstrip('/')} {words[1] if words else ''}".strip()
    return "" if _NOT_TYPED.match(text) else text


def _queued(record: dict[str, Any]) -> str:
    attachment = record.get("attachment")
    text: Any = ""
    if record.get("type") == "queue-operation" and record.get("operation") == "enqueue":
        text = record.get("content")
    elif isinstance(attachment, dict) and attachment.get("type") == "queued_command":
        text = attachment.get("prompt")
    text = text if isinstance(text, str) else ""
    return "" if text.startswith("{") else _own_words(text)


def _results(line: int, at: float | None, record: dict[str, Any]) -> Iterator[Result]:
    for block in _blocks(record):
        if block.get("type") != "tool_result":
            continue
        content = block.get("content")
        text = "\n".join(b for b in strings(_without_images(content)))
        failed = bool(block.get("is_error"))
        told = _STATUS.match(text)
        status = int(told[1]) if told else None if _NO_RUN.match(text) else int(failed)
        name = str(block.get("tool_use_id", ""))
        yield Result(line=line, at=at, id=name, text=text, failed=failed, status=status)


def _without_images(content: Any) -> Any:
    if isinstance(content, list):
        return [b.get("text", "") for b in content if isinstance(b, dict)]
    return content


def _call(line: int, at: float | None, block: dict[str, Any]) -> Call:
    tool, given = str(block.get("name", "")), block.get("input")
    given = given if isinstance(given, dict) else {}
    path = str(given.get("file_path") or given.get("notebook_path") or "")
    todos = given.get("todos") if tool == "TodoWrite" else None
    return Call(
        line=line,
        at=at,
        id=str(block.get("id", "")),
        tool=tool,
        text="\n".join(strings(given)),
        script=str(given.get("command", "")) if tool == "Bash" else "",
        edits=(path,) if path and tool in _WRITERS else (),
        reads=(path,) if path and tool in _READERS else (),
        todos=tuple(
            (str(t.get("content", "")), str(t.get("status", "")))
            for t in (todos if isinstance(todos, list) else [])
            if isinstance(t, dict)
        ),
        plan=str(given.get("plan", "")) if tool == "ExitPlanMode" else "",
        task=(
            str(given.get("taskId", "")),
            str(given.get("subject", "")),
            str(given.get("status", "")) or ("pending" if tool == "TaskCreate" else ""),
        )
        if tool in {"TaskCreate", "TaskUpdate"}
        else ("", "", ""),
    )
