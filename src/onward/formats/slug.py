"""A checkpoint name from a task. Part of the formats room."""

from __future__ import annotations

import re
import unicodedata

MAX_WORDS = 5
MAX_LENGTH = 48

_VAGUE = frozenset(("task", "work", "save", "untitled", "backup", "checkpoint", "session"))
_STOP_WORDS = (
    "a an the to of in on for and or with by at from into is are be it its this that "
    "these those i we you my our your me us please can could would should will just so "
    "then now also some let s t re ll ve d m do does did have has want need make sure "
)
_STOP = frozenset(_STOP_WORDS.split())


def suggest_name(task: str) -> str:
    """A kebab-case name that says what the task is: `fix-login-redirect`.

    Words of the task's first line that carry meaning, ASCII only; "" where there are none.
    """
    first = next((line for line in task.splitlines() if line.strip()), "")
    plain = unicodedata.normalize("NFKD", first).encode("ascii", "ignore").decode().lower()
    plain = re.sub(r"[~\w.-]*/(?=[\w.-])", " ", plain)
    words = re.findall(r"[a-z0-9]+", plain.replace("'", ""))
    told = [word for word in words if word not in _STOP] or words
    name = ""
    for word in told[:MAX_WORDS]:
        longer = f"{name}-{word}" if name else word[:MAX_LENGTH]
        if len(longer) > MAX_LENGTH:
            break
        name = longer
    meaning = [word for word in name.split("-") if word not in _VAGUE and not word.isdigit()]
    if name and not meaning:
        return f"finish-{name}" if not name.isdigit() else ""
    return name
