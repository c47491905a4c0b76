"""How long a 3 MB transcript takes from bytes to briefing, and the memory of 1 GB:
`python benchmarks/brief.py [FILE]`. Without a file, a transcript of our own making is taken.

Budgets: distil, redact and brief within 15 times the time of merely decoding the same lines
(150 ms on a machine that decodes 3 MB in 10 ms; a faster decoder makes it stricter); 1 GB
within 150 MB of memory.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from read import MEMORY_MB, grown, made, merely_decode, timed

from onward.briefing import brief
from onward.commands.opening import open_transcript
from onward.record import record
from onward.redaction import Redactor, Secrets

RATIO = 15.0
ROUNDS = 9
MEGABYTES = 3.0


def whole(path: Path) -> None:
    """Everything that `onward brief FILE --no-drift` does but the start of the process."""
    redactor = Redactor(b"a key for the benchmark")
    _, events = open_transcript(path, Secrets(redactor))
    brief(redactor.draft(record(events)), None)


def cut(path: Path, target: Path) -> Path:
    """The first 3 MB, in whole lines."""
    size = 0
    with path.open("rb") as source, target.open("wb") as out:
        for line in source:
            size += out.write(line)
            if size >= MEGABYTES * 1e6:
                break
    return target


def main(paths: list[Path]) -> int:
    """Measure; status 1 where a budget is not kept."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = paths[0] if paths else made(folder / "made.jsonl")
        path = cut(source, folder / "cut.jsonl")
        whole(path)  # compiled rules are kept, as in a process that went on
        pairs = [(timed(whole, [path]), timed(merely_decode, [path])) for _ in range(ROUNDS)]
        ratio = statistics.median(ours / theirs for ours, theirs in pairs)
        ours = statistics.median(ours for ours, _ in pairs)
        size = path.stat().st_size / 1e6
        print(
            f"{size:.1f} MB   {ours * 1000:5.0f} ms, {ratio:.1f} times decoding (budget: at most {RATIO})"
        )
        start = time.perf_counter()
        child = [sys.executable, __file__, "--child", str(grown(path, folder))]
        subprocess.run(child, check=True)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        peak_mb = peak / (1e6 if sys.platform == "darwin" else 1e3)
        seconds = time.perf_counter() - start
        print(
            f"1 GB     {peak_mb:5.0f} MB peak RSS, {seconds:.0f} s (budget: at most {MEMORY_MB} MB)"
        )
    return 0 if ratio <= RATIO and peak_mb <= MEMORY_MB else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        whole(Path(sys.argv[2]))
    else:
        sys.exit(main([Path(word) for word in sys.argv[1:]]))
