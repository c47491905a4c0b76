"""The kit itself: the real client takes part, and the scripted model sees what it sends."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.e2e.kit.lab import Lab, conversation
from tests.e2e.kit.model import Answer, Call, Request


@pytest.mark.every_version
def test_a_headless_turn_reaches_the_model_and_the_transcript(lab: Lab) -> None:
    lab.model.script(["The keel is laid."])
    done = lab.headless("Lay the keel")
    assert (done.code, done.text) == (0, "The keel is laid.")
    (request,) = lab.requests()
    assert request.where("Lay the keel") == ["messages[0] user"]
    (transcript,) = lab.transcripts()
    assert "The keel is laid." in conversation(transcript)


@pytest.mark.every_version
def test_a_turn_in_a_terminal_runs_the_tools_that_the_model_calls(lab: Lab) -> None:
    call = Call("Bash", {"command": "echo planks > hull.txt", "description": "Build"})
    lab.model.script([Answer("Building.", (call,)), "The hull is built."])
    window = lab.terminal("--dangerously-skip-permissions")
    window.type("Build the hull")
    window.wait("The hull is built")
    assert (lab.project / "hull.txt").read_text() == "planks\n"
    assert len(lab.requests()) == 2
    lab.wait_written("The hull is built")
    window.type("/exit")
    window.wait_dead()


@pytest.mark.every_version
def test_a_sub_agents_requests_are_told_from_the_main_threads(lab: Lab) -> None:
    given = {"description": "Sound", "prompt": "How deep?", "subagent_type": "general-purpose"}

    def answers(request: Request) -> str | Answer | None:
        if request.kind == "helper":
            return "Four fathoms."
        return Answer("", (Call("Agent", given),)) if len(lab.requests()) == 1 else "Anchored."

    lab.model.script(answers)
    assert lab.headless("Find a place to anchor").text == "Anchored."
    (helper,) = lab.requests("helper")
    assert helper.where("How deep?")
    assert any(request.where("Four fathoms.") for request in lab.requests())


def test_the_program_under_test_is_on_the_path_and_keeps_to_the_lab(lab: Lab) -> None:
    assert "keel" not in lab.onward("list")
    lab.onward("no-such-verb", code=2)
    assert lab.git("status", "--porcelain") == ""


@pytest.mark.parametrize("name", ["with a space", "Kielboot-\u00e4\u6c34"])
def test_a_session_begins_wherever_the_folder_is(lab: Lab, name: str) -> None:
    lab.folder(name, git=False)
    window = lab.terminal()
    window.type("Anybody aboard?")
    assert lab.model.wait().where("Anybody aboard?")


def test_a_work_tree_a_link_and_a_sub_folder_are_trusted(lab: Lab) -> None:
    (lab.project / "deck").mkdir()
    places = [lab.project / "deck", lab.worktree("refit"), lab.link("dock")]
    for count, place in enumerate(places, 1):
        lab.terminal(cwd=place).type("Where are we?")
        lab.model.wait(count=count)


def test_what_outlives_a_lab_is_found_and_ended(client: Path) -> None:
    lab = Lab(client)
    sleeper = subprocess.Popen(["sleep", "60"], cwd=lab.top, env={})
    assert [process.pid for process in lab.close(limit=0)] == [sleeper.pid]
    assert sleeper.wait(5) < 0
    assert not lab.top.exists()
