"""Run `onward` as if it were a given time: at_time.py 2026-03-06T08:30:00+00:00 list

The program has no switch for this, so the two places that read the clock are replaced.
"""

from __future__ import annotations

import sys
import time
from datetime import datetime, tzinfo

from onward.cli import run, surroundings

NOW = datetime.fromisoformat(sys.argv.pop(1))


class Stopped(datetime):
    """A clock that stands still, whose local zone is the one it was set in."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Stopped:  # noqa: D102 - as its parent
        return cls.fromisoformat((NOW.astimezone(tz) if tz else NOW).isoformat())

    def astimezone(self, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # noqa: D102
        return super().astimezone(tz) if tz else datetime.fromisoformat(self.isoformat())


vars(surroundings)["datetime"] = Stopped
time.time = NOW.timestamp
run()
