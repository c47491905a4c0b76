"""The clients that can be installed into, and one question to one of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from onward import transcripts
from onward.clients.target import Target
from onward.errors import InputError, NotFoundError
from onward.transcripts.registry import AGENTS

Client = type[Target]
ALL = tuple(cast("Client", transcripts.part(each, "install").TARGET) for each in transcripts.AGENTS)
DEFAULT: Client = ALL[0]
OTHERS: Mapping[str, Client] = {client.OPTION: client for client in ALL if client.OPTION}
"""Those that an option of the command line chooses."""
INSIDE = (
    *(agent.VARIABLE for agent in AGENTS),
    *(name for client in ALL for name in client.INSIDE),
)
"""Variables that say "inside a session": a client called from one would take itself for a part."""


# ------------------------------------------------------------------------- one question


SECONDS = 180.0  # after which an answer is no longer waited for
_POLL = 0.2
_TOLD = 300  # characters of what a client that failed said last


def ask(
    client: Client, question: str, env: Mapping[str, str], wait: Callable[[float], None]
) -> str:
    """The model's answer as text; `wait` is called with the seconds that have passed.

    Raises NotFoundError where the client is not installed, InputError where it fails or takes
    longer than `SECONDS`.
    """
    program = shutil.which(client.PROGRAM, path=env.get("PATH"))
    if program is None:
        raise NotFoundError(f"{client.PROGRAM} is not on PATH", f"{client.PROGRAM} --version")
    inner = {name: value for name, value in env.items() if name not in INSIDE}
    with tempfile.TemporaryDirectory(prefix="onward-write-") as folder:
        place = Path(folder)
        (place / "question").write_text(question, encoding="utf-8")
        (place / "empty").mkdir()
        answer, start = place / "answer", time.monotonic()
        with (
            (place / "question").open("rb") as given,
            (place / "said").open("wb") as said,
            subprocess.Popen(
                [program, *client.headless(answer)],
                stdin=given, stdout=said, stderr=subprocess.STDOUT, cwd=place / "empty", env=inner,
                start_new_session=os.name == "posix",
            ) as child,
        ):  # fmt: skip
            try:
                while child.poll() is None:
                    if (passed := time.monotonic() - start) > SECONDS:
                        message = f"no answer within {SECONDS:.0f} seconds"
                        raise InputError(message, "type the same command again")
                    wait(passed)
                    time.sleep(_POLL)
            finally:
                child.kill()  # nothing, where it has ended
        told = (place / "said").read_bytes().decode("utf-8", "replace")
        if child.returncode:
            reason = " ".join(told.split())[-_TOLD:] or f"exit code {child.returncode}"
            raise InputError(f"{client.PROGRAM} failed: {reason}", f"{client.PROGRAM} -p hello")
        return answer.read_text("utf-8", "replace") if answer.is_file() else told
