"""Commands, slash: the answer of a verb as the agent is to hand it on."""

from __future__ import annotations

import re
from collections.abc import Mapping

from onward.briefing.text import shorten
from onward.commands import workspace
from onward.commands.result import Result, compose
from onward.commands.slash.asked import Asked
from onward.errors import OnwardError
from onward.model import Clean

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
