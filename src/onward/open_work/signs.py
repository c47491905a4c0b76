"""Open work: what in a session's checkpoint says that the work is not finished.

The agent's own wish to go on is no such sign: nearly every session ends in one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from onward.model import Checkpoint, Clean, Evidence, Run, Task

Kind = Literal[
    "question",
    "stopped",
    "broken-off",
    "background",
    "failing",
    "tasks",
    "uncommitted",
    "operation",
    "backup",
    "checkpoint",
]

_KINDS: dict[str, Kind] = {
    "waiting": "question",
    "interrupted": "stopped",
    "cut-off": "broken-off",
    "background": "background",
}
"""Which sign a session's status is; the others are none."""
_PROVING = {"test", "build", "types", "lint"}
_CHANGED = {"created", "edited", "deleted", "renamed"}


class Sign(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One reason for calling work open: what it is, who vouches for it, where it can be seen."""

    kind: Kind
    text: Clean
    evidence: Evidence = "observed"
    places: tuple[str, ...] = ()
    of: str = ""
    """What fails: a test, a build, a lint."""
    count: int = 1
    """How many tasks, files, backups or checkpoints it speaks of."""


class Left(NamedTuple):
    """What of a session's changes is known: files that no commit of it took in, and all files
    that it changed.
    """

    loose: tuple[Clean, ...]
    changed: tuple[Clean, ...]


def signs(checkpoint: Checkpoint) -> tuple[Sign, ...]:
    """The reasons that a session itself gives, the most pressing first; none where it is finished.

    What is uncommitted only git can tell (`threads.judge`).
    """
    return tuple(_found(checkpoint))


def changes(checkpoint: Checkpoint) -> Left:
    """The files of the project that the session changed, under the names that they have now."""
    facts = [fact for fact in checkpoint.files if fact.change in _CHANGED]
    own = [fact for fact in facts if not fact.path.startswith(("/", "~", "../"))]
    named = [(fact.to or fact.path, fact.commit) for fact in own]
    loose = tuple(path for path, commit in named if not commit)
    return Left(loose, tuple(path for path, _ in named))


def wanted(checkpoint: Checkpoint) -> Clean:
    """The active request; without one, what the work is."""
    return checkpoint.requests[-1].text if checkpoint.requests else checkpoint.task.text


def _found(checkpoint: Checkpoint) -> Iterator[Sign]:
    status = checkpoint.status
    if kind := _KINDS.get(status.kind):
        following = checkpoint.next_action
        told = status.detail or (following.text if following else wanted(checkpoint))
        yield Sign(kind=kind, text=told, places=status.places)
    if failed := next((run for run in checkpoint.runs if _fails(run)), None):
        yield _failure(failed)
    if pending := [task for task in checkpoint.tasks if task.status != "completed"]:
        yield _tasks(pending)


def _fails(run: Run[Clean]) -> bool:
    """Whether a check failed last, and nothing was changed since that may have fixed it."""
    return run.outcome == "failed" and run.kind in _PROVING and not run.edits_after


def _failure(run: Run[Clean]) -> Sign:
    summary = f" ({run.summary})" if run.summary else ""
    text = Clean(f"`{run.command}` fails{summary}")
    return Sign(kind="failing", text=text, places=run.places, of=run.kind)


def _tasks(left: list[Task[Clean]]) -> Sign:
    doing = next((task for task in left if task.status == "in_progress"), left[0])
    more = f" and {len(left) - 1} more" if len(left) > 1 else ""
    text = Clean(f"{doing.title}{more}")
    return Sign(
        kind="tasks", text=text, evidence=doing.evidence, places=doing.places, count=len(left)
    )
