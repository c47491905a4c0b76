"""Whether the client will call us, and how often: its settings at each level, and our hooks in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PureWindowsPath
from typing import Any, Literal

from msgspec import Struct

from onward import regular
from onward.clients import plan
from onward.clients.claude_code import HOOKS
from onward.clients.doctor.findings import Case, Finding, broken, ok, some, warning
from onward.clients.registry import OTHERS
from onward.clients.target import Target
from onward.errors import OnwardError
from onward.storage.reading import LARGEST_CACHE

Name = Literal["user", "project", "local", "plugin"]


class Level(Struct, frozen=True, kw_only=True):
    """One settings file that is there. `data` is empty where the client skips the file."""

    name: Name
    path: Path
    data: Mapping[str, Any] = {}
    fault: str = ""
    line: int = 0
    root: Path | None = None
    """Of a plugin: its folder."""


class Entry(Struct, frozen=True, kw_only=True):
    """One registered command of ours; `timeout` in seconds, 0 for the client's own. With `args` the
    client starts it without a shell.
    """

    level: Level
    event: str
    shim: str
    matcher: str
    command: str
    timeout: float
    args: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The event, as users are told of it."""
        return _called(self.event, self.matcher)


def levels(case: Case) -> list[Level]:
    """What is there, the strongest last; a plugin counts where it is switched on."""
    named: tuple[tuple[Name, Path], ...] = (
        ("user", case.config / "settings.json"),
        ("project", case.claude / "settings.json"),
        ("local", case.claude / "settings.local.json"),
    )
    files = [_read(name, path) for name, path in named if path.is_file()]
    return [*_plugins(case, files), *files]


def setting(files: list[Level], key: str) -> tuple[Any, Level | None]:
    """The value that holds, and where it stands: local before project before user."""
    found = [each for each in reversed(files) if key in each.data and each.name != "plugin"]
    return (found[0].data[key], found[0]) if found else (None, None)


def entries(files: list[Level]) -> list[Entry]:
    """All commands of ours, in the order of the files."""
    return [entry for level in files for entry in _entries(level)]


def is_ours(command: str, shim: str) -> bool:
    """Whether a command calls one of our shims; others may have files of the same names."""
    return f"/hooks/{shim}" in command.replace("\\", "/") and "onward" in command


def is_call(command: str, args: list[Any], kind: str) -> bool:
    """Whether a command without a shell is ours; it may name the program by a path of Windows."""
    program = PureWindowsPath(command).name.lower().removesuffix(".exe")
    return program == "onward" and args[:3] == ["hook", "claude-code", kind]


def settings(case: Case) -> Iterator[Finding]:
    """The client skips a file that it cannot read, and all hooks where one file says so."""
    files = levels(case)
    for each in files:
        shown = case.shown(each.path)
        if each.fault:
            yield broken(
                "settings",
                f"{shown}{f', line {each.line}' * bool(each.line)}: {each.fault}",
                "the client silently skips the whole file, and the hooks in it",
                f"fix {f'line {each.line} of ' * bool(each.line)}{shown}",
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
        if not any(other.is_installed() for other in _others(case)):
            refused = case.here.refusal(case.user)
            yield broken(
                "hooks",
                "none of ours is registered for this project",
                "nothing is captured when a session ends, and no new session is told of the last one",
                "cd into a project, then: onward install" if refused else "onward install",
            )
        return
    for path, level in by_path.items():
        there = {entry.shim for entry in found if entry.level.path == path}
        wanted = [hook for hook in case.here.hooks() if hook.shim not in there]
        missing = [_called(hook.event, hook.matcher) for hook in wanted]
        if missing:
            yield _lacking(case, level, missing)
        else:
            yield ok("hooks", f"{len(there)} hooks in {case.shown(path)} ({level.name})")
    if len(by_path) > 1:
        yield warning(
            "hooks",
            f"registered {len(by_path)} times: {' and '.join(map(case.shown, by_path))}",
            "the work is done once, but each event starts us as often",
            _spare({level.name for level in by_path.values()}),
        )


def _others(case: Case) -> Iterator[Target]:
    """The places of all other clients."""
    for client in OTHERS.values():
        yield client.of_project(case.project, case.home)
        yield client.of_user(case.home, case.env)


def _lacking(case: Case, level: Level, missing: list[str]) -> Finding:
    text, why = (
        f"{case.shown(level.path)} lacks {', '.join(missing)}",
        "these events are not served",
    )
    if level.name == "plugin":
        return broken("hooks", text, why, "claude plugin update onward")
    target = case.user if level.name == "user" else case.here
    install = "onward install --user" if level.name == "user" else "onward install"
    if others := in_the_way(target):
        why = (
            f"{others} has the name of a file of onward's and is yours: an install leaves both out"
        )
        return broken("hooks", text, why, f"rename {others}, then: {install}")
    return broken("hooks", text, why, install, "files" if level.name == "project" else "")


def in_the_way(target: Target) -> str:
    """A user's own files because of which an installation registers no hook for some event."""
    try:
        found = plan.install(target, str)
    except OnwardError:  # has a finding of its own
        return ""
    hooks = f"{target.shown(target.base / 'hooks')}/"
    return some([each for each in found.foreign if each.startswith(hooks)] * bool(found.unhooked))


def _spare(names: set[Name]) -> str:
    """What to type against the registration that is most easily done without."""
    if {"user", "project"} <= names:
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
        ids = some([each.session[:8] for each in inner], 3)
        where = case.shown(Path(inner[0].began_in))
        yield warning("hooks", f"begun in a sub-folder ({where}): session {ids}", why, advice)
    elif case.cwd != root and root in case.cwd.parents:
        text = f"a client started in {case.shown(case.cwd)} has no hooks"
        yield warning("hooks", text, why, advice)


def _called(event: str, matcher: str) -> str:
    """An event, and which of its calls if not all: `SessionStart (compact)`."""
    return f"{event} ({matcher})" if matcher else event


def _read(name: Name, path: Path, root: Path | None = None) -> Level:
    data: Any = {}
    fault, line = "", 0
    try:
        data = json.loads(regular.head(path, LARGEST_CACHE).decode("utf-8-sig"))
        fault = _wrong(data)
    except json.JSONDecodeError as error:
        fault, line = error.msg[:1].lower() + error.msg[1:], error.lineno
    except UnicodeDecodeError:
        fault = "not UTF-8"
    except RecursionError:
        fault = "nested too deeply"
    except OSError as error:
        fault = error.strerror or "cannot be read"
    return Level(
        name=name, path=path, data={} if fault else data, fault=fault, line=line, root=root
    )


def _wrong(data: Any) -> str:
    """Why the client would skip a file that is good JSON; "" where it does not."""
    if not isinstance(data, dict):
        return "not a JSON object"
    hooks = data.get("hooks", {})
    if not isinstance(hooks, dict):
        return "`hooks` is not an object"
    return next((f"`hooks.{e}` is not a list" for e, v in hooks.items() if type(v) is not list), "")


def _entries(level: Level) -> Iterator[Entry]:
    for event, groups in level.data.get("hooks", {}).items():
        ours = [hook for hook in HOOKS if hook.event == event]
        for group in groups:
            for hook in _list(group, "hooks"):
                command, timeout = _at(hook, "command"), _at(hook, "timeout")
                if not isinstance(command, str):
                    continue
                args = _list(hook, "args")
                for each in ours:
                    if is_call(command, args, each.kind) if args else is_ours(command, each.shim):
                        yield Entry(
                            level=level,
                            event=event,
                            shim=each.shim,
                            matcher=str(group.get("matcher", "")),
                            command=command,
                            timeout=timeout if isinstance(timeout, int | float) else 0,
                            args=tuple(map(str, args)),
                        )
                        break


def _plugins(case: Case, files: list[Level]) -> Iterator[Level]:
    switched: dict[str, Any] = {}
    for level in files:
        found = level.data.get("enabledPlugins")
        switched |= found if isinstance(found, dict) else {}
    for key in sorted(key for key, on in switched.items() if on is True):
        name, _, market = key.partition("@")
        if name == "onward":
            yield _plugin(case, key, market)


def _plugin(case: Case, key: str, market: str) -> Level:
    """A plugin from a folder runs where it stands, one from elsewhere in the client's own copy."""
    folder = case.config / "plugins"
    markets = _load(folder / "known_marketplaces.json")
    roots: list[Path] = []
    place = _at(markets, market, "installLocation")
    if isinstance(place, str) and _at(markets, market, "source", "source") == "directory":
        listed = _list(_load(Path(place) / ".claude-plugin/marketplace.json"), "plugins")
        ours = [_at(each, "source") for each in listed if _at(each, "name") == "onward"]
        roots += [Path(place) / source for source in ours if isinstance(source, str)]
    installed = _list(_load(folder / "installed_plugins.json"), "plugins", key)
    copies = [_at(each, "installPath") for each in installed]
    roots += [Path(path) for path in copies if isinstance(path, str)]
    root = next((each for each in roots if each.is_dir()), None)
    if root is None:
        return Level(name="plugin", path=folder / key, fault="its folder was not found")
    return _read("plugin", root / "hooks" / "hooks.json", root)


def _load(path: Path) -> Any:
    try:
        return json.loads(regular.head(path, LARGEST_CACHE).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None


def _at(found: Any, *keys: str) -> Any:
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _list(found: Any, *keys: str) -> list[Any]:
    value = _at(found, *keys)
    return value if isinstance(value, list) else []
