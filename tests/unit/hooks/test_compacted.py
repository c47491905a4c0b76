"""After a compaction: what the summary lacks, told by a hook that the client does not wait for."""

from __future__ import annotations

import json

import pytest
from tests.unit.hooks.conftest import Scene, Stub

from onward.commands.world import World
from onward.errors import NotFoundError
from onward.model import Clean
from onward.transcripts.hook_call import client

LOSS = "onward.commands.compaction.after_compaction"


def test_what_the_summary_lacks_is_told_once_it_is_written(scene: Scene, stub: Stub) -> None:
    calls = stub(LOSS, answer=Clean("Lost: src/a.py"))
    scene.held("Fix the login", end="")
    assert scene.call("compacted", detail="compact") == "Lost: src/a.py"
    ((world, transcript, _, seconds),) = calls
    assert isinstance(world, World)
    assert (world.project, transcript, seconds) == (scene.project, scene.transcript(), 8.0)


def test_a_session_that_is_not_written_down_is_not_waited_for(scene: Scene, stub: Stub) -> None:
    calls = stub(LOSS, answer=Clean("Lost: src/a.py"))
    assert scene.call("compacted", detail="compact") == ""
    assert calls == []


def test_what_goes_wrong_is_the_boundary_s_to_tell(scene: Scene, stub: Stub) -> None:
    stub(LOSS, answer=NotFoundError("x"))
    scene.held("Fix the login", end="")
    with pytest.raises(NotFoundError):
        scene.call("compacted", detail="compact")


def test_the_client_is_told_first_that_it_need_not_wait() -> None:
    line = client("claude-code").ahead("compacted")
    assert json.loads(line) == {"async": True, "asyncTimeout": 15000}
    assert line.index("\n") == len(line) - 1


@pytest.mark.parametrize("event", ["start", "end", "compact", "prompt", "turn", "tool"])
def test_for_every_other_event_it_waits_and_gets_the_plain_text(event: str) -> None:
    assert client("claude-code").ahead(event) == ""
    assert client("claude-code").form(event, "as it is\n") == "as it is\n"


def test_the_late_text_is_the_one_line_that_the_client_reads() -> None:
    told = 'He said: "no" \u2014 never\n- `a\\b` [t:7]\n'
    line = client("claude-code").form("compacted", told)
    assert line.index("\n") == len(line) - 1
    context = {"hookEventName": "SessionStart", "additionalContext": told}
    assert json.loads(line) == {"hookSpecificOutput": context}


def test_nothing_to_tell_leaves_no_trace() -> None:
    assert client("claude-code").form("compacted", "") == ""
