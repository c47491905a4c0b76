"""Hooks: the agent has answered. Looks how full its context is, and waits for idleness."""

from __future__ import annotations

import os

from onward.agents import usage
from onward.hooks import alive, sleeping, worth
from onward.store import live, roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.agents.hook_call import HookCall
    from onward.hooks.here import Here

_FULL, _STEP = 70, 5
"""Percent of the context from which exchanges are kept, and until the next autosave."""
_IDLE = 10.0  # minutes, where no settings say otherwise


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Note the turn; above 70 % let a child keep the exchange, and autosave at every 5 % more.

    Starts the shell that waits for the session to become idle, unless one waits. The record
    `turn` holds size and time of the transcript, and how many steps above 70 % were reached.
    """
    alive.note(call, here, where)
    if worth.is_empty(call.transcript):
        return ""
    size, changed = worth.grown(call.transcript)
    if live.get(here.data, call.session, "spoke")[:1] == ["no"]:
        worth.speaks(here, call.session, "yes")  # a shell line of the person's is no prompt
    setting, idle, state = _settings(here, where[0])
    tokens, model = usage.used(_tail(call.transcript, int(size)))
    percent = 100 * tokens // usage.window(model, setting)
    step = (percent - _FULL) // _STEP + 1 if percent > _FULL else 0
    before = live.get(here.data, call.session, "turn")[2:]
    live.put(here.data, call.session, "turn", size, changed, str(step))
    if step:
        from onward.hooks import spawn  # noqa: PLC0415 - few turns come so far

        fields = {"project": where[0], "session": call.session, "transcript": call.transcript}
        fields |= {"last": call.last, "size": size}
        is_new = step > int(before[0] if before and before[0].isdigit() else 0)
        spawn.later(here, "turn", fields | {"autosave": "yes" if is_new else ""})
    if idle and _has_work(call, here, state):
        sleeping.begin(call, here, where[0], idle * 60)
    return ""


def _has_work(call: HookCall, here: Here, state: str) -> bool:
    try:
        if os.stat(state).st_size:  # noqa: PTH116 - pathlib is dear
            return True
    except OSError:
        pass
    return live.get(here.data, call.session, "spoke")[:1] == ["yes"]


def _settings(here: Here, root: str) -> tuple[int, float, str]:
    """The size of the context (0 for the model's own), the minutes, SESSION-STATE.md."""
    if not roots.may_be_set(root):
        return 0, _IDLE, f"{root}/{roots.PLACES['state']}"
    from onward.hooks import ground  # noqa: PLC0415 - few projects have settings

    project = ground.project(here, root)
    settings = project.settings
    return settings.context_window, settings.idle_minutes, str(project.state_file)


def _tail(transcript: str, size: int) -> bytes:
    try:
        with open(transcript, "rb") as file:  # noqa: PTH123 - pathlib is dear
            file.seek(max(0, size - usage.TAIL))
            return file.read(usage.TAIL)
    except OSError:
        return b""
