"""`onward hook`: one call of a hook, where no shim starts Python itself."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from onward.clients.files import write_launcher
from onward.errors import OnwardError
from onward.hooks import entry
from onward.hooks.environment import Here


def serve(words: Sequence[str]) -> NoReturn:
    """AGENT EVENT [PID], the payload on stdin. Ends the process with status 0, whatever happens.

    The launcher is written anew, so that the next call of a shim is quick again.
    """
    here = Here(os.environ)
    with suppress(OnwardError):
        if here.ready():
            write_launcher(Path(here.data))
    entry.main(list(words))
    raise SystemExit
