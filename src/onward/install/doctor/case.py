"""Install, doctor: what is examined, one project on one machine."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from onward.install.target import config
from onward.model import Injection
from onward.store.project import Project


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
    """What the checks are told. Times are aware, in the person's own zone."""

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
        return config(self.home, self.env)

    @property
    def claude(self) -> Path:
        """The client's folder in the project."""
        return self.project.root / ".claude"

    def shown(self, path: Path) -> str:
        """A path as people may see it: relative to the project, else to the home folder."""
        for base, prefix in ((self.project.root, ""), (self.home, "~/")):
            if path != base != base.parent and path.is_relative_to(base):
                return prefix + path.relative_to(base).as_posix()
        return str(path)
