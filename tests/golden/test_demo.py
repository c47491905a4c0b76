from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).resolve().parents[2] / "tools/demo.py"


def test_the_demo_shows_what_changed_since_the_save() -> None:
    done = subprocess.run([sys.executable, DEMO], capture_output=True, text=True, check=True)
    before, after = done.stdout.split("$ onward resume")
    assert "Saved checkpoint: add-currency-option" in before
    assert "`src/tally/rates.py` is now `src/tally/exchange.py`" in after
    assert "Name the module by what it does" in after
    assert max(map(len, done.stdout.splitlines())) <= 100
