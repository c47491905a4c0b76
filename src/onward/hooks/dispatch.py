"""Hooks: which handler serves a call. Imported at once, so it imports a handler only when asked."""
# ruff: noqa: PLC0415 - each call needs one handler, and has no time for the others

from __future__ import annotations

import os

from onward.storage import roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall


def run(call: HookCall, here: Here) -> str:
    """Serve one call; returns what the client is to be told, "" for nothing.

    Nothing is done for a sub-agent, and in a folder that is no project or is there no more: a
    session of a removed work tree is found from another one of its repository. A handler is
    told where the call belongs: the project's root and the repository's common folder.
    """
    folder = call.project or call.cwd
    if call.helper or not call.session or not os.path.isdir(folder):  # noqa: PTH112 - dear
        return ""
    where = roots.project(folder, here.home)
    if not where[0]:
        return ""
    if call.event == "start":
        from onward.hooks.start import run as serve
    elif call.event == "end":
        from onward.hooks.end import run as serve
    elif call.event == "compact":
        from onward.hooks.compact import run as serve
    elif call.event == "compacted":
        from onward.hooks.compacted import run as serve
    elif call.event == "prompt":
        from onward.hooks.prompt import run as serve
    elif call.event == "turn":
        from onward.hooks.turn import run as serve
    elif call.event == "tool":
        from onward.hooks.tool import run as serve
    else:
        return ""
    return serve(call, here, where)
