"""The report of a fault of ours, in the log on this machine."""

from __future__ import annotations

import os
import platform
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

from onward import __version__
from onward.cli import table
from onward.cli.surroundings import data_folder


def write(error: Exception) -> str:
    """Add `error` to the log and return the log's path, or why there is none.

    The messages of exceptions are left out: they may quote a transcript, and a report is
    there to be sent to others.
    """
    log = data_folder() / "onward.log"
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(_text(error))
    except OSError as refused:
        return f"no file ({log.parent}: {refused.strerror})"
    return str(log)


def _text(error: Exception) -> str:
    frames = "".join(
        f"  {Path(f.filename).name}:{f.lineno} {f.name}\n"
        for f in traceback.extract_tb(error.__traceback__)
    )
    verb = next((word for word in sys.argv[1:2] if word in table.SUMMARIES), "")
    return (
        f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} onward {__version__}, Python "
        f"{platform.python_version()}, {platform.system()}, verb {verb!r}\n"
        f"{frames}  {type(error).__qualname__}\n"
    )
