"""What a verb hands to the command line, which alone prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:  # `list` must start without the typed decoder
    from onward.model import Clean


Notes = tuple[str, ...]  # what a verb says beside its answer, one a line


class Result(NamedTuple):
    """The outcome of one verb."""

    text: Clean  # goes to stdout as it is
    data: object = None  # goes there instead with `--json`: anything that msgspec encodes
    exit_code: int = 0  # not 0 where the verb is a judgement
    notes: Notes = ()  # go to stderr
    prose: bool = False  # whether a terminal may break its lines between words, and page it
    findings: Notes = ()  # those of the notes on lines of an agent's note


def compose(*lines: str) -> Clean:
    """Text for the user, one argument a line: our own words, or what the redactor made."""
    return cast("Clean", "\n".join(lines))
