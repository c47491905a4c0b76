"""Commands and programs that still ran when their call came back.

The client gives a command ten seconds or so and then a session id, which the agent asks after:
most test runs end in such a later answer. So a command waits here until the agent turns to
something else; only then it is told as one in the background, and its end as news of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from onward.model import Background, Event
from onward.transcripts import truncation
from onward.transcripts.codex import tools
from onward.transcripts.codex.calls import Call
from onward.transcripts.codex.results import Result

_End = Literal["done", "failed", "killed"]

_MOST: Final = 100
"""Jobs that are remembered; the client itself ends the oldest of 64."""


class Jobs:
    """Those of one thread."""

    def __init__(self, thread: str) -> None:
        self._thread = thread
        self._calls: dict[str, Call] = {}
        self._told: set[str] = set()

    def start(self, call: Call, result: Result) -> None:
        """A call came back, and what it began goes on."""
        call.output = truncation.output(result.text)
        self._calls[result.session] = call
        self._told.discard(result.session)
        if len(self._calls) > _MOST:
            gone = next(iter(self._calls))
            del self._calls[gone]
            self._told.discard(gone)

    def news(self, key: str, result: Result, line: int, at: str, stops: bool) -> Iterator[Event]:
        """An answer to the question after one of them."""
        call = self._calls.get(key)
        if call is None:
            return
        # Shortened as any output is, since a cut anywhere could leave half a secret.
        call.output = truncation.output(f"{call.output}{result.text}")
        if result.kind in {"running", "misuse"}:
            return
        yield from self._ended(key, result, line, at, stops)

    def ended(self, key: str, result: Result, line: int, at: str) -> Iterator[Event]:
        """The client tells the end of what a call began."""
        job = next((job for job, call in self._calls.items() if call.key == key), None)
        if job is not None:
            self._calls[job].output = result.text or self._calls[job].output
            yield from self._ended(job, result, line, at, stops=result.kind == "interrupted")

    def tell(self) -> Iterator[Event]:
        """The agent turned to something else: what still runs does so in the background."""
        for key, call in self._calls.items():
            if key in self._told:
                continue
            self._told.add(key)
            for command in call.commands:
                yield tools.run(
                    call,
                    command,
                    thread=self._thread,
                    at=call.at,
                    failed=False,
                    background=key,
                    output=truncation.output(call.output),
                )

    def _ended(self, key: str, result: Result, line: int, at: str, stops: bool) -> Iterator[Event]:
        call = self._calls.pop(key)
        end = Result(result.kind, call.output, result.code)
        if key not in self._told:
            yield from tools.ran(call, end, line, at, self._thread)
            return
        self._told.discard(key)
        state: _End = "killed" if stops else "failed" if end.kind == "failed" else "done"
        yield Background(
            line=line,
            at=at,
            thread=self._thread,
            id=key,
            state=state,
            output=truncation.output(end.text),
        )
