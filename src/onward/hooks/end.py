"""The end of a session: raw copy, marker, log, exit stamp. And a compaction: what it must keep before
it, and what the client's own summary lacks after it.
"""

from __future__ import annotations

from onward.hooks import activity, processes, triage
from onward.storage import sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from onward.commands.world import World
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

_WAIT = 8.0
"""Seconds for the summary, which clients write 0.1 to 0.2 s after their hooks have answered: they do
not wait for what is said of it.
"""


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Capture what was said; nothing where nothing was, or where our own commands were all. What
    was saved, and was all that counts, is kept without a marker.

    Of a session that only resumed and never answered the question, what it took in waits
    again; the question stays for whoever takes up the session, if it was said last. The record
    of a session that could not be captured stays, for the next start.
    """
    processes.end_idle_wait(here, call.session)
    is_new = triage.is_worth(here, call.session, call.transcript)
    saved = triage.is_settled(here, call.session, call.transcript, where[0])
    asked, spoke = sessions.asked(here.data, call.session), triage.spoke(here, call.session)
    is_there, is_left = not triage.is_empty(call.transcript), False
    if is_new or saved or (is_there and (asked or spoke == "yes")):
        from onward.hooks import capture, context  # noqa: PLC0415 - only where there is work

        told = {"reason": call.detail, "pid": str(call.pid), "settled": "yes" * saved}
        fields = capture.job(call.session, call.transcript, where, "end", **told)
        is_left = is_new and capture.begin(here, fields)
        if saved and not is_new:
            capture.settle(here, fields)
        if is_there and asked and not is_new:
            capture.ask_again(here, call.session, where[0])
        elif is_there and spoke == "yes" and not is_new:
            capture.stamp_exit(here, fields, context.now(here), settled=saved or None)
    if not is_left:
        processes.over(call, here)
    if asked and asked.is_late:
        sessions.answered(here.data, call.session)
    return ""


def before(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Capture the transcript; returns what goes to the compaction prompt.

    Also without growth since the last capture there may be something to keep. A copy that the
    disk refuses is told in the log. Raises what the reading of the transcript raises.
    """
    processes.note(call, here, where)
    if triage.is_empty(call.transcript):
        return ""
    activity.filled(call, here, where[0])
    if triage.is_worth(here, call.session, call.transcript):
        from onward.hooks import capture  # noqa: PLC0415 - only where there is work

        fields = capture.job(call.session, call.transcript, where, "compact")
        with capture.guarded(here, "not captured before its compaction"):
            capture.begin(here, fields)
    world, transcript = _place(call, here, where[0])
    from onward.commands import compaction  # noqa: PLC0415 - needs the packages

    return str(compaction.before_compaction(world, transcript, call.session))


def after(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Wait for the summary, and return what it leaves out; "" for a session that is not
    written down. Raises what the reading of the transcript raises.
    """
    if triage.is_empty(call.transcript):
        return ""
    world, transcript = _place(call, here, where[0])
    from onward.commands import compaction  # noqa: PLC0415 - needs the packages

    return str(compaction.after_compaction(world, transcript, call.session, wait=_WAIT))


def _place(call: HookCall, here: Here, root: str) -> tuple[World, Path]:
    from pathlib import Path  # noqa: PLC0415 - only where there is work

    from onward.hooks import context  # noqa: PLC0415 - as above

    return context.verb(here, root), Path(call.transcript)
