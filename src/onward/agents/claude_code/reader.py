"""The client's sessions and transcripts, all generations since 1.0: whose one is, its files, its
rewinds, what a line says. `reading` makes events of `records` (the shapes, and who wrote
a text), with `tools` (what each does, and what became of a call).

The names of the project folders cannot be turned back into paths, so what a session is comes
from its records alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

from msgspec.structs import replace

from onward.agents.claude_code import records, tools
from onward.agents.claude_code.reading import Reading
from onward.agents.claude_code.records import MARK, Block, Record
from onward.search.record import Record as Found
from onward.transcripts import reader, tool_calls
from onward.transcripts.tool_calls import Call
from onward.transcripts.values import ID, decoded, fields, strings, text, text_of

_ATTACHED: Final = frozenset({"image", "document"})
_TYPED: Final = frozenset({"prompt", "command", "shell", "plan", "interrupt"})


class _Reader(reader.Reader[Record]):
    """As `reader.Reader`."""

    KIND = Record
    MARK = MARK
    READING = Reading
    DEEDS = (b'"tool_use_id"', b'"type":"progress"')
    SKIPPED = frozenset({"uuid", "parentUuid", "sessionId"})

    def knows(self, stream: BinaryIO) -> bool:
        return any(
            one.session_id
            and (one.uuid or one.leaf_uuid or one.message_id or one.operation or one.last_prompt)
            for _, one in self.records().read(stream)
        )

    def taken_back(self, files: reader.Transcript[Record]) -> list[tuple[int, int]]:
        """Ranges of lines, first included and last not, that the user went back behind.

        The only proof taken is two typed prompts with one parent: parallel calls, resumes and
        built-in commands make forks too, whose branches are all live. Most often it is a prompt
        taken back and typed anew before any answer (66 times in 138 sessions, clients 2.1.119 and
        later).
        """
        gone: list[tuple[int, int]] = []
        last: dict[str, int] = {}
        # Of all lines a hundredth is a user's own record.
        for line, record in self.sought(
            files.path, lambda raw: b'"type":"user"' in raw and b'"tool_use_id"' not in raw
        ):
            parent = record.parent_uuid
            if record.type != "user" or record.is_sidechain or not parent:
                continue
            if records.said(record).kind == "prompt":
                if parent in last:
                    gone.append((last[parent], line))
                last[parent] = line
        return gone

    def find(self, path: Path, thread: str) -> Path | None:
        """They stand in `<session>/subagents/`, in clients before 2.1 beside it."""
        if not ID.fullmatch(thread):
            return None
        folders = (path.with_suffix("") / "subagents", path.parent)
        files = (folder / f"agent-{thread}.jsonl" for folder in folders)
        return next((file for file in files if file != path and file.is_file()), None)

    def numbered(self, path: Path, line: int, thread: str) -> Iterator[tuple[int, bytes | None]]:
        if not thread or self.find(path, thread):
            yield from super().numbered(path, line, thread)
        else:  # what it did may have been copied into the session's file
            own = b'"agent_progress"', f'"agentId":"{thread}"'.encode()
            lines = super().numbered(path, line, "")
            yield from ((n, raw) for n, raw in lines if raw and all(mark in raw for mark in own))

    def place(self, record: Record) -> dict[str, str]:
        return {
            "at": record.timestamp or "",
            "session": record.session_id or "",
            "cwd": record.cwd or "",
            "branch": record.git_branch or "",
            "thread": (record.agent_id or "") if record.is_sidechain else "",
        }

    def said(self, record: Record) -> Iterator[Found]:
        if record.is_api_error_message:
            yield Found(by="result", text=records.plain(record.blocks), failed=True)
        elif record.type == "assistant":
            yield from (each for block in record.blocks for each in _agent(block))
        elif record.type == "user":
            yield from _user(record)
        elif record.type == "attachment":
            words, is_typed = records.waiting(fields(decoded(record.attachment, {})))
            if words.kind == "prompt" and is_typed:
                yield Found(by="user", text=words.text)
        elif record.type == "queue-operation" and record.operation == "enqueue":
            typed = text_of(record.content)
            if (words := records.words(typed)).kind == "prompt":
                yield Found(by="user", text=words.text, shown=lambda: typed)

    def other_text(self, record: Record) -> str:
        if copy := records.copied(record).message:
            return "\n".join(one.rendered() for one in self.said(copy))
        typed = fields(decoded(record.attachment, {})).get("prompt")  # meanwhile
        own = _shown(record) or text_of(record.content)
        return own or "\n".join(strings(typed))


READER: Final = _Reader()


def _agent(block: Block) -> Iterator[Found]:
    if block.type in {"text", "thinking"}:
        yield Found(by="agent", text=block.text or block.thinking)
    elif block.type == "tool_use":
        given = fields(decoded(block.input, {}))
        kind = tools.KINDS.get(block.name, "shell" if "command" in given else "other")
        yield tool_calls.record(Call(name=block.name, kind=kind, given=given), block.id)


def _user(line: Record) -> Iterator[Found]:
    results = [block for block in line.blocks if block.type == "tool_result"]
    for block in results:
        result = tools.Result(line, block, line.tool_use_result)
        # The record has one patch, whatever the number of its results.
        shown = partial(result.shown, patched=block is results[-1])
        yield _result(result, block.tool_use_id, shown)
    words = records.said(line)
    if results and words.kind != "prompt":
        return
    shown = partial(_shown, line)
    if words.kind in _TYPED:
        yield Found(by="agent" if line.is_sidechain else "user", text=words.text, shown=shown)
    elif words.kind == "summary":
        yield Found(by="agent", text=records.summary(words.text), shown=shown)
    elif words.kind == "news":
        news = records.news(words.text)
        yield Found(by="result", text=news.text, shown=shown, failed=news.status == "failed")


def _shown(record: Record) -> str:
    """The words of a message, with the names of what was attached."""
    own = (each for each in record.blocks if each.text or each.type in _ATTACHED)
    return "\n".join(each.text or f"[{each.type}]" for each in own)


def _result(result: tools.Result, call: str, shown: Callable[[], str]) -> Found:
    """A result; what the user said instead of a call is theirs, and so are their answers to a form."""
    refused, extra = result.verdict == "refused", result.extra
    if refused and result.words:
        return Found(by="user", text=result.words, shown=shown, call=call)
    if isinstance(extra.get("answers"), dict):
        return Found(by="user", text=result.text, shown=shown, call=call)
    named = (text(extra, "filePath"), text(fields(extra, "file"), "filePath"))
    files, failed = tuple(filter(None, named)), result.is_error and not refused
    found = Found(by="result", text=result.text, shown=shown, call=call, failed=failed)
    return replace(found, files=files)
