"""The man page names every verb, and roff reads it without a word."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from onward.cli import table

PAGE = Path(__file__).resolve().parents[2] / "docs/man/onward.1"


def test_it_has_every_verb() -> None:
    text = PAGE.read_text("utf-8")
    for verb in table.SUMMARIES:
        assert f".SS onward {verb}" in text


@pytest.mark.skipif(not shutil.which("groff"), reason="groff reads it")
def test_roff_has_nothing_to_complain_of() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", str(PAGE)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "exclusive options" in done.stdout
