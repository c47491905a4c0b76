"""Install: where the files of Claude Code lie, what of ours belongs there, what a user should know of it.

Its behaviour is measured with 2.1.330 and 2.1.197.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from onward.clients import claude_code_hooks, files, settings, splice
from onward.clients.settings import Hook
from onward.errors import OnwardError
from onward.storage import backups, reading
from onward.storage.project import Project, shown
from onward.transcripts.claude_code.home import folder, state

NAME = "Claude Code"
OPTION = ""
RULES = "CLAUDE.md"
_SETTINGS = "settings.json"
_LOCAL = "settings.local.json"
_PLUGIN = "onward@"  # a plugin of ours, from whichever marketplace

_START = "Start claude {where} and work as always; next time type /resume-latest."
_TRUST = (
    "It will ask whether you trust this folder: choose yes. Enter means"
    ' "No, exit", and until you do no hook runs.'
)
_BELOW = "Started in a sub-folder it reads none of this. For that: onward install --user"
CHECK = "Check: onward doctor"


class _Folder(Struct):
    hasTrustDialogAccepted: bool = False  # noqa: N815 - the client's name


class _State(Struct):
    projects: dict[str, _Folder] = {}


class Target(Struct, frozen=True, kw_only=True):
    """What is installed into: a project, or (without `memory`) the user's own client folder.

    `base` is the client's folder, `root` the one that paths are recorded from.
    """

    root: Path
    base: Path
    home: Path
    memory: Path | None = None

    @property
    def settings(self) -> Path:
        """The settings file that is shared by all who work there."""
        return self.base / _SETTINGS

    @property
    def bound(self) -> Path:
        """What links may not lead out of. A user may link their own files to where they like."""
        return self.root if self.memory else Path(self.root.anchor)

    def shown(self, path: Path) -> str:
        """As `store.project.shown` has it."""
        return shown(path, self.home, self.root if self.memory else None)


def first_steps(target: Target, home: Path, env: Mapping[str, str]) -> list[str]:
    """What to do in the client after a first installation."""
    if not target.memory:
        return [_START.format(where="in any project")]
    start = _START.format(where="here")
    return [start, *([] if is_trusted(target, home, env) else [_TRUST]), _BELOW]


def is_trusted(target: Target, home: Path, env: Mapping[str, str]) -> bool:
    """Whether the user told the client (2.1.197, 2.1.330) so, by the client's own record."""
    try:
        known = msgspec.json.decode(reading.data(state(home, env)), type=_State).projects
    except (OnwardError, OSError, msgspec.DecodeError):
        return False
    found = known.get(os.path.realpath(target.root))
    return found is not None and found.hasTrustDialogAccepted


def refusal(project: Target, user: Target) -> str:
    """Why nothing is installed there as into a project; "" where it may be."""
    real = Path(os.path.realpath(project.root))
    if real in {real.parent, Path(os.path.realpath(project.home))}:
        return f"{project.root} is no project: nothing is installed there"
    if Path(os.path.realpath(project.base)) == user.base:
        return f"{project.base} is your own settings folder, no project's"
    return ""


def of_project(project: Project, home: Path) -> Target:
    """A project as a target."""
    return Target(
        root=project.root, base=project.root / ".claude", home=home, memory=project.memory
    )


def of_user(home: Path, env: Mapping[str, str]) -> Target:
    """The user's own folder as a target; itself it may be a link, as dotfiles often are."""
    base = Path(os.path.realpath(folder(home, env)))
    return Target(root=base, base=base, home=home)


def places(target: Target) -> list[Path]:
    """The folders that files of ours may lie in."""
    own = [target.base / name for name in ("commands", "hooks", "scripts", "skills")]
    return [*own, target.memory] if target.memory else own


def shipped(target: Target) -> dict[Path, bytes]:
    """The files that belong there, less the settings and the block in CLAUDE.md."""
    folders = ("commands", "hooks", "skills", *(("scripts",) if target.memory else ()))
    found = {target.base / name: data for name, data in files.shipped(*folders).items()}
    if target.memory:
        for name, data in files.shipped("memory").items():
            found[target.memory / name.removeprefix("memory/")] = data
        found[target.memory / backups.IGNORE] = backups.ignoring(b"")
    return found


def block(target: Target) -> bytes | None:
    """Our block for CLAUDE.md: the session rules and imports, which are relative to that file.
    None where imports would not resolve.
    """
    if not target.memory:
        return None
    text = (files.TEMPLATES / RULES).read_bytes().strip()
    text = text.removeprefix(files.BEGIN).removesuffix(files.END).strip()
    memory = Path(os.path.relpath(target.memory, target.base)).as_posix()
    text = text.replace(b"@memory/", f"@{memory}/".encode())
    return b"\n".join((files.BEGIN, text, files.END))


def hooks(target: Target) -> list[Hook]:
    """The registrations that belong into its settings."""
    registration: claude_code_hooks.Registration = "project" if target.memory else "user"
    return [
        Hook(
            event=hook.event,
            shim=hook.shim,
            matcher=hook.matcher,
            timeout=hook.timeout,
            command=claude_code_hooks.command(hook, registration),
            older=claude_code_hooks.older(hook, registration),
        )
        for hook in claude_code_hooks.HOOKS
    ]


def elsewhere(target: Target, project: Target, user: Target) -> Iterator[str]:
    """Where our hooks are registered a second time for the same sessions, and what ends that.

    A file that cannot be read is not told here: the doctor does.
    """
    everywhere = {
        project.settings: ("onward uninstall", hooks(project)),
        project.base / _LOCAL: ("take them out there", [*hooks(project), *hooks(user)]),
        user.settings: ("onward uninstall --user", hooks(user)),
    }
    for path, (fix, wanted) in everywhere.items():
        try:
            text = reading.text(path) if path.is_file() else "{}"
            found = settings.registered(text, wanted)
            switched = splice.parse(text).plain()
        except (splice.JsonError, OnwardError):
            continue
        if found and path != target.settings:
            yield f"The hooks are also registered in {target.shown(path)}; each call is done once. To end that: {fix}"
        plugins = switched.get("enabledPlugins") if isinstance(switched, dict) else None
        for name, on in plugins.items() if isinstance(plugins, dict) else ():
            if on is True and name.startswith(_PLUGIN):
                yield f"The plugin {name} registers the same hooks; each call is done once. To end that: claude plugin uninstall {name}"
