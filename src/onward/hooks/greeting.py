"""What a session is told at its start."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from onward.commands import handover_cache, saves, workspace
from onward.commands.world import World
from onward.errors import OnwardError
from onward.hooks import context, log
from onward.hooks.environment import Here
from onward.hooks.start import PENDING, RESUMED, from_session
from onward.model import Checkpoint
from onward.storage import backups, markers, question
from onward.storage.project import Project
from onward.transcripts.hook_call import HookCall

_SAME = "This same session goes on after its compaction: nothing needs to be resumed."
_MOST = 9000  # characters; the client cuts at 10,000


def text(
    call: HookCall, here: Here, root: str, early: Mapping[str, Checkpoint] = MappingProxyType({})
) -> str:
    """The documents' two lines where a backup is pending, then what helps to go on; at most
    9,000 characters. A resumed session is not told of its own backup, as it has all that is in
    it, nor of one that it took in and has still to be answered about; a fork of none. `early` holds checkpoints
    of sessions that are at hand.
    """
    project, world = context.project(here, root), context.world(here, root)
    _clean(project, here)
    waiting = _waiting(project)
    if (
        call.detail == "fork"
    ):  # it names no origin, whose history it has: that is the newest as a rule
        waiting = {}
    if call.detail in RESUMED:
        asked = question.get(here.data, call.session)
        again = asked.again if asked else []
        told = {path for path, who in waiting.items() if who == call.session or path.name in again}
        waiting = {path: who for path, who in waiting.items() if path not in told}
    newest = next(iter(waiting), None)
    parts = [_pending(call, newest, world, project)] if newest else []
    if newest and call.detail == "compact" and waiting[newest] == call.session:
        parts.append(_SAME)
    try:
        session = waiting[newest] if newest else ""
        parts.append(_more(call, world, project, newest, (session, early.get(session))))
    except (OnwardError, OSError, ValueError) as error:
        # The two lines are told whatever is wrong with what is behind them.
        log.note(here, f"{call.agent} start: {log.where(error)}")
    return _cut("\n".join(part for part in parts if part))


def _more(
    call: HookCall,
    world: World,
    project: Project,
    newest: Path | None,
    whose: tuple[str, Checkpoint | None],
) -> str:
    from onward.commands import handover  # noqa: PLC0415 - what breaks in it is caught above

    transcript = Path(call.transcript)
    # What the summary lacks is not known yet: a hook of its own tells it.
    if call.detail == "compact" or not project.settings.handover:
        return ""
    if call.detail in RESUMED:
        return handover.drifted(world, project, call.session, transcript)
    if not newest:
        return handover.saved_place(world, project)
    told = handover.handover(world, project, whose[0], newest, whose[1])
    if saves.newest(str(world.data), str(project.root)) < newest.stat().st_mtime:
        return told
    return f"{told}{handover.saved_place(world, project)}"  # by a session that came later


def _clean(project: Project, here: Here) -> None:
    try:
        backups.clean(project)
    except OnwardError as error:  # a disk that cannot be written can still be read
        log.note(here, f"the marker was not cleaned: {error.message}")


def _waiting(project: Project) -> dict[Path, str]:
    """The pending backups, the newest first, with their sessions as far as they are known."""
    known = {each.path: each.session for each in backups.entries(project)}
    return {path: known.get(path, "") for path in markers.pending(project)}


def _pending(call: HookCall, backup: Path, world: World, project: Project) -> str:
    """The documents' two lines. A folder whose name could be words to the model, as settings that
    came with a repository may choose it, is left out.
    """
    shown = workspace.shown(backup, world, project.root)
    if not handover_cache.is_plain(shown):
        shown = backup.name
    elif backup.is_relative_to(project.root):
        shown = from_session(call, str(project.root), shown)
    return PENDING.format(workspace.redactor(world, keep=False).text(shown))


def _cut(told: str) -> str:
    if len(told) <= _MOST:
        return told
    return told[:_MOST].rpartition("\n")[0] + "\n…"
