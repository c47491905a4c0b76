"""Where a project's files lie: the documents' places, or those that its settings name."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple, NoReturn

from onward import regular
from onward.errors import InputError
from onward.storage import reading, roots
from onward.storage.roots import PLACES

_LARGEST = 1 << 20  # bytes of settings
_TABLES = ("places", "hooks", "redaction")
KINDS = ("phone", "card")
"""Personal data that redaction takes out on request."""
_WANTED = {
    "handover": "must be true or false",
    "context-window": "must be a number of tokens, like 200000",
    "idle-minutes": "must be a number of minutes, like 10 (0 for never)",
}
_MOST = 1e9  # of tokens and of minutes: more is a slip of the finger


class Settings(NamedTuple):
    """What the hooks of a project do otherwise than usual."""

    handover: bool = True
    """Whether a new session is told in short what the last one left."""
    context_window: int = 0
    """Tokens of the model's context; 0 where nobody set them."""
    idle_minutes: float = 10
    """After how many minutes without activity a session's state is saved; 0 for never."""


class Redaction(NamedTuple):
    """What a project asks of redaction beyond the usual; nothing can be asked away."""

    rules: Path | None = None
    """A file of rules within the project, as gitleaks has them."""
    also: tuple[str, ...] = ()
    """Which of `KINDS` go too."""


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
    settings: Settings = Settings()

    @property
    def active_context(self) -> Path:
        """The short state that the client loads into every session."""
        return self.memory / "active-context.md"

    @property
    def places(self) -> tuple[Path, ...]:
        """All files and folders that onward writes."""
        return self.checkpoints, self.state_file, self.buffer, self.memory, self.protocol


def locate(cwd: Path, top: Path | None, home: Path | None = None) -> Project:
    """The project of a folder: the git root `top`, else the nearest folder upwards that holds
    one of our places, else `cwd` itself.

    `home` is never taken for the project of the folders below it: the client's own settings
    folder there looks like one of ours. Raises InputError for settings that cannot be read.
    """
    near = "" if top else roots.nearest(str(cwd), str(home or ""))
    root = top or (Path(near) if near else cwd)
    source, tables, name = _tables(root)
    moved = _places(root, source, _table(source, tables, "places", name))
    settings = _settings(source, _table(source, tables, "hooks", name))
    _redaction(root, source, _table(source, tables, "redaction", name))
    return _project(root, {key: root / value for key, value in PLACES.items()} | moved, settings)


def usual(root: Path) -> Project:
    """The project at a root, its settings ignored: for what broken ones must not stop."""
    return _project(root, {key: root / value for key, value in PLACES.items()}, Settings())


def redaction(root: Path) -> Redaction:
    """What the project at a root asks of redaction. Raises InputError where that cannot be read:
    nothing is to be written then. Faults of other settings are left to `locate`.
    """
    own, shared = root / "onward.toml", root / "pyproject.toml"
    is_own = os.path.lexists(own)
    if b"redaction" not in (_read(root, own) if is_own else _shared(shared)):
        return Redaction()
    source, tables, name = _tables(root)
    return _redaction(root, source, _table(source, tables, "redaction", name))


def _project(root: Path, where: Mapping[str, Path], settings: Settings) -> Project:
    return Project(
        root=root,
        checkpoints=where["checkpoints"],
        state_file=where["state"],
        buffer=where["buffer"],
        memory=where["memory"],
        protocol=where["protocol"],
        settings=settings,
    )


def _tables(root: Path) -> tuple[Path, Mapping[str, object], str]:
    """The file of settings, our tables in it, and what stands before their names there."""
    own, shared = root / "onward.toml", root / "pyproject.toml"
    if os.path.lexists(own):
        return own, _known(own, _parse(own, _read(root, own)), ""), ""
    # A pyproject.toml that never speaks of us is not ours to judge, even a broken one.
    if b"onward" in (data := _shared(shared)):
        tool = _parse(shared, data).get("tool", {})
        found = tool.get("onward", {}) if isinstance(tool, dict) else {}
        return shared, _known(shared, found, "tool.onward"), "tool.onward."
    return own, {}, ""


def _read(root: Path, own: Path) -> bytes:
    return reading.data(own, inside=root, most=_LARGEST)


def _shared(path: Path) -> bytes:
    try:
        return regular.head(path, _LARGEST)
    except OSError:
        return b""


def _parse(path: Path, data: bytes) -> dict[str, object]:
    import tomllib  # noqa: PLC0415  # most projects have no settings of ours

    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8", f"save {path.name} as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        _refuse(path, int(found[1]) if found else 0, "is not valid TOML")


def _known(source: Path, tables: object, name: str) -> Mapping[str, object]:
    if not isinstance(tables, dict):
        _refuse(source, _line(source, "onward"), f"`{name}` is not a table")
    for key in tables:
        if key not in _TABLES:
            there = " and ".join(f"`{each}`" for each in _TABLES)
            _refuse(source, _line(source, key), f"`{key}` is no setting (there are only {there})")
    return tables


def _table(
    source: Path, tables: Mapping[str, object], key: str, before: str
) -> Mapping[str, object]:
    table = tables.get(key, {})
    if not isinstance(table, Mapping):
        _refuse(source, _line(source, key), f"`{before}{key}` is not a table")
    return table


def _places(root: Path, source: Path, table: Mapping[str, object]) -> dict[str, Path]:
    moved: dict[str, Path] = {}
    for key, value in table.items():
        line = _line(source, key)
        if key not in PLACES:
            _refuse(source, line, f"`{key}` is no place (one of {', '.join(PLACES)})")
        if not isinstance(value, str) or not _within(root, value):
            _refuse(source, line, f"`{key}` must be a path inside the project, like {PLACES[key]}")
        moved[key] = root / value
    return moved


def _settings(source: Path, table: Mapping[str, object]) -> Settings:
    settings = Settings()
    for key, value in table.items():
        if key not in _WANTED:
            known = ", ".join(_WANTED)
            _refuse(source, _line(source, key), f"`{key}` is no setting (one of {known})")
        if key == "handover" and isinstance(value, bool):
            settings = settings._replace(handover=value)
        elif key == "context-window" and _is_number(value) and isinstance(value, int) and value:
            settings = settings._replace(context_window=value)
        elif key == "idle-minutes" and _is_number(value) and isinstance(value, (int, float)):
            settings = settings._replace(idle_minutes=value)
        else:
            _refuse(source, _line(source, key), f"`{key}` {_WANTED[key]}")
    return settings


def _redaction(root: Path, source: Path, table: Mapping[str, object]) -> Redaction:
    found = Redaction()
    for key, value in table.items():
        line = _line(source, key)
        if key == "rules":
            if not isinstance(value, str) or not _within(root, value):
                _refuse(source, line, "`rules` must be a file inside the project")
            found = found._replace(rules=root / value)
        elif key == "also":
            if not isinstance(value, list) or not all(kind in KINDS for kind in value):
                _refuse(source, line, f"`also` must be a list of {', '.join(KINDS)}")
            found = found._replace(also=tuple(value))
        else:
            _refuse(source, line, f"`{key}` is no setting (one of rules, also)")
    return found


_GIT = re.compile(r"(?i)\.git[ .]*|git~\d+")
"""git's own folder, in the spellings that disks take for it: what stands there may be run."""


def _is_number(value: object) -> bool:
    """Neither true nor false, which count as 1 and 0; nor `nan` and `inf`, which TOML has."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= _MOST


def _within(root: Path, value: str) -> bool:
    if "\0" in value:
        return False
    for pure in (PurePosixPath(value), PureWindowsPath(value)):
        if pure.is_absolute() or pure.drive or ".." in pure.parts or not pure.name:
            return False
        if any(_GIT.fullmatch(part) for part in pure.parts):
            return False
    real = os.path.realpath(root)
    return Path(os.path.realpath(root / value)).is_relative_to(real)


def _line(source: Path, key: str) -> int:
    lines = reading.text(source).splitlines()
    pattern = re.compile(rf"[^#]*\b{re.escape(key)}\b")
    return next((number for number, line in enumerate(lines, 1) if pattern.match(line)), 0)


def _refuse(path: Path, line: int, what: str) -> NoReturn:
    where = f"{path}, line {line}" if line else str(path)
    fix = f"fix line {line} of {path.name}" if line else f"fix {path.name}"
    raise InputError(f"{where}: {what}", f"{fix}, then type the same command again")


def shown(path: Path, home: Path, root: Path | None = None) -> str:
    """A path as people may see it: relative to the project at `root`, else to the home folder."""
    # The root of the disk is left on: without it the path would mean another file.
    if root is not None and root != root.parent and path.is_relative_to(root):
        return path.relative_to(root).as_posix()
    for base in (home, Path(os.path.realpath(home))):
        if base not in {path, base.parent} and path.is_relative_to(base):
            return f"~/{path.relative_to(base).as_posix()}"
    return str(path)
