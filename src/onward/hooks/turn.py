"""Hooks: the agent has answered. Looks how full its context is, and waits for idleness."""

from __future__ import annotations

import os

from onward.hooks import alive, context_usage, sleeping, triage
from onward.storage import live, roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

_IDLE = 10.0  # minutes, where no settings say otherwise


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Note the turn; where the context may be nearly full let a child look closely. Starts the
    shell that waits for the session to become idle, unless one waits.
    """
    alive.note(call, here, where)
    if triage.is_empty(call.transcript):
        return ""
    if triage.spoke(here, call.session) == "no":
        triage.speaks(here, call.session, "yes")  # a shell line of the user's is no prompt
    setting, idle, state = _settings(here, where[0])
    if context_usage.may_be_full(call.transcript, setting):
        from onward.hooks import spawn  # noqa: PLC0415 - few turns come so far

        fields = {"project": where[0], "session": call.session, "transcript": call.transcript}
        size = triage.grown(call.transcript)[0]
        spawn.later(here, "turn", fields | {"last": call.last, "size": size})
    else:
        live.drop(here.data, call.session, "full")
    if idle and _has_work(call, here, state):
        sleeping.begin(call, here, where[0], idle * 60)
    return ""


def _has_work(call: HookCall, here: Here, state: str) -> bool:
    try:
        if os.stat(state).st_size:  # noqa: PTH116 - pathlib is dear
            return True
    except OSError:
        pass
    return triage.spoke(here, call.session) == "yes"


def _settings(here: Here, root: str) -> tuple[int, float, str]:
    """The size of the context (0 for the model's own), the minutes, SESSION-STATE.md."""
    if not roots.may_be_set(root):
        return 0, _IDLE, f"{root}/{roots.PLACES['state']}"
    from onward.hooks import context  # noqa: PLC0415 - few projects have settings

    project = context.project(here, root)
    settings = project.settings
    return settings.context_window, settings.idle_minutes, str(project.state_file)
