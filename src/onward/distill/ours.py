"""Distil: onward's own doings in a session, which are not its work.

A slash command of ours is no request: what it saved would otherwise be about saving.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from onward.model import Edited, Event, Prompt, Ran, Reply

_SAVES = r"document-and-save(?:-to)?|save-session-protocol|sessions-list|discard-backup"
_LOADS = r"resume-latest|resume-from|load-session-protocol"
# Behind a plugin's name there is a colon: /onward:checkpoint save NAME
_SAVE = re.compile(rf"/(?:[\w-]+:)?(?:(?:{_SAVES})\b|checkpoint\s+(?:save|list|delete)\b)")
_LOAD = re.compile(rf"/(?:[\w-]+:)?(?:(?:{_LOADS})\b|checkpoint\s+resume\b)")
_DRAFT = re.compile(r"(?:^|[/\\])memory[/\\]\.draft[\w-]*\.json$")
_CALL = re.compile(r"\s*onward slash\b")


def without_ours(events: Iterable[Event]) -> Iterator[Event]:
    """The events without our commands, the drafts written for them, and what the agent said of a
    save. What it said of a resume stays: the person's yes answers it.
    """
    saving = False
    for event in events:
        if isinstance(event, Prompt) and not event.thread:
            saving = event.source == "command" and bool(_SAVE.match(event.text))
            if saving or (event.source == "command" and _LOAD.match(event.text)):
                continue
        if isinstance(event, Reply) and saving and not event.thread:
            continue
        if isinstance(event, Edited) and _DRAFT.search(event.path):
            continue
        if isinstance(event, Ran) and _CALL.match(event.command):
            continue
        yield event
