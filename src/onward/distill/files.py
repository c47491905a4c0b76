"""Distil: the files of the work, the ones that matter first."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from onward.distill import paths
from onward.distill.bursts import keep, shown
from onward.distill.commits import Act, Commits
from onward.distill.edits import Edits, Touch
from onward.distill.runs import Runs
from onward.model import Event, FileFact, Looked, Moved

_MOST = 60
_READ = 20
"""Files that were only read, at most."""
_KEPT = 300
_WHY = 120


class Read(Struct, kw_only=True):
    """A file that was only read."""

    path: str
    last: int
    count: int
    place: str


class Looks:
    """Collects the files that were read, in order of the last look."""

    def __init__(self) -> None:
        self._cwd = ""
        self._reads: dict[str, Read] = {}

    def see(self, event: Event, at: int) -> None:
        """Take note of a look; those of sub-agents are their own business."""
        if isinstance(event, Moved) and event.cwd and not event.thread:
            self._cwd = event.cwd
        elif isinstance(event, Looked) and not event.thread:
            path = paths.join(self._cwd, event.path)
            before = self._reads.pop(path, None)
            count = before.count + 1 if before else 1
            self._reads[path] = Read(path=path, last=at, count=count, place=event.place)
            keep(self._reads, _KEPT)

    def reads(self) -> tuple[Read, ...]:
        """The files that were read, last one first."""
        return tuple(reversed(self._reads.values()))


def facts(  # noqa: PLR0917 - one argument a collector
    edits: Edits,
    runs: Runs,
    commits: Commits,
    looked: Iterable[Read],
    root: str,
    named: Iterable[str] = (),
) -> tuple[FileFact[str], ...]:
    """At most 60 files: edited before read, named by the person first, then by last touch.

    `named` is the person's words. Plans, memory and scratch
    files come last and only if they were written.
    """
    is_named = _words_test(tuple(named))
    touches = edits.touches()
    green = runs.last_green_at
    ranked = sorted(touches, key=lambda t: _rank(t, green, is_named(_path(t, root))))
    project = [t for t in ranked if not paths.apart(t.to or t.path)]
    apart = [t for t in ranked if paths.apart(t.to or t.path)]
    made = commits.commits
    out = [_fact(t, root, green, made) for t in (*project, *apart[:5])]
    changed = {t.to or t.path for t in touches}
    reads = [r for r in looked if r.path not in changed and not paths.apart(r.path)]
    reads.sort(key=lambda r: (not is_named(paths.relative(r.path, root)), -r.last))
    out = out[: _MOST - min(len(reads), _READ)]
    for read in reads[:_READ]:
        path = paths.relative(read.path, root)
        out.append(FileFact(path=path, change="read", places=(read.place,)))
    return tuple(out[:_MOST])


def _path(touch: Touch, root: str) -> str:
    return paths.relative(touch.to or touch.path, root)


def _rank(touch: Touch, green: int, named: bool) -> tuple[bool, bool, bool, int]:
    """Deleted ones last; then changed since the last green run, named, newest."""
    since = green >= 0 and touch.last > green
    return (touch.change == "deleted", not since, not named, -touch.last)


def _fact(touch: Touch, root: str, green: int, made: tuple[Act, ...]) -> FileFact[str]:
    return FileFact(
        path=paths.relative(touch.path, root),
        change=touch.change,
        to=paths.relative(touch.to, root) if touch.to else None,
        added=touch.added,
        removed=touch.removed,
        spans=touch.spans if touch.change != "deleted" else (),
        why=_why(touch),
        since_green=0 <= green < touch.last,
        commit=_commit(touch, made),
        places=touch.places[-1:],
    )


def _why(touch: Touch) -> str | None:
    """What the edits were about, as far as they tell."""
    said = [shown(", ".join(touch.names), _WHY)] if touch.names else []
    if touch.by_person:
        said.append("the person changed the proposed edit")
    if touch.by_command and touch.change in {"created", "edited"}:
        said.append("by command")
    return "; ".join(said) or None


def _commit(touch: Touch, made: tuple[Act, ...]) -> str:
    """The first commit after the last edit that plausibly took it in.

    One that took everything, or named the file or its folder; where none of them said what it
    took, the first one.
    """
    if paths.apart(touch.path):
        return ""
    later = [act for act in made if act.at >= touch.last]
    names = {touch.path, touch.to} - {""}
    for act in later:
        if act.whole or any(_under(name, path) for name in names for path in act.paths):
            return act.sha
    silent = [act for act in later if not act.paths and not act.whole]
    return silent[0].sha if silent else ""


def _under(name: str, folder: str) -> bool:
    return name == folder or name.startswith(folder + "/")


def _words_test(texts: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether a file's name stands in one of the texts."""
    joined = "\n".join(texts)

    def test(path: str) -> bool:
        name = path.rsplit("/", 1)[-1]
        return len(name) > 3 and name in joined

    return test
