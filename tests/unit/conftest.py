"""A process that the modes of files and folders apply to, whoever runs the tests."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Obeying = Callable[..., "subprocess.CompletedProcess[str]"]

_DROP = 24  # PR_CAPBSET_DROP of linux/prctl.h
_OVERRIDES = (1, 2)  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: what makes root write everywhere


def _obey() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in _OVERRIDES:
        if libc.prctl(_DROP, capability, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl")


@pytest.fixture
def obeying(tmp_path: Path) -> Obeying:
    """Runs Python with these words. As root it does so without root's power over modes, which
    another user could not do here: they may not read the interpreter.
    """
    if os.name == "nt":
        pytest.skip("modes as POSIX has them")
    as_root = os.geteuid() == 0
    if as_root and sys.platform != "linux":
        pytest.skip("root can only be held back on Linux")

    def run(*words: str, cwd: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *words],
            cwd=cwd,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            preexec_fn=_obey if as_root else None,
        )

    return run
