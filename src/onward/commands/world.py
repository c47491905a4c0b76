"""Everything a verb takes from the machine: clock, folders, environment; and what follows from these, looked
up once: the project, the redactor, the trash.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from onward.documents.times import age, moment
from onward.errors import OnwardError, RefusedError, StorageError
from onward.repo import git
from onward.storage import atomic, live, machine, project, roots
from onward.storage.project import Project
from onward.storage.trash import Trash

if TYPE_CHECKING:
    from onward.model import Clean
    from onward.redaction import Redactor
    from onward.redaction.engine import Rule
    from onward.redaction.user_rules import Allowed

Tell = Callable[[int, int], None]  # told now and then how much of how much is done
_SETTINGS = ("onward.toml", "pyproject.toml", ".onwardignore")  # what adds to redaction


class World(Struct, frozen=True, kw_only=True, dict=True):
    """The surroundings of one call of the program."""

    now: datetime  # aware, in the user's own zone
    cwd: Path
    home: Path
    data: Path  # where onward keeps its own things on this machine: trash, key, log
    env: Mapping[str, str]
    rules: tuple[Rule, ...] = ()  # the user's own rules of redaction, as the command line gave them
    typed: Callable[[str], str] = str  # a command as the user types it
    known: Project | None = None  # the project, where a hook has found it already

    def age(self, at: float) -> str:
        """How long ago a time was, given in seconds since 1970; "" for 0, which is none."""
        return age(self.now.timestamp() - at) if at else ""

    def when(self, stamp: str) -> str:
        """A time for the user, `2026-03-01 14:00` in their zone; "" for what is none."""
        at = moment(stamp)
        with suppress(OverflowError):  # then as it is, in UTC
            at = at and at.astimezone(self.now.tzinfo)
        return f"{at:%Y-%m-%d %H:%M}" if at else ""

    # -------------------------------------------------------------------- the project

    @cached_property
    def project(self) -> Project:
        """The project that the current folder belongs to. Raises InputError for broken settings."""
        return self.known or project.locate(self.cwd, git.top(self.cwd), self.home)

    def require_project(self, session: str = "") -> None:
        """Raise RefusedError where nothing is to be saved: the root of the disk, a bare home folder."""
        project = self.project
        root, hint = project.root, "cd into your project, then type the same command again"
        if root == root.parent:
            raise RefusedError(f"{root} is no project: nothing is saved there", hint)
        signs = (project.state_file, project.checkpoints, root / "onward.toml")
        if root != self.home or session or git.top(root) or any(map(os.path.lexists, signs)):
            return
        hint += ", or name a session with --session ID (to see them: onward sessions --all)"
        message = "the home folder is not a project directory: nothing is saved there"
        raise RefusedError(message, hint)

    def is_project(self) -> bool:
        """Whether `require_project` raises nothing."""
        try:
            self.require_project()
        except RefusedError:
            return False
        return True

    def finder(self, root: Path) -> Callable[[str], bool]:
        """Tells whether a path is there that a checkpoint of the project at `root` names."""

        def is_there(raw: str) -> bool:
            path = root / self.expanded(raw)
            return any(os.path.lexists(each) for each in (path, str(path).replace("\\", "/")))

        return is_there

    def shown(self, path: Path) -> str:
        """A path as people may see it, `~` for the home folder."""
        return project.shown(path, self.home)

    def local(self, path: Path) -> str:
        """The same, relative to the project where it lies in that."""
        return project.shown(path, self.home, self.project.root)

    def from_here(self, path: Path) -> str:
        """The same, as seen from the current folder."""
        with suppress(ValueError):  # another drive of Windows
            return Path(os.path.relpath(path, self.cwd)).as_posix()
        return str(path)

    def openable(self, path: Path, clean: Callable[[str], Clean]) -> Clean:
        """A path for machines, `~` for the home folder, or "" where it would name the user."""
        told = clean(self.shown(path))
        return told if self.expanded(told) == path else clean("")

    def expanded(self, shown: str) -> Path:
        """The path that one with `~` for the home folder means on this machine."""
        is_below = shown == "~" or shown.startswith(("~/", "~\\"))
        return self.home / shown[2:] if is_below else Path(shown)

    # --------------------------------------------------------------------- redaction

    @cached_property
    def redactor(self) -> Redactor:
        """With this machine's key. Raises as `redactor_with`, StorageError."""
        return self.redactor_with(self.key)

    @cached_property
    def display_redactor(self) -> Redactor:
        """For what is only shown: where no key can be kept, one for this call will do."""
        return self.redactor_with(self.display_key)

    @property
    def look_redactor(self) -> Redactor:
        """With the usual rules and a key of this call, so that looking writes nothing at all."""
        from onward.redaction import Redactor  # noqa: PLC0415 - as below

        return Redactor(machine.fresh_key(), home=str(self.home), user=self._user)

    def redactor_with(
        self, key: Callable[[], bytes], *, also: Iterable[str] = (), personal: bool = True
    ) -> Redactor:
        """A redactor with what the user and the project add to its rules. Raises InputError for
        additions that cannot be read: nothing is to be written without them.
        """
        from onward.redaction import Redactor  # noqa: PLC0415 - hooks look at transcripts without

        rules, more, allowed = self.additions()
        return Redactor(
            key(),
            home=str(self.home),
            user=self._user,
            extra=rules,
            also=(*also, *more),
            allowed=allowed,
            personal=personal,
        )

    @property
    def _user(self) -> str:
        return self.env.get("USER") or self.env.get("USERNAME") or self.home.name

    def additions(self) -> tuple[tuple[Rule, ...], tuple[str, ...], Allowed]:
        """What user and project add to redaction, and what is to stay. Raises OnwardError."""
        from onward.redaction.user_rules import Allowed  # noqa: PLC0415 - as above

        # By the names of files alone, whatever else the settings say.
        top, _ = roots.project(str(self.cwd), str(self.home))
        if not top:
            return self.rules, (), Allowed()
        asked, allowed = project.redaction(Path(top)), project.allowances(Path(top))
        found = project.rules(asked.rules).rules if asked.rules else ()
        return (*self.rules, *found), asked.also, allowed

    def key(self) -> bytes:
        """This machine's key, made where there is none. Raises StorageError."""
        folder = self.data_folder()
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

    def display_key(self) -> bytes:
        """The same, else a key of this call."""
        with suppress(StorageError):
            return self.key()
        return machine.fresh_key()

    # ---------------------------------------------------------------- our own folder

    def data_folder(self) -> Path:
        """The folder of our own things. Raises StorageError for a home that does not exist."""
        if self.data.is_relative_to(self.home) and not self.home.is_dir():
            message = f"the home folder {self.home} does not exist"
            raise StorageError(message, "export ONWARD_DATA=/tmp/onward")
        return self.data

    @property
    def trash(self) -> Trash:
        """Where deleted and replaced checkpoints lie."""
        return Trash(self.data_folder() / "trash")

    def beside(self, session: str, name: str) -> Path | None:
        """A file beside the records of a session; None for an id that has none."""
        folder = live.folder(str(self.data), session)
        return Path(folder, name) if folder else None


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


def quoted(shown: str) -> str:
    """A path as a shell takes it: within quotes it would leave the sign for the home folder alone."""
    home = "~/" if shown.startswith("~/") else ""
    return home + shlex.quote(shown.removeprefix(home))


def is_same(one: Path, other: Path) -> bool:
    """Whether two folders belong to one repository, whose paths are then the same."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    family = git.common(one)
    return family is not None and family == git.common(other)
