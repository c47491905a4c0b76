"""Open work: sessions that are one piece of work, and what says that it is open.

The sessions of one work tree on one branch are one thread. Its newest session speaks for it; an
earlier one adds its own reasons only where nothing shows that a later one took it up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from onward.model import Clean
from onward.open_work.known import Known
from onward.open_work.signs import Sign

_NAMED = 4
_BACKUP = Clean("in its folder: onward backup list")


class Today(Struct, frozen=True, kw_only=True):
    """What the place of a thread says now. Paths are relative to the project's root."""

    dirty: tuple[Clean, ...] = ()
    """What git calls uncommitted; a folder ends in `/`."""
    operation: str = ""
    """The merge, rebase or the like that is under way on this branch."""
    branch_gone: bool = False
    """The branch was deleted since: merged, or given up."""
    backups: int = 0
    """Backups of these sessions that nobody has looked at."""


class Reason(Struct, frozen=True, kw_only=True):
    """A sign, and the session that it is of ("" for what holds of the whole place)."""

    sign: Sign
    session: Clean = Clean("")


class Thread(Struct, frozen=True, kw_only=True):
    """One piece of work. `lead` is what tells of it: the newest saved place or session that is
    open, else the newest one.
    """

    lead: Known
    sessions: tuple[Known, ...]
    """The newest first."""
    named: tuple[Known, ...]
    """Its named checkpoints, the newest first."""
    reasons: tuple[Reason, ...]
    uncommitted: tuple[Clean, ...]
    """Files of its sessions that are uncommitted now."""

    @property
    def is_open(self) -> bool:
        """Whether anything says that it is not finished."""
        return bool(self.reasons)

    @property
    def ended(self) -> str:
        """When something was last done in it, UTC."""
        return max((each.ended for each in (*self.sessions, *self.named)), default="")


def judge(sessions: Iterable[Known], named: Iterable[Known], today: Today) -> Thread:
    """The thread of these sessions and named checkpoints, of which there is at least one."""
    held = sorted(sessions, key=lambda each: each.ended, reverse=True)
    places = sorted(named, key=lambda each: each.ended, reverse=True)
    standing = [] if today.branch_gone else [each for each in _untaken(held) if each.signs]
    loose = _uncommitted(held, today.dirty)
    found = [
        *(Reason(sign=sign, session=each.session) for each in standing for sign in each.signs),
        *(Reason(sign=sign) for sign in _of_today(today, loose, places)),
    ]
    lead = next(iter([*standing, *held, *places]))
    own = next((each for each in places if _speaks_for(each, lead)), None)
    return Thread(
        lead=own or lead,
        sessions=tuple(held),
        named=tuple(places),
        reasons=tuple(found),
        uncommitted=loose,
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


def _of_today(today: Today, loose: Sequence[Clean], named: Sequence[Known]) -> Iterable[Sign]:
    if today.operation:
        text = Clean(f"a {today.operation} is under way")
        yield Sign(kind="operation", text=text)
    if loose:
        yield Sign(kind="uncommitted", text=_listed(loose), count=len(loose))
    if today.backups:
        yield Sign(kind="backup", text=_BACKUP, count=today.backups)
    if named:
        names = [each.name for each in named]
        yield Sign(kind="checkpoint", text=_listed(names), evidence="asked", count=len(names))


def _speaks_for(place: Known, lead: Known) -> bool:
    """Whether a checkpoint was saved at the end of that very session: it says the same, and what
    a user made of it.
    """
    return place is lead or (place.session == lead.session and place.ended >= lead.ended)


def _listed(names: Sequence[Clean]) -> Clean:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return Clean(", ".join(names[:_NAMED]) + more)
