"""Distil: the conversation of the main thread, as the other findings need it.

Sub-agents' events are not part of it: their prompts are the agent's words, and so is what
they reply.
"""

from __future__ import annotations

import re
from collections import deque
from datetime import datetime

from msgspec import Struct

from onward.distill import paths
from onward.distill.ours import calls_ours
from onward.distill.pasted import bared
from onward.distill.text import repeats
from onward.model import (
    Asked,
    Compacted,
    Delegated,
    Edited,
    Event,
    Halt,
    Interrupt,
    Linked,
    Planned,
    Prompt,
    Ran,
    Refusal,
    Reply,
    Used,
    order_of,
)

_KEPT = 200
"""Prompts and refusals kept; the longest session read had 64 prompts."""
_LONGEST = 8000
"""Characters kept of one text: enough for both ends of what `abridge` shows."""
_BREAK_HOURS = 4
_FINDING = 300
"""Characters below which a message is taken for an announcement, where that matters."""
_FINISHING = re.compile(r"\bgit\b[^\n|;&]{0,300}\s(?:commit|push)\b|\bgh\s+pr\s+(?:create|merge)\b")
_UNSEEN = " \n\t\u200b\u200c\u200d\u2060\ufeff"
"""What a message may be made of that nobody can see."""
_PICTURE = re.compile(r"\[Image #\d+\]")


class Said(Struct, kw_only=True):
    """Words of the person, with what they answer and what came of them."""

    text: str
    at: int
    place: str
    source: str = "typed"
    """`typed`, `queued`, `command`, or `refusal` (then `about` is the act refused)."""
    offer: str = ""
    """The agent's message just before."""
    offer_place: str = ""
    offer_closes: bool = True
    """The agent did nothing more after it: that message ended a turn."""
    about: str = ""
    """The act that these words stopped: interrupted or refused."""
    stopped: bool = False
    """The first words after an interrupt."""
    taken_up: bool = False
    """The act that these words stopped was done after all."""
    boundary: bool = False
    """Something was finished between the words before and these."""
    answers: int = 0
    """Replies and acts of the agent before the next words."""
    images: int = 0
    kind: str = ""


class Talk:
    """Collects the person's words and the agent's last ones, in order of time."""

    def __init__(self) -> None:
        self.said: deque[Said] = deque(maxlen=_KEPT)
        self.first: Said | None = None
        """The first words; kept although `said` is bounded."""
        self.reply = ""
        """The agent's last message: all text blocks of it."""
        self.reply_place = ""
        self.finding = ""
        """The agent's last message that says more than what it does next."""
        self.finding_place = ""
        self.note: Edited | None = None
        """The document that the agent wrote last since the person's last words."""
        self.interrupt: Interrupt | None = None
        self.halt: Halt | None = None
        self.refused: Refusal | None = None
        """An act that the person refused and that nothing followed but an interrupt."""
        self.finished_line = 0.0
        """Line of the last commit, push or pull request."""
        self.acts_after_reply = 0
        self.last_act = ""
        self.last_act_place = ""
        self.last_act_open = False
        """The transcript ends before the act's result."""
        self.last_act_cut = False
        """The person stopped the act as it ran."""
        self.only_summary = ""
        """A compaction summary that stands before anything the person said."""
        self.only_summary_place = ""
        self._stopped: deque[Said] = deque(maxlen=_KEPT)
        """Words that stopped an act which was not done since."""
        self._message = ""
        self._finished = False
        self._time = ""

    def see(self, event: Event, at: int) -> None:
        """Take note of what was said, and of what the agent did meanwhile."""
        if event.thread:
            return
        match event:
            case Prompt():
                self._prompt(event, at)
            case Refusal():
                self._refusal(event, at)
            case Reply():
                self._reply(event)
            case Interrupt():
                self.interrupt = event
            case Halt():
                self.halt = event
            case Compacted():
                self._compacted(event)
            case Ran() | Edited() | Delegated() | Used() | Asked() | Planned() | Linked():
                self._act(event)
            case _:
                pass
        self._time = event.at or self._time

    def note_named(self) -> tuple[str, str] | None:
        """The path and the beginning of the document that was just written, if the last reply names it."""
        if self.note is None:
            return None
        name = self.note.path.replace("\\", "/").rpartition("/")[2]
        return (self.note.path, self.note.text) if name in self.reply else None

    def unanswered(self) -> Said | None:
        """The last prompt, if nothing of the agent came after it."""
        last = self.last_prompt()
        return last if last is not None and not last.answers else None

    def last_prompt(self) -> Said | None:
        """The person's last words that are meant for the agent."""
        return next((s for s in reversed(self.said) if s.source != "refusal"), None)

    def since(self, at: int) -> list[Said]:
        """The prompts after an event."""
        return [s for s in self.said if s.at > at and s.source != "refusal"]

    def _compacted(self, event: Compacted) -> None:
        self._finished = True
        if not event.summary and not event.automatic:
            # The person emptied the context: what was open is put aside.
            self.reply = self.reply_place = ""
            self.interrupt = self.halt = self.refused = None
        if not self.said and event.summary:
            self.only_summary = event.summary[:_LONGEST]
            self.only_summary_place = event.place

    def _prompt(self, event: Prompt, at: int) -> None:
        text, pictures = _PICTURE.subn("", event.text)
        text, images = text.strip(), max(event.images, pictures)
        if event.source == "shell" or (not text and not images):
            return
        stopped = self.interrupt is not None
        again = bool(self.said) and repeats(text, self.said[-1].text)
        said = Said(
            text=_ends(bared(text)),
            at=at,
            place=event.place,
            source=event.source,
            offer=self.reply,
            offer_place=self.reply_place,
            offer_closes=not self.acts_after_reply,
            about=self.interrupt.act if self.interrupt else "",
            stopped=stopped and not again,
            boundary=self._finished or _hours(self._time, event.at) >= _BREAK_HOURS,
            images=images,
        )
        self.first = self.first or said
        self.said.append(said)
        if said.stopped and said.about:
            self._stopped.append(said)
        self._finished = False
        self.note = self.interrupt = self.halt = self.refused = None

    def _refusal(self, event: Refusal, at: int) -> None:
        self._count()
        self.refused = event
        if event.words.strip():
            self.said.append(
                Said(
                    text=_ends(event.words.strip()),
                    at=at,
                    place=event.place,
                    source="refusal",
                    offer=self.reply,
                    about=event.act,
                    kind=event.kind,
                )
            )

    def _reply(self, event: Reply) -> None:
        self._count()
        if not event.text.strip(_UNSEEN):
            return
        self.acts_after_reply = 0
        if event.message and event.message == self._message and self.reply:
            self.reply = _ends(f"{self.reply}\n\n{event.text.strip()}")
        else:
            self.reply = _ends(event.text.strip())
        self._message = event.message
        self.reply_place = event.place
        if len(self.reply) > _FINDING:
            self.finding, self.finding_place = self.reply, event.place

    def _act(self, event: Event) -> None:
        if isinstance(event, Ran) and event.state in {"denied", "cancelled"}:
            return
        self._count()
        if isinstance(event, Linked):
            self._finished = True
            return
        self.acts_after_reply += 1
        if isinstance(event, Edited) and paths.prose(event.path) and event.change == "created":
            self.note = event
        if isinstance(event, Ran) and event.state == "open" and calls_ours(event.command):
            return  # the save that reads this transcript
        self.last_act, self.last_act_place = _named(event) or self.last_act, event.place
        self.last_act_open = isinstance(event, Ran) and event.state == "open"
        self.last_act_cut = isinstance(event, Ran) and event.state == "interrupted"
        if self.last_act_open or self.last_act_cut:
            return
        for said in [s for s in self._stopped if same_act(s.about, _named(event))]:
            said.taken_up = True
            self._stopped.remove(said)
        if isinstance(event, Ran) and _finishes(event):
            self._finished, self.finished_line = True, order_of(event.place)

    def _count(self) -> None:
        self.interrupt = self.halt = self.refused = None
        if self.said:
            self.said[-1].answers += 1


def same_act(stopped: str, done: str) -> bool:
    """The same act, or the same program and subcommand: `git push`, `git push -u origin x`."""
    if stopped.startswith("edit "):
        return stopped == done
    return bool(done) and stopped.split()[:2] == done.split()[:2]


def _finishes(ran: Ran) -> bool:
    done = ran.state == "done" and ran.failed is not True
    return done and _FINISHING.search(ran.command) is not None


def _named(event: Event) -> str:
    match event:
        case Ran():
            return event.command
        case Edited():
            return f"{'delete' if event.change == 'deleted' else 'edit'} {event.path}"
        case Delegated():
            return f"sub-agent: {event.task.strip().partition(chr(10))[0]}"
        case _:
            return ""


def _ends(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST // 2]}\n{text[-_LONGEST // 2 :]}"


def _hours(before: str, after: str) -> float:
    """Hours between two times of the transcript; 0 where either is missing or odd."""
    try:
        gap = datetime.fromisoformat(after) - datetime.fromisoformat(before)
    except (ValueError, TypeError):
        return 0.0
    return gap.total_seconds() / 3600
