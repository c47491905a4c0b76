"""The files of a briefing: those that are probably needed again first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import exp

from onward import paths
from onward.briefing.budget import Line, Section
from onward.briefing.text import GONE, code, count, inline, listed, one_line, tag
from onward.evidence import order_of
from onward.model import LOOKED, MERGED, Checkpoint, Clean, Drift, FileFact, GitSeen

_GROUP = 6
"""Paths in one line."""
_RANK, _STEP = 0.9, 0.075
"""Rank of the first file, and how much later each further one is bought."""
_CHANGED = 1.4
"""Rank by which every file that the session changed is bought."""
_FIRST = 0.8
"""Rank of the first files that may be uncommitted."""
_DETAILS, _SAID, _NAMES = 1.0, 2.0, 2.5
"""How much later what was changed, what the agent said of it, and the names in it are bought."""
_OWN_LINE = 0.0025
"""Files with a line of their own, for each token of the budget."""
_WORTH = {"open": 1.0, "committed": 0.8, "clean": 0.8, "read": 0.5, "found": 0.4, "named": 0.15}
"""How often a file of its kind was used again, in 75 sessions that were continued; what a search found
was counted as read there, and is put a little below it.
"""
_APART_WORTH = 0.3
"""The same of plans, notes and scratch files, for which no commit waits."""
_FADES = 2.0
"""The first file of a session is worth less than its last, by `e` to this power."""
_AGAIN = 0.3
"""A file that was used several times is worth more, by the count to this power."""
_NAMED = 110
"""Characters of the names beside a file."""
_SPANS = 3
_SUMMED_UP = 3
_BESIDE = 2.6
_PLAIN = re.compile(r"[\w@.+-]+")
ELSEWHERE = "…/"
"""Stands for the folder outside the session's own in which most of its changes were made."""
_DEEP, _OFTEN = 4, 3
"""Parts of such a folder, the root or `~` among them, and how many changed files it holds."""

_Ranked = tuple[FileFact[Clean], float]


def uncommitted(c: Checkpoint, drift: Drift[Clean] | None) -> frozenset[str] | None:
    """The paths that are uncommitted: now, where git was asked, else when the checkpoint was saved;
    None where nobody asked git.
    """
    if drift is not None and not drift.no_git:
        now = (f.to or f.path for f in drift.files if f.change == "changed" and not f.commit)
        return frozenset((*drift.uncommitted, *drift.dirty, *now))
    return frozenset(c.repo.dirty) if c.repo is not None and c.repo.root else None


def possibly_open(c: Checkpoint, known: frozenset[str] | None) -> list[FileFact[Clean]]:
    """Files that the session changed and no commit took in, as far as the record and git tell."""
    return [f for f in c.files if _is_open(f, known) and not _may_be_taken(f, c, known)]


def _may_be_taken(fact: FileFact[Clean], c: Checkpoint, known: frozenset[str] | None) -> bool:
    """Whether a commit, push or merge came after its last edit that may have taken it in, as far as
    the record tells: one by another program, or one that does not say what it took.
    """
    if known is not None or fact.left:
        return False
    acts = (i for i in c.progress if not i.author and i.template != MERGED)
    done = (order_of(p) for item in acts for p in item.places if p[0] == "t")
    return 0 < _line(fact) < max(done, default=0)


def sections(c: Checkpoint, drift: Drift[Clean] | None, budget: int) -> Iterator[Section]:
    """What may be uncommitted, what was committed, what was only inspected or mentioned."""
    known = uncommitted(c, drift)
    ranked = _ranked(c.files)
    possible = [(f, r) for f, r in ranked if _is_open(f, known)]
    loose = [(f, r) for f, r in possible if not _may_be_taken(f, c, known)]
    before = [each for each in possible if each not in loose]
    outside = [(f, r) for f, r in loose if _is_outside(f, c, known)]
    loose = [each for each in loose if each not in outside]
    left = [*_of(ranked, "clean"), *_of(ranked, "open")]
    clean = [(f, r) for f, r in left if not _is_open(f, known)]
    apart = [(f, r) for f, r in _of(ranked, "apart") if not _is_open(f, known)]
    certainty = _certainty(c, known, [fact for fact, _ in loose])
    some = any(_certainty(c, known, [fact]) == "uncommitted" for fact, _ in loose)
    sure = "uncommitted or " if some and certainty != "uncommitted" else ""
    heading = f"## {(sure + certainty).capitalize()} files"
    lines = [*_open_lines(loose, budget)]
    if beside := _beside(c, known):
        more = _unlisted(c, known, [fact for fact, _ in loose])
        gone = _git(c).deleted if known is None else ()
        text = f"- Uncommitted, without a recorded edit: {listed(beside, _GROUP, more, gone)}"
        lines.append(Line(text=text, rank=_BESIDE, count=len(beside)))
    yield Section(heading=heading, lines=tuple(lines), noun="file")
    taken = _of(ranked, "committed")
    deleted = [each for each in clean if each[0].change == "deleted"]
    lines = [
        *_grouped(
            "Changed, not listed by git as uncommitted",
            [each for each in clean if each not in deleted],
        )
    ]
    lines += _grouped("Deleted, not listed by git as uncommitted", deleted)
    lines += _grouped("Changed before the last commit or push, not seen in one", before)
    for commit in dict.fromkeys(fact.commit for fact, _ in taken):
        mine = [each for each in taken if each[0].commit == commit]
        every = max(fact.of for fact, _ in mine)
        told = f" ({every} files in all)" if every > 2 * len(mine) else ""
        lines += _grouped(f"Committed{told}", mine)
    lines += _grouped("Changed outside of the project's folder", outside)
    lines += _grouped("Plans, settings and scratch files", apart)
    lines += _grouped("Read, whole or in part", _of(ranked, "read"))
    lines += _grouped("Found by a search", _of(ranked, "found"))
    lines += _grouped("Mentioned", _of(ranked, "named"))
    heading = "## Other files" if loose else "## Files"
    yield Section(heading=heading, lines=tuple(sorted(lines, key=lambda x: x.rank)), noun="file")


def _is_open(fact: FileFact[Clean], known: frozenset[str] | None) -> bool:
    """Without git, plans and scratch files are taken for none that a commit waits for."""
    kind = _kind(fact)
    if known is None:
        return kind == "open"
    return kind in {"open", "clean", "apart"} and _is_in(fact, known)


def _is_in(fact: FileFact[Clean], known: frozenset[str]) -> bool:
    path = fact.to or fact.path
    return path in known or any(p.endswith("/") and path.startswith(p) for p in known)


def _is_outside(fact: FileFact[Clean], c: Checkpoint, known: frozenset[str] | None) -> bool:
    """Whether a file lies where nothing tells of a repository."""
    path, folder = fact.to or fact.path, elsewhere(c)
    return known is None and paths.absolute(path) and not (folder and path.startswith(folder))


def _kind(fact: FileFact[Clean]) -> str:
    if fact.change in LOOKED:
        return fact.change
    if paths.apart(fact.to or fact.path):
        return "apart"
    return "committed" if fact.commit else "clean" if fact.clean else "open"


def elsewhere(c: Checkpoint) -> str:
    """The folder outside the session's own, with a slash behind, under which most changed files lie
    that do not lie in the session's: another work tree, say. "" for fewer than three.
    """
    below: dict[str, int] = {}
    for path in (f.path for f in c.files if f.change not in LOOKED and not paths.apart(f.path)):
        if path.startswith(("/", "~/")):
            parts = path.split("/")
            for n in range(_DEEP, len(parts)):
                folder = "/".join(parts[:n]) + "/"
                below[folder] = below.get(folder, 0) + 1
    often = {folder: number for folder, number in below.items() if number >= _OFTEN}
    return max(often, key=lambda folder: often[folder] * (len(folder) - len(ELSEWHERE)), default="")


def _of(ranked: Iterable[_Ranked], kind: str) -> list[_Ranked]:
    return [each for each in ranked if _kind(each[0]) == kind]


def _ranked(facts: Sequence[FileFact[Clean]]) -> list[_Ranked]:
    """The files with their ranks, the most useful first."""
    last = max(map(_line, facts), default=0) or 1

    def worth(fact: FileFact[Clean]) -> float:
        kind = _APART_WORTH if _kind(fact) == "apart" else _WORTH[_kind(fact)]
        return float(kind * exp(_FADES * (_line(fact) / last - 1)) * max(1, fact.uses) ** _AGAIN)

    ordered = sorted(facts, key=worth, reverse=True)
    ranked = [(fact, _RANK + _STEP * n) for n, fact in enumerate(ordered)]
    return [(fact, rank if _kind(fact) in LOOKED else min(rank, _CHANGED)) for fact, rank in ranked]


def _line(fact: FileFact[Clean]) -> float:
    """Where in the transcript it was used last; 0 where that is unknown."""
    return order_of(fact.places[-1]) if fact.places else 0


def _open_lines(ranked: Sequence[_Ranked], budget: int) -> Iterator[Line]:
    own = max(1, int(budget * _OWN_LINE))
    said: set[Clean] = set()
    for n, (fact, rank) in enumerate(ranked[:own]):
        words = [each for each in fact.said if each not in said]
        said.update(words)
        since = ", edited since" if fact.change == "created" and fact.edits > 1 else ""
        bare = f"{_path(fact)} {fact.change}{since}"
        full = _path(fact) + _changes(fact)
        where = tag(fact.places[-1:])
        quotes = "; ".join(inline(each, 240) for each in words)
        early = min(rank, _FIRST + n / 100)
        forms = {
            bare: early,
            full: rank + _DETAILS,
            full + (f": {inline(words[-1], 240)}" if words else ""): rank + _SAID,
            full + (f": {quotes}" if quotes else _names(fact)): rank + _NAMES,
        }
        (text, _), *longer = forms.items()
        more = tuple((at, f"- {form}{where}") for form, at in longer)
        yield Line(text=f"- {text}{where}", rank=early, longer=more)
    yield from _grouped("Also changed", ranked[own:])


def _path(fact: FileFact[Clean]) -> str:
    if fact.change == "renamed" and fact.to:
        return f"{code(fact.path)} → {code(fact.to)}"
    return code(fact.path)


def _changes(fact: FileFact[Clean]) -> str:
    """` edited lines 3-9, +12 −3 in 2 edits, no passing test run since`."""
    done = [fact.change + (_spans(fact.spans) if fact.change == "edited" else "")]
    if fact.added or fact.removed:
        edits = f" in {fact.edits} edits" if fact.edits > 1 else ""
        done.append(f"+{fact.added} −{fact.removed}{edits}")
    if fact.since_green:
        done.append("no passing test run since")
    return f" {', '.join(done)}"


def _spans(spans: Sequence[tuple[int, int]]) -> str:
    if not spans or len(spans) > _SPANS:
        return f" in {len(spans)} hunks" if spans else ""
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in spans]
    return f" line{'s' * (shown != [str(spans[0][0])])} {', '.join(shown)}"


def _names(fact: FileFact[Clean]) -> str:
    """The names that belong to the file, as many whole ones as there is room for."""
    names, room = list[str](), _NAMED
    for name in one_line(fact.why or "").split(", "):
        room -= len(name) + 2
        if room < 0:
            break
        names.append(name)
    return f" ({', '.join(names)})" if any(names) else ""


def _grouped(lead: str, ranked: Sequence[_Ranked]) -> Iterator[Line]:
    """The paths of several files in a line."""
    for start in range(0, len(ranked), _GROUP):
        group = ranked[start : start + _GROUP]
        facts = [fact for fact, _ in group]
        named = ", ".join(_short(facts))
        if lead.startswith("Deleted"):
            named = named.replace(GONE, "")
        text = f"- {lead}: {named}{tag(_place(facts))}"
        yield Line(text=text, rank=sum(rank for _, rank in group) / len(group), count=len(group))


def _place(facts: Sequence[FileFact[Clean]]) -> tuple[str, ...]:
    """The commit, else the place where all were changed; none for files that were only inspected."""
    changed = [f for f in facts if f.change not in LOOKED]
    if changed and changed[0].commit:
        return (f"c:{changed[0].commit}",)
    places = {f.places[-1:] for f in changed}
    return places.pop() if len(places) == 1 else ()


def _short(facts: Iterable[FileFact[Clean]]) -> Iterator[str]:
    """The paths of a group; those of one folder as a shell takes them: `src/{a.py,b.py}`."""
    folders: dict[str, list[FileFact[Clean]]] = {}
    for fact in facts:
        folder, _, name = fact.path.rpartition("/")
        alone = not _PLAIN.fullmatch(name) or fact.change in {"deleted", "renamed"}
        folders.setdefault(fact.path if alone or not folder else folder, []).append(fact)
    for folder, inside in folders.items():
        if len(inside) == 1:
            yield _path(inside[0]) + (GONE if inside[0].change == "deleted" else "")
        else:
            yield code(f"{folder}/{{{','.join(f.path.rpartition('/')[2] for f in inside)}}}")


def summary(c: Checkpoint, known: frozenset[str] | None) -> str:
    """`2 files uncommitted (`a.py`, `gen/`) [t:9], 1 file possibly uncommitted (`b.py`)`; "" for none."""
    every = [fact for fact, _ in _ranked(possibly_open(c, known))]
    ranked = [fact for fact in every if not _is_outside(fact, c, known)]
    sure = [fact for fact in ranked if _certainty(c, known, [fact]) == "uncommitted"]
    beside = _beside(c, known)
    names = [f.to or f.path for f in sure]
    unlisted = _unlisted(c, known, sure)
    seen = _counted(names, "uncommitted", beside, unlisted)
    if seen and known is None:
        seen += tag((_git(c).listed,))
        if beside:
            seen += f", {len(beside) + unlisted if sure else 'all'} without a recorded edit"
    rest = [fact for fact in ranked if fact not in sure]
    more = _counted([f.to or f.path for f in rest], _certainty(c, known, rest))
    told = ", ".join(filter(None, (seen, more)))
    away = [f.to or f.path for f in every if f not in ranked]
    return ", ".join(
        filter(None, (told, _counted(away, "changed outside of the project's folder")))
    )


def _counted(names: Sequence[Clean], what: str, others: Sequence[Clean] = (), more: int = 0) -> str:
    """`3 files uncommitted (`a.py`, `b.py` and 1 more)`; "" for none. `others` are named only where
    there is room beside names.
    """
    named = f" ({listed([*names, *others], _SUMMED_UP, more)})" if names else ""
    number = len(names) + len(others) + more
    # Of a folder that is new as a whole git lists no files.
    least = "at least " if any(path.endswith("/") for path in (*names, *others)) else ""
    return f"{least}{count(number, 'file')} {what}{named}" if number else ""


def _unlisted(c: Checkpoint, known: frozenset[str] | None, own: Iterable[FileFact[Clean]]) -> int:
    """How many files git listed that are not kept by name, without those of the session's `own`."""
    dirty = frozenset(_git(c).dirty)
    beyond = (f for f in own if not _is_in(f, dirty))
    told = sum(_certainty(c, known, [f]) == "uncommitted" for f in beyond)
    return max(_git(c).more - told, 0) if known is None else 0


def _git(c: Checkpoint) -> GitSeen[Clean]:
    return c.git or GitSeen()


def _certainty(
    c: Checkpoint, known: frozenset[str] | None, loose: Iterable[FileFact[Clean]]
) -> str:
    git = _git(c)
    at, dirty = order_of(git.listed), frozenset(git.dirty)
    if known is not None or (at and all(_line(f) <= at or _is_in(f, dirty) for f in loose)):
        return "uncommitted"
    return "possibly uncommitted" if _has_git(c, known) else "changed"


def _has_git(c: Checkpoint, known: frozenset[str] | None) -> bool:
    """Whether git was asked, or the session shows a branch or something done with git."""
    if known is not None or c.origin.branch or c.repo or c.progress or c.git:
        return True
    return any(fact.commit or fact.clean for fact in c.files)


def _beside(c: Checkpoint, known: frozenset[str] | None) -> list[Clean]:
    """Uncommitted paths that no edit of the session tells of: what a script wrote, or somebody else."""
    mine = (f for f in c.files if _kind(f) in {"open", "clean", "apart"})
    told = {path for f in mine for path in (f.path, f.to or f.path)}
    return [
        Clean(path)
        for path in (_git(c).dirty if known is None else sorted(known))
        if path not in told and not (path.endswith("/") and any(t.startswith(path) for t in told))
    ]
