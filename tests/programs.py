"""Programs that tests put in the place of others.

The path of a clone, and so of its Python, may hold blanks: no `#!` line can name that, and a shell
needs it quoted.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

PYTHON = shlex.quote(sys.executable)
"""This Python as a word of a shell's line."""


def stand_in(path: Path, *words: str) -> Path:
    """A program at `path` that starts these words, and behind them what it is given itself."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    path.chmod(0o755)
    return path
