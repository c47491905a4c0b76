"""Codex: where its files lie, which hooks and files belong there, what the user is told.

Measured with 0.169.0. Hooks go into `hooks.json`, which has the shape of Claude Code's settings;
`config.toml` is only read: the client writes the user's trust into it, and takes the hooks of both.

A command is run by the user's shell with `-c` in the folder where the session began, which may be
below the project's root; `$PPID` there is the client; no variable names the project. Trust is a
hash over the command, kept under the file and the place in it: a command or an order that changed
would be dead, in silence, until the user reviewed it again. So neither changes from one release to
the next without need.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from onward.clients import codex_state, files, settings, splice
from onward.clients.settings import Hook
from onward.clients.target import Target
from onward.errors import OnwardError
from onward.storage import reading
from onward.transcripts.agents import CODEX

Registration = Literal["project", "user"]

CONFIG = "config.toml"
SHIM = codex_state.SHIM
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

_SHARED = ("hooks/onward.sh", "hooks/onward-log.sh")  # what the shims of all clients read
_START = "Start codex {where} and work as always; next time it is told where you left off."
_REVIEW = (
    "No hook runs before you trust it: type /hooks in codex, read the five of onward, trust them."
    " Codex silently skips an untrusted one."
)
_TRUST = "It will also ask whether you trust this folder: until you do it reads nothing in .codex."


def command(hook: Hook, registration: Registration) -> str:
    """The command string. It ends well and prints nothing whatever becomes of the shim, also where
    no process can be started, and holds for the user's shell only what fish takes as well: there
    `$PPID` is empty, and the process unknown.
    """
    return f"trap 'exit 0' EXIT; {_untrapped(hook, registration)}"


def older(hook: Hook, registration: Registration) -> tuple[str, ...]:
    """The command strings that a release registered before, which installing replaces."""
    return (_untrapped(hook, registration),)


def _untrapped(hook: Hook, registration: Registration) -> str:
    inner = f'exec sh {FOLDERS[registration]}/{SHIM} {hook.kind} "$1"'
    return f"""sh -c '{inner}' onward "$PPID" 2>/dev/null || true"""


class Codex(Target, frozen=True, kw_only=True):
    """A project's `.codex`, or the user's own."""

    NAME = "Codex"
    PROGRAM = "codex"
    OPTION = "--codex"
    SETTINGS = "hooks.json"
    FOLDER = ".codex"
    user_folder = staticmethod(CODEX.folder)

    @staticmethod
    def headless(answer: Path) -> list[str]:
        """Measured with 0.169.0: no command can be run and nothing is searched on the web, no hook
        runs, nothing is kept. It offers to edit files all the same, in an empty folder that the
        sandbox lets nobody write to.
        """
        off = (
            "hooks",
            "shell_tool",
            "unified_exec",
            "apps",
            "plugins",
            "multi_agent",
            "view_image",
        )
        return [
            *("exec", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only"),
            *("--ignore-rules", "--color", "never", "-c", "mcp_servers={}", "-c", "notify=[]"),
            *("-c", 'web_search="disabled"'),
            *(word for name in off for word in ("--disable", name)),
            *("--output-last-message", str(answer), "-"),
        ]

    def places(self) -> list[Path]:
        """The folders that files of ours may lie in."""
        return [self.base / "hooks", self._skills]

    def shipped(self) -> dict[Path, bytes]:
        """The files that belong there, less the hooks' registrations. The memory folder is made,
        and kept out of git, by the first capture: it belongs to no client.
        """
        found = {self.base / name: (files.TEMPLATES / name).read_bytes() for name in _SHARED}
        for name, data in files.shipped("codex/hooks").items():
            found[self.base / name.removeprefix("codex/")] = data
        for name, data in files.shipped("codex/skills").items():
            found[self._skills / name.removeprefix("codex/skills/")] = data
        return found

    def server(self) -> Path:
        """The client's settings, whose other lines are the user's."""
        return self.base / CONFIG

    def hooks(self) -> list[Hook]:
        """The registrations that belong in its file of hooks."""
        registration: Registration = "project" if self.memory else "user"
        return [
            replace(
                each,
                command=command(each, registration),
                older=older(each, registration),
                windows=f"onward hook codex {each.kind} 0" if self.WINDOWS else "",
            )
            for each in HOOKS
        ]

    def is_installed(self) -> bool:
        """By what we wrote there, or by a registration that somebody took over."""
        try:
            return super().is_installed() or registers(self)
        except OSError:
            return False

    def is_trusted(self, env: Mapping[str, str]) -> bool:
        """Whether the user told the client to trust the project, by the client's own record."""
        try:
            config = codex_state.read(CODEX.folder(self.home, env) / CONFIG)
        except (OSError, ValueError):
            return False
        return codex_state.is_project_trusted(config, self.root)

    def first_steps(self, env: Mapping[str, str]) -> list[str]:
        """What to do in the client after a first installation. Trusting is left to the user."""
        if not self.memory:
            return [_START.format(where="in any project"), _REVIEW]
        trust = [] if self.is_trusted(env) else [_TRUST]
        return [_START.format(where="here"), *trust, _REVIEW]

    def elsewhere(self, project: Target, user: Target) -> Iterator[str]:
        """Where our hooks are registered a second time for the same sessions, and what ends that;
        why the client would not read them; and a file of the same layer at which it will warn.
        """
        if reason := self.unread():
            yield f"Codex takes no hook of {self.shown(self.settings)} as it stands: {reason}."
        everywhere = {
            project.settings: ("onward uninstall --codex", project),
            user.settings: ("onward uninstall --codex --user", user),
        }
        for path, (fix, other) in everywhere.items():
            if path != self.settings and registers(other):
                yield f"The hooks are also registered in {self.shown(path)}; each call is done once. To end that: {fix}"
        if _has_hooks(self.base / CONFIG):
            both = f"{self.shown(self.base / CONFIG)} and {self.settings.name}"
            yield f"Hooks stand in {both} now: codex runs both, and says so at each start."

    def unread(self) -> str:
        """Why the client would take no hook of its file; "" where it takes them. Raises
        StorageError.
        """
        there = self.settings.is_file()
        return codex_state.unread(reading.data(self.settings)) if there else ""

    @property
    def _skills(self) -> Path:
        """Of a project the folder that other agents read as well."""
        return self.root / ".agents" / "skills" if self.memory else self.base / "skills"


TARGET = Codex


def registers(target: Target) -> bool:
    """Whether a file of hooks calls ours; not where it cannot be read: the doctor tells of that."""
    path = target.settings
    try:
        text = reading.text(path) if path.is_file() else "{}"
        return bool(settings.registered(text, target.hooks()))
    except (splice.JsonError, OnwardError):
        return False


def _has_hooks(config: Path) -> bool:
    """Whether hooks stand there besides the client's record of trust."""
    try:
        table = codex_state.read(config).get("hooks")
    except (OSError, ValueError):
        return False
    return isinstance(table, dict) and bool(set(table) - {"state"})
