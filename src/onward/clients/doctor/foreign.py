"""Install, doctor: which registered commands a repository may have brought, not we."""

from __future__ import annotations

from onward.clients import claude_code_hooks, files, manifest
from onward.clients.claude_code_hooks import HOOKS, Registration
from onward.clients.doctor.case import Case
from onward.clients.doctor.levels import Entry, Level
from onward.clients.target import is_trusted, of_project

_OF_A_REPOSITORY = {"project", "local"}
_WRITTEN: tuple[Registration, ...] = ("project", "user")


def parts(case: Case, level: Level, entries: list[Entry]) -> list[str]:
    """What is not as we wrote it, of the commands of a level and the shims that they call, as
    people are told of it. None where the user trusts the folder: then the client runs it all.
    """
    if level.name not in _OF_A_REPOSITORY or is_trusted(
        of_project(case.project, case.home), case.home, case.env
    ):
        return []
    forms = {form for hook in HOOKS for name in _WRITTEN for form in _forms(hook, name)}
    where = case.shown(level.path)
    strange = [f"{each.name} in {where}" for each in entries if each.command not in forms]
    for name, data in files.shipped("hooks").items():
        path = case.claude / name
        if path.is_file() and manifest.digest(path.read_bytes()) != manifest.digest(data):
            strange.append(case.shown(path))
    return strange


def _forms(hook: claude_code_hooks.Hook, registration: Registration) -> tuple[str, ...]:
    command = claude_code_hooks.command(hook, registration)
    return command, *claude_code_hooks.older(hook, registration)
