"""How long the program takes to start, against bare Python: `python benchmarks/start.py`.

Budget: `onward list` and `onward --help` at most 4 times `python -c pass`, start and end
of the process included, each measured in turn with the reference.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RATIO = 4.0
ROUNDS = 21


def timed(words: list[str], folder: Path) -> float:
    """Seconds of one process."""
    env = {**os.environ, "HOME": str(folder), "ONWARD_DATA": str(folder / "data")}
    start = time.perf_counter()
    subprocess.run(words, cwd=folder, env=env, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> int:
    """Measure; status 1 where a budget is not kept."""
    bare = [sys.executable, "-c", "pass"]
    program = str(Path(sys.executable).with_name("onward"))
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["git", "init", "-q", "."], cwd=folder, check=True)
        for words in (["list"], ["--help"]):
            command = [program, *words]
            pairs = [(timed(command, folder), timed(bare, folder)) for _ in range(ROUNDS)]
            ratio = statistics.median(ours / theirs for ours, theirs in pairs)
            ours = statistics.median(ours for ours, _ in pairs)
            worst = max(worst, ratio)
            shown = f"onward {' '.join(words)}"
            print(f"{shown:16}{ours * 1000:5.0f} ms, ratio {ratio:.2f} (budget: at most {RATIO})")
    return 0 if worst <= RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
