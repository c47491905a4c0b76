"""End-to-end kit: a project that cannot be written, as on a full share or a read-only checkout."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e.kit.lab import Lab

_MOUNT = """#!/bin/sh
exec unshare --mount sh -c '
  mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && cd "$1" || exit 99
  shift
  exec "$@"' sh {project} {client} "$@"
"""


@contextmanager
def unwritable(lab: Lab) -> Iterator[None]:
    """What the client and its hooks do meanwhile cannot write in the project. Modes of files do
    not stop root: for it the folder is mounted read-only, for the client alone.
    """
    client, folders = lab.client, [lab.project, *(p for p in lab.project.rglob("*") if p.is_dir())]
    modes = {folder: folder.stat().st_mode for folder in folders}
    if os.geteuid():
        for folder in folders:
            folder.chmod(0o555)
    else:
        lab.client = lab.top / "client"
        lab.client.write_text(_MOUNT.format(project=lab.project, client=client))
        lab.client.chmod(0o755)
    try:
        yield
    finally:
        lab.client = client
        for folder, mode in modes.items():
            folder.chmod(mode)
