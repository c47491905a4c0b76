from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.documents import times

ZONES = {
    "GMT": timedelta(),
    "GMT+8": timedelta(hours=8),
    "GMT+5:30": timedelta(hours=5, minutes=30),
    "GMT-3:30": -timedelta(hours=3, minutes=30),
    "GMT-10": -timedelta(hours=10),
}


@pytest.mark.parametrize("word", ZONES)
def test_a_local_time_names_its_offset(word: str) -> None:
    shown = times.local("2026-03-01T13:40:00Z", timezone(ZONES[word]))
    local = datetime(2026, 3, 1, 13, 40, tzinfo=UTC) + ZONES[word]
    assert shown == f"{local:%Y-%m-%d %H:%M} {word}"


@pytest.mark.parametrize(
    "stamp",
    [
        "2026-03-01T13:40:00Z",
        "2026-03-01T13:40:00.250Z",
        "2026-03-01 21:40 GMT+8",
        "2026-03-01 21:40 gmt+08:00",
        "2026-03-01T21:40:00+0800",
        "2026-03-01 13:40 UTC",
        "2026-03-01 13:40",
        "saved on 2026-03-01 19:10 GMT+5:30, by hand",
    ],
)
def test_a_time_is_read_in_whatever_form(stamp: str) -> None:
    at = times.moment(stamp)
    assert at is not None
    assert times.utc(at) == "2026-03-01T13:40:00Z"


@pytest.mark.parametrize(
    "stamp", ["", "yesterday", "2026-13-45", "2026-02-31T10:00:00Z", "0001-01-01 00:00 GMT+14"]
)
def test_what_is_no_time_is_none(stamp: str) -> None:
    assert times.moment(stamp) is None
    assert times.local(stamp) == ""


@given(
    st.datetimes(datetime(1971, 1, 1), datetime(2900, 1, 1)),  # noqa: DTZ001 (a zone is given below)
    st.integers(-14 * 4, 14 * 4).map(lambda quarters: timezone(timedelta(minutes=15 * quarters))),
)
def test_a_local_time_is_read_back_to_the_minute(naive: datetime, zone: timezone) -> None:
    at = naive.replace(tzinfo=UTC, second=0, microsecond=0)
    assert times.moment(times.local(times.utc(at), zone)) == at


@pytest.mark.parametrize(
    ("seconds", "words", "brief"),
    [
        (0, "less than a minute", "0m"),
        (60, "1 minute", "1m"),
        (7200, "2 hours", "2h"),
        (86400, "1 day", "1d"),
        (3 * 86400 + 5, "3 days", "3d"),
    ],
)
def test_ages_are_told_in_the_largest_unit(seconds: float, words: str, brief: str) -> None:
    assert (times.age(seconds), times.short_age(seconds)) == (words, brief)
