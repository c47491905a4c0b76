"""`onward list`: a table of what can be resumed."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING, NoReturn

import pytest

from onward.cli import Call, main
from onward.commands import listing

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch
    from tests.unit.conftest import Obeying

DAY = 86400.0


def _no_world() -> NoReturn:
    pytest.fail("the dear way was taken")


def _write(scratch: Scratch, name: str, text: str, age: float, now: float = 1e9) -> None:
    folder = scratch.checkpoints
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.md"
    path.write_text(text, encoding="utf-8")
    os.utime(path, (now - age, now - age))


def test_no_checkpoints_is_no_error_and_says_how_to_make_one(
    onward: Onward, scratch: Scratch
) -> None:
    answer = onward("list")
    assert (answer.code, answer.out) == (0, "")
    assert "onward save NAME" in answer.err
    assert onward("list", "--json").data == []


def test_the_newest_comes_first_with_created_task_and_age(scratch: Scratch) -> None:
    head = "# Checkpoint: x\n\n**Created:** 2026-03-01 21:40 GMT+8\n**Task:** {}\n\n## Progress\n"
    stood = "**Status:** npm test [observed cut-off t:9]\n\n## Progress\n"
    cut = head.replace("## Progress\n", stood)
    _write(scratch, "build-login-page", head.format("Build the login page"), 3 * DAY)
    _write(scratch, "analyze-q1-data", cut.format("分析 Q1"), 7200)
    result = listing.list_checkpoints(str(scratch.root), 1e9, _no_world)
    assert result.text.splitlines() == [
        "NAME              CREATED               TASK                  STATUS   AGE",
        "analyze-q1-data   2026-03-01 13:40 GMT  分析 Q1               cut-off  2 hours",
        "build-login-page  2026-03-01 13:40 GMT  Build the login page           3 days",
    ]
    narrow = listing.list_checkpoints(str(scratch.root), 1e9, _no_world, width=66).text
    assert narrow.splitlines()[0].split() == ["NAME", "CREATED", "TASK", "AGE"]


def test_the_log_of_the_autosave_is_no_checkpoint(scratch: Scratch) -> None:
    _write(scratch, "autosave", "**Task:** Login\n", 1)
    _write(scratch, "autosave-log", "entries\n", 0)
    assert [row.name for row in listing.rows(str(scratch.root), _no_world)[0]] == ["autosave"]


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("task: Build the login\n", "Build the login"),
        ("- **TASK**: Build the login\n", "Build the login"),
        ("**Task：** Build the login\n", "Build the login"),  # noqa: RUF001 - people type it
        ("﻿**Task:** Build the login\r\n", "Build the login"),
        ("nothing of the kind\n", ""),
        ("## Progress\n**Task:** not the head\n", ""),
        ("", ""),
    ],
)
def test_heads_that_people_wrote_are_read(text: str, task: str, scratch: Scratch) -> None:
    _write(scratch, "a-name", text, 0)
    assert [row.task for row in listing.rows(str(scratch.root), _no_world)[0]] == [task]


def test_a_secret_that_somebody_typed_into_a_head_is_not_printed(
    onward: Onward, scratch: Scratch
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    _write(scratch, "a-name", f"**Task:** Use {secret} and maria@example.org\n", 0)
    answer = onward("list")
    assert "Use [REDACTED" in answer.out
    assert secret not in answer.out + onward("list", "--json").out
    assert "maria@example.org" not in answer.out


def test_a_sub_folder_of_the_repository_lists_the_same(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(scratch, "a-name", "**Task:** Login\n", 0)
    before = onward("list").out
    monkeypatch.chdir(scratch.root / "src")
    assert onward("list").out == before


def test_places_that_settings_moved_are_found(onward: Onward, scratch: Scratch) -> None:
    (scratch.root / "onward.toml").write_text('[places]\ncheckpoints = "notes"\n')
    (scratch.root / "notes").mkdir()
    (scratch.root / "notes" / "a-name.md").write_text("**Task:** Login\n")
    assert "a-name" in onward("list").out


def test_names_are_completed(
    scratch: Scratch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(scratch, "add-login", "", 0)
    _write(scratch, "fix-cart", "", 0)
    monkeypatch.setenv("_ONWARD_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "onward resume a")
    monkeypatch.setenv("COMP_CWORD", "2")
    with pytest.raises(SystemExit):
        main([])
    assert "add-login" in capsys.readouterr().out


def test_the_tag_of_evidence_is_not_part_of_the_task(saved: Onward) -> None:
    assert "[asked" not in saved("list").out


def test_a_long_head_is_read_in_no_time(scratch: Scratch, onward: Onward) -> None:
    _write(scratch, "a-name", "**Task:** " + "2026-03-01 a " * 300 + "!", 0)
    before = time.perf_counter()
    assert onward("list").code == 0
    assert time.perf_counter() - before < 5


def test_lines_fit_the_terminal_and_words_are_whole(scratch: Scratch) -> None:
    task = "Make the checkout form remember what was typed after an error of the payment service"
    _write(scratch, "fix-cart", f"**Created:** 2026-03-01 21:40 GMT\n**Task:** {task}\n", 0)
    for width in (None, 200, 100, 80, 70):
        lines = listing.list_checkpoints(str(scratch.root), 1e9, _no_world, width).text.splitlines()
        assert all(len(line) <= (width or 120) for line in lines)
        cell = re.split("  +", lines[1])[2]
        assert cell.endswith("…")
        assert f"{task} ".startswith(f"{cell[:-1]} ")


@pytest.mark.parametrize(
    ("head", "created", "task"),
    [
        ("**Erstellt:** 2026-03-01\n**Aufgabe:** Anmeldung\n", "2026-03-01", "Anmeldung"),
        ("**创建时间：** 2026-03-01\n**任务：** 登录\n", "2026-03-01", "登录"),  # noqa: RUF001 - people type it
        ("# Checkpoint: build login\n", "", "build login"),
        ("# Fix the cart\n", "", "Fix the cart"),
        ("**Created:** YYYY-MM-DD HH:MM GMT+8\n**Task:** <one-line task summary>\n", "", ""),
    ],
)
def test_what_resume_reads_is_listed_too(
    head: str, created: str, task: str, scratch: Scratch
) -> None:
    _write(scratch, "a-name", f"{head}## Progress\n", 0)
    (row,), _ = listing.rows(str(scratch.root), _no_world)
    assert (row.created, row.task) == (created, task)


def test_one_that_cannot_be_read_does_not_hide_the_others(
    saved: Onward, scratch: Scratch, obeying: Obeying
) -> None:
    odd = scratch.checkpoints / "odd-one-here.md"
    odd.write_text("**Task:** Odd\n")
    odd.chmod(0)
    listed = obeying("-m", "onward", "list", cwd=scratch.root)
    assert listed.returncode == 0, listed.stderr
    assert "(cannot be read)" in listed.stdout
    assert "add-jwt-login" in listed.stdout
    assert obeying("-m", "onward", "resume", "add-jwt-login", cwd=scratch.root).returncode == 0


def test_at_sixty_columns_a_line_fits(
    saved: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Call, "width", 60)
    saved("save", "fix-the-total-of-the-cart", "--task", "Fix the total of the cart, all of it")
    out = saved("list").out
    assert max(map(len, out.splitlines())) <= 60
    assert out.splitlines()[1].endswith("  now")


def test_all_times_of_one_table_are_in_one_zone(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    scratch.checkpoints.mkdir(parents=True)
    for name, created in {
        "fix-login": "2026-03-01 21:40 GMT+8",
        "fix-search": "2026-03-01T13:40:00Z",
        "fix-cart": "2026-03-01 13:40",
    }.items():
        (scratch.checkpoints / f"{name}.md").write_text(
            f"# Checkpoint: {name}\n\n**Created:** {created}\n**Task:** Fix it\n"
        )
    memory = scratch.root / ".claude/memory"
    memory.mkdir(parents=True)
    (memory / "session-2026-03-01-1200.md").write_text(
        "---\ndate: 2026-03-01 21:40 GMT+8\n---\n\n## Summary\n\nFix it\n"
    )
    try:
        table = onward("list").out
        documents = onward("document", "list").out
    finally:
        monkeypatch.setenv("TZ", "UTC")
        time.tzset()
    assert table.count("2026-03-01 22:40 GMT+9") == 2
    assert "2026-03-01 13:40 " in table  # whose zone nobody knows
    assert "2026-03-01 22:40 GMT+9" in documents
