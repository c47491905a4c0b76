"""How full the context is, from the end of a transcript."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.hooks import activity
from onward.hooks.environment import Here
from onward.transcripts.hook_call import client

used = client("claude-code").used

SONNET = "claude-sonnet-4-6"


def reply(tokens: int, *, model: str = SONNET, **more: Any) -> dict[str, Any]:
    usage = {
        "input_tokens": 3,
        "cache_creation_input_tokens": 200,
        "cache_read_input_tokens": tokens - 253,
        "output_tokens": 50,
        "cache_creation": {"ephemeral_5m_input_tokens": 200},
        "iterations": [{"input_tokens": 999_999}],
    }
    message = {"role": "assistant", "model": model, "content": [], "usage": usage}
    return {"isSidechain": False, "message": message, "type": "assistant"} | more


PROMPT = {"type": "user", "message": {"role": "user", "content": "go on"}}
BOUNDARY = {"type": "system", "subtype": "compact_boundary", "compactMetadata": {}}


def tail(*records: dict[str, Any]) -> bytes:
    lines = (json.dumps(record, separators=(",", ":")) for record in records)
    return "".join(f"{line}\n" for line in lines).encode()


def test_the_last_reply_counts_with_all_that_was_read_and_written() -> None:
    assert used(tail(reply(1000), PROMPT, reply(9000), PROMPT)) == (9000, 200_000)


@pytest.mark.parametrize(
    "later",
    [
        reply(70_000, isSidechain=True),
        reply(70_000, model="<synthetic>"),
        {"type": "api-request-blob", "message": reply(70_000)["message"]},
        {"type": "api-request-shape", "shape": {"example": reply(70_000)}},
        {"type": "progress", "data": {"message": reply(70_000)}},
        {"type": "user", "message": {"content": json.dumps(reply(70_000))}},
        {"type": "assistant", "message": "odd"},
        {"type": "assistant", "message": {"model": SONNET, "usage": None}},
        {"type": "assistant", "message": {"model": SONNET, "usage": {"input_tokens": "many"}}},
    ],
    ids=lambda record: str(record["type"]),
)
def test_what_is_no_reply_of_the_main_thread_is_passed_over(later: dict[str, Any]) -> None:
    assert used(tail(reply(9000), later)) == (9000, 200_000)


def test_an_input_of_a_tool_that_looks_like_a_count_is_none() -> None:
    record = reply(9000)
    record["message"]["content"] = [{"type": "tool_use", "input": {"usage": {"input_tokens": 1}}}]
    assert used(tail(record)) == (9000, 200_000)


def test_after_a_compaction_nobody_knows_until_the_next_reply() -> None:
    assert used(tail(reply(150_000), BOUNDARY, PROMPT)) == (0, 0)
    assert used(tail(reply(150_000), BOUNDARY, reply(9000))) == (9000, 200_000)


def test_the_model_that_was_asked_for_tells_more_than_the_one_that_answered() -> None:
    record = reply(9000, requestedModel=f"{SONNET}[1m]")
    assert used(tail(record)) == (9000, 1_000_000)


def test_a_torn_line_at_either_end_is_passed_over() -> None:
    whole = tail(reply(9000), reply(8000))
    assert used(whole[20:-30]) == (0, 0)
    assert used(tail(reply(7000)) + whole[:-30]) == (9000, 200_000)


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_no_bytes_are_an_error(before: bytes, after: bytes) -> None:
    used(before)
    assert used(before + b"\n" + tail(reply(9000)) + after.replace(b"compact", b""))[0] in {0, 9000}


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("claude-opus-5-5", 1_000_000),
        ("claude-opus-4-8", 1_000_000),
        ("claude-fable-5-2", 1_000_000),
        ("claude-sonnet-4-6", 200_000),
        ("claude-sonnet-4-6[1m]", 1_000_000),
        ("claude-haiku-4-5-20251001", 200_000),
        ("claude-opus-4-5-20251101", 200_000),
        ("something-new", 200_000),
        ("", 200_000),
    ],
)
def test_the_context_is_the_models(model: str, tokens: int) -> None:
    assert used(tail(reply(9000, model=model))) == (9000, tokens)


@pytest.mark.parametrize("setting", [0, 100_000])
def test_a_setting_says_how_large_the_context_is(tmp_path: Path, setting: int) -> None:
    transcript = tmp_path / "session.jsonl"
    transcript.write_bytes(tail(reply(76_000)))
    steps, _ = activity.steps_above(Here({}, "claude-code"), "", str(transcript), setting)
    assert steps == (2 if setting else 0)


def test_no_dear_module_is_imported_for_it() -> None:
    code = (
        f"from onward.transcripts.hook_call import client\nassert client('claude-code').used({tail(reply(9000))!r})[0]\n"
        "import sys\nassert not {'json', 're', 'typing', 'pathlib'} & set(sys.modules)"
    )
    start = f"import sys; sys.path[:0] = {[p for p in sys.path if p]!r}\n"
    subprocess.run([sys.executable, "-I", "-S", "-c", start + code], check=True)
