"""Long text on a terminal: broken between words, and in a pager where it is longer than the screen."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.cli.output import wrapped
from onward.cli.verbs.demo import Scratch
from onward.commands.listing import display_width

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def test_lines_are_broken_between_words_and_keep_their_indent() -> None:
    assert wrapped("- Run again: `pytest -q tests/a.py`, it failed", 24) == (
        "- Run again:\n  `pytest -q tests/a.py`,\n  it failed"
    )
    assert wrapped("> one two three four five six", 20) == "> one two three four\n> five six"


@pytest.mark.parametrize(
    "line",
    [
        "  onward show --session 0b1c2d3e t:541",
        "  → onward save NAME --session 0b1c2d3e",
        "to go on: cd /home/ada/shop && claude --resume x",
    ],
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


def shown(words: list[str], cwd: Path, env: Mapping[str, str]) -> str:
    """What a program prints on a terminal."""
    import fcntl  # noqa: PLC0415 - not on every system
    import pty  # noqa: PLC0415 - as above
    import termios  # noqa: PLC0415 - as above

    end, other = pty.openpty()
    size = struct.pack("4H", int(env["LINES"]), int(env["COLUMNS"]), 0, 0)
    fcntl.ioctl(other, termios.TIOCSWINSZ, size)
    with subprocess.Popen(
        [sys.executable, *words], stdin=other, stdout=other, stderr=other, cwd=cwd, env=env
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
        running.wait()
    os.close(end)
    return said.decode().replace("\r\n", "\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
@pytest.mark.parametrize("pager", ["cat", "tr a-z A-Z"])
def test_what_is_longer_than_the_screen_goes_to_the_pager(pager: str, tmp_path: Path) -> None:
    program = (
        "from onward.cli import output; from onward.commands.result import Result;"
        "output.emit(Result(text='line\\n' * 90, prose=True), as_json=False)"
    )
    env = os.environ | {"PAGER": pager, "TERM": "xterm", "LINES": "24", "COLUMNS": "80"}
    said = shown(["-c", program], tmp_path, env)
    assert said.split() == ["LINE" if pager != "cat" else "line"] * 90


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
@pytest.mark.parametrize(
    "words",
    [
        ["doctor"],
        ["uninstall"],
        ["save", "add-other-option", "--next", "Run the tests again and see which ones fail"],
        ["protocol", "save"],
        ["protocol", "load"],
        ["protocol", "load", "--brief"],
        ["protocol", "done", "1"],
    ],
    ids=" ".join,
)
def test_what_is_told_in_sentences_is_broken_between_words(words: list[str]) -> None:
    with Scratch() as scratch:
        scratch.run("onward save add-currency-option")
        if words[0] == "protocol":
            scratch.run("onward protocol save")
        env = scratch.env | {"PAGER": "cat", "TERM": "xterm", "LINES": "24", "COLUMNS": "50"}
        said = shown(["-m", "onward", *words], scratch.project, env)
    lines = [line for line in said.split("\n") if "onward " not in line]
    assert len(lines) >= 2
    assert max(map(display_width, lines)) <= 50
