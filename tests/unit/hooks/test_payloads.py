"""What a client hands to a hook, as a `HookCall`. The payloads are those that were measured."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import onward
from onward.hooks.entry import decode
from onward.transcripts.hook_call import HookCall, client

COMMON = {"session_id": "5f0a", "transcript_path": "/c/5f0a.jsonl", "cwd": "/p/sub"}
ENV = {"CLAUDE_PROJECT_DIR": "/p"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
FIELDS = [
    "session_id",
    "transcript_path",
    "cwd",
    "source",
    "reason",
    "stop_reason",
    "trigger",
    "prompt",
    "prompt_id",
    "agent_id",
    "last_assistant_message",
    "tool_name",
    "tool_input",
    "timeout",
    "command",
    "run_in_background",
]


def told(event: str, **fields: object) -> HookCall:
    return client("claude-code").parse(event, {**COMMON, **fields}, ENV, 77)


def test_a_call_says_where_it_comes_from() -> None:
    call = told("turn")
    assert (call.agent, call.event, call.session, call.transcript, call.cwd, call.pid) == (
        "claude-code",
        "turn",
        "5f0a",
        "/c/5f0a.jsonl",
        "/p/sub",
        77,
    )


def test_the_project_stays_where_the_client_was_started() -> None:
    assert told("turn").project == "/p"
    assert client("claude-code").parse("turn", COMMON, {}, 0).project == "/p/sub"


@pytest.mark.parametrize(
    ("event", "fields", "expected"),
    [
        ("start", {"source": "fork", "seconds_since_last_response": 3}, {"detail": "fork"}),
        ("end", {"reason": "prompt_input_exit"}, {"detail": "prompt_input_exit"}),
        ("end", {"stop_reason": "logout"}, {"detail": "logout"}),
        ("compact", {"trigger": "auto", "custom_instructions": None}, {"detail": "auto"}),
        ("prompt", {"prompt": "bye", "prompt_id": "u1"}, {"prompt": "bye", "prompt_id": "u1"}),
        ("turn", {"last_assistant_message": "Done."}, {"last": "Done."}),
        ("turn", {"agent_id": "a53f"}, {"helper": "a53f"}),
        ("tool", {"tool_input": {"command": "make"}}, {"command": "make", "limit": 0}),
        ("tool", {"tool_input": {"run_in_background": True}}, {"background": True}),
        ("tool", {"tool_input": {"run_in_background": "true"}}, {"background": False}),
        ("tool", {"tool_input": {"timeout": 600000}}, {"limit": 600000}),
        ("tool", {"tool_input": {"timeout": -1}}, {"limit": 0}),
        ("tool", {"tool_input": {"timeout": 1e400}}, {"limit": 0}),
        ("tool", {"tool_input": "make"}, {"command": "", "limit": 0}),
        ("prompt", {"prompt": ["bye"]}, {"prompt": ""}),
    ],
)
def test_each_event_tells_its_own(
    event: str, fields: dict[str, object], expected: dict[str, object]
) -> None:
    call = told(event, **fields)
    assert {name: getattr(call, name) for name in expected} == expected


@given(
    st.dictionaries(st.sampled_from(FIELDS), JSON | st.dictionaries(st.sampled_from(FIELDS), JSON))
)
def test_no_payload_makes_the_parser_raise(payload: dict[str, object]) -> None:
    call = client("claude-code").parse("tool", payload, {}, 0)
    for name in (name for name in vars(HookCall) if not name.startswith("_")):
        assert type(getattr(call, name)) in {str, int, bool}


@given(st.dictionaries(st.text(), JSON))
def test_a_payload_is_read_as_json_reads_it(payload: dict[str, object]) -> None:
    for text in (json.dumps(payload), json.dumps(payload, indent=1, ensure_ascii=False) + "\n"):
        data = text.encode("utf-8", "replace")
        assert decode(data) == json.loads(data)


@pytest.mark.parametrize(
    "data",
    [b"", b" ", b"{", b"[]", b'"x"', b"{} {}", b"{'a': 1}", b"\xff\xfe{}", b'{"a": 1,}', b"null"],
)
def test_what_is_no_json_object_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - json's own, with the words of the payload
        decode(data)


CUT = ('{"a": "b', '{"a": "b\\', '{"a": "\\u12', '"', '{"a', '"\\x"', '{"a" 1}', '{"a":1 "b"}')


def test_a_payload_cut_anywhere_is_no_json_and_no_fault_of_python() -> None:
    """In a Python without `json`, as hooks are: with it loaded the scanner raises json's error."""
    code = "import sys; from onward.transcripts import hook_call as p; assert 'json' not in sys.modules"
    code += "\nfor text in sys.argv[1:]:"
    code += "\n  try: p.value(text)\n  except ValueError as error: print(error)"
    source = str(Path(onward.__file__).parents[1])
    words = [sys.executable, "-S", "-c", code, *CUT]
    done = subprocess.run(
        words, env={"PYTHONPATH": source}, capture_output=True, text=True, check=False
    )
    assert (done.stdout.splitlines(), done.stderr) == (["no JSON"] * len(CUT), "")


def test_without_the_scanner_of_cpython_json_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("_json.make_scanner")
    assert decode(b'{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}
    with pytest.raises(ValueError, match="no JSON object"):
        decode(b"[]")
