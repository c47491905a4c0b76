"""Where a project's files lie: the documents' places, or those that its settings name."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple, NoReturn

from onward.errors import InputError
from onward.store import reading

PLACES = {
    "checkpoints": "memory/checkpoints",
    "state": "SESSION-STATE.md",
    "buffer": "memory/working-buffer.md",
    "memory": ".claude/memory",
    "protocol": "session-protocol.json",
}
_SIGNS = ("onward.toml", "sp.json", *PLACES.values())


class Project(NamedTuple):
    """One project's root and the places of its files, all within the root.

    No Struct: hooks, which import nothing but the standard library, locate projects too.
    """

    root: Path
    checkpoints: Path
    state_file: Path
    buffer: Path
    memory: Path
    protocol: Path

    @property
    def active_context(self) -> Path:
        """The short state that the client loads into every session."""
        return self.memory / "active-context.md"


def locate(cwd: Path, top: Path | None, home: Path | None = None) -> Project:
    """The project of a folder: the git root `top`, else the nearest folder upwards that holds
    one of our places, else `cwd` itself.

    `home` is never taken for the project of the folders below it: the client's own settings
    folder there looks like one of ours. Raises InputError for settings that cannot be read.
    """
    root = top or _nearest(cwd, home) or cwd
    places = {key: root / value for key, value in PLACES.items()} | _moved(root)
    return Project(
        root=root,
        checkpoints=places["checkpoints"],
        state_file=places["state"],
        buffer=places["buffer"],
        memory=places["memory"],
        protocol=places["protocol"],
    )


def _nearest(cwd: Path, home: Path | None) -> Path | None:
    for folder in (cwd, *cwd.parents):
        if folder == home and folder != cwd:
            return None
        if any(os.path.lexists(folder / sign) for sign in _SIGNS):
            return folder
    return None


def _moved(root: Path) -> dict[str, Path]:
    own = root / "onward.toml"
    shared = root / "pyproject.toml"
    if own.is_file():
        settings = _parse(own)
        return _places(root, own, settings)
    # A pyproject.toml that never speaks of us is not ours to judge, even a broken one.
    if shared.is_file() and b"onward" in reading.data(shared):
        tool = _parse(shared).get("tool", {})
        own_table = tool.get("onward", {}) if isinstance(tool, dict) else {}
        return _places(root, shared, own_table, "tool.onward")
    return {}


def _parse(path: Path) -> dict[str, object]:
    import tomllib  # noqa: PLC0415  # most projects have no settings of ours

    try:
        return tomllib.loads(reading.data(path).decode())
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8", f"save {path.name} as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        _refuse(path, int(found[1]) if found else 0, "is not valid TOML")


def _places(root: Path, source: Path, settings: object, name: str = "") -> dict[str, Path]:
    if not isinstance(settings, dict):
        _refuse(source, _line(source, "onward"), f"`{name}` is not a table")
    for key in settings:
        if key != "places":
            _refuse(source, _line(source, key), f"`{key}` is no setting (there is only `places`)")
    table = settings.get("places", {})
    if not isinstance(table, Mapping):
        _refuse(source, _line(source, "places"), "`places` is not a table")
    moved: dict[str, Path] = {}
    for key, value in table.items():
        line = _line(source, key)
        if key not in PLACES:
            _refuse(source, line, f"`{key}` is no place (one of {', '.join(PLACES)})")
        if not isinstance(value, str) or not _within(root, value):
            _refuse(source, line, f"`{key}` must be a path inside the project, like {PLACES[key]}")
        moved[key] = root / value
    return moved


def _within(root: Path, value: str) -> bool:
    if "\0" in value:
        return False
    for pure in (PurePosixPath(value), PureWindowsPath(value)):
        if pure.is_absolute() or pure.drive or ".." in pure.parts or not pure.name:
            return False
    real = os.path.realpath(root)
    return Path(os.path.realpath(root / value)).is_relative_to(real)


def _line(source: Path, key: str) -> int:
    lines = reading.text(source).splitlines()
    pattern = re.compile(rf"[^#]*\b{re.escape(key)}\b")
    return next((number for number, line in enumerate(lines, 1) if pattern.match(line)), 0)


def _refuse(path: Path, line: int, what: str) -> NoReturn:
    where = f"{path}, line {line}" if line else str(path)
    mend = f"mend line {line} of {path.name}" if line else f"mend {path.name}"
    raise InputError(f"{where}: {what}", f"{mend}, then type the same command again")
