"""How long a search takes, against `rg` over the same files: `python benchmarks/search.py [FOLDER]`.

Budget: at most 2 times `rg`, each call measured in turn with the reference, start and end of the
process included, over a gigabyte: where a search has no index, it is up to there that it must do
without. FOLDER is one of real transcripts (`*.jsonl`, below `claude-code/` and `codex/`), which are
linked into a home of their own as often as it takes; without one, sessions are made up.

Where ripgrep is missing (Debian: `apt install ripgrep`), `grep -F -i` stands in, and that is said.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

RATIO = 2.0
ROUNDS = 7
SIZE = 1_000_000_000  # bytes that are looked through
QUERIES = (("kerning",), ("redaction",), ("git push", "conflict"), ("配置",), ("naïve",))
MADE = 200  # records of a made-up session
PROSE = "We looked at the queue, ran the checks again, and found the second worker idle. " * 12


def made(folder: Path) -> list[Path]:
    """Sessions nobody had, one of them about kerning."""
    files = []
    for number in range(40):
        path = folder / f"{number:08x}-0000-4000-8000-000000000000.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for line in range(MADE):
                said = "Fix the kerning" if number == line == 7 else PROSE
                record = {
                    "type": "user",
                    "sessionId": path.stem,
                    "uuid": f"{number}-{line}",
                    "timestamp": "2026-03-01T13:00:00.000Z",
                    "cwd": "/work/shop",
                    "message": {"role": "user", "content": said},
                }
                file.write(json.dumps(record) + "\n")
        files.append(path)
    return files


def at_home(home: Path, files: Iterable[Path]) -> int:
    """Link the files into a home, over and over, until there are enough; returns the bytes."""
    size, copies = 0, 0
    sources = [(path, path.stat().st_size, session(path)) for path in files]
    while size < SIZE:
        for path, bytes_, id_ in sources:
            name = id_ if not copies else f"{copies:08x}{id_[8:]}"
            target = home / f".claude/projects/-copy{copies}/{name}.jsonl"
            if "codex" in path.parts:
                target = home / f".codex/sessions/{copies}/rollout-2026-03-01T00-00-00-{name}.jsonl"
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                copy(path, target, copies)
                size += bytes_
        copies += 1
    return size


def copy(path: Path, target: Path, number: int) -> None:
    """A file of its own, with sessions of its own: what says the same is shown once."""
    data = path.read_bytes()
    if number:
        data = re.sub(rb'("(?:sessionId|id)": ?")[0-9a-f]{8}-', rb"\g<1>%08x-" % number, data)
    target.write_bytes(data)


def session(path: Path) -> str:
    """The id that a file's first records name."""
    found = re.search(rb'"(?:sessionId|id)": ?"([0-9a-f-]{36})"', path.read_bytes()[:400_000])
    return found[1].decode() if found else path.stem[-8:]


def timed(words: list[str], home: Path) -> tuple[float, float]:
    """Seconds on the clock and of the processor, of one process; what it prints is not shown."""
    env = {**os.environ, "HOME": str(home), "ONWARD_DATA": str(home / "data")}
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        env.pop(name, None)
    before = used()
    start = time.perf_counter()
    subprocess.run(words, cwd=home, env=env, check=False, capture_output=True)
    return time.perf_counter() - start, used() - before


def used() -> float:
    """Seconds of the processor that ended children took."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def reference(home: Path) -> Iterator[list[str]]:
    """The command that finds the raw lines of each query's first words."""
    rg = shutil.which("rg")
    if rg is None:
        print("ripgrep is not installed: `grep -F -i` in its place")
    for first, *_ in QUERIES:
        find = [rg, "-i", "-F", "-uu", first] if rg else ["grep", "-r", "-F", "-i", first]
        yield [*find, str(home)]


def main() -> int:
    """Measure; status 1 where the budget is not kept."""
    program = str(Path(sys.executable).with_name("onward"))
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        given = [Path(word) for word in sys.argv[1:]]
        (home / "made").mkdir(parents=True)
        files = [path for top in given for path in sorted(top.rglob("*.jsonl"))]
        files = [path for path in files if path.parent.name in {"claude-code", "codex"}]
        size = at_home(home, files or made(home / "made"))
        shutil.rmtree(home / "made")
        print(f"{size / 1e6:.0f} MB; ratio on the clock (of the processor)")
        for query, words in zip(QUERIES, reference(home), strict=True):
            command = [program, "search", *query]
            pairs = [(timed(command, home), timed(words, home)) for _ in range(ROUNDS)]
            clock, cpu = (
                statistics.median(ours[n] / theirs[n] for ours, theirs in pairs) for n in (0, 1)
            )
            ours, theirs = (statistics.median(pair[n][0] for pair in pairs) for n in (0, 1))
            worst = max(worst, clock)
            print(
                f"{' '.join(query):20} {ours * 1000:6.0f} ms, {Path(words[0]).name} "
                f"{theirs * 1000:5.0f} ms, ratio {clock:.2f} ({cpu:.2f})"
            )
    print(f"worst ratio {worst:.2f} (budget: at most {RATIO})")
    return 0 if worst <= RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
