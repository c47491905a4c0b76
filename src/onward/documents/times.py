"""Times as the formats write them, and ages as people say them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from onward.documents import ages

age, short_age = ages.age, ages.short_age

_ZONE = re.compile(r"\d\s*(?:Z$|GMT|UTC|[+-]\d{1,2}(?::?\d\d)?$)", re.IGNORECASE)
_STAMP = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?"
    r"\s*(?:(?:GMT|UTC)?\s*([+-])(\d{1,2}):?(\d{2})?|Z|GMT|UTC)?",
    re.IGNORECASE,
)

_ENDED = re.compile(r"^\*\*Session ended:\*\*.*\n?", re.MULTILINE)
_OLDER = re.compile(r"^\*\*Older than the last session\b.*\n?", re.MULTILINE)


def moment(stamp: str) -> datetime | None:
    """The time that a stamp means, aware; None where there is none to read.

    Takes ISO 8601 and the checkpoint form (`2026-03-01 21:40 GMT+8`); a stamp without a
    zone is UTC.
    """
    found = _STAMP.search(stamp)
    if found is None:
        return None
    day, clock, sign, hours, minutes = found.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        zone = timezone(-offset if sign == "-" else offset)
        naive = datetime.fromisoformat(f"{day} {(clock or '00:00').zfill(5)}")
        return naive.replace(tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def seconds(stamp: str) -> float:
    """Seconds since 1970 that a stamp means; 0 where there is none to read."""
    at = moment(stamp)
    return at.timestamp() if at else 0.0


def utc(at: datetime) -> str:
    """`2026-03-01T13:40:00Z`: whole seconds, UTC."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def in_utc(stamp: str) -> str:
    """A stamp as `utc` has it; "" where it cannot be read."""
    at = moment(stamp)
    return utc(at) if at else ""


def local(stamp: str, zone: tzinfo = UTC) -> str:
    """A stamp as checkpoint files show it: `2026-03-01 21:40 GMT+8`; "" if it cannot be shown."""
    at = moment(stamp)
    if at is None:
        return ""
    try:
        here = at.astimezone(zone)
    except OverflowError:
        return ""
    minutes = round((here.utcoffset() or timedelta()).total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    hours, rest = divmod(abs(minutes), 60)
    shift = f"{sign}{hours}" + (f":{rest:02}" if rest else "") if minutes else ""
    return f"{here:%Y-%m-%d %H:%M} GMT{shift}"


def in_zone(stamp: str, zone: tzinfo) -> str:
    """A stamp as `local` has it; as it is where it names no zone or cannot be read."""
    return (local(stamp, zone) if _ZONE.search(stamp) else "") or stamp


def without_older(text: str) -> str:
    """The text of `active-context.md` without the line that calls it older than the last session."""
    return _OLDER.sub("", text)


def with_exit(text: str, ended: str, zone: tzinfo = UTC, *, is_older: bool = False) -> str:
    """The text of `active-context.md` with the time at which the session ended, and, where that
    `is_older` than the session and says anything, a line that says so; nothing else changes. Here,
    since a hook that ends a session must not import a whole format.
    """
    at = local(ended, zone) or ended
    line = f"**Session ended:** {at}\n"
    bare = _ENDED.sub("", without_older(text) if is_older else text)
    head = re.match(r"\A(?:# .*\n\n?)?(?:\*\*Updated:\*\*.*\n)?", bare)
    cut = head.end() if head else 0
    if is_older and bare[cut:].strip():
        line += f"**Older than the last session of {at}:** its next action may be done\n"
    return bare[:cut] + line + bare[cut:]
