"""The autosave: two files of its own, whose places no argument can change."""

from __future__ import annotations

from onward.model import Clean
from onward.store import atomic, locks
from onward.store.names import AUTOSAVE, AUTOSAVE_LOG
from onward.store.project import Project


def write(project: Project, text: Clean, entry: Clean) -> None:
    """Replace autosave.md, then note it in autosave-log.md: the log tells of nothing unsaved.

    Neither may be a link: it could lead to a named checkpoint. Raises RefusedError.
    """
    folder = atomic.within(project.checkpoints, project.root)
    with locks.hold(project.checkpoints / ".lock"):
        atomic.write(folder / f"{AUTOSAVE}.md", text)
    atomic.append_line(folder / f"{AUTOSAVE_LOG}.md", entry)
