"""Drift in a repository of 10,000 files against one `git status` in the same run.

Budget: observe and compare take at most twice as long as `git status`. Prints one line of
JSON; leaves with 1 where the budget is broken.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from onward.drift import compare
from onward.model import Draft, FileFact, Item
from onward.repo.files import stamp
from onward.repo.observing import observe

FILES = 10_000
RECORDED = 40
ROUNDS = 15
BUDGET = 2.0


def git(folder: Path, *words: str) -> None:
    """One call of git that has to succeed."""
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def write(folder: Path, number: int, text: str) -> str:
    """One of the files, twenty lines long."""
    name = f"src/part{number // 100}/module{number}.py"
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text * 20, encoding="utf-8")
    return name


def commit(folder: Path, subject: str) -> None:
    """Everything there is, as one commit."""
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "-m", subject)


def prepare(folder: Path) -> Draft:
    """A repository with work saved in it, and twenty commits since."""
    git(folder, "init", "-q")
    git(folder, "config", "gc.auto", "0")  # it would go on in the background
    names = [write(folder, number, f"value = {number}\n") for number in range(FILES)]
    commit(folder, "Begin")
    facts = tuple(FileFact(path=name) for name in names[:: FILES // RECORDED])
    saved = stamp(Draft(task=Item(text="measure"), files=facts), folder)
    for number in range(0, 10_000, 500):
        write(folder, number, f"value = -{number}\n")
        commit(folder, f"Step {number}")
    (folder / names[4750]).rename(folder / "src" / "moved.py")
    commit(folder, "Move one")
    (folder / names[5250]).unlink()
    write(folder, 750, "not = 'committed'\n")
    write(folder, FILES, "new = 1\n")
    git(folder, "repack", "-a", "-d", "-q")
    return saved


def seconds(work: Callable[[], object]) -> float:
    """How long the work took."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> int:
    """Medians of interleaved rounds, and their ratio."""
    os.environ |= {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org"}
    os.environ |= {"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org"}
    os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        saved = prepare(folder)
        plain, drift = [], []
        for _ in range(ROUNDS):
            plain.append(seconds(lambda: git(folder, "status")))
            drift.append(seconds(lambda: compare(saved, observe(saved, folder))))
    reference, ours = statistics.median(plain), statistics.median(drift)
    result = {
        "name": "drift in 10,000 files / git status",
        "reference_ms": round(reference * 1000, 1),
        "ours_ms": round(ours * 1000, 1),
        "ratio": round(ours / reference, 2),
        "budget": BUDGET,
    }
    print(json.dumps(result))
    return int(ours > BUDGET * reference)


if __name__ == "__main__":
    sys.exit(main())
