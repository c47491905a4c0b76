"""A session in, its briefing out; each was read by a user before it was accepted."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import pytest

from onward.cli.verbs.demo import Scratch

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "src/onward/samples/tally"
KEPT = [SAMPLE, *sorted((ROOT / "tests/golden/sessions").iterdir())]
BRIEFINGS = ROOT / "tests/golden/briefings"


def _after(kept: Path) -> datetime:
    """The evening of the day that the session ended on."""
    stamps = re.findall(r'"timestamp": ?"([^"]+)"', (kept / "session.jsonl").read_text("utf-8"))
    return datetime.fromisoformat(max(stamps)).replace(hour=18, minute=0, second=0, microsecond=0)


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.name)
def test_a_session_gives_the_briefing_that_was_accepted(
    kept: Path, request: pytest.FixtureRequest
) -> None:
    with Scratch(now=_after(kept), kept=kept) as scratch:
        scratch.run("onward save its-place --force")
        text = scratch.run("onward brief its-place")
    path = BRIEFINGS / f"{kept.name}.md"
    if request.config.getoption("--accept"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.is_file(), "no briefing was accepted yet: pytest tests/golden --accept"
    assert text == path.read_text("utf-8")
