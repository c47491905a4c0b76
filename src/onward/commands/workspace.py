"""What most verbs need of the machine first: the project, the redactor, the trash."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from onward.commands.world import World
from onward.errors import OnwardError, RefusedError, StorageError
from onward.model import Clean, T
from onward.redaction import Redactor
from onward.redaction.engine import Rule
from onward.redaction.user_rules import Allowed
from onward.repo import git
from onward.storage import atomic, live, machine, project, roots
from onward.storage.project import Project
from onward.storage.trash import Trash

_SETTINGS = ("onward.toml", "pyproject.toml", ".onwardignore")  # what adds to redaction


def here(world: World) -> Project:
    """The project that the current folder belongs to."""
    return project.locate(world.cwd, git.top(world.cwd), world.home)


def at_work(world: World, project: Project, session: str = "") -> None:
    """Raise RefusedError where nothing is to be saved: the root of the disk, a bare home folder."""
    root, hint = project.root, "cd into your project, then type the same command again"
    if root == root.parent:
        raise RefusedError(f"{root} is no project: nothing is saved there", hint)
    signs = (project.state_file, project.checkpoints, root / "onward.toml")
    if root != world.home or session or git.top(root) or any(map(os.path.lexists, signs)):
        return
    hint += ", or name a session with --session ID (to see them: onward sessions --all)"
    raise RefusedError("the home folder is not a project directory: nothing is saved there", hint)


def may_save(world: World, project: Project) -> bool:
    """Whether `at_work` raises nothing."""
    try:
        at_work(world, project)
    except RefusedError:
        return False
    return True


def trash(world: World) -> Trash:
    """Where deleted and replaced checkpoints lie."""
    return Trash(data(world) / "trash")


def redactor(
    world: World, *, keep: bool = True, also: Iterable[str] = (), personal: bool = True
) -> Redactor:
    """The redactor with this machine's key and what the user and the project add to its rules.
    Without `keep`, for what is only shown, a key for this call will do. Raises InputError for
    additions that cannot be read: nothing is to be written without them.
    """
    rules, more, allowed = additions(world)
    try:
        made = key(world)
    except StorageError:
        if keep:
            raise
        made = machine.fresh_key()
    return Redactor(
        made,
        home=str(world.home),
        user=_user(world),
        extra=rules,
        also=(*also, *more),
        allowed=allowed,
        personal=personal,
    )


def redactor_for_show(world: World) -> Redactor:
    """With the usual rules and a key of this call, so that looking writes nothing at all."""
    return Redactor(machine.fresh_key(), home=str(world.home), user=_user(world))


def _user(world: World) -> str:
    return world.env.get("USER") or world.env.get("USERNAME") or world.home.name


def additions(world: World) -> tuple[tuple[Rule, ...], tuple[str, ...], Allowed]:
    """What user and project add to redaction, and what is to stay. Raises OnwardError."""
    # By the names of files alone: git would have to be run for each redactor of a call.
    top, _ = roots.project(str(world.cwd), str(world.home))
    if not top:
        return world.rules, (), Allowed()
    asked, allowed = project.redaction(Path(top)), project.allowances(Path(top))
    found = project.rules(asked.rules).rules if asked.rules else ()
    return (*world.rules, *found), asked.also, allowed


def rules_sign(root: Path) -> str:
    """What changes when the project at `root` adds something else to redaction; "" for nothing added."""
    files = [root / name for name in _SETTINGS]
    with suppress(OnwardError):
        files += filter(None, (project.redaction(root).rules,))
    found = list[str]()
    for file in files:
        found.append("")
        with suppress(OSError):
            status = os.lstat(file)
            found[-1] = f"{status.st_size}.{status.st_mtime_ns}"
    return ",".join(found) if any(found) else ""


def finder(world: World, root: Path) -> Callable[[str], bool]:
    """Tells whether a path is there that a checkpoint of the project at `root` names."""

    def is_there(raw: str) -> bool:
        path = world.home / raw[2:] if raw.startswith(("~/", "~\\")) else root / raw
        return any(os.path.lexists(each) for each in (path, str(path).replace("\\", "/")))

    return is_there


def shown(path: Path, world: World, root: Path | None = None) -> str:
    """As `store.project.shown` has it, for this machine."""
    return project.shown(path, world.home, root)


def quoted(shown: str) -> str:
    """A path as a shell takes it: within quotes it would leave the sign for the home folder alone."""
    home = "~/" if shown.startswith("~/") else ""
    return home + shlex.quote(shown.removeprefix(home))


def openable(path: Path, world: World, clean: Callable[[str], Clean]) -> Clean:
    """A path for machines, `~` for the home folder, or "" where it would name the user."""
    told = clean(shown(path, world))
    real = world.home / told[2:] if told.startswith("~/") else Path(told)
    return told if real == path else clean("")


def is_same(one: Path, other: Path) -> bool:
    """Whether two folders belong to one repository, whose paths are then the same."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    family = git.common(one)
    return family is not None and family == git.common(other)


def not_ours(paths: Iterable[T], ours: Iterable[Path], root: Path) -> tuple[T, ...]:
    """The paths, relative to `root`, without those of files that onward itself writes."""
    places = [p.relative_to(root).as_posix() for p in ours if p.is_relative_to(root)]
    return tuple(
        path
        for path in paths
        if not any(f"{own}/".startswith(path) or path.startswith(own) for own in places)
    )


def key(world: World) -> bytes:
    """This machine's key, made where there is none. Raises StorageError."""
    folder = data(world)
    path = folder / "key"
    try:
        return machine.read_key(str(folder))
    except FileNotFoundError:
        pass
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise StorageError(message, f"chmod 600 {path}") from None
    with atomic.told(path):
        atomic.folder(folder)
        found = machine.make_key(str(folder))
        atomic.sync(folder)
    return found


def beside(world: World, session: str, name: str) -> Path | None:
    """A file beside the records of a session; None for an id that has none."""
    folder = live.folder(str(world.data), session)
    return Path(folder, name) if folder else None


def data(world: World) -> Path:
    """The folder of our own things. Raises StorageError for a home that does not exist."""
    if world.data.is_relative_to(world.home) and not world.home.is_dir():
        message = f"the home folder {world.home} does not exist"
        raise StorageError(message, "export ONWARD_DATA=/tmp/onward")
    return world.data
