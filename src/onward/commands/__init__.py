"""The verbs: they join files, git and the clock to the core and return a `Result`.

None of them prints, asks or reads the clock or the environment; a `World` brings those in.
A module is imported when it is first used: `commands.save.save(world, wish)`. Those of them that must
start quickly name what is dear in this way too.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    # isort: off
    from onward.commands import (  # noqa: F401 - their types, where they are used by that name
        backup, check, distill, document, go, listing, opening, overview, push, result, resume, save,
        scrub, search, search_files, search_page, sessions, setup, shared, show, slash, source, thread,
        view,
    )  # fmt: skip


def __getattr__(name: str) -> "ModuleType":
    module = f"{__name__}.{name}"
    try:
        __import__(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise AttributeError(f"{__name__} has no {name!r}") from None
    return sys.modules[module]
