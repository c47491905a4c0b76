"""Distil: which commands can be run once more without a thought."""

from __future__ import annotations

from onward.distill.checks.runners import kind_of
from onward.distill.shell.forms import normal_form
from onward.distill.shell.looking import is_looking
from onward.distill.shell.split import Command, split


def may_run_again(script: str) -> bool:
    """Whether a script only looks, checks and builds: a commit, a push or a migration is not done
    twice before somebody looked whether it went through.
    """
    return all(map(_only_checks, split(script)))


def _only_checks(command: Command) -> bool:
    form = normal_form(command.words)
    return is_looking(command) or (form is not None and kind_of(form, command.words) is not None)
