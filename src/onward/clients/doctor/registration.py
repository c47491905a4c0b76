"""Whether Claude Code will call us, and how often: its settings at each level, our hooks in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from onward.clients import claude_code
from onward.clients.claude_code import Level
from onward.clients.doctor import Case, Finding, broken, ok, some, warning
from onward.clients.registry import OTHERS


def levels(case: Case) -> list[Level]:
    """The settings of the client, the strongest last."""
    return claude_code.levels(case.here, case.config)


def setting(found: list[Level], key: str) -> Any:
    """The value that holds: local before project before user."""
    values = [each.data[key] for each in found if key in each.data and each.name != "plugin"]
    return values[-1] if values else None


def settings_files(case: Case) -> Iterator[Finding]:
    """The client skips a file that it cannot read, and all hooks where one file says so."""
    found = levels(case)
    for each in found:
        shown = case.shown(each.path)
        if each.fault:
            why = "the client silently skips the whole file, and the hooks in it"
            yield broken("settings", f"{shown}{each.fault}", why, f"fix {shown}")
        if each.data.get("disableAllHooks") is True:
            yield broken(
                "settings",
                f"{shown}: disableAllHooks is true",
                "no hook runs, whoever registered it: nothing is captured and nothing is told",
                f"take disableAllHooks out of {shown}",
            )
    if found and not any(each.fault for each in found):
        yield ok("settings", f"{len(found)} read: {', '.join(case.shown(f.path) for f in found)}")


def hooks(case: Case) -> Iterator[Finding]:
    """All of our events, once. None at all is no fault where another client has them."""
    found = [level for level in levels(case) if level.hooks]
    others = (t for c in OTHERS.values() for t in case.targets(c))
    if not found and not any(each.is_installed() for each in others):
        refused = case.here.refusal(case.user)
        yield broken(
            "hooks",
            "none of ours is registered for this project",
            "nothing is captured when a session ends, and no new session is told of the last one",
            "cd into a project, then: onward install" if refused else "onward install",
        )
    for level in found:
        there = {hook.shim for hook in level.hooks}
        wanted = [hook for hook in case.here.hooks() if hook.shim not in there]
        shown = case.shown(level.path)
        if missing := [hook.name for hook in wanted]:
            install = {"plugin": "claude plugin update onward", "user": "onward install --user"}
            yield broken(
                "hooks",
                f"{shown} lacks {', '.join(missing)}",
                "these events are not served",
                install.get(level.name, "onward install"),
                "files" if level.name == "project" else "",
            )
        else:
            yield ok("hooks", f"{len(there)} hooks in {shown} ({level.name})")
    if len(found) > 1:
        yield warning(
            "hooks",
            f"registered {len(found)} times: {' and '.join(case.shown(f.path) for f in found)}",
            "the work is done once, but each event starts us as often",
            "keep one: onward uninstall, onward uninstall --user, or claude plugin uninstall onward",
        )


def starts(case: Case) -> Iterator[Finding]:
    """A client started in a sub-folder reads none of the project's settings."""
    named = {level.name for level in levels(case) if level.hooks}
    if not named or "user" in named:
        return
    root = case.project.root
    why = "the client reads the settings of the folder it was started in: no hook of ours ran there"
    advice = f"start the client in {root}, or: onward install --user"
    inner = [each for each in case.claude_sessions if root in Path(each.began_in).parents]
    if inner:
        ids = some([each.session[:8] for each in inner], 3)
        where = case.shown(Path(inner[0].began_in))
        yield warning("hooks", f"begun in a sub-folder ({where}): session {ids}", why, advice)
    elif root in case.cwd.parents:
        text = f"a client started in {case.shown(case.cwd)} has no hooks"
        yield warning("hooks", text, why, advice)
