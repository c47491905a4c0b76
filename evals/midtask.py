"""Sessions cut in mid-task: is everything that was in hand still there, and how fast?

The cut is the last moment at which a compaction lies behind, an order was given after it, the
task list has something done, something in hand and something to come, and several files were
edited. What a user would miss first is then asked for, item by item.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from evals import measures, reading, truth, words
from evals.cases import Case, prefix_of, transcript
from evals.entries import Call, Compacted, Entry, Prompt, Result
from evals.texts import MAKERS

BUDGET = 1500
EDITED = 5
"""Files that must have been edited for a session to be long work."""

# So a client writes where no branch is checked out.
_DETACHED = "HEAD"
_COMMITTED = re.compile(
    r"^\[(?P<branch>[^\]\n]+?) (?:\(root-commit\) )?(?P<hash>[0-9a-f]{7,})\] (?P<subject>.+)$",
    re.MULTILINE,
)
_SWITCHED = re.compile(r"^Switched to (?:a new )?branch '([^'\n]+)'$", re.MULTILINE)
_PLAN = re.compile(r"Implement the following plan:\s*(.+)", re.DOTALL)


class InHand(Struct, frozen=True, kw_only=True):
    """What was in hand at the cut; "" and () where the session has no such thing."""

    order: str
    current: tuple[str, ...]
    pending: tuple[str, ...]
    done: int
    branch: str
    commit: tuple[str, str]
    plan: str
    edited: tuple[str, ...]


class Carried(Struct, frozen=True, kw_only=True):
    """How much of each a text holds: a pair of numbers, None where there is nothing to hold."""

    name: str
    source: str
    of: str
    """`9 of 12`: which task was in hand."""
    megabytes: float
    held: dict[str, tuple[int, int] | None]
    tokens: int
    ms: float

    @property
    def whole(self) -> bool:
        """Whether nothing is missing."""
        return all(pair is None or pair[0] == pair[1] for pair in self.held.values())


def sessions(folder: Path, progress: Callable[[str], None]) -> Iterator[Case]:
    """One cut of every transcript that has such a moment."""
    paths = sorted(folder.rglob("*.jsonl"))
    for number, path in enumerate(paths, 1):
        progress(f"looking for mid-task cuts {number}/{len(paths)}")
        try:
            found = transcript(path)
        except (reading.UnknownShapeError, OSError):
            continue
        cut = 0 if found.helper else cut_of(found.entries)
        if cut:
            yield Case(
                name=f"mid-task:{path.stem}@{cut}",
                kind="mid-task",
                agent=found.agent,
                repository=path.stem,
                path=path,
                cut=cut,
                future=path,
                start=cut + 1,
            )


def cut_of(entries: list[Entry]) -> int:
    """The line of the last moment in mid-task; 0 where there was none."""
    ordered = compacted = False
    listed: list[Entry] = []
    states: set[str] = set()
    edited: set[str] = set()
    cut = 0
    for entry in entries:
        if isinstance(entry, Compacted):
            compacted, ordered = True, False
        elif isinstance(entry, Prompt):
            ordered = compacted and (ordered or _is_order(entry))
        elif isinstance(entry, Call | Result):
            if isinstance(entry, Result) or entry.todos or entry.task[2]:
                listed.append(entry)
            if isinstance(entry, Call):
                edited.update(entry.edits)
                if entry.todos or entry.task[2]:
                    continue  # a list counts once its result is there
            states = _states(listed, states)
            listed = [] if not _has_tasks(listed) else listed
        if ordered and len(edited) >= EDITED and states >= {"completed", "in_progress", "pending"}:
            cut = entry.line
    return cut


def _has_tasks(entries: list[Entry]) -> bool:
    return any(isinstance(e, Call) for e in entries)


def _states(entries: list[Entry], before: set[str]) -> set[str]:
    if not _has_tasks(entries):
        return before
    return set(truth.todos(entries).values())


def _is_order(prompt: Prompt) -> bool:
    bare = re.fullmatch(r"/\S+", prompt.text)
    return not bare and truth.substance(words.content(prompt.text)) >= truth.SUBSTANTIAL


def in_hand(case: Case) -> InHand:
    """What a text is asked for."""
    found = transcript(case.path)
    past = found.before(case.cut)
    tasks = truth.todos(past)
    roots = truth.truth_of(past, [], found.folders).roots
    commits = [m for e in past if isinstance(e, Result) for m in _COMMITTED.finditer(e.text)]
    # Codex writes the branch at the beginning alone.
    switched = [b for e in past if isinstance(e, Result) for b in _SWITCHED.findall(e.text)]
    named = [b for line, b in found.branches if line <= case.cut]
    branches = [*named, *(switched if found.agent == "codex" else ())]
    edited = [truth.relative(p, roots) for e in past if isinstance(e, Call) for p in e.edits]
    return InHand(
        order=next(e.text for e in reversed(past) if isinstance(e, Prompt) and _is_order(e)),
        current=tuple(title for title, state in tasks.items() if state == "in_progress"),
        pending=tuple(title for title, state in tasks.items() if state == "pending"),
        done=sum(state == "completed" for state in tasks.values()),
        branch="".join(branches[-1:]).removeprefix(_DETACHED),
        commit=(commits[-1]["hash"][:7], commits[-1]["subject"]) if commits else ("", ""),
        plan=_plan(past),
        edited=tuple(dict.fromkeys(edited)),
    )


def _plan(past: list[Entry]) -> str:
    """The title of the last plan: its first line of words."""
    for entry in reversed(past):
        text = entry.plan if isinstance(entry, Call) else ""
        if isinstance(entry, Prompt) and (found := _PLAN.match(entry.text)):
            text = found[1]
        if text.strip():
            return text.strip().split("\n", 1)[0].lstrip("# ").strip()
    return ""


def held(asked: InHand, text: str) -> dict[str, tuple[int, int] | None]:
    """How much of what was in hand a text holds."""
    told = words.paths(text)
    files = sum(
        any(words.same_file(path, p) for p in told) or path in text for path in asked.edited
    )
    commit = bool(asked.commit[0]) and (asked.commit[0] in text or asked.commit[1] in text)
    return {
        "last order": _pair([asked.order], text),
        "current task": _pair(asked.current, text),
        "pending tasks": _pair(asked.pending, text),
        "branch": (int(asked.branch in text), 1) if asked.branch else None,
        "last commit": (int(commit), 1) if asked.commit[0] else None,
        "plan title": _pair([asked.plan] if asked.plan else [], text),
        "edited files": (files, len(asked.edited)),
    }


def _pair(lines: tuple[str, ...] | list[str], text: str) -> tuple[int, int] | None:
    return (sum(_holds(text, line) for line in lines), len(lines)) if lines else None


def _holds(text: str, line: str) -> bool:
    asked = tuple(words.content(line)[: truth.FIRST_WORDS])
    return line in text or (bool(asked) and measures.best_passage(text, asked) >= measures.ENOUGH)


def row(case: Case, source: str, size: Callable[[str], int]) -> Carried:
    """One text of one session, held against what was in hand. The second of two runs is timed:
    compiled patterns and imports are not this session's cost.
    """
    asked = in_hand(case)
    MAKERS[source](case, BUDGET)
    made = MAKERS[source](case, BUDGET)
    whole = asked.done + len(asked.current) + len(asked.pending)
    return Carried(
        name=case.name.removeprefix("mid-task:"),
        source=source,
        of=f"{asked.done + 1} of {whole}",
        megabytes=len(prefix_of(case)) / 1e6,
        held=held(asked, made.text),
        tokens=size(made.text),
        ms=made.seconds * 1000,
    )
