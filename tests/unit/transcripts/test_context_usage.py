"""How full the context is, from the end of a transcript."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.transcripts.claude_code.usage import used, window

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
    assert used(tail(reply(1000), PROMPT, reply(9000), PROMPT)) == (9000, SONNET)


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
    assert used(tail(reply(9000), later)) == (9000, SONNET)


def test_an_input_of_a_tool_that_looks_like_a_count_is_none() -> None:
    record = reply(9000)
    record["message"]["content"] = [{"type": "tool_use", "input": {"usage": {"input_tokens": 1}}}]
    assert used(tail(record)) == (9000, SONNET)


def test_after_a_compaction_nobody_knows_until_the_next_reply() -> None:
    assert used(tail(reply(150_000), BOUNDARY, PROMPT)) == (0, "")
    assert used(tail(reply(150_000), BOUNDARY, reply(9000))) == (9000, SONNET)


def test_the_model_that_was_asked_for_tells_more_than_the_one_that_answered() -> None:
    record = reply(9000, requestedModel=f"{SONNET}[1m]")
    assert used(tail(record)) == (9000, f"{SONNET}[1m]")


def test_a_torn_line_at_either_end_is_passed_over() -> None:
    whole = tail(reply(9000), reply(8000))
    assert used(whole[20:-30]) == (0, "")
    assert used(tail(reply(7000)) + whole[:-30]) == (9000, SONNET)


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_no_bytes_are_an_error(before: bytes, after: bytes) -> None:
    used(before)
    assert used(before + b"\n" + tail(reply(9000)) + after.replace(b"compact", b""))[0] in {0, 9000}


@pytest.mark.parametrize(
    ("model", "setting", "tokens"),
    [
        ("claude-opus-5-5", 0, 1_000_000),
        ("claude-opus-4-8", 0, 1_000_000),
        ("claude-fable-5-2", 0, 1_000_000),
        ("claude-sonnet-4-6", 0, 200_000),
        ("claude-sonnet-4-6[1m]", 0, 1_000_000),
        ("claude-haiku-4-5-20251001", 0, 200_000),
        ("claude-opus-4-5-20251101", 0, 200_000),
        ("something-new", 0, 200_000),
        ("", 0, 200_000),
        ("claude-opus-5-5", 200_000, 200_000),
        ("claude-haiku-4-5-20251001", 500_000, 500_000),
    ],
)
def test_the_window_is_the_models_unless_a_setting_says_otherwise(
    model: str, setting: int, tokens: int
) -> None:
    assert window(model, setting) == tokens


def test_no_dear_module_is_imported_for_it() -> None:
    code = (
        f"from onward.transcripts.claude_code.usage import used\nassert used({tail(reply(9000))!r})[0]\n"
        "import sys\nassert not {'json', 're', 'typing', 'pathlib'} & set(sys.modules)"
    )
    start = f"import sys; sys.path[:0] = {[p for p in sys.path if p]!r}\n"
    subprocess.run([sys.executable, "-I", "-S", "-c", start + code], check=True)
