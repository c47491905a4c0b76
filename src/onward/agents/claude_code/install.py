"""Claude Code: where its settings lie, which hooks and files belong there, what the user is told.

Measured with 2.1.330 and 2.1.197. A command is run by `/bin/sh -c`, where a missing file, a syntax
error or a usage error ends with 2, which erases the user's prompt. So each command string ends with
status 0 and an empty stdout whatever becomes of the file that it names, and lets another file leave
a line in our log. Where not even a process can be started, the shell itself ends with 2 before it
comes to `|| true`: the trap turns that into 0. The string is short, since the client shows it: to
reviewers of the settings, on the screen and, at `/compact`, to the model.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import replace

from onward import regular
from onward.agents.claude_code.sessions import AGENT
from onward.clients import files, settings, splice
from onward.clients.settings import Hook
from onward.clients.target import Level, Target
from onward.storage import backups, reading

Registration = Literal["project", "user", "plugin"]

# Only events that 2.1.197 knows: 2.1.330 stops with a warning at every start for one it does not.
# Without a time limit 2.1.330 kills what runs at a session's end after 1.5 s.
HOOKS = tuple(
    Hook(event=event, matcher=matcher, kind=kind, shim=shim, timeout=timeout)
    for event, matcher, kind, shim, timeout in (
        ("SessionStart", "", "start", "on-session-start.sh", 10),
        ("SessionStart", "compact", "compacted", "on-session-start-compact.sh", 20),
        ("SessionEnd", "", "end", "on-session-end.sh", 30),
        ("PreCompact", "", "compact", "on-pre-compact.sh", 30),
        ("UserPromptSubmit", "", "prompt", "on-user-prompt-submit.sh", 5),
        ("Stop", "", "turn", "on-stop.sh", 5),
        ("PreToolUse", "Bash", "tool", "on-pre-tool-use.sh", 5),
    )
)
LOCAL = "settings.local.json"
LOG = "onward-log.sh"  # what tells of a shim that failed

# The shell expands these: the client substitutes nothing in a command of this form (measured).
FOLDERS: Mapping[Registration, str] = {
    "project": '"$CLAUDE_PROJECT_DIR"/.claude/hooks',
    "user": '"${CLAUDE_CONFIG_DIR:-$HOME/.claude}"/hooks',
    "plugin": '"${CLAUDE_PLUGIN_ROOT}"/hooks',
}

_BELOW = "Started in a sub-folder it reads none of this. For that: onward install --user"


def command(hook: Hook, registration: Registration) -> Hook:
    """The hook with its command string. 2.1.197 tells no process id: there it is the shell's parent."""
    folder = FOLDERS[registration]
    return hook.guarded(
        f'sh {folder}/{hook.shim} "${{CLAUDE_PID:-$PPID}}" 2>/dev/null'
        f" || sh {folder}/{LOG} {hook.shim} failed 2>/dev/null || true",
        "0",
    )


def shims(base: Path = Path()) -> dict[Path, bytes]:
    """The files that those call, and what these read, as files of a folder `base`."""
    own = files.shipped("hooks", root=ClaudeCode.TEMPLATES, base=base)
    return own | files.shipped(*files.SHARED, base=base)


def hooks(registration: Registration) -> list[Hook]:
    """The registrations of all hooks, for a shell."""
    return [command(each, registration) for each in HOOKS]


class ClaudeCode(Target, frozen=True, kw_only=True):
    """A project's `.claude`, or the user's own."""

    NAME = "Claude Code"
    PROGRAM = "claude"
    INSIDE = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT")
    RULES = "CLAUDE.md"
    SETTINGS = "settings.json"
    FOLDER = ".claude"
    TEMPLATES = Path(__file__).with_name("templates")
    PROBE = Path(__file__).with_name("SESSION.jsonl")
    NEXT = "next time type /resume-latest"
    TRUST = (
        "It will ask whether you trust this folder: choose yes. Enter means"
        ' "No, exit", and until you do no hook runs.'
    )
    user_folder = staticmethod(AGENT.folder)

    @staticmethod
    def headless(_: Path) -> list[str]:
        """Measured with 2.1.197 and 2.1.330: no tool is offered, no hook runs, nothing is kept."""
        alone = (
            "-p --safe-mode --strict-mcp-config --disable-slash-commands --no-session-persistence"
        )
        return [*alone.split(), "--tools", "", "--output-format", "text"]

    @property
    def grant(self) -> str:
        """For the agent's note after a plain `continue`, where no command grants it. Measured: the
        client still asks for any other file, and for a link of that name.
        """
        return f"Edit({'' if self.memory else '//**'}/memory/.draft-*.json)"

    def places(self) -> list[Path]:
        """The folders that files of ours may lie in."""
        own = [self.base / name for name in ("commands", "hooks", "scripts", "skills")]
        return [*own, self.memory] if self.memory else own

    def shipped(self) -> dict[Path, bytes]:
        """The files that belong there, less the settings and the block in CLAUDE.md."""
        folders = ("commands", "hooks", "skills", *(("scripts",) if self.memory else ()))
        found = files.shipped(*folders, root=self.TEMPLATES, base=self.base) | shims(self.base)
        if self.memory:
            found |= files.shipped(root=self.TEMPLATES / "memory", base=self.memory)
            found[self.memory / backups.IGNORE] = backups.ignoring(b"")
        return found

    def block(self) -> bytes | None:
        """Our rules and imports for CLAUDE.md, relative to that file; None where imports would not resolve."""
        if not self.memory:
            return None
        text = (self.TEMPLATES / self.RULES).read_bytes().strip()
        text = text.removeprefix(files.BEGIN).removesuffix(files.END).strip()
        memory = Path(os.path.relpath(self.memory, self.base)).as_posix()
        text = text.replace(b"@memory/", f"@{memory}/".encode())
        return b"\n".join((files.BEGIN, text, files.END))

    def server(self) -> Path | None:
        """The project's own file; of the user the client keeps them among its own records."""
        return self.root / ".mcp.json" if self.memory else None

    def hooks(self) -> list[Hook]:
        """The registrations that belong in its settings."""
        if self.WINDOWS:
            return [
                replace(each, command="onward", args=("hook", "claude-code", each.kind, "0"))
                for each in HOOKS
                if each.kind != "tool"  # decided in the shim, which needs a shell
            ]
        return hooks("project" if self.memory else "user")

    def is_trusted(self, env: Mapping[str, str]) -> bool:
        """Whether the user told the client (2.1.197, 2.1.330) so, by the client's own record."""
        root = os.path.realpath(self.root)
        state = AGENT.state(self.home, env)
        return files.load(state, "projects", root, "hasTrustDialogAccepted") is True

    def first_steps(self, env: Mapping[str, str]) -> list[str]:
        """What to do in the client after a first installation."""
        return [*super().first_steps(env), *([_BELOW] if self.memory else [])]

    def elsewhere(self, project: Target, user: Target) -> Iterator[str]:
        """As `Target`; a file that cannot be read is not told here: the doctor does."""
        yield from super().elsewhere(project, user)
        for level in project.levels(user.base):
            if level.name == "local" and level.hooks:
                where = f"The hooks are also registered in {self.shown(level.path)}"
                yield self.also(where, "take them out there")
            if level.plugin:
                where = f"The plugin {level.plugin} registers the same hooks"
                yield self.also(where, f"claude plugin uninstall {level.plugin}")

    def levels(self, config: Path) -> list[Level]:
        """As `Target`; a plugin counts where it is switched on."""
        found = [
            _level(Level(name=name, path=path), self.hooks())
            for name, path in (
                ("user", config / "settings.json"),
                ("project", self.settings),
                ("local", self.base / LOCAL),
            )
            if path.is_file()
        ]
        switched: dict[str, Any] = {}
        for level in found:
            plugins = level.data.get("enabledPlugins")
            switched |= plugins if isinstance(plugins, dict) else {}
        ours = (key for key, on in switched.items() if on is True and key.startswith("onward@"))
        return [*(_plugin(config / "plugins", key) for key in sorted(ours)), *found]

    @staticmethod
    def told(project: Path, session: str, plugin: Path | None) -> dict[str, str]:
        """As `Target`."""
        return {
            "CLAUDE_PROJECT_DIR": str(project),
            "CLAUDE_CODE_SESSION_ID": session,
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDECODE": "1",
            "CLAUDE_PID": str(os.getpid()),
            "CLAUDE_PLUGIN_ROOT": str(plugin or ""),
        }


TARGET = ClaudeCode


def _level(level: Level, wanted: list[Hook]) -> Level:
    """The level with what its file holds."""
    text = ""
    try:
        text = regular.head(level.path, reading.LARGEST_CACHE).decode()
        data = splice.parse(text).plain()
        registered = tuple(settings.registrations(text, wanted))
    except splice.JsonError as error:
        fault = f", line {splice.place(text, error.at)[0]}: {error.what}"
    except UnicodeDecodeError:
        fault = ": it is not UTF-8"
    except OSError as error:
        fault = f": {error.strerror or 'it cannot be read'}"
    else:
        return replace(level, data=data, hooks=registered)
    return replace(level, fault=fault)


def _plugin(folder: Path, key: str) -> Level:
    """A plugin from a folder runs where it stands, one from elsewhere in the client's own copy."""
    market = files.load(folder / "known_marketplaces.json", key.partition("@")[2])
    roots = [files.load(folder / "installed_plugins.json", "plugins", key, 0, "installPath")]
    if files.at(market, "source", "source") == "directory":
        roots.insert(0, f"{files.at(market, 'installLocation')}/plugins/onward")
    root = next(
        (Path(each) for each in roots if isinstance(each, str) and Path(each).is_dir()), None
    )
    if root is None:
        return Level(
            name="plugin", plugin=key, path=folder / key, fault=": its folder was not found"
        )
    path = root / "hooks" / "hooks.json"
    return _level(Level(name="plugin", plugin=key, path=path, root=root), hooks("plugin"))
