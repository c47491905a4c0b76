"""Hooks: a compaction is about to happen: raw copy, marker, log, and what must be kept."""

from __future__ import annotations

import sys

from onward.hooks import alive, worth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from onward.agents.hook_call import HookCall
    from onward.hooks.here import Here


_TURN = 0.0005
"""Seconds until a thread that computes lets one go on whose system call is done; the usual 5 ms
after each of them would keep the copy from beginning at all.
"""


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Capture the transcript; returns what goes to the compaction prompt.

    Also without growth since the last capture there may be something to keep. A copy that the
    disk refuses is told in the log. Raises what the reading of the transcript raises.
    """
    alive.note(call, here, where)
    if worth.is_empty(call.transcript):
        return ""
    if not worth.is_worth(here, call.session, call.transcript):
        return _kept(call, here, where[0])
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - only where there is work

    from onward.errors import OnwardError  # noqa: PLC0415 - as above
    from onward.hooks import capture, log  # noqa: PLC0415 - as above

    # The disk has as much to do as the processor: the copy is made while the rest is read.
    sys.setswitchinterval(_TURN)
    with _Beside(ThreadPoolExecutor(1)) as beside:
        copied = beside.submit(capture.capture, here, call.session, call.transcript, where)
        said = _kept(call, here, where[0])
        try:
            copied.result()
        except (OnwardError, OSError) as error:
            log.note(here, f"not captured before its compaction: {log.told(error)}")
    return said


class _Beside:
    """Waits at the end for what was begun beside, whatever error there was; not where our time
    is up, which is no error: then the client waits no longer either.
    """

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.pool = pool

    def __enter__(self) -> ThreadPoolExecutor:
        return self.pool

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.pool.shutdown(wait=kind is None or issubclass(kind, Exception))


def _kept(call: HookCall, here: Here, root: str) -> str:
    from pathlib import Path  # noqa: PLC0415 - as above

    from onward.hooks import ground, packages  # noqa: PLC0415 - as above

    packages.find()
    from onward.commands import keep  # noqa: PLC0415 - needs the packages

    project, world = ground.project(here, root), ground.world(here, root)
    return str(keep.before_compaction(world, project, Path(call.transcript)))
