"""Laws of reading, whatever the file holds."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sampling import examples

from onward.agents.claude_code.sessions import AGENT as CLAUDE_CODE
from onward.model import Asked, Delegated, Event, Planned, Prompt, Ran

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)
SAFE = st.from_regex(r"[a-z][a-z ]{2,15}[a-z]", fullmatch=True)


def read(data: bytes) -> list[Event]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.jsonl"
        path.write_bytes(data)
        return list(CLAUDE_CODE.open(path))


def line(**fields: Any) -> bytes:
    return json.dumps({"sessionId": "s", **fields}, separators=(",", ":")).encode() + b"\n"


def typed(text: str, number: int) -> bytes:
    return line(type="user", uuid=f"u{number}", message={"content": text})


def reply(text: str) -> bytes:
    block = {"type": "text", "text": text}
    return line(type="assistant", message={"id": "m", "content": [block]})


def ran(command: str, number: int) -> bytes:
    key = f"toolu_{number}"
    call = {"type": "tool_use", "id": key, "name": "Bash", "input": {"command": command}}
    result = {"type": "tool_result", "tool_use_id": key, "content": command}
    return line(type="assistant", message={"content": [call]}) + line(
        type="user", message={"content": [result]}
    )


TURN = st.tuples(st.sampled_from("prc"), SAFE)
UNKNOWN = st.builds(
    lambda kind, value: line(type=f"x-{kind}", uuid="z", message=value, content=value),
    SAFE,
    st.recursive(st.none() | st.integers() | SAFE, st.lists, max_leaves=5),
)


def session(turns: list[tuple[str, str]]) -> list[bytes]:
    return [turn(kind, text, n) for n, (kind, text) in enumerate(turns)]


def turn(kind: str, text: str, number: int) -> bytes:
    if kind == "r":
        return reply(text)
    return typed(text, number) if kind == "p" else ran(text, number)


@given(st.lists(st.binary(max_size=60) | st.sampled_from([b'{"type":"user"', b"}", b"\n"])))
def test_any_bytes_are_read_without_an_exception(parts: list[bytes]) -> None:
    read(b"".join(parts))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=8,
)
BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "tool_use", "tool_result", "image"]) | JSON},
    optional={
        "text": JSON,
        "id": st.just("t") | JSON,
        "tool_use_id": st.just("t") | JSON,
        "name": st.sampled_from(["Bash", "Edit", "Task", "TodoWrite", "ExitPlanMode"]) | JSON,
        "input": JSON,
        "content": JSON,
        "is_error": JSON,
    },
)
RECORD = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant", "system", "attachment", "queue-operation"])},
    optional={
        "message": st.fixed_dictionaries({"content": st.lists(BLOCK, max_size=3) | JSON}) | JSON,
        "toolUseResult": JSON,
        "attachment": JSON,
        "operation": st.sampled_from(["enqueue", "dequeue", "remove", "popAll"]) | JSON,
        "content": JSON,
        "isSidechain": JSON,
        "cwd": JSON,
        "uuid": JSON,
    },
)


@given(st.lists(RECORD, max_size=6))
def test_any_shape_of_a_record_is_read_without_an_exception(records: list[Any]) -> None:
    read(b"".join(json.dumps(record).encode() + b"\n" for record in records))


@given(st.lists(TURN, max_size=8), st.lists(st.tuples(st.integers(0, 8), UNKNOWN), max_size=4))
def test_records_of_unknown_type_change_nothing_but_line_numbers(
    turns: list[tuple[str, str]], others: list[tuple[int, bytes]]
) -> None:
    plain = session(turns)
    mixed = list(plain)
    for at, other in others:
        mixed.insert(at, other)
    assert bare(read(b"".join(mixed))) == bare(read(b"".join(plain)))


def bare(events: list[Event]) -> list[dict[str, Any]]:
    told = [msgspec.to_builtins(event) for event in events]
    return [{k: v for k, v in one.items() if k != "line"} for one in told]


@settings(max_examples=examples(60))
@given(st.lists(TURN, min_size=1, max_size=6), st.data())
def test_a_file_cut_at_any_byte_gives_a_prefix_of_the_events(
    turns: list[tuple[str, str]], data: st.DataObject
) -> None:
    whole = b"".join(session(turns))
    cut = read(whole[: data.draw(st.integers(0, len(whole)))])
    done = [e for e in cut if not is_open(e)]
    assert done == read(whole)[: len(done)]


def is_open(event: Event) -> bool:
    return (
        (isinstance(event, Ran) and event.state in {"open", "interrupted"})
        or (isinstance(event, Planned) and event.approved is None)
        or (isinstance(event, Asked) and not event.answered)
        or (isinstance(event, Delegated) and event.state == "running")
    )


QUEUED = st.sampled_from(["record", "removed", "attachment", "both", "waiting", "plain"])


@given(st.lists(st.tuples(QUEUED, SAFE), max_size=8, unique_by=lambda pair: pair[1]))
def test_every_prompt_is_told_once_however_it_was_delivered(ways: list[tuple[str, str]]) -> None:
    ways = sorted(ways, key=lambda pair: pair[0] == "waiting")
    lines = []
    for number, (way, text) in enumerate(ways):
        if way != "plain":
            lines.append(line(type="queue-operation", operation="enqueue", content=text))
        if way in {"removed", "both"}:
            lines.append(line(type="queue-operation", operation="remove"))
        if way == "record":
            lines.append(line(type="queue-operation", operation="dequeue"))
        if way in {"attachment", "both"}:
            attachment = {"type": "queued_command", "prompt": text}
            lines.append(line(type="attachment", attachment=attachment))
        if way == "attachment":
            lines.append(line(type="queue-operation", operation="remove"))
        if way in {"record", "plain"}:
            lines.append(typed(text, number))
    told = Counter(e.text for e in read(b"".join(lines)) if isinstance(e, Prompt))
    assert told == Counter(text for _, text in ways)


@given(st.lists(TURN, max_size=8))
def test_reading_twice_gives_the_same(turns: list[tuple[str, str]]) -> None:
    whole = b"".join(session(turns))
    assert read(whole) == read(whole)
