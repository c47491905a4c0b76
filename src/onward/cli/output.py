"""Printing: UTF-8 whatever the locale, errors with what to type next, colour on terminals."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from onward.errors import StorageError

if TYPE_CHECKING:
    from onward.commands.result import Result


def prepare() -> None:
    """Let stdout and stderr take any text, where the locale is C or the console is old too."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def emit(result: Result, *, as_json: bool) -> int:
    """Print what a verb returned and give its exit code."""
    say(_encode(result.data) if as_json else str(result.text))
    for line in result.notes:
        note(line)
    return result.exit_code


def say(text: str) -> int:
    """Print the answer; returns 0, the exit code of having done so."""
    if not text:
        return 0
    try:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        silence()
        reason = error.strerror or "the system refused"
        hint = "free some space, or send the output somewhere else"
        raise StorageError(f"the answer could not be written: {reason}", hint) from None
    return 0


def silence() -> None:
    """Nothing may complain at the end of the process about a stream that takes nothing more."""
    with suppress(OSError, ValueError):  # a stream of a test has no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def note(line: str) -> None:
    """One line for the person, beside the answer."""
    sys.stderr.write(line + "\n")


def fail(message: str, hint: str = "") -> None:
    """Say what is wrong, and below it what to type next."""
    home = os.path.expanduser("~")  # noqa: PTH111 - `list` does without pathlib
    red, plain = ("\x1b[1;31m", "\x1b[0m") if colourful(sys.stderr) else ("", "")
    lines = [f"{red}error:{plain} {message}", *(f"  try: {line}" for line in hint.splitlines())]
    for line in lines:
        # A home that is not there is what the error is about: it is named in full.
        named = len(home) > 1 and os.path.isdir(home)  # noqa: PTH112 - as above
        note(re.sub(rf"{re.escape(home)}(?![^/\\\s])", "~", line) if named else line)


def colourful(stream: TextIO) -> bool:
    """Whether colour is wanted there (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _encode(data: object) -> str:
    import msgspec  # noqa: PLC0415 - most calls print text

    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()
