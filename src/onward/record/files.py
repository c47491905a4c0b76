"""The files of the work: changed, read and named, the ones that matter first."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.model import (
    Delegated,
    Edited,
    Event,
    FileFact,
    Looked,
    Moved,
    Planned,
    Prompt,
    Ran,
    Reply,
    Searched,
)
from onward.paths import Mention, mentions
from onward.record.commands import consulted, hits, is_search
from onward.record.commits import Act
from onward.record.edits import Edits, Touch, is_in, is_under
from onward.record.runs import Runs
from onward.record.text import keep, one_line
from onward.record.tree import Tree

_KEPT = 300
_KNOWN = 4000
"""Paths that are known to exist, for telling what a bare name in prose means."""
_TEXTS = 30
"""Texts that are searched for names at the end, the newest."""


class Read(Struct, kw_only=True):
    """A file that was not changed but read, or of which a search printed lines, or that somebody only
    spoke of.
    """

    path: str
    last: int
    count: int = 0
    place: str
    change: Literal["read", "found", "named"] = "read"


class Looks:
    """Collects the files that were read, in order of the last look."""

    def __init__(self) -> None:
        self._start = self._cwd = ""
        self._reads: dict[str, Read] = {}
        self._found: dict[str, Read] = {}
        self._known: dict[str, None] = {}
        self._changed: dict[str, None] = {}
        self._searched = ("", "")
        """Place and folder of the last search by a tool of the client."""
        self._texts: deque[tuple[int, str, str]] = deque(maxlen=_TEXTS)
        """Running number and place of each, and what it says."""

    def see(self, event: Event, at: int) -> None:
        """Take note of a look; those of sub-agents only tell that the file is there."""
        match event:
            case Moved() if event.cwd and not event.thread:
                self._cwd = event.cwd
                self._start = self._start or event.cwd
            case Searched():
                self._searched = event.place, paths.join(self._cwd, event.where)
            case Looked():
                path = paths.join(self._cwd, event.path)
                # The files of a search over a folder stand behind it, as its hits.
                found = event.place == self._searched[0] and path != self._searched[1]
                (self._find if found else self._look)(path, event, at)
            case Ran():
                # A search prints its hits and no more, also where it was given the file.
                look = self._find if is_search(event) else self._look
                for path in consulted(event):
                    look(path, event, at)
                for path in hits(event):
                    self._find(path, event, at)
            case Edited():
                self._changed[self._know(paths.join(self._cwd, event.path))] = None
                keep(self._changed, _KNOWN)
            case _:
                self._hear(event, at)

    def reads(self) -> tuple[Read, ...]:
        """The files that were read, last one first; then those that a search found; then those that
        were only named.
        """
        found = {r.path: r for r in reversed(self._reads.values())}
        for r in reversed(self._found.values()):
            found.setdefault(r.path, r)
        for at, place, text in reversed(self._texts):
            for path in filter(None, map(self._resolved, mentions(text))):
                if path not in found and path not in self._changed:
                    found[path] = Read(path=path, last=at, place=place, change="named")
        return tuple(found.values())

    def uses(self, path: str) -> int:
        """How often a file was read or given to a command."""
        read = self._reads.get(path)
        return read.count if read else 0

    def _look(self, path: str, event: Event, at: int) -> None:
        self._know(path)
        if not event.thread:
            self._count(self._reads, Read(path=path, last=at, place=event.place))

    def _find(self, path: str, event: Event, at: int) -> None:
        if self._know(path) not in self._reads and not event.thread:
            self._count(self._found, Read(path=path, last=at, place=event.place, change="found"))

    def _count(self, reads: dict[str, Read], read: Read) -> None:
        before = reads.pop(read.path, None)
        read.count = before.count + 1 if before else 1
        reads[read.path] = read
        keep(reads, _KEPT)

    def _know(self, path: str) -> str:
        self._known.pop(path, None)
        self._known[path] = None
        keep(self._known, _KNOWN)
        return path

    def _hear(self, event: Event, at: int) -> None:
        """Words that may name files: they are searched only at the end."""
        match event:
            case Reply(text=text) | Prompt(text=text):
                pass
            case Planned(text=text) if event.approved is not False:
                pass
            case Delegated(report=text):
                pass  # what it was told to write may never have come to be
            case _:
                return
        if "." in text and not event.thread:
            self._texts.append((at, event.place, text))

    def _resolved(self, mention: Mention) -> str:
        """The file that is meant: a known one whose path ends so, else the path as spelt."""
        spelt = paths.join(self._start, mention.path)
        if spelt in self._known:
            return spelt
        name = mention.path.removeprefix("~/").lstrip("/")
        # Prose does not say where a path with a blank in it begins.
        ends = (f"/{name}", f" {name}")
        known = next((path for path in reversed(self._known) if path.endswith(ends)), "")
        # `../a.py` is seen from a file that the prose does not name.
        sure = mention.sure and "/" in mention.path and not mention.path.startswith("..")
        return known or (spelt if sure else "")


_MOST, _CHANGED = 60, 200
_READ, _READ_MOST = 20, 30
"""Files that were only read, at most, and where few were changed."""
_NAMED = 8
"""Files that were only named, at most."""
_WHY = 200
"""Characters of the names of a file."""


def facts(
    edits: Edits, runs: Runs, tree: Tree, looks: Looks, root: str
) -> tuple[FileFact[str], ...]:
    """At most 200 changed files and 60 in all if they are fewer: edited before read before named, each
    by the last touch.

    Plans, memory and scratch files come last, and only if they were written.
    """
    # What a later run of tests said, whose result is not known, may have been that it passed.
    green = max(runs.last_green_at, runs.last_unseen_at) if runs.last_green_at >= 0 else -1
    ranked = sorted(
        (t for t in edits.touches() if not paths.byproduct(t.to or t.path)),
        key=lambda t: (t.change == "deleted", not _untested(t, green), -t.last),
    )
    project = [t for t in ranked if not paths.apart(_path(t, root))]
    apart = [t for t in ranked if paths.apart(_path(t, root))]
    out: list[FileFact[str]] = []
    for touch in (*project, *apart[:5]):
        uses = touch.count + sum(looks.uses(path) for path in {touch.path, touch.to})
        out.append(replace(_fact(touch, root, green, tree), uses=uses))
    out = list(_as_counted(out, tree.commits.commits))
    read = _looks(looks.reads(), edits, root, room=min(max(_READ, _MOST - len(out)), _READ_MOST))
    return (*out[:_CHANGED], *(_if_committed(fact, tree.commits.commits, root) for fact in read))


def _if_committed(fact: FileFact[str], made: Sequence[Act], root: str) -> FileFact[str]:
    """A file that git named in a commit of the session is none that was only looked at, if later."""
    path = {paths.join(root, fact.path)}
    acts = [act for act in made if act.kind == "commit" and _is_named(path, act.files, act.folder)]
    for act in acts[-1:]:
        return replace(fact, change="edited", commit=act.sha, places=act.item.places[-1:])
    return fact


def _as_counted(facts: Sequence[FileFact[str]], made: Sequence[Act]) -> Iterator[FileFact[str]]:
    """Where git counted fewer files in a commit than were added for it (one is ignored, or was not
    changed), it is not known which they were: those that git did not name are in none. Of one that
    took every change, how many it counted.
    """
    counted = [a for a in made if a.kind == "commit" and a.total]
    named = Counter(fact.commit for fact in facts)
    few = {act.sha: act.files for act in counted if act.total < named[act.sha]}
    whole = {act.sha: act.total for act in counted if act.whole}
    for fact in facts:
        files = few.get(fact.commit)
        known = files is None or _is_named({fact.path, fact.to or fact.path}, files)
        commit = fact.commit if known else ""
        clean = fact.clean and not commit
        yield replace(fact, commit=commit, of=whole.get(commit, 0), clean=clean)


def _looks(looked: Iterable[Read], edits: Edits, root: str, *, room: int) -> list[FileFact[str]]:
    """What was read, at most `room`, then what was only named; of each the newest."""
    changed = {path for t in edits.touches() for path in (t.path, t.to)}
    found = [
        r
        for r in looked
        if r.path not in changed
        and (not paths.apart(path := paths.relative(r.path, root)) or paths.settings(path))
        and (not paths.byproduct(r.path) or r.path.endswith(".log"))
        and not edits.is_gone(r.path, -1 if r.change == "named" else r.last)
    ]
    found.sort(key=lambda r: -r.last)
    # What was only found makes room for what was read.
    reads = [r for kind in ("read", "found") for r in found if r.change == kind][:room]
    named = [r for r in found if r.change == "named"][:_NAMED]
    return [
        FileFact(
            path=paths.relative(r.path, root),
            change=r.change,
            uses=r.count,
            places=(r.place,),
        )
        for r in (*reads, *named)
    ]


def _path(touch: Touch, root: str) -> str:
    return paths.relative(touch.to or touch.path, root)


def _fact(touch: Touch, root: str, green: int, tree: Tree) -> FileFact[str]:
    made = tree.commits.commits
    taken = any(touch.first <= act.at < touch.last and _took(act, touch) for act in made)
    if taken or tree.is_clean(touch.to or touch.path, touch.first, touch.last):
        # What is left after the commit: the rename is in it, and how many of the lines.
        touch = replace(
            touch, path=touch.to or touch.path, to="", added=0, removed=0, edits=0, spans=()
        )
        touch.names = tuple(name for name in touch.names if name not in touch.before)
        touch.said = tuple(words for words in touch.said if words not in touch.before)
        touch.change = "edited" if touch.change in {"created", "renamed"} else touch.change
    if touch.change != "deleted" and (place := tree.gone_at(touch.to or touch.path, touch.last)):
        path = touch.to or touch.path
        touch = replace(touch, change="deleted", path=path, to="", places=(place,))
    commit, left = _commit(touch, () if paths.apart(_path(touch, root)) else made)
    # A push or a merge that no commit was seen for may have been of one.
    seen = {act.at for act in made}
    left = left and all(at in seen or at < touch.last for at in tree.commits.others)
    # What a command put into it was not counted.
    counted = not (touch.by_command and touch.change == "created")
    return FileFact(
        path=paths.relative(touch.path, root),
        change=touch.change,
        to=paths.relative(touch.to, root) if touch.to else None,
        added=touch.added * counted,
        removed=touch.removed * counted,
        edits=touch.edits * counted,
        spans=touch.spans if touch.change != "deleted" else (),
        why=_why(touch),
        said=touch.said if touch.change != "deleted" else (),
        since_green=_untested(touch, green),
        commit=commit,
        left=left,
        clean=tree.is_clean(touch.to or touch.path, touch.last),
        places=touch.places[-1:],
    )


def _untested(touch: Touch, green: int) -> bool:
    """Whether code was changed after the last green run; of a document no run tells."""
    return 0 <= green < touch.last and not paths.prose(touch.to or touch.path)


def _why(touch: Touch) -> str | None:
    """What the edits define, in 200 characters, and who else had a hand in them."""
    names = touch.names
    while len(", ".join(names)) > _WHY:
        names = names[:-1]
    lead = "" if paths.prose(touch.path) else "defines "
    said = [lead + ", ".join(names)] if names else []
    if touch.by_user:
        said.append("the user changed the proposed edit")
    if touch.by_command and touch.change in {"created", "edited"}:
        said.append("by command")
    return one_line("; ".join(said)) or None


def _commit(touch: Touch, made: tuple[Act, ...]) -> tuple[str, bool]:
    """The first commit after the last edit that took it in, and whether all of them left it out. Where
    one commit alone does not say what it took, that one; between several nothing is guessed.
    """
    later = [act for act in made if act.at >= touch.last]
    if taken := next((act.sha for act in later if _took(act, touch)), ""):
        return taken, False
    silent = [
        act
        for act in later
        if not (act.paths or act.whole or act.complete or _would_be_named(act, touch))
    ]
    return silent[0].sha if len(silent) == 1 else "", _are_without(later, touch) and not silent


def _are_without(later: Sequence[Act], touch: Touch) -> bool:
    """Whether what was committed since is all git's own, and of the file's folder."""
    own = (not act.change and (not act.folder or is_in(touch.path, act.folder)) for act in later)
    return bool(later) and all(own)


def _took(act: Act, touch: Touch) -> bool:
    """Whether git printed the file among those of the commit, or it was added, or everything was."""
    names = {touch.path, touch.to} - {""}
    if _is_named(names, act.files, act.folder):
        return True
    added = any(is_under(name, path) for name in names for path in act.paths)
    return (act.whole or added) and not (act.complete or _would_be_named(act, touch))


def _is_named(names: Iterable[str], files: Sequence[str], folder: str = "") -> bool:
    """Whether git, which was asked in `folder` and tells paths from the top of its work tree, printed
    one of the paths, or a folder above it.
    """
    return any(
        is_in(path, file)
        or (path.endswith(f"/{file}") and _is_near(path.removesuffix(f"/{file}"), folder))
        for path in names
        for file in files
    )


def _is_near(top: str, folder: str) -> bool:
    """Whether one lies in the other, as git leaves the beginning of a long path out; where a folder is
    told by what only the shell knows, it may.
    """
    known = paths.absolute(folder) and not folder.startswith("~") and "$" not in folder
    return not known or is_in(folder, top) or is_in(top, folder)


def _would_be_named(act: Act, touch: Touch) -> bool:
    """Whether git would have named the file, if it is in the commit: it names what is not just edited.
    What a command created may have stood there before.
    """
    new = touch.change == "created" and not touch.by_command
    return act.summed_up and act.total > 0 and (new or touch.change in {"deleted", "renamed"})
