"""`SESSION-STATE.md` and `memory/working-buffer.md`: read in anyone's spelling, never written here.

The state file is the user's and the agent's running record and
is read first; the buffer is a log of exchanges, for when the rest is thin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from onward.documents import page
from onward.documents.kinds import turned
from onward.model import Draft, Item, Request, Section

_USER = re.compile(r"\b(?:human|user|person)\b|用户|人类", re.IGNORECASE)
_AGENT = re.compile(r"\b(?:agent|assistant|ai)\b|助手", re.IGNORECASE)
_LINES = (
    "task", "next_action", "progress", "blockers", "decisions", "constraints", "dead_ends", "context",
)  # fmt: skip
_ONE_OF = ("plan", "tasks", "requests")
_BOTH = ("progress", "blockers", "dead_ends", "constraints", "commands", "context")
_EXCHANGES = 3  # how many of the buffer's newest exchanges count: older ones are likely done


def read(text: str) -> Draft:
    """What a state file says, as a draft; an empty or template-only one gives an empty draft."""
    return page.draft(page.read(text))


def tells_of_work(text: str) -> bool:
    """Whether a state file says what is being done, not only decisions, preferences and a log."""
    found = read(text)
    lists = (found.tasks, found.progress, found.blockers, found.dead_ends)
    return bool(found.task.text.strip() or found.next_action or found.plan or any(lists))


def demands(text: str) -> tuple[Item[str], ...]:
    """What the user wants for good, as a state file has it, in their name."""
    return _users(read(text)).constraints


def fill(draft: Draft, state_text: str, buffer_text: str = "") -> Draft:
    """The draft with what the state file knows, and with the buffer where it is still thin: where a
    reader would have to ask what was going on.

    The state's task, next action and decisions lead; in everything else the draft, which was
    seen to happen, stays first and the state adds to it.
    """
    filled = _with(draft, _users(read(state_text)), leads=True)
    if filled.progress and filled.next_action and filled.task.text:
        return filled
    found = read(buffer_text)
    said = tuple(Request(text=text, evidence="asked") for text in _said(found.extra, _USER))
    done = tuple(Item(text=text) for text in _said(found.extra, _AGENT))
    more = _with(filled, found, leads=False)
    return replace(more, requests=more.requests or said, progress=more.progress or done)


def _users(state: Draft) -> Draft:
    """The draft in the user's name."""

    def told(item: Item[str]) -> Item[str]:
        return replace(item, author="user") if item.text and not item.author else item

    return turned(state, _LINES, told)


def _with(draft: Draft, more: Draft, *, leads: bool) -> Draft:
    """The draft with what another knows, whose task, next action and decisions come first if it
    `leads`.
    """
    first, second = (more, draft) if leads else (draft, more)
    paths = {fact.path for fact in draft.files}
    return replace(
        draft,
        task=first.task if first.task.text.strip() else second.task,
        next_action=first.next_action or second.next_action,
        decisions=_joined(first.decisions, second.decisions),
        files=(*draft.files, *(fact for fact in more.files if fact.path not in paths)),
        **{name: getattr(draft, name) or getattr(more, name) for name in _ONE_OF},
        **{name: _joined(getattr(draft, name), getattr(more, name)) for name in _BOTH},
    )


def _said(sections: Iterable[Section[str]], who: re.Pattern[str]) -> list[str]:
    words = [section.body for section in sections if who.search(section.heading) and section.body]
    return words[-_EXCHANGES:]


def _joined(first: Iterable[Item[str]], second: Iterable[Item[str]]) -> tuple[Item[str], ...]:
    """Both, without lines that say the same."""
    kept: dict[str, Item[str]] = {}
    for item in (*first, *second):
        words = " ".join(re.sub(r"[\W_]+", " ", item.text).casefold().split())
        kept.setdefault(words or item.text, item)
    return tuple(kept.values())
