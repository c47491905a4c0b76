"""The files of a briefing: one line each for the work in hand, groups for the rest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import exp

from msgspec.structs import replace

from onward.brief import lines, named
from onward.brief.select import Line
from onward.brief.text import code, tag
from onward.brief.weights import Weights
from onward.model import Checkpoint, Clean, FileFact, order_of

GROUP = 6
"""Paths in one line; a reader passes over longer ones."""
_MANY = 3
"""Files that may share a name which still tells one from the others."""
_OTHERS = 3
"""How many more of the other files than of the work in hand are told one by one."""
_NAMES = 3
"""So many names are worth a line."""
_NEW = {"Changed too": "Created too", "Committed": "Committed, new"}
_PLAIN = re.compile(r"[\w@.+-]+")

_SCRATCH = ("/tmp/", "/private/tmp/", "/var/folders/")  # noqa: S108 - paths that others wrote to

_Ranked = tuple[FileFact[Clean], float]


def files(c: Checkpoint, budget: int, w: Weights) -> tuple[Line, ...]:
    """What was touched last and used most first: files that were changed and not committed, what each
    commit took in, what was read.
    """
    ranked = _once(_ranked(_telling(c.files), w))
    fresh = [each for each in ranked if _kind(each[0]) == "fresh"]
    taken = [each for each in ranked if _kind(each[0]) == "committed"]
    own = _own(budget, w)
    single = [_with_words(fact, rank, lines.file, w) for fact, rank in fresh[:own]]
    made = [
        line
        for commit in dict.fromkeys(fact.commit for fact, _ in taken)
        for line in _grouped("Committed", [each for each in taken if each[0].commit == commit])
    ]
    found = (
        *single,
        *_others(fresh[own:], _OTHERS * own, w),
        *made,
        *_grouped("Read", [each for each in ranked if each[0].change == "read"]),
        *_grouped("Named", [each for each in ranked if each[0].change == "named"]),
    )
    return tuple(sorted(found, key=lambda line: line.rank))


def _telling(facts: Sequence[FileFact[Clean]]) -> list[FileFact[Clean]]:
    """The files without the names that many of them have: those of the project, not of a file."""
    told = [set(named.names(fact.why)) for fact in facts if fact.why]
    counts = Counter(name for names in told for name in names)
    many = {name for name, n in counts.items() if n > max(_MANY, len(told) / 4)}
    return [_without(fact, many) for fact in facts]


def _without(fact: FileFact[Clean], many: set[str]) -> FileFact[Clean]:
    if not fact.why or not many:
        return fact
    left = named.without(fact.why, many.__contains__)
    return replace(fact, why=Clean(left) if left else None)


def _once(ranked: Sequence[_Ranked]) -> list[_Ranked]:
    """The files, what the agent said of several told of the first alone."""
    told, found = set[Clean](), list[_Ranked]()
    for fact, rank in ranked:
        fresh = tuple(words for words in fact.said if words not in told)
        told.update(fresh)
        found.append((replace(fact, said=fresh), rank))
    return found


def singles(c: Checkpoint, budget: int, w: Weights) -> list[FileFact[Clean]]:
    """The files of the work in hand that have a line of their own."""
    fresh = [fact for fact, _ in _ranked(c.files, w) if _kind(fact) == "fresh"]
    return fresh[: _own(budget, w)]


def _own(budget: int, w: Weights) -> int:
    return max(1, int(budget * w.single))


def _ranked(facts: Sequence[FileFact[Clean]], w: Weights) -> list[_Ranked]:
    """The files with their ranks, best first; of equals the one that was told first."""
    last = max(map(_line, facts), default=0) or 1
    kinds = {"fresh": w.fresh, "committed": w.committed, "read": w.read, "named": w.named}
    worth = [
        (w.scratch if f.path.startswith(_SCRATCH) else kinds[_kind(f)])
        * exp(w.fades * (_line(f) / last - 1))
        * max(1, f.uses) ** w.again
        for f in facts
    ]
    order = sorted(range(len(facts)), key=lambda n: -worth[n])
    return [(facts[n], w.file.at(place)) for place, n in enumerate(order)]


def _kind(fact: FileFact[Clean]) -> str:
    if fact.change in {"read", "named"}:
        return fact.change
    return "committed" if fact.commit else "fresh"


def _line(fact: FileFact[Clean]) -> float:
    """Where in the transcript it was touched last; 0 where that is not told."""
    return order_of(fact.places[-1]) if fact.places else 0


def _with_words(
    fact: FileFact[Clean], rank: float, told: Callable[[FileFact[Clean]], str], w: Weights
) -> Line:
    """A file in a line of its own, with what was said of it and its names where there is room."""
    bare = replace(fact, why=None, said=())
    last = replace(bare, said=fact.said[-1:])
    forms = {told(bare): rank, told(last): rank + w.said, told(fact): rank + w.names}
    short, *longer = forms
    return Line(text=short, rank=rank, longer=tuple((forms[text], text) for text in longer))


def _others(ranked: Sequence[_Ranked], most: int, w: Weights) -> Iterator[Line]:
    """Other files that are not committed: the first that there is something to tell of in a line
    of their own, the rest together.
    """
    telling = [each for each in ranked if _tells(each[0])][:most]
    for fact, rank in telling:
        yield _with_words(fact, rank, lines.about, w)
    yield from _grouped("Changed too", [each for each in ranked if each not in telling])


def _tells(fact: FileFact[Clean]) -> bool:
    enough = bool(fact.said) or len(named.names(fact.why or "")) >= _NAMES
    return enough and fact.change not in {"deleted", "renamed"}


def _grouped(lead: str, ranked: Sequence[_Ranked]) -> Iterator[Line]:
    """The paths of several files in a line; those of new files apart, which the lead says."""
    new = [each for each in ranked if each[0].change == "created"]
    if new and len(new) < len(ranked):
        yield from _grouped(lead, [each for each in ranked if each not in new])
        ranked = new
    for start in range(0, len(ranked), GROUP):
        group = ranked[start : start + GROUP]
        facts = [fact for fact, _ in group]
        told = _NEW[lead] if new else lead
        text = f"- {told}: {', '.join(_paths(facts))}{tag(_place(facts))}"
        mean = sum(rank for _, rank in group) / len(group)
        yield Line(text=text, rank=mean, count=len(group))


def _place(facts: Sequence[FileFact[Clean]]) -> tuple[str, ...]:
    """Where it can be seen: the commit, else the edit that was last; of what was only read nowhere."""
    changed = [f for f in facts if f.change not in {"read", "named"}]
    if changed and changed[0].commit:
        return (f"c:{changed[0].commit}",)
    return next((f.places[-1:] for f in changed if f.places), ())


def _paths(facts: Sequence[FileFact[Clean]]) -> Iterator[str]:
    """The paths of a group; those of one folder as a shell would take them: `src/{a.py,b.py}`."""
    folders: dict[str, list[FileFact[Clean]]] = {}
    for fact in facts:
        folder, _, name = fact.path.rpartition("/")
        alone = not _PLAIN.fullmatch(name) or fact.change in {"deleted", "renamed"}
        folders.setdefault(fact.path if alone or not folder else folder, []).append(fact)
    for folder, inside in folders.items():
        if len(inside) == 1:
            yield _short(inside[0])
        else:
            yield code(f"{folder}/{{{','.join(f.path.rpartition('/')[2] for f in inside)}}}")


def _short(fact: FileFact[Clean]) -> str:
    if fact.change == "renamed" and fact.to:
        return f"{code(fact.path)} → {code(fact.to)}"
    return code(fact.path) + (" (deleted)" if fact.change == "deleted" else "")
