"""What is installed into: a client's folder in a project, or the user's own. One class per client."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from msgspec import Struct

from onward.clients import files, settings, splice
from onward.clients.settings import Hook
from onward.errors import OnwardError
from onward.storage import reading
from onward.storage.project import Project, shown

CHECK = "Check: onward doctor"
Obstacle = tuple[str, str, str]
"""What keeps a client from calling us, why that matters, and what to type."""


class Level(Struct, frozen=True, kw_only=True):
    """One settings file that is there (user, project, local or plugin), and our hooks in it;
    where the client skips the file, `fault` says why. `root` is the folder of a `plugin`.
    """

    name: str
    path: Path
    data: Mapping[str, Any] = {}
    hooks: tuple[Hook, ...] = ()
    fault: str = ""
    root: Path | None = None
    plugin: str = ""


class Target(Struct, frozen=True, kw_only=True):
    """A project, or (without `memory`) the user's own folder of a client.

    `base` is the client's folder, `root` the one that paths are recorded from. A client is a
    subclass: `NAME` is what people call it, `OPTION` the option that chooses it on the command
    line ("" for the default), `RULES` the file that `block` belongs in, `SETTINGS` the file of
    the hooks.
    """

    NAME: ClassVar[str]
    PROGRAM: ClassVar[str]  # what the client is called on the command line
    OPTION: ClassVar[str] = ""
    RULES: ClassVar[str] = ""
    SETTINGS: ClassVar[str]
    FOLDER: ClassVar[str]  # the client's folder in a project
    TEMPLATES: ClassVar[Path]  # what of ours belongs there for this client alone
    SHARED: ClassVar[tuple[str, ...]] = files.SHARED  # what the shims of all clients read
    PROBE: ClassVar[Path]  # a session in its form, for a trial of its hooks
    INSIDE: ClassVar[tuple[str, ...]] = ()
    """Variables by which its commands know that they run in it, besides the session's own."""
    NEXT: ClassVar[str] = "the next session is told where you left off"
    TRUST: ClassVar[str] = (
        "It will ask whether you trust this folder: until you say yes and remember, no hook runs."
    )
    """What the user is told after a first installation: of the next session, and of the client's question."""
    ANSWERS: ClassVar[bool] = True  # whether `headless` is known to work
    WINDOWS: ClassVar[bool] = os.name == "nt"
    """Whether hooks must do without a shell: `sh`, `bash` and `python3` may all be missing there, or
    lead to a stub of the system. Then they call `onward` itself, which is on the PATH.
    """

    root: Path
    base: Path
    home: Path
    memory: Path | None = None

    @classmethod
    def of_project(cls, project: Project, home: Path) -> Self:
        """A project as a target."""
        base = project.root / cls.FOLDER
        return cls(root=project.root, base=base, home=home, memory=project.memory)

    @classmethod
    def of_user(cls, home: Path, env: Mapping[str, str]) -> Self:
        """The user's own folder as a target; itself it may be a link, as dotfiles often are."""
        base = Path(os.path.realpath(cls.user_folder(home, env)))
        return cls(root=base, base=base, home=home)

    @staticmethod
    def user_folder(home: Path, env: Mapping[str, str]) -> Path:
        """The client's own folder of the user."""
        raise NotImplementedError

    @property
    def settings(self) -> Path:
        """The settings file that is shared by all who work there."""
        return self.base / self.SETTINGS

    @property
    def bound(self) -> Path:
        """What links may not lead out of. A user may link their own files to where they like."""
        return self.root if self.memory else Path(self.root.anchor)

    def refusal(self, user: Target) -> str:
        """Why nothing is installed into this project; "" where it may be."""
        real = Path(os.path.realpath(self.root))
        if real in {real.parent, Path(os.path.realpath(self.home))}:
            return f"{self.root} is not a project directory: nothing is installed there"
        if Path(os.path.realpath(self.base)) == user.base:
            return f"{self.base} is your own settings folder, not a project's"
        return ""

    def shown(self, path: Path) -> str:
        """As `storage.project.shown` has it."""
        return shown(path, self.home, self.root if self.memory else None)

    def is_installed(self) -> bool:
        """By what we wrote there, or by what of ours somebody took over."""
        return (self.base / files.MANIFEST).is_file()

    @staticmethod
    def headless(answer: Path) -> list[str]:
        """The options with which it answers one question on stdin, without tools, hooks, settings
        or a session file: on stdout, or into the file `answer`.
        """
        raise NotImplementedError

    def places(self) -> list[Path]:
        """The folders that files of ours may lie in."""
        raise NotImplementedError

    @property
    def grant(self) -> str:
        """The permission rule that belongs in its settings; "" for none."""
        return ""

    @property
    def skills(self) -> Path:
        """The folder for our skills."""
        return self.base / "skills"

    def shipped(self) -> dict[Path, bytes]:
        """The files that belong there, less the registrations and the block. The first capture makes the memory."""
        return {
            **(files.shipped(*self.SHARED, base=self.base) if self.SHARED else {}),
            **files.shipped(root=self.TEMPLATES, base=self.base),
            **files.shipped(root=files.TEMPLATES / "skills", base=self.skills),
        }

    def block(self) -> bytes | None:
        """What belongs in the file of rules; None for nothing."""
        return None

    def server(self) -> Path | None:
        """The file in which the client looks for servers of MCP; None where it has no such file
        that is a user's to edit.
        """
        return None

    def hooks(self) -> list[Hook]:
        """The registrations that belong in its settings; none where `SETTINGS` is a file of ours."""
        return []

    def levels(self, config: Path) -> list[Level]:  # noqa: ARG002
        """The settings files that are there, the strongest last; `config` is the client's own folder of
        the user. None where it reads `settings` alone.
        """
        return []

    @staticmethod
    def told(project: Path, session: str, plugin: Path | None) -> dict[str, str]:  # noqa: ARG004
        """The variables of a session, for a trial of its hooks."""
        return {}

    def registered(self) -> set[str]:
        """The events that call ours; none where nothing can be read: the doctor tells of that."""
        try:
            text = reading.text(self.settings) if self.settings.is_file() else "{}"
            return {hook.event for hook in settings.registrations(text, self.hooks())}
        except (splice.JsonError, OnwardError, OSError):
            return set()

    def is_trusted(self, env: Mapping[str, str]) -> bool:  # noqa: ARG002
        """Whether the user told the client to trust the project, by the client's own record."""
        return True

    def obstacles(self, env: Mapping[str, str]) -> Iterator[Obstacle]:
        """What keeps the client from calling the hooks that are there."""
        if self.memory and not self.is_trusted(env):
            yield (
                f"{self.PROGRAM} was never told to trust this folder",
                "until then it runs no hook of the project: nothing is captured and nothing is told",
                f"start {self.PROGRAM} in {self.root} and say yes; or: onward install {self.OPTION} --user",
            )

    def first_steps(self, env: Mapping[str, str]) -> list[str]:
        """What to do in the client after a first installation. Trusting is left to the user."""
        where = "here" if self.memory else "in any project"
        start = f"Start {self.PROGRAM} {where} and work as always; {self.NEXT}."
        return [start, *([self.TRUST] if self.memory and not self.is_trusted(env) else [])]

    def elsewhere(self, project: Target, user: Target) -> Iterator[str]:
        """Where our hooks are registered besides, and what ends that; why they would not be read."""
        for other, more in ((project, ()), (user, ("--user",))):
            if other.base != self.base and other.registered():
                option = (self.OPTION,) if self.OPTION else ()
                fix = " ".join(("onward uninstall", *option, *more))
                yield self.also(
                    f"The hooks are also registered in {self.shown(other.settings)}", fix
                )

    @staticmethod
    def also(where: str, fix: str) -> str:
        """The line on a second registration."""
        return f"{where}; each call is done once. To end that: {fix}"


class OwnFiles(Target, frozen=True, kw_only=True):
    """A client whose hooks are files of ours alone, so no settings of anybody's are touched: `SETTINGS` is
    the one that it reads first.
    """

    ANSWERS = False

    def places(self) -> list[Path]:
        """The folders that files of ours may lie in."""
        return sorted({path.parent for path in self.shipped()})

    def registered(self) -> set[str]:
        """By the file that the client reads."""
        return {self.SETTINGS} if self.is_installed() else set()

    def is_installed(self) -> bool:
        """By the record of what we wrote there, or by the file that the client reads."""
        return super().is_installed() or self.settings.is_file()
