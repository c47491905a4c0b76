"""A session that ended on one machine is gone on with in another clone on another machine, in the
other agent; what connects them is their git remote.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.codex_live.lab import CodexLab
from tests.e2e.codex_live.model import patch, run
from tests.e2e.codex_live.session import SEAM
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.model import Answer, Call
from tests.e2e.kit.remote import shared
from tests.e2e.kit.session import ASKED, FREE
from tests.needs import needs

import clients  # tools are no package; the conftest above finds them

WENT_ON = "Plank five is caulked as well."
PAYED = "Pay the seams with pitch"


@pytest.fixture(params=clients.VERSIONS[:1])
def claude(request: pytest.FixtureRequest) -> Iterator[Lab]:
    """Another machine, with Claude Code."""
    if sys.platform != "linux":
        pytest.fail("the tests with the real client run on Linux: they look into /proc")
    needs("tmux")
    try:
        made = Lab(clients.executable(request.param))
    except clients.MissingError as error:
        pytest.fail(str(error))
    try:
        yield made
    finally:
        left = made.close()
    assert not left, f"these outlived the test: {left}"


def bash(command: str) -> Answer:
    return Answer("", (Call("Bash", {"command": command, "description": "Go"}),))


def write(lab: Lab, name: str, text: str) -> Answer:
    return Answer("", (Call("Write", {"file_path": str(lab.project / name), "content": text}),))


def in_claude(lab: Lab, asked: str, *answers: Answer | str) -> str:
    """A session of Claude Code in which this is answered; what its model was told at the end."""
    lab.model.script(answers)
    assert lab.headless(asked, FREE).code == 0
    lab.wait_quiet()
    return lab.requests()[-1].text


def in_codex(lab: CodexLab, asked: str, *answers: Answer | str) -> str:
    lab.model.script(answers)
    assert lab.headless(asked).code == 0
    lab.wait_quiet()
    return lab.requests()[-1].text


def test_what_claude_code_began_is_gone_on_with_in_codex_and_back_again(
    claude: Lab, lab: CodexLab, tmp_path: Path
) -> None:
    with shared(tmp_path, claude, lab):
        claude.install("--project")
        lab.live()
        save = bash("onward save caulk-seams")
        in_claude(claude, ASKED, write(claude, "seams.md", "Seam 4: oakum\n"), save, "Saved.")
        claude.onward("push")

        lab.onward("pull")
        assert "caulk-seams@shed" in lab.onward("list")
        told = in_codex(
            lab,
            "Go on with the seams from the shed",
            Answer("", (run("onward resume caulk-seams@shed"),)),
            "Ready?",
        )
        assert ASKED in told
        assert "seams.md" in told
        assert str(claude.project) not in told, "paths are those of this clone"

        resave = Answer("", (run("onward save caulk-seams"),))
        in_codex(lab, PAYED, Answer(WENT_ON, (patch(SEAM),)), resave, "Saved here too.")
        lab.onward("push")

        claude.onward("pull")
        listed = claude.onward("list")
        assert "caulk-seams@jetty" in listed
        assert listed.count("caulk-seams") == 2, "none replaces the other"
        told = in_claude(claude, "And now?", bash("onward resume caulk-seams@jetty"), "Ready?")
        assert PAYED in told
        assert str(lab.project) not in told
        assert (claude.project / "memory/checkpoints/caulk-seams.md").is_file()


def test_what_codex_began_is_gone_on_with_in_claude_code(
    claude: Lab, lab: CodexLab, tmp_path: Path
) -> None:
    with shared(tmp_path, lab, claude):
        lab.live()
        claude.install("--project")
        save = Answer("", (run("onward save caulk-seams"),))
        in_codex(lab, ASKED, Answer("", (patch(SEAM),)), save, "Saved.")
        lab.onward("push")
        claude.onward("pull")
        told = in_claude(claude, "Go on", bash("onward resume caulk-seams@shed"), "Ready?")
        assert ASKED in told
        assert "seams.md" in told
        assert str(lab.project) not in told


def test_a_session_that_nobody_saved_is_gone_on_with_elsewhere_by_its_document(
    claude: Lab, lab: CodexLab, tmp_path: Path
) -> None:
    with shared(tmp_path, claude, lab):
        claude.install("--project")
        lab.live()
        in_claude(claude, ASKED, write(claude, "seams.md", "Seam 4: oakum\n"), "Caulked.")
        claude.onward("document")
        claude.onward("push")
        lab.onward("pull")
        (document,) = claude.memory().glob("session-*.md")
        told = in_codex(
            lab,
            "Go on with what the shed left",
            Answer("", (run(f"onward resume {document.stem}@shed"),)),
            "Ready?",
        )
        assert ASKED in told
        assert "seams.md" in told
