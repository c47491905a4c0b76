"""What `protocol save` and `protocol load` print: the document's Output Format, word for word.

Part of the formats room. `done` counts original tasks: individual ones and those that went
into a consolidated entry.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from onward.documents import protocol_records as records
from onward.documents.protocol_json import next_task
from onward.evidence import escape
from onward.model import Clean, Drift, T


class Tally(Struct, frozen=True, kw_only=True):
    """The counts of a file. `originals` is how many tasks the consolidated ones were."""

    pending: int
    priorities: tuple[tuple[str, int], ...]
    in_progress: int
    individual: int
    groups: int
    originals: int
    branch: str | None
    commit: str
    created: str
    next_id: str
    next_title: str


def tally(text: str, clean: Callable[[str], Clean] | None = None) -> Tally:
    """The counts of a file's text; a user may have written its titles, so `clean` is applied to all
    of it. Raises InputError where it is no JSON.
    """
    protocol = records.decode(text, clean)
    tasks = [record.task for record in protocol.tasks]
    pending = [task for task in tasks if task.status == "pending"]
    levels = Counter(task.priority for task in pending if task.priority)
    done = [task for task in tasks if task.status == "completed"]
    groups = [task for task in done if task.consolidated]
    following = next_task(tasks)
    return Tally(
        pending=len(pending),
        priorities=tuple(sorted(levels.items())),
        in_progress=sum(task.status == "in_progress" for task in tasks),
        individual=len(done) - len(groups),
        groups=len(groups),
        originals=sum(task.consolidated_count for task in groups),
        branch=protocol.branch,
        commit=protocol.commit,
        created=protocol.created,
        next_id=following.id if following else "",
        next_title=" ".join(following.title.split()) if following else "",
    )


def gone(old: str, new: str) -> list[str]:
    """The ids of the open tasks that a save took out of the file."""
    if not old.strip():
        return []
    left = {record.task.id for record in records.decode(new).tasks}
    return [
        record.task.id
        for record in records.decode(old).tasks
        if re.fullmatch(r"TASK_\d+", record.task.id)
        and record.task.id not in left
        and record.task.status != "completed"
    ]


def saved_report(count: Tally, file: str) -> str:
    """The block after a save: `Saved → sp.json`, counts, git, next."""
    levels = ", ".join(f"{number} {level}" for level, number in count.priorities)
    pending = f"{count.pending} pend" + (f" ({levels})" if levels else "")
    working = f", {count.in_progress} prog" if count.in_progress else ""
    done = count.individual + count.originals
    parts = f" ({count.individual} individual, {_groups(count)})" if count.groups else ""
    return "\n".join(
        (
            f"Saved → {file}",
            f"- {pending}{working}",
            f"- {done} done{parts}",
            *([f"- Git: {_git(count)}"] if count.commit or count.branch else []),
            *_next(count),
        )
    )


def saved_line(count: Tally) -> str:
    """`Saved 3 pend, 3 done (5 consolidated). Next: TASK_001 - Fix auth`."""
    grouped = f" ({count.originals} consolidated)" if count.groups else ""
    return " ".join((f"Saved {_short(count)}{grouped}.", *_next(count)))


def loaded_report(count: Tally, file: str, age: str, drift: Drift[T] | None = None) -> str:
    """The block after a load; `age` as `2d`. The document's warnings follow the git line."""
    done = count.individual + count.originals
    grouped = f" ({_groups(count)})" if count.groups else ""
    ahead = _moved(drift)
    git = f"- Git: {_git(count)}" + (f" ({ahead})" if ahead else "")
    return "\n".join(
        (
            f"Loaded {file} ({age} old)",
            f"- {count.pending} pend, {count.in_progress} prog, {done} done{grouped}",
            *([git] if count.commit or count.branch else []),
            *(f"- {warning}" for warning in warnings(drift)),
            *_next(count),
        )
    )


def loaded_line(count: Tally, age: str, drift: Drift[T] | None = None) -> str:
    """`Loaded (2d old): 3 pend, 3 done (5 consolidated into 1). Next: … Git: state changed …`."""
    grouped = f" ({count.originals} consolidated into {count.groups})" if count.groups else ""
    ahead = _moved(drift)
    git = f"Git: state changed ({ahead})" if ahead else "Git: state changed"
    changed = [git] if drift and drift.commit_was != drift.commit_now else []
    branch = [warning for warning in warnings(drift) if warning.startswith("Branch")]
    said = (f"Loaded ({age} old): {_short(count)}{grouped}", *_next(count), *changed, *branch)
    return ". ".join(said)


def warnings(drift: Drift[T] | None) -> list[str]:
    """`Git state changed` and `Branch: saved → current`, where they hold."""
    if drift is None:
        return []
    said: list[str] = []
    if drift.commit_was != drift.commit_now:
        said.append("Git state changed")
    if drift.branch_was or drift.branch_now:
        was, now = drift.branch_was or "detached head", drift.branch_now or "detached head"
        said.append(f"Branch: {was} → {now}")
    return said


def _short(count: Tally) -> str:
    working = f", {count.in_progress} prog" if count.in_progress else ""
    return f"{count.pending} pend{working}, {count.individual} done"


def _groups(count: Tally) -> str:
    return f"{count.groups} consolidated from {count.originals}"


def _git(count: Tally) -> str:
    return f"{count.branch or 'detached head'} @ {count.commit[:7] or 'no commit'}"


def _next(count: Tally) -> list[str]:
    title = escape(count.next_title)
    return [f"Next: {count.next_id} - {title}"] if title else []


def _moved(drift: Drift[T] | None) -> str:
    if drift is None:
        return ""
    if drift.commit_gone:
        return "saved commit gone"
    ahead = f"{drift.ahead} commit{'s' if drift.ahead > 1 else ''} ahead" if drift.ahead else ""
    behind = f"{drift.behind} behind" if drift.behind else ""
    return ", ".join(part for part in (ahead, behind) if part)
