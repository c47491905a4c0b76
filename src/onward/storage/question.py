"""The question "Ready to continue?" of a session, until it is answered.

The record `awaiting` of `live`: what for (`resume`), the name of the checkpoint that a no puts
into the trash ("" where a no deletes nothing: documents, backups), and the project's root. Behind
these stand the names of backups that it took in and that wait again, as the session ended without
an answer; `later`, once a prompt passed that was none; `at` and when it was asked; `file` and the
saved place that a no offers no more. Hooks import this at once.
"""

from __future__ import annotations

from onward.storage import live

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_KEY, _KIND, _LATER, _AT, _FILE = "awaiting", "resume", "later", "at ", "file "


class Question:
    """What waits for an answer. `again` names the backups that wait again with it; `is_late` says
    that a prompt passed which was no answer; `at` is when it was asked, in seconds since 1970, 0 where
    unknown; `file` the saved place that a no offers no more.
    """

    __slots__ = ("again", "at", "file", "is_late", "name", "root")

    def __init__(
        self,
        name: str,
        root: str,
        again: Iterable[str] = (),
        *,
        is_late: bool = False,
        at: float = 0.0,
        file: str = "",
    ) -> None:
        self.name, self.root, self.file, self.at = name, root, file, at
        self.again, self.is_late = list(again), is_late


def put(data: str, session: str, question: Question) -> None:
    """Let the next prompt's yes or no be understood."""
    more = [_LATER] if question.is_late else []
    more += [f"{_AT}{question.at!r}"] if question.at else []
    more += [f"{_FILE}{question.file}"] if question.file else []
    lines = (_KIND, question.name, question.root, *question.again, *more)
    live.put(data, session, _KEY, *lines)


def get(data: str, session: str) -> Question | None:
    """The question that waits; None without one."""
    lines = live.get(data, session, _KEY)
    if len(lines) < 3 or lines[0] != _KIND:
        return None
    name, root, *behind = lines[1:]
    at, file, again = 0.0, "", list[str]()
    for each in behind:
        if each.startswith(_AT):
            at = float(each[len(_AT) :])
        elif each.startswith(_FILE):
            file = each[len(_FILE) :]
        elif each != _LATER:
            again.append(each)
    return Question(name, root, again, is_late=_LATER in behind, at=at, file=file)


def drop(data: str, session: str) -> None:
    """It is answered, or nobody will."""
    live.drop(data, session, _KEY)
