"""Bare `onward` in a real pseudo-terminal: the table fits, and one of it can be chosen."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.overview.conftest import Monday

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")

ENTER, CTRL_D = "\n", "\x04"
_LONGEST = 120.0  # seconds until a test gives up
_QUESTION = "Enter: none > "


class Screen:
    """The program at a terminal of so many columns."""

    def __init__(self, columns: int, term: str) -> None:
        import pty  # noqa: PLC0415 - not on every system

        self.end, other = pty.openpty()
        self.resize(40, columns)
        # As a shell has exported them, before the window was resized.
        env = os.environ | {"TERM": term, "PAGER": "cat", "LINES": "99", "COLUMNS": "199"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "onward"],
            stdin=other,
            stdout=other,
            stderr=other,
            env=env,
            preexec_fn=_hear_interrupts,  # noqa: PLW1509 - no thread holds a lock of signal()
        )
        os.close(other)
        self.seen = b""

    def until(self, words: str) -> str:
        """Read until the words stand there; what was read since the last time."""
        return self._read(lambda: words in self.seen.decode(errors="ignore"))

    def rest(self) -> str:
        """Read to the end of the program, which must be 0."""
        told = self._read(lambda: False)
        assert self.process.wait() == 0
        return told

    def press(self, *keys: str) -> None:
        os.write(self.end, "".join(keys).encode())

    def resize(self, lines: int, columns: int) -> None:
        import fcntl  # noqa: PLC0415 - not on every system
        import termios  # noqa: PLC0415 - as above

        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def interrupt(self) -> None:
        """Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.end)

    def _read(self, enough: Callable[[], bool]) -> str:
        while not enough():
            assert select.select([self.end], [], [], _LONGEST)[0], self.seen
            try:
                more = os.read(self.end, 65536)
            except OSError:  # Linux says so at the end
                more = b""
            if not more:
                break
            self.seen += more
        told, self.seen = self.seen.decode(errors="ignore"), b""
        return told


def _hear_interrupts() -> None:
    """A shell starts what runs in the background with SIGINT ignored, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


Started = Callable[..., Screen]


@pytest.fixture
def screen() -> Iterator[Started]:
    made: list[Screen] = []

    def start(columns: int, term: str = "xterm") -> Screen:
        made.append(Screen(columns, term))
        return made[-1]

    yield start
    for each in made:
        each.close()


def wide(line: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in line)


def printed(told: str) -> list[str]:
    """The lines on the screen."""
    lines = re.sub("\x1b\\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r", "", told).split("\n")
    return [line for line in lines if line]


@pytest.mark.parametrize("columns", [44, 80, 160])
def test_the_table_fits_the_terminal_in_any_script(
    monday: Monday, screen: Started, columns: int
) -> None:
    monday.fill()
    root = monday.project("設定画面の文字の大きさを変える")
    made = monday.session(root, day=6)
    made.user("設定画面に文字の大きさを変える項目を追加して、テストも書いてください。" * 3)
    monday.edits(made, root)
    made.says("追加しました。既定の大きさは中でよいですか\uff1f")
    monday.keep(made)
    shown = screen(columns)
    lines = printed(shown.until(_QUESTION))
    shown.press(ENTER)
    shown.rest()
    table = lines[[line.split()[:1] for line in lines].index(["PROJECT"]) :]
    table = table[: next(n for n, line in enumerate(table) if "left out" in line)]
    assert max(map(wide, table)) <= columns
    assert sum("設定画面" in line for line in table) == 2
    assert sum("test fails" in line for line in table) == 1
    assert sum("fix-refund" in line for line in table) == 1
    assert len(table) == 1 + 5 * (4 if columns < 64 else 3)


@pytest.fixture
def clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients that say where they were started, and with how many words of which beginning."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("claude", "codex"):
        (folder / name).write_text('#!/bin/sh\necho "started $0 in $PWD: $# $1"\n')
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize(
    "keys",
    [("p 3", ENTER), ("p prot", ENTER), ("p PROTOTYPE", ENTER), ("13", ENTER, "p p", ENTER)],
    ids=["number", "beginning of a name", "name", "no such number first"],
)
def test_one_is_previewed_by_number_or_name(
    monday: Monday, screen: Started, keys: tuple[str, ...]
) -> None:
    monday.fill()
    (monday.top / "prototype/src").mkdir(parents=True)
    shown = screen(80)
    shown.until(_QUESTION)
    shown.press(*keys, "q", ENTER)
    told = "\n".join(printed(shown.rest()))
    assert "# Resume: Sketch the prototype of the importer" in told
    assert "/prototype && claude" in told.replace("\n", "")


@pytest.mark.usefixtures("clients")
@pytest.mark.parametrize(
    ("typed", "started"),
    [
        ("1", "bin/claude in {}/shop: 1 # Resume: Make the refund"),
        ("sho", "bin/claude in {}/shop: 1 # Resume: Make the refund"),
        ("n 1", "bin/claude in {}/shop: 2 --resume"),
        ("atlas", "bin/codex in {}/atlas: 1 # Resume: Draw the map"),
    ],
)
def test_the_chosen_one_is_started_where_it_stopped(
    monday: Monday, screen: Started, typed: str, started: str
) -> None:
    monday.fill()
    shown = screen(80)
    shown.until(_QUESTION)
    shown.press(typed, ENTER)
    assert started.format(monday.top) in "".join(printed(shown.rest()))


def test_what_cannot_be_started_is_said_and_another_can_be_chosen(
    monday: Monday, screen: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monday.fill()
    git = shutil.which("git")
    assert git
    monkeypatch.setenv("PATH", str(Path(git).parent))  # no client
    shown = screen(80)
    shown.until(_QUESTION)
    shown.press("1", ENTER)
    assert "claude is not on the PATH" in shown.until(_QUESTION)
    shown.press("p 2", ENTER)
    assert "# Resume" in shown.until(_QUESTION)
    shown.press("q", ENTER)
    shown.rest()


def test_a_filter_leaves_what_holds_the_words(monday: Monday, screen: Started) -> None:
    monday.fill()
    shown = screen(80)
    shown.until(_QUESTION)
    shown.press("/refund", ENTER)
    told = shown.until(_QUESTION)
    assert "1  shop" in told
    assert "notes" not in told
    shown.press("/zebra", ENTER)
    assert "nothing here holds: zebra" in shown.until(_QUESTION)
    shown.press("/", ENTER)
    assert "notes" in shown.until(_QUESTION)
    shown.press("?", ENTER)
    assert "mark it as done" in shown.until(_QUESTION)
    shown.press(CTRL_D)
    shown.rest()


def test_one_is_marked_as_done_until_that_is_taken_back(monday: Monday, screen: Started) -> None:
    monday.fill()

    def told(*typed: str) -> str:
        shown = screen(80)
        seen = shown.until(_QUESTION)
        for each in (*typed, "q"):
            shown.press(each, ENTER)
        return seen + shown.rest()

    assert "1 shop is marked as done; u 1 takes that back" in told("d shop")
    assert "shop" not in told()
    every = subprocess.run(
        [sys.executable, "-m", "onward", "--all"], capture_output=True, text=True, check=True
    )
    assert "marked as done · test fails" in every.stdout
    root = monday.top / "shop"
    later = monday.session(root, "fix-refund", 8)
    later.user("Also refuse a refund that is larger than the payment")
    monday.edits(later, root)
    later.says("Done.")
    monday.keep(later)
    assert "1  shop" in told("d 1", "u 1")
    assert "1 shop is marked as done" in told("d1", "u1")
    assert "which one? type d 1, say" in told("d")
    assert "1 shop is marked as done" in told("/refund", "d", "u")
    assert "1  shop" in told()


@pytest.mark.parametrize("key", [ENTER, "", CTRL_D], ids=["enter", "ctrl-c", "ctrl-d"])
def test_leaving_prints_the_table_and_no_briefing(
    monday: Monday, screen: Started, key: str
) -> None:
    monday.fill()
    shown = screen(80)
    told = shown.until(_QUESTION)
    shown.press(key) if key else shown.interrupt()
    told += shown.rest()
    assert "1  shop " in told
    assert "# Resume" not in told
    assert "1 finished left out" in told


def test_a_long_list_fits_the_screen_and_any_of_it_can_be_chosen(
    monday: Monday, screen: Started
) -> None:
    for number in range(20):
        words = [
            ("user", f"Draw map number {number} of the atlas"),
            ("form", "It is drawn. Shall I begin with the next one?"),
        ]
        monday.rollout(monday.project(f"atlas-{number:02}"), words, day=28 - number)
    shown = screen(80)
    asked = printed(shown.until(_QUESTION))
    assert len(asked) <= 40
    assert asked[1].startswith("1   atlas-00 ")
    assert re.fullmatch(
        "[0-9] older not shown here; all of them in lines: onward . less", asked[-2]
    )
    shown.press("p 20", ENTER, "q", ENTER)
    assert "Draw map number 19" in shown.rest()


@pytest.mark.parametrize(("lines", "columns"), [(14, 44), (12, 64), (24, 40), (9, 200)])
def test_a_table_that_is_drawn_again_fits_the_terminal_as_it_is_now(
    monday: Monday, screen: Started, lines: int, columns: int
) -> None:
    monday.fill()
    shown = screen(160)
    shown.until(_QUESTION)
    shown.resize(lines, columns)
    shown.press("/", ENTER)
    table = printed(shown.until(_QUESTION))[1:]  # less what was typed
    assert table[1].startswith("1  ")
    assert max(map(wide, table[:-2])) <= columns
    assert sum(-(-wide(line) // columns) for line in table) <= lines
    shown.press("q", ENTER)
    shown.rest()


def test_a_terminal_too_narrow_to_choose_in_gets_lines_and_what_to_type(
    monday: Monday, screen: Started
) -> None:
    monday.fill()
    told = screen(30).rest()
    assert "onward go" in " ".join(told.split())
    assert _QUESTION not in told


def test_a_terminal_that_cannot_draw_gets_the_table_alone(monday: Monday, screen: Started) -> None:
    monday.fill()
    told = screen(80, term="dumb").rest()
    assert "1  shop " in told
    assert "\x1b" not in told


def test_a_pipe_does_not_pay_for_the_terminal(monday: Monday) -> None:
    monday.fill()
    program = (
        "import sys; from onward.cli import main; main([]); main([]); "
        "sys.stderr.write('\\n'.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    modules = set(done.stderr.split())
    assert "click" not in modules


def test_a_look_at_what_is_known_imports_nothing_that_reads(monday: Monday) -> None:
    monday.fill()
    program = (
        "import sys; from onward.cli import main; main([]); "
        "sys.stderr.write('\\n'.join(sys.modules))"
    )
    words = [sys.executable, "-c", program]
    subprocess.run(words, capture_output=True, check=True)
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    dear = (
        "onward.record",
        "onward.agents.claude_code.reading",
        "onward.agents.codex.reading",
        "onward.commands.source",
    )
    assert not [name for name in done.stderr.split() if name.startswith(dear)]


@pytest.mark.parametrize("columns", [40, 58, 80])
def test_what_is_said_below_the_table_is_broken_between_words(
    monday: Monday, screen: Started, columns: int
) -> None:
    monday.fill()
    shown = screen(columns)
    first = shown.until("none > ")
    shown.press("?", ENTER)
    keys = shown.until("none > ")
    shown.press("q", ENTER)
    shown.rest()
    told = printed(first)[-3:] + printed(keys)
    assert max(map(wide, told)) <= columns
    text = " ".join(" ".join(told).split())
    assert "onward --all" in text
    assert "whichever costs less" in text
    assert "n 3 start it with the client's own resume, which reads the whole session again" in text
