"""Secrets in every field of a rollout: none comes out of what is made of it."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING

import pytest
from tests.canary.planting import TEMPLATES, Garden
from tests.sampling import sample
from tests.unit.transcripts.places import place

from onward.briefing import brief
from onward.commands.source import distilled
from onward.documents import checkpoint_md
from onward.redaction import Redactor
from onward.transcripts.registry import find_sessions

if TYPE_CHECKING:
    from tests.unit.transcripts.codex.conftest import Rollout

REDACTOR = Redactor(b"canary")
STEP = 40
"""Templates a garden moves on by; a rollout has that many fields."""
STARTS = range(0, len(TEMPLATES), STEP)
PADS = (0, 150, 400)


def fill(rollout: Rollout, garden: Garden) -> None:
    """One of everything that a rollout may hold."""
    say = garden.plant
    rollout.meta(git={"branch": garden.name("branch")})
    rollout.message("developer", say("developer message"))
    rollout.message(
        "user", f"<environment_context>\n<x>{say('environment')}</x>\n</environment_context>"
    )
    rollout.news("thread_name_updated", thread_name=say("name"))
    rollout.news("task_started", turn_id="t")
    rollout.says(say("prompt", "Fix the login page please, I ran it"))
    rollout.says(say("queued prompt", "And write the docs, I ran it"))
    given = say("given", "Finish milestone five")
    rollout.says(
        f"## User Input\n\n```text\n{given}\n```\n\n## Outline\n\n1. {say('outline', 'Run setup')}\n"
    )
    command = f"<command>\n{say('own command', 'ls')}\n</command>"
    rollout.message("user", f"<user_shell_command>\n{command}\n</user_shell_command>")
    rollout.replies(say("reply", "I looked at it."))
    rollout.news("agent_reasoning", text=say("reasoning"))
    _work(rollout, garden)
    _ask(rollout, garden)
    rollout.add("compacted", message=say("summary"), replacement_history=[{"text": say("kept")}])
    rollout.news("error", message=say("error"))
    rollout.says(say("last prompt", "Now run the tests"))
    rollout.call("exec_command", "open", cmd=say("open command", "make"))
    rollout.news("turn_aborted", reason="interrupted")
    rollout.replies(say("last words", "One test fails. Shall I go on?"))


def _work(rollout: Rollout, garden: Garden) -> None:
    say = garden.plant
    rollout.call("exec_command", "c1", cmd=say("command", "pytest -q #"), workdir="/home/ana/shop")
    head = "Chunk ID: a\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\n"
    rollout.result("c1", f"{head}{say('first output')}\n")
    rollout.call("write_stdin", "c2", session_id=7, chars=say("typed in"))
    head = head.replace("running with session ID 7", "exited with code 1")
    rollout.result(
        "c2", f"{head}{say('later output')}\nFAILED a.py::b - {say('failure')}\n1 failed in 1s\n"
    )
    name = garden.name("path", "login")
    added = say("added line", "x = 1  #").replace("\n", "\n+")
    patch = f"*** Begin Patch\n*** Add File: src/{name}.py\n+{added}\n*** End Patch"
    rollout.free("apply_patch", "c3", patch)
    rollout.item("custom_tool_call_output", call_id="c3", output=f"Success. {say('patch output')}")
    old, new = (
        say(name).replace("\n", f"\n{sign}")
        for name, sign in (("old line", "-"), ("new line", "+"))
    )
    diff = f"@@ -1,1 +1,1 @@\n-{old}\n+{new}\n"
    changes = {"/home/ana/shop/a.py": {"type": "update", "unified_diff": diff}}
    rollout.done("FileChange", id="x", changes=changes, status="completed", stdout=say("stdout"))
    source = json.dumps(say("program's command", "make b #"))
    rollout.free("exec", "c4", f"text((await tools.exec_command({{cmd:{source}}})).output)")
    rollout.item(
        "custom_tool_call_output",
        call_id="c4",
        output=[{"text": "Script completed\nOutput:\n"}, {"text": say("printed")}],
    )
    rollout.call("mcp__own__tool", "c5", query=say("other tool"))
    rollout.result("c5", say("other result"))
    rollout.call("spawn_agent", "c6", message=say("errand"))
    rollout.result("c6", json.dumps({"agent_id": "h1"}))
    notice = {"agent_id": "h1", "status": {"completed": say("report")}}
    rollout.message(
        "user", f"<subagent_notification>\n{json.dumps(notice)}\n</subagent_notification>"
    )


def _ask(rollout: Rollout, garden: Garden) -> None:
    say = garden.plant
    rollout.call("update_plan", "p", plan=[{"step": say("step", "Fix it"), "status": "pending"}])
    rollout.result("p", "Plan updated")
    rollout.done(
        "Plan", id="p1", text=f"# {say('plan', 'Fix it')}\n\n1. {say('plan step', 'Run it')}"
    )
    rollout.says("Implement the plan.")
    option = {"label": say("label", "Yes"), "description": say("description")}
    question = {"id": "q", "question": say("question", "Which one?"), "options": [option]}
    rollout.call("request_user_input", "q", questions=[question])
    rollout.result("q", json.dumps({"answers": {"q": {"answers": [say("answer", "The first")]}}}))


@pytest.mark.parametrize(("pad", "start"), sample(product(PADS, STARTS), 12, "gardens"))
def test_no_secret_in_any_field_of_a_rollout_comes_out(
    rollout: Rollout, start: int, pad: int
) -> None:
    garden = Garden(TEMPLATES[start:] + TEMPLATES[:start], start)
    garden.pad = pad
    fill(rollout, garden)
    path = rollout.write()
    draft = distilled(path, REDACTOR).draft
    clean = REDACTOR.draft(draft)
    (info,) = find_sessions(path.parents[5], {})
    shown = [place(path, line + 1, "") for line in range(len(rollout.lines))]
    out = [
        brief(clean, None, budget=6000),
        checkpoint_md.render(clean),
        REDACTOR.text(info.title),
        REDACTOR.text(info.last_prompt),
        REDACTOR.text(info.branch),
        *(REDACTOR.text(text) for text in shown),
    ]
    assert len(garden.found(path.read_bytes())) > STEP // 2
    assert "Fix" in out[0]
    assert garden.found("\n".join(out).encode()) == []
