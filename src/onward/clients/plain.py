"""A client whose hooks are files of ours alone, so that no settings of anybody's are touched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from onward.clients import files
from onward.clients.settings import Hook
from onward.clients.target import Target

_SKILLS = "codex/skills/"


class Plain(Target, frozen=True, kw_only=True):
    """Of such a client `SETTINGS` is the file of ours that it reads first, `SHIPPED` our templates
    for it, `SHARED` the files that all shims read.
    """

    ANSWERS = False
    SHIPPED: ClassVar[str]
    SHARED: ClassVar[tuple[str, ...]] = ()
    STEPS: ClassVar[tuple[str, ...]]
    """What to do after a first installation."""

    def places(self) -> list[Path]:
        """The folders that files of ours may lie in."""
        return sorted({path.parent for path in self.shipped()})

    def shipped(self) -> dict[Path, bytes]:
        """The files that belong there."""
        found = {self.base / name: (files.TEMPLATES / name).read_bytes() for name in self.SHARED}
        for name, data in files.shipped(self.SHIPPED).items():
            found[self.base / name.removeprefix(f"{self.SHIPPED}/")] = data
        for name, data in files.shipped(_SKILLS).items():
            found[self.base / "skills" / name.removeprefix(_SKILLS)] = data
        return found

    def hooks(self) -> list[Hook]:
        """None stands in a file of somebody else's."""
        return []

    def is_installed(self) -> bool:
        """By the record of what we wrote there, or by the file that the client reads."""
        return super().is_installed() or self.settings.is_file()

    def is_trusted(self, env: Mapping[str, str]) -> bool:  # noqa: ARG002 - as of every client
        """Whether the client runs what lies in the project."""
        return True

    def first_steps(self, env: Mapping[str, str]) -> list[str]:
        """What to do in the client after a first installation."""
        where = "here" if self.memory else "in any project"
        start = f"Start {self.PROGRAM} {where} and work as always; the next session is told where you left off."
        return [start, *(() if self.is_trusted(env) else self.STEPS)]

    def elsewhere(self, project: Target, user: Target) -> Iterator[str]:
        """Where our hooks lie a second time for the same sessions, and what ends that."""
        for other, more in ((project, ""), (user, " --user")):
            if other.base != self.base and other.is_installed():
                fix = f"onward uninstall {self.OPTION}{more}"
                yield f"The hooks are also in {self.shown(other.settings)}; each call is done once. To end that: {fix}"
