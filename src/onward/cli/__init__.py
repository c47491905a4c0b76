"""The command line: arguments, help, exit codes, and the one place that prints."""

from __future__ import annotations

import errno
import os
import re
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

from onward import __version__, commands
from onward.cli import output, table
from onward.errors import OnwardError, StorageError
from onward.storage import machine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onward.commands.world import World
    from onward.redaction.engine import Rule

BUG = 70  # EX_SOFTWARE of sysexits.h: a fault of ours
INTERRUPTED = 130  # what a shell reports for SIGINT
PIPE_CLOSED = 141  # and for SIGPIPE


# ------------------------------------------------------------------------ where a call runs


def fixed_clock() -> int | None:
    """Seconds since 1970 that `SOURCE_DATE_EPOCH` (reproducible-builds.org) sets the clock to."""
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

        fixed, here = fixed_clock(), datetime.now().astimezone()
        return World(
            now=here if fixed is None else datetime.fromtimestamp(fixed, UTC),
            cwd=Path(self.cwd),
            home=Path(os.path.expanduser("~")),  # noqa: PTH111 - Path.home raises where this does not
            data=Path(self.data),
            env=os.environ,
            rules=self.rules,
        )


# ------------------------------------------------------------------------ one call


def run() -> NoReturn:
    """Run the words of the command line and end the process."""
    if sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode and os.name != "nt":
        # A locale that is not UTF-8 would read the names of files as other names than the
        # transcripts have, and Python takes its encoding once, at the start.
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - itself
    sys.exit(main(sys.argv[1:]))


def main(args: Sequence[str]) -> int:
    """Run one call and return its exit code; whatever goes wrong is told on stderr."""
    output.prepare()
    try:
        return _answer(list(args))
    except KeyboardInterrupt:
        output.note("")
        return INTERRUPTED
    except BrokenPipeError:
        output.silence()  # the reader has gone
        return PIPE_CLOSED
    except OnwardError as error:
        output.fail(error.message, error.hint)
        return error.exit_code
    except OSError as error:
        if error.errno == errno.ENOSPC and not error.filename:
            output.silence()  # a page of click's own
        where = error.filename or "standard output"
        output.fail(f"{error.strerror or 'the system refused'}: {where}", f"ls -ld {where}")
        return StorageError.exit_code
    except Exception as error:  # noqa: BLE001 - the boundary: one of the two in the program
        return _report(error)


def _answer(args: list[str]) -> int:
    """The calls that must be quick are answered before click is imported."""
    shared = Call()
    if "_ONWARD_COMPLETE" not in os.environ:
        if args in (["-h"], ["--help"]):
            return output.say(table.page())
        if args[:1] == ["hook"]:
            serve_hook(args[1:])
        if args == ["mcp"]:
            from onward.cli import mcp  # noqa: PLC0415 - the others do without

            return mcp.serve(sys.stdin.buffer, sys.stdout.buffer)
        if not args:
            from onward.cli import bare  # noqa: PLC0415 - the others do without

            return bare.answer(shared)
        if args == ["list"]:
            found = commands.listing.list_checkpoints(
                shared.cwd, shared.seconds, lambda: shared.world, shared.width, data=shared.data
            )
            return output.emit(found, as_json=False)
    from onward.cli import app  # noqa: PLC0415 - dear

    return app.call(args, shared)


def serve_hook(words: Sequence[str]) -> NoReturn:
    """`onward hook`: AGENT EVENT [PID], where no shim starts Python. Always ends with status 0."""
    from pathlib import Path  # noqa: PLC0415 - the others do without

    from onward.clients.files import write_launcher  # noqa: PLC0415 - as above
    from onward.hooks import entry  # noqa: PLC0415 - as above
    from onward.hooks.environment import Here  # noqa: PLC0415 - as above

    here = Here(os.environ)
    with suppress(OnwardError):
        if here.ready():
            write_launcher(Path(here.data))
    entry.main(list(words))
    raise SystemExit


def _report(error: Exception) -> int:
    """Add a fault to the log, without the exception's message: it may quote a transcript."""
    import platform  # noqa: PLC0415 - only a fault pays for it
    import traceback  # noqa: PLC0415 - as above
    from pathlib import Path  # noqa: PLC0415 - as above

    from onward.storage import atomic  # noqa: PLC0415 - as above

    folder = Path(Call().data)
    frames = "".join(
        f"  {os.path.basename(f.filename)}:{f.lineno} {f.name}\n"  # noqa: PTH119 - `list` does without pathlib
        for f in traceback.extract_tb(error.__traceback__)
    )
    verb = next((word for word in sys.argv[1:2] if word in table.SUMMARIES), "")
    text = (
        f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} onward {__version__}, Python "
        f"{platform.python_version()}, {platform.system()}, verb {verb!r}\n"
        f"{frames}  {type(error).__qualname__}\n"
    )
    where = str(folder / "onward.log")
    try:
        atomic.append_bytes(
            Path(where), text.rstrip("\n").encode("utf-8", "replace"), atomic.PRIVATE
        )
    except OnwardError as refused:
        where = f"no file ({refused.message})"
    output.fail(f"a fault in onward ({type(error).__name__}); the report is in {where}")
    return BUG
