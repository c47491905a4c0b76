"""The kinds of record in a transcript, and what became of hooks' texts.

A pass of its own that decodes a few short fields of each line, so that reading a session pays
nothing for it. How a hook's end is recorded was measured with clients 2.1.197 and 2.1.330.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Raw, Struct

from onward.decode import UNREADABLE, Records
from onward.model import Fate, Injection
from onward.transcripts.claude_code.files import KNOWN, MARK
from onward.transcripts.diagnostics import Survey

_EVENT: Final = "SessionStart"
_SPILLED: Final = "<persisted-output>"
_FATES: Final[dict[str, Fate]] = {
    "hook_success": "waiting",
    "hook_non_blocking_error": "failed",
    "hook_blocking_error": "failed",
    "hook_cancelled": "cancelled",
}
_MOST: Final = 100  # injections remembered of one session; each resume and compaction adds one


class _Hook(Struct, frozen=True, rename="camel"):
    type: str = ""
    hook_event: str = ""
    command: str = ""
    content: Raw = Raw()


class _Line(Struct, frozen=True, rename="camel"):
    type: str = ""
    timestamp: str = ""
    version: str = ""
    is_sidechain: bool | None = None
    attachment: _Hook | None = None


def survey(path: Path) -> Survey:
    """What the whole file tells. Raises OSError."""
    unknown: Counter[str] = Counter()
    injections: list[Injection] = []
    answered = 0
    version = ""
    with path.open("rb") as stream:
        for number, line in Records(_Line, lambda _: None, MARK).read(stream):
            version = line.version or version
            if line.type not in KNOWN:
                unknown[line.type] += 1
            elif line.type == "assistant" and not line.is_sidechain:
                answered = number
            elif found := _injection(number, line):
                injections = [*injections[1 - _MOST :], found]
    told = tuple(
        msgspec.structs.replace(each, fate="reached")
        if each.fate == "waiting" and each.line < answered
        else each
        for each in injections
    )
    return Survey(version=version, unknown=dict(unknown), injections=told)


def _injection(number: int, line: _Line) -> Injection | None:
    hook = line.attachment
    if hook is None or hook.hook_event != _EVENT or hook.type not in _FATES:
        return None
    text = _text(hook.content)
    fate = _FATES[hook.type]
    if fate == "waiting" and not text:
        return None
    return Injection(
        line=number,
        at=line.timestamp,
        command=hook.command,
        fate="cut" if text.startswith(_SPILLED) else fate,
        size=len(text),
    )


def _text(content: Raw) -> str:
    try:
        found = msgspec.json.decode(content)
    except UNREADABLE:
        return ""
    return found if isinstance(found, str) else ""
