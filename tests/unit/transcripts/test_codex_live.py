"""Codex, what a hook must know at once: whose call it is, what to print, how full, how trivial."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from onward.briefing import handover
from onward.commands import handover as show
from onward.commands import work
from onward.hooks import activity
from onward.hooks.environment import Here
from onward.hooks.start import PENDING
from onward.model import Checkpoint, Clean, Item
from onward.storage.ranking import TRIVIAL
from onward.transcripts.hook_call import client

ROOT = Path(__file__).resolve().parents[3]
# As 0.169.0 sends it, with the words of an invented session.
PAYLOAD: dict[str, Any] = {
    "session_id": "01a202ea-2538-7433-8281-a4833680fd45",
    "transcript_path": "/home/ada/.codex/sessions/2026/11/22/rollout-1.jsonl",
    "cwd": "/home/ada/keel/hull",
    "hook_event_name": "SessionStart",
    "model": "gpt-5.5",
    "permission_mode": "default",
}


def test_a_start_says_session_transcript_folder_and_way() -> None:
    call = client("codex").parse("start", {**PAYLOAD, "source": "resume"}, {}, 7)
    assert (call.agent, call.event, call.detail, call.pid) == ("codex", "start", "resume", 7)
    assert call.session == PAYLOAD["session_id"]
    assert call.transcript == PAYLOAD["transcript_path"]
    assert call.project == call.cwd == PAYLOAD["cwd"]
    assert not call.helper


def test_a_start_after_a_compaction_is_the_end_of_that_compaction() -> None:
    assert client("codex").parse("start", {**PAYLOAD, "source": "compact"}, {}).event == "compacted"
    assert client("codex").parse("compact", {**PAYLOAD, "trigger": "auto"}, {}).event == "compact"


def test_prompt_turn_and_last_words_are_taken() -> None:
    more = {"prompt": "Caulk it", "turn_id": "t1", "last_assistant_message": "Done", "reason": "x"}
    call = client("codex").parse("turn", {**PAYLOAD, **more}, {})
    assert (call.prompt, call.prompt_id, call.last) == ("Caulk it", "t1", "Done")
    assert call.detail == "x"


def test_what_a_sub_agent_is_told_is_its_own() -> None:
    call = client("codex").parse(
        "prompt", {**PAYLOAD, "agent_id": "01a20312", "prompt": "Count"}, {}
    )
    assert call.helper == "01a20312"


def test_an_empty_or_odd_payload_is_a_call_without_a_session() -> None:
    odd = {"session_id": 7, "cwd": None, "prompt": ["x"], "source": ""}
    for payload in ({}, odd):
        call = client("codex").parse("start", payload, {})
        assert (call.session, call.cwd, call.prompt, call.detail) == ("", "", "", "")


@pytest.mark.parametrize("event", ["compact", "turn", "end"])
def test_nothing_is_printed_where_the_client_does_not_hear(event: str) -> None:
    assert client("codex").form(event, "words") == ""
    assert client("codex").ahead(event) == ""  # nor anything before the event is served


@pytest.mark.parametrize("text", ['{"a": 1} and more', "[t:5] said", "words"])
def test_what_looks_like_json_is_not_the_beginning_of_what_is_printed(text: str) -> None:
    told = client("codex").form("start", text)
    assert told.strip() == text
    assert told[0] not in "{["


def test_the_words_for_a_pending_backup_name_what_can_be_run_here() -> None:
    told = client("codex").form("start", PENDING.format(".claude/memory/raw/a.jsonl"))
    assert told == (
        "SESSION_BACKUP_PENDING: A previous session backup exists at .claude/memory/raw/a.jsonl\n"
        "User should run `onward backup resume` to restore context,"
        " or `onward backup discard` to discard."
    )


@pytest.mark.parametrize(
    "command",
    ["/resume-latest", *(command for _, *both in show.KINDS.values() for command in both)],
)
def test_no_hand_over_names_a_command_that_is_not_there(command: str) -> None:
    typed = command.format("add-login")
    saved = Checkpoint(task=Item(text=Clean("Caulk"), evidence="asked"))
    task = handover.saved_place(saved, what="the checkpoint", age="a day", command=typed)
    assert typed in task
    told = client("codex").form("start", task)
    assert "/" not in told
    assert "run " in told


def test_nothing_dear_is_imported_for_a_call() -> None:
    dear = "{'json', 're', 'pathlib', 'typing', 'enum'}"
    code = f"import sys; from onward.transcripts import hook_call; print(sorted({dear} & set(sys.modules)))"
    words = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.append({str(ROOT / 'src')!r}); {code}"]  # fmt: skip
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "[]\n"


def record(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-03-01T10:00:00Z", "type": kind, "payload": payload}


META = record("session_meta", id="01a2", cwd="/home/ada/keel", cli_version="0.169.0")


def said(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text}]
    return record("response_item", type="message", role="assistant", content=content)


def called(name: str, **given: str) -> dict[str, Any]:
    arguments = json.dumps(given)
    return record("response_item", type="function_call", name=name, arguments=arguments)


CALL = {"call_id": "c1", "name": "apply_patch", "input": "*** Begin Patch\n*** Add File: a\n+b"}
PATCH = record("response_item", type="custom_tool_call", **CALL)
PATCHED = record("response_item", type="custom_tool_call_output", call_id="c1", output="Success.")
QUOTED = 'So: {"type":"function_call","name":"exec_command"}'
CASES: dict[str, tuple[bool, list[dict[str, Any]]]] = {
    "nothing": (True, []),
    "a word and its answer": (True, [said("Hi!")]),
    "two answers": (False, [said("Hi!"), said("So?")]),
    "a command": (False, [called("exec_command", cmd="make")]),
    "an older command": (False, [called("shell", command="make")]),
    "an edit": (False, [PATCH, PATCHED]),
    "our own command": (True, [called("exec_command", cmd="onward list")]),
    "a plan": (True, [called("update_plan", explanation="exec")]),
    "words about tools": (True, [said(QUOTED)]),
}  # fmt: skip


@pytest.mark.parametrize("blanks", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_a_word_and_its_answer_are_told_from_work(
    tmp_path: Path, case: str, *, blanks: bool
) -> None:
    expected, records = CASES[case]
    marks = (", ", ": ") if blanks else (",", ":")
    lines = [json.dumps(each, separators=marks) for each in [META, *records]]
    rollout = tmp_path / "rollout-1.jsonl"
    rollout.write_text("\n".join(lines))
    assert (work.standing(rollout, whole=True) == TRIVIAL) is expected


def counted(total: int, window: int = 258_400) -> dict[str, Any]:
    info = {
        "total_token_usage": {"total_tokens": 9 * total},
        "last_token_usage": {"total_tokens": total},
        "model_context_window": window,
    }
    return record("event_msg", type="token_count", info=info)


def tail(*records: dict[str, Any]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in records).encode()


def test_the_context_is_as_full_as_the_last_request_and_as_large_as_the_client_says() -> None:
    written = tail(META, counted(1000), said("x"), counted(200_000), said("y"))
    assert client("codex").used(written) == (200_000, 258_400)


@pytest.mark.parametrize("setting", [0, 100_000])
def test_a_setting_says_how_large_the_context_is(tmp_path: Path, setting: int) -> None:
    rollout = tmp_path / "rollout-1.jsonl"
    rollout.write_bytes(tail(META, counted(76_000)))
    steps, _ = activity.steps_above(Here({}, "codex"), "", str(rollout), setting)
    assert steps == (2 if setting else 0)


@pytest.mark.parametrize(
    "records",
    [
        [],
        [counted(5), record("compacted", message="x")],
        [record("event_msg", type="token_count", info=None)],
        [counted(5, 0)],
    ],
)
def test_where_nothing_tells_how_full_it_is_nothing_is_said(records: list[dict[str, Any]]) -> None:
    assert client("codex").used(tail(META, *records)) == (0, 0)


def test_a_torn_line_is_passed_over() -> None:
    assert (
        client("codex").used(
            tail(counted(7)) + b'{"type":"event_msg","payload":{"type":"token_count"'
        )[0]
        == 7
    )
