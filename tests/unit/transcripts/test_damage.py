"""One file a kind of damage, named after it: what is lost, what is told, what is still read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from onward.model import Prompt, Reply
from onward.transcripts.registry import open_transcript

FILES = Path(__file__).parent / "damage"
FIRST, ANSWER, LAST = "fix the login", "Fixed it.", "now push"

CASES = {
    "whole": ([FIRST, ANSWER, LAST], {}, 0),
    "no-last-line-end": ([FIRST, ANSWER, LAST], {}, 0),
    "torn-last-line": ([FIRST, ANSWER, LAST], {"torn": 1}, 1),
    "torn-then-appended": ([FIRST, LAST], {"torn": 1}, 1),
    "glued": ([FIRST, ANSWER, LAST], {"glued": 1}, 0),
    "bad-utf8": (["fix the l\ufffdgin", ANSWER, LAST], {"bad-utf8": 1}, 0),
    "byte-order-mark": ([FIRST, ANSWER, LAST], {"bom": 1}, 0),
    "windows-line-ends": ([FIRST, ANSWER, LAST], {}, 0),
    "hole-of-nul": ([FIRST, ANSWER, LAST], {"nul": 1}, 0),
    "nul-before-a-record": ([FIRST, ANSWER, LAST], {"nul": 1}, 0),
    "lone-surrogate": (["fix the log?in", ANSWER, LAST], {"lax": 1}, 0),
    "raw-control-character": (["fix the\tlogin", ANSWER, LAST], {"lax": 1}, 0),
    "not-a-number": ([FIRST, ANSWER, LAST], {"lax": 1}, 0),
    "blank-lines": ([FIRST, ANSWER, LAST], {"blank": 2}, 0),
    "not-objects": ([FIRST, ANSWER, LAST], {"not-object": 3}, 3),
    "not-json": ([FIRST, ANSWER, LAST], {"not-json": 1}, 1),
    "wrong-types": ([FIRST, ANSWER, LAST], {"wrong-type": 2}, 0),
    "unknown-types": ([FIRST, ANSWER, LAST], {}, 0),
    "too-deep": ([FIRST, ANSWER, LAST], {"too-deep": 1}, 1),
}


@pytest.mark.parametrize("name", CASES)
def test_damage_costs_the_line_at_most_and_is_told(name: str) -> None:
    words, problems, lost = CASES[name]
    transcript = open_transcript(FILES / f"{name}.jsonl")
    said = [event.text for event in transcript if isinstance(event, Prompt | Reply)]
    assert said == words
    assert dict(transcript.problems) == problems
    assert transcript.origin.problems == lost
    assert transcript.origin.cwd == "/home/ana/shop"


def test_every_file_of_the_folder_has_its_case() -> None:
    assert {file.stem for file in FILES.glob("*.jsonl")} == set(CASES)


def test_a_damaged_sub_agent_is_counted_too(tmp_path: Path) -> None:
    main = tmp_path / "s.jsonl"
    shutil.copy(FILES / "whole.jsonl", main)
    call = (
        '{"type":"assistant","sessionId":"s","uuid":"c","message":{"content":[{"type":"tool_use",'
        '"id":"t1","name":"Task","input":{"prompt":"x"}}]}}\n'
        '{"type":"user","sessionId":"s","uuid":"r","toolUseResult":{"agentId":"a1"},"message":'
        '{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}\n'
    )
    with main.open("a") as file:
        file.write(call)
    shutil.copy(FILES / "not-json.jsonl", tmp_path / "agent-a1.jsonl")
    transcript = open_transcript(main)
    list(transcript)
    assert transcript.problems == {"not-json": 1}
