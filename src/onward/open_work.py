"""Open work: which sessions are one piece of work, whether it is open, and what says so.

The sessions of one work tree on one branch are one thread. Its newest session speaks for it; an
earlier one adds its own reasons only where nothing shows that a later one took it up. The agent's
own wish to go on is no sign of open work: nearly every session ends in one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from onward.model import Checkpoint, Clean, Evidence

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
Fault = Literal["", "file", "settings"]

_LONGEST = 400  # characters of what was wanted: nobody reads more of it in a list
_NAMED = 4
_BACKUP = Clean("in its folder: onward backup list")


class Sign(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One reason for calling work open: what it is, who vouches for it, where it can be seen."""

    kind: Kind
    text: Clean
    evidence: Evidence = "observed"
    places: tuple[str, ...] = ()
    of: str = ""  # what fails (a test, a build, a lint), or is under way (a merge, a rebase)
    count: int = 1  # how many tasks, files, backups or checkpoints it speaks of
    session: Clean = Clean("")  # that it is of, in a thread; "" for what holds of the whole place


def signs(checkpoint: Checkpoint) -> tuple[Sign, ...]:
    """The reasons that a session itself gives, the most pressing first; none where it is finished.

    What is uncommitted only git can tell (`judge`).
    """
    found: list[Sign] = []
    status = checkpoint.status
    if kind := _KINDS.get(status.kind):
        following = checkpoint.next_action
        told = status.detail or (following.text if following else wanted(checkpoint))
        found.append(Sign(kind=kind, text=told, places=status.places))
    for run in checkpoint.runs:
        # One that failed last, with nothing changed since that may have fixed it.
        if run.outcome == "failed" and run.kind in _PROVING and not run.edits_after:
            summary = f" ({run.summary})" if run.summary else ""
            text = Clean(f"`{run.command}` fails{summary}")
            by: Evidence = "asked" if run.pasted else "observed"
            sign = Sign(kind="failing", text=text, evidence=by, places=run.places, of=run.kind)
            found.append(sign)
            break
    if left := [task for task in checkpoint.tasks if task.status != "completed"]:
        doing = next((task for task in left if task.status == "in_progress"), left[0])
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        text = Clean(f"{doing.title}{more}")
        sign = Sign(kind="tasks", text=text, evidence=doing.evidence, places=doing.places)
        found.append(replace(sign, count=len(left)))
    return tuple(found)


def wanted(checkpoint: Checkpoint) -> Clean:
    """The task where somebody noted it, else the active request; without one, what the work is."""
    if _is_noted(checkpoint) or not checkpoint.requests:
        return checkpoint.task.text
    return checkpoint.requests[-1].text


def _is_noted(checkpoint: Checkpoint) -> bool:
    """Whether the agent or the user said themselves what the task is."""
    return bool(checkpoint.task.author and checkpoint.task.text)


class Known(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One session in brief, or the session that a checkpoint was made of (`name` is then its
    name). Clean text alone.
    """

    agent: str = ""
    session: Clean = Clean("")
    name: Clean = Clean("")
    kept: bool = True  # something is there to come back to: somebody held it, something was done
    fault: Fault = ""  # what cannot be read: the file, or what its project asks of redaction
    unkept: bool = False  # true of this look alone: the file is to be read again at the next one
    task: Clean = Clean("")
    wanted: Clean = Clean("")
    noted: bool = False  # what was wanted is the words of a note, not of a request
    note_at: int = 0  # when its agent's note was kept, in nanoseconds since 1970; 0 for none
    following: Clean = Clean("")  # the next action
    status: str = ""  # how it stood at its last event (`model.Status.kind`)
    signs: tuple[Sign, ...] = ()
    loose: tuple[Clean, ...] = ()  # files that it changed and no commit of it took in
    changed: tuple[Clean, ...] = ()  # all files that it changed, from the project's root
    folder: Clean = Clean("")  # where it was held; `~` is the home folder
    away: bool = False  # that folder is not of this machine, although `~` may make it look so
    branch: Clean = Clean("")
    ended: str = ""  # when it ended or was saved, UTC
    rules: str = ""  # what the project adds to redaction, as a sign that changes with it


NOTHING = Known(kept=False)
BROKEN = Known(kept=False, fault="file")


def known(checkpoint: Checkpoint, folder: Clean, *, rules: str = "") -> Known:
    """What is kept of a checkpoint: of one that was distilled, or of one that was saved."""
    following, repo = checkpoint.next_action, checkpoint.repo
    # Files of the project that the session changed, under the names that they have now.
    changed = [
        (fact.to or fact.path, fact.commit)
        for fact in checkpoint.files
        if fact.change in _CHANGED and not fact.path.startswith(("/", "~", "../"))
    ]
    branch = repo.branch if repo and repo.branch else checkpoint.origin.branch
    return Known(
        agent=checkpoint.origin.agent,
        session=Clean(checkpoint.origin.session),
        task=_brief(checkpoint.task.text),
        wanted=_brief(wanted(checkpoint)),
        noted=_is_noted(checkpoint),
        following=_brief(following.text) if following else Clean(""),
        status=checkpoint.status.kind,
        signs=signs(checkpoint),
        loose=tuple(path for path, commit in changed if not commit),
        changed=tuple(path for path, _ in changed),
        folder=folder,
        branch=Clean(branch or ""),
        ended=checkpoint.saved or checkpoint.origin.ended,
        rules=rules,
    )


def _brief(text: Clean) -> Clean:
    line = " ".join(text.split())
    return Clean(line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rsplit(' ', 1)[0]}…")


class Thread(Struct, frozen=True, kw_only=True):
    """One piece of work. `lead` is what tells of it: the newest saved place or session that is
    open, else the newest one.
    """

    lead: Known
    sessions: tuple[Known, ...]  # the newest first
    named: tuple[Known, ...]  # its named checkpoints, the newest first
    reasons: tuple[Sign, ...]
    uncommitted: tuple[Clean, ...]  # files of its sessions that are uncommitted now
    branch_gone: bool = False  # its branch was deleted since: merged, or given up

    @property
    def is_open(self) -> bool:
        """Whether anything says that it is not finished."""
        return bool(self.reasons)

    @property
    def ended(self) -> str:
        """When something was last done in it, UTC."""
        return max((each.ended for each in (*self.sessions, *self.named)), default="")


def judge(
    sessions: Iterable[Known],
    named: Iterable[Known],
    dirty: Sequence[Clean] = (),
    *,
    branch_gone: bool = False,
    operation: str = "",
    backups: int = 0,
) -> Thread:
    """The thread of these sessions and named checkpoints, of which there is at least one, by what their
    place says now: the paths that git calls uncommitted, a folder with `/` at its end; whether the
    branch was deleted since, merged or given up; the merge, rebase or the like that is under way on it;
    how many backups of these sessions wait.
    """
    held = sorted(sessions, key=lambda each: each.ended, reverse=True)
    places = sorted(named, key=lambda each: each.ended, reverse=True)
    standing = [] if branch_gone else [each for each in _untaken(held) if each.signs]
    loose = _uncommitted(held, dirty)
    found = [replace(sign, session=each.session) for each in standing for sign in each.signs]
    if operation:
        text = Clean(f"a {operation} is under way")
        found.append(Sign(kind="operation", text=text, of=operation))
    if loose:
        found.append(Sign(kind="uncommitted", text=_listed(loose), count=len(loose)))
    if backups:
        found.append(Sign(kind="backup", text=_BACKUP, count=backups))
    if names := [each.name for each in places]:
        text, count = _listed(names), len(names)
        found.append(Sign(kind="checkpoint", text=text, evidence="asked", count=count))
    lead = next(iter([*standing, *held, *places]))
    # A checkpoint that was saved at the end of that very session says the same, and what a user made
    # of it.
    last = (each for each in places if each.session == lead.session and each.ended >= lead.ended)
    return Thread(
        lead=next(last, lead),
        sessions=tuple(held),
        named=tuple(places),
        reasons=tuple(found),
        uncommitted=loose,
        branch_gone=branch_gone,
    )


def _untaken(held: Sequence[Known]) -> list[Known]:
    """The newest session, and those before it that no later one is seen to have gone on with:
    none of them changed a file that it had changed.
    """
    kept: list[Known] = []
    touched: set[Clean] = set()
    for each in held:
        own = set(each.changed)
        if not kept or (own and not own & touched) or (not own and not touched):
            kept.append(each)
        touched |= own
    return kept


def _uncommitted(held: Sequence[Known], dirty: Sequence[Clean]) -> tuple[Clean, ...]:
    """Files that a session left uncommitted and git still calls so. git names a new folder
    instead of the files in it.
    """
    folders = tuple(path for path in dirty if path.endswith("/"))
    files = set(dirty)
    loose = dict.fromkeys(path for each in held for path in each.loose)
    return tuple(path for path in loose if path in files or (folders and path.startswith(folders)))


def _listed(names: Sequence[Clean]) -> Clean:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return Clean(", ".join(names[:_NAMED]) + more)
