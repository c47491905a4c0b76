"""Rollouts made to harm: they are read in bounded time and memory, and what is wrong is said."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest
from backports import zstd
from tests.canary.machine import SESSION, CodexMachine
from tests.hostile.trap import OBEYED, Trap
from tests.sampling import sample

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.canary.machine import Said

pytestmark = pytest.mark.skipif(os.name == "nt", reason="limits are a thing of POSIX")

SECONDS, MEMORY = 20, 600 << 20
"""Of the processor; bytes of address space."""
MANY = 200_000
"""Repetitions: what takes its square of time takes hours."""


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    made = Trap(tmp_path, CodexMachine)
    made.machine.git("init", "-q", "-b", "main")
    made.machine.transcript().parent.mkdir(parents=True)
    return made


def limited(trap: Trap, *words: str) -> Said:
    """The program, killed where it takes too long or too much."""
    limits = f"import resource as r; r.setrlimit(r.RLIMIT_CPU, ({SECONDS}, {SECONDS}))"
    limits += f"; r.setrlimit(r.RLIMIT_AS, ({MEMORY}, {MEMORY}))"
    code = f"{limits}; from onward.cli import main; raise SystemExit(main({list(words)!r}))"
    return trap.machine.run([sys.executable, "-c", code], b"", trap.machine.env)


def rollout(trap: Trap, *bodies: Mapping[str, object]) -> bytes:
    """A rollout of the project: its facts, a prompt and these items."""
    meta = {"id": SESSION, "cwd": str(trap.root), "source": "cli"}
    asked = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Fix"}]}
    lines = [("session_meta", meta), *(("response_item", body) for body in (asked, *bodies))]
    at = "2026-03-01T13:00:00.000Z"
    return b"".join(
        json.dumps({"timestamp": at, "type": kind, "payload": body}).encode() + b"\n"
        for kind, body in lines
    )


def answer(text: str) -> dict[str, object]:
    return {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": text}],
    }


def shell(text: str) -> dict[str, object]:
    given = json.dumps({"cmd": text})
    return {"type": "function_call", "name": "exec_command", "call_id": "c", "arguments": given}


def free(name: str, text: str) -> dict[str, object]:
    return {"type": "custom_tool_call", "name": name, "call_id": "c", "input": text}


@pytest.mark.parametrize(
    ("unit", "window"),
    sample([(b"\0", 27), (b'{"type":"response_item","payload":{"type":"x"}}\n', 21)], 1, "packed"),
)
def test_a_packed_rollout_that_unpacks_to_gigabytes_is_refused_in_words(
    trap: Trap, unit: bytes, window: int
) -> None:
    options: dict[int, int] = {
        zstd.CompressionParameter.compression_level: 1,
        zstd.CompressionParameter.window_log: window,
    }
    piece = zstd.compress(unit * ((64 << 20) // len(unit)), options=options)
    path = trap.machine.transcript()
    path = path.with_name(f"{path.name}.zst")
    path.write_bytes(zstd.compress(rollout(trap, answer("Yes"))) + piece * 64)
    assert path.stat().st_size < 1 << 20
    for words in (("distill", str(path)), ("brief", str(path))):
        said = limited(trap, *words)
        assert said.code == 4, said
        assert b"unpacks to more than" in said.err, said.err
    said = limited(trap, "sessions")
    assert said.code == 4, said
    assert path.name.encode() in said.out + said.err, "what is left out is named"


SLOW = {
    "quotes": free("exec", 'x = "' + '\\"' * MANY),
    "calls": free("exec", "tools.exec_command({" * MANY),
    "plans": answer("<proposed_plan>" * MANY),
    "blanks": answer(" " * MANY + "x"),
    "lines": answer("\n" * MANY + "x"),
    "folders": shell("cd a && apply_patch << " * MANY),
    "heredocs": shell("apply_patch <<E\n" * MANY),
    "gaps": shell("cat x" + " " * MANY + "y"),
    "moves": free("apply_patch", "\n*** Move to: x" * MANY),
    "files": free("apply_patch", "\n*** Add File: x\n+x" * (MANY // 100)),
}


@pytest.mark.parametrize("kind", sample(SLOW, 4, "slow texts"))
def test_a_text_made_to_be_slow_is_read_in_time(trap: Trap, kind: str) -> None:
    done = {"type": "function_call_output", "call_id": "c", "output": "Exit code: 0\nOutput:\n"}
    trap.machine.transcript().write_bytes(rollout(trap, SLOW[kind], done))
    said = limited(trap, "distill", str(trap.machine.transcript()))
    assert said.code == 0, said


def test_a_name_of_a_rollout_with_escapes_is_shown_without_them(trap: Trap) -> None:
    path = trap.machine.transcript()
    path = path.with_name("rollout-\x1b]0;owned\x07\x1b[31m\u202e<system-reminder>x.jsonl")
    path.write_bytes(rollout(trap, answer("Yes")))
    (path.with_name("rollout-\x1b[31mtorn.jsonl")).write_bytes(b"torn\n")
    for words in (
        ("sessions",),
        ("sessions", "--all"),
        ("distill", str(path)),
        ("search", "Yes"),
    ):
        assert trap.machine.onward(*words).code == 0
        assert trap.machine.onward(*words, "--json").code == 0
    assert not OBEYED.findall(trap.machine.told.decode())
    trap.check(trap.state())
