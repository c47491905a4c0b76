"""Codex's rollouts, of every generation: raw records → entries."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evals.entries import Call, Compacted, Entry, Prompt, Reply, Result, Transcript, strings
from evals.times import seconds

_FRAME = re.compile(r"^#+ My request for Codex:\s*", re.MULTILINE)
_NOT_TYPED = re.compile(
    r"\s*(?:<[a-z]+_[a-z_]+[ >]|<INSTRUCTIONS>|<skill>|<cwd>|# AGENTS\.md instructions|Warning: )"
)
_PATCH = re.compile(
    r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE
)
_PROGRAM = re.compile(r"""\b(?:cmd|command)["']?\s*:\s*("(?:[^"\\\n]|\\.)*")""")
_RUNNING = re.compile(r"Process running with session ID (\d+)")
_STATUS = re.compile(r"(?:^|\n)(?:Exit code: |Process exited with code )(-?\d+)")
_REFUSED = re.compile(r"exec command rejected by user|aborted by user|unsupported call")
_FLAT = {"message", "function_call", "function_call_output", "reasoning", "local_shell_call"}


def recognises(record: dict[str, Any]) -> bool:
    """Whether a record is of this client."""
    if isinstance(record.get("payload"), dict):
        return record.get("type") in {"session_meta", "response_item", "event_msg", "turn_context"}
    return {"id", "timestamp", "instructions"} <= record.keys() or "record_type" in record


def read(path: Path, records: list[tuple[int, dict[str, Any]]]) -> Transcript:
    """The entries of a rollout."""
    flat = [(line, record.get("timestamp"), *_unwrapped(record)) for line, record in records]
    # A prompt is written up to three times; the client's own event is the cleanest.
    events = any(_event_prompt(kind, load) is not None for _, _, kind, load in flat)
    state = _State(events=events)
    entries: list[Entry] = []
    for line, time, kind, load in flat:
        entries += state.entries(line, seconds(time), kind, load)
    return Transcript(
        path=path,
        agent="codex",
        entries=entries,
        lines=records[-1][0] if records else 0,
        folders=tuple(state.folders),
        branches=tuple(state.branches),
        helper=state.helper,
    )


def _unwrapped(record: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    load = record.get("payload")
    if isinstance(load, dict):
        return str(record.get("type")), load
    return ("response_item" if record.get("type") in _FLAT else "session_meta"), record


def _event_prompt(kind: str, load: dict[str, Any]) -> str | None:
    """The typed text of an event that tells of a prompt; None for any other record."""
    if kind != "event_msg":
        return None
    if load.get("type") == "user_message":
        return _own_words(str(load.get("message", "")))
    item = load.get("item")
    item = item if load.get("type") == "item_completed" and isinstance(item, dict) else {}
    if item.get("type") != "UserMessage":
        return None
    return _own_words("\n".join(_texts(item.get("content"))))


def _own_words(text: str) -> str:
    text = _FRAME.split(text)[-1].strip()
    return "" if _NOT_TYPED.match(text) else text


def _all_own(texts: list[str]) -> str:
    return "\n".join(filter(None, map(_own_words, texts)))


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    blocks = content if isinstance(content, list) else []
    return [
        str(b["text"]) for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str)
    ]


class _State:
    """What must be kept from line to line."""

    def __init__(self, *, events: bool) -> None:
        self.events = events
        self.folders: dict[str, None] = {}
        self.branches: list[tuple[int, str]] = []
        self.helper = False
        self.running: dict[str, str] = {}
        self.polls: dict[str, str] = {}
        self.seen_meta = False

    def entries(
        self, line: int, at: float | None, kind: str, load: dict[str, Any]
    ) -> Iterator[Entry]:
        if isinstance(cwd := load.get("cwd"), str):
            self.folders[cwd] = None
        if kind == "session_meta":
            self._meta(line, load)
        elif kind == "compacted":
            yield Compacted(line=line, at=at, summary=str(load.get("message") or ""))
        elif kind == "event_msg":
            if text := _event_prompt(kind, load):
                yield Prompt(line=line, at=at, text=text)
        elif kind == "response_item":
            yield from self._item(line, at, load)

    def _meta(self, line: int, load: dict[str, Any]) -> None:
        git, source = load.get("git"), load.get("source")
        if isinstance(git, dict) and isinstance(git.get("branch"), str):
            self.branches.append((line, git["branch"]))
        if not self.seen_meta:
            self.helper = isinstance(source, dict) and "subagent" in source
        self.seen_meta = True

    def _item(self, line: int, at: float | None, load: dict[str, Any]) -> Iterator[Entry]:
        kind = load.get("type")
        if kind == "message":
            texts = _texts(load.get("content"))
            if load.get("role") == "assistant":
                yield Reply(line=line, at=at, text="\n".join(texts))
            elif load.get("role") == "user" and not self.events and (text := _all_own(texts)):
                yield Prompt(line=line, at=at, text=text)
        elif kind in {"function_call", "custom_tool_call", "local_shell_call"}:
            call = _call(line, at, load)
            session = _argument(load, "session_id")
            if call.tool == "write_stdin" and session in self.running:
                self.polls[call.id] = self.running[session]
            else:
                yield call
        elif kind in {"function_call_output", "custom_tool_call_output"}:
            yield self._result(line, at, load)

    def _result(self, line: int, at: float | None, load: dict[str, Any]) -> Result:
        name = str(load.get("call_id", ""))
        name = self.polls.get(name, name)
        output = load.get("output")
        text = output if isinstance(output, str) else "\n".join(_texts(output))
        status: int | None = None
        try:
            told = json.loads(text) if text.startswith("{") else None
        except ValueError:
            told = None
        if isinstance(told, dict) and isinstance(told.get("output"), str):
            text, meta = told["output"], told.get("metadata")
            status = meta.get("exit_code") if isinstance(meta, dict) else None
        elif found := _STATUS.search(text[:2000]):
            status = int(found[1])
        if running := _RUNNING.search(text[:2000]):
            self.running[running[1]] = name
        failed = True if _REFUSED.search(text[:300]) else None if status is None else status != 0
        return Result(line=line, at=at, id=name, text=text, failed=failed, status=status)


def _given(load: dict[str, Any]) -> Any:
    for key in ("arguments", "input", "action"):
        if key in load:
            value = load[key]
            try:
                return json.loads(value) if isinstance(value, str) and value[:1] == "{" else value
            except ValueError:
                return value
    return {}


def _argument(load: dict[str, Any], name: str) -> str:
    given = _given(load)
    return str(given.get(name, "")) if isinstance(given, dict) else ""


def _call(line: int, at: float | None, load: dict[str, Any]) -> Call:
    given, tool = _given(load), str(load.get("name") or "shell")
    text = "\n".join(strings(given))
    plan = given.get("plan") if isinstance(given, dict) and tool == "update_plan" else None
    patched = tuple(a or b for a, b in _PATCH.findall(text.replace("\\n", "\n")))
    script = "" if tool in {"apply_patch", "update_plan", "write_stdin"} else _script(given)
    return Call(
        line=line,
        at=at,
        id=str(load.get("call_id") or load.get("id") or ""),
        tool=tool,
        text=text,
        script="" if patched else script,
        folder=str(given.get("workdir") or "") if isinstance(given, dict) else "",
        edits=tuple(path.strip().strip('"') for path in patched),
        todos=tuple(
            (str(s.get("step", "")), str(s.get("status", "")))
            for s in (plan if isinstance(plan, list) else [])
            if isinstance(s, dict)
        ),
    )


def _script(given: Any) -> str:
    """The shell script in a call's input, whichever of the client's tools it was given to."""
    if isinstance(given, str):  # a program that calls the tools
        return "\n".join(json.loads(text) for text in _PROGRAM.findall(given) if _is_json(text))
    command = given.get("cmd") or given.get("command") if isinstance(given, dict) else ""
    if isinstance(command, list):
        words = [str(word) for word in command]
        if len(words) > 2 and words[0].rsplit("/", 1)[-1] in {"bash", "sh", "zsh"}:
            return words[-1]
        return " ".join(words)
    return command if isinstance(command, str) else ""


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
