"""Distil: the client's task list, as plan while it is open and as history after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from onward.distill import paths
from onward.distill.fold import keep
from onward.distill.said.cues import is_substantial
from onward.distill.said.talk import Talk
from onward.distill.text import one_line, words
from onward.model import Delegated, Edited, Event, Item, Ran, Task, TodoList

_KEPT = 100
_SHOWN = 30
_GIST = 400
_SAYING = 4
_ENOUGH = 0.6
"""Share of an entry's words that tells that a report is about it."""


class Todos:
    """Collects the newest task list, and when each entry was ticked off."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self.last: TodoList | None = None
        self.last_at = -1
        self.edits_after = 0
        self.reports_after = 0
        self._later: list[str] = []
        """What was reported and committed since the newest list."""
        self._edited: dict[str, None] = {}
        """Names of files changed since the newest list, the last one at the end."""
        self.ticked: dict[str, tuple[int, str]] = {}
        """Title of a completed entry: running number and place of the event that said so."""

    def see(self, event: Event, at: int) -> None:
        """Take note of a task list, and of the edits after it."""
        if isinstance(event, Edited):
            self.edits_after += not paths.apart(paths.relative(event.path, self._root))
            name = event.path.replace("\\", "/").rpartition("/")[2]
            self._edited.pop(name, None)
            self._edited[name] = None
            keep(self._edited, _KEPT)
        elif isinstance(event, Delegated) and event.state == "done":
            self.reports_after += 1
            self._later.append(event.task[:_GIST])
        elif isinstance(event, Ran) and "git commit" in event.command and event.failed is False:
            self._later.append(event.command[:_GIST])
        if event.thread or not isinstance(event, TodoList):
            return
        self.last, self.last_at = event, at
        self.edits_after = self.reports_after = 0
        self._later.clear()
        self._edited.clear()
        for item in event.items:
            if item.status != "completed":
                self.ticked.pop(item.title, None)
            elif item.title not in self.ticked:
                self.ticked[item.title] = (at, event.place)
        keep(self.ticked, _KEPT)

    def is_open(self) -> bool:
        """Whether an entry of the newest list is not completed."""
        return self.last is not None and any(i.status != "completed" for i in self.last.items)

    def settled(self, title: str) -> bool:
        """Whether something reported or committed since names most of what an entry says."""
        return named_by(self._later[-_KEPT:], title)

    def in_hand(self, titles: Sequence[str]) -> int:
        """Of tasks that are open, the place of the one that names the file changed last: those before
        it that name changed files were left for it. 0 where none names one.
        """
        found = [(n, name) for n, t in enumerate(titles) for name in self._edited if name in t]
        order = list(self._edited)
        return max(found, key=lambda each: order.index(each[1]))[0] if found else 0

    def is_current(self, talk: Talk) -> bool:
        """Whether nobody asked for something else since the newest list."""
        return not any(is_substantial(said.text) for said in talk.since(self.last_at))


def named_by(texts: Iterable[str], title: str) -> bool:
    """Whether one of the texts names most of what an entry says."""
    named = {w for w in words(title) if len(w) >= _SAYING or w.isdecimal() or not w.isascii()}
    numbers = {w for w in named if w.isdecimal()}
    told = (set(words(text)) for text in texts)
    return any(
        numbers <= each and len(named & each) >= max(_ENOUGH * len(named), 2) for each in told
    )


def tasks(todos: Todos, talk: Talk) -> tuple[Task[str], ...]:
    """The list while it says something about now: an entry is open, or the list is about
    the last request. What is in progress comes first, then what is pending.
    """
    if todos.last is None or not (todos.is_open() or todos.is_current(talk)):
        return ()
    note = _behind(todos, talk)
    rank = {"in_progress": 0, "pending": 1, "completed": 2}
    ordered = sorted(todos.last.items, key=lambda item: rank[item.status])
    return tuple(
        Task(
            title=one_line(item.title, 300),
            status=item.status,
            context=note if item.status != "completed" else None,
            places=(todos.ticked.get(item.title, (0, todos.last.place))[1],),
        )
        for item in ordered[:_SHOWN]
    )


def _behind(todos: Todos, talk: Talk) -> str | None:
    """Work goes on after the last update of a list in most sessions: say how much."""
    later = sum(is_substantial(said.text) for said in talk.since(todos.last_at))
    counts = ((todos.edits_after, "edit"), (todos.reports_after, "report"), (later, "request"))
    told = [f"{n} {name}" if n == 1 else f"{n} {name}s" for n, name in counts if n]
    return f"{' and '.join(told)} came after the list's last update" if told else None


def open_task(todos: Todos, talk: Talk, *, old: bool = False) -> Item[str] | None:
    """The task in progress, else the first pending one, of a list that is about now, or of one that
    is `old`. A report or a commit that came after the list settles the entries that it names.
    """
    if todos.last is None or not (old or todos.is_current(talk)):
        return None
    left = [i for i in todos.last.items if i.status != "completed" and not todos.settled(i.title)]
    titles = [i.title for i in left if i.status == "in_progress"]
    is_begun = bool(titles)
    titles += [i.title for i in left if i.status == "pending"]
    if not titles:
        return None
    at = todos.in_hand(titles)
    is_begun = is_begun or at > 0
    first, then = titles[at], titles[at + 1 : at + 2]
    behind = _behind(todos, talk)
    verb = "Go on with" if is_begun else "Begin"
    if is_begun and behind and talk.reply and not talk.acts_after_reply:
        verb = "Check whether it is done, else go on with"
    text = f"{verb} the task: {one_line(first, 200)}"
    text += "".join(f"; then: {one_line(title, 120)}" for title in then)
    return Item(text=text, evidence="claimed", places=(todos.last.place,), why=behind)
