"""Where transcripts are cut, and what the agent did after each cut.

    compact   the client compacted; the cut is the last line before the boundary
    break     a user typed again after thirty minutes or more of silence
    next      the session was over, and a later one of the same thread went on

The choice is the same in every run: candidates are ranked by a hash of their name, so that a
transcript more does not reshuffle the others.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from evals import reading
from evals.entries import Call, Compacted, Entry, Prompt, Transcript

KINDS = ("compact", "break", "next")
SILENCE = 30 * 60.0
BEFORE, AFTER = 20, 8
"""How many calls must stand before a cut and after it."""
STEPS = 20
"""How many calls of the future are looked at."""
PER_TRANSCRIPT, PER_REPOSITORY = 3, 4
"""At most so many cases of one transcript, and of one repository, agent and kind."""

_BOOKKEEPING = {"TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "update_plan"}
_NAMED = re.compile(r"(.+?)--(.+?)--.+")


class Case(Struct, frozen=True, kw_only=True):
    """One cut. The prefix is the first `cut` lines of `path`; the future begins at line `start`
    of `future`.
    """

    name: str
    kind: str
    agent: str
    repository: str
    path: Path
    cut: int
    future: Path
    start: int


class Glance(Struct, frozen=True, kw_only=True):
    """What the choice needs to know of one transcript."""

    path: Path
    agent: str
    repository: str
    thread: str
    first: float
    last: float
    lines: int
    calls: tuple[tuple[int, str], ...]
    """Line and id of every call that counts."""
    cuts: tuple[tuple[str, int], ...]


@lru_cache(maxsize=6)
def transcript(path: Path) -> Transcript:
    """A transcript, kept for the next question about it."""
    return reading.read(path)


def is_step(entry: Entry) -> bool:
    """Whether an entry is a call that does something; keeping a task list does nothing."""
    return isinstance(entry, Call) and entry.tool not in _BOOKKEEPING


def cases(folder: Path, progress: Callable[[str], None]) -> tuple[list[Case], int]:
    """The chosen cases of all transcripts below a folder, and how many transcripts there are."""
    glances: list[Glance] = []
    paths = sorted(folder.rglob("*.jsonl"))
    for number, path in enumerate(paths, 1):
        progress(f"reading {number}/{len(paths)}")
        try:
            found = transcript(path)
        except (reading.UnknownShapeError, OSError):
            continue
        if not found.helper:
            glances.append(glance(found))
    return choose([*_within(glances), *_following(glances)]), len(glances)


def glance(found: Transcript) -> Glance:
    """What the choice needs, and nothing that takes room."""
    first, last = found.times
    name = _NAMED.fullmatch(found.path.stem)
    folder = found.folders[0] if found.folders else ""
    repository = f"{name[1]}/{name[2]}" if name else folder or str(found.path.parent)
    return Glance(
        path=found.path,
        agent=found.agent,
        repository=repository,
        thread=folder,
        first=first,
        last=last,
        lines=found.lines,
        calls=tuple((e.line, e.id) for e in found.entries if isinstance(e, Call) and is_step(e)),
        cuts=tuple(_cuts(found.entries)),
    )


def _cuts(entries: list[Entry]) -> Iterator[tuple[str, int]]:
    before: Entry | None = None
    for entry in entries:
        if isinstance(entry, Compacted):
            if not isinstance(before, Compacted):
                yield "compact", entry.line - 1
        elif isinstance(entry, Prompt) and before is not None and not isinstance(before, Compacted):
            silent = entry.at is not None and before.at is not None and entry.at - before.at
            if silent and silent >= SILENCE:
                yield "break", before.line
        before = entry


def _within(glances: list[Glance]) -> Iterator[Case]:
    """Cuts with their future in the same file. A fork that holds the same work gives no second."""
    seen: set[tuple[str, str]] = set()
    for g in glances:
        for kind, cut in g.cuts:
            past = [id_ for line, id_ in g.calls if line <= cut]
            if len(past) >= BEFORE and len(g.calls) - len(past) >= AFTER:
                if (kind, past[-1]) not in seen:
                    yield _case(kind, g, cut, g.path, cut + 1)
                seen.add((kind, past[-1]))


def _following(glances: list[Glance]) -> Iterator[Case]:
    threads: dict[tuple[str, str, str], list[Glance]] = defaultdict(list)
    for g in glances:
        if g.thread and g.first:
            threads[g.agent, g.repository, g.thread].append(g)
    for thread in threads.values():
        thread.sort(key=lambda g: (g.first, str(g.path)))
        for g in thread:
            later = next((other for other in thread if other.first > g.last), None)
            if later is None or len(g.calls) < BEFORE:
                continue
            # A resumed session may begin with a copy of the old one.
            old = {id_ for _, id_ in g.calls}
            fresh = [line for line, id_ in later.calls if id_ not in old]
            if len(fresh) >= AFTER:
                copied = len(fresh) < len(later.calls)
                yield _case("next", g, g.lines, later.path, fresh[0] if copied else 1)


def _case(kind: str, g: Glance, cut: int, future: Path, start: int) -> Case:
    return Case(
        name=f"{kind}:{g.path.stem}@{cut}",
        kind=kind,
        agent=g.agent,
        repository=g.repository,
        path=g.path,
        cut=cut,
        future=future,
        start=start,
    )


def choose(found: list[Case]) -> list[Case]:
    """A few of each transcript, repository, agent and kind, so that none outweighs the rest."""
    each: Counter[Path] = Counter()
    group: Counter[tuple[str, str, str]] = Counter()
    chosen = []
    for case in sorted(found, key=lambda c: hashlib.sha256(c.name.encode()).hexdigest()):
        key = (case.repository, case.agent, case.kind)
        if each[case.path] < PER_TRANSCRIPT and group[key] < PER_REPOSITORY:
            each[case.path] += 1
            group[key] += 1
            chosen.append(case)
    return sorted(chosen, key=lambda c: (c.agent, KINDS.index(c.kind), c.name))


def past_of(case: Case) -> list[Entry]:
    """The entries that a briefing may be made of."""
    return transcript(case.path).before(case.cut)


def steps_of(case: Case) -> list[Call]:
    """The calls after the cut."""
    found = [
        entry
        for entry in transcript(case.future).entries
        if isinstance(entry, Call) and is_step(entry) and entry.line >= case.start
    ]
    return found[:STEPS]


def summary_of(case: Case) -> str:
    """The client's own summary at a compaction; "" elsewhere, and where it is sealed."""
    if case.kind != "compact":
        return ""
    texts = []
    for entry in transcript(case.path).entries:
        if entry.line > case.cut:
            if not isinstance(entry, Compacted):
                break
            texts.append(entry.summary)
    return "\n".join(filter(None, texts))


def compacted_of(case: Case) -> bytes:
    """The lines of the compaction behind a cut, byte for byte."""
    end = case.cut
    for entry in transcript(case.path).entries:
        if entry.line > case.cut:
            if not isinstance(entry, Compacted):
                break
            end = entry.line
    with case.path.open("rb") as file:
        return b"".join(line for number, line in enumerate(file, 1) if case.cut < number <= end)


def prefix_of(case: Case) -> bytes:
    """The first lines of the file, byte for byte."""
    with case.path.open("rb") as file:
        return b"".join(line for number, line in enumerate(file, 1) if number <= case.cut)
