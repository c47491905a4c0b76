"""Hooks: work for the disk, done beside work for the processor."""

from __future__ import annotations

import sys
from threading import Thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

_TURN = 0.0005
"""Seconds until a thread that computes lets one go on whose system call is done; the usual 5 ms
after each of them would keep a copy from beginning at all.
"""


class Beside:
    """Does `work` in a thread of its own while the body of `with` runs, and waits for it at the
    end, whatever error there was; not where our time is up, which is no error: then the client
    waits no longer either. What the work raises is raised at the end of a body that raised
    nothing.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        sys.setswitchinterval(_TURN)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and not issubclass(kind, Exception):
            return
        self._thread.join()
        if kind is None and self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self._work()
        finally:
            self._error = sys.exc_info()[1]
