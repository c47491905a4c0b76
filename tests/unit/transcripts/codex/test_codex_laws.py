"""Laws of reading, whatever the file holds."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sampling import examples

from onward.agents.codex import calls, records
from onward.agents.codex.records import Body
from onward.agents.codex.sessions import AGENT as CODEX
from onward.model import Event, Prompt, Reply
from onward.transcripts import tool_calls

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
ADD = "*** Begin Patch\n*** Add File: a.py\n+one\n*** End Patch"
LINES: list[dict[str, Any]] = [
    {
        "type": "session_meta",
        "payload": {"id": "t1", "cwd": "/a", "source": "cli", "git": {"branch": "b"}},
    },
    {"type": "turn_context", "payload": {"cwd": "/a/b", "model": "m"}},
    {"type": "event_msg", "payload": {"type": "task_started", "turn_id": "x"}},
    {
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "fix"}],
        },
    },
    {"type": "event_msg", "payload": {"type": "user_message", "message": "fix", "images": ["x"]}},
    {"type": "event_msg", "payload": {"type": "agent_message", "message": "done"}},
    {
        "type": "response_item",
        "payload": {
            "type": "function_call",
            "name": "exec_command",
            "call_id": "c1",
            "arguments": '{"cmd":"make","workdir":"w"}',
        },
    },
    {
        "type": "response_item",
        "payload": {
            "type": "function_call_output",
            "call_id": "c1",
            "output": "Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\nx",
        },
    },
    {
        "type": "response_item",
        "payload": {
            "type": "function_call",
            "name": "write_stdin",
            "call_id": "c2",
            "arguments": '{"session_id":7,"chars":""}',
        },
    },
    {
        "type": "response_item",
        "payload": {
            "type": "function_call_output",
            "call_id": "c2",
            "output": "Wall time: 1 seconds\nProcess exited with code 1\nOutput:\nx",
        },
    },
    {
        "type": "response_item",
        "payload": {
            "type": "custom_tool_call",
            "name": "apply_patch",
            "call_id": "c3",
            "input": ADD,
        },
    },
    {
        "type": "event_msg",
        "payload": {
            "type": "patch_apply_end",
            "call_id": "c3",
            "success": True,
            "changes": {"/a.py": {"type": "add", "content": "x"}},
        },
    },
    {
        "type": "response_item",
        "payload": {
            "type": "custom_tool_call_output",
            "call_id": "c3",
            "output": [
                {"type": "input_text", "text": "Script completed\nOutput:\n"},
                {"text": "{}"},
            ],
        },
    },
    {
        "type": "response_item",
        "payload": {
            "type": "custom_tool_call",
            "name": "exec",
            "call_id": "c4",
            "input": "tools.exec_command({cmd:'x'})",
        },
    },
    {
        "type": "event_msg",
        "payload": {
            "type": "item_completed",
            "item": {
                "type": "CommandExecution",
                "id": "e",
                "command": ["bash", "-lc", "x"],
                "exit_code": 1,
                "aggregated_output": "o",
            },
        },
    },
    {
        "type": "response_item",
        "payload": {
            "type": "function_call",
            "name": "request_user_input",
            "call_id": "c5",
            "arguments": '{"questions":[{"id":"q","question":"?"}]}',
        },
    },
    {
        "type": "response_item",
        "payload": {
            "type": "function_call",
            "name": "spawn_agent",
            "call_id": "c6",
            "arguments": '{"message":"go"}',
        },
    },
    {
        "type": "response_item",
        "payload": {"type": "function_call_output", "call_id": "c6", "output": '{"agent_id":"h1"}'},
    },
    {
        "type": "response_item",
        "payload": {
            "type": "function_call",
            "name": "wait_agent",
            "call_id": "c7",
            "arguments": "{}",
        },
    },
    {
        "type": "response_item",
        "payload": {
            "type": "function_call_output",
            "call_id": "c7",
            "output": '{"status":{"h1":{"completed":"ok"}}}',
        },
    },
    {"type": "compacted", "payload": {"message": "half", "replacement_history": []}},
    {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}},
    {"type": "event_msg", "payload": {"type": "turn_aborted", "reason": "interrupted"}},
]


def read(data: bytes) -> list[Event]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rollout.jsonl"
        path.write_bytes(data)
        return list(CODEX.open(path))


def written(lines: list[Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@st.composite
def damaged(draw: st.DrawFn) -> list[Any]:
    """The lines with some fields replaced by anything, some lines gone, some twice."""
    lines = json.loads(json.dumps(LINES))
    for _ in range(draw(st.integers(1, 4))):
        line = draw(st.sampled_from(lines))
        body = (
            line["payload"]
            if isinstance(line, dict) and isinstance(line.get("payload"), dict)
            else line
        )
        if isinstance(body, dict) and body:
            body[draw(st.sampled_from(sorted(body)))] = draw(ANY)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        lines[at : at + 1] = draw(st.sampled_from([[], [lines[at], lines[at]], [draw(ANY)]]))
        lines = lines or [{}]
    return list(lines)


@settings(deadline=None)
@given(damaged())
def test_reading_never_fails_whatever_a_field_holds(lines: list[Any]) -> None:
    read(written(lines))


@settings(deadline=None, max_examples=examples(60))
@given(st.integers(0, len(written(LINES[:6]))))
def test_of_a_rollout_cut_anywhere_everything_before_is_read(end: int) -> None:
    data = written(LINES[:6])
    whole = [event for event in read(data) if isinstance(event, Prompt | Reply)]
    cut = [event.text for event in read(data[:end]) if isinstance(event, Prompt | Reply)]
    there = [event.text for event in whole if event.line <= data[:end].count(b"\n")]
    assert cut[: len(there)] == there
    assert cut == [event.text for event in whole][: len(cut)]


@given(st.text(max_size=200))
def test_no_text_is_too_odd_to_be_told(text: str) -> None:
    records.words(text)
    calls.parse(text)
    calls.parse(f"Exit code: 1\nOutput:\n{text}")
    program = f"tools.exec_command({{cmd:{text}}})"
    calls.call(Body(type="custom_tool_call", name="exec", input=program), "/w")
    tool_calls.patched(f"*** Begin Patch\n*** Update File: {text}\n{text}")
    tool_calls.in_script(f"apply_patch <<'E'\n{text}")


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.from_regex(r"[a-z]{3,12}", fullmatch=True)), max_size=12)
)
def test_every_word_is_told_once_and_in_order(turns: list[tuple[bool, str]]) -> None:
    lines: list[Any] = [LINES[0]]
    for is_typed, text in turns:
        role, kind = ("user", "user_message") if is_typed else ("assistant", "agent_message")
        message = {"type": "message", "role": role, "content": [{"type": "text", "text": text}]}
        lines.append({"type": "response_item", "payload": message})
        lines.append({"type": "event_msg", "payload": {"type": kind, "message": text}})
    told = [
        (isinstance(event, Prompt), event.text)
        for event in read(written(lines))
        if isinstance(event, Prompt | Reply)
    ]
    assert told == turns
