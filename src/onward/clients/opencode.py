"""opencode: a plugin of ours, which its folder of plugins holds; nothing else of it is touched.

Measured with 1.18.33: it reads plugins of the project and of the user without a question, and puts
files of its own beside them (`package.json`, `node_modules`), which are not ours to remove.
"""

from __future__ import annotations

from pathlib import Path

from onward.clients.plain import Plain
from onward.transcripts.agents import OPENCODE


class Opencode(Plain, frozen=True, kw_only=True):
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


TARGET = Opencode
