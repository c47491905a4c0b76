"""Where this call runs: the clock, the folders and the environment, read once."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from onward.errors import StorageError

if TYPE_CHECKING:
    from pathlib import Path

    from onward.commands.world import World


def data_folder() -> Path:
    """Where onward keeps its own things: `ONWARD_DATA`, else the platform's place."""
    from pathlib import Path  # noqa: PLC0415 - `list` and `--help` do without

    import platformdirs  # noqa: PLC0415 - as above

    chosen = os.environ.get("ONWARD_DATA")
    return Path(chosen) if chosen else platformdirs.user_data_path("onward", appauthor=False)


class Call:
    """What the verbs of one call share. `json` is set by the option of that name."""

    def __init__(self) -> None:
        self.json = False

    @property
    def asking(self) -> bool:
        """Whether somebody is there to answer a question."""
        return sys.stdin.isatty() and sys.stderr.isatty()

    @property
    def cwd(self) -> str:
        """The current folder. Raises StorageError where it was removed."""
        try:
            return os.getcwd()  # noqa: PTH109 - `list` does without pathlib
        except FileNotFoundError:
            raise StorageError("the current folder does not exist any more", "cd ~") from None

    @cached_property
    def world(self) -> World:
        """The surroundings as the verbs take them."""
        from pathlib import Path  # noqa: PLC0415 - `list` does without

        from onward.commands.world import World  # noqa: PLC0415 - as above

        return World(
            now=datetime.now().astimezone(),
            cwd=Path(self.cwd),
            home=Path(os.path.expanduser("~")),  # noqa: PTH111 - Path.home raises where this does not
            data=data_folder(),
            env=os.environ,
        )
