"""A word and its answer are told from work, at a session's end as in a list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from onward.commands import source, work
from onward.redaction import Redactor
from onward.storage.ranking import TRIVIAL


def asked(text: str) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": text}}


def said(text: str, message: str, **more: Any) -> dict[str, Any]:
    block = {"type": "text", "text": text}
    whole = {"model": "some", "id": f"msg_{message}", "role": "assistant", "content": [block]}
    return {"type": "assistant", "message": whole, **more}


def called(tool: str, message: str = "2", **given: str) -> dict[str, Any]:
    block = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": given}
    whole = {"model": "some", "id": f"msg_{message}", "role": "assistant", "content": [block]}
    return {"type": "assistant", "message": whole}


DONE = {
    "type": "user",
    "message": {"content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}]},
    "toolUseResult": {"stdout": "ok", "stderr": "", "interrupted": False},
}
QUOTED = 'Here is one: {"type":"tool_use","name":"Bash"} and {"type":"assistant"}'
CASES: dict[str, tuple[bool, list[dict[str, Any]]]] = {
    "nothing": (True, []),
    "a word": (True, [asked("hello")]),
    "a word and its answer": (True, [asked("hello"), said("Hi!", "1")]),
    "an answer in two blocks": (True, [asked("hello"), said("Hi!", "1"), said("So?", "1")]),
    "two answers": (False, [asked("a"), said("b", "1"), asked("c"), said("d", "2")]),
    "a command": (False, [asked("a"), called("Bash", command="make"), DONE]),
    "a command that was not over": (False, [asked("a"), called("Bash", command="sleep 900")]),
    "our own command": (True, [asked("a"), called("Bash", command="onward list"), DONE]),
    "a file that was read": (True, [asked("a"), called("Read", file_path="/a"), DONE, said("b", "3")]),
    "words about tools": (True, [asked(QUOTED), said(QUOTED, "1")]),
    "an error of the API": (
        True,
        [asked("a"), said("API Error: 529", "1", isApiErrorMessage=True), said("b", "2")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("blanks", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_a_word_and_its_answer_are_no_work(tmp_path: Path, case: str, *, blanks: bool) -> None:
    expected, records = CASES[case]
    common = {"sessionId": "s", "cwd": str(tmp_path), "timestamp": "2026-03-01T10:00:00Z"}
    first = {"type": "system", "subtype": "informational", "uuid": "u", **common}
    written = [first, *({**each, "uuid": f"u{n}", **common} for n, each in enumerate(records))]
    marks = (", ", ": ") if blanks else (",", ":")
    data = "".join(json.dumps(each, separators=marks) + "\n" for each in written).encode()
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    assert (work.standing(path, whole=True) == TRIVIAL) is expected
    assert source.distilled(path, Redactor(b"key")).counted.trivial is expected
