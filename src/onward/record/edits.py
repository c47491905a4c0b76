"""Which files were changed, by tools and by commands, and what was taken back."""

from __future__ import annotations

import re
from collections import deque
from fnmatch import fnmatchcase
from typing import Literal

from msgspec import Struct

from onward import paths
from onward.evidence import order_of
from onward.model import Delegated, Edited, Event, Item, Looked, Moved, Prompt, Ran, Reply, Searched
from onward.record.commands import consulted, hits
from onward.record.commits import git_words
from onward.record.shell import Command, split
from onward.record.text import code, keep, one_line, unfenced
from onward.record.written import Written, packages, written

Span = tuple[int, int]

_MOST = 400
"""Files that are remembered; the ones touched longest ago go first."""
_NAMES = 6
_COUNTED = 10_000
"""Edits of which it is known whether they were of the project, the newest."""
_SAID, _TELLS, _SAYINGS = 200, 30, 2
"""Characters of a message that are kept, and below which it tells nothing; messages of a file."""
_NOTED, _CUT = 40, 200
"""Edits of a file that are compared, and characters from which on a line of one was cut."""


class Touch(Struct, kw_only=True):
    """One changed file, all its edits together. `path` is joined with the session's folder."""

    path: str
    change: Literal["created", "edited", "deleted", "renamed"]
    first: int
    last: int
    """Running numbers of the first and the last edit."""
    to: str = ""
    added: int = 0
    removed: int = 0
    edits: int = 0
    """Edits by tools, of which `added` and `removed` are the sum."""
    spans: tuple[tuple[int, int], ...] = ()
    count: int = 0
    moves: int = 0
    """How many of the edits were renames."""
    by_command: bool = False
    """Only commands changed it: there are no line counts."""
    by_user: bool = False
    names: tuple[str, ...] = ()
    """What the edits define or are about, newest first."""
    said: tuple[str, ...] = ()
    """What the agent said that it does there, oldest first."""
    before: frozenset[str] = frozenset()
    """Those of `names` and `said` that are older than the last commit."""
    places: tuple[str, ...] = ()
    net: tuple[tuple[str, str], ...] | None = ()
    """(put in, taken out) of each edit since the user last spoke, without the pairs that undo each
    other; None where that is not known, as after a commit.
    """


class Edits:
    """Collects the files that were changed, in order of their last edit."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._touches: dict[str, Touch] = {}
        self._known: dict[str, None] = {}
        self._gone: dict[str, int] = {}
        self._moved: dict[str, str] = {}
        """Folders that were moved, by their new place."""
        self._cwd = ""
        self.count = 0
        """Edits so far, but for those of plans and scratch files."""
        self._counts: deque[tuple[int, bool, bool]] = deque(maxlen=_COUNTED)
        self._changed: deque[tuple[float, bool, str]] = deque(maxlen=_COUNTED)
        self._told: tuple[str, frozenset[str]] = ("", frozenset())
        """Place and files of the last command: what the client itself says of a change there is not
        to be counted again.
        """
        self._committed = -1
        self._reverted: list[tuple[str, Item[str]]] = []
        self._said: dict[str, str] = {}
        self._spoken = ("", "")
        """What was said right before the command that is being looked at."""

    def see(self, event: Event, at: int) -> None:
        """Take note of edits by tools and by commands, and of what git took back."""
        self._hear(event)
        spoken = isinstance(event, Prompt) and not event.thread
        if spoken or (isinstance(event, Ran) and "commit" in event.command):
            # What was changed before may be in a commit, also in one that the user made.
            for touch in self._touches.values():
                touch.net = None
        if isinstance(event, Edited):
            self._edited(event, at)
        elif isinstance(event, Ran):
            self._ran(event, at)
            self._known |= dict.fromkeys((*consulted(event), *hits(event)))
            keep(self._known, _MOST * 4)
        elif isinstance(event, Looked):
            path = paths.join(self._cwd, event.path)
            self._known[path] = None
            keep(self._known, _MOST * 4)
        elif isinstance(event, Moved) and event.cwd and not event.thread:
            self._cwd = event.cwd
        elif isinstance(event, Delegated) and not event.thread:
            self._came_back(event.place)

    def touches(self) -> tuple[Touch, ...]:
        """The changed files, last touched first; what was created and removed is not there."""
        # Edits that took each other back leave nothing to commit.
        changed = (t for t in self._touches.values() if t.net != () or t.change != "edited")
        return tuple(sorted(changed, key=lambda t: -t.last))

    def reverted(self) -> tuple[Item[str], ...]:
        """Edits that git took back before they were committed, in order of time; not of files that
        were edited again, which most often did the same once more.
        """
        return tuple(item for path, item in self._reverted if path not in self._touches)

    def is_gone(self, path: str, last: int) -> bool:
        """Whether a file, or a folder that held it, was removed after it was last seen."""
        return any(at >= last and is_in(path, gone) for gone, at in self._gone.items())

    def is_removed(self, path: str, last: int) -> bool:
        """The same of a file that nobody wrote again since."""
        touch = self._touches.get(path)
        return self.is_gone(path, last) and (touch is None or touch.change == "deleted")

    def _hear(self, event: Event) -> None:
        """The agent's last message of each thread, as long as it did nothing else after it."""
        if isinstance(event, Reply):
            said = [x for x in unfenced(event.text).splitlines() if any(map(str.isalpha, x))]
            self._said[event.thread] = one_line(said[-1], _SAID) if said else ""
        elif isinstance(event, Ran | Searched | Delegated | Prompt):
            spoken = self._said.pop(event.thread, "")
            self._spoken = (event.thread, spoken) if isinstance(event, Ran) else ("", "")

    def _note_words(self, touch: Touch, thread: str) -> None:
        # What was said is said of the first edit behind it.
        said = self._said.pop(thread, "") or self._spoken[1] * (self._spoken[0] == thread)
        if len(said) >= _TELLS and said not in touch.said:
            touch.said = (*touch.said, said)[-_SAYINGS:]

    def _edited(self, event: Edited, at: int) -> None:
        path = paths.join(self._cwd, event.path)
        again = event.place == self._told[0] and path in self._told[1]
        if not again:
            self._counted(path, event.place)
        if event.change in {"deleted", "renamed"}:
            if not again:
                to = paths.join(self._cwd, event.to) if event.to else ""
                self._apply(Written(event.change, path, to), event.place, at)
            return
        touch = self._touches.get(path) if again else None
        # A patch may put a whole file in the place of one that was read before.
        fresh = event.change == "created" and path not in self._known
        touch = touch or self._touch(path, "created" if fresh else "edited", event.place, at)
        touch.added += event.added
        touch.removed += event.removed
        touch.edits += 1
        touch.spans = merge(touch.spans, event.spans, event.added - event.removed)
        touch.by_command = False
        touch.by_user = touch.by_user or event.by_user
        touch.net = _netted(touch.net, event)
        names = defined(event.text, path)
        touch.names = tuple(dict.fromkeys((*names, *touch.names)))[:_NAMES]
        self._note_words(touch, event.thread)

    def _came_back(self, place: str) -> None:
        """What a sub-agent changed is of the session from the line where its work came back."""
        for touch in self._touches.values():
            if touch.places and not order_of(touch.places[-1]):
                touch.places = (*touch.places, place)[-3:]

    def _touch(self, path: str, change: Literal["created", "edited"], place: str, at: int) -> Touch:
        """The file's entry, counted as touched now and moved to the end."""
        touch = self._touches.pop(path, None)
        if touch is None or touch.change == "deleted":
            again = touch is not None
            touch = Touch(path=path, change="edited" if again else change, first=at, last=at)
            touch.by_command = True
        touch.last = at
        touch.count += 1
        touch.places = (*touch.places, place)[-3:]
        self._touches[path] = touch
        self._known[path] = None
        keep(self._touches, _MOST)
        return touch

    def _ran(self, ran: Ran, at: int) -> None:
        changes = written(ran)
        self._told = (ran.place, frozenset(path for w in changes for path in (w.path, w.to)))
        for change in changes:
            if change.change != "deleted" or self._held(change.path):
                self._counted(change.to or change.path, ran.place)
            self._apply(change, ran.place, at)
            if touch := self._touches.get(change.to or change.path):
                self._note_words(touch, ran.thread)
        for command in split(ran.command, ran.cwd) if ran.state == "done" else ():
            if not ran.failed:
                self._note_command(command, ran.place, at)

    def _note_command(self, command: Command, place: str, at: int) -> None:
        words = git_words(command)
        if packages(command):
            self._changed.append((order_of(place), False, one_line(command.typed)))
        elif words[:1] == ("init",):  # what was there before was never tracked
            self._committed = at
        elif words[:1] == ("commit",):
            self._committed = at
            for touch in self._touches.values():
                touch.before = frozenset((*touch.names, *touch.said))
        elif words:
            self._take_back(words, command.cwd, place)

    def _apply(self, change: Written, place: str, at: int) -> None:
        if change.change == "renamed":
            self._lost(change.path, at)
            self._rename(change, place, at)
        elif change.change == "deleted":
            self._delete(change.path, place, at)
        else:
            fresh = change.change == "created" and change.path not in self._known
            touch = self._touch(change.path, "created" if fresh else "edited", place, at)
            if change.change == "created":  # written anew: what was counted before is gone
                touch.added = touch.removed = touch.edits = 0
                touch.spans, touch.by_command = (), True
            touch.net = None

    def _rename(self, change: Written, place: str, at: int) -> None:
        """A move of a file created here only gives it its name."""
        inside = [p for p in self._touches if p.startswith(change.path + "/")]
        for name in inside:
            to = change.to + name.removeprefix(change.path)
            self._rename(Written("renamed", name, to), place, at)
        before = self._touches.pop(change.path, None)
        if before is None and (inside or not paths.has_suffix(change.path)):
            self._moved[change.to] = change.path
            keep(self._moved, _MOST)
            return
        if self._apart(change.path) and not self._apart(change.to):
            self._touch(change.to, "created", place, at)
            return
        if before is not None and before.change == "created":
            before.path, before.last = change.to, at
            before.places = (*before.places, place)[-3:]
            self._touches[change.to] = before
            return
        origin = before.path if before else self._before_the_move(change.path)
        if change.to == origin:  # moved back to where it was
            if before and before.count > before.moves:
                before.change, before.to, before.last = "edited", "", at
                self._touches[origin] = before
            return
        touch = before or Touch(path=origin, change="renamed", first=at, last=at, by_command=True)
        touch.change, touch.to, touch.last = "renamed", change.to, at
        touch.count += 1
        touch.moves += 1
        touch.places = (*touch.places, place)[-3:]
        self._touches[change.to] = touch
        keep(self._touches, _MOST)

    def _before_the_move(self, path: str) -> str:
        """Where a file of a folder that was moved in the session stood before."""
        found = next((to for to in reversed(self._moved) if is_in(path, to)), None)
        return path if found is None else self._moved[found] + path.removeprefix(found)

    def since(self, count: int, *, inside: bool, prose: bool) -> int:
        """How many edits came after the first `count` of all, of the project or (not `inside`) of
        all that lies elsewhere; those of documents only with `prose`.
        """
        return sum(
            number > count and within is inside and (prose or not of_prose)
            for number, within, of_prose in self._counts
        )

    def between(self, first: float, last: float) -> tuple[str, ...]:
        """Installs run, then files edited, after one place and by another; each newest first."""
        found = (each for each in reversed(self._changed) if first < each[0] <= last)
        return tuple(dict.fromkeys(what for *_, what in sorted(found, key=lambda each: each[1])))

    def _counted(self, path: str, place: str) -> None:
        if not self._apart(path):
            self.count += 1
            self._changed.append((order_of(place), True, paths.relative(path, self._root)))
            within = not paths.absolute(paths.relative(path, self._root))
            self._counts.append((self.count, within, paths.prose(path)))

    def _apart(self, path: str) -> bool:
        return paths.apart(paths.relative(path, self._root))

    def _held(self, path: str) -> bool:
        """Whether a removed path was a file, or a folder with files that the session changed."""
        return self._is_file(path) or any(is_in(known, path) for known in self._touches)

    def _is_file(self, path: str) -> bool:
        """By its name; one that begins with a dot is most often a folder unless it was seen."""
        return path in self._known or (
            paths.has_suffix(path) and not path.rpartition("/")[2].startswith(".")
        )

    def _lost(self, path: str, at: int) -> None:
        self._gone[path] = at
        keep(self._gone, _MOST)

    def _delete(self, path: str, place: str, at: int) -> None:
        self._lost(path, at)
        inside = [self._touches.pop(p) for p in list(self._touches) if is_in(p, path)]
        first = {touch.path: touch.first for touch in inside if touch.change != "created"}
        if not inside and self._is_file(path):
            first = {path: at}
        for name, began in first.items():
            self._touches[name] = Touch(
                path=name, change="deleted", first=began, last=at, places=(place,)
            )
        keep(self._touches, _MOST)

    def _take_back(self, words: tuple[str, ...], cwd: str, place: str) -> None:
        """`git checkout -- f`, `restore`, `reset --hard`, `revert`. A stash is no undo, nor is
        `restore --staged`, nor the choice of a side in a merge.
        """
        sub, rest = words[0], words[1:]
        if sub == "revert" and rest and not rest[0].startswith("--"):
            text = f"Reverted commit {rest[0]}"
            self._reverted.append(("", Item(text=text, evidence="observed", places=(place,))))
        elif sub == "reset" and "--hard" in rest:
            self._undo(None, place)
        elif _takes_back(sub, set(rest)):
            # A name that looks like a branch matches no file.
            named = [paths.join(cwd, w) for w in rest if w != "--" and paths.known(w)]
            self._undo(named, place)
        del self._reverted[:-_NOTED]

    def _undo(self, targets: list[str] | None, place: str) -> None:
        """Git has taken back the edits since the last commit under `targets` (None: all)."""
        for path, touch in list(self._touches.items()):
            meant = targets is None or any(is_in(path, target) for target in targets)
            open_ = touch.change != "created" and touch.first > self._committed
            if meant and open_ and not self._apart(path):
                del self._touches[path]
                text = f"Edited {code(paths.relative(path, self._root))}, then took the edits back with git"
                places = tuple(dict.fromkeys((*touch.places[:1], place)))
                self._reverted.append((path, Item(text=text, evidence="observed", places=places)))


def is_in(path: str, folder: str) -> bool:
    """Whether a path is the folder itself or lies below it."""
    return path == folder or path.startswith(folder + "/")


def is_under(path: str, added: str) -> bool:
    """Whether a path is what was given to `git add`, below it, or meant by its pattern."""
    return is_in(path, added) or fnmatchcase(path, added)


def _takes_back(sub: str, options: set[str]) -> bool:
    if sub == "restore":
        return "--staged" not in options or "--worktree" in options
    return sub == "checkout" and not {"--theirs", "--ours", "-b", "-B"} & options


# ------------------------------------------------------------------ places in a file

_NEAR = 3
"""Lines between two spans that are shown as one."""
_SPANS = 12


def _netted(
    net: tuple[tuple[str, str], ...] | None, event: Edited
) -> tuple[tuple[str, str], ...] | None:
    """The edits of a file that hold, after one more; None where their whole texts are not known."""
    texts, counts = (event.text, event.gone), (event.added, event.removed)
    lines = [text.splitlines() for text in texts]
    whole = tuple(map(len, lines)) == counts and any(texts)
    whole = whole and all(len(line) < _CUT for each in lines for line in each)
    if net is None or event.change != "edited" or not whole or len(net) >= _NOTED:
        return None
    if texts[::-1] not in net:
        return (*net, texts)
    at = net.index(texts[::-1])
    return (*net[:at], *net[at + 1 :])


def merge(before: tuple[Span, ...], new: tuple[Span, ...], shift: int) -> tuple[Span, ...]:
    """The spans of a file after one more edit, in its newest line numbers.

    `shift` is how many lines the edit added. What stood below it moved by as much; between two
    places of one edit nothing moves here: which of them moved what is not told. Where it
    is not known which lines were edited, no line numbers are kept.
    """
    if not new:
        return () if shift else before
    first, end = new[0][0], new[-1][1] - shift
    if shift:
        before = tuple((a + shift, b + shift) if a > max(first, end) else (a, b) for a, b in before)
    return join(tuple((a, b) for a, b in (*before, *new) if 0 < a <= b))


def join(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Sorted spans without overlaps, near ones as one; at most 12, the widest kept."""
    out: list[Span] = []
    for first, last in sorted(spans):
        if out and first <= out[-1][1] + _NEAR:
            out[-1] = (out[-1][0], max(out[-1][1], last))
        else:
            out.append((first, last))
    if len(out) > _SPANS:
        out = sorted(sorted(out, key=lambda s: s[0] - s[1])[:_SPANS])
    return tuple(out)


# --------------------------------------------------------- names that an edit defines

_DEFINED = re.compile(
    r"""^[ \t]*+(?:export[ \t]++)?(?:default[ \t]++)?(?:pub(?:\([a-z]+\))?[ \t]++)?(?:public|private|protected)?[ \t]*+
    (?:static[ \t]++)?(?:abstract[ \t]++|final[ \t]++)?(?:async[ \t]++)?(?:
        (?:def|class|fn|function\*?|interface|struct|enum|trait|module|protocol|object)[ \t]+([A-Za-z_$][\w$]*)
      | func[ \t]+(?:\([^)]*\)[ \t]*)?([A-Za-z_]\w*)
      | type[ \t]+([A-Za-z_]\w*)
      | (?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)[ \t]*(?::[^=]+)?=[ \t]*(?:async[ \t]*)?(?:\(|function|[\w$]+[ \t]*=>|React\.|use[A-Z])
      | ([A-Z][A-Z0-9_]{3,})[ \t]*(?::[^=]+)?=
    )""",
    re.MULTILINE | re.VERBOSE,
)
_HEADING = re.compile(r"^#{1,3} +(.{3,60}?)[ \t]*#*$", re.MULTILINE)
_FIVE = 5


def defined(text: str, path: str = "") -> tuple[str, ...]:
    """Names that a piece of source defines, or the headings of a document; at most five."""
    if path.lower().endswith((".md", ".mdx", ".rst", ".txt")):
        return tuple(dict.fromkeys(_HEADING.findall(text)))[:_FIVE]
    found = (next(filter(None, groups)) for groups in _DEFINED.findall(text))
    return tuple(dict.fromkeys(found))[:_FIVE]
