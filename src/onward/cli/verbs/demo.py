"""`onward demo`: the main job on the bundled sample, in a temporary home; the docs and tests use it too.

    with Scratch() as scratch:
        print(scratch.run("onward save add-currency-option"))

The session is the bundled sample, or one of `tests/golden/sessions`. Every run of it prints the same:
the clock, the dates of commits and files, and the names of places as the program shows them (`~`) are
fixed.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from importlib.resources import as_file, files
from pathlib import Path, PurePosixPath

import click

from onward.cli import output
from onward.errors import NotFoundError
from onward.transcripts.registry import AGENTS

RECORDED_HOME = "/home/ada"  # as the sample's records have it
INHERITED = ("PATH", "SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP")
NIGHT = datetime(2026, 3, 3, 9, 40, tzinfo=UTC)  # a few minutes after the sample's last record
_WIDTH = 96
_FIRST = 14  # lines of `distill`, which prints a hundred


class Scratch(AbstractContextManager["Scratch"]):
    """A home, a git work tree below it (`project`) and the session that was held there.

    `kept` is the folder of the session, by default the sample's. `now` is the time that programs
    see; `pass_time` moves it on. `session` is the session's id, `transcript` its file.
    """

    def __init__(self, now: datetime = NIGHT, kept: Path | None = None) -> None:
        self.now = now
        self.top = Path(tempfile.mkdtemp(prefix="onward-")).resolve()
        self.home = self.top / "home" / "ada"
        self.env = {name: os.environ[name] for name in INHERITED if name in os.environ} | {
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "USER": "ada",
            "ONWARD_DATA": str(self.home / ".local" / "share" / "onward"),
            AGENTS[0].HOME[0]: str(self.home / AGENTS[0].HOME[1]),
            "GIT_CONFIG_NOSYSTEM": "1",
            "NO_COLOR": "1",
            "PYTHONUTF8": "1",
            "COLUMNS": "100",
        }
        with as_file(files("onward") / "samples" / "tally") as sample:
            self.project, self.session, self.transcript = self._session(kept or sample)
            self._repository(kept or sample)
        self._date_files()

    def __exit__(self, *exc: object) -> None:
        shutil.rmtree(self.top, ignore_errors=True)

    def run(self, line: str, *, code: int = 0) -> str:
        """Run one command line in the project; what it printed on both streams.

        `onward` is this very program, at the scratch's time. Raises RuntimeError for
        another exit code than `code`.
        """
        words = shlex.split(line)
        if words[0] == "onward":
            words = [sys.executable, "-m", "onward", *words[1:]]
        return self._call(words, code=code)

    def write(self, name: str, text: str) -> None:
        """Write a file of the project."""
        (self.project / name).write_text(text, encoding="utf-8", newline="\n")
        self._date_files()

    def read(self, name: str) -> str:
        """A file of the project."""
        return (self.project / name).read_text("utf-8")

    def pass_time(self, **by: int) -> None:
        """Let `days=`, `hours=` or `minutes=` go by."""
        self.now += timedelta(**by)

    def _session(self, kept: Path) -> tuple[Path, str, Path]:
        """Lay the transcripts where the client has them, with this home in their records."""
        main = kept / "session.jsonl"
        records = [json.loads(line) for line in main.read_text("utf-8").splitlines()]
        folder = next(record["cwd"] for record in records if "cwd" in record)
        session = str(records[0]["sessionId"])
        place = self.home / AGENTS[0].HOME[1] / "projects" / re.sub(r"[^A-Za-z0-9]", "-", folder)
        for path in (main, *kept.glob("session/subagents/*.jsonl")):
            name = path.relative_to(kept).as_posix().replace("session", session, 1)
            text = path.read_text("utf-8").replace(RECORDED_HOME, self.home.as_posix())
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text, encoding="utf-8", newline="\n")
        project = self.home / PurePosixPath(folder).relative_to(RECORDED_HOME)
        return project, session, place / f"{session}.jsonl"

    def _repository(self, kept: Path) -> None:
        """Make the repository anew: the same commits, branch and uncommitted changes."""
        self.project.mkdir(parents=True)
        (self.home / ".gitconfig").write_text(
            "[user]\nname = Ada Moreno\nemail = ada@example.com\n"
            "[init]\ndefaultBranch = main\n[core]\nautocrlf = false\n",
            encoding="utf-8",
        )
        self._call(["git", "init", "--quiet"])
        stream = (kept / "repository.export").read_bytes()
        self._call(["git", "fast-import", "--quiet"], feed=stream)
        head = (kept / "repository.head").read_text("utf-8").strip()
        self._call(["git", "symbolic-ref", "HEAD", head])
        self._call(["git", "reset", "--quiet", "--hard"])
        if changes := (kept / "repository.patch").read_bytes():
            self._call(["git", "apply", "-"], feed=changes)

    def _call(self, words: list[str], *, code: int = 0, feed: bytes = b"") -> str:
        date = self.now.isoformat()
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        env = {**self.env, **dates, "SOURCE_DATE_EPOCH": str(int(self.now.timestamp()))}
        done = subprocess.run(
            words, cwd=self.project, env=env, input=feed, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self._date_files()
        text = done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")
        if done.returncode != code:
            raise RuntimeError(f"{shlex.join(words)} ended with {done.returncode}:\n{text}")
        return text

    def _date_files(self) -> None:
        """What was written just now was written at the scratch's time."""
        stamp = self.now.timestamp()
        for folder, inner, names in os.walk(self.home):
            inner[:] = [name for name in inner if name != ".git"]
            for name in names:
                path = Path(folder, name)
                if path.stat().st_mtime > stamp:
                    os.utime(path, (stamp, stamp))


@click.command("demo")
def command() -> int:
    """Show save and resume on a bundled sample session.

    Runs onward and git in a temporary home, which is removed afterwards. Your own sessions and
    files are neither read nor changed.
    """
    if shutil.which("git") is None:
        raise NotFoundError("the demo needs git, which was not found", "install git")
    with Scratch() as scratch:
        _say("A session was held in ~/tally. It stopped in the middle, with a failing test.")
        _show(scratch, "onward sessions")
        _show(scratch, f"onward distill {scratch.session[:8]}", first=_FIRST)
        _show(scratch, "onward save add-currency-option")
        _show(scratch, "onward list")

        _say("Two days later Ben renames a module, and somebody edits a line.")
        scratch.pass_time(days=2)
        for line in rename(scratch):
            _command(line)
        scratch.pass_time(days=1)
        output.say("\n")
        _say("The next morning, in a fresh session:")
        _show(scratch, "onward resume add-currency-option --yes")
    return 0


def rename(scratch: Scratch) -> list[str]:
    """Change the repository after the save; the commands as a user would type them."""
    lines = [
        "git mv src/tally/rates.py src/tally/exchange.py",
        "git commit -m 'Name the module by what it does' --author 'Ben Okafor <ben@example.com>'",
    ]
    for line in lines:
        scratch.run(line)
    cli = scratch.read("src/tally/cli.py")
    scratch.write("src/tally/cli.py", cli.replace("{category:<12}", "{category:<14}"))
    return [*lines, "sed -i 's/category:<12/category:<14/' src/tally/cli.py"]


def _show(scratch: Scratch, line: str, first: int = sys.maxsize) -> None:
    """Print a command and its output, of that the first lines."""
    _command(line)
    out = scratch.run(line).rstrip("\n").split("\n")
    for each in out[:first]:
        output.say("\n".join(textwrap.wrap(each, _WIDTH, subsequent_indent=" " * 4)) or "\n")
    output.say(f"... and {len(out) - first} more lines\n\n" if out[first:] else "\n")


def _command(line: str) -> None:
    output.say(f"{_styled('$', fg='green', bold=True)} {_styled(line, bold=True)}")


def _say(text: str) -> None:
    output.say(f"{_styled(f'# {text}', fg='cyan')}\n\n")


def _styled(text: str, *, fg: str | None = None, bold: bool | None = None) -> str:
    return click.style(text, fg=fg, bold=bold) if output.colourful(sys.stdout) else text
