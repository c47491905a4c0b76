"""Where onward keeps its own files. Imported at once by every hook, so it imports nothing."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def data_folder(env: Mapping[str, str], home: str) -> str:
    """Where onward keeps its own files: `ONWARD_DATA`, else the platform's place for user data."""
    chosen = env.get("ONWARD_DATA")
    if chosen:
        return chosen
    if os.name == "nt":
        base = env.get("LOCALAPPDATA") or f"{home}\\AppData\\Local"
        return f"{base}\\onward"
    base = env.get("XDG_DATA_HOME", "")
    if base.startswith("/"):
        return f"{base.rstrip('/')}/onward"
    if sys.platform == "darwin":
        return f"{home}/Library/Application Support/onward"
    return f"{home}/.local/share/onward"
