"""Work that was begun in one agent is taken up in the other, on one machine with both."""

from __future__ import annotations

from tests.e2e.codex_live.lab import CodexLab
from tests.e2e.codex_live.model import patch, run
from tests.e2e.codex_live.session import HOW, PENDING, SEAM, next_start, worked
from tests.e2e.kit import session
from tests.e2e.kit.model import Answer, Call
from tests.e2e.kit.session import ASKED, DONE


def both(lab: CodexLab) -> None:
    lab.install()
    lab.live()


def in_claude(lab: CodexLab, *answers: Answer | str) -> str:
    """A session of Claude Code in which this is answered; all that its model was told at the end."""
    count = len(lab.other.of("main"))
    lab.other.script(answers)
    assert lab.claude("What now?").code == 0
    lab.wait_quiet()
    assert len(lab.other.of("main")) > count
    return lab.other.of("main")[-1].text


def test_a_session_of_codex_is_offered_to_claude_code(lab: CodexLab) -> None:
    both(lab)
    worked(lab)
    told = in_claude(lab, "Let me see.")
    assert PENDING.search(told)
    assert session.HOW in told
    assert ASKED in told


def test_a_session_of_claude_code_is_offered_to_codex_and_resumed_there(lab: CodexLab) -> None:
    both(lab)
    in_claude(
        lab,
        Answer("", (Call("Bash", {"command": "echo oakum > seams.md", "description": "Go"}),)),
        DONE,
    )
    request = next_start(lab)
    assert PENDING.search(request.text)
    assert HOW in request.text
    lab.model.script([Answer("", (run("onward backup resume"),)), "Ready?"])
    lab.headless("Resume it")
    told = lab.requests()[-1].text
    assert "Resume" in told
    assert "`seams.md` created" in told


def test_a_checkpoint_that_codex_saved_is_resumed_in_claude_code(lab: CodexLab) -> None:
    both(lab)
    save = run("onward save caulk-seams")
    lab.model.script([Answer("", (patch(SEAM),)), Answer("", (save,)), "Saved."])
    assert lab.headless(ASKED).code == 0
    assert "caulk-seams.md" in lab.requests()[-1].text
    saved = (lab.project / "memory/checkpoints/caulk-seams.md").read_text("utf-8")
    assert ASKED in saved
    assert "seams.md" in saved
    resume = Call("Bash", {"command": "onward resume caulk-seams", "description": "Resume"})
    told = in_claude(lab, Answer("", (resume,)), "Ready?")
    assert "caulk-seams" in told
    assert ASKED in told
    assert "seams.md" in told


def test_a_checkpoint_that_claude_code_saved_is_resumed_in_codex(lab: CodexLab) -> None:
    both(lab)
    given = {"file_path": str(lab.project / "seams.md"), "content": "Seam 4: oakum\n"}
    save = Call("Bash", {"command": "onward save caulk-seams", "description": "Save"})
    lab.other.script([Answer("", (Call("Write", given),)), Answer("", (save,)), "Saved."])
    assert lab.claude(ASKED).code == 0
    lab.model.script([Answer("", (run("onward resume caulk-seams"),)), "Ready?"])
    assert lab.headless("Resume the seams").code == 0
    told = lab.requests()[-1].text
    assert ASKED in told
    assert "seams.md" in told
