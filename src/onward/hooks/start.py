"""Hooks: the start of a session: what was lost is captured, then what waits is told."""

from __future__ import annotations

import os

from onward.commands import saves
from onward.hooks import alive, packages, sweep, triage
from onward.storage import live, roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

RESUMED = ("resume", "fork")
"""Ways to start that bring the session's own history along."""


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Sweep, record the session as running, and return what it is to be told."""
    early = sweep.run(call, here, where)
    alive.note(call, here, where)
    if call.detail != "compact":
        triage.begins(here, call.session, call.transcript)
    if not _may_tell(call, here, where[0]):
        return ""
    from onward.hooks import pending  # noqa: PLC0415 - only where there is something to tell

    if told := pending.text(call, here, where[0]):
        return told
    packages.find()
    from onward.hooks import greeting  # noqa: PLC0415 - needs the packages

    return greeting.text(call, here, where[0], early)


def _may_tell(call: HookCall, here: Here, root: str) -> bool:
    """Whether there may be anything to tell, by the names of files alone."""
    if roots.may_be_set(root):
        return True
    memory = os.path.join(root, roots.PLACES["memory"])  # noqa: PTH118 - pathlib is dear
    if any(os.path.lexists(f"{memory}/{name}") for name in roots.MARKERS):
        return True
    if call.detail == "compact":
        return False
    if call.detail in RESUMED:
        return os.path.lexists(f"{live.folder(here.data, call.session)}/checkpoint.json")
    named = _names(f"{root}/{roots.PLACES['checkpoints']}")
    documents = [name for name in _names(memory) if name.startswith("session-")]
    if any(name.endswith(".md") for name in named + documents):
        return True
    return saves.newest(here.data, root) > 0


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - pathlib is dear
    except OSError:
        return []
