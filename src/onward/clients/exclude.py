"""git's exclude file of a repository: what of ours is of one machine alone stays out of commits."""

from __future__ import annotations

from onward.clients import files
from onward.clients.changes import Change, present
from onward.repo.git import where
from onward.storage.project import Project

_BEGIN, _END = "# onward: begin", "# onward: end"


def with_ours(project: Project, *, shared: bool) -> tuple[Change, ...]:
    """The change of the file that brings our lines; `shared` leaves checkpoints and SESSION-STATE.md
    to git. () where nothing would change, and where the repository is another folder's: a linked
    work tree has the file of the main one. Raises StorageError, RefusedError.
    """
    own = () if shared else (project.checkpoints, project.state_file)
    drafts = project.root / "memory" / ".draft*.json"
    paths = [each.relative_to(project.root).as_posix() for each in (project.buffer, drafts, *own)]
    return _change(project, "\n".join((_BEGIN, *(f"/{path}" for path in paths), _END)).encode())


def without_ours(project: Project) -> tuple[Change, ...]:
    """The change that leaves the file as it was before."""
    return _change(project, None)


def _change(project: Project, ours: bytes | None) -> tuple[Change, ...]:
    place = where(project.root)
    if place is None or not place.common.is_relative_to(project.root):
        return ()
    path = place.common / "info" / "exclude"
    before = present(path, project.root)
    after = files.with_block(before, ours) if ours else files.without_block(before or b"")
    if after == before or (before is None and not after):
        return ()
    name = path.relative_to(project.root).as_posix()
    return (Change(path=path, name=name, before=before, after=after, theirs=True),)
