"""Golden sessions, making: a Messages API on the loopback that answers what a scene says.

The client is the real one; only the model's answers are written by hand.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.golden.scenes.script import Answer, Prompt, Scene

Body = dict[str, Any]
_PLAN_FILE = re.compile(r"/home/ada/\.claude/plans/[\w-]+\.md")


class Model:
    """Answers from a script: one list for the main thread, one for sub-agents, one summary."""

    def __init__(self, scene: Scene) -> None:
        answers = [step for step in scene.steps if isinstance(step, Answer)]
        self.left = {"main": answers, "helper": list(scene.helper)}
        self.first = next(step.text for step in scene.steps if isinstance(step, Prompt))
        self.stock = {
            "title": json.dumps({"title": scene.title}),
            "compact": f"<analysis>-</analysis>\n<summary>\n{scene.summary}\n</summary>",
        }
        self.served = 0
        """Answers given to the main thread so far."""
        self.lock = threading.Lock()
        self.count = 0
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Say nothing: the terminal shows the client."""

            def do_HEAD(self) -> None:
                _plain(self, 200, {})

            def do_GET(self) -> None:
                _plain(self, 200, {"data": [], "has_more": False})

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                path = self.path.split("?")[0]
                if path.endswith("/count_tokens"):
                    return _plain(self, 200, {"input_tokens": max(1, len(raw) // 4)})
                if not path.endswith("/v1/messages"):
                    return _plain(self, 404, {"type": "error"})
                return model.answer(self, json.loads(raw))

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def _kind(self, request: Body) -> str:
        messages = request.get("messages") or [{}]
        system = json.dumps(request.get("system") or "")
        if _compacts(messages[-1], system):
            return "compact"
        if not request.get("tools"):
            return "title" if "title" in system[:4000].lower() else "side"
        # A sub-agent has the same tools; what it lacks is the person's words.
        helps = self.left["helper"] and self.first not in json.dumps(messages)
        return "helper" if helps else "main"

    def answer(self, to: BaseHTTPRequestHandler, request: Body) -> None:
        """Send the next answer of the kind that this request is of."""
        kind = self._kind(request)
        with self.lock:
            self.count += 1
            number = self.count
            script = self.left.get(kind)
            answer = script.pop(0) if script else None
            self.served += kind == "main" and answer is not None
        if answer is None:
            answer = Answer(self.stock.get(kind, "ok"))
        plan_file = _PLAN_FILE.search(json.dumps(request))
        blocks = list(_blocks(answer, number, plan_file[0] if plan_file else ""))
        message: Body = {
            "id": f"msg_{number:024d}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model"),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {
                "input_tokens": 3,
                "output_tokens": 40 + len(answer.text) // 4,
                "cache_creation_input_tokens": 900,
                "cache_read_input_tokens": 14_000 + 1_200 * number,
            },
        }
        stop = "tool_use" if answer.calls else "end_turn"
        if not request.get("stream"):
            return _plain(to, 200, message | {"content": blocks, "stop_reason": stop})
        to.send_response(200)
        to.send_header("Content-Type", "text/event-stream")
        to.send_header("Connection", "close")
        to.end_headers()
        to.close_connection = True
        with suppress(BrokenPipeError, ConnectionResetError):  # the person pressed Escape
            _stream(to, message, blocks, stop, answer.pause)
        return None


def _compacts(last: Body, system: str) -> bool:
    asked = json.dumps(last.get("content", ""))
    return "create a detailed summary of" in asked or "tasked with summarizing" in system


def _blocks(answer: Answer, number: int, plan_file: str) -> Iterator[Body]:
    if answer.text or not answer.calls:
        yield {"type": "text", "text": answer.text}
    for at, call in enumerate(answer.calls):
        name = f"toolu_{number:012d}{at:012d}"
        given = json.dumps(dict(call.input)).replace("{PLAN_FILE}", plan_file)
        yield {"type": "tool_use", "id": name, "name": call.name, "input": json.loads(given)}


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
            for piece in re.split(r"(?<= )", block["text"]):
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
