"""Long text on a terminal: broken between words, and in a pager where it is longer than the screen."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping

from onward.commands.listing import display_width

_WORD = re.compile(r"\s*(?:`[^`\n]*`|\S)+")
"""With the blanks before it; a command in back-ticks is one, so that it can be copied."""
_HEAD = re.compile(r"\s*(?:[-*] |> ?|\d{1,3}\. )*")
_COMMAND = re.compile(r"\s*(?:onward |\$ |cd )|.* && ")
"""Lines that are there to be copied."""
_NARROWEST = 20


def wrapped(text: str, width: int) -> str:
    """No line is wider than `width` columns, but for commands and words that are longer themselves.
    What begins a list's entry or a quote stands before each of its lines.
    """
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


def paged(text: str, env: Mapping[str, str]) -> bool:
    """Show a text that is longer than the screen in the user's pager (`PAGER`, else `less`); False
    where it is shorter, or where nobody sits before a terminal that can do that.
    """
    height = shutil.get_terminal_size().lines
    words = shlex.split(env.get("PAGER", "less")) or ["cat"]
    program = shutil.which(words[0])
    if words[0] == "cat" or not program or text.count("\n") + 2 < height:
        return False
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or env.get("TERM", "dumb") == "dumb":
        return False
    given = {"LESS": "FRX", "LESSCHARSET": "utf-8", **env}
    pager = subprocess.Popen([program, *words[1:]], stdin=subprocess.PIPE, env=given)
    data = text.encode("utf-8", "backslashreplace")
    while True:
        try:
            pager.communicate(data)
        except KeyboardInterrupt:  # the pager's own: it goes on
            data = b""
        else:
            return True


def shown(text: str, env: Mapping[str, str] = os.environ) -> str:
    """What is left to print of a text on the terminal that stdout is: nothing, if it was paged."""
    broken = wrapped(text, shutil.get_terminal_size().columns)
    return "" if paged(broken, env) else broken
