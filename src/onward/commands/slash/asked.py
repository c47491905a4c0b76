"""Commands, slash: what the user typed behind a slash command.

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
from onward.storage import names

_FRAME = re.compile(r'"\r?\n(.*)\r?\n"\s*', re.DOTALL)
_WORD = re.compile(r"""(?:"([^"]*)"|'([^']*)'|(\S+))(?!\S)|(\S+)""")
_DASH = re.compile(r"^[—–](?=[a-z])")
_TASK = re.compile(r"(?:^|\s)(?:--|[—–])task(?:=|\s+|$)")
_FLAG = re.compile(r"(?:^|\s)(?:--|[—–])(force|draft)$")


class Asked(NamedTuple):
    """One call: `command` without the plugin's prefix, which is "" or ends in a colon."""

    world: World
    command: str
    prefix: str
    text: str

    @property
    def typed(self) -> str:
        """The command as the user types it."""
        return f"/{self.prefix}{self.command}"


def unframed(raw: str) -> str:
    """What was typed, without the frame that the command file puts round it."""
    found = _FRAME.fullmatch(raw)
    return (found[1] if found else raw).strip()


def whole(text: str) -> str:
    """The text as one word, blanks and all: a path."""
    quoted = len(text) > 1 and text[0] in "\"'" and text.find(text[0], 1) == len(text) - 1
    return (text[1:-1] if quoted else text).strip()


def words(text: str) -> Iterator[str]:
    """The words of a text. A quote that is never closed is a letter, as in `don't`."""
    for found in _WORD.finditer(text):
        yield _DASH.sub("--", "".join(part or "" for part in found.groups()))


class Wanted(NamedTuple):
    """The words of `save`, parted."""

    name: str
    task: str
    force: bool
    draft: bool


def wanted(text: str, command: str) -> Wanted:
    """`NAME [--task TEXT] [--force] [--draft]`; words behind the name are the task, and what
    stands behind `--task` is it to the letter. Raises UsageError for another option.
    """
    head, *rest = _TASK.split(text, maxsplit=1)
    line, flags = " ".join("".join(rest).split()), set[str]()
    while found := _FLAG.search(line):
        flags.add(found[1])
        line = line[: found.start()].rstrip()
    name, task = "", list[str]()
    for word in words(head):
        if word in {"--force", "--draft"}:
            flags.add(word[2:])
        elif word.startswith("--"):
            known = "--task, --force and --draft"
            raise UsageError(f"{word} is no option here (there are {known})", f"{command} NAME")
        elif name:
            task.append(word)
        else:
            name = word
    if task and not line and names.is_vague(name):
        meant = names.propose(" ".join([name, *task])) or "NAME"
        raise UsageError(f"`{name}` is too generic: a name is one word", f"{command} {meant}")
    said = " ".join([*task, whole(line)]).strip()
    return Wanted(name, said, "force" in flags, "draft" in flags)
