"""opencode and Copilot CLI: a field of any other type or size costs itself, whatever reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.hooks.test_every_pair import MAKERS
from tests.unit.transcripts.opencode_rows import FIRST, database, dialogue, tool

from onward.transcripts import registry
from onward.transcripts.opencode import copies

ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 10**30, 1.5, "", "x", "\ud800", "\x1b[31m", [], {}, [None], [[]]),
    {"type": []},
    [{"type": "text"}, 7],
)


def varied(value: Any) -> Iterator[Any]:
    """The value with each of its parts in turn replaced by odd ones."""
    yield from ODD
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {k: v for k, v in value.items() if k != key}
            yield from ({**value, key: each} for each in varied(inner))
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            yield from ([*value[:n], each, *value[n + 1 :]] for each in varied(inner))


def rich(home: Path) -> Path:
    """A session of opencode with one of everything."""
    base = database(home, FIRST)
    asked = {"questions": [{"question": "?", "options": [{"label": "a"}]}]}
    dialogue(
        base,
        tool("bash", {"command": "make"}, metadata={"exit": 1}, output="no"),
        tool("edit", {"filePath": "a", "oldString": "b"}, metadata={"diff": "@@ -1 +1 @@\n+x"}),
        tool("apply_patch", {"patchText": "*** Begin Patch\n*** Add File: a\n+b\n"}),
        tool("read", {"filePath": "a", "offset": 1, "limit": 2}),
        tool("question", asked, metadata={"answers": [["a"]]}),
        tool("todowrite", {"todos": [{"content": "a", "status": "pending"}]}),
        tool("task", {"prompt": "a"}, metadata={"sessionId": "ses_b"}),
        {"type": "step-finish", "reason": "stop"},
        revert='{"messageID": "msg_002"}',
    )
    (path,) = copies.refresh(base, home / "data/opencode")
    return path


def copilot(home: Path) -> Path:
    return MAKERS["copilot"](home, home / "keel")[1]


@pytest.mark.parametrize("make", [rich, copilot])
def test_no_odd_field_stops_a_reader(tmp_path: Path, make: Any) -> None:
    path = make(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    agent = registry.agent_of(path)
    tried = 0
    for n, line in enumerate(lines):
        for value in varied(json.loads(line)):
            raw = json.dumps(value, separators=(",", ":")).encode() + b"\n"
            if n == 0 and not raw.startswith(line[:12]):
                continue  # nobody's then
            path.write_bytes(b"".join([*lines[:n], raw, *lines[n + 1 :]]))
            list(agent.open(path))
            agent.look(path)
            agent.facts(raw)
            agent.reader.render(raw)
            try:
                list(agent.reader.heard(raw))
            except ValueError:
                assert not isinstance(value, dict)
            tried += 1
    assert tried > 400
