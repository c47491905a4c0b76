"""Where a project's files lie: the documents' places, or those that its settings name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from onward import regular
from onward.errors import InputError, NotFoundError
from onward.storage import reading, roots
from onward.storage.roots import PLACES

if TYPE_CHECKING:
    from onward.redaction.user_rules import Allowed, Loaded

_LARGEST = 1_000_000  # bytes of settings, of rules or of allowances
KINDS = ("phone", "card")  # personal data that redaction takes out on request
_MOST = 1e9  # of tokens and of minutes: more is a slip of the finger
_GIT = re.compile(r"(?i)\.git[ .]*|git~\d+")
"""git's own folder, in the spellings that disks take for it: what stands there may be run."""


class Settings(NamedTuple):
    """What the hooks of a project do otherwise than usual."""

    handover: bool = True  # whether a new session is told in short what the last one left
    context_window: int = 0  # tokens of the model's context; 0 where nobody set them
    idle_minutes: float = 10  # without activity, after which a state is saved; 0 for never


class Redaction(NamedTuple):
    """What a project asks of redaction beyond the usual; nothing can be asked away."""

    rules: Path | None = None  # a file of rules within the project, as gitleaks has them
    also: tuple[str, ...] = ()  # which of `KINDS` go too


class Project(NamedTuple):
    """One project's root and the places of its files. No Struct: hooks locate projects too."""

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
    """The project of a folder: the git root `top`, else the nearest folder upwards, but for `home`,
    that holds one of our places, else `cwd` itself. Raises InputError for broken settings.
    """
    near = "" if top else roots.nearest(str(cwd), str(home or ""))
    root = top or (Path(near) if near else cwd)
    places, hooks, _ = _settings(root, *_WANTED)
    settings = Settings(**{key.replace("-", "_"): value for key, value in hooks.items()})
    return _project(root, places, settings)


def usual(root: Path) -> Project:
    """The project at a root, its settings ignored: for what broken ones must not stop."""
    return _project(root, {}, Settings())


def redaction(root: Path) -> Redaction:
    """What a project asks of redaction. Raises InputError where that cannot be read."""
    if b"redaction" not in _bytes(root)[1]:
        return Redaction()
    (asked,) = _settings(root, "redaction")
    rules = root / asked["rules"] if "rules" in asked else None
    return Redaction(rules=rules, also=tuple(asked.get("also", ())))


def rules(path: Path) -> Loaded:
    """The rules in a gitleaks.toml. Raises NotFoundError, StorageError, InputError."""
    from onward.redaction.user_rules import read_rules  # noqa: PLC0415 - hooks locate projects too

    if not path.exists():
        raise NotFoundError(f"there is no file of rules {path}", f"ls {path.parent}")
    try:
        return read_rules(reading.data(path, most=_LARGEST).decode(), path.name)
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8", f"save {path.name} as UTF-8") from None


def allowances(root: Path) -> Allowed:
    """The entries of `.onwardignore`. Raises InputError, StorageError; a link is refused: it could
    lead to a file of yours whose lines are the very secrets.
    """
    from onward.redaction.user_rules import read_allowances  # noqa: PLC0415 - as above

    path = root / ".onwardignore"
    is_there = os.path.lexists(path)
    if is_there and (path.is_symlink() or not path.is_file()):
        hint = f"put a file in the place of {path.name}, or take it away"
        raise InputError(f"{path} is no file of its own, so nothing is written", hint)
    raw = reading.data(path, most=_LARGEST) if is_there else b""
    return read_allowances(raw.decode("utf-8", "replace"))


def _project(root: Path, moved: Mapping[str, str], settings: Settings) -> Project:
    where = {key: root / value for key, value in {**PLACES, **moved}.items()}
    return Project(root=root, settings=settings, state_file=where.pop("state"), **where)


# ---------------------------------------------------------------------------- settings


def _bytes(root: Path) -> tuple[Path, bytes]:
    """The file of settings, and what it holds: nothing, where there is none."""
    own, shared = root / "onward.toml", root / "pyproject.toml"
    if os.path.lexists(own):
        return own, reading.data(own, inside=root, most=_LARGEST)
    try:
        return shared, regular.head(shared, _LARGEST)
    except OSError:
        return shared, b""


def _settings(root: Path, *names: str) -> list[Mapping[str, Any]]:
    """Our tables of these names, each value as it is wanted. Raises InputError."""
    source, data = _bytes(root)
    tables: Any = {}
    before = "" if source.name == "onward.toml" else "tool.onward."
    # A pyproject.toml that never speaks of us is not ours to judge, even a broken one.
    if not before or b"onward" in data:
        tables = _parse(source, data)
        for name in before.split(".")[:-1]:
            tables = tables.get(name, {}) if isinstance(tables, dict) else {}
    if not isinstance(tables, dict):
        _refuse(source, "onward", f"`{before[:-1]}` is not a table")
    for key in tables:
        if key not in _WANTED:
            there = " and ".join(f"`{each}`" for each in _WANTED)
            _refuse(source, key, f"`{key}` is no setting (there are only {there})")
    for name in names:
        _check(root, source, f"{before}{name}", tables.setdefault(name, {}))
    return [tables[name] for name in names]


def _check(root: Path, source: Path, name: str, table: Any) -> None:
    """Raise InputError for a value that cannot be meant in one of our tables."""
    bare = name.rpartition(".")[2]
    wanted = _WANTED[bare]
    if not isinstance(table, dict):
        _refuse(source, bare, f"`{name}` is not a table")
    for key, value in table.items():
        if key not in wanted:
            kind = "place" if bare == "places" else "setting"
            _refuse(source, key, f"`{key}` is no {kind} (one of {', '.join(wanted)})")
        fits, told = wanted[key]
        if not fits(root, value):
            _refuse(source, key, f"`{key}` must be {told}")


def _parse(path: Path, data: bytes) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415  # most projects have no settings of ours

    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8", f"save {path.name} as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        _refuse(path, int(found[1]) if found else 0, "is not valid TOML")


def _is_number(_: Path, value: object) -> bool:
    """Neither true nor false, which count as 1 and 0; nor `nan` and `inf`, which TOML has."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= _MOST


def _is_within(root: Path, value: object) -> bool:
    """Whether it is a path within the project, and not of git's own."""
    if not isinstance(value, str) or "\0" in value:
        return False
    for pure in (PurePosixPath(value), PureWindowsPath(value)):
        if pure.is_absolute() or pure.drive or ".." in pure.parts or not pure.name:
            return False
        if any(_GIT.fullmatch(part) for part in pure.parts):
            return False
    return reading.is_within(root / value, root)


_WANTED: Mapping[str, Mapping[str, tuple[Callable[[Path, Any], bool], str]]] = {
    "places": {
        key: (_is_within, f"a path inside the project, like {value}")
        for key, value in PLACES.items()
    },
    "hooks": {
        "handover": (lambda _, value: isinstance(value, bool), "true or false"),
        "context-window": (
            lambda root, value: isinstance(value, int) and value != 0 and _is_number(root, value),
            "a number of tokens, like 200000",
        ),
        "idle-minutes": (_is_number, "a number of minutes, like 10 (0 for never)"),
    },
    "redaction": {
        "rules": (_is_within, "a file inside the project"),
        "also": (
            lambda _, value: isinstance(value, list) and all(kind in KINDS for kind in value),
            f"a list of {', '.join(KINDS)}",
        ),
    },
}
"""Our tables: the settings of each, what tells whether a value can be meant, and what it must be."""


def _refuse(path: Path, at: str | int, what: str) -> NoReturn:
    """Raise InputError with the line `at` which it stands, of the first that names it."""
    if isinstance(at, str):
        pattern, lines = re.compile(rf"[^#]*\b{re.escape(at)}\b"), reading.text(path).splitlines()
        at = next((number for number, line in enumerate(lines, 1) if pattern.match(line)), 0)
    where = f"{path}, line {at}" if at else str(path)
    fix = f"fix line {at} of {path.name}" if at else f"fix {path.name}"
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
