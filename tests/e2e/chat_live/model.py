"""End-to-end kit, opencode and Copilot CLI: the scripted model behind a Chat Completions API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.e2e.kit.model import Answer, Body, Model, Script

_USAGE = {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}
_MODELS = json.dumps({"object": "list", "data": [{"id": "mock-model", "object": "model"}]})


class Completions(Model):
    """The scripted model, for a client that speaks Chat Completions."""

    def __init__(self, script: Script = ()) -> None:
        super().__init__(script)
        self.server.RequestHandlerClass = _handler(self)


def _handler(model: Completions) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is inherited
            """Say nothing."""

        def do_GET(self) -> None:
            self._send("application/json", _MODELS)

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            request, answer = model.take(_known(json.loads(raw)))
            told = "".join(
                f"data: {json.dumps(each)}\n\n" for each in _chunks(answer, request.number)
            )
            with suppress(BrokenPipeError, ConnectionResetError):  # interrupted, or killed
                self._send("text/event-stream", f"{told}data: [DONE]\n\n")

        def _send(self, kind: str, text: str) -> None:
            data = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler


def _known(body: Body) -> Body:
    """A request in the shape that the kit knows."""
    messages = body.get("messages") or []
    system = "\n".join(_text(each) for each in messages if each["role"] == "system")
    rest = [{**each, "content": _text(each)} for each in messages if each["role"] != "system"]
    return {"system": system, "tools": body.get("tools"), "messages": rest}


def _text(message: Body) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content)


def _chunks(answer: Answer, number: int) -> Iterator[Body]:
    def chunk(delta: Body, reason: str | None = None) -> Body:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {**whole, "choices": [choice]}

    whole = {"id": f"c{number}", "object": "chat.completion.chunk", "created": 1}
    whole |= {"model": "mock-model"}
    yield chunk({"role": "assistant", "content": answer.text})
    for at, call in enumerate(answer.calls):
        function = {"name": call.name, "arguments": json.dumps(dict(call.input))}
        given = {"index": at, "id": f"call_{number}_{at}", "type": "function"}
        yield chunk({"tool_calls": [{**given, "function": function}]})
    yield chunk({}, "tool_calls" if answer.calls else "stop")
    yield {**whole, "choices": [], "usage": {**_USAGE, **answer.usage}}
