"""Install: the launcher, by which a shell finds the Python that onward runs in.

Two lines in our folder: the interpreter and `hooks/entry.py`. A hook reads it with two `read`s,
where a console script would cost the start of all packages.
"""

from __future__ import annotations

import sys
from pathlib import Path

from onward.storage import atomic

NAME = "launcher"
_ENTRY = Path(__file__).resolve().parents[1] / "hooks" / "entry.py"


def write_launcher(data: Path) -> None:
    """Let the hooks run in this very Python. Raises StorageError."""
    words = f"{sys.executable}\n{_ENTRY}\n".encode()
    path = data / NAME
    if not path.is_file() or path.read_bytes() != words:
        atomic.write_bytes(path, words, atomic.PRIVATE)
