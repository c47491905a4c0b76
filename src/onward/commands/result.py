"""What a verb hands to the command line, which alone prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:  # `list` must start without the typed decoder
    from onward.model import Clean


Notes = tuple[str, ...]  # what a verb says beside its answer, one a line


class Result(NamedTuple):
    """The outcome of one verb. `text` goes to stdout as it is; with `--json`, `data` does (anything
    msgspec encodes) instead. `notes` go to stderr, one a line. `exit_code` is 0 unless the verb
    itself is a judgement, as `check` is. `findings` are those of the notes that tell of lines in an
    agent's note which do not agree with the record.
    """

    text: Clean
    data: object = None
    exit_code: int = 0
    notes: Notes = ()
    prose: bool = False  # whether a terminal may break its lines between words, and page it
    findings: Notes = ()


def compose(*lines: str) -> Clean:
    """Text for the user, one argument a line: our own words, or what the redactor made."""
    return cast("Clean", "\n".join(lines))
