"""How long the program takes to start, against bare Python: `python benchmarks/start.py`.

Budget: `onward list` and `onward --help` at most 4 times `python -c pass`, `onward mcp` up to its
first answer at most 3 times; start and end of the process included, each measured in turn with
the reference.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUDGETS = {"list": 4.0, "--help": 4.0, "mcp": 3.0}
HELLO = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n'
ROUNDS = 21


def timed(words: list[str], folder: Path) -> float:
    """Seconds of one process."""
    env = {**os.environ, "HOME": str(folder), "ONWARD_DATA": str(folder / "data")}
    start = time.perf_counter()
    subprocess.run(words, cwd=folder, env=env, check=True, capture_output=True, input=HELLO)
    return time.perf_counter() - start


def main() -> int:
    """Measure; status 1 where a budget is not kept."""
    bare = [sys.executable, "-c", "pass"]
    program = str(Path(sys.executable).with_name("onward"))
    is_over = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["git", "init", "-q", "."], cwd=folder, check=True)
        for word, budget in BUDGETS.items():
            command = [program, word]
            pairs = [(timed(command, folder), timed(bare, folder)) for _ in range(ROUNDS)]
            ratio = statistics.median(ours / theirs for ours, theirs in pairs)
            ours = statistics.median(ours for ours, _ in pairs)
            is_over |= ratio > budget
            shown = f"onward {word}"
            print(f"{shown:16}{ours * 1000:5.0f} ms, ratio {ratio:.2f} (budget: at most {budget})")
    return 1 if is_over else 0


if __name__ == "__main__":
    sys.exit(main())
