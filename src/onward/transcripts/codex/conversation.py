"""What was said in a thread, by the user and by the agent.

Each text stands in a rollout twice (see `Spoken`); what it means depends on whether a turn runs
and on the plan that was shown last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Generic, TypeVar

from msgspec.structs import replace

from onward.model import Event, Planned, Prompt, Reply
from onward.transcripts.codex import provenance
from onward.transcripts.codex.activity import Acts
from onward.transcripts.codex.records import Body
from onward.transcripts.opened import HERE

_PLAN: Final = re.compile(r"<proposed_plan>\n?(.*?)</proposed_plan>", re.DOTALL)
_PLAN_END: Final = "</proposed_plan>"

S = TypeVar("S", Prompt, Reply)


class Spoken(Generic[S]):
    """One side of the conversation. Its words are written down twice, for the model and for the
    screen. What the screen was told decides, since it holds only what somebody said. The other
    copy counts in files that never tell the screen anything (before 0.34, and excerpts).
    """

    def __init__(self) -> None:
        self._told = False
        self._held: S | None = None

    def tell(self) -> None:
        """The screen was told something: copies do not count from now on."""
        self._told, self._held = True, None

    def hold(self, copy: S) -> None:
        """The model was sent something; the screen may be told right after."""
        if not self._told:
            self._held = copy

    def forget(self) -> None:
        """The copy was none of it."""
        self._held = None

    def release(self) -> S | None:
        """The copy that nothing followed on the screen, once."""
        held, self._held = self._held, None
        return held


class Talk:
    """That of one thread. A sub-agent's prompts are the agent's own words, and left out."""

    def __init__(self, acts: Acts, *, helper: bool) -> None:
        self._helper = helper
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
            yield from self._says(prompt)
        if reply := self._answered.release():
            yield from self._replies(reply)

    def sent(self, line: int, at: str, body: Body) -> Iterator[Event]:
        """A message as the model was sent it."""
        text = provenance.joined(body)
        if body.role == "assistant" and text.strip():
            self._answered.hold(Reply(line=line, at=at, text=text))
        elif body.role == "user":
            told = provenance.words(text)
            if told.kind == "notice":
                yield from self._acts.notice(told.text)
            elif told.kind == "shell":
                yield from self._says(Prompt(line=HERE, text=text))
            elif told.kind != "nobody":
                images = sum(part.type == "input_image" for part in body.content or ())
                self._typed.hold(Prompt(line=line, at=at, text=text, images=images))

    def typed(self, text: str, images: int) -> Iterator[Event]:
        """The screen was told what the user typed."""
        self._typed.tell()
        yield from self._says(Prompt(line=HERE, text=text, images=images))

    def answered(self, text: str) -> Iterator[Event]:
        """The screen was told what the agent says."""
        self._answered.tell()
        yield from self._replies(Reply(line=HERE, text=text))

    def plans(self, text: str, line: int = HERE, at: str = "") -> Iterator[Event]:
        """A plan that the agent puts before the user."""
        if text.strip() and text.strip() != self._plan:
            self._plan = text.strip()
            yield Planned(line=line, at=at, text=self._plan)

    def _says(self, prompt: Prompt) -> Iterator[Event]:
        told = provenance.words(prompt.text)
        if self._helper or told.kind in {"nobody", "notice"} or not (told.text or prompt.images):
            return
        yield from self._acts.settle()
        late = self.in_turn
        if not late:
            # A new turn: what never came back was cut off with the client.
            yield from self._acts.abandon("interrupted")
        if told.kind == "plan" or (told.kind == "implement" and self._plan):
            plan = told.text if told.kind == "plan" else self._plan
            yield Planned(line=prompt.line, at=prompt.at, text=plan, approved=True)
        else:
            source = (
                told.kind if told.kind in {"command", "shell"} else "queued" if late else "typed"
            )
            yield replace(prompt, text=told.text, source=source)
        self._prompts += told.kind != "shell"
        self._plan = ""

    def _replies(self, reply: Reply) -> Iterator[Event]:
        # Behind the last end of one, many beginnings would each be followed to the end.
        text = reply.text
        head, end, rest = text.rpartition(_PLAN_END)
        before, *found = _PLAN.split(head + end)
        if found:
            yield from self.plans(found[0], reply.line, reply.at)
            text = "\n\n".join(part.strip() for part in (before, *found[1:-1:2], found[-1] + rest))
            text = text.strip()
        if text.strip():
            yield replace(reply, text=text)
