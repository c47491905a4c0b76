"""What the user said, word for word, and what the agent said last.

Sub-agents' events are no part of it: their prompts are the agent's words, and so are their
replies. onward's own commands, and what the agent said of them, are left out.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from onward.model import (
    Asked,
    Delegated,
    Edited,
    Event,
    Item,
    Looked,
    Prompt,
    Ran,
    Refusal,
    Reply,
    Request,
    Searched,
    Used,
)
from onward.record.decisions import act_line
from onward.record.text import bounded, extent
from onward.slash_commands import is_load, is_ours
from onward.user_input import is_close_signal

_KEPT = 40
_LONGEST = 20_000
"""Characters of one request; a longer one loses whole lines in its middle."""
_MESSAGE, _CLOSING = 1_200, 6_000
"""Characters of a message that a request ended with or answers, and of the last message."""
_FEW_WORDS, _SHORT = 4, 40
"""Words, and characters, below which a reply says little without what it answers."""
_UNSEEN = " \n\t\u200b\u200c\u200d\u2060\ufeff"
"""What a message may be made of that nobody can see."""
QUESTION = "Ready to continue?"
"""What onward has the agent ask at a resume."""
_PICTURE = re.compile(r"\[Image #\d+\]\s*")
_DRAFT = re.compile(r"(?:^|[/\\])memory[/\\]\.draft[\w-]*\.json$")
_CALL = re.compile(r"\s*onward slash\b")
_ONWARD = re.compile(r"\s*onward\b")
_AMONG = re.compile(r"(?:^|[;&|\n])\s*onward\s+\w")

_WORK = (Ran, Edited, Delegated, Used, Searched, Looked)
Source = Literal["typed", "queued", "command", "shell", "answer", "refusal"]


def is_own_act(event: Event) -> bool:
    """Whether the agent only called onward, or wrote a draft for it."""
    if isinstance(event, Edited):
        return _DRAFT.search(event.path) is not None
    return isinstance(event, Ran) and _ONWARD.match(event.command) is not None


def without_own(events: Iterable[Event]) -> Iterator[Event]:
    """The events without onward's commands, the drafts written for them, farewells, and what the
    agent said of these, and without the answer to onward's own question where a tool asked it. What it said of a resume stays: the user's answer answers it.
    """
    skipping = False
    for event in events:
        if isinstance(event, Prompt) and not event.thread:
            own = is_ours(event.text)
            leaves = not own and is_close_signal(event.text)
            skipping = leaves or (own and not is_load(event.text))
            if own or leaves:
                continue
        if isinstance(event, Reply) and skipping and not event.thread:
            continue
        if isinstance(event, Asked) and event.answered:
            others = tuple(each for each in event.questions if QUESTION not in each.text)
            if others or not event.questions:
                yield replace(event, questions=others)
            continue
        if isinstance(event, Edited) and _DRAFT.search(event.path):
            continue
        if isinstance(event, Ran) and _is_own_call(event):
            continue
        yield event


def _is_own_call(ran: Ran) -> bool:
    """A call of a slash command of ours, or the save that reads this very transcript."""
    among = ran.state == "open" and _AMONG.search(ran.command) is not None
    return among or _CALL.match(ran.command) is not None


def is_reply(text: str) -> bool:
    """Whether a text is as short as an answer, in words and in characters."""
    words, size = extent(text)
    return words < _FEW_WORDS and size < _SHORT


class _Said(Struct, kw_only=True):
    text: str
    source: Source
    place: str
    at: str
    about: str = ""
    ended: str = ""
    answered: bool = False
    """The agent said or did something after it."""
    worked: bool = False
    """The agent called a tool after it."""


def _about(said: _Said, *, whole: bool) -> str | None:
    """What it answers: of an earlier request only where it is short, and the end of that."""
    words, size = extent(said.text)
    if whole or said.source in {"answer", "refusal"}:
        return said.about or None
    short = words < _FEW_WORDS or size < _SHORT
    return bounded(said.about, _MESSAGE, end=True) or None if short else None


class Conversation:
    """Collects the user's words, and the agent's last message."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._first: _Said | None = None
        self._said: deque[_Said] = deque(maxlen=_KEPT)
        self._reply = self._reply_place = self._message = ""

    def see(self, event: Event, _at: int) -> None:
        """Take note of what was said."""
        if event.thread:
            return
        match event:
            case Prompt():
                self._prompt(event)
            case Refusal():
                if event.words.strip():
                    about = act_line(event.act, self._root)
                    self._add(event, event.words.strip(), "refusal", about)
            case Asked():
                for question in event.questions if event.answered else ():
                    if question.answer:
                        self._add(event, question.answer, "answer", question.text)
            case Reply() if event.text.strip(_UNSEEN):
                self._replied(event)
            case _ if isinstance(event, _WORK) and self._said:
                self._said[-1].worked = True
            case _:
                pass

    def of_work(self) -> frozenset[str]:
        """The places of the requests that tools were used for, and of the last one as long as it
        has no answer: what was answered in words alone is not what the session is about.
        """
        said = [*self._said, *([self._first] if self._first else [])]
        waits = {self._said[-1].place} if said and not self._said[-1].answered else set()
        return frozenset(waits | {each.place for each in said if each.worked})

    def requests(self) -> tuple[Request[str], ...]:
        """The user's words, oldest first: the first ones, and the newest 40."""
        said = list(self._said)
        if self._first is not None and self._first is not said[0]:
            said.insert(0, self._first)
        typed = [each for each in said if each.source not in {"answer", "refusal"}]
        active = (typed or said)[-1:]
        return tuple(
            Request(
                text=each.text,
                evidence="asked",
                places=(each.place,),
                source=each.source,
                at=each.at,
                about=_about(each, whole=each in active),
                ended=each.ended or None if each is not said[-1] else None,
            )
            for each in said
        )

    def closing(self) -> Item[str] | None:
        """The agent's last message."""
        if not self._reply:
            return None
        text = bounded(self._reply, _CLOSING)
        return Item(text=text, evidence="claimed", places=(self._reply_place,))

    def _prompt(self, event: Prompt) -> None:
        text = _PICTURE.sub("", event.text).strip(_UNSEEN)
        if event.source == "shell":
            return
        if event.images and not text:
            text = "(an image)" if event.images == 1 else f"({event.images} images)"
        if not text:
            return
        last = self._said[-1] if self._said else None
        if last and not last.answered and last.text == text:
            return  # sent again
        # Behind words that are not answered yet it answers nothing of the agent's.
        self._add(event, text, event.source, self._reply if not last or last.answered else "")

    def _add(self, event: Event, text: str, source: Source, about: str) -> None:
        said = _Said(
            text=bounded(text, _LONGEST),
            source=source,
            place=event.place,
            at=event.at,
            about=bounded(about, _CLOSING, end=True),
        )
        self._first = self._first or said
        self._said.append(said)

    def _replied(self, event: Reply) -> None:
        text = event.text.strip()
        goes_on = event.message and event.message == self._message and self._reply
        self._reply = f"{self._reply}\n\n{text}" if goes_on else text
        self._reply_place, self._message = event.place, event.message
        if self._said:
            self._said[-1].answered = True
            self._said[-1].ended = bounded(self._reply, _MESSAGE)
