"""Long text on a terminal: broken between words, and in a pager where it is longer than the screen."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.cli.terminal import wrapped
from onward.commands.listing import display_width

if TYPE_CHECKING:
    from pathlib import Path


def test_lines_are_broken_between_words_and_keep_their_indent() -> None:
    assert wrapped("- Run again: `pytest -q tests/a.py`, it failed", 24) == (
        "- Run again:\n  `pytest -q tests/a.py`,\n  it failed"
    )
    assert wrapped("> one two three four five six", 20) == "> one two three four\n> five six"


@pytest.mark.parametrize(
    "line",
    ["  onward show --session 0b1c2d3e t:541", "to go on: cd /home/ada/shop && claude --resume x"],
)
def test_a_command_stays_in_one_line(line: str) -> None:
    assert wrapped(line, 20) == line


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["Zs", "Cc", "Cs"])), st.integers(1, 90)
)
def test_no_word_is_lost(text: str, width: int) -> None:
    # Not `>` at the start: that is a quotation, whose mark begins each of its lines.
    told = f"- word {text} and {text} 設定画面 word"
    assert wrapped(told, width).split() == told.split()


def test_short_words_never_leave_the_screen() -> None:
    told = "  - " + "word 設定 " * 40
    assert max(map(display_width, wrapped(told, 30).split("\n"))) <= 30


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
@pytest.mark.parametrize("pager", ["cat", "tr a-z A-Z"])
def test_what_is_longer_than_the_screen_goes_to_the_pager(pager: str, tmp_path: Path) -> None:
    import pty  # noqa: PLC0415 - not on every system

    program = (
        "from onward.cli import output; from onward.commands.result import Result;"
        "output.emit(Result(text='line\\n' * 90, prose=True), as_json=False)"
    )
    end, other = pty.openpty()
    env = os.environ | {"PAGER": pager, "TERM": "xterm", "LINES": "24", "COLUMNS": "80"}
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=other, stdout=other, cwd=tmp_path, env=env
    ) as running:
        os.close(other)
        said = b""
        while True:
            try:
                piece = os.read(end, 4096)
            except OSError:
                break
            if not piece:
                break
            said += piece
        assert running.wait() == 0
    os.close(end)
    assert said.split() == [b"LINE" if pager != "cat" else b"line"] * 90
