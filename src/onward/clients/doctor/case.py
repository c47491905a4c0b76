"""Install, doctor: what is examined, one project on one machine."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from onward.model import Injection
from onward.storage.project import Project, shown
from onward.transcripts.claude_code.home import folder


class Session(Struct, frozen=True, kw_only=True):
    """One session of the project, as its client keeps it. What stands below `version` is
    known of the newest ones only.
    """

    session: str
    path: Path
    size: int
    mtime: float
    began_in: str
    started: str = ""
    """ISO 8601, in UTC."""
    version: str = ""
    unknown: Mapping[str, int] = {}
    injections: tuple[Injection, ...] = ()


class Case(Struct, frozen=True, kw_only=True):
    """What the checks are told. Times are aware, in the user's own zone."""

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

    @property
    def config(self) -> Path:
        """The client's own folder."""
        return folder(self.home, self.env)

    @property
    def claude(self) -> Path:
        """The client's folder in the project."""
        return self.project.root / ".claude"

    @property
    def claude_sessions(self) -> list[Session]:
        """The sessions of Claude Code: those whose transcripts lie in its own folder."""
        return [each for each in self.sessions if each.path.is_relative_to(self.config)]

    def shown(self, path: Path) -> str:
        """As `store.project.shown` has it; the project itself by its whole name."""
        root = self.project.root
        return shown(path, self.home, None if path == root else root)
