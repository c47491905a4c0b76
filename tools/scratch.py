"""A scratch home with the bundled sample in it, as the session left it; for demo and docs.

    with Scratch() as scratch:
        print(scratch.run("onward save add-currency-option"))

Every run of it prints the same: the clock, the dates of commits and files, and the names of
places as the program shows them (`~`) are fixed.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from importlib.resources import as_file, files
from pathlib import Path

AT_TIME = Path(__file__).with_name("at_time.py")
RECORDED_HOME = "/home/ada"  # as the sample's records have it
NIGHT = datetime(2026, 3, 3, 9, 40, tzinfo=UTC)  # a few minutes after the sample's last record


class Scratch:
    """A home, a git work tree `~/tally` and the session that was held in it.

    `now` is the time that programs see; `pass_time` moves it on. `session` is the session's id.
    """

    def __init__(self, now: datetime = NIGHT) -> None:
        self.now = now
        self.top = Path(tempfile.mkdtemp(prefix="onward-")).resolve()
        self.home = self.top / "home" / "ada"
        self.project = self.home / "tally"
        kept = ("PATH", "SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP")
        self.env = {name: os.environ[name] for name in kept if name in os.environ} | {
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "USER": "ada",
            "ONWARD_DATA": str(self.home / ".local" / "share" / "onward"),
            "CLAUDE_CONFIG_DIR": str(self.home / ".claude"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "NO_COLOR": "1",
            "PYTHONUTF8": "1",
            "COLUMNS": "100",
        }
        with as_file(files("onward") / "samples" / "tally") as sample:
            self._build(sample)

    def __enter__(self) -> Scratch:
        return self

    def __exit__(self, *exc: object) -> None:
        shutil.rmtree(self.top, ignore_errors=True)

    def run(self, line: str, *, code: int = 0) -> str:
        """Run one command line in the project; what it printed on both streams.

        `onward` is the program of this checkout, at the scratch's time. Raises RuntimeError for
        another exit code than `code`.
        """
        words = shlex.split(line)
        if words[0] == "onward":
            words = [sys.executable, str(AT_TIME), self.now.isoformat(), *words[1:]]
        return self._call(words, code=code)

    def write(self, name: str, text: str) -> None:
        """Write a file of the project."""
        (self.project / name).write_text(text, encoding="utf-8", newline="\n")
        self._date_files()

    def read(self, name: str) -> str:
        """A file of the project."""
        return (self.project / name).read_text("utf-8")

    def commit(self, subject: str, author: str, *paths: str) -> None:
        """Commit these paths in somebody's name."""
        self._call(["git", "add", "--", *paths])
        self._call(["git", "commit", "--quiet", "-m", subject, "--author", author, "--", *paths])

    def pass_time(self, **by: int) -> None:
        """Let `days=`, `hours=` or `minutes=` go by."""
        self.now += timedelta(**by)

    def _build(self, sample: Path) -> None:
        self.project.mkdir(parents=True)
        (self.home / ".gitconfig").write_text(
            "[user]\nname = Ada Moreno\nemail = ada@example.com\n"
            "[init]\ndefaultBranch = main\n[core]\nautocrlf = false\n"
        )
        # Before the files are there: git would take those it wrote itself for changed ones.
        self._call(["git", "init", "--quiet"])
        stream = (sample / "repository.export").read_bytes()
        self._call(["git", "fast-import", "--quiet"], feed=stream)
        head = (sample / "repository.head").read_text().strip()
        self._call(["git", "symbolic-ref", "HEAD", head])
        self._call(["git", "reset", "--quiet", "--hard"])
        self._call(["git", "apply", "-"], feed=(sample / "repository.patch").read_bytes())
        session = (sample / "session.jsonl").read_text("utf-8")
        self.session = str(json.loads(session[: session.index("\n")])["sessionId"])
        place = self.home / f".claude/projects/tally/{self.session}.jsonl"
        place.parent.mkdir(parents=True)
        place.write_text(
            session.replace(RECORDED_HOME, self.home.as_posix()), encoding="utf-8", newline="\n"
        )
        self._date_files()

    def _call(self, words: list[str], *, code: int = 0, feed: bytes = b"") -> str:
        date = self.now.isoformat()
        done = subprocess.run(
            words,
            cwd=self.project,
            env={**self.env, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date},
            input=feed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
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
