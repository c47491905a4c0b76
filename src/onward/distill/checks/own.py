"""Distil: a project's own runner, known by what it prints: `tspec test`, `./ci.sh`, `vmake all`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from onward.distill import paths
from onward.distill.checks import summary
from onward.distill.checks.runners import Kind, kind_of, kind_of_word
from onward.distill.shell.forms import Form, first_as_sub, normal_form
from onward.distill.shell.looking import is_looking, is_plain
from onward.distill.shell.split import Command
from onward.distill.text import vocabulary

_NO_RUNNERS = vocabulary("gh glab jj hg svn curl wget http psql mysql kubectl helm aws gcloud az")
"""Programs that print summaries of other machines' runs, or none."""


class Own(NamedTuple):
    """One command of a script that turned out to be a check."""

    position: int
    form: Form
    kind: Kind
    runner: frozenset[str]
    """The runners behind it, as far as its summary tells."""


def own_checks(
    commands: tuple[Command, ...], text: str, root: str, *, alone: bool
) -> Iterator[Own]:
    """The checks among commands that nobody knows, in a cleaned output's light.

    A subcommand that is called like a check is one if any runner printed its summary; any
    other command (with `alone`: no check is known in the script) only if it is the one act
    of the script and test counts were printed.
    """
    acts = [(i, c, form) for i, c in enumerate(commands) if (form := _unknown(c, root))]
    worded = [
        (i, first_as_sub(form, c.words, root), kind)
        for i, c, form in acts
        if not form.sub and (kind := kind_of_word(form.arg, c.words)) and kind != "format"
    ]
    for index, form, kind in worded:
        said = summary.read(text, form.program, kind) or summary.counted(text)
        if said:
            yield Own(index, form, kind, said.tools)
    if alone and not worded and len(acts) == 1:
        said = summary.counted(text)
        if said:
            yield Own(acts[0][0], acts[0][2], "test", said.tools)


def _unknown(command: Command, root: str) -> Form | None:
    """The form of a command that does something and is not known for what."""
    form = normal_form(command.words, root)
    if form is None or is_looking(command) or is_plain(form) or form.program in _NO_RUNNERS:
        return None
    return None if kind_of(form, command.words) or paths.apart(form.program) else form
