"""The clients that can be installed into, in the order of `transcripts.registry.AGENTS`; here opencode
and Copilot CLI, whose hooks are files of ours alone, so no settings of anybody's are touched.

Measured with opencode 1.18.33: it reads plugins of the project and of the user without a question,
and puts files of its own beside them (`package.json`, `node_modules`), which are not ours to remove.

Measured with Copilot CLI 1.0.102: it reads all files of hooks in its folder; a command runs in the
project's root by `bash -c`, COPILOT_HOOK_DIR is the folder of the file that names it. The hooks of a
project run only where `trustedFolders` of the client's own config.json has it; those of the user
always.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar

from onward.clients import files
from onward.clients.claude_code import ClaudeCode
from onward.clients.codex import Codex
from onward.clients.target import Target
from onward.errors import InputError, NotFoundError
from onward.transcripts.registry import AGENTS, COPILOT, OPENCODE


class OwnFiles(Target, frozen=True, kw_only=True):
    """Of such a client `SETTINGS` is the file of ours that it reads first, `SHIPPED` our templates
    for it, `SHARED` the files that all shims read.
    """

    ANSWERS = False
    SHIPPED: ClassVar[str]
    SHARED: ClassVar[tuple[str, ...]] = ()

    def places(self) -> list[Path]:
        """The folders that files of ours may lie in."""
        return sorted({path.parent for path in self.shipped()})

    def shipped(self) -> dict[Path, bytes]:
        """The files that belong there."""
        return {
            **(files.shipped(*self.SHARED, base=self.base) if self.SHARED else {}),
            **files.shipped(root=self.SHIPPED, base=self.base),
            **files.shipped("skills", root="codex", base=self.base),
        }

    def registers(self) -> bool:
        """By the file that the client reads."""
        return self.is_installed()

    def is_installed(self) -> bool:
        """By the record of what we wrote there, or by the file that the client reads."""
        return super().is_installed() or self.settings.is_file()


class Opencode(OwnFiles, frozen=True, kw_only=True):
    """A project's `.opencode`, or the user's own."""

    NAME = "opencode"
    PROGRAM = "opencode"
    INSIDE = ("OPENCODE", "OPENCODE_PID")
    OPTION = "--opencode"
    SETTINGS = "plugins/onward.js"
    FOLDER = ".opencode"
    SHIPPED = "opencode"
    user_folder = staticmethod(OPENCODE.folder)

    def server(self) -> Path:
        """A plugin, which adds the server to the settings as the client holds them."""
        return self.base / "plugins" / "onward-mcp.js"


class Copilot(OwnFiles, frozen=True, kw_only=True):
    """A project's `.github`, or the user's own folder of the client."""

    NAME = "Copilot CLI"
    PROGRAM = "copilot"
    INSIDE = ("COPILOT_CLI",)
    OPTION = "--copilot"
    SETTINGS = "hooks/onward.json"
    FOLDER = ".github"
    SHIPPED = "copilot"
    SHARED = files.SHARED
    user_folder = staticmethod(COPILOT.folder)

    def server(self) -> Path:
        """A file for servers alone."""
        return self.base / ("mcp.json" if self.memory else "mcp-config.json")

    def is_trusted(self, env: Mapping[str, str]) -> bool:
        """Whether the user told the client to trust the project, by the client's own record."""
        folders = files.load(COPILOT.folder(self.home, env) / "config.json", "trustedFolders")
        root = os.path.realpath(self.root)
        return isinstance(folders, list) and any(
            isinstance(each, str) and (root == each or root.startswith(f"{each.rstrip('/')}/"))
            for each in folders
        )


Client = type[Target]
ALL: tuple[Client, ...] = (ClaudeCode, Codex, Opencode, Copilot)
DEFAULT: Client = ALL[0]
OTHERS: Mapping[str, Client] = {client.OPTION: client for client in ALL if client.OPTION}
"""Those that an option of the command line chooses."""
INSIDE = (
    *(agent.VARIABLE for agent in AGENTS),
    *(name for client in ALL for name in client.INSIDE),
)
"""Variables that say "inside a session": a client called from one would take itself for a part."""


# ------------------------------------------------------------------------- one question


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
