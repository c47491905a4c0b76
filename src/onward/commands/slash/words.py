"""Commands, slash: what the user typed behind one, and an answer as it is handed to the agent.

The client pastes what was typed into a shell text without quoting, so it comes on stdin, and stays
one text here: a shell never splits it. Between two lines of one `"` each it passes the client's check
for a brace with a quote behind it, which refuses JSON otherwise (measured).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from onward.briefing.text import shorten
from onward.commands import workspace
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
_COMMAND = re.compile(
    r"\bonward ((?:backup |protocol )?[a-z]+)\b( list\b)?"
    r"""(?: ('[^'\n]+'(?:"'"'[^'\n]*')*|[^\s()`;,]+))?"""
)
_LONGEST = 400  # characters of a line that tells of a problem
_ANSWER = re.compile(r" --(?:yes|no)\b")
_FILE = re.compile(r".*[/\\].*|.*\.(?:md|json|jsonl(?:\.zst)?)'?")


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


def answer(*parts: str) -> Clean:
    """The parts that there are, a blank line between them. They are clean already."""
    return compose("\n\n".join(part.strip("\n") for part in parts if part.strip()))


def notes(asked: Asked, result: Result) -> str:
    """What a verb says beside its answer."""
    return as_typed("\n".join(result.notes), asked.prefix)


def problem(asked: Asked, error: OnwardError) -> Clean:
    """A foreseen failure as text: what is wrong, and what to type next."""
    lines = [error.message, *(f"Try: {line}" for line in error.hint.splitlines())]
    redactor = workspace.redactor(asked.world, keep=False)
    clean = [shorten(redactor.text(line), _LONGEST) for line in "\n".join(lines).splitlines()]
    return compose(as_typed("\n".join(clean), asked.prefix))


def as_typed(text: str, prefix: str) -> str:
    """Our own text with the slash commands in it instead of those of the command line; what has
    no slash command stays.
    """

    def typed(found: re.Match[str]) -> str:
        if _ANSWER.match(text, found.end()):  # the agent's to run, not the user's to type
            return found[0]
        words = (*found[1].split(), *(found[2] or "").split())
        rest = found[3] or ""
        if rest == "--all":  # no slash command takes it
            return found[0]
        same = _SAME.get(words, "")
        if words == ("document",) and rest:
            same = "document-and-save-to"
        elif words == ("resume",) and _FILE.fullmatch(rest):
            same = "resume-from"
        behind = f" {_plain(rest)}" if rest else ""
        return f"/{prefix}{same}{behind}" if same else found[0]

    return _COMMAND.sub(typed, text)


def _plain(word: str) -> str:
    """A word that a shell would take, as it is typed behind a slash command: whole, in such quotes
    as do not stand in it, or in none.
    """
    text = word[1:-1].replace("'\"'\"'", "'") if word[0] == "'" else word
    quote = next((sign for sign in "'\"" if sign not in text), "") if text != word else ""
    return f"{quote}{text}{quote}"
