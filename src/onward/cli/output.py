"""Printing: UTF-8 whatever the locale, errors with what to type next, colour on terminals."""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from onward.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from onward.commands.result import Result
    from onward.redaction.scrub import Place

_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f]")
"""What a terminal acts on, and what it shows in another order or not at all."""
_WORD = re.compile(r"\s*(?:`[^`\n]*`|\S)+")  # a command in back-ticks is one word, to be copied
_HEAD = re.compile(r"\s*(?:[-*] |> ?|\d{1,3}\. )*")
_COMMAND = re.compile(r"\s*(?:→ )?(?:onward |\$ |cd )|.* && ")  # lines that are there to be copied
_NARROWEST = 20


def prepare() -> None:
    """Let stdout and stderr take any text, where the locale is C or the console is old too."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def emit(result: Result, *, as_json: bool) -> int:
    """Print what a verb returned and give its exit code."""
    # The text is clean already but for names in it.
    text = encode(result.data) if as_json else _OBEYED.sub("", result.text)
    if result.prose and not as_json and sys.stdout.isatty():
        text = _paged(text)
    say(text)
    for line in result.notes:
        note(line)
    return result.exit_code


def say(text: str) -> int:
    """Print the answer; returns 0, the exit code of having done so."""
    if text:
        with _told():
            sys.stdout.write(text if text.endswith("\n") else text + "\n")
            sys.stdout.flush()
    return 0


def stream(pieces: Iterable[tuple[bytes, Iterable[Place]]], *, as_json: bool) -> int:
    """Print text of somebody's own as it is, and beside it what was found there; returns 0."""
    found: list[Place] = []
    for data, some in pieces:
        with _told():
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        if as_json:
            found += some
        else:
            for each in some:
                note(each.told())
    if as_json:
        note(encode(found))
    return 0


@contextmanager
def _told() -> Iterator[None]:
    """Say in our words why the answer could not be written. Raises StorageError."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        silence()
        reason = error.strerror or "the system refused"
        hint = "free some space, or send the output somewhere else"
        raise StorageError(f"the answer could not be written: {reason}", hint) from None


def silence() -> None:
    """Nothing may complain at the end of the process about a stream that takes nothing more."""
    with suppress(OSError, ValueError):  # a stream of a test has no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def note(line: str) -> None:
    """One line for the user, beside the answer."""
    sys.stderr.write(fitted(one_line(line)) + "\n")


def fitted(told: str, before: str = "") -> str:
    """What is told beside the answer, each of its lines behind `before` or below that; broken between
    words where it goes to a terminal that is not as wide.
    """
    if sys.stderr.isatty():
        width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        told = wrapped(told, width - len(before))
    return before + told.replace("\n", "\n" + " " * len(before))


def wrapped(text: str, width: int) -> str:
    """No line is wider than `width` columns, but for commands and longer words."""
    lines = text.split("\n")
    return "\n".join(part for line in lines for part in _broken(line, max(width, _NARROWEST)))


def _broken(line: str, width: int) -> Iterator[str]:
    from onward.commands.listing import display_width  # noqa: PLC0415 - a pipe does without

    if display_width(line) <= width or _COMMAND.match(line):
        yield line
        return
    head = _HEAD.match(line)
    before = head[0] if head else ""
    again = re.sub(r"[-*\d.]", " ", before)
    begun, is_empty = before, True
    for word in _WORD.findall(line[len(before) :]):
        if is_empty or display_width(begun + word) <= width:
            begun, is_empty = begun + word, False
        else:
            yield begun
            begun = again + word.lstrip()
    yield begun


def _paged(text: str) -> str:
    """What is left to print of a text on a terminal: nothing where the user's pager has shown it."""
    from shutil import get_terminal_size  # noqa: PLC0415 - a pipe does without

    columns, lines = get_terminal_size()
    broken, is_dumb = wrapped(text, columns), os.environ.get("TERM", "dumb") == "dumb"
    is_read = sys.stdin.isatty() and not is_dumb and os.environ.get("PAGER") != "cat"
    if not is_read or broken.count("\n") + 2 < lines:
        return broken
    # Text stays on the screen behind it, and a page that fits is none.
    os.environ.setdefault("LESS", "FRX")
    import click  # noqa: PLC0415 - bare `onward` does without

    click.echo_via_pager(broken)
    return ""


def progress(line: str) -> None:
    """Replace the current line of the terminal that stderr is; "" clears it."""
    from shutil import get_terminal_size  # noqa: PLC0415 - only long work on a terminal needs it

    room = get_terminal_size().columns - 1
    sys.stderr.write(f"\r{line[:room]:{room}}\r{line[:room]}")
    sys.stderr.flush()


@contextmanager
def _counter(what: str) -> Iterator[Callable[[str], None]]:
    """Shows on a terminal how far long work has come, as it is told."""
    shown = ""

    def tell(state: str) -> None:
        nonlocal shown
        if state != shown and sys.stderr.isatty():
            shown = state
            progress(f"{what}: {state}")

    try:
        yield tell
    finally:
        if shown:
            progress("")


@contextmanager
def percent(what: str, *, least: int = 1) -> Iterator[Callable[[int, int], None]]:
    """The same, when told how much of how much is done; not where there is less than `least`."""
    with _counter(what) as tell:
        yield lambda done, of: tell(f"{done * 100 // of} %") if of >= least else None


@contextmanager
def waiting(what: str) -> Iterator[Callable[[float], None]]:
    """Shows what is waited for and for how long, on a terminal."""
    with _counter(what) as tell:
        yield lambda seconds: tell(f"{seconds:.0f} s")


def fail(message: str, hint: str = "") -> None:
    """Say what is wrong, and below it what to type next; secrets that were typed are taken out."""
    from onward.redaction import Redactor  # noqa: PLC0415 - only an error pays for the rules

    home = os.path.expanduser("~")  # noqa: PTH111 - `list` does without pathlib
    red, plain = ("\x1b[1;31m", "\x1b[0m") if colourful(sys.stderr) else ("", "")
    # A home that is not there is what the error is about: it is named in full.
    named = len(home) > 1 and os.path.isdir(home)  # noqa: PTH112 - as above
    # A key of this call: an error may be about the machine's own.
    redactor = Redactor(os.urandom(32), personal=named)
    for n, text in enumerate((message, *hint.splitlines())):
        short = re.sub(rf"{re.escape(home)}(?![^/\\\s])", "~", text) if named else text
        told = redactor.text(one_line(short))
        # What is there to be copied stays in one piece.
        line = (
            f"  try: {told}"
            if n
            else fitted(told, "error: ").replace("error:", f"{red}error:{plain}", 1)
        )
        sys.stderr.write(line + "\n")


def colourful(stream: TextIO) -> bool:
    """Whether colour is wanted there (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def encode(data: object) -> str:
    """What `--json` prints."""
    import msgspec  # noqa: PLC0415 - most calls print text

    # What a terminal obeys in its escaped form, which means the same to whoever reads it.
    kept = msgspec.json.format(msgspec.json.encode(data), indent=2).decode().split("\n")
    return "\n".join(_OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", each) for each in kept)


def one_line(told: str) -> str:
    """One line of the same; several become one."""
    return told if told.isprintable() else _OBEYED.sub("", " ".join(told.splitlines()))
