"""Commands, slash: what the user typed behind one, and an answer as it is handed to the agent.

The client pastes what was typed into a shell text without quoting, so it comes on stdin, and stays
one text here: a shell never splits it. Between two lines of one `"` each it passes the client's check
for a brace with a quote behind it, which refuses JSON otherwise (measured).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from onward.briefing.text import shorten
from onward.commands import save, source, workspace
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import OnwardError, UsageError
from onward.model import Clean
from onward.storage import names

_FRAME = re.compile(r'"\r?\n(.*)\r?\n"\s*', re.DOTALL)
_WORD = re.compile(r"""(?:"([^"]*)"|'([^']*)'|(\S+))(?!\S)|(\S+)""")
_DASH = re.compile(r"^[—–](?=[a-z])")
_TASK = re.compile(r"(?:^|\s)(?:--|[—–])task(?:=|\s+|$)")
_FLAG = re.compile(r"(?:^|\s)(?:--|[—–])(force|draft)$")
# Verbs of the command line and the slash commands that do the same.
_SAME: Mapping[tuple[str, ...], str] = {
    ("backup", "resume"): "resume-latest",
    ("backup", "discard"): "discard-backup",
    ("document", "list"): "sessions-list",
    ("document",): "document-and-save",
    ("protocol", "save"): "save-session-protocol",
    ("protocol", "load"): "load-session-protocol",
    ("save",): "checkpoint save",
    ("list",): "checkpoint list",
    ("delete",): "checkpoint delete",
    ("resume",): "checkpoint resume",
}
_LONGEST = 400  # characters of a line that tells of a problem


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


def wanted(text: str, command: str) -> save.Wish:
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
    return save.Wish(name=name, task=said, force="force" in flags, draft="draft" in flags)


def answer(*parts: str) -> Clean:
    """The parts that there are, a blank line between them. They are clean already."""
    return compose("\n\n".join(part.strip("\n") for part in parts if part.strip()))


def notes(result: Result) -> str:
    """What a verb says beside its answer."""
    return "\n".join(result.notes)


def problem(asked: Asked, error: OnwardError) -> Clean:
    """A foreseen failure as text: what is wrong, and what to type next."""
    redactor = workspace.redactor(asked.world, keep=False)
    said = [shorten(redactor.text(line), _LONGEST) for line in error.message.splitlines()]
    hints = (redactor.text(line) for line in error.hint.splitlines())
    said += [shorten(f"Try: {asked.world.typed(hint)}", _LONGEST) for hint in hints]
    return compose(*said)


def as_typed(command: str, prefix: str) -> str:
    """A command of the command line as the slash command that does the same; itself where none does."""
    try:
        onward, *words = shlex.split(command)
    except ValueError:  # redaction took a quote away
        return command
    # The agent's to run, not the user's to type; and what no slash command takes.
    if onward != "onward" or {"--yes", "--no", "--all"} & {*words}:
        return command
    count = next((n for n in (2, 1) if tuple(words[:n]) in _SAME), 0)
    same, rest = _SAME.get(tuple(words[:count]), ""), words[count:]
    if same == "document-and-save" and rest:
        same = "document-and-save-to"
    elif same == "checkpoint resume" and rest and source.is_path(rest[0]):
        same = "resume-from"
    return " ".join([f"/{prefix}{same}", *map(_quoted, rest)]) if same else command


def _quoted(word: str) -> str:
    """A word as it is typed behind a slash command: whole, in such quotes as do not stand in it."""
    if not any(sign.isspace() or sign in "'\"" for sign in word):
        return word
    quote = next((sign for sign in "'\"" if sign not in word), "")
    return f"{quote}{word}{quote}"
