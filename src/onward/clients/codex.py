"""Install: where the files of Codex lie, what of ours belongs there, what a user should know of it.

Its behaviour is measured with 0.169.0. Hooks go into `hooks.json`, which has the shape of Claude
Code's settings; `config.toml` is only read: the client writes the user's trust into it, and
takes the hooks of both.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from onward.clients import codex_file, codex_hooks, codex_trust, files, settings, splice
from onward.clients.settings import Hook
from onward.clients.target import Target
from onward.errors import OnwardError
from onward.storage import reading
from onward.storage.project import Project
from onward.transcripts.codex.home import folder

NAME = "Codex"
OPTION = "--codex"
RULES = ""
CONFIG = "config.toml"
_HOOKS = "hooks.json"
_SHARED = ("hooks/onward.sh", "hooks/onward-log.sh")  # what the shims of all clients read

_START = "Start codex {where} and work as always; next time it is told where you left off."
_REVIEW = (
    "No hook runs before you trust it: type /hooks in codex, read the five of onward, trust them."
    " Codex silently skips an untrusted one."
)
_TRUST = "It will also ask whether you trust this folder: until you do it reads nothing in .codex."


class CodexTarget(Target, frozen=True, kw_only=True):
    """A project's `.codex`, or (without `memory`) the user's own folder."""

    @property
    def settings(self) -> Path:
        """The file of hooks."""
        return self.base / _HOOKS


def of_project(project: Project, home: Path) -> Target:
    """A project as a target."""
    base = project.root / ".codex"
    return CodexTarget(root=project.root, base=base, home=home, memory=project.memory)


def of_user(home: Path, env: Mapping[str, str]) -> Target:
    """The user's own folder as a target; itself it may be a link, as dotfiles often are."""
    base = Path(os.path.realpath(folder(home, env)))
    return CodexTarget(root=base, base=base, home=home)


def places(target: Target) -> list[Path]:
    """The folders that files of ours may lie in."""
    return [target.base / "hooks", _skills(target)]


def shipped(target: Target) -> dict[Path, bytes]:
    """The files that belong there, less the hooks' registrations. The memory folder is made, and
    kept out of git, by the first capture: it belongs to no client.
    """
    shared = {name: (files.TEMPLATES / name).read_bytes() for name in _SHARED}
    found = {target.base / name: data for name, data in shared.items()}
    for name, data in files.shipped("codex/hooks").items():
        found[target.base / name.removeprefix("codex/")] = data
    for name, data in files.shipped("codex/skills").items():
        found[_skills(target) / name.removeprefix("codex/skills/")] = data
    return found


def block(target: Target) -> bytes | None:  # noqa: ARG001 - as every client is asked
    """No block in a file of rules: the skill says all."""
    return None


def hooks(target: Target) -> list[Hook]:
    """The registrations that belong into its file of hooks."""
    registration: codex_hooks.Registration = "project" if target.memory else "user"
    return [
        Hook(
            event=hook.event,
            shim=codex_hooks.SHIM,
            timeout=hook.timeout,
            command=codex_hooks.command(hook, registration),
            older=codex_hooks.older(hook, registration),
        )
        for hook in codex_hooks.HOOKS
    ]


def first_steps(target: Target, home: Path, env: Mapping[str, str]) -> list[str]:
    """What to do in the client after a first installation. Trusting is left to the user."""
    if not target.memory:
        return [_START.format(where="in any project"), _REVIEW]
    trusted = is_trusted(target, home, env)
    return [_START.format(where="here"), *([] if trusted else [_TRUST]), _REVIEW]


def is_trusted(target: Target, home: Path, env: Mapping[str, str]) -> bool:
    """Whether the user told the client to trust the project, by the client's own record."""
    try:
        config = codex_trust.read(folder(home, env) / CONFIG)
    except (OSError, ValueError):
        return False
    return codex_trust.is_project_trusted(config, target.root)


def elsewhere(target: Target, project: Target, user: Target) -> Iterator[str]:
    """Where our hooks are registered a second time for the same sessions, and what ends that; why
    the client would not read them; and a file of the same layer at which it will warn.
    """
    if reason := unread(target):
        yield f"Codex takes no hook of {target.shown(target.settings)} as it stands: {reason}."
    everywhere = {
        project.settings: ("onward uninstall --codex", project),
        user.settings: ("onward uninstall --codex --user", user),
    }
    for path, (fix, other) in everywhere.items():
        if path != target.settings and registers(path, other):
            shown = target.shown(path)
            yield f"The hooks are also registered in {shown}; each call is done once. To end that: {fix}"
    if _has_hooks(target.base / CONFIG):
        both = f"{target.shown(target.base / CONFIG)} and {target.settings.name}"
        yield f"Hooks stand in {both} now: codex runs both, and says so at each start."


def unread(target: Target) -> str:
    """Why the client would take no hook of its file; "" where it takes them. Raises StorageError."""
    there = target.settings.is_file()
    return codex_file.unread(reading.data(target.settings)) if there else ""


def registers(path: Path, target: Target) -> bool:
    """Whether a file of hooks calls ours; not where it cannot be read: the doctor tells of that."""
    try:
        text = reading.text(path) if path.is_file() else "{}"
        return bool(settings.registered(text, hooks(target)))
    except (splice.JsonError, OnwardError):
        return False


def _has_hooks(config: Path) -> bool:
    """Whether hooks stand there besides the client's record of trust."""
    try:
        table = codex_trust.read(config).get("hooks")
    except (OSError, ValueError):
        return False
    return isinstance(table, dict) and bool(set(table) - {"state"})


def _skills(target: Target) -> Path:
    """Of a project the folder that other agents read as well."""
    return target.root / ".agents" / "skills" if target.memory else target.base / "skills"
