"""End-to-end kit: which processes belong to a lab, and that none outlives it."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    """A running process and its command line."""

    pid: int
    line: str


def processes_of(folder: Path) -> list[Process]:
    """Those that name the folder in their arguments, environment or current folder (Linux)."""
    needle = os.fsencode(folder)
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with suppress(OSError):  # it ended meanwhile, or is somebody else's
            line = (entry / "cmdline").read_bytes()
            place = os.fsencode((entry / "cwd").readlink())
            ours = needle in line or needle in place or needle in (entry / "environ").read_bytes()
            if ours and not _ended(entry):
                shown = line.replace(b"\0", b" ").decode("utf-8", "replace").strip()
                found.append(Process(int(entry.name), shown[:300]))
    return found


def kill(those: list[Process]) -> None:
    """End them at once."""
    for process in those:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


def _ended(entry: Path) -> bool:
    return (entry / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
