"""`resume`: the documents' recovery briefing, then going on or putting it in the trash."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from msgspec import Struct

from onward.brief import brief
from onward.brief.changes import sentences
from onward.commands import delete, drifting, rim, source
from onward.commands.result import Result, compose
from onward.commands.source import Source
from onward.commands.world import World
from onward.errors import RefusedError
from onward.formats import times
from onward.model import Checkpoint, Clean, Drift
from onward.store import checkpoints

_PROGRESS = 6  # of the newest; the briefing below has the rest
_WARNINGS = 8  # of the most consequential; so has it of these
_GONE = {"deleted", "missing", "renamed", "moved"}


class Resumed(Struct, frozen=True, kw_only=True):
    """What `resume --json` prints."""

    name: str
    kind: str
    path: str
    age: str
    task: Clean
    next_action: Clean | None
    stale: list[str]
    others: list[str]
    checkpoint: Checkpoint
    drift: Drift[Clean] | None


def present(world: World, what: str, *, accepted: bool = False) -> Result:
    """The briefing. Nothing is changed; with `accepted` it ends in the next action to do."""
    project = rim.here(world)
    name = what or source.newest(project)
    others = [each for each in checkpoints.names(project) if each != name] if not what else []
    return tell(world, source.load(world, name), others, accepted=accepted)


def tell(
    world: World, found: Source, others: Sequence[str] = (), *, accepted: bool = False
) -> Result:
    """The documents' block, then the briefing of a saved place that was loaded."""
    checkpoint, drift = found.checkpoint, drifting.look(world, found)
    age = drifting.age_of(world, found)
    stale = sentences(drift) if drift else []
    lines = [*_block(world, checkpoint, age, stale), "", brief(checkpoint, drift, age=age)]
    if accepted:
        lines += ["", *_order(checkpoint, drift)]
    data = Resumed(
        name=found.name,
        kind=found.kind,
        path=rim.shown(found.path, world, found.root),
        age=age,
        task=checkpoint.task.text,
        next_action=checkpoint.next_action.text if checkpoint.next_action else None,
        stale=stale,
        others=list(others),
        checkpoint=checkpoint,
        drift=drift,
    )
    return Result(text=compose(*lines), data=data, notes=_notes(found, others, accepted=accepted))


def go_on(world: World, what: str) -> Result:
    """Only the next action, for somebody who has just read the briefing and said yes."""
    found = source.load(world, what or source.newest(rim.here(world)))
    drift = drifting.look(world, found)
    return Result(text=compose(*_order(found.checkpoint, drift)))


def decline(world: World, what: str) -> Result:
    """The person does not want it: into the trash with it."""
    name = what or source.newest(rim.here(world))
    if name not in checkpoints.names(rim.here(world)) and (world.cwd / name).exists():
        raise RefusedError(
            "only a named checkpoint can be declined; nothing was deleted", "onward list"
        )
    return delete.delete(world, name)


def _block(world: World, checkpoint: Checkpoint, age: str, stale: list[str]) -> list[str]:
    date = times.local(checkpoint.saved or checkpoint.created, world.now.tzinfo or UTC)
    lines = [
        f"📌 Resume: {_line(checkpoint.task.text)}",
        f"Saved: {date} ({age})" if date else f"Saved: {age} ago",
        "✅ Progress:",
    ]
    done = checkpoint.progress[-_PROGRESS:]
    lines += [f"- {_line(item.text)}" for item in done] or ["- nothing recorded"]
    following = checkpoint.next_action
    lines.append(f"🔜 Next action: {following.text if following else 'none recorded'}")
    if stale:
        lines += ["⚠️ Stale warnings:", *(f"- {line}" for line in stale[:_WARNINGS])]
        if len(stale) > _WARNINGS:
            lines.append(f"- and {len(stale) - _WARNINGS} more")
    return lines


def _order(checkpoint: Checkpoint, drift: Drift[Clean] | None) -> list[str]:
    lines = []
    if drift and (gone := [f.path for f in drift.files if f.change in _GONE]):
        lines.append(f"First find these again, they are not where they were: {', '.join(gone)}")
    following = checkpoint.next_action
    lines.append(
        f"Go on with: {following.text}"
        if following
        else "No next action was recorded: ask what to do next."
    )
    return lines


def _notes(found: Source, others: Sequence[str], *, accepted: bool) -> tuple[str, ...]:
    notes = []
    if others:
        notes.append(f"the newest of {len(others) + 1}; to see the others: onward list")
    if found.name and not accepted:
        notes.append(
            f"to go on: onward resume {found.name} --yes; "
            f"to put it in the trash: onward resume {found.name} --no"
        )
    return tuple(notes)


def _line(text: str) -> str:
    return " ".join(text.split())
