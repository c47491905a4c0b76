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
from onward.evidence import escape
from onward.model import Clean, Drift, T

_CHANGED, _DETACHED = "Git state changed", "detached head"


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
    tasks = protocol.tasks
    pending = [task for task in tasks if task.status == "pending"]
    levels = Counter(task.priority for task in pending if task.priority)
    done = [task for task in tasks if task.status == "completed"]
    groups = [task for task in done if task.consolidated]
    following = next((task for task in tasks if task.status != "completed"), None)
    return Tally(
        pending=len(pending),
        priorities=tuple(sorted(levels.items())),
        in_progress=len(tasks) - len(pending) - len(done),
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
    left = {task.id for task in records.decode(new).tasks}
    tasks = (task for task in records.decode(old).tasks if task.status != "completed")
    return [t.id for t in tasks if re.fullmatch(r"TASK_\d+", t.id) and t.id not in left]


def saved_report(count: Tally, file: str) -> str:
    """The block after a save: `Saved → sp.json`, counts, git, next."""
    levels = ", ".join(f"{number} {level}" for level, number in count.priorities)
    pending = f"{count.pending} pend" + (f" ({levels})" if levels else "")
    parts = f"{count.individual} individual, " if count.groups else ""
    lines = [f"Saved → {file}", f"- {pending}{_working(count)}", f"- {_done(count, parts)}"]
    return "\n".join([*lines, *_git(count), *_next(count)])


def saved_line(count: Tally) -> str:
    """`Saved 3 pend, 3 done (5 consolidated). Next: TASK_001 - Fix auth`."""
    grouped = f" ({count.originals} consolidated)" if count.groups else ""
    return " ".join((f"Saved {_short(count)}{grouped}.", *_next(count)))


def loaded_report(count: Tally, file: str, age: str, drift: Drift[T] | None = None) -> str:
    """The block after a load; `age` as `2d`. The document's warnings follow the git line."""
    counts = f"- {count.pending} pend, {count.in_progress} prog, {_done(count)}"
    told = [f"- {warning}" for warning in warnings(drift)]
    lines = [f"Loaded {file} ({age} old)", counts, *_git(count, _moved(drift)), *told]
    return "\n".join([*lines, *_next(count)])


def loaded_line(count: Tally, age: str, drift: Drift[T] | None = None) -> str:
    """`Loaded (2d old): 3 pend, 3 done (5 consolidated into 1). Next: … Git: state changed …`."""
    grouped = f" ({count.originals} consolidated into {count.groups})" if count.groups else ""
    said = [f"Loaded ({age} old): {_short(count)}{grouped}", *_next(count)]
    for warning in warnings(drift):
        ahead = f" ({_moved(drift)})" if _moved(drift) else ""
        said.append(f"Git: state changed{ahead}" if warning == _CHANGED else warning)
    return ". ".join(said)


def warnings(drift: Drift[T] | None) -> list[str]:
    """`Git state changed` and `Branch: saved → current`, where they hold."""
    if drift is None:
        return []
    said = [_CHANGED] if drift.commit_was != drift.commit_now else []
    if drift.branch_was or drift.branch_now:
        was, now = drift.branch_was or _DETACHED, drift.branch_now or _DETACHED
        said.append(f"Branch: {was} → {now}")
    return said


def _short(count: Tally) -> str:
    return f"{count.pending} pend{_working(count)}, {count.individual} done"


def _working(count: Tally) -> str:
    return f", {count.in_progress} prog" if count.in_progress else ""


def _done(count: Tally, parts: str = "") -> str:
    groups = f" ({parts}{count.groups} consolidated from {count.originals})" if count.groups else ""
    return f"{count.individual + count.originals} done{groups}"


def _git(count: Tally, moved: str = "") -> list[str]:
    where = f"{count.branch or _DETACHED} @ {count.commit[:7] or 'no commit'}"
    shown = f"- Git: {where} ({moved})" if moved else f"- Git: {where}"
    return [shown] if count.commit or count.branch else []


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
