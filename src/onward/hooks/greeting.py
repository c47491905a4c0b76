"""What a session is told at its start."""

from __future__ import annotations

from pathlib import Path

from onward.commands import handover, handover_cache, offered
from onward.commands.offered import Offer
from onward.commands.world import World
from onward.errors import OnwardError
from onward.hooks import context
from onward.hooks.environment import Here
from onward.hooks.start import PENDING, RESUMED, SAVED, WAITS, addressed, from_session
from onward.storage import sessions
from onward.storage.ranking import TRIVIAL
from onward.transcripts.hook_call import HookCall

_SAME = "This same session goes on after its compaction: nothing needs to be resumed."
_OTHERS = "What else waits, historical records; the user types /resume-latest NUMBER:"
_MOST = 9000  # characters; the client cuts at 10,000


def text(call: HookCall, here: Here, root: str) -> str:
    """The documents' two lines where a backup is pending, then what helps to go on; at most
    9,000 characters. A resumed session is not told of its own backup, as it has all that is in
    it, nor of one that it took in and has still to be answered about; a fork of none.
    """
    world = context.world(here, root)
    entries = _entries(call, here, world)
    newest = next((each for each in entries if each.backups), None)
    parts = [_pending(call, newest.path, world)] if newest else []
    if newest and call.detail == "compact" and newest.session == call.session:
        parts.append(_SAME)
    try:
        parts.append(_more(call, here, world, entries))
    except (OnwardError, OSError, ValueError) as error:
        # The two lines are told whatever is wrong with what is behind them.
        here.note(f"{call.agent} start", error)
    if call.detail not in {*RESUMED, "compact"} and any(parts) and entries[0].standing != TRIVIAL:
        here.notice = WAITS if entries[0].backups else SAVED
    told = "\n".join(part for part in parts if part)
    return told if len(told) <= _MOST else told[:_MOST].rpartition("\n")[0] + "\n…"


def _entries(call: HookCall, here: Here, world: World) -> list[Offer]:
    """What is offered to this session, in order."""
    found = offered.offers(world, session=call.session).entries
    if call.detail == "fork":  # it names no origin, whose history it has: the newest as a rule
        return []
    if call.detail not in RESUMED:
        return [*found]
    asked = sessions.asked(here.data, call.session)
    again = asked.again if asked else []
    return [e for e in found if e.session != call.session and e.path.name not in again]


def _more(call: HookCall, here: Here, world: World, entries: list[Offer]) -> str:
    # What the summary lacks is not known yet: a hook of its own tells it.
    if call.detail == "compact" or not world.project.settings.handover:
        return ""
    if call.detail in RESUMED:
        return handover.drifted(world, call.session, Path(call.transcript))
    if not entries:
        return ""
    first, *others = entries
    if not first.backups:
        told: str = handover.saved_place(world, first.path, first.kind)
    else:
        told = handover.handover(world, first.session, first.path)
        told = addressed(call, here, str(world.project.root), told, first.session)
        later = next((e for e in others if not e.backups and e.at >= first.at), None)
        if later:  # by a session that came later
            told += handover.saved_place(world, later.path, later.kind)
    numbered = [(n, each) for n, each in enumerate(others, 2) if each.standing != TRIVIAL]
    if not any(each.backups for _, each in numbered):
        return told
    return "\n".join([told.rstrip("\n"), _OTHERS, *offered.rows(world, numbered)]) + "\n"


def _pending(call: HookCall, backup: Path, world: World) -> str:
    """The documents' two lines. A folder whose name could be words to the model, as settings that
    came with a repository may choose it, is left out.
    """
    shown, root = world.local(backup), world.project.root
    if not handover_cache.is_plain(shown):
        shown = backup.name
    elif backup.is_relative_to(root):
        shown = from_session(call, str(root), shown)
    return PENDING.format(world.display_redactor.text(shown))
