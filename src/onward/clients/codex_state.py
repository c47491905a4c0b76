"""What Codex makes of its files: whether it reads a file of hooks, and whether it runs a hook.

Measured with 0.169.0. Of a file in which one value is not as it expects, it takes no hook at all,
with a warning at its start which other programs that call it do not show. `config.toml` keeps for
each hook, under the file it stands in, its event and its place there, the hash of what was
reviewed. A hook that is not there, or whose hash is another one, is silently skipped.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from onward import regular
from onward.storage.reading import LARGEST

SHIM = "onward-codex.sh"
Trust = Literal["trusted", "untrusted", "changed", "off"]
_LONG = 600  # seconds that the client allows where none are named
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


def read(config: Path) -> Mapping[str, Any]:
    """The client's settings; {} where there are none. Raises OSError, ValueError for a file that
    is no TOML.
    """
    if not config.is_file():
        return {}
    try:
        return tomllib.loads(regular.head(config, LARGEST).decode())
    except RecursionError:
        raise ValueError("too many brackets stand inside one another") from None


def is_on(config: Mapping[str, Any]) -> bool:
    """Whether hooks are run at all."""
    return _at(config, "features", "hooks") is not False


def is_project_trusted(config: Mapping[str, Any], root: Path) -> bool:
    """Whether the client reads what lies in the `.codex` of a project."""
    return any(
        _at(config, "projects", path, "trust_level") == "trusted"
        for path in {str(root), os.path.realpath(root)}
    )


def hooks(
    config: Mapping[str, Any], path: Path, table: Mapping[str, Any]
) -> Iterator[tuple[str, Trust]]:
    """Event and trust of each hook of ours in the file of hooks at `path`, whose JSON is `table`."""
    for event, groups in _items(table.get("hooks")):
        for group, entry in enumerate(groups if isinstance(groups, list) else ()):
            found = entry.get("hooks") if isinstance(entry, dict) else None
            for index, hook in enumerate(found if isinstance(found, list) else ()):
                if SHIM in str(_at(hook, "command")):
                    place = f"{_snake(event)}:{group}:{index}"
                    yield event, _trust(config, path, place, _hash(event, entry, hook))


def _trust(config: Mapping[str, Any], path: Path, place: str, known: str) -> Trust:
    keys = (f"{each}:{place}" for each in (str(path), os.path.realpath(path)))
    state = next((found for key in keys if (found := _at(config, "hooks", "state", key))), None)
    if _at(state, "enabled") is False:
        return "off"
    reviewed = _at(state, "trusted_hash")
    if not reviewed:
        return "untrusted"
    return "trusted" if reviewed == known else "changed"


def _hash(event: str, entry: Mapping[str, Any], hook: Mapping[str, Any]) -> str:
    """As the client has it: over the hook alone in its group, keys sorted, no blanks."""
    whole = {"async": False, "timeout": _LONG, **hook}
    group: dict[str, Any] = {"event_name": _snake(event), "hooks": [whole]}
    if "matcher" in entry:
        group["matcher"] = entry["matcher"]
    text = json.dumps(group, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode(errors='replace')).hexdigest()}"


def _snake(event: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()


def _items(found: object) -> Iterator[tuple[str, Any]]:
    yield from found.items() if isinstance(found, dict) else ()


def _at(found: Any, *keys: str) -> Any:
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found
