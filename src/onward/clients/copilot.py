"""GitHub Copilot CLI: a file of hooks of ours beside those of others, which it reads one by one.

Measured with 1.0.102: a command runs in the project's root by `bash -c`, COPILOT_HOOK_DIR is the
folder of the file that names it. The hooks of a project run only where `trustedFolders` of the
client's own config.json has it; those of the user always.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from onward.clients.plain import Plain
from onward.errors import OnwardError
from onward.storage import reading
from onward.transcripts.agents import COPILOT


class Copilot(Plain, frozen=True, kw_only=True):
    """A project's `.github`, or the user's own folder of the client."""

    NAME = "Copilot CLI"
    PROGRAM = "copilot"
    INSIDE = ("COPILOT_CLI",)
    OPTION = "--copilot"
    SETTINGS = "hooks/onward.json"
    FOLDER = ".github"
    SHIPPED = "copilot"
    SHARED = ("hooks/onward.sh", "hooks/onward-log.sh")
    STEPS = (
        "It will ask whether you trust this folder: until you say yes and remember, no hook runs.",
    )
    user_folder = staticmethod(COPILOT.folder)

    def server(self) -> Path:
        """A file for servers alone."""
        return self.base / ("mcp.json" if self.memory else "mcp-config.json")

    def is_trusted(self, env: Mapping[str, str]) -> bool:
        """Whether the user told the client to trust the project, by the client's own record, in
        which lines are comments.
        """
        if not self.memory:
            return True
        try:
            text = reading.text(COPILOT.folder(self.home, env) / "config.json")
            lines = (line for line in text.splitlines() if not line.lstrip().startswith("//"))
            known = json.loads("\n".join(lines))
        except (OnwardError, OSError, ValueError, RecursionError):
            return False
        folders = known.get("trustedFolders") if isinstance(known, dict) else None
        root = os.path.realpath(self.root)
        return isinstance(folders, list) and any(
            isinstance(each, str) and (root == each or root.startswith(f"{each.rstrip('/')}/"))
            for each in folders
        )


TARGET = Copilot
