"""`onward search` at a terminal: colours, sessions together, lines that fit, a bar for long ones."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from onward.cli import main
from onward.cli.verbs import sessions as verb
from onward.search.excerpt import columns
from onward.search.record import ranked

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch

    from onward.commands.search_files import Hit

COLOUR = re.compile(r"\x1b\[[\d;]*m")


def shown(scratch: Scratch, width: int, *words: str, **env: str) -> str:
    """What a terminal of that width is sent."""
    import fcntl  # noqa: PLC0415 - of POSIX
    import pty  # noqa: PLC0415 - as above
    import struct  # noqa: PLC0415 - for the width alone
    import termios  # noqa: PLC0415 - as above

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "onward", "search", *words],
        cwd=scratch.root,
        env={**os.environ, "TERM": "xterm", **env},
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    ):
        os.close(theirs)
        pieces = []
        while piece := _read(ours):
            pieces.append(piece)
    os.close(ours)
    return b"".join(pieces).decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other side has gone
        return b""


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are of POSIX")
def test_hits_are_coloured_and_sessions_stand_together(scratch: Scratch) -> None:
    text = shown(scratch, 80, "test_login")
    assert text.count("\x1b[1;31mtest_login\x1b[0m") == 2
    lines = COLOUR.sub("", text).splitlines()
    assert lines[0].startswith("shop · main · claude-code · ")
    assert lines[1].startswith("  agent   …Next I would fix test_login.")
    assert lines[3].startswith("  result  …")
    assert lines[2].endswith("2026-03-01 13:08 · onward show 0b1c2d3e t:8")


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are of POSIX")
@pytest.mark.parametrize("width", [50, 80, 200])
def test_lines_fit_the_width(scratch: Scratch, width: int) -> None:
    lines = COLOUR.sub("", shown(scratch, width, "the")).splitlines()
    assert len(lines) > 3
    assert all(columns(line) <= width for line in lines if "onward show" not in line)


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are of POSIX")
def test_without_colour_the_page_is_the_same(scratch: Scratch) -> None:
    plain = shown(scratch, 80, "test_login", NO_COLOR="1")
    assert plain == COLOUR.sub("", shown(scratch, 80, "test_login"))
    assert "\x1b" not in plain


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_long_search_tells_how_far_it_has_come(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for long, drawn in ((10**12, False), (1, True)):
        err = Terminal()
        monkeypatch.setattr(verb, "_LONG", long)
        monkeypatch.setattr(sys, "stderr", err)
        assert main(["search", "rs256"]) == 0
        assert ("searching" in err.getvalue()) is drawn


def test_nobody_is_told_how_far_it_has_come_who_does_not_watch(
    onward: Onward, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verb, "_LONG", 1)
    answer = onward("search", "rs256")
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize("left", [0, 300])
def test_a_file_that_is_cut_while_it_is_searched_costs_its_hits(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    def meanwhile(hits: list[Hit]) -> list[Hit]:
        os.truncate(scratch.transcript, left)
        return ranked(hits)

    monkeypatch.setattr("onward.commands.search.ranked", meanwhile)
    answer = onward("search", "rs256")
    assert answer.out == ""
    assert answer.code in {0, 3}


def test_a_file_that_grows_while_it_is_searched_is_searched_as_it_was(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(hits: list[Hit]) -> list[Hit]:
        with scratch.transcript.open("ab") as file:
            file.write(b'{"type":"user","rs256')
        return ranked(hits)

    monkeypatch.setattr("onward.commands.search.ranked", meanwhile)
    answer = onward("search", "rs256")
    assert (answer.code, len(answer.out.splitlines()), answer.err) == (0, 1, "")
