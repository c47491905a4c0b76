"""`onward delete` and `onward restore`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch


def test_deleted_and_restored_is_the_same_bytes(saved: Onward, scratch: Scratch) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    before = path.read_bytes(), path.stat().st_mtime_ns
    answer = saved("delete", "add-jwt-login")
    assert answer.out == (
        "add-jwt-login is in the trash. To bring it back: onward restore add-jwt-login\n"
    )
    assert not path.exists()
    answer = saved("restore", "add-jwt-login")
    assert answer.out == "add-jwt-login is back: memory/checkpoints/add-jwt-login.md\n"
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_what_was_still_to_do_is_said(saved: Onward) -> None:
    assert "its next action was: " in saved("delete", "add-jwt-login").err


def test_restoring_over_a_newer_one_is_refused(saved: Onward, scratch: Scratch) -> None:
    saved("delete", "add-jwt-login")
    saved("save", "add-jwt-login", "--task", "A newer one")
    answer = saved("restore", "add-jwt-login")
    assert answer.code == 5
    assert "  try: onward restore add-jwt-login --force\n" in answer.err
    assert "A newer one" in (scratch.checkpoints / "add-jwt-login.md").read_text()


def test_a_slip_in_a_deleted_name_is_answered(saved: Onward) -> None:
    saved("delete", "add-jwt-login")
    answer = saved("restore", "add-jtw-login")
    assert answer.code == 3
    assert "  try: onward restore add-jwt-login\n" in answer.err


def test_no_path_can_be_deleted(saved: Onward, scratch: Scratch) -> None:
    for path in ("../../src/auth.py", str(scratch.root / "src/auth.py"), "../../src/auth"):
        assert saved("delete", path).code == 3
    assert (scratch.root / "src/auth.py").exists()


def test_two_deleted_ones_of_a_name_come_back_one_by_one(saved: Onward, scratch: Scratch) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    first = path.read_bytes()
    saved("delete", "add-jwt-login")
    saved("save", "add-jwt-login", "--task", "A newer one")
    second = path.read_bytes()
    saved("delete", "add-jwt-login")
    saved("restore", "add-jwt-login")
    assert path.read_bytes() == second
    path.unlink()
    saved("restore", "add-jwt-login")
    assert path.read_bytes() == first


def test_force_swaps_the_one_that_is_there_with_the_one_it_replaced(
    saved: Onward, scratch: Scratch
) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    first = path.read_bytes()
    saved("save", "add-jwt-login", "--force", "--task", "A newer one")
    second = path.read_bytes()
    for expected in (first, second, first):
        assert saved("restore", "add-jwt-login", "--force").code == 0
        assert path.read_bytes() == expected


def test_with_nothing_else_kept_force_changes_nothing(saved: Onward, scratch: Scratch) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    before = path.read_bytes()
    saved("delete", "add-jwt-login")
    path.write_bytes(before)
    assert saved("restore", "add-jwt-login", "--force").code == 3
    assert path.read_bytes() == before


def test_after_the_clock_was_ahead_the_last_deleted_one_comes_back(
    saved: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, now = scratch.checkpoints / "add-jwt-login.md", time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 10**18)
    saved("delete", "add-jwt-login")
    monkeypatch.setattr(time, "time_ns", lambda: now)
    saved("save", "add-jwt-login", "--task", "A newer one")
    second = path.read_bytes()
    saved("delete", "add-jwt-login")
    saved("restore", "add-jwt-login")
    assert path.read_bytes() == second
