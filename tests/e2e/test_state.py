"""What the user types, the last exchanges of a full context, and answers to our question."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.saved import CHECKPOINTS, SMALL, filled, say, write
from tests.e2e.kit.session import ASKED, DONE, FREE, PENDING, begin, leave, turn, worked

CHOICE = "Use oakum instead of cotton in every seam"
RULE = "Always sound the bilge before you caulk"
TOKEN = "sk-" + "ant-api03-" + "q7Rw2Lx9" * 11 + "Zk4-aBcDeFAA"
MAIL = "ada.moreno@shipyard.example"
SECRET = f"Always send the soundings to {MAIL} with the token {TOKEN}"
OWN = b"\xef\xbb\xbf# Session State\r\n\r\n## Task\r\nRefit the Heron\r\n\r\nodd \xff bytes, no line break"
NAME = "caulk-the-seams"
NEXT = "Heat the pitch in galley/pot.md"
SAVED = f"""# Checkpoint: {NAME}

**Created:** 2026-03-01 21:40 GMT+8
**Task:** Caulk the seams

## Progress

- Wrote seams.md, the seams of both sides

## Next Action

{NEXT}
"""
EXCHANGE = f"# Working Buffer\n\n## [2026-03-01 16:00 GMT] Human\n\n{ASKED}\n"
QUESTION = "Ready to continue? (yes/no)"


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A lab with the hooks in its project."""
    lab.install("--project")
    return lab


def state(lab: Lab) -> Path:
    """The state file."""
    return lab.project / "SESSION-STATE.md"


def buffer(lab: Lab) -> str:
    """The text of the working buffer."""
    path = lab.project / "memory" / "working-buffer.md"
    return path.read_text("utf-8") if path.exists() else ""


def exchanges(lab: Lab) -> list[str]:
    """What the user said in each exchange of the buffer."""
    return re.findall(r"^## \[[^\]]+\] Human\n\n(.+)$", buffer(lab), re.MULTILINE)


def below(lab: Lab, heading: str) -> list[str]:
    """The lines under all headings of this name in the state file."""
    parts = re.split(r"^## ", state(lab).read_text("utf-8", "replace"), flags=re.MULTILINE)
    found = [part.splitlines()[1:] for part in parts if part.splitlines()[0] == heading]
    return [line for part in found for line in part if line]


# ------------------------------------------------------------------ the state file


def test_what_is_typed_is_logged_once_and_the_next_save_reads_it(lab: Lab) -> None:
    window = begin(lab)
    say(lab, window, ASKED, *turn(lab))
    for prompt in ("yes", CHOICE, SECRET, CHOICE):
        say(lab, window, prompt)
    asked, choice, secret = below(lab, "Requests")
    assert asked.startswith(f"- {ASKED} [asked")
    assert choice.startswith(f"- {CHOICE} [asked")
    assert "Always send the soundings" in secret
    assert secret.count("[REDACTED") == 2
    assert TOKEN not in state(lab).read_text()
    assert MAIL not in state(lab).read_text()
    leave(window)
    lab.onward("save", NAME)
    saved = (lab.project / CHECKPOINTS / f"{NAME}.md").read_text("utf-8")
    assert CHOICE in saved


def test_without_a_terminal_the_users_own_text_stays_byte_for_byte(lab: Lab) -> None:
    state(lab).write_bytes(OWN)
    lab.headless(ASKED)
    lab.wait_quiet()
    assert state(lab).read_bytes().startswith(OWN)
    assert len(below(lab, "Requests")) == 1
    lab.onward("save", NAME)
    saved = (lab.project / CHECKPOINTS / f"{NAME}.md").read_text("utf-8")
    assert "**Task:** Refit the Heron" in saved, "the user's own words lead"


def test_a_line_that_was_removed_is_not_added_again(lab: Lab) -> None:
    window = begin(lab)
    say(lab, window, RULE)
    state(lab).write_text("# Session State\n")
    say(lab, window, RULE)
    assert state(lab).read_text() == "# Session State\n"
    leave(window)


def test_the_file_is_made_in_a_project_alone(lab: Lab) -> None:
    lab.install("--user")
    for name, git in (("downloads", False), ("yard", True)):
        lab.folder(name, git=git)
        lab.headless(RULE)
        lab.wait_quiet()
        assert state(lab).exists() == git


# -------------------------------------------------------------- the working buffer


def test_each_exchange_above_70_percent_is_in_the_buffer(lab: Lab) -> None:
    window = begin(lab, *SMALL)
    say(lab, window, ASKED, filled(60, "", write(lab)), filled(70, DONE))
    assert not exchanges(lab)
    asked = ("Now the mast", f"Now the rudder, and tell {MAIL} of {TOKEN}", "Now the tiller")
    for percent, prompt in enumerate(asked, 72):
        say(lab, window, prompt, filled(percent, f"{prompt[:12]}: done."))
        assert len(exchanges(lab)) == percent - 71, "at once, also the one that crosses the line"
    assert [said[:12] for said in exchanges(lab)] == [said[:12] for said in asked]
    assert buffer(lab).count("] Agent\n\nNow the ") == len(asked)
    assert TOKEN not in buffer(lab)
    assert MAIL not in buffer(lab)
    leave(window)


def test_the_buffer_is_bounded_and_keeps_what_is_a_persons_own(lab: Lab) -> None:
    old = "".join(
        f"## [2026-03-01 16:00 GMT] Human\n\nOld {at}\n\n"
        f"## [2026-03-01 16:00 GMT] Agent\n\n{'x' * 900}\n\n"
        for at in range(60)
    )
    lab.write("memory/working-buffer.md", f"# Working Buffer\n\n## Mine\n\nKeep dry.\n\n{old}")
    lab.model.script([filled(60, "", write(lab)), filled(75, DONE)])
    lab.headless(ASKED, FREE, *SMALL)
    lab.wait_quiet()
    kept = exchanges(lab)
    assert len(kept) == 50
    assert kept[-2:] == ["Old 59", ASKED]
    assert "## Mine\n\nKeep dry.\n" in buffer(lab)


# ------------------------------------------------------------------------- answers


class InTheTerminal:
    """A session in which `/checkpoint resume` was just typed, in one window."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.window = begin(lab)
        say(lab, self.window, f"/checkpoint resume {NAME}", QUESTION)

    def type(self, prompt: str) -> str:
        """Say something; what the agent is told beside it."""
        say(self.lab, self.window, prompt)
        return told(self.lab)


class Continued:
    """The same where each step is a client of its own."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        lab.model.script([QUESTION])
        lab.headless(f"/checkpoint resume {NAME}")
        lab.wait_quiet()

    def type(self, prompt: str) -> str:
        """Say something; what the agent is told beside it."""
        self.lab.model.script([])
        self.lab.headless(prompt, "--continue")
        self.lab.wait_quiet()
        return told(self.lab)


Session = Callable[[Lab], InTheTerminal | Continued]
HOW: dict[str, Session] = {"in the terminal": InTheTerminal, "continued": Continued}


def told(lab: Lab) -> str:
    """What our hook said beside the last prompt: the agent has it behind all that was before."""
    found = re.findall(r"UserPromptSubmit hook success: (.+)", lab.requests()[-1].text)
    return found[-1] if found else ""


@pytest.fixture
def kept(lab: Lab) -> Path:
    """A checkpoint that somebody saved, and an exchange in the buffer."""
    lab.write("seams.md", "both\n")
    lab.write("memory/working-buffer.md", EXCHANGE)
    assert exchanges(lab) == [ASKED]
    return lab.write(str(CHECKPOINTS / f"{NAME}.md"), SAVED)


@pytest.mark.parametrize(("word", "how"), [("yes", "continued"), ("好", "in the terminal")])
def test_yes_goes_on_and_empties_the_buffer(lab: Lab, kept: Path, word: str, how: str) -> None:
    assert HOW[how](lab).type(word) == f"The user said yes: continue with: {NEXT}"
    assert exchanges(lab) == []
    assert kept.read_text("utf-8") == SAVED


@pytest.mark.parametrize(("word", "how"), [("no", "in the terminal"), ("nein", "continued")])
def test_no_puts_the_checkpoint_into_the_trash(lab: Lab, kept: Path, word: str, how: str) -> None:
    assert "The user said no: start fresh" in HOW[how](lab).type(word)
    assert f"onward restore {NAME}" in lab.requests()[-1].text
    assert not kept.exists()
    assert exchanges(lab) == [ASKED]
    lab.onward("restore", NAME)
    assert kept.read_text("utf-8") == SAVED


BETWEEN = {
    "in the terminal": ("What is in galley/pot.md?", "no problem, show me the seams"),
    "continued": ("What is in galley/pot.md?",),
}


@pytest.mark.parametrize("how", HOW)
def test_an_answer_much_later_does_nothing(lab: Lab, kept: Path, how: str) -> None:
    session = HOW[how](lab)
    for prompt in (*BETWEEN[how], "no"):
        assert session.type(prompt) == ""
    assert kept.read_text("utf-8") == SAVED
    assert exchanges(lab) == [ASKED]


def test_an_answer_after_one_question_back_counts(lab: Lab, kept: Path) -> None:
    session = InTheTerminal(lab)
    assert session.type("What is in galley/pot.md?") == ""
    assert NEXT in session.type("ok")
    leave(session.window)


def test_a_backup_that_was_asked_about_waits_until_the_session_is_continued(lab: Lab) -> None:
    worked(lab)
    (backup,) = lab.pending()
    lab.model.script([QUESTION])
    lab.headless("/resume-latest")
    lab.wait_quiet()
    assert lab.pending() == [backup], "nobody has answered yet"
    lab.headless("yes", "--continue")
    lab.wait_quiet()
    assert "The user said yes" in told(lab)
    assert len(PENDING.findall(lab.requests()[-1].text)) == 1, "it was told of that one before"
    # The yes took the backup in; the session that said it waits in its place, for it carries on.
    (heir,) = lab.pending()
    assert heir != backup
    assert set(lab.raws()) == {backup, heir}
