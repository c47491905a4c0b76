"""The tests on a machine with Python and git and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.needs import PROGRAMS, REQUIRE

ROOT = Path(__file__).resolve().parents[2]
WHOLE = os.environ.get("ONWARD_TESTS") == "all"
MARKED = [
    str(path)
    for path in sorted(ROOT.glob("tests/**/test_*.py"))
    if "e2e" not in path.parts and "mark.needs(" in path.read_text("utf-8")
]
CONFTESTS = [str(ROOT / "tests/sharing/test_servers.py")]  # its fixture has the marker


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment whose PATH holds Python and git alone."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, found in (("python3", sys.executable), ("git", shutil.which("git"))):
        assert found
        (folder / name).symlink_to(found)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return {**kept, "PATH": str(folder), REQUIRE: "", "COLUMNS": "200"}


def run(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *words]
    return subprocess.run(call, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


def counted(said: str, verb: str) -> Counter[str]:
    """How many tests each program cost, as the end of the output says."""
    found = re.findall(
        rf"^(\d+) {verb}: (\S+) is not installed \(.*install .*\)$", said, re.MULTILINE
    )
    return Counter({program: int(count) for count, program in found})


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own there")
def test_what_needs_an_absent_program_is_skipped_or_fails_and_is_counted(
    bare: dict[str, str],
) -> None:
    places = ["tests", "--ignore=tests/e2e"] if WHOLE else sorted({*MARKED, *CONFTESTS})
    skipped = run(bare, "-m", "needs", *places)
    assert skipped.returncode == 0, skipped.stdout
    told = counted(skipped.stdout, "skipped")
    assert {"bash", "busybox", "ps", "shellcheck", "ssh"} <= set(told) <= set(PROGRAMS)
    red = run({**bare, REQUIRE: "all"}, "-m", "needs", "--tb=no", *places)
    assert red.returncode == 1, red.stdout
    assert counted(red.stdout, "failed") == told


def test_every_program_says_how_it_is_installed() -> None:
    for name, packages in PROGRAMS.items():
        assert re.fullmatch(r"apt-get install \S+, or brew install \S+", str(packages)), name
