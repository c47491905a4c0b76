"""The person's plain yes or no to a resume that waits for it.

Whoever printed "Ready to continue?" left a `store.question` of the session behind.
"""

from __future__ import annotations

import os
import re

from msgspec.structs import replace

from onward.commands import buffer, delete, drifting, rim, source, thread
from onward.commands.result import compose
from onward.commands.world import World
from onward.distill.said.cues import is_assent, is_question
from onward.distill.text import words
from onward.errors import OnwardError
from onward.model import Clean
from onward.store import backups, checkpoints, markers, question
from onward.store.project import Project

_LONGEST = 60  # characters of a plain answer
_GONE = {"deleted", "missing", "renamed", "moved"}
_FIND = 8  # paths to find again
_YES = re.compile(
    r"(?:(?:да|давай|ага|конечно|продолжай"  # noqa: RUF001 - Russian
    r"|oui|d'accord|ouais|allez|sì|certo|tak|evet|jo|joo|klar|gerne|jawohl|sim|bora|vamos|of course|certainly"
    r"|(?:sounds|looks) good|s'il te plaît|s'il vous plaît)(?: |$))+(?:please)?"
)
_YES_WIDE = re.compile(r"(?:うん|ええ|はい|예|네|응|行吧|当然|當然)+")
"""Beside the words of assent that the recogniser of requests knows."""
_FRESH = (
    r"(?:(?:please|just|let's|lets|i want to|i'd rather|i would rather) )*"
    r"(?:(?:start|begin) (?:a )?(?:fresh|over|anew|new|again|from scratch)|from scratch)(?: please)?"
)
_THANKS = r"(?:thanks|thank you|please|danke|merci|gracias|obrigado|obrigada|grazie)"
_NO = re.compile(
    r"(?:no|n|nope|nah|nay|nein|nö|nee|non|não|nao|нет|nie|nej"
    r"|not now|rather not|i'd rather not|let's not|lets not|please don't|please do not|don't|do not|i don't want to"
    rf"|skip it|discard it|drop it)(?: no)?(?: {_THANKS})?(?: {_FRESH})?|{_FRESH}"
)
_NO_WIDE = re.compile(
    r"(?:不|不要|不用|不行|不了|否|别|算了|不必|不继续|不需要|先不|いいえ|いや|やめて|아니(?:요|오)?)(?:了|吧|谢谢|继续)*"
    r"(?:重新开始|从头开始|从头来)?吧?|(?:重新开始|从头开始|从头来)吧?"
)


def answer(world: World, project: Project, session: str, prompt: str) -> Clean:
    """What the agent is to be told of the answer; "" where the prompt is none.

    Yes empties the working buffer; no puts a named checkpoint into the trash. Either ends the
    waiting, also that of the backups it was about, as does a second prompt that is no answer.
    Raises StorageError.
    """
    data = str(world.data)
    asked = question.get(data, session)
    if asked is None:
        return compose("")
    here, name = replace(world, cwd=project.root), asked.name
    same = os.path.realpath(asked.root) == os.path.realpath(project.root)
    told = compose("")
    if same and is_yes(prompt):
        told = _go_on(here, name)
        thread.agree(here, session)
        buffer.empty(project)
    elif same and is_no(prompt):
        told = _start_fresh(here, project, name)
        thread.drop(here, session)
    elif same and not asked.is_late:
        asked.is_late = True
        question.put(data, session, asked)
        return told
    question.drop(data, session)
    if told:
        _take_in(project, set(asked.again), world)
    return told


def is_yes(prompt: str) -> bool:
    """A plain go-ahead, and nothing else."""
    if len(prompt) > _LONGEST or is_question(prompt):
        return False
    plain = _plain(prompt)
    if is_assent(prompt) or _YES_WIDE.fullmatch(plain.replace(" ", "")):
        return True
    return bool(_YES.fullmatch(plain))


def is_no(prompt: str) -> bool:
    """A plain refusal or "start fresh", and nothing else."""
    if len(prompt) > _LONGEST or is_question(prompt):
        return False
    plain = _plain(prompt)
    return bool(_NO.fullmatch(plain) or _NO_WIDE.fullmatch(plain.replace(" ", "")))


def _take_in(project: Project, names: set[str], world: World) -> None:
    done = [path for path in markers.pending(project) if path.name in names]
    if done:
        backups.process(project, done, None, now=world.now)


def _plain(prompt: str) -> str:
    return " ".join(words(prompt.replace("’", "'")))


def _go_on(world: World, name: str) -> Clean:
    """The next action; before it the paths of the checkpoint that are not where they were."""
    try:
        found = source.load(world, name) if name else None
        drift = drifting.look(world, found) if found else None
    except OnwardError:  # deleted meanwhile: what was shown can still be done
        found = drift = None
    following = found.checkpoint.next_action if found else None
    if following is None:
        return compose("The person said yes: go on with the next action of the briefing above.")
    lines = [f"The person said yes: go on with: {following.text}"]
    gone = [each.path for each in drift.files if each.change in _GONE] if drift else []
    if gone:
        more = f", and {len(gone) - _FIND} more" if len(gone) > _FIND else ""
        lines.append(f"Before that verify these paths again: {', '.join(gone[:_FIND])}{more}")
    return compose(*lines)


def _start_fresh(world: World, project: Project, name: str) -> Clean:
    """Nothing but a named checkpoint is put away, and that can be brought back."""
    told = "The person said no: start fresh, and ask what to do."
    if not name or name not in checkpoints.names(project):
        return compose(told, "Nothing was deleted.")
    delete.delete(world, name)
    shown = rim.redactor(world, keep=False).text(name)
    back = f"onward restore {shown}"
    return compose(told, f"The checkpoint {shown} is in the trash. To bring it back: {back}")
