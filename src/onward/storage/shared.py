"""Where a project's shared records lie on this machine, told quickly: `list` looks each time."""
# The standard library's comfort (pathlib, hashlib) costs as much as a start of Python.
# ruff: noqa: PTH118, PTH119

from __future__ import annotations

import os
import re

FOLDER = "share"
"""In the data folder."""
_SLUG = 30  # characters of the project's name in that of its folder


def stem(data: str, root: str) -> str:
    """The path, without an ending, of what is shared of the project at `root`: `.git` behind it
    is our repository, `.json` what was pulled.
    """
    try:
        from _blake2 import blake2b  # noqa: PLC0415 - hashlib loads OpenSSL, for 3 ms
    except ImportError:  # another Python, or another release of it
        from hashlib import blake2b  # noqa: PLC0415 - as above
    root = os.path.normcase(os.path.realpath(root))
    digits = blake2b(os.fsencode(root), digest_size=8).hexdigest()
    name = re.sub(r"[^A-Za-z0-9]+", "-", os.path.basename(root)).strip("-")[:_SLUG]
    return os.path.join(data, FOLDER, f"{name or 'project'}-{digits}")
