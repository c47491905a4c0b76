"""Install, doctor: whether the client will call us, and how often."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from onward.clients.claude_code_hooks import HOOKS
from onward.clients.doctor import codex
from onward.clients.doctor.case import Case
from onward.clients.doctor.finding import Finding, broken, ok, remark
from onward.clients.doctor.levels import Level, called, entries, levels
from onward.clients.target import of_project, of_user, refusal

_SHOWN = 3  # sessions that are named


def settings(case: Case) -> Iterator[Finding]:
    """The client skips a file that it cannot read, and all hooks where one file says so."""
    files = levels(case)
    for each in files:
        shown = case.shown(each.path)
        where = f"line {each.line} of {shown}" if each.line else shown
        if each.fault:
            yield broken(
                "settings",
                f"{shown}{f', line {each.line}' * bool(each.line)}: {each.fault}",
                "the client silently skips the whole file, and the hooks in it",
                f"fix {where}",
            )
        if each.data.get("disableAllHooks") is True:
            yield broken(
                "settings",
                f"{shown}: disableAllHooks is true",
                "no hook runs, whoever registered it: nothing is captured and nothing is told",
                f"take disableAllHooks out of {shown}",
            )
    if files and not any(each.fault for each in files):
        yield ok("settings", f"{len(files)} read: {', '.join(case.shown(f.path) for f in files)}")


def hooks(case: Case) -> Iterator[Finding]:
    """All of our events, once. None at all is no fault where another client has them."""
    found = entries(levels(case))
    by_path = {entry.level.path: entry.level for entry in found}
    if not by_path:
        if codex.is_registered(case):
            return
        yield broken(
            "hooks",
            "none of ours is registered for this project",
            "nothing is captured when a session ends, and no new session is told of the last one",
            _first_install(case),
        )
        return
    for path, level in by_path.items():
        there = {entry.shim for entry in found if entry.level.path == path}
        missing = [called(hook.event, hook.matcher) for hook in HOOKS if hook.shim not in there]
        if missing:
            yield broken(
                "hooks",
                f"{case.shown(path)} lacks {', '.join(missing)}",
                "what belongs to these events is not done",
                _install(level),
                "files" if level.name == "project" else "",
            )
        else:
            yield ok("hooks", f"{len(there)} hooks in {case.shown(path)} ({level.name})")
    if len(by_path) > 1:
        names = " and ".join(case.shown(path) for path in by_path)
        spare = _spare(list(by_path.values()))
        yield remark(
            "hooks",
            f"registered {len(by_path)} times: {names}",
            "the work is done once, but each event starts us as often",
            spare,
        )


def _first_install(case: Case) -> str:
    user = of_user(case.home, case.env)
    refused = refusal(of_project(case.project, case.home), user)
    return "cd into a project, then: onward install" if refused else "onward install"


def _install(level: Level) -> str:
    return {
        "user": "onward install --user",
        "plugin": "claude plugin update onward",
    }.get(level.name, "onward install")


def _spare(found: list[Level]) -> str:
    """What to type against the registration that is most easily done without."""
    names = {level.name for level in found}
    if "user" in names and "project" in names:
        return "onward uninstall --user; or, in this project: onward uninstall"
    if "plugin" in names:
        return "claude plugin uninstall onward, or onward uninstall"
    return "take one of them out"


def starts(case: Case) -> Iterator[Finding]:
    """A client started in a sub-folder reads none of the project's settings."""
    found = entries(levels(case))
    if not found or any(entry.level.name == "user" for entry in found):
        return
    root = case.project.root
    why = "the client reads the settings of the folder it was started in: no hook of ours ran there"
    advice = f"start the client in {root}, or: onward install --user"
    inner = [each for each in case.claude_sessions if root in Path(each.began_in).parents]
    if inner:
        ids = ", ".join(each.session[:8] for each in inner[:_SHOWN])
        more = f" and {len(inner) - _SHOWN} more" if len(inner) > _SHOWN else ""
        where = case.shown(Path(inner[0].began_in))
        yield remark("hooks", f"begun in a sub-folder ({where}): session {ids}{more}", why, advice)
    elif case.cwd != root and root in case.cwd.parents:
        yield remark(
            "hooks", f"a client started in {case.shown(case.cwd)} has no hooks", why, advice
        )
