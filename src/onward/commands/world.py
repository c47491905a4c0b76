"""Everything a verb takes from the machine: clock, folders, environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from onward.documents.times import age, moment

if TYPE_CHECKING:
    from onward.redaction.engine import Rule

Tell = Callable[[int, int], None]  # told now and then how much of how much is done


class World(Struct, frozen=True, kw_only=True):
    """The surroundings of one call of the program."""

    now: datetime  # aware, in the user's own zone
    cwd: Path
    home: Path
    data: Path  # where onward keeps its own things on this machine: trash, key, log
    env: Mapping[str, str]
    rules: tuple[Rule, ...] = ()  # the user's own rules of redaction, as the command line gave them
    typed: Callable[[str], str] = str  # a command as the user types it

    def age(self, at: float) -> str:
        """How long ago a time was, given in seconds since 1970; "" for 0, which is none."""
        return age(self.now.timestamp() - at) if at else ""

    def when(self, stamp: str) -> str:
        """A time for the user, `2026-03-01 14:00` in their zone; "" for what is none."""
        at = moment(stamp)
        with suppress(OverflowError):  # then as it is, in UTC
            at = at and at.astimezone(self.now.tzinfo)
        return f"{at:%Y-%m-%d %H:%M}" if at else ""
