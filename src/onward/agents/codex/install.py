"""Codex: where its files lie, which hooks and files belong there, whether it would run them.

Measured with 0.169.0. Hooks go into `hooks.json`, events with groups of hooks. Of
a file in which one value is not as it expects, it takes no hook at all, with a warning at its start
which other programs that call it do not show. `config.toml` is only read: the client takes the hooks
of both, and keeps there for each hook, under the file it stands in, its event and its place there,
the hash of what the user reviewed. A hook without one, or with another, is silently skipped: so
neither a command nor the order changes from one release to the next without need.

A command is run by the user's shell with `-c` in the folder where the session began, which may be
below the project's root; `$PPID` there is the client; no variable names the project. On Windows it
runs `commandWindows` in its place, by its source; elsewhere that is neither run nor hashed (measured).
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
from msgspec.structs import replace

from onward import regular
from onward.agents.codex.sessions import AGENT
from onward.clients import files
from onward.clients.files import at
from onward.clients.settings import Hook
from onward.clients.target import Obstacle, Target
from onward.storage import reading

Registration = Literal["project", "user"]
Trust = Literal["trusted", "not trusted yet", "changed since you trusted it", "switched off"]

CONFIG = "config.toml"
SHIM = "onward-codex.sh"
# A compaction's end has no entry of its own: it begins the session anew, with that source. The
# client allows a session's end no more than 3 s.
HOOKS = tuple(
    Hook(event=event, kind=kind, shim=SHIM, timeout=timeout)
    for event, kind, timeout in (
        ("SessionStart", "start", 10),
        ("UserPromptSubmit", "prompt", 5),
        ("PreCompact", "compact", 30),
        ("Stop", "turn", 5),
        ("SessionEnd", "end", 3),
    )
)
FOLDERS: Mapping[Registration, str] = {
    "project": '"$(git rev-parse --show-toplevel 2>/dev/null || pwd)"/.codex/hooks',
    "user": '"${CODEX_HOME:-$HOME/.codex}"/hooks',
}

_OFF = "hooks shell_tool unified_exec apps plugins multi_agent view_image"
"""What is switched off where it answers one question."""
_MARK: Final = b"\xef\xbb\xbf"
_LONG = 600  # seconds that the client allows where none are named
_REVIEW = (
    "No hook runs before you trust it: type /hooks in codex, read the five of onward, trust them."
    " Codex silently skips an untrusted one."
)
_SKIPPED = "codex silently skips it: nothing is captured and nothing is told"


def command(hook: Hook, registration: Registration) -> Hook:
    """The hook with its command string. It ends well and prints nothing whatever becomes of the shim,
    also where no process can be started, and holds for the user's shell only what fish takes as
    well: there `$PPID` is empty, and the process unknown.
    """
    inner = f'exec sh {FOLDERS[registration]}/{SHIM} {hook.kind} "$1"'
    guarded = hook.guarded(f"""sh -c '{inner}' onward "$PPID" 2>/dev/null || true""", "EXIT")
    return replace(guarded, windows=f"onward hook codex {hook.kind} 0")


class Codex(Target, frozen=True, kw_only=True):
    """A project's `.codex`, or the user's own."""

    NAME = "Codex"
    PROGRAM = "codex"
    OPTION = "--codex"
    SETTINGS = "hooks.json"
    FOLDER = ".codex"
    TEMPLATES = Path(__file__).with_name("templates")
    PROBE = Path(__file__).with_name("rollout-SESSION.jsonl")
    NEXT = "next time it is told where you left off"
    TRUST = (
        "It will also ask whether you trust this folder: until you do it reads nothing in .codex."
    )
    user_folder = staticmethod(AGENT.folder)

    @staticmethod
    def headless(answer: Path) -> list[str]:
        """Measured with 0.169.0: no command can be run and nothing is searched on the web, no hook
        runs, nothing is kept. It offers to edit files all the same, in an empty folder that the
        sandbox lets nobody write to.
        """
        return [
            *("exec", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only"),
            *("--ignore-rules", "--color", "never", "-c", "mcp_servers={}", "-c", "notify=[]"),
            *("-c", 'web_search="disabled"'),
            *(word for name in _OFF.split() for word in ("--disable", name)),
            *("--output-last-message", str(answer), "-"),
        ]

    def places(self) -> list[Path]:
        """The folders that files of ours may lie in."""
        return [self.base / "hooks", self.skills]

    def server(self) -> Path:
        """The client's settings, whose other lines are the user's."""
        return self.base / CONFIG

    def hooks(self) -> list[Hook]:
        """The registrations that belong in its file of hooks."""
        registration: Registration = "project" if self.memory else "user"
        return [command(each, registration) for each in HOOKS]

    def is_installed(self) -> bool:
        """By what we wrote there, or by a registration that somebody took over."""
        return super().is_installed() or bool(self.registered())

    def is_trusted(self, env: Mapping[str, str]) -> bool:
        """Whether the user told the client to trust the project, by the client's own record."""
        path = AGENT.folder(self.home, env) / CONFIG
        roots = {str(self.root), os.path.realpath(self.root)}
        return "trusted" in (files.load(path, "projects", each, "trust_level") for each in roots)

    def first_steps(self, env: Mapping[str, str]) -> list[str]:
        """What to do in the client after a first installation."""
        return [*super().first_steps(env), _REVIEW]

    def elsewhere(self, project: Target, user: Target) -> Iterator[str]:
        """As `Target`; and why the client would not read them."""
        if reason := self._unread():
            yield f"Codex takes no hook of {self.shown(self.settings)} as it stands: {reason}."
        yield from super().elsewhere(project, user)

    def obstacles(self, env: Mapping[str, str]) -> Iterator[Obstacle]:
        """Codex runs a hook only where it takes the file and trusts the folder and the hook."""
        shown, path = self.shown(self.settings), AGENT.folder(self.home, env) / CONFIG
        config_shown = self.shown(path)
        if reason := self._unread():
            text = f"it takes no hook of {shown} as it stands: {reason}"
            yield text, _SKIPPED, f"fix {shown}, then start codex anew"
            return
        try:
            data = regular.head(path, reading.LARGEST) if path.is_file() else b""
            config = tomllib.loads(data.decode())
        except (OSError, ValueError, RecursionError) as error:
            line = f": {error}" if isinstance(error, tomllib.TOMLDecodeError) else ""
            text = f"{config_shown} cannot be read{line}"
            yield text, "codex does not start with such a file", "fix it"
            return
        if at(config, "features", "hooks") is False:
            fix = f"take `hooks = false` out of {config_shown}"
            yield f"{config_shown}: hooks are switched off", _SKIPPED, fix
        yield from super().obstacles(env)
        wrong: dict[Trust, list[str]] = {}
        for event, trust in trusts(config, self.settings, json.loads(reading.text(self.settings))):
            wrong.setdefault(trust, []).append(event)
        wrong.pop("trusted", None)
        for trust, events in wrong.items():
            fix = "type /hooks in codex, read those of onward, trust them"
            yield f"{shown}: {trust}: {', '.join(events)}", _SKIPPED, fix

    def _unread(self) -> str:
        """Why the client would take no hook of its file, "" where it takes them. Raises StorageError."""
        there = self.settings.is_file()
        return unread(reading.data(self.settings)) if there else ""

    @property
    def skills(self) -> Path:
        """Of a project the folder that other agents read as well."""
        return self.root / ".agents" / "skills" if self.memory else self.base / "skills"


TARGET = Codex


# ------------------------------------------------------------------------ the client's own files


class _Hook(Struct, frozen=True):
    type: Literal["command", "mcp_tool", "prompt", "agent"]
    command: str | None = None
    timeout: int | None = None
    commandWindows: str | None = None  # noqa: N815 - the client's own name


class _Group(Struct, frozen=True):
    matcher: str | None = None
    hooks: tuple[_Hook, ...] = ()


_EVENTS = (
    "PreToolUse PermissionRequest PostToolUse PreCompact PostCompact SessionStart SessionEnd"
    " UserPromptSubmit SubagentStart SubagentStop Stop Interrupt"
)
"""Those that the client knows; it passes over another one, whatever stands there."""
_Events = msgspec.defstruct(
    "_Events", [(name, tuple[_Group, ...], ()) for name in _EVENTS.split()], frozen=True
)
_File = msgspec.defstruct(
    "_File",
    [("description", str | None, None), ("hooks", _Events, _Events())],
    frozen=True,
    forbid_unknown_fields=True,
)


def unread(data: bytes) -> str:
    """Why the client would take nothing of this file, "" where it does. No value of it is told: it may be a secret."""
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


def trusts(
    config: Mapping[str, Any], path: Path, table: Mapping[str, Any]
) -> Iterator[tuple[str, Trust]]:
    """Event and trust of each hook of ours in the file of hooks at `path`, whose JSON is `table`."""
    events = table.get("hooks")
    for event, groups in events.items() if isinstance(events, dict) else ():
        for group, entry in enumerate(groups if isinstance(groups, list) else ()):
            found = entry.get("hooks") if isinstance(entry, dict) else None
            for index, hook in enumerate(found if isinstance(found, list) else ()):
                if SHIM in str(at(hook, "command")):
                    place = f"{_snake(event)}:{group}:{index}"
                    yield event, _trust(config, path, place, _hash(event, entry, hook))


def _trust(config: Mapping[str, Any], path: Path, place: str, known: str) -> Trust:
    keys = (f"{each}:{place}" for each in (str(path), os.path.realpath(path)))
    state = next((found for key in keys if (found := at(config, "hooks", "state", key))), None)
    if at(state, "enabled") is False:
        return "switched off"
    reviewed = at(state, "trusted_hash")
    if not reviewed:
        return "not trusted yet"
    return "trusted" if reviewed == known else "changed since you trusted it"


def _hash(event: str, entry: Mapping[str, Any], hook: Mapping[str, Any]) -> str:
    """As the client has it: over the hook alone in its group, keys sorted, no blanks."""
    whole = {"async": False, "timeout": _LONG, **hook}
    windows = whole.pop("commandWindows", None)
    if windows is not None and Target.WINDOWS:
        whole["command"] = windows
    group: dict[str, Any] = {"event_name": _snake(event), "hooks": [whole]}
    if "matcher" in entry:
        group["matcher"] = entry["matcher"]
    text = json.dumps(group, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode(errors='replace')).hexdigest()}"


def _snake(event: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()
