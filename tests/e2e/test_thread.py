"""Work that was resumed and hardly touched is still what the session after that is told of."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.model import Answer, Call
from tests.e2e.kit.session import ASKED, begin, leave, work, worked
from tests.e2e.kit.terminal import Window

RULE = "Always use pitch, never tar, because tar goes soft in the sun"
KNOWN = "Pitch it is, never tar."
LITTLE = "The pitch is not warm yet, so I stopped there."
OTHER = "Splice the mainsheet in rigging.md"
SPLICED = "The mainsheet is spliced."
FRESH = "Starting fresh."


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A lab with hooks and commands, and a day of work in it that has ended."""
    lab.install("--project")
    transcript = worked(lab)
    lab.model.script([KNOWN])
    lab.headless(RULE, "--resume", transcript.stem)
    lab.wait_quiet()
    return lab


def resumed(lab: Lab, word: str, *replies: str | Answer) -> Window:
    """A new session that took the work up; the user answered with one word."""
    lab.model.script(["Ready to continue? (yes/no)", *replies])
    window = begin(lab)
    window.type("/resume-latest")
    window.wait("Ready to continue")
    window.still()
    window.type(word)
    lab.wait_written(LITTLE if word == "yes" else FRESH)
    return window


class Told(NamedTuple):
    """What the agent of the next session is told: at its start, and by /resume-latest."""

    start: str
    resume: str


def shown(lab: Lab) -> Told:
    """The next session, which takes up what waits."""
    lab.wait_quiet()
    count = len(lab.requests())
    lab.model.script(["Ready to continue? (yes/no)"])
    window = begin(lab)
    window.type("/resume-latest")
    window.wait("Ready to continue")
    text = lab.requests()[count].text
    start = re.search(r"Previous session here.*End of the record", text, re.DOTALL)
    return Told(start[0] if start else "", text.partition("Taken in: ")[2])


def test_a_day_that_did_little_hands_on_the_day_before(lab: Lab) -> None:
    note = {"file_path": str(lab.project / "pitch.md"), "content": "Cold.\n"}
    leave(resumed(lab, "yes", Answer("Warming the pitch.", (Call("Write", note),)), LITTLE))
    told = shown(lab)
    assert ASKED in told.start
    for words in (ASKED, RULE, LITTLE):
        assert words in told.resume


def test_a_day_with_other_work_hands_on_both(lab: Lab) -> None:
    window = resumed(lab, "yes", LITTLE)
    work(lab, window, OTHER, SPLICED)
    leave(window)
    told = shown(lab)
    assert f"📌 Resume: {OTHER}" in told.resume
    assert ASKED in told.resume
    assert RULE in told.resume
    assert RULE in lab.memory("active-context.md").read_text("utf-8")


def test_what_was_declined_is_no_part_of_the_next_day(lab: Lab) -> None:
    window = resumed(lab, "no", FRESH)
    work(lab, window, OTHER, SPLICED)
    leave(window)
    told = shown(lab)
    assert OTHER in told.resume
    assert RULE not in told.resume
    assert ASKED not in told.resume
