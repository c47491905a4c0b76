"""Autosave: the state of this session in memory/checkpoints/autosave.md, silently.

The documents' `/checkpoint auto`: nobody types it, hooks call it. It knows no name but its own,
so that it cannot touch a checkpoint that somebody named.
"""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from onward.briefing.text import one_line, shorten
from onward.commands import gather, workspace
from onward.commands.result import compose
from onward.commands.world import World
from onward.documents import by_hand, checkpoint_md, times
from onward.model import Checkpoint, Clean
from onward.storage import checkpoints, reading
from onward.storage.names import AUTOSAVE
from onward.storage.project import Project

Signal = Literal["context", "farewell", "idle", "long"]
"""Above 70 % of the context, words of farewell, ten minutes of silence, a long command ahead."""

_PART = 120  # characters of task and next action in a line of the log


def autosave(
    world: World, project: Project, session: str, transcript: Path, signal: Signal
) -> bool:
    """Overwrite the autosave with what this transcript and SESSION-STATE.md hold, and log it.

    Returns whether there was anything to save: a session in which nothing was done or settled
    leaves no trace, whatever stands in the state file; nor does one that the client has not
    written yet, and nothing is saved where nothing is kept (the home folder, the root of the
    disk). Raises what reading the transcript and writing raise.
    """
    here = replace(world, cwd=project.root)
    if not transcript.is_file() or not transcript.stat().st_size:
        return False
    if not workspace.may_save(here, project):
        return False
    gathered = gather.gather(here, project, str(transcript.absolute()))
    if not gathered.worked:
        return False
    now = times.utc(world.now)
    draft = replace(gathered.draft, name=AUTOSAVE, saved=now, created=now)
    checkpoint = workspace.redactor(here).draft(draft)
    zone = world.now.tzinfo or UTC
    checkpoint, own = _with_hand(here, project, checkpoint)
    marks = by_hand.marks(checkpoint, own)
    text = checkpoint_md.render(checkpoint, zone=zone, marks=marks)
    checkpoints.write_autosave(
        project, text, _entry(checkpoint, times.local(now, zone), signal, session)
    )
    return True


def _with_hand(
    world: World, project: Project, checkpoint: Checkpoint
) -> tuple[Checkpoint, Checkpoint | None]:
    """With the user's edits of this session's autosave; another's goes to the trash."""
    path = checkpoints.path_of(project, AUTOSAVE)
    former = reading.text(path, inside=project.root) if path.is_file() else ""
    edits = by_hand.read(former)
    if by_hand.is_empty(edits.draft) and not edits.gone:
        return checkpoint, None
    if checkpoint_md.parse(former).origin.session != checkpoint.origin.session:
        workspace.trash(world).put(path, checkpoints.KIND, project)
        return checkpoint, None
    own = by_hand.yielding(workspace.redactor(world).draft(edits.draft), checkpoint)
    return by_hand.lay_over(checkpoint, own, edits), own


def _entry(checkpoint: Checkpoint, at: str, signal: Signal, session: str) -> Clean:
    """`- 2026-03-01 21:40 GMT+8 · farewell · 0b1c2d3e · TASK · Next: ACTION`."""
    following = checkpoint.next_action.text if checkpoint.next_action else "none found"
    parts = [at, signal, (checkpoint.origin.session or session)[:8]]
    parts += [_line(checkpoint.task.text), f"Next: {_line(following)}"]
    return compose(f"- {' · '.join(part for part in parts if part)}")


def _line(text: str) -> str:
    return shorten(one_line(text), _PART)
