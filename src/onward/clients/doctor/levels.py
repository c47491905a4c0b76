"""Install, doctor: the client's settings at each of their levels, and our hooks in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from onward.clients.claude_code_hooks import HOOKS
from onward.clients.doctor.case import Case

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
    """One registered command of ours; `timeout` in seconds, 0 for the client's own."""

    level: Level
    event: str
    shim: str
    matcher: str
    command: str
    timeout: float

    @property
    def name(self) -> str:
        """The event, as people are told of it."""
        return called(self.event, self.matcher)


def called(event: str, matcher: str) -> str:
    """An event, and which of its calls if not all: `SessionStart (compact)`."""
    return f"{event} ({matcher})" if matcher else event


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


def _read(name: Name, path: Path, root: Path | None = None) -> Level:
    data: Any = {}
    fault, line = "", 0
    try:
        data = json.loads(path.read_text("utf-8-sig"))
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
        for group in groups:
            inner = group.get("hooks") if isinstance(group, dict) else None
            for hook in inner if isinstance(inner, list) else ():
                command = hook.get("command") if isinstance(hook, dict) else None
                if isinstance(command, str) and (shim := _shim(event, command)):
                    timeout = hook.get("timeout")
                    yield Entry(
                        level=level,
                        event=event,
                        shim=shim,
                        matcher=str(group.get("matcher", "")),
                        command=command,
                        timeout=timeout if isinstance(timeout, int | float) else 0,
                    )


def _shim(event: str, command: str) -> str:
    """The shim of ours that a command of this event calls; "" for none."""
    shims = (hook.shim for hook in HOOKS if hook.event == event)
    return next((shim for shim in shims if is_ours(command, shim)), "")


def is_ours(command: str, shim: str) -> bool:
    """Whether a command calls one of our shims; others may have files of the same names."""
    return f"/hooks/{shim}" in command.replace("\\", "/") and "onward" in command


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
    markets, installed = (
        _load(folder / "known_marketplaces.json"),
        _load(folder / "installed_plugins.json"),
    )
    roots: list[Path] = []
    place = _at(markets, market, "installLocation")
    if isinstance(place, str) and _at(markets, market, "source", "source") == "directory":
        listed = _list(_load(Path(place) / ".claude-plugin/marketplace.json"), "plugins")
        ours = [_at(each, "source") for each in listed if _at(each, "name") == "onward"]
        roots += [Path(place) / source for source in ours if isinstance(source, str)]
    copies = [_at(each, "installPath") for each in _list(installed, "plugins", key)]
    roots += [Path(path) for path in copies if isinstance(path, str)]
    root = next((each for each in roots if each.is_dir()), None)
    if root is None:
        return Level(name="plugin", path=folder / key, fault="its folder was not found")
    return _read("plugin", root / "hooks" / "hooks.json", root)


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None


def _at(found: Any, *keys: str) -> Any:
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _list(found: Any, *keys: str) -> list[Any]:
    value = _at(found, *keys)
    return value if isinstance(value, list) else []
