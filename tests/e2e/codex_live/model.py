"""End-to-end kit, Codex: the scripted model behind a Responses API on the loopback.

Requests are put into the shape that the kit knows: an item of the input is a message, the
output of a call is the text of one. A request without tools asks for a compaction's summary,
which the kit calls "side", or for a title.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.e2e.kit.model import Answer, Body, Call, Model, Script

_FREE = "apply_patch"  # the one tool that takes a text, not JSON
_TITLE = "single-line task title"
_USAGE = {"input_tokens": 1000, "output_tokens": 20, "total_tokens": 1020}


class Responses(Model):
    """The scripted model, for a client that speaks the Responses API."""

    def __init__(self, script: Script = ()) -> None:
        super().__init__(script)
        self.server.RequestHandlerClass = _handler(self)


def run(command: str) -> Call:
    """A tool call of the shell."""
    return Call("exec_command", {"cmd": command})


def helper(task: str) -> Call:
    """A tool call that starts a sub-agent."""
    return Call("multi_agent_v1.spawn_agent", {"message": task})


def patch(text: str) -> Call:
    """A tool call that edits files."""
    return Call(_FREE, {"input": f"*** Begin Patch\n{text}*** End Patch\n"})


def _handler(model: Responses) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is inherited
            """Say nothing."""

        def do_GET(self) -> None:
            _send(self, 200, "application/json", b'{"models": [], "data": []}')

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if not self.path.split("?")[0].endswith("/responses"):
                return _send(self, 404, "application/json", b"{}")
            request, answer = model.take(_known(json.loads(raw)))
            if answer.gate:
                answer.gate()
            time.sleep(answer.delay)
            told = "".join(_events(answer, request.number)).encode()
            with suppress(BrokenPipeError, ConnectionResetError):  # interrupted, or killed
                _send(self, 200, "text/event-stream", told)
            return None

    return Handler


def _known(body: Body) -> Body:
    messages = [found for item in body.get("input") or () if (found := _message(item))]
    title = _TITLE in json.dumps(messages[-1:])
    if title:
        return {"system": "title", "messages": messages}
    return {"tools": body.get("tools"), "messages": messages}


def _message(item: Body) -> Body | None:
    if item.get("type") == "message":
        return {"role": item["role"], "content": item["content"]}
    if "output" in item:
        output = item["output"]
        said = output if isinstance(output, str) else json.dumps(output)
        return {"role": "tool", "content": said}
    return None


def _items(answer: Answer, number: int) -> Iterator[Body]:
    if answer.text or not answer.calls:
        said = {"type": "output_text", "text": answer.text, "annotations": []}
        name = f"msg_{number:06d}"
        yield {"type": "message", "id": name, "role": "assistant", "content": [said]}
    for at, call in enumerate(answer.calls):
        name = f"call_{number:06d}{at:03d}"
        if call.name == _FREE:
            given = {"type": "custom_tool_call", "input": call.input["input"]}
        else:
            given = {"type": "function_call", "arguments": json.dumps(dict(call.input))}
        place, _, tool = call.name.rpartition(".")
        whole = {**given, "id": f"fc_{name}", "call_id": name, "name": tool}
        yield whole | ({"namespace": place} if place else {})


def _events(answer: Answer, number: int) -> Iterator[str]:
    def event(kind: str, **data: Any) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"

    name, items = f"resp_{number:06d}", list(_items(answer, number))
    yield event("response.created", response={"id": name})
    for at, item in enumerate(items):
        yield event("response.output_item.added", output_index=at, item=item)
        yield event("response.output_item.done", output_index=at, item=item)
    whole = {"id": name, "output": items, "usage": {**_USAGE, **answer.usage}}
    yield event("response.completed", response=whole)


def _send(to: BaseHTTPRequestHandler, status: int, kind: str, data: bytes) -> None:
    to.send_response(status)
    to.send_header("Content-Type", kind)
    to.send_header("Content-Length", str(len(data)))
    to.end_headers()
    to.wfile.write(data)
