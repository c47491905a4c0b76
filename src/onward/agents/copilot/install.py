"""Copilot CLI's file of hooks.

Measured with 1.0.102: it reads all files of hooks in its folder; a command runs in the project's root by
`bash -c`, COPILOT_HOOK_DIR is the folder of the file that names it. The hooks of a project run only where
`trustedFolders` of the client's own config.json has it; those of the user always.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from onward.agents.copilot.sessions import AGENT
from onward.clients import files
from onward.clients.target import OwnFiles


class Copilot(OwnFiles, frozen=True, kw_only=True):
    """A project's `.github`, or the user's own folder of the client."""

    NAME = "Copilot CLI"
    PROGRAM = "copilot"
    INSIDE = ("COPILOT_CLI",)
    OPTION = "--copilot"
    SETTINGS = "hooks/onward.json"
    FOLDER = ".github"
    TEMPLATES = Path(__file__).with_name("templates")
    user_folder = staticmethod(AGENT.folder)

    def server(self) -> Path:
        """A file for servers alone."""
        return self.base / ("mcp.json" if self.memory else "mcp-config.json")

    def is_trusted(self, env: Mapping[str, str]) -> bool:
        """Whether the user told the client to trust the project, by the client's own record."""
        folders = files.load(AGENT.folder(self.home, env) / "config.json", "trustedFolders")
        root = os.path.realpath(self.root)
        return isinstance(folders, list) and any(
            isinstance(each, str) and (root == each or root.startswith(f"{each.rstrip('/')}/"))
            for each in folders
        )


TARGET = Copilot
