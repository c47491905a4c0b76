"""The end of a session: raw copy, marker, log, exit stamp."""

from __future__ import annotations

from onward.commands import saves
from onward.hooks import processes, triage
from onward.storage import sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Capture what was said; nothing where nothing was, or where our own commands were all. What
    was saved, and was all that counts, is kept without a marker.

    Of a session that only resumed and never answered the question, what it took in waits
    again; the question stays for whoever takes up the session, if it was said last. The record
    of a session that could not be captured stays, for the next start.
    """
    processes.end_idle_wait(here, call.session)
    is_left = False
    is_new = triage.is_worth(here, call.session, call.transcript)
    saved = is_settled(here, call.session, call.transcript, where[0])
    if is_new or saved:
        from onward.hooks import capture  # noqa: PLC0415 - only where there is work

        place = (here, call.session, call.transcript, where)
        if not is_new:
            capture.settle(here, call.session, where[0])
        elif capture.later(*place, event="end", reason=call.detail, pid=call.pid, settled=saved):
            is_left = True
        else:
            capture.capture(*place, reason=call.detail, settled=saved)
            triage.rests(here, call.session)
    if not is_left:
        processes.over(call, here)
    asked = sessions.asked(here.data, call.session)
    if asked and asked.is_late:
        sessions.answered(here.data, call.session)
    spoke = triage.spoke(here, call.session)
    if triage.is_empty(call.transcript) or not (is_new or asked or spoke == "yes"):
        return ""
    from onward.hooks import capture, context  # noqa: PLC0415 - as above

    if is_left:
        return ""  # the child does it
    if is_new or not asked:
        known = saved if is_new or saved else None
        whose = (here, call.session, call.transcript, where[0])
        capture.stamp_exit(*whose, at=context.now(here), settled=known)
    else:
        capture.ask_again(here, call.session, where[0])
    return ""


def is_settled(here: Here, session: str, transcript: str, root: str) -> bool:
    """Whether nothing but our commands, bare assents and farewells came behind its last save.

    Else how many prompts did is put on record. What cannot be read may count.
    """
    save = saves.get(here.data, session, root)
    if save is None:
        return False
    from onward.hooks import context  # noqa: PLC0415 - few sessions were saved

    context.find_packages()
    from onward.commands import work  # noqa: PLC0415 - as above
    from onward.errors import OnwardError  # noqa: PLC0415 - as above
    from onward.hooks import log  # noqa: PLC0415 - as above

    try:
        prompts, acts = work.behind(context.world(here, root), transcript, save.size)
    except (OnwardError, OSError) as error:
        log.note(here, f"whether all was saved is unknown: {log.where(error)}")
        return False
    saves.count(here.data, session, prompts)
    return not prompts and not acts
