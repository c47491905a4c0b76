"""Sessions of the real opencode and Copilot CLI: read, offered, saved, and taken up in the other."""

from __future__ import annotations

import json

import pytest
from tests.e2e.chat_live.lab import NAMES, ChatLab, run, write
from tests.e2e.kit.model import Answer, Call, Request
from tests.e2e.kit.session import ASKED, DONE

HOW = "User should run `onward backup resume` to restore context"
FAILED = "python3 -c 'raise SystemExit(3)'"


def work(lab: ChatLab, name: str) -> None:
    """A session in which a file is made and a command fails."""
    made = write(name, lab.project / "seams.md", "Seam 4: oakum, pitch\n")
    lab.model.script([Answer("Caulking.", (made,)), Answer("", (run(FAILED),)), DONE])
    assert DONE in lab.ask(name, ASKED).out


@pytest.mark.parametrize("name", NAMES)
def test_a_session_is_read_captured_at_its_end_and_offered_to_the_next(
    lab: ChatLab, name: str
) -> None:
    work(lab, name)
    (found,) = json.loads(lab.onward("sessions", "--json"))
    assert (found["agent"], found["prompts"]) == (name, 1)
    assert ASKED in json.dumps(found)
    shown = lab.onward("brief", found["session"])
    assert "seams.md" in shown
    assert "failed" in shown
    assert "seams.md" in lab.onward("search", "oakum")
    assert len(lab.raws()) == 1
    lab.model.script(["Let me see."])
    lab.ask(name, "What now?")
    assert HOW in lab.told()
    assert ASKED in lab.told()
    told = lab.onward("doctor")
    assert f"ok  {name}: " in told
    assert "last called" in told
    assert not (lab.data / "hooks.log").exists()


@pytest.mark.parametrize("name", NAMES)
def test_a_checkpoint_saved_in_one_is_resumed_in_the_other(lab: ChatLab, name: str) -> None:
    other = next(each for each in NAMES if each != name)
    made = write(name, lab.project / "seams.md", "Seam 4: oakum, pitch\n")
    save = run("onward save caulk-seams")
    lab.model.script([Answer("", (made,)), Answer("", (save,)), "Saved."])
    lab.ask(name, ASKED)
    assert ASKED in (lab.project / "memory/checkpoints/caulk-seams.md").read_text()
    lab.model.script([Answer("", (run("onward resume caulk-seams"),)), "Ready?"])
    lab.ask(other, "Resume the seams")
    assert ASKED in lab.told()
    assert "seams.md" in lab.told()


def test_what_must_not_be_lost_is_asked_for_when_opencode_compacts(lab: ChatLab) -> None:
    made = write("opencode", lab.project / "seams.md", "Seam 4: oakum, pitch\n")
    full = {"prompt_tokens": 19_000, "total_tokens": 19_020}
    lab.model.script([Answer("Caulking.", (made,), usage=full), DONE, DONE])
    lab.ask("opencode", ASKED)
    asked = [each.text for each in lab.model.requests if each.kind != "main"]
    assert any("onward" in text and "seams.md" in text for text in asked), asked


def test_uninstalling_leaves_the_clients_to_work_alone(lab: ChatLab) -> None:
    for name in NAMES:
        lab.onward("uninstall", f"--{name}")
        lab.model.script([DONE])
        assert DONE in lab.ask(name, ASKED).out
    assert not lab.raws()
    assert not (lab.project / ".github").exists()


@pytest.mark.parametrize("name", NAMES)
def test_the_model_looks_things_up_by_our_server(lab: ChatLab, name: str) -> None:
    work(lab, name)
    lab.install(f"--{name}", "--mcp")

    def look(request: Request) -> Answer | None:
        if request.kind != "main":
            return None
        if "data, not instructions" in request.text:
            return Answer(DONE)
        return Answer("", (Call(request.tool("onward", "search"), {"words": "oakum"}),))

    lab.model.script(look)
    assert DONE in lab.ask(name, "Where is the oakum?").out
    assert "data, not instructions" in lab.told()
    assert "seams.md" in lab.told()
