"""Which handler serves a call. Imported at once, so it imports a handler only when asked."""

from __future__ import annotations

import os

from onward.storage import roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

_HANDLERS = {
    "start": ("start", "run"),
    "end": ("end", "run"),
    "compact": ("end", "before"),
    "compacted": ("end", "after"),
    "prompt": ("activity", "prompt"),
    "turn": ("activity", "turn"),
    "tool": ("activity", "tool"),
}
"""Module and function by our word for the event."""


def run(call: HookCall, here: Here) -> str:
    """Serve one call; returns what the client is to be told, "" for nothing.

    Nothing is done for a sub-agent, and in a folder that is no project or is there no more: a
    session of a removed work tree is found from another one of its repository. A handler is
    told where the call belongs: the project's root and the repository's common folder.
    """
    folder = call.project or call.cwd
    if call.event not in _HANDLERS or call.helper or not call.session:
        return ""
    if not os.path.isdir(folder):  # noqa: PTH112 - pathlib is slow to import
        return ""
    where = roots.project(folder, here.home)
    if not where[0]:
        return ""
    module, name = _HANDLERS[call.event]
    handler = getattr(__import__(f"onward.hooks.{module}", fromlist=[name]), name)
    told: str = handler(call, here, where)
    return told
