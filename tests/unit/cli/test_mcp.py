"""`onward mcp` as a client sees it: messages in, messages out."""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import bpe_openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import ClientSession, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client

from onward.cli import mcp

HELLO = {
    "protocolVersion": "2025-03-26",
    "capabilities": {},
    "clientInfo": {"name": "a", "version": "1"},
}


def ask(method: str, params: Any = None, name: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": name, "method": method, "params": params or {}}


def talk(*messages: Any) -> list[Any]:
    """What the server says to these messages; bytes are sent as they are."""
    raw = b"".join(m if isinstance(m, bytes) else json.dumps(m).encode() + b"\n" for m in messages)
    out = io.BytesIO()
    assert mcp.serve(io.BytesIO(raw), out) == 0
    return [json.loads(line) for line in out.getvalue().splitlines()]


def _cost(text: str) -> int:
    return len(bpe_openai.get_encoding("o200k_base").encode(text))


def code(answer: dict[str, Any]) -> int:
    return int(answer["error"]["code"])


def test_it_agrees_on_a_version_that_both_speak() -> None:
    (known,) = talk(ask("initialize", HELLO))
    assert known["result"]["protocolVersion"] == "2025-03-26"
    (unknown,) = talk(ask("initialize", {**HELLO, "protocolVersion": "1999-01-01"}))
    assert unknown["result"]["protocolVersion"] == mcp.VERSIONS[0]
    assert unknown["result"]["capabilities"] == {"tools": {}}


def test_the_tools_cost_a_client_less_than_400_tokens() -> None:
    (answer,) = talk(ask("tools/list"))
    tools = answer["result"]["tools"]
    assert [tool["name"] for tool in tools] == ["search", "show", "brief"]
    cost = _cost(json.dumps(tools, separators=(",", ":")))
    assert cost < 500
    told = " ".join(t["description"] for t in tools)
    told += " ".join(
        p.get("description", "") for t in tools for p in t["inputSchema"]["properties"].values()
    )
    assert _cost(told) < 400


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (b"{not json}\n", -32700),
        (b"[" * 100_000 + b"\n", -32700),
        ({"id": 1, "jsonrpc": "2.0"}, -32600),
        ([], -32600),
        ("text", -32600),
        (b'"' + b"x" * (mcp.LONGEST + 5) + b'"\n', -32600),
        (ask("resources/list"), -32601),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}, -32602),
        (ask("tools/call", {"name": "delete"}), -32602),
        (ask("tools/call", {"name": "search"}), -32602),
        (ask("tools/call", {"name": "search", "arguments": {"words": 3}}), -32602),
        (ask("tools/call", {"name": "search", "arguments": {"calls": "all"}}), -32602),
        (
            ask("tools/call", {"name": "show", "arguments": {"place": "t:1", "before": True}}),
            -32602,
        ),
        (ask("tools/call", {"name": "show", "arguments": {"place": "t:1", "all": "yes"}}), -32602),
    ],
)
def test_what_is_no_request_of_ours_is_refused_and_the_next_is_answered(
    sent: Any, expected: int
) -> None:
    refused, answered = talk(sent, ask("ping", name="next"))
    assert code(refused) == expected
    assert answered == {"jsonrpc": "2.0", "id": "next", "result": {}}


def test_notifications_answers_and_blank_lines_get_no_answer() -> None:
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert talk(told, {"jsonrpc": "2.0", "id": 4, "result": {}}, b"\n") == []
    assert [
        each["id"]
        for (batch,) in [talk([told, ask("ping"), ask("ping", name=2)])]
        for each in batch
    ] == [1, 2]


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        (
            "search",
            {"words": "jwt gateway", "session": "x"},
            ["--session=x", "--", "jwt", "gateway"],
        ),
        ("search", {"words": 'say "a b"'}, ["--", 'say "a b"']),
        ("search", {"words": "--all"}, ["--", "--all"]),
        ("search", {"calls": "failed"}, ["--failed", "--"]),
        (
            "search",
            {"calls": "edits", "words": "jwt", "file": "a"},
            ["--edits", "--file=a", "--", "jwt"],
        ),
        ("show", {"place": "t:5", "before": 2}, ["--before=2", "--", "t:5"]),
        ("brief", {"what": "x", "budget": 10**9}, ["--budget=6000", "--", "x"]),
    ],
)
def test_a_call_is_a_verb_whose_words_are_no_options(
    name: str, arguments: dict[str, Any], words: list[str]
) -> None:
    assert mcp.command(name, arguments) == [name, *words]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
        max_leaves=8,
    )
)
def test_any_json_gets_at_most_one_answer(message: Any) -> None:
    assert len(talk(message)) <= 1


def test_a_real_session_is_searched_shown_and_briefed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = Path(str(mcp.__file__)).parents[1] / "samples"
    (session,) = sorted(sample.rglob("*.jsonl"))[:1]
    for name in ("HOME", "USERPROFILE", "ONWARD_DATA"):
        monkeypatch.setenv(name, str(tmp_path))
    calls = [
        ask("tools/call", {"name": "brief", "arguments": {"what": str(session)}}),
        ask(
            "tools/call",
            {"name": "show", "arguments": {"place": "t:last", "session": str(session)}},
        ),
        ask(
            "tools/call",
            {"name": "show", "arguments": {"place": "t:999999", "session": str(session)}},
        ),
    ]
    raw = "".join(json.dumps(each) + "\n" for each in (ask("initialize", HELLO), *calls))
    done = subprocess.run(
        [sys.executable, "-m", "onward", "mcp"],
        input=raw.encode(),
        capture_output=True,
        check=True,
        cwd=tmp_path,
    )
    _, briefed, shown, missing = (json.loads(line)["result"] for line in done.stdout.splitlines())
    assert "## Where it stopped" in briefed["content"][0]["text"]
    assert shown["content"][0]["text"].startswith("Historical record")
    assert not briefed["isError"]
    assert "no line 999999" in missing["content"][0]["text"]


def test_a_search_looks_into_the_session_that_was_briefed_last_unless_all_are_wanted(
    tmp_path: Path,
) -> None:
    sample = Path(str(mcp.__file__)).parents[1] / "samples"
    (session,) = sorted(sample.rglob("*.jsonl"))[:1]
    kept = tmp_path / ".claude/projects/shop"
    kept.mkdir(parents=True)
    data = session.read_bytes()
    name = json.loads(data.splitlines()[0])["sessionId"]
    (kept / f"{name}.jsonl").write_bytes(data)
    words = {"words": "the"}
    calls = [
        ask("tools/call", {"name": "search", "arguments": words}),
        ask("tools/call", {"name": "brief", "arguments": {"what": name}}),
        ask("tools/call", {"name": "search", "arguments": words}),
        ask("tools/call", {"name": "search", "arguments": {**words, "session": "all"}}),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "onward", "mcp"],
        input="".join(json.dumps(each) + "\n" for each in calls).encode(),
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "ONWARD_DATA": str(tmp_path / "data"), "PATH": os.defpath},
    )
    answers = (json.loads(line)["result"] for line in done.stdout.splitlines())
    told = ["Searched session" in each["content"][0]["text"] for each in answers]
    assert told == [False, False, True, False]


def test_the_clients_own_kit_speaks_with_it(tmp_path: Path) -> None:
    """The official SDK's client: what its models take is what a client of that kind takes."""
    home = {"HOME": str(tmp_path), "ONWARD_DATA": str(tmp_path / "data"), "PATH": os.defpath}
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "onward", "mcp"], env=home, cwd=tmp_path
    )

    async def session() -> None:
        async with stdio_client(server) as streams, ClientSession(*streams) as client:
            began = await client.initialize()
            assert began.protocol_version in mcp.VERSIONS
            offered = (await client.list_tools()).tools
            assert [tool.name for tool in offered] == ["search", "show", "brief"]
            found = await client.call_tool("search", {"words": "oakum"})
            assert not found.is_error
            wrong = await client.call_tool("show", {"place": "t:x"})
            assert wrong.is_error
            with pytest.raises(MCPError, match="search, show, brief"):
                await client.call_tool("delete", {})

    asyncio.run(session())
