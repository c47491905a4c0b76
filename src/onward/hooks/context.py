"""Hooks: the project and the world of a call, as the verbs know them. Only where there is work."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from onward.errors import InputError
from onward.hooks import log
from onward.hooks.environment import Here
from onward.storage.project import Project, locate, usual

if TYPE_CHECKING:
    from onward.commands.world import World


def project(here: Here, root: str) -> Project:
    """The project at a root. Settings that cannot be read stop nothing: a line in the log."""
    try:
        return locate(Path(root), Path(root), Path(here.home))
    except InputError as error:
        log.note(here, f"settings ignored: {error.message}")
        return usual(Path(root))


def now(here: Here) -> datetime:
    """The time of the call, aware, in the user's own zone."""
    return datetime.fromtimestamp(here.now).astimezone()


def world(here: Here, root: str) -> World:
    """The surroundings of a verb that is called from a hook."""
    from onward.commands.world import World  # noqa: PLC0415 - a mere copy needs none

    return World(
        now=now(here), cwd=Path(root), home=Path(here.home), data=Path(here.data), env=here.env
    )
