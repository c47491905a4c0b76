"""Commands, slash: the answer of a verb as the agent is to hand it on."""

from __future__ import annotations

import re
from collections.abc import Mapping

from onward.commands import rim
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
    r"\bonward ((?:backup |protocol )?[a-z]+)\b( list\b)?(?: ('[^'\n]+'|[^\s()`;,]+))?"
)
_ANSWER = re.compile(r" --(?:yes|no)\b")
_FILE = re.compile(r".*[/\\].*|.*\.(?:md|json|jsonl)'?")


def answer(*parts: str) -> Clean:
    """The parts that there are, a blank line between them. They are clean already."""
    return compose("\n\n".join(part.strip("\n") for part in parts if part.strip()))


def notes(asked: Asked, result: Result) -> str:
    """What a verb says beside its answer."""
    return as_typed("\n".join(result.notes), asked.prefix)


def problem(asked: Asked, error: OnwardError) -> Clean:
    """A foreseen failure as text: what is wrong, and what to type next."""
    lines = [error.message, *(f"Try: {line}" for line in error.hint.splitlines())]
    clean = rim.redactor(asked.world, keep=False).text("\n".join(lines))
    return compose(as_typed(clean, asked.prefix))


def as_typed(text: str, prefix: str) -> str:
    """Our own text with the slash commands in it instead of those of the command line; what has
    no slash command stays.
    """

    def typed(found: re.Match[str]) -> str:
        if _ANSWER.match(text, found.end()):  # the agent's to run, not the person's to type
            return found[0]
        words = (*found[1].split(), *(found[2] or "").split())
        rest = found[3] or ""
        same = _SAME.get(words, "")
        if words == ("document",) and rest:
            same = "document-and-save-to"
        elif words == ("resume",) and _FILE.fullmatch(rest):
            same = "resume-from"
        behind = f" {rest}" if rest else ""
        return f"/{prefix}{same}{behind}" if same else found[0]

    return _COMMAND.sub(typed, text)
