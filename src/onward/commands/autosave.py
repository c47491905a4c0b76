"""Autosave: the state of this session in memory/checkpoints/autosave.md, silently.

The documents' `/checkpoint auto`: nobody types it, hooks call it. It knows no name but its own,
so that it cannot touch a checkpoint that somebody named.

And the working buffer, the documents' danger zone log: once the context is nearly full, each exchange
in a file of the project. What was said just before a compaction or a dead session can be read there
when a checkpoint is thin; it is emptied once somebody resumed.
"""

from __future__ import annotations

import re
from datetime import UTC
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from onward import evidence
from onward.briefing.text import one_line, shorten
from onward.commands import save, workspace
from onward.commands.result import compose
from onward.commands.world import World
from onward.documents import by_hand, checkpoint_md, markdown, page, times
from onward.model import Checkpoint, Section
from onward.record.text import bounded
from onward.storage import atomic, checkpoints, documents, locks, reading
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
    gathered = save.gather(here, project, str(transcript.absolute()))
    if not gathered.worked:
        return False
    now = times.utc(world.now)
    draft = replace(gathered.draft, name=AUTOSAVE, saved=now, created=now)
    checkpoint = workspace.redactor(here).draft(draft)
    zone = world.now.tzinfo or UTC
    checkpoint, marks = _with_hand(here, project, checkpoint)
    text = checkpoint_md.render(checkpoint, zone=zone, marks=marks)
    # `- 2026-03-01 21:40 GMT+8 · farewell · 0b1c2d3e · TASK · Next: ACTION`
    following = checkpoint.next_action.text if checkpoint.next_action else "none found"
    task, step = (shorten(one_line(each), _PART) for each in (checkpoint.task.text, following))
    whose = (checkpoint.origin.session or session)[:8]
    parts = filter(None, (times.local(now, zone), signal, whose, task, f"Next: {step}"))
    checkpoints.write_autosave(project, text, compose(f"- {' · '.join(parts)}"))
    return True


def _with_hand(
    world: World, project: Project, checkpoint: Checkpoint
) -> tuple[Checkpoint, tuple[str, str]]:
    """With the user's edits of this session's autosave, and the marks of it; another's goes to the
    trash.
    """
    path = checkpoints.path_of(project, AUTOSAVE)
    former = reading.text(path, inside=project.root) if path.is_file() else ""
    edits = by_hand.read(former)
    if by_hand.is_empty(edits.draft) and not edits.gone:
        return checkpoint, by_hand.marks(checkpoint, None)
    if checkpoint_md.parse(former).origin.session != checkpoint.origin.session:
        workspace.trash(world).put(path, checkpoints.KIND, project)
        return checkpoint, by_hand.marks(checkpoint, None)
    own = by_hand.yielding(workspace.redactor(world).draft(edits.draft), checkpoint)
    laid, away = by_hand.lay_over(checkpoint, own, edits)
    return laid, by_hand.marks(laid, own, away)


_MOST = 50  # exchanges
_BYTES = 128 * 1024
_LONGEST = 2000  # characters of one side of an exchange
_REDACTED = 64_000  # characters that are redacted at all: more would be cut off again
_USER, _AGENT = "Human", "Agent"
_OURS = re.compile(r"\[\d{4}-\d\d-\d\d \d\d:\d\d GMT[\d:+-]*\] (Human|Agent)")
_HEAD = (
    "# Working Buffer\n\n## How to resume\n\n"
    "The last exchanges of a session whose context was nearly full. `onward save NAME` reads them\n"
    "where the rest is thin; after a resume they go.\n"
)
"""The heading that readers pass over keeps them from taking lines of an exchange for one."""


def add_exchange(world: World, project: Project, prompt: str, reply: str) -> None:
    """Add one exchange: the user's words and the agent's last ones, redacted and clipped. The
    newest 50 stay, and no more than 128 KB. Raises StorageError, RefusedError for a link.
    """
    redactor = workspace.redactor(world)
    at = times.local(times.utc(world.now), world.now.tzinfo or UTC)
    sides = ((_USER, prompt), (_AGENT, reply))
    said = [
        Section(
            heading=f"[{at}] {who}",
            body=compose(evidence.escape(bounded(redactor.text(_beginning(text)), _LONGEST))),
        )
        for who, text in sides
        if text.strip()
    ]
    if not said:
        return
    with locks.hold(locks.beside(project.buffer), inside=project.root):
        text = documents.read(project.buffer, project.root)
        before = text.rstrip() if text.strip() else _HEAD.rstrip()
        added = compose(*page.render_extra(said))
        _write(project, _bounded(f"{before}\n\n{added}"))


def _beginning(text: str) -> str:
    """What of a text is redacted: up to a gap between words, as half a token looks like nothing."""
    if len(text) <= _REDACTED:
        return text
    return text[:_REDACTED].rsplit(None, 1)[0]


def empty_buffer(project: Project) -> None:
    """Take all exchanges out; what a user wrote under headings of their own stays."""
    if not project.buffer.is_file():
        return
    with locks.hold(locks.beside(project.buffer), inside=project.root):
        text = documents.read(project.buffer, project.root)
        found = _exchanges(text)
        if found:
            _write(project, _without(text, found))


def _write(project: Project, text: str) -> None:
    atomic.write(project.buffer, compose(f"{text.rstrip()}\n"), inside=project.root)


def _bounded(text: str) -> str:
    """Without the oldest exchanges, where there are too many or too long ones."""
    found, lines = _exchanges(text), markdown.split_lines(text)
    sizes = [sum(len(lines[n].encode()) + 1 for n in part) for part in found]
    gone = max(0, len(found) - _MOST)
    while gone < len(found) and sum(sizes[gone:]) > _BYTES:
        gone += 1
    return _without(text, found[:gone])


def _exchanges(text: str) -> list[range]:
    """The lines of each exchange of ours, counted from 0: one side, or the user's and then
    the agent's. A section ends at the next heading of its level.
    """
    parts = [part for part in markdown.parts(text) if part.level <= 2]
    ends = [part.line - 1 for part in parts[1:]] + [len(markdown.split_lines(text))]
    found: list[range] = []
    open_at = -1  # where an exchange ends that still lacks the agent's side
    for part, end in zip(parts, ends, strict=True):
        ours = _OURS.fullmatch(part.title) if part.level == 2 else None
        if ours and ours[1] == _AGENT and open_at == part.line - 1:
            found[-1] = range(found[-1].start, end)
        elif ours:
            found.append(range(part.line - 1, end))
        open_at = end if ours and ours[1] == _USER else -1
    return found


def _without(text: str, gone: list[range]) -> str:
    dropped = {n for part in gone for n in part}
    return "\n".join(line for n, line in enumerate(markdown.split_lines(text)) if n not in dropped)
