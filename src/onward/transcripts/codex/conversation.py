"""What was said in a thread, by the user and by the agent.

Each text stands in a rollout twice (see `spoken`); what it means depends on whether a turn runs
and on the plan that was shown last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from onward.model import Event, Planned, Prompt, Reply
from onward.transcripts.codex import provenance
from onward.transcripts.codex.activity import Acts
from onward.transcripts.codex.records import Body
from onward.transcripts.codex.spoken import Spoken

_PLAN: Final = re.compile(r"<proposed_plan>\n?(.*?)</proposed_plan>", re.DOTALL)
_PLAN_END: Final = "</proposed_plan>"


class Talk:
    """That of one thread. A sub-agent's prompts are the agent's own words, and left out."""

    def __init__(self, thread: str, acts: Acts) -> None:
        self._thread = thread
        self._acts = acts
        self._typed, self._answered = Spoken[Prompt](), Spoken[Reply]()
        self._runs = False
        self._prompts = 0
        """Prompts of the running turn; the second was typed while the agent worked."""
        self._plan = ""

    @property
    def in_turn(self) -> bool:
        """Whether the agent is at work on a prompt."""
        return self._runs and self._prompts > 0

    def turn(self, runs: bool) -> None:
        """A turn began, or one ended."""
        self._runs, self._prompts = runs, 0

    def forget_reply(self) -> None:
        """The agent's last message was not meant for the user."""
        self._answered.forget()

    def release(self) -> Iterator[Event]:
        """What the model was sent and no screen was told."""
        if prompt := self._typed.release():
            yield from self._says(prompt.line, prompt.at, prompt.text, prompt.images)
        if reply := self._answered.release():
            yield from self._replies(reply.line, reply.at, reply.text)

    def sent(self, line: int, at: str, body: Body) -> Iterator[Event]:
        """A message as the model was sent it."""
        text = provenance.joined(body)
        if body.role == "assistant" and text.strip():
            self._answered.hold(Reply(line=line, at=at, thread=self._thread, text=text))
        elif body.role == "user":
            told = provenance.words(text)
            if told.kind == "notice":
                yield from self._acts.notice(told.text, line, at)
            elif told.kind == "shell":
                yield from self._says(line, at, text, 0)
            elif told.kind != "nobody":
                images = sum(part.type == "input_image" for part in body.content or ())
                self._typed.hold(Prompt(line=line, at=at, text=text, images=images))

    def typed(self, line: int, at: str, text: str, images: int) -> Iterator[Event]:
        """The screen was told what the user typed."""
        self._typed.tell()
        yield from self._says(line, at, text, images)

    def answered(self, line: int, at: str, text: str) -> Iterator[Event]:
        """The screen was told what the agent says."""
        self._answered.tell()
        yield from self._replies(line, at, text)

    def plans(self, line: int, at: str, text: str) -> Iterator[Event]:
        """A plan that the agent puts before the user."""
        if text.strip() and text.strip() != self._plan:
            self._plan = text.strip()
            yield Planned(line=line, at=at, thread=self._thread, text=self._plan)

    def _says(self, line: int, at: str, text: str, images: int) -> Iterator[Event]:
        told = provenance.words(text)
        if self._thread or told.kind in {"nobody", "notice"} or not (told.text or images):
            return
        yield from self._acts.settle()
        late = self.in_turn
        if not late:
            # A new turn: what never came back was cut off with the client.
            yield from self._acts.abandon("interrupted")
        if told.kind == "plan" or (told.kind == "implement" and self._plan):
            plan = told.text if told.kind == "plan" else self._plan
            yield Planned(line=line, at=at, text=plan, approved=True)
        else:
            made = Prompt(line=line, at=at, text=told.text, images=images)
            source = (
                told.kind if told.kind in {"command", "shell"} else "queued" if late else "typed"
            )
            yield msgspec.structs.replace(made, source=source)
        self._prompts += told.kind != "shell"
        self._plan = ""

    def _replies(self, line: int, at: str, text: str) -> Iterator[Event]:
        # Behind the last end of one, many beginnings would each be followed to the end.
        head, end, rest = text.rpartition(_PLAN_END)
        before, *found = _PLAN.split(head + end)
        if found:
            yield from self.plans(line, at, found[0])
            text = "\n\n".join(part.strip() for part in (before, *found[1:-1:2], found[-1] + rest))
            text = text.strip()
        if text.strip():
            yield Reply(line=line, at=at, thread=self._thread, text=text)
