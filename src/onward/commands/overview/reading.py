"""One transcript or checkpoint read into what is kept of it. All that is dear is imported
here, so that a look at what is known does without.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from onward.commands import opening, shared, source, thread
from onward.commands.overview.threads import Cleaner, Places, expanded
from onward.commands.world import World
from onward.errors import InputError, NotFoundError, OnwardError
from onward.open_work import BROKEN, NOTHING, Known, known
from onward.redaction import Redactor
from onward.storage import live, reading
from onward.transcripts import registry
from onward.transcripts.sessions import SessionInfo

_LARGEST = 32 << 20
"""Bytes of a transcript that is read whole: a second or two."""
_TAIL = 8 << 20
"""Bytes of the end of a larger one."""


class Reader:
    """Reads for one look at everything."""

    def __init__(self, world: World, places: Places) -> None:
        self._world, self._places, self._cleaner = world, places, Cleaner(world)

    def read(self, path: Path, root: Path | None) -> Known:
        """A session in brief; with `root`, a checkpoint of the project there. NOTHING where nobody
        held the session or nothing was done in it, BROKEN where the file cannot be read.
        """
        try:
            info = None if root else registry.agent_of(path).look(path)
            folder = root or (Path(info.cwd) if info else None)
            if folder is None or (info and (info.hidden or info.unattended)):
                return NOTHING
            if (redactor := self._cleaner.redactor(folder)) is None:
                return replace(BROKEN, fault="settings", unkept=True)
            if info:
                return self._session(path, info, folder, redactor)
            clean = redactor.draft(shared.parse("checkpoint", reading.text(path), redactor))
            brief = known(clean, redactor.text(str(folder)), rules=self._places.rules(folder))
            return replace(brief, name=redactor.text(path.stem))
        except (InputError, NotFoundError):
            return BROKEN
        except (OnwardError, OSError):  # of the disk, not of the file
            return replace(BROKEN, unkept=True)

    def _session(self, path: Path, info: SessionInfo, folder: Path, redactor: Redactor) -> Known:
        with opening.within(self._world, path, _LARGEST, _TAIL) as (file, _):
            found = source.distilled(file, redactor)
        draft = thread.carried(self._world, found.draft, found.root)
        shown = redactor.text(info.cwd)
        same = expanded(shown, self._world.home) == folder
        brief = known(redactor.draft(draft), shown, rules=self._places.rules(folder))
        if found.trivial and not found.unanswered and not brief.signs:
            return NOTHING
        return replace(
            brief,
            agent=info.agent,
            note_at=live.noted(str(self._world.data), info.session),
            session=redactor.text(info.session),
            branch=redactor.text(info.branch),
            ended=redactor.text(info.ended),
            # Where it lies cannot be told from what is kept.
            unkept=folder.is_dir() and not same,
            away=not folder.is_dir() and not same,
        )
