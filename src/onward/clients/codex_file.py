"""Install, Codex: whether the client would read a file of hooks.

Measured with 0.169.0: of a file in which one thing is not as it expects, it takes no hook at all.
It does so with a warning at its start, which other programs that call it do not show.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import Struct

_MARK: Final = b"\xef\xbb\xbf"


class _Hook(Struct, frozen=True):
    type: Literal["command", "mcp_tool", "prompt", "agent"]
    command: str | None = None
    timeout: int | None = None


class _Group(Struct, frozen=True):
    matcher: str | None = None
    hooks: tuple[_Hook, ...] = ()


class _Events(Struct, frozen=True, rename="pascal"):
    """Those that the client knows; it passes over another one, whatever stands there."""

    pre_tool_use: tuple[_Group, ...] = ()
    permission_request: tuple[_Group, ...] = ()
    post_tool_use: tuple[_Group, ...] = ()
    pre_compact: tuple[_Group, ...] = ()
    post_compact: tuple[_Group, ...] = ()
    session_start: tuple[_Group, ...] = ()
    session_end: tuple[_Group, ...] = ()
    user_prompt_submit: tuple[_Group, ...] = ()
    subagent_start: tuple[_Group, ...] = ()
    subagent_stop: tuple[_Group, ...] = ()
    stop: tuple[_Group, ...] = ()
    interrupt: tuple[_Group, ...] = ()


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    description: str | None = None
    hooks: _Events = _Events()


def unread(data: bytes) -> str:
    """Why the client would take nothing of this file; "" where it takes it. Nothing of the file
    itself is told: a value, or a key, may be a secret.
    """
    if data.startswith(_MARK):
        return "it begins with a byte order mark"
    try:
        msgspec.json.decode(data, type=_File)
    except msgspec.ValidationError as error:
        place = str(error).rpartition(" - at ")[2]
        if place.startswith("`$."):
            return f"what stands at {place} is not what it expects"
        return "it holds more than `description` and `hooks`"
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return "it is no JSON"
    return ""
