"""What a command of onward needs where a hook calls it: the packages, the project, the world."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from onward.errors import InputError
from onward.hooks.environment import Here
from onward.storage.project import Project, locate, usual

if TYPE_CHECKING:
    from onward.commands.world import World


_EXTENSIONS = "typing_extensions"


def find_packages() -> None:
    """Make installed packages importable, as a Python started without `-S` has them.

    Installed as usual they lie beside onward and are found without this; they do not in a work
    tree of onward itself, nor where a system keeps them in several folders.

    msgspec is imported without `typing_extensions`: it asks there first for what `typing` has since
    Python 3.11, and the import takes nearly as long as a start of Python.
    """
    if sys.flags.no_site and "site" not in sys.modules:
        import site  # noqa: PLC0415 - what `-S` spares most calls

        site.main()
    if _EXTENSIONS in sys.modules:
        return
    sys.modules[_EXTENSIONS] = None  # type: ignore[assignment] # as if it were not installed
    try:
        import msgspec  # noqa: F401, PLC0415 - see above
    finally:
        del sys.modules[_EXTENSIONS]


def project(here: Here, root: str) -> Project:
    """The project at a root. Settings that cannot be read stop nothing: a line in the log."""
    try:
        return locate(Path(root), Path(root), Path(here.home))
    except InputError as error:
        here.note("settings ignored", error)
        return usual(Path(root))


def now(here: Here) -> datetime:
    """The time of the call, aware, in the user's own zone."""
    return datetime.fromtimestamp(here.now).astimezone()


def verb(here: Here, root: str) -> World:
    """What a verb is called with, its packages found."""
    find_packages()
    return world(here, root)


def world(here: Here, root: str) -> World:
    """The surroundings of a verb that is called from a hook."""
    from onward.commands.world import World  # noqa: PLC0415 - a mere copy needs none

    return World(
        now=now(here),
        cwd=Path(root),
        home=Path(here.home),
        data=Path(here.data),
        env=here.env,
        known=project(here, root),
    )
