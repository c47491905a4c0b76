"""The user's plain yes or no to a resume that waits for it.

Whoever printed "Ready to continue?" left a question (`storage.sessions`) of the session behind.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from onward.commands import autosave, resume, save, source, thread, workspace
from onward.commands.result import compose
from onward.commands.world import World
from onward.errors import OnwardError
from onward.model import Clean
from onward.storage import backups, checkpoints, markers, overview, sessions
from onward.storage.project import Project

_LONGEST = 60  # characters of a plain answer
YES = frozenset(
    (
        *("yes", "y", "yes please", "yes continue", "ok", "okay", "sure", "continue", "go ahead"),
        *("ja", "oui", "sí", "si", "sì", "sim", "да", "tak", "evet"),
        *("是", "是的", "好", "好的", "继续", "はい", "네", "예"),
    )
)
NO = frozenset(
    (
        *("no", "n", "nope", "no thanks", "no thank you", "start fresh", "no start fresh"),
        *("nein", "non", "não", "нет", "nie"),
        *("不", "不是", "不要", "否", "いいえ", "아니요"),
    )
)
"""Whole messages, as a prompt for yes or no takes them. Anything else is no answer: it changes
nothing, and the agent that asked can understand it.
"""


def answer(world: World, project: Project, session: str, prompt: str) -> Clean:
    """What the agent is to be told of the answer; "" where the prompt is none.

    Yes empties the working buffer and brings the active context up to date; no puts a named checkpoint
    into the trash, and another saved place is not offered again. Either ends the waiting, also that of
    the backups it was about, as does a second prompt that is no answer. From the first one that is
    none these are offered again. Raises StorageError.
    """
    data = str(world.data)
    asked = sessions.asked(data, session)
    if asked is None:
        return compose("")
    here, name = replace(world, cwd=project.root), asked.name
    same = os.path.realpath(asked.root) == os.path.realpath(project.root)
    told = compose("")
    if same and is_yes(prompt):
        told = _go_on(here, name)
        thread.agree(here, session)
        autosave.empty_buffer(project)
        told = compose(told, *thread.take_note(here, project, session))
        if asked.file or name:
            with suppress(OnwardError):  # the next save does it
                resume.bring_up_to_date(here, project, source.load(here, name or asked.file))
    elif same and is_no(prompt):
        told = _start_fresh(here, project, name)
        if asked.file:
            overview.decline(world.data, project.root, Path(asked.file))
        thread.drop(here, session)
        thread.clear_draft(here, project, session)
    elif same and not asked.is_late:
        asked.is_late = True
        put_back(project, asked, world)
        sessions.ask(data, session, asked)
        return told
    sessions.answered(data, session)
    if told:
        left = [path for path in markers.pending(project) if path.name in asked.again]
        if left:
            backups.process(project, left, None, now=world.now)
    return told


def put_back(project: Project, asked: sessions.Question, world: World) -> None:
    """What the question took in waits again, as nobody said yes or no to it."""
    if asked.at and not (asked.again or asked.name):
        asked.again = backups.put_back(project, since=asked.at, now=world.now)


def _plain(prompt: str) -> str:
    """Without case and marks; "?" stays, since a question is no answer."""
    if len(prompt) > _LONGEST:
        return ""
    return " ".join(re.sub(r"[^\w\s?？]", " ", prompt.casefold()).split())  # noqa: RUF001


def is_yes(prompt: str) -> bool:
    """A plain yes, and nothing else."""
    return _plain(prompt) in YES


def is_no(prompt: str) -> bool:
    """A plain no, and nothing else."""
    return _plain(prompt) in NO


def _go_on(world: World, name: str) -> Clean:
    """The next action; before it the paths of the checkpoint that are not where they were."""
    try:
        found = source.load(world, name) if name else None
        drift = source.drifted(world, found) if found else None
    except OnwardError:  # deleted meanwhile: what was shown can still be done
        found = drift = None
    following = found.checkpoint.next_action if found else None
    if following is None:
        return compose("The user said yes: continue with the next action of the briefing above.")
    lines = [f"The user said yes: continue with: {following.text}"]
    if gone := resume.moved_paths(drift):
        lines.append(f"Before that verify these paths again: {gone}")
    return compose(*lines)


def _start_fresh(world: World, project: Project, name: str) -> Clean:
    """Nothing but a named checkpoint is put away, and that can be brought back."""
    told = "The user said no: start fresh, and ask what to do."
    if not name or name not in checkpoints.names(project):
        return compose(told, "Nothing was deleted.")
    save.delete(world, name)
    shown = workspace.redactor(world, keep=False).text(name)
    back = f"onward restore {shown}"
    return compose(told, f"The checkpoint {shown} is in the trash. To bring it back: {back}")
