"""Open work: what in a session's checkpoint says that the work is not finished.

The agent's own wish to go on is no such sign: nearly every session ends in one.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from onward.model import Checkpoint, Clean, Evidence, Run, Task

Kind = Literal[
    "question",
    "unanswered",
    "stopped",
    "broken-off",
    "failing",
    "tasks",
    "uncommitted",
    "operation",
    "backup",
    "checkpoint",
]

_ASKED = r"Answer the agent's question:|Approve or change the plan\b|Wait for the person:|Ask whether the plan is to be carried out"
_UNANSWERED = r"Do what was agreed to with\b|Do what was asked last and not begun:|Answer the person:|Look at the picture that the person sent"
_STOPPED = r"Go on with the interrupted act|Go on with the act that was stopped|Go on where the person stopped|Ask how to go on: the person refused|Do what the person said instead of"
_BROKEN = r"Go on with the work that (?:the client broke off|was broken off)|Go on with what was asked, begun and not finished"
_FAILING = r"Mend the failing run:"
_NEXT = re.compile(
    f"(?P<question>{_ASKED})|(?P<unanswered>{_UNANSWERED})|(?P<stopped>{_STOPPED})"
    f"|(?P<broken>{_BROKEN})|(?P<failing>{_FAILING})"
)
"""How the next action begins, by which finding it was made of (`distill.findings.next_action`)."""
_KINDS: dict[str, Kind] = {
    "question": "question",
    "unanswered": "unanswered",
    "stopped": "stopped",
    "broken": "broken-off",
    "failing": "failing",
}
_SAYING, _LONG = 4, 6
"""Words of a request that say something, or letters of one in a script without blanks."""
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
    """What the person last asked for; without a word of theirs, what the work is."""
    asked = [item.text for item in (checkpoint.goal, *checkpoint.requests) if item]
    telling = [text for text in asked if _tells(text)]
    return (telling or ([checkpoint.task.text] if checkpoint.task.text else asked) or [Clean("")])[
        -1
    ]


def _tells(text: str) -> bool:
    """Whether words say by themselves what is wanted, as "yes" and "git add ." do not."""
    words = re.findall(r"[^\W_]+", text)
    wide = sum(not letter.isascii() for word in words for letter in word)
    return len(words) >= _SAYING or wide >= _LONG


def _found(checkpoint: Checkpoint) -> Iterator[Sign]:
    following = checkpoint.next_action
    begun = _NEXT.match(following.text) if following else None
    kind = _KINDS[begun.lastgroup] if begun and begun.lastgroup else None
    if kind and following:
        yield Sign(
            kind=kind,
            text=following.text,
            evidence=following.evidence,
            places=following.places,
            of=_failed(checkpoint.runs, following.places) if kind == "failing" else "",
        )
    failed = next((run for run in checkpoint.runs if _fails(run)), None)
    if failed and kind != "failing":
        yield _failure(failed)
    pending = [task for task in checkpoint.tasks if task.status != "completed"]
    if pending:
        yield _tasks(pending)


def _failed(runs: Iterable[Run[Clean]], places: Container[str]) -> str:
    """What the run at one of these places was."""
    return next((run.kind for run in runs if any(place in places for place in run.places)), "")


def _fails(run: Run[Clean]) -> bool:
    """Whether a check failed last, and nothing was changed since that may have mended it."""
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
