"""Open work: what is kept of one session, or of one saved place, between two looks."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from onward.model import Checkpoint, Clean
from onward.open_work.signs import Sign, changes, signs, wanted

Fault = Literal["", "file", "settings"]

_LONGEST = 400
"""Characters of what was wanted: nobody reads more of it in a list."""


class Known(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One session in brief, or the session that a checkpoint was made of (`name` is then its
    name). Clean text alone.
    """

    agent: str = ""
    session: Clean = Clean("")
    name: Clean = Clean("")
    kept: bool = True
    """Whether there is anything to come back to: somebody held it, and something was done."""
    fault: Fault = ""
    """What cannot be read: the file, or what its project asks of redaction."""
    unkept: bool = False
    """True of this look alone: the file is to be read again at the next one."""
    task: Clean = Clean("")
    wanted: Clean = Clean("")
    following: Clean = Clean("")
    """The next action."""
    status: str = ""
    """How it stood at its last event (`model.Status.kind`)."""
    signs: tuple[Sign, ...] = ()
    loose: tuple[Clean, ...] = ()
    """Files that it changed and no commit of it took in, from the project's root."""
    changed: tuple[Clean, ...] = ()
    """All files that it changed."""
    folder: Clean = Clean("")
    """Where it was held; `~` is the home folder."""
    away: bool = False
    """That folder is not of this machine, although `~` may make it look so."""
    branch: Clean = Clean("")
    ended: str = ""
    """When it ended or was saved, UTC."""
    rules: str = ""
    """What the project adds to redaction, as a sign that changes with it."""


NOTHING = Known(kept=False)
BROKEN = Known(kept=False, fault="file")


def known(checkpoint: Checkpoint, folder: Clean, *, rules: str = "") -> Known:
    """What is kept of a checkpoint: of one that was distilled, or of one that was saved."""
    left, following, repo = changes(checkpoint), checkpoint.next_action, checkpoint.repo
    branch = repo.branch if repo and repo.branch else checkpoint.origin.branch
    return Known(
        agent=checkpoint.origin.agent,
        session=Clean(checkpoint.origin.session),
        task=_brief(checkpoint.task.text),
        wanted=_brief(wanted(checkpoint)),
        following=_brief(following.text) if following else Clean(""),
        status=checkpoint.status.kind,
        signs=signs(checkpoint),
        loose=left.loose,
        changed=left.changed,
        folder=folder,
        branch=Clean(branch or ""),
        ended=checkpoint.saved or checkpoint.origin.ended,
        rules=rules,
    )


def _brief(text: Clean) -> Clean:
    line = " ".join(text.split())
    return Clean(line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…")
