"""Every benchmark in turn: `python benchmarks/run.py`. Status 1 where a budget is not kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    """Run each as its own process, so that none warms another."""
    failed = []
    names = (
        "start",
        "hooks",
        "read",
        "brief",
        "drift",
        "overview",
        "search",
        "redaction",
        "shapes",
        "share",
    )
    for name in names:
        print(f"== {name}", flush=True)
        if subprocess.run([sys.executable, str(HERE / f"{name}.py")], check=False).returncode:
            failed.append(name)
    if failed:
        print(f"over budget: {', '.join(failed)}", file=sys.stderr)
    return len(failed) and 1


if __name__ == "__main__":
    sys.exit(main())
