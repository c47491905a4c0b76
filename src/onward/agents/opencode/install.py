"""opencode's plugin.

Measured with 1.18.33: it reads plugins of the project and of the user without a question, and puts files
of its own beside them (`package.json`, `node_modules`), which are not ours to remove.
"""

from __future__ import annotations

from pathlib import Path

from onward.agents.opencode.sessions import AGENT
from onward.clients.target import OwnFiles


class Opencode(OwnFiles, frozen=True, kw_only=True):
    """A project's `.opencode`, or the user's own."""

    NAME = "opencode"
    PROGRAM = "opencode"
    INSIDE = ("OPENCODE", "OPENCODE_PID")
    OPTION = "--opencode"
    SETTINGS = "plugins/onward.js"
    FOLDER = ".opencode"
    TEMPLATES = Path(__file__).with_name("templates")
    SHARED = ()
    user_folder = staticmethod(AGENT.folder)

    def server(self) -> Path:
        """A plugin, which adds the server to the settings as the client holds them."""
        return self.base / "plugins" / "onward-mcp.js"


TARGET = Opencode
