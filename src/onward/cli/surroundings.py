"""Where this call runs: the clock, the folders and the environment, read once."""

from __future__ import annotations

import os
import re
import sys
import time
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from onward.errors import StorageError
from onward.storage import machine

if TYPE_CHECKING:
    from pathlib import Path

    from onward.commands.world import World
    from onward.redaction.engine import Rule


def data_folder() -> Path:
    """Where onward keeps its own things: `ONWARD_DATA`, else the platform's place."""
    from pathlib import Path  # noqa: PLC0415 - `list` and `--help` do without

    return Path(Call().data)


def fixed_clock() -> int | None:
    """Seconds since 1970 that `SOURCE_DATE_EPOCH` sets the clock to, so that what is printed
    can be reproduced (https://reproducible-builds.org/specs/source-date-epoch); None without it.
    """
    chosen = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(chosen) if re.fullmatch("[0-9]{1,10}", chosen) else None


class Call:
    """What the verbs of one call share. `json` and `rules` are set by the options of that name."""

    def __init__(self) -> None:
        self.json = False
        self.rules: tuple[Rule, ...] = ()

    @property
    def asking(self) -> bool:
        """Whether somebody is there to answer a question."""
        return sys.stdin.isatty() and sys.stderr.isatty()

    @property
    def seconds(self) -> float:
        """The time now, in seconds since 1970."""
        fixed = fixed_clock()
        return time.time() if fixed is None else float(fixed)

    @property
    def width(self) -> int | None:
        """Columns of the terminal that stdout is; None where it is none."""
        try:
            return os.get_terminal_size(sys.stdout.fileno()).columns
        except (OSError, ValueError):  # no terminal, or a stream without a descriptor
            return None

    @property
    def cwd(self) -> str:
        """The current folder. Raises StorageError where it was removed."""
        try:
            return os.getcwd()  # noqa: PTH109 - `list` does without pathlib
        except FileNotFoundError:
            raise StorageError("the current folder does not exist any more", "cd ~") from None

    @property
    def data(self) -> str:
        """Onward's folder, found without what makes `list` slow."""
        return machine.data_folder(os.environ, os.path.expanduser("~"))  # noqa: PTH111 - Path.home raises where this does not

    @cached_property
    def world(self) -> World:
        """The surroundings as the verbs take them."""
        from pathlib import Path  # noqa: PLC0415 - `list` does without

        from onward.commands.world import World  # noqa: PLC0415 - as above

        fixed = fixed_clock()
        return World(
            now=datetime.now().astimezone()
            if fixed is None
            else datetime.fromtimestamp(fixed, UTC),
            cwd=Path(self.cwd),
            home=Path(os.path.expanduser("~")),  # noqa: PTH111 - Path.home raises where this does not
            data=data_folder(),
            env=os.environ,
            rules=self.rules,
        )
