"""One transcript or checkpoint read into what is kept of it. All that is dear is imported
here, so that a look at what is known does without.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from onward.commands import opening, source, thread, workspace
from onward.commands.overview.places import Places, expanded
from onward.commands.share import place
from onward.commands.world import World
from onward.errors import InputError, NotFoundError, OnwardError
from onward.open_work import BROKEN, NOTHING, Known, known
from onward.redaction import Redactor
from onward.storage import live, reading
from onward.transcripts import registry

_LARGEST = 32 << 20
"""Bytes of a transcript that is read whole: a second or two."""
_TAIL = 8 << 20
"""Bytes of the end of a larger one."""
_LARGEST_SAVED = 4 << 20
"""Bytes of a checkpoint; ours have some ten thousand."""


class _SettingsError(OnwardError):
    """What the project asks of redaction cannot be read, so nothing of it may be told."""


class Reader:
    """Reads for one look at everything."""

    def __init__(self, world: World, places: Places) -> None:
        self._world, self._places = world, places
        self._redactors: dict[Path, Redactor] = {}

    def read(self, path: Path, root: Path | None) -> Known:
        """A session in brief; with `root`, a checkpoint of the project there. NOTHING where nobody
        held the session or nothing was done in it, BROKEN where the file cannot be read.
        """
        try:
            return self._checkpoint(path, root) if root else self._session(path)
        except _SettingsError:
            return replace(BROKEN, fault="settings", unkept=True)
        except (InputError, NotFoundError):
            return BROKEN
        except (OnwardError, OSError):  # of the disk, not of the file
            return replace(BROKEN, unkept=True)

    def _checkpoint(self, path: Path, root: Path) -> Known:
        if path.stat().st_size > _LARGEST_SAVED:
            return BROKEN
        redactor, rules = self._redactor(root), self._places.rules(root)
        clean = redactor.draft(place.parse("checkpoint", reading.text(path), redactor))
        brief = known(clean, redactor.text(str(root)), rules=rules)
        return replace(brief, name=redactor.text(path.stem))

    def _session(self, path: Path) -> Known:
        info = registry.agent_of(path).look(path)
        if info is None or info.hidden or info.unattended:
            return NOTHING
        folder = Path(info.cwd)
        redactor = self._redactor(folder)
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

    def _redactor(self, folder: Path) -> Redactor:
        """With the rules of the project that the folder belongs to."""
        where = folder if folder.is_dir() else self._world.home
        if where not in self._redactors:
            try:
                self._redactors[where] = workspace.redactor(
                    replace(self._world, cwd=where), keep=False
                )
            except OnwardError as error:
                raise _SettingsError(error.message, error.hint) from error
        return self._redactors[where]
