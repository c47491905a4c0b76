"""End-to-end kit: a Messages API on the loopback that answers what a test says.

Everything else is real: the client, its requests, its tool calls and what comes of them.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """One tool call of the model."""

    name: str
    input: Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """One answer of the model: words, then calls.

    `pause`: seconds between two words, `delay`: before the first. `gate` is called before that,
    and may wait. `usage` is put over the usual numbers. `error`: an HTTP status, with `text` as
    its message.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    pause: float = 0.0
    delay: float = 0.0
    usage: Mapping[str, int] = field(default_factory=dict)
    error: int = 0
    gate: Callable[[], object] | None = None


@dataclass(frozen=True)
class Request:
    """One request of the client.

    `kind`: "main" (the user's turn), "helper" (a sub-agent), "compact", "title", "probe",
    "side", "count". `number` counts from 1 over all but those of tokens.
    """

    kind: str
    number: int
    body: Body

    @property
    def said(self) -> list[tuple[str, str]]:
        """All text that the model got, in order, and where: ("system[0]", ...),
        ("messages[1] user", ...). Tool results are text as well.
        """
        system = self.body.get("system") or ""
        parts = [{"text": system}] if isinstance(system, str) else system
        found = [(f"system[{at}]", str(part.get("text", ""))) for at, part in enumerate(parts)]
        for at, message in enumerate(self.body.get("messages") or ()):
            place = f"messages[{at}] {message['role']}"
            found += [(place, text) for text in _texts(message["content"])]
        return found

    @property
    def text(self) -> str:
        """The messages' text without the client's own system prompt."""
        return "\n".join(text for place, text in self.said if place.startswith("messages"))

    def tool(self, *words: str) -> str:
        """The name of the first tool that the model is offered with all these words in it."""
        every = self.body.get("tools") or ()
        # Clients of one kind name it inside of "function", others group tools by server.
        names = [each.get("name") or each.get("function", {}).get("name") or "" for each in every]
        names += [
            f"{each.get('name')}__{inner['name']}"
            for each in every
            for inner in each.get("tools") or ()
        ]
        found = [name for name in names if all(word in name for word in words)]
        assert found, names
        return str(found[0])

    def where(self, words: str) -> list[str]:
        """The places that hold these words."""
        return [place for place, text in self.said if words in text]


Script = Iterable[str | Answer] | Callable[[Request], str | Answer | None]
SUMMARY = "<analysis>-</analysis>\n<summary>\nA summary of the model's own.\n</summary>"
_STOCK = {"compact": SUMMARY, "title": json.dumps({"title": "A session"})}
_USAGE = {
    "input_tokens": 1000,
    "output_tokens": 50,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
}


class Model:
    """The scripted model. `requests` are all that came, in order."""

    def __init__(self, script: Script = ()) -> None:
        self.requests: list[Request] = []
        self._came = threading.Condition()
        self.script(script)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def script(self, script: Script) -> None:
        """What to answer from now on: the turns of the main thread one after the other, or a
        function of the request. Where that gives nothing, a stock answer of the kind.
        """
        if callable(script):
            self._next = script
        else:
            turns = iter(list(script))
            self._next = lambda request: next(turns, None) if request.kind == "main" else None

    def of(self, kind: str) -> list[Request]:
        """The requests of one kind."""
        return [request for request in self.requests if request.kind == kind]

    def wait(self, kind: str = "main", count: int = 1, limit: float = 60) -> Request:
        """The `count`-th request of a kind, once it came. Raises TimeoutError."""
        with self._came:
            if not self._came.wait_for(lambda: len(self.of(kind)) >= count, limit):
                got = [request.kind for request in self.requests]
                raise TimeoutError(f"no {count} requests of kind {kind!r} in {limit} s: {got}")
        return self.of(kind)[count - 1]

    def take(self, body: Body, *, counting: bool = False) -> tuple[Request, Answer]:
        """Note a request and say what its answer is."""
        with self._came:
            kind = "count" if counting else _kind(body)
            number = 1 + len(self.requests) - len(self.of("count"))
            request = Request(kind, number, body)
            self.requests.append(request)
            answer = None if counting else self._next(request)
            self._came.notify_all()
        if answer is None:
            answer = _STOCK.get(kind, "ok")
        return request, Answer(answer) if isinstance(answer, str) else answer

    def close(self) -> None:
        """Stop listening."""
        self.server.shutdown()
        self.server.server_close()


def _texts(content: Any) -> Iterator[str]:
    for block in [content] if isinstance(content, str) else content or ():
        if isinstance(block, str):
            yield block
        elif block.get("type") == "tool_result":
            yield from _texts(block.get("content"))
        elif "text" in block:
            yield block["text"]


def _kind(body: Body) -> str:
    """Of what kind a request is, by what it asks; the API has no word for it."""
    messages = body.get("messages") or [{}]
    system = json.dumps(body.get("system") or "")
    asked = json.dumps(messages[-1].get("content", ""))
    if "create a detailed summary of" in asked or "tasked with summarizing" in system:
        return "compact"
    if body.get("max_tokens") == 1:
        return "probe"
    if not body.get("tools"):
        return "title" if "title" in system[:4000].lower() else "side"
    return "helper" if "cc_is_subagent=true" in system else "main"


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is inherited
            """Say nothing."""

        def do_HEAD(self) -> None:
            _plain(self, 200, {})

        def do_GET(self) -> None:
            _plain(self, 200, {"data": [], "has_more": False})

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = self.path.split("?")[0]
            counting = path.endswith("/count_tokens")
            if not counting and not path.endswith("/v1/messages"):
                return _plain(self, 404, {"type": "error"})
            request, answer = model.take(json.loads(raw), counting=counting)
            if counting:
                return _plain(self, 200, {"input_tokens": max(1, len(raw) // 4)})
            with suppress(BrokenPipeError, ConnectionResetError):  # interrupted, or killed
                _answer(self, request, answer)
            return None

    return Handler


def _answer(to: BaseHTTPRequestHandler, request: Request, answer: Answer) -> None:
    if answer.gate:
        answer.gate()
    time.sleep(answer.delay)
    if answer.error:
        told = {"type": "api_error", "message": answer.text}
        return _plain(to, answer.error, {"type": "error", "error": told})
    blocks = list(_blocks(answer, request.number))
    stop = "tool_use" if answer.calls else "end_turn"
    message: Body = {
        "id": f"msg_{request.number:024d}",
        "type": "message",
        "role": "assistant",
        "model": request.body.get("model"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {**_USAGE, **answer.usage},
    }
    if not request.body.get("stream"):
        return _plain(to, 200, message | {"content": blocks, "stop_reason": stop})
    to.send_response(200)
    to.send_header("Content-Type", "text/event-stream")
    to.send_header("Connection", "close")
    to.end_headers()
    to.close_connection = True
    return _stream(to, message, blocks, stop, answer.pause)


def _blocks(answer: Answer, number: int) -> Iterator[Body]:
    if answer.text or not answer.calls:
        yield {"type": "text", "text": answer.text}
    for at, call in enumerate(answer.calls):
        name = f"toolu_{number:012d}{at:012d}"
        yield {"type": "tool_use", "id": name, "name": call.name, "input": dict(call.input)}


def _stream(
    to: BaseHTTPRequestHandler, message: Body, blocks: list[Body], stop: str, pause: float
) -> None:
    def send(event: str, **data: Any) -> None:
        to.wfile.write(f"event: {event}\ndata: {json.dumps({'type': event, **data})}\n\n".encode())
        to.wfile.flush()

    send("message_start", message=message)
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            send("content_block_start", index=index, content_block={"type": "text", "text": ""})
            pieces = re.split(r"(?<= )", block["text"]) if pause else [block["text"]]
            for piece in pieces:
                delta = {"type": "text_delta", "text": piece}
                send("content_block_delta", index=index, delta=delta)
                time.sleep(pause)
        else:
            send("content_block_start", index=index, content_block=block | {"input": {}})
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            send("content_block_delta", index=index, delta=delta)
        send("content_block_stop", index=index)
    usage = message["usage"]
    send("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage=usage)
    send("message_stop")


def _plain(to: BaseHTTPRequestHandler, status: int, body: Body) -> None:
    data = json.dumps(body).encode()
    to.send_response(status)
    to.send_header("Content-Type", "application/json")
    to.send_header("Content-Length", str(len(data)))
    to.end_headers()
    if to.command != "HEAD":
        to.wfile.write(data)
