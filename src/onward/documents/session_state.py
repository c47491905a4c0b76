"""`SESSION-STATE.md` and `memory/working-buffer.md`: read in anyone's spelling, never written here.

The state file is the user's and the agent's running record and
is read first; the buffer is a log of exchanges, for when the rest is thin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from onward.documents import page
from onward.model import Draft, Item, Request, Section

_USER = re.compile(r"\b(?:human|user|person)\b|用户|人类", re.IGNORECASE)
_AGENT = re.compile(r"\b(?:agent|assistant|ai)\b|助手", re.IGNORECASE)
_LINES = (
    "task", "next_action", "progress", "blockers", "decisions", "constraints", "dead_ends", "context",
)  # fmt: skip
_ONE_OF = ("plan", "next_action", "tasks", "requests")
_BOTH = ("progress", "blockers", "dead_ends", "constraints", "commands", "context")
_EXCHANGES = 3
"""How many of the buffer's newest exchanges count: older ones are likely done."""


def read(text: str) -> Draft:
    """What a state file says, as a draft; an empty or template-only one gives an empty draft."""
    return page.draft(page.read(text))


def is_empty(text: str) -> bool:
    """Whether a state file says nothing: only headings, placeholders and blanks."""
    found = read(text)
    return found == Draft(task=Item(text=""), extra=found.extra) and not any(
        section.body.strip() for section in found.extra if section.heading != "Preamble"
    )


def tells_of_work(text: str) -> bool:
    """Whether a state file says what is being done, not only decisions, preferences and a log."""
    found = read(text)
    lists = (found.tasks, found.progress, found.blockers, found.dead_ends)
    return bool(found.task.text.strip() or found.next_action or found.plan or any(lists))


def demands(text: str) -> tuple[Item[str], ...]:
    """What the user wants for good, as a state file has it, in their name."""
    return _users(read(text)).constraints


def fill(draft: Draft, state_text: str, buffer_text: str = "") -> Draft:
    """The draft with what the state file knows, and with the buffer where it is still thin.

    The state's task, next action and decisions lead; in everything else the draft, which was
    seen to happen, stays first and the state adds to it.
    """
    state = _users(read(state_text))
    filled = _add(draft, state)
    if state.task.text.strip():
        filled = replace(filled, task=state.task)
    filled = replace(filled, next_action=state.next_action or filled.next_action)
    filled = replace(filled, decisions=_joined(state.decisions, draft.decisions))
    return _with_buffer(filled, buffer_text) if is_thin(filled) else filled


def _users(state: Draft) -> Draft:
    """The draft in the user's name."""
    changes: dict[str, object] = {}
    for name in _LINES:
        value = getattr(state, name)
        own = value if isinstance(value, tuple) else (value,)
        told = tuple(replace(i, author="user") if i and i.text and not i.author else i for i in own)
        changes[name] = told if isinstance(value, tuple) else told[0]
    return replace(state, **changes)


def is_thin(draft: Draft) -> bool:
    """Whether a reader would have to ask what was going on."""
    return not draft.progress or draft.next_action is None or not draft.task.text


def _add(draft: Draft, more: Draft) -> Draft:
    paths = {fact.path for fact in draft.files}
    return replace(
        draft,
        files=(*draft.files, *(fact for fact in more.files if fact.path not in paths)),
        **{name: getattr(draft, name) or getattr(more, name) for name in _ONE_OF},
        **{name: _joined(getattr(draft, name), getattr(more, name)) for name in _BOTH},
    )


def _with_buffer(draft: Draft, text: str) -> Draft:
    found = read(text)
    filled = _add(draft, found)
    said = tuple(Request(text=text, evidence="asked") for text in _said(found.extra, _USER))
    done = tuple(Item(text=text) for text in _said(found.extra, _AGENT))
    return replace(
        filled,
        task=filled.task if filled.task.text else found.task,
        requests=filled.requests or said,
        progress=filled.progress or done,
        decisions=_joined(draft.decisions, found.decisions),
    )


def _said(sections: Iterable[Section[str]], who: re.Pattern[str]) -> list[str]:
    words = [section.body for section in sections if who.search(section.heading) and section.body]
    return words[-_EXCHANGES:]


def _joined(first: Iterable[Item[str]], second: Iterable[Item[str]]) -> tuple[Item[str], ...]:
    """Both, without lines that say the same."""
    kept: dict[str, Item[str]] = {}
    for item in (*first, *second):
        kept.setdefault(_key(item), item)
    return tuple(kept.values())


def _key(item: Item[str]) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", item.text).casefold().split()) or item.text
