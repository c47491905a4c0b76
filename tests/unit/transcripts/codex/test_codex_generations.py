"""The same work, as each generation of the client writes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from onward.model import Edited, Moved, Prompt, Ran, Reply, TodoItem, TodoList, TurnEnded

if TYPE_CHECKING:
    from tests.unit.transcripts.codex.conftest import Rollout

PATCH = "*** Begin Patch\n*** Update File: cart.py\n@@\n-total = 0\n+total = 1\n+tax = 2\n*** End Patch\n"
SUCCESS = "Success. Updated the following files:\nM cart.py\n"
ENVIRONMENT = "<environment_context>\n  <cwd>/home/ana/shop</cwd>\n</environment_context>"
RULES = "# AGENTS.md instructions for /home/ana/shop\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>"
PLAN = [{"step": "fix the total", "status": "completed"}, {"step": "test", "status": "pending"}]


def flat(rollout: Rollout) -> None:
    """0.8 to 0.31: bare items, no times, no news."""

    def message(role: str, text: str) -> None:
        kind = "input_text" if role == "user" else "output_text"
        content = [{"type": kind, "text": text}]
        rollout.raw({"type": "message", "id": None, "role": role, "content": content})

    def call(key: str, name: str, output: str, **given: Any) -> None:
        fields = {"name": name, "arguments": json.dumps(given), "call_id": key}
        rollout.raw({"type": "function_call", "id": f"fc_{key}", **fields})
        rollout.raw({"record_type": "state"})
        rollout.raw({"type": "function_call_output", "call_id": key, "output": output})

    started = "2026-03-01T10:00:00.000Z"
    git = {"branch": "main"}
    rollout.raw({"id": rollout.thread, "timestamp": started, "instructions": "x", "git": git})
    rollout.raw({"record_type": "state"})
    message("user", "<user_instructions>\n\nBe brief.\n</user_instructions>")
    message("user", ENVIRONMENT)
    message("user", "fix the total")
    message("assistant", "On it.")
    ended = {"output": "2 failed", "metadata": {"exit_code": 1, "duration_seconds": 0.1}}
    call("c1", "shell", json.dumps(ended), command=["bash", "-lc", "pytest -q"])
    ended = {"output": SUCCESS, "metadata": {"exit_code": 0, "duration_seconds": 0.0}}
    call("c2", "shell", json.dumps(ended), command=["apply_patch", PATCH])
    call("c3", "update_plan", "Plan updated", plan=PLAN)
    message("assistant", "Done.")


def wrapped(rollout: Rollout) -> None:
    """0.34 to 0.9x: items for the model and news for the screen."""
    rollout.meta(cli_version="0.77.0")
    rollout.message("user", RULES)
    rollout.message("user", ENVIRONMENT)
    rollout.says("fix the total")
    rollout.add("turn_context", cwd="/home/ana/shop", model="a-model")
    rollout.item("reasoning", summary=[], content=None, encrypted_content="gAAA")
    rollout.news("agent_message", message="On it.")
    rollout.message("assistant", "On it.")
    rollout.call("shell_command", "c1", command="pytest -q", workdir="/home/ana/shop")
    rollout.news("token_count", info={"last_token_usage": {"total_tokens": 9}})
    rollout.result("c1", "Exit code: 1\nWall time: 2.1 seconds\nOutput:\n2 failed")
    rollout.free("apply_patch", "c2", PATCH)
    shown = {"output": SUCCESS, "metadata": {"exit_code": 0, "duration_seconds": 0.0}}
    rollout.item("custom_tool_call_output", call_id="c2", output=json.dumps(shown))
    rollout.call("update_plan", "c3", plan=PLAN)
    rollout.result("c3", "Plan updated")
    rollout.replies("Done.")


def newer(rollout: Rollout) -> None:
    """0.10x to 0.146: turns, `exec_command`, and news of each patch."""
    rollout.meta(cli_version="0.142.0", base_instructions={"text": "You are Codex"})
    rollout.news("task_started", turn_id="t1", model_context_window=258400)
    rollout.message("developer", "<permissions instructions>Be careful.</permissions instructions>")
    rollout.message("user", RULES, ENVIRONMENT)
    rollout.says("fix the total", images=[], local_images=[], text_elements=[])
    rollout.replies("On it.")
    rollout.call("exec_command", "c1", cmd="pytest -q", workdir="/home/ana/shop")
    head = "Chunk ID: 4bcf3a\nWall time: 2.0000 seconds\nProcess exited with code 1\n"
    rollout.result("c1", f"{head}Original token count: 3\nOutput:\n2 failed")
    script = f"apply_patch <<'EOF'\n{PATCH}EOF"
    rollout.call("exec_command", "c2", cmd=script)
    diff = "@@ -1,1 +1,2 @@\n-total = 0\n+total = 1\n+tax = 2\n"
    changes = {"/home/ana/shop/cart.py": {"type": "update", "unified_diff": diff}}
    rollout.news("patch_apply_end", call_id="c2", success=True, changes=changes)
    rollout.result(
        "c2",
        f"Wall time: 0.0 seconds\nOutput:\nExit code: 0\nWall time: 0 seconds\nOutput:\n{SUCCESS}",
    )
    rollout.call("update_plan", "c3", plan=PLAN)
    rollout.result("c3", "Plan updated")
    rollout.replies("Done.")
    rollout.news("task_complete", turn_id="t1", last_agent_message="Done.")


def paginated(rollout: Rollout) -> None:
    """0.150 and later: finished items instead of news."""
    rollout.meta(cli_version="0.169.0", history_mode="paginated")
    rollout.news("task_started", turn_id="t1")
    rollout.message("user", RULES, ENVIRONMENT)
    rollout.message("user", "fix the total")
    rollout.done("UserMessage", id="u1", content=[{"type": "text", "text": "fix the total"}])
    rollout.message("developer", "a hook's text")
    rollout.done("AgentMessage", id="m1", content=[{"type": "Text", "text": "On it."}])
    rollout.message("assistant", "On it.")
    rollout.call("exec_command", "c1", cmd="pytest -q")
    rollout.done(
        "CommandExecution",
        id="c1",
        command=["/bin/bash", "-lc", "pytest -q"],
        cwd="file:///home/ana/shop",
        status="failed",
        aggregated_output="2 failed",
        exit_code=1,
    )
    rollout.result(
        "c1", "Chunk ID: a\nWall time: 1 seconds\nProcess exited with code 1\nOutput:\n2 f"
    )
    rollout.free("apply_patch", "c2", PATCH)
    diff = "@@ -1,1 +1,2 @@\n-total = 0\n+total = 1\n+tax = 2\n"
    changes = {"/home/ana/shop/cart.py": {"type": "update", "unified_diff": diff}}
    rollout.done("FileChange", id="c2", changes=changes, status="completed")
    rollout.item(
        "custom_tool_call_output",
        call_id="c2",
        output=f"Exit code: 0\nWall time: 0 seconds\nOutput:\n{SUCCESS}",
    )
    rollout.add("token_usage_record", usage={"total_tokens": 9})
    rollout.call("update_plan", "c3", plan=PLAN)
    rollout.result("c3", "Plan updated")
    rollout.done("AgentMessage", id="m2", content=[{"type": "Text", "text": "Done."}])
    rollout.message("assistant", "Done.")
    rollout.news("task_complete", turn_id="t1")


GENERATIONS = pytest.mark.parametrize("generation", [flat, wrapped, newer, paginated])


@GENERATIONS
def test_each_generation_tells_the_same_work(
    rollout: Rollout, generation: Callable[[Rollout], None]
) -> None:
    generation(rollout)
    told = [each for each in rollout.events() if not isinstance(each, TurnEnded)]
    prompt, first, ran, edited, todo, last = told
    assert isinstance(prompt, Prompt)
    assert (prompt.text, prompt.source) == ("fix the total", "typed")
    assert isinstance(first, Reply)
    assert isinstance(last, Reply)
    assert (first.text, last.text) == ("On it.", "Done.")
    assert isinstance(ran, Ran)
    assert (ran.command, ran.failed, ran.exit_code) == ("pytest -q", True, 1)
    assert (ran.output, ran.state, ran.cwd) == ("2 failed", "done", "/home/ana/shop")
    assert isinstance(edited, Edited)
    assert edited.path == "/home/ana/shop/cart.py"
    assert (edited.change, edited.added, edited.removed) == ("edited", 2, 1)
    assert edited.text == "total = 1\ntax = 2"
    assert isinstance(todo, TodoList)
    assert todo.items == (
        TodoItem(title="fix the total", status="completed"),
        TodoItem(title="test", status="pending"),
    )


@GENERATIONS
def test_each_generation_tells_where_it_was(
    rollout: Rollout, generation: Callable[[Rollout], None]
) -> None:
    generation(rollout)
    opened = rollout.open()
    moved = [event for event in opened if isinstance(event, Moved)]
    assert (moved[-1].cwd, moved[-1].branch) == ("/home/ana/shop", "main")
    origin = opened.origin
    assert (origin.agent, origin.session) == ("codex", rollout.thread)
    assert (origin.cwd, origin.branch) == ("/home/ana/shop", "main")
    assert origin.started == "2026-03-01T10:00:00.000Z"
    assert origin.lines == len(rollout.lines)
    assert origin.transcript == str(rollout.path)
    assert not opened.problems


@GENERATIONS
def test_each_place_leads_to_its_record(
    rollout: Rollout, generation: Callable[[Rollout], None]
) -> None:
    generation(rollout)
    prompt, _, _, edited, *_ = rollout.events()
    assert b"fix the total" in rollout.lines[prompt.line - 1]
    assert b"cart.py" in rollout.lines[edited.line - 1]


def test_lines_of_the_new_file_are_known_where_the_client_tells_them(rollout: Rollout) -> None:
    paginated(rollout)
    (edited,) = rollout.events(Edited)
    assert isinstance(edited, Edited)
    assert edited.spans == ((1, 2),)


@pytest.mark.parametrize("generation", [newer, paginated])
def test_the_client_says_that_a_turn_has_ended(
    rollout: Rollout, generation: Callable[[Rollout], None]
) -> None:
    generation(rollout)
    assert isinstance(rollout.events()[-1], TurnEnded)


def test_an_unknown_kind_of_line_is_skipped(rollout: Rollout) -> None:
    rollout.meta()
    rollout.add("from_the_future", message="x")
    rollout.says("fix it")
    opened = rollout.open()
    assert len([event for event in opened if isinstance(event, Prompt)]) == 1
    assert not opened.problems
