"""Whether Claude Code will call us, and how often: its settings at each level, our hooks in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from onward import regular
from onward.clients import claude_code, settings, splice
from onward.clients.doctor import Case, Finding, broken, ok, some, warning
from onward.clients.registry import OTHERS
from onward.clients.settings import Hook
from onward.storage.reading import LARGEST_CACHE


class Level(Struct, frozen=True, kw_only=True):
    """One settings file that is there (user, project, local or plugin), and our hooks in it;
    where the client skips the file, `fault` says why. `root` is the folder of a plugin.
    """

    name: str
    path: Path
    data: Mapping[str, Any] = {}
    hooks: tuple[Hook, ...] = ()
    fault: str = ""
    root: Path | None = None


def levels(case: Case) -> list[Level]:
    """What is there, the strongest last; a plugin counts where it is switched on."""
    wanted = case.here.hooks()
    found = [
        _read(Level(name=name, path=path), wanted)
        for name, path in (
            ("user", case.config / "settings.json"),
            ("project", case.here.settings),
            ("local", case.here.base / claude_code.LOCAL),
        )
        if path.is_file()
    ]
    switched: dict[str, Any] = {}
    for level in found:
        plugins = level.data.get("enabledPlugins")
        switched |= plugins if isinstance(plugins, dict) else {}
    ours = (key for key, on in switched.items() if on is True and claude_code.is_plugin(key))
    return [*(_plugin(case, key) for key in sorted(ours)), *found]


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


def _read(level: Level, wanted: list[Hook]) -> Level:
    """The level with what its file holds."""
    text = ""
    try:
        text = regular.head(level.path, LARGEST_CACHE).decode()
        data = splice.parse(text).plain()
        hooks = tuple(settings.registrations(text, wanted))
    except splice.JsonError as error:
        fault = f", line {splice.place(text, error.at)[0]}: {error.what}"
    except UnicodeDecodeError:
        fault = ": it is not UTF-8"
    except OSError as error:
        fault = f": {error.strerror or 'it cannot be read'}"
    else:
        return replace(level, data=data, hooks=hooks)
    return replace(level, fault=fault)


def _plugin(case: Case, key: str) -> Level:
    """A plugin from a folder runs where it stands, one from elsewhere in the client's own copy."""
    folder = case.config / "plugins"
    market = _load(folder / "known_marketplaces.json", key.partition("@")[2])
    roots = [_load(folder / "installed_plugins.json", "plugins", key, 0, "installPath")]
    if _at(market, "source", "source") == "directory":
        roots.insert(0, f"{_at(market, 'installLocation')}/plugins/onward")
    root = next(
        (Path(each) for each in roots if isinstance(each, str) and Path(each).is_dir()), None
    )
    if root is None:
        return Level(name="plugin", path=folder / key, fault=": its folder was not found")
    path = root / "hooks" / "hooks.json"
    return _read(Level(name="plugin", path=path, root=root), claude_code.hooks("plugin"))


def _load(path: Path, *keys: str | int) -> Any:
    try:
        return _at(json.loads(regular.head(path, LARGEST_CACHE).decode("utf-8-sig")), *keys)
    except (OSError, ValueError, RecursionError):
        return None


def _at(found: Any, *keys: str | int) -> Any:
    for key in keys:
        try:
            found = found[key]
        except (LookupError, TypeError):
            return None
    return found
