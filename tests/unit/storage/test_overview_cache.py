"""What is known of sessions, kept between two looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onward.model import Clean
from onward.open_work import Known
from onward.storage import overview

if TYPE_CHECKING:
    from pathlib import Path


def test_a_hundred_thousand_sessions_are_read_once(tmp_path: Path) -> None:
    """Each of them some thousand bytes, in which nothing else repeats."""
    task = Clean("Fix the login of the shop " * 15)
    known = {
        f"1:{n}:2:3": Known(task=task, wanted=task, session=Clean(f"{n}")) for n in range(100_000)
    }
    overview.keep(tmp_path, known)
    assert overview.load(tmp_path) == known


def test_a_damaged_one_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "overview.json").write_bytes(b'{"version": 1')
    assert overview.load(tmp_path) == {}
