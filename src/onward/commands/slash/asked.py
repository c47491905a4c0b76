"""Commands, slash: what the person typed behind a slash command.

The client pastes it into a shell text without quoting, so it comes on stdin, and stays one text
here: a shell never splits it. Between two lines of one `"` each it passes the client's check for
a brace with a quote behind it, which refuses JSON otherwise (measured).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from onward.commands.world import World
from onward.errors import UsageError

_FRAME = re.compile(r'"\r?\n(.*)\r?\n"\s*', re.DOTALL)
_WORD = re.compile(r"""(--[a-z]+=)?(?:"([^"]*)"|'([^']*)'|(\S+))(?!\S)|(\S+)""")
_DASH = re.compile(r"^[—–](?=[a-z])")


class Asked(NamedTuple):
    """One call: `command` without the plugin's prefix, which is "" or ends in a colon."""

    world: World
    command: str
    prefix: str
    text: str

    @property
    def typed(self) -> str:
        """The command as the person types it."""
        return f"/{self.prefix}{self.command}"


def unframed(raw: str) -> str:
    """What was typed, without the frame that the command file puts round it."""
    found = _FRAME.fullmatch(raw)
    return (found[1] if found else raw).strip()


def whole(text: str) -> str:
    """The text as one word, blanks and all: a path."""
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return (text[1:-1] if quoted else text).strip()


def words(text: str) -> Iterator[str]:
    """The words of a text. A quote that is never closed is a letter, as in `don't`."""
    for found in _WORD.finditer(text):
        option, double, single, plain, rest = (part or "" for part in found.groups())
        yield _DASH.sub("--", option + double + single + plain + rest)


class Wanted(NamedTuple):
    """The words of `save`, parted."""

    name: str
    task: str
    force: bool
    draft: bool


def wanted(text: str, command: str) -> Wanted:
    """`NAME [--task TEXT] [--force] [--draft]`; words behind the name are the task. Raises
    UsageError for another option.
    """
    name, task, flags = "", list[str](), set[str]()
    for word in words(text):
        if word in {"--force", "--draft"}:
            flags.add(word)
        elif word == "--task" or word.startswith("--task="):
            task += [rest] if (rest := word[len("--task=") :]) else []
        elif word.startswith("--"):
            known = "--task, --force and --draft"
            raise UsageError(f"{word} is no option here (there are {known})", f"{command} NAME")
        elif name:
            task.append(word)
        else:
            name = word
    return Wanted(name, " ".join(task), "--force" in flags, "--draft" in flags)
