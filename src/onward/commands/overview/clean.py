"""Short texts of this moment (paths, branches) made clean, mostly without the rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from onward.commands.plain import is_plain
from onward.commands.result import compose
from onward.commands.world import World
from onward.errors import OnwardError
from onward.model import Clean
from onward.storage import project


class Cleaner:
    """Cleans as the project at a root asks for; the rules are loaded where a text calls for them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._set: dict[Path, bool] = {}

    def each(self, texts: Sequence[str], root: Path) -> tuple[Clean, ...]:
        """Each of the texts, in one line."""
        if not self._is_set(root) and all(map(is_plain, texts)):
            return tuple(map(compose, texts))
        single = [" ".join(text.splitlines()) for text in texts]
        lines = self._redacted("\n".join(single), root).split("\n")
        if len(lines) == len(single):
            return tuple(map(compose, lines))
        # A rule that reaches over lines: they are too few to be told apart.
        return tuple(self._redacted(text, root) for text in single)

    def text(self, text: str, root: Path) -> Clean:
        """One text."""
        return self.each([text], root)[0]

    def path(self, path: Path, root: Path) -> Clean:
        """A path, with `~` for the home folder."""
        home = self._world.home
        if home.parent != home and path.is_relative_to(home):
            inner = path.relative_to(home).as_posix()
            return compose("~" if inner == "." else f"~/{self.text(inner, root)}")
        whole = str(path)
        if whole.startswith("/") and not self._is_set(root) and is_plain(whole[1:]):
            return compose(whole)
        return self.text(whole, root)

    def _is_set(self, root: Path) -> bool:
        """Whether the project asks for more than the usual rules."""
        if root not in self._set:
            try:
                self._set[root] = project.redaction(root) != project.Redaction()
            except OnwardError:
                self._set[root] = True
        return self._set[root]

    def _redacted(self, text: str, root: Path) -> Clean:
        from onward.commands import workspace  # noqa: PLC0415 - a tenth of a second

        where = root if root.is_dir() else self._world.home
        try:
            return workspace.redactor(replace(self._world, cwd=where), keep=False).text(text)
        except OnwardError:  # without its rules nothing of a project is told
            return compose(*("…" for _ in text.split("\n")))
