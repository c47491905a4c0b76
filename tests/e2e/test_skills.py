"""The skills: the agent knows of them, starts them by itself, and can do what they say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.model import Answer, Call
from tests.e2e.kit.session import worked
from tests.e2e.kit.slash import UNDERSTOOD

NAMES = ["managing-session-continuity", "session-continuity"]
NEXT = "Run `make caulk`; plank five still leaks"
SHELL = {"description": "Go"}


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A lab with skills and commands in its project."""
    lab.install("--project")
    return lab


def skill(lab: Lab, name: str) -> Path:
    return lab.project / ".claude/skills" / name / "SKILL.md"


def start(name: str) -> Answer:
    return Answer("", (Call("Skill", {"skill": name}),))


def test_the_agent_is_told_of_both_and_of_no_command_that_is_the_persons(lab: Lab) -> None:
    lab.headless("Where did we stop?")
    (request,) = lab.requests()
    for name in NAMES:
        (told,) = re.findall(
            r"^description: (.+)$", skill(lab, name).read_text("utf-8"), re.MULTILINE
        )
        assert request.where(f"\n- {name}: {told}\n"), "to the last word"
    for command in (lab.project / ".claude/commands").glob("*.md"):
        assert not request.where(f"\n- {command.stem}:")


@pytest.mark.parametrize("name", NAMES)
def test_the_agent_starts_one_by_itself_and_may_read_what_it_leads_to(lab: Lab, name: str) -> None:
    path = skill(lab, name)
    pages = sorted(path.parent.glob("references/*.md"))
    reads = [Answer("", (Call("Read", {"file_path": str(page)}),)) for page in pages]
    lab.model.script([start(name), *reads, UNDERSTOOD])
    done = lab.headless("Where did we stop?")
    assert done.text == UNDERSTOOD
    assert done.data["permission_denials"] == []
    request = lab.requests()[-1]
    body = path.read_text("utf-8").partition("\n---\n")[2]
    assert request.where(f"Base directory for this skill: {path.parent}")
    assert request.where(body.strip())
    for page in pages:
        assert request.where(page.read_text("utf-8").splitlines()[0])


def test_what_they_tell_the_agent_to_run_exists(lab: Lab) -> None:
    pages = [page for name in NAMES for page in skill(lab, name).parent.rglob("*.md")]
    said = "\n".join(page.read_text("utf-8") for page in pages)
    calls = set(re.findall(r"`onward ([a-z]+(?: (?:save|load)\b)?)([^`]*)`", said))
    assert len(calls) >= 6
    for verb, rest in calls:
        help_ = lab.onward(*verb.split(), "--help")
        for option in re.findall(r"--[a-z]+", rest):
            assert option in help_, f"onward {verb} has no {option}"
    typed = set(re.findall(r"`/([a-z-]+)", said))
    commands = {path.stem for path in (lab.project / ".claude/commands").glob("*.md")}
    assert typed
    assert typed <= commands


def test_with_leave_in_the_settings_a_skill_saves_without_being_asked(lab: Lab) -> None:
    session = worked(lab).stem
    settings = lab.project / ".claude/settings.json"
    held = json.loads(settings.read_text("utf-8"))
    held["permissions"] = {"allow": ["Bash(onward:*)", "Edit(/memory/.draft.json)"]}
    settings.write_text(json.dumps(held))
    draft = {"file_path": str(lab.project / "memory/.draft.json")}
    given = draft | {"content": json.dumps({"next": NEXT, "progress": ["Caulked plank four"]})}
    save = {**SHELL, "command": "onward save caulk-the-seams --from memory/.draft.json"}
    load = {**SHELL, "command": "onward resume caulk-the-seams"}
    calls = [Call("Write", given), Call("Bash", save), Call("Bash", load)]
    lab.model.script([start(NAMES[1]), *(Answer("", (call,)) for call in calls), UNDERSTOOD])
    done = lab.headless("Save my work", "--resume", session)
    assert done.data["permission_denials"] == []
    assert NEXT in (lab.project / "memory/checkpoints/caulk-the-seams.md").read_text("utf-8")
    assert not (lab.project / "memory/.draft.json").exists()
    assert lab.requests()[-1].where("Ready to continue? (yes/no)")


def test_nobody_is_asked_in_a_terminal_when_the_agent_starts_one(lab: Lab) -> None:
    window = lab.terminal("--permission-mode", "default")
    lab.model.script([start(NAMES[1]), "I looked it up."])
    window.type("Where did we stop?")
    window.wait("I looked it up")
    assert lab.requests()[-1].where("Base directory for this skill:")
