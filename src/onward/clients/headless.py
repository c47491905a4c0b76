"""One question to a client's own model, without tools, hooks, settings or a session file.

Only `--write` comes here: nothing else in onward starts a model. The question goes in on stdin, in
an empty folder, so that no file of a project is near.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from onward.clients.registry import INSIDE, Client
from onward.errors import InputError, NotFoundError

SECONDS = 180.0
"""After which an answer is no longer waited for."""
_POLL = 0.2
_TOLD = 300
"""Characters of what a client that failed said last."""


def ask(
    client: Client,
    question: str,
    env: Mapping[str, str],
    *,
    seconds: float = SECONDS,
    wait: Callable[[float], None] = lambda _: None,
) -> str:
    """The model's answer as text; `wait` is called with the seconds that have passed.

    Raises NotFoundError where the client is not installed, InputError where it fails or takes
    longer than `seconds`.
    """
    program = shutil.which(client.PROGRAM, path=env.get("PATH"))
    if program is None:
        raise NotFoundError(f"{client.PROGRAM} is not on PATH", f"{client.PROGRAM} --version")
    inner = {name: value for name, value in env.items() if name not in INSIDE}
    with tempfile.TemporaryDirectory(prefix="onward-write-") as folder:
        place = Path(folder)
        (place / "question").write_text(question, encoding="utf-8")
        work = place / "empty"
        work.mkdir()
        answer = place / "answer"
        with (place / "question").open("rb") as given, (place / "said").open("wb") as said:
            child = subprocess.Popen(
                [program, *client.headless(answer)],
                stdin=given, stdout=said, stderr=subprocess.STDOUT, cwd=work, env=inner,
                start_new_session=os.name == "posix",
            )  # fmt: skip
            try:
                start = time.monotonic()
                while child.poll() is None:
                    passed = time.monotonic() - start
                    if passed > seconds:
                        message = f"no answer within {seconds:.0f} seconds"
                        raise InputError(message, "type the same command again")
                    wait(passed)
                    time.sleep(_POLL)
            finally:
                if child.poll() is None:
                    child.kill()
                    child.wait()
        told = (place / "said").read_bytes().decode("utf-8", "replace")
        if child.returncode:
            reason = " ".join(told.split())[-_TOLD:] or f"exit code {child.returncode}"
            raise InputError(f"{client.PROGRAM} failed: {reason}", f"{client.PROGRAM} -p hello")
        return answer.read_text("utf-8", "replace") if answer.is_file() else told
