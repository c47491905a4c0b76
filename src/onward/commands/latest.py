"""The newest saved place of a project, whichever of the forms it was saved in."""

from __future__ import annotations

from pathlib import Path

from onward.commands import saves, source
from onward.commands.source import Source
from onward.commands.world import World
from onward.storage import checkpoints, documents, reading
from onward.storage.project import Project


def newest(world: World, project: Project) -> Source | None:
    """Named checkpoint, session document or protocol file, by the time of the file; None
    where nothing was saved.
    """
    words = {checkpoints.path_of(project, name): str(name) for name in checkpoints.names(project)}
    words |= {path: str(path) for path in _files(project)}
    for save in saves.of_project(str(world.data), str(project.root)):
        if save.kind == saves.DOCUMENT:  # wherever it was wanted
            words.setdefault(Path(save.file), save.file)
    if not words:
        return None
    return source.load(world, words[max(words, key=_changed)])


def unnamed(project: Project) -> Path | None:
    """The newest session document or protocol file, for a project without a checkpoint."""
    return max(_files(project), key=_changed, default=None)


def _files(project: Project) -> list[Path]:
    files = [*documents.sessions(project), documents.protocol(project)]
    return [path for path in files if path.is_file() and reading.is_within(path, project.root)]


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns
