"""Every session and checkpoint on this machine in brief. Only what is new or has changed
since the last look is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from onward.commands.overview.places import Places
from onward.commands.world import World
from onward.open_work.known import BROKEN, Known
from onward.storage import overview_cache

Tell = Callable[[int, int], None]
"""Called with how many files were read, of how many."""
Files = Mapping[Path, Path | None]
"""Transcripts, with None; checkpoints, with the root of their project."""


class Finder:
    """What is known of files, read or remembered."""

    def __init__(self, world: World, places: Places, tell: Tell) -> None:
        self._world, self._places, self._tell = world, places, tell
        self._kept = overview_cache.load(world.data)
        self._used: dict[str, Known] = {}
        self._new = 0

    def known(self, files: Files) -> dict[Path, Known]:
        """Each file in brief."""
        found: dict[Path, Known] = {}
        missing: dict[Path, str] = {}
        for path in files:
            try:
                key = overview_cache.key(path.stat())
            except OSError:  # removed a moment ago
                continue
            kept = self._kept.get(key)
            if kept and self._holds(kept):
                found[path] = self._used[key] = kept
            elif os.access(path, os.R_OK):
                missing[path] = key
            else:
                found[path] = BROKEN
        if missing:
            found |= self._read(missing, files)
        return found

    def close(self) -> None:
        """Keep what was read, without what is no longer there."""
        if self._new or len(self._used) < len(self._kept):
            overview_cache.keep(self._world.data, self._used)

    def _holds(self, kept: Known) -> bool:
        """Whether redaction is still asked for the same."""
        if not kept.kept or kept.away:
            return True
        return self._places.rules(self._places.folder(kept.folder)) == kept.rules

    def _read(self, missing: Mapping[Path, str], files: Files) -> dict[Path, Known]:
        from onward.commands.overview import workers  # noqa: PLC0415 - half a second

        jobs, found = [(path, files[path]) for path in missing], dict[Path, Known]()
        try:
            for path, brief in workers.read(self._world, self._places, jobs):
                self._tell(len(found), len(missing))
                found[path] = brief
                if not brief.unkept:
                    self._used[missing[path]] = brief
                    self._new += 1
        except KeyboardInterrupt:
            overview_cache.keep(self._world.data, self._kept | self._used)
            raise
        self._tell(len(missing), len(missing))
        return found
