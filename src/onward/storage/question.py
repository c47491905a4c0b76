"""The question "Ready to continue?" of a session, until it is answered.

The record `awaiting` of `live`: what for (`resume`), the name of the checkpoint that a no puts
into the trash ("" where a no deletes nothing: documents, backups), and the project's root. Behind
these stand the names of backups that it took in and that wait again, as the session ended without
an answer; and `later`, once a prompt passed that was none. Hooks import this at once.
"""

from __future__ import annotations

from onward.storage import live

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_KEY, _KIND, _LATER = "awaiting", "resume", "later"


class Question:
    """What waits for an answer. `again` names the backups that wait again with it; `is_late` says
    that a prompt passed which was no answer.
    """

    __slots__ = ("again", "is_late", "name", "root")

    def __init__(
        self, name: str, root: str, again: Iterable[str] = (), *, is_late: bool = False
    ) -> None:
        self.name, self.root = name, root
        self.again, self.is_late = list(again), is_late


def put(data: str, session: str, question: Question) -> None:
    """Let the next prompt's yes or no be understood."""
    late = [_LATER] if question.is_late else []
    lines = (_KIND, question.name, question.root, *question.again, *late)
    live.put(data, session, _KEY, *lines)


def get(data: str, session: str) -> Question | None:
    """The question that waits; None without one."""
    lines = live.get(data, session, _KEY)
    if len(lines) < 3 or lines[0] != _KIND:
        return None
    name, root, *behind = lines[1:]
    again = [each for each in behind if each != _LATER]
    return Question(name, root, again, is_late=_LATER in behind)


def drop(data: str, session: str) -> None:
    """It is answered, or nobody will."""
    live.drop(data, session, _KEY)
