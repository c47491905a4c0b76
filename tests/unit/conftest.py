"""A process that the modes of files and folders apply to, whoever runs the tests."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Maria",
    "GIT_AUTHOR_EMAIL": "maria@example.org",
    "GIT_COMMITTER_NAME": "Maria",
    "GIT_COMMITTER_EMAIL": "maria@example.org",
}
"""Git without the settings of whoever runs the tests, and with an author."""


@pytest.fixture(scope="session")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one commit, to be copied: that starts no process."""
    root = tmp_path_factory.mktemp("committed") / "shop"
    for name, text in (
        ("src/auth.py", "def login(user):\n    return token(user)\n"),
        ("tests/test_auth.py", "def test_login():\n    assert False\n"),
    ):
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text)
    git("init", "-q", "-b", "main", "--template=", at=root)
    git("add", "-A", at=root)
    git("commit", "-qm", "Start", at=root)
    furnish(root / ".git")
    return root


@pytest.fixture(scope="session")
def initialised(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository without a commit, to be copied."""
    root = tmp_path_factory.mktemp("initialised")
    git("init", "-q", "-b", "main", "--template=", at=root)
    furnish(root / ".git")
    return root


def furnish(folder: Path) -> None:
    """The folders that git makes beside its own, without the samples in them."""
    for name in ("hooks", "info"):
        (folder / name).mkdir(exist_ok=True)


def git(*words: str, at: Path) -> None:
    """A call of git for a repository that many tests copy."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    subprocess.run(["git", *words], cwd=at, env=kept | GIT, check=True, capture_output=True)


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
