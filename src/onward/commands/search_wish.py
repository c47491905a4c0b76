"""`search`: what the options of the command line ask for."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, cast

from onward.commands.search_look import Wish
from onward.commands.world import World
from onward.errors import UsageError
from onward.search.query import parse
from onward.search.record import By

_AGO = re.compile(r"(\d{1,5}) ?(m|h|d|w)", re.IGNORECASE)
_HOURS: Final = {"m": 1 / 60, "h": 1, "d": 24, "w": 168}
_NAMED: Final = {"today": 0, "yesterday": 1}
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:?\d\d)?)?")


def wish(  # noqa: PLR0913 - one for each option
    world: World,
    words: tuple[str, ...],
    *,
    word: bool,
    by: str | None,
    project: str,
    since: str,
    until: str,
    file: str,
) -> Wish:
    """The wish behind the words and options. Raises UsageError."""
    query = parse(words)
    if not query.terms and not file:
        raise UsageError("there is nothing to look for", "onward search WORDS")
    return Wish(
        query=query,
        word=word,
        by=cast("By | None", by),
        project=_project(world, project),
        since=_time(world, since, "--since"),
        until=_time(world, until, "--until", whole_day=True),
        file=file,
    )


def _project(world: World, given: str) -> str:
    """A folder in full where one is meant, else the name of one."""
    if given in {".", ".."} or any(sign in given for sign in "/\\"):
        return str((world.cwd / Path(given).expanduser()).resolve())
    return given


def _time(world: World, given: str, option: str, *, whole_day: bool = False) -> datetime | None:
    """A day, a time, or how long ago; in the user's own zone where none is named."""
    if not given:
        return None
    day = timedelta(days=1 if whole_day else 0)
    if ago := _AGO.fullmatch(given.strip()):
        return (world.now - timedelta(hours=int(ago[1]) * _HOURS[ago[2].lower()])).astimezone(UTC)
    if (back := _NAMED.get(given.strip().lower())) is not None:
        midnight = world.now.replace(hour=0, minute=0, second=0, microsecond=0)
        return (midnight - timedelta(days=back) + day).astimezone(UTC)
    found = _TIME.fullmatch(given.strip())
    try:
        at = datetime.fromisoformat(given.strip()) if found else None
    except ValueError:
        at = None
    if at is None or found is None:
        raise UsageError(
            f"{option} takes a day, a time or an age", f"onward search WORDS {option} 2026-03-01"
        )
    at = at if at.tzinfo else at.replace(tzinfo=world.now.tzinfo)
    return (at + (day if not found[2] else timedelta())).astimezone(UTC)
