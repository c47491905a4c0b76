"""What is done with a terminal: long text broken between words or paged, and the clipboard."""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress

from onward.commands.listing import display_width
from onward.errors import NotFoundError

_WORD = re.compile(r"\s*(?:`[^`\n]*`|\S)+")  # a command in back-ticks is one word, to be copied
_HEAD = re.compile(r"\s*(?:[-*] |> ?|\d{1,3}\. )*")
_COMMAND = re.compile(r"\s*(?:→ )?(?:onward |\$ |cd )|.* && ")  # lines that are there to be copied
_NARROWEST = 20


def wrapped(text: str, width: int) -> str:
    """No line is wider than `width` columns, but for commands and longer words."""
    lines = text.split("\n")
    return "\n".join(part for line in lines for part in _broken(line, max(width, _NARROWEST)))


def _broken(line: str, width: int) -> Iterator[str]:
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


def shown(text: str, env: Mapping[str, str] = os.environ) -> str:
    """What is left to print of a text: nothing where the user's pager has shown it."""
    columns, lines = shutil.get_terminal_size()
    broken = wrapped(text, columns)
    is_asked = sys.stdin.isatty() and sys.stdout.isatty() and env.get("TERM", "dumb") != "dumb"
    if not is_asked or env.get("PAGER") == "cat" or broken.count("\n") + 2 < lines:
        return broken
    # Text stays on the screen behind it, and a page that fits is none.
    os.environ.setdefault("LESS", "FRX")
    import click  # noqa: PLC0415 - bare `onward` does without

    click.echo_via_pager(broken)
    return ""


_PROGRAMS = (
    ("", ("pbcopy",)),
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("clip.exe",)),
)
"""Each with the variable that must be set."""
_SECONDS = 10
_MOST = 70_000  # bytes that terminals take in one sequence


def copy(text: str, instead: str, env: Mapping[str, str] = os.environ) -> str:
    """Put a text on the clipboard and return by what. Raises NotFoundError, which names what to type
    `instead`, where nothing can. A terminal is not asked whether it took it: some do not.
    """
    data = text.encode("utf-8", "backslashreplace")
    for variable, words in _PROGRAMS:
        program = shutil.which(words[0], path=env.get("PATH"))
        if not program or (variable and not env.get(variable)):
            continue
        given = data if words[0] != "clip.exe" else b"\xff\xfe" + text.encode("utf-16-le")
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                [program, *words[1:]],
                input=given,
                stdout=subprocess.DEVNULL,  # xclip stays, and would keep the pipe open
                stderr=subprocess.DEVNULL,
                timeout=_SECONDS,
                check=True,
            )
            return words[0]
    if sys.stderr.isatty() and env.get("TERM", "dumb") != "dumb" and len(data) <= _MOST:
        sys.stderr.write(f"\x1b]52;c;{base64.b64encode(data).decode()}\a")
        sys.stderr.flush()
        return "the terminal, if it allows that"
    raise NotFoundError(
        "there is no clipboard here: no pbcopy, wl-copy, xclip, xsel or clip.exe", instead
    )
