"""The doctor's checks, one module a field; here what they are told (`Case`) and tell (`Finding`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Literal

from msgspec import Struct

from onward.clients.claude_code import ClaudeCode
from onward.clients.target import Target
from onward.storage.project import Project, shown

Fix = Literal["", "launcher", "modes", "files"]
"""Which of the safe fixes would end it; `commands.setup` makes them."""


class Finding(Struct, frozen=True):
    """What is so, why it matters, and what to type.

    A word may be a path of this machine or come from somebody's file: it is redacted before
    it is shown.
    """

    level: Literal["ok", "warning", "broken"]
    subject: str
    text: str
    why: str = ""
    advice: str = ""
    fix: Fix = ""


ok = partial(Finding, "ok")
"""All is well, in few words."""
warning = partial(Finding, "warning")
"""It works, and somebody would want to know."""
broken = partial(Finding, "broken")
"""Something that was meant to work does not."""


class Session(Struct, frozen=True, kw_only=True):
    """One session of the project, as its client keeps it."""

    session: str
    path: Path
    size: int
    mtime: float
    began_in: str
    kept: bool = False
    """Whether `onward keep --all` has a copy."""


class Case(Struct, frozen=True, kw_only=True):
    """One project on one machine. Times are aware, in the user's own zone."""

    project: Project
    cwd: Path
    home: Path
    data: Path
    env: Mapping[str, str]
    now: datetime
    top: Path | None
    """The root of the git work tree; None where there is none."""
    sessions: tuple[Session, ...] = ()
    """Those of this project, the newest first."""

    def targets(self, client: type[Target]) -> tuple[Target, Target]:
        """The project, and the user's own folder, as targets of a client."""
        project = client.of_project(self.project, self.home)
        return project, client.of_user(self.home, self.env)

    @property
    def here(self) -> ClaudeCode:
        """The project as a target of the default client."""
        return ClaudeCode.of_project(self.project, self.home)

    @property
    def user(self) -> ClaudeCode:
        """The user's own folder of the default client as a target."""
        return ClaudeCode.of_user(self.home, self.env)

    @property
    def config(self) -> Path:
        """The default client's own folder, with the links in its path."""
        return ClaudeCode.user_folder(self.home, self.env)

    @property
    def claude_sessions(self) -> list[Session]:
        """The sessions of Claude Code: those whose transcripts lie in its own folder."""
        return [each for each in self.sessions if each.path.is_relative_to(self.config)]

    def shown(self, path: Path) -> str:
        """As `storage.project.shown` has it; the project itself by its whole name."""
        root = self.project.root
        return shown(path, self.home, None if path == root else root)


def some(names: list[str], most: int = 4) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
