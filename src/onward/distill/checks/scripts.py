"""Distil: the project's own scripts: `python3 tools/links.py`, `./release.sh`."""

from __future__ import annotations

import re

from onward.distill import paths
from onward.distill.checks import summary
from onward.distill.checks.decisive import decisive, last_line
from onward.distill.checks.outcome import Check, never_ran
from onward.distill.shell.forms import Form, normal_form
from onward.distill.shell.looking import is_looking
from onward.distill.shell.split import split
from onward.distill.text import vocabulary
from onward.model import Ran

_RUNNERS = vocabulary("python node ruby perl php tsx ts-node deno bun")
_SCRIPT = re.compile(r"\w\.(?:py|sh|bash|[cm]?[jt]s|rb|pl|php|ps1)$")


def failed(ran: Ran, root: str) -> Check | None:
    """The failed run of a script, where the exit status can only be the script's: nothing else
    was done in the command, and its output was not piped.
    """
    if not ran.failed or ran.state != "done" or ran.background:
        return None
    commands = split(ran.command, ran.cwd)
    acts = [c for c in commands if not is_looking(c)]
    if len(acts) != 1 or acts[0].piped or commands[-1] is not acts[0]:
        return None
    form = normal_form(acts[0].words, root)
    if form is None or not _is_own(form):
        return None
    text = summary.clean(ran.output)
    if never_ran(text):
        return None
    lines = decisive(text) or (last_line(text),)
    return Check(
        command=acts[0],
        form=form,
        kind="other",
        index=0,
        outcome="failed",
        decisive=tuple(line for line in lines if line),
    )


def forms(ran: Ran, root: str) -> set[tuple[str, str, str]]:
    """The scripts of the project that a command runs: program, subcommand, argument."""
    found = (normal_form(command.words, root) for command in split(ran.command, ran.cwd))
    return {form[:3] for form in found if form and _is_own(form)}


def _is_own(form: Form) -> bool:
    """Whether a script lies in the project: what lies elsewhere was made to look into something."""
    script = form.arg if form.program in _RUNNERS else form.program
    inside = not (paths.absolute(script) or script.startswith("..") or paths.apart(script))
    return inside and not form.sub and bool(_SCRIPT.search(script))
