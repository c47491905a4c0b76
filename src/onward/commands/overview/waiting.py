"""The backups of each project that nobody has looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from onward.commands.overview.places import Place, located
from onward.errors import OnwardError
from onward.storage import markers
from onward.storage.project import Project


class Backup(NamedTuple):
    """One that waits. `session` is "" where the log does not tell it."""

    path: Path
    session: str
    root: Path


def pending(places: Iterable[Place]) -> list[Backup]:
    """Those of all projects that have work in them."""
    return [backup for place in places for backup in _of(place)]


def alone(waiting: Iterable[Backup], sessions: Collection[str]) -> list[Backup]:
    """Those of sessions whose transcripts are gone: of each session the newest."""
    found: dict[str, Backup] = {}
    for backup in waiting:
        if backup.session not in sessions:
            found.setdefault(backup.session or str(backup.path), backup)
    return list(found.values())


def _of(place: Place) -> list[Backup]:
    if place.gone:
        return []
    project = located(place)
    with suppress(OnwardError, OSError):
        if markers.pending(project):
            return _told(project)
    return []


def _told(project: Project) -> list[Backup]:
    from onward.storage import backups  # noqa: PLC0415 - only where one waits

    return [
        Backup(each.path, each.session, project.root)
        for each in backups.entries(project)
        if each.pending and not each.trivial
    ]
