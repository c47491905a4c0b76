"""The hand-over, ready to be told: its text, and a sign that holds while nothing drifts.

The record `handover`: the program's version, the sign ("" for a text that drift cannot change), when the
session ended, how many files the sign looks at, their paths, the text, and `end`. A hook reads it at
once, so this imports next to nothing.
"""

from __future__ import annotations

from onward import __version__
from onward.documents.ages import LONGEST, age
from onward.repo import invocation
from onward.storage import live, roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from onward.model import Clean

LATE = 5.0  # seconds that a client may still write to a transcript after the end of its session
_KEY = "handover"
_LARGEST = 60_000  # bytes; a longer record would be read in part
OPEN = LONGEST  # what stands in a text for the age of its session, at its first place
NOTE = "memory/.draft-00000000.json"  # stands in a text for the note of the session that is told
_PATH = 120  # characters at most of one that is told as it is


def is_plain(path: str) -> bool:
    """Whether a path holds names alone: others could be words to the model."""
    return 0 < len(path) <= _PATH and all(each.isalnum() or each in "_./\\-" for each in path)


def sign(root: str, paths: Sequence[str]) -> str:
    """As `invocation.sign` has it, of a project's work tree."""
    return invocation.sign(root, roots.git_folder(root), paths)


def put(
    data: str, session: str, text: Clean, ended: float, seen: tuple[str, Sequence[str]]
) -> None:
    """Keep a text whose age is open; `ended` in seconds since 1970, 0 where unknown."""
    paths = seen[1]
    lines = [__version__, seen[0], repr(ended), str(len(paths)), *paths]
    lines += [*text.removesuffix("\n").split("\n"), "end"]
    if sum(len(line.encode("utf-8", "surrogateescape")) + 1 for line in lines) < _LARGEST:
        live.put(data, session, _KEY, *lines)


def drop(data: str, session: str) -> None:
    """Forget what was ready."""
    live.drop(data, session, _KEY)


def get(data: str, session: str, root: str, now: float) -> str | None:
    """The text as it is true now; None where there is none, or something has changed since."""
    lines = live.get(data, session, _KEY)
    if len(lines) < 6 or lines[0] != __version__ or lines[-1] != "end":
        return None
    held, ended, count = lines[1], float(lines[2]), int(lines[3])
    paths, text = lines[4 : 4 + count], "\n".join(lines[4 + count : -1])
    if held and sign(root, paths) != held:
        return None
    return aged(f"{text}\n" if text else "", ended, now)


def aged(text: str, ended: float, now: float) -> str:
    """The text with its age filled in."""
    return text.replace(OPEN, age(max(0.0, now - ended)), 1) if ended else text
