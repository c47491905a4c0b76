"""A thread and its family: forks, what was taken back, sub-agents, compressed files, places."""

from __future__ import annotations

import json
import shutil
import sys
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from backports import zstd
from tests.unit.transcripts.places import place

from onward.errors import InputError, NotFoundError
from onward.model import Delegated, Edited, Event, Prompt, Ran, Reply
from onward.record import record
from onward.transcripts.registry import agent_of, open_transcript

if TYPE_CHECKING:
    from tests.unit.transcripts.codex.conftest import Rollout

ADD = "*** Begin Patch\n*** Add File: a.py\n+one\n*** End Patch"


def said(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Prompt | Reply)]


# ------------------------------------------------------------------------------ forks


def fork(parent: Rollout, child: Rollout, end: int) -> None:
    base = {"thread_id": parent.thread, "end_ordinal_exclusive": end, "end_byte_offset": 9}
    child.meta(forked_from_id=parent.thread, history_base=base)


def test_a_fork_goes_on_from_what_its_parent_had_then(rollout: Rollout, other: Rollout) -> None:
    rollout.meta()
    asked = rollout.says("fix it")
    end = rollout.replies("done")
    rollout.says("only in the parent")
    rollout.write()
    fork(rollout, other, end)
    line = other.says("try it another way")
    events = other.events()
    assert said(events) == ["fix it", "done", "try it another way"]
    assert events[-1].place == f"t:{line}"
    opened = other.open()
    assert said(list(opened))[0] == "fix it"
    assert opened.origin.session == other.thread
    assert opened.origin.lines == len(other.lines)
    agent_of(other.path)
    assert "fix it" in place(other.path, events[0].line, "")
    assert b"fix it" in rollout.lines[asked - 1]
    assert "try it" in place(other.path, events[-1].line, "")


def test_what_a_fork_did_counts_as_later_than_what_its_parent_had_done(
    rollout: Rollout, other: Rollout
) -> None:
    def runs(told: Rollout, key: str, command: str, output: str, code: int) -> None:
        told.call("exec_command", key, cmd=command)
        told.result(key, f"Process exited with code {code}\nOutput:\n{output}")

    rollout.meta()
    rollout.says("limit the listing of orders")
    runs(rollout, "a", "git commit -qam 'Limit'; git log -1", "[main abc1234] Limit", 0)
    end = rollout.replies("The listing is limited.")
    rollout.write()
    fork(rollout, other, end)
    other.says("now cache the price of each product, and test it")
    runs(other, "b", "pytest -q", "FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed", 1)
    found = record(other.events()).next_action
    assert found is not None
    assert "pytest -q" in found.text
    assert found.text.startswith("Fix the failing test run")


def test_a_fork_whose_parent_is_gone_has_its_own_words(rollout: Rollout, other: Rollout) -> None:
    fork(rollout, other, 9)
    other.says("try it another way")
    events = other.events()
    assert said(events) == ["try it another way"]
    with pytest.raises(NotFoundError):
        place(other.path, 1_000_002, "")


def test_forks_that_name_each_other_end(rollout: Rollout, other: Rollout) -> None:
    fork(other, rollout, 9)
    rollout.says("one")
    rollout.write()
    fork(rollout, other, 9)
    other.says("two")
    assert said(other.events()) == ["one", "two"]


def test_an_older_fork_that_copied_its_parent_keeps_its_own_name(
    rollout: Rollout, other: Rollout
) -> None:
    other.meta(forked_from_id=rollout.thread)
    other.raw(
        json.loads(b'{"type":"session_meta","timestamp":"","payload":{"id":"x","cwd":"/old"}}')
    )
    other.says("fix it")
    other.says("try it another way")
    opened = other.open()
    assert said(list(opened)) == ["fix it", "try it another way"]
    assert (opened.origin.session, opened.origin.cwd) == (other.thread, "/home/ana/shop")


# --------------------------------------------------------------------- what was undone


def test_what_was_taken_back_was_not_said_but_done(rollout: Rollout) -> None:
    rollout.meta()
    rollout.says("one")
    rollout.replies("first")
    for n, text in enumerate(("two", "three")):
        rollout.says(text)
        rollout.free("apply_patch", f"c{n}", ADD)
        rollout.item("custom_tool_call_output", call_id=f"c{n}", output="Success.")
        rollout.replies("gone")
    rollout.news("thread_rolled_back", num_turns=2)
    rollout.says("four")
    events = rollout.events()
    assert said(events) == ["one", "first", "four"]
    assert len([event for event in events if isinstance(event, Edited)]) == 2


@pytest.mark.parametrize("turns", [0, -1, 9])
def test_a_rollback_of_no_turn_takes_nothing_and_one_of_too_many_takes_all(
    rollout: Rollout, turns: int
) -> None:
    rollout.meta()
    rollout.says("one")
    rollout.news("thread_rolled_back", num_turns=turns)
    assert said(rollout.events()) == ([] if turns > 0 else ["one"])


def parent_who_went_back(parent: Rollout) -> int:
    """A thread in which the second of three prompts was taken back; how many lines it has."""
    parent.meta()
    parent.says("one")
    parent.says("two")
    parent.news("thread_rolled_back", num_turns=1)
    end = parent.says("three")
    parent.write()
    return end


def test_what_was_taken_back_in_its_parent_no_fork_says(rollout: Rollout, other: Rollout) -> None:
    fork(rollout, other, parent_who_went_back(rollout))
    other.says("four")
    assert said(other.events()) == ["one", "three", "four"]


def test_what_its_parent_took_back_after_the_fork_still_was_said_in_it(
    rollout: Rollout, other: Rollout
) -> None:
    rollout.meta()
    end = rollout.says("one")
    rollout.news("thread_rolled_back", num_turns=1)
    rollout.write()
    fork(rollout, other, end)
    other.says("two")
    assert said(other.events()) == ["one", "two"]


def test_a_fork_may_go_back_behind_its_beginning(rollout: Rollout, other: Rollout) -> None:
    fork(rollout, other, parent_who_went_back(rollout))
    other.says("four")
    other.news("thread_rolled_back", num_turns=2)
    other.says("five")
    assert said(other.events()) == ["one", "five"]


def test_a_fork_of_a_fork_holds_nothing_after_the_point_it_left_at(
    rollout: Rollout, other: Rollout
) -> None:
    rollout.meta()
    early = rollout.says("one")
    late = rollout.says("two")
    rollout.write()
    other.first = late
    fork(rollout, other, late)
    other.says("three")
    other.write()
    third = type(other)(other.path.with_name("rollout-third.jsonl"), "third")
    fork(other, third, early)
    third.says("four")
    assert said(third.events()) == ["one", "four"]


# ------------------------------------------------------------------------- sub-agents


def spawned(rollout: Rollout, helper: Rollout) -> None:
    rollout.meta()
    rollout.says("look around")
    rollout.call("spawn_agent", "c1", message="Find the cart.", agent_type="explorer")
    rollout.result("c1", json.dumps({"agent_id": helper.thread, "nickname": "Euler"}))


def helped(helper: Rollout) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "x", "depth": 1}}}
    helper.meta(source=source, thread_source="subagent")
    helper.says("Find the cart.")
    helper.call("exec_command", "h1", cmd="ls")
    helper.result("h1", "Exit code: 0\nWall time: 1 seconds\nOutput:\ncart.py")
    helper.replies("It is cart.py.")
    helper.write()


def reports(rollout: Rollout, how: str, helper: Rollout) -> int:
    state = {"completed": "It is cart.py."}
    if how == "wait":
        rollout.call("wait_agent", "c2", ids=[helper.thread])
        output = {"status": {helper.thread: state}, "timed_out": False}
        return rollout.result("c2", json.dumps(output))
    notice = json.dumps({"agent_id": helper.thread, "status": state})
    return rollout.message("user", f"<subagent_notification>\n{notice}\n</subagent_notification>")


@pytest.mark.parametrize("how", ["wait", "notice"])
def test_a_sub_agents_work_stands_before_its_report(
    rollout: Rollout, other: Rollout, how: str
) -> None:
    helped(other)
    spawned(rollout, other)
    line = reports(rollout, how, other)
    prompt, ran, reply, delegated = rollout.events()
    assert isinstance(prompt, Prompt)
    assert isinstance(ran, Ran)
    assert isinstance(reply, Reply)
    assert (ran.thread, reply.thread) == (other.thread, other.thread)
    assert isinstance(delegated, Delegated)
    assert (delegated.task, delegated.report) == ("Find the cart.", "It is cart.py.")
    assert (delegated.state, delegated.agent, delegated.line) == ("done", other.thread, line)
    assert "ls" in place(rollout.path, 4, other.thread)


def test_a_sub_agent_that_never_reported_is_at_work(rollout: Rollout, other: Rollout) -> None:
    spawned(rollout, other)
    delegated = rollout.events()[-1]
    assert isinstance(delegated, Delegated)
    assert (delegated.state, delegated.report) == ("running", "")


@pytest.mark.parametrize("thread", ["../../etc/passwd", "*", "01a1fe15-none"])
def test_a_place_of_a_sub_agent_that_is_not_there_is_not_found(
    rollout: Rollout, thread: str
) -> None:
    rollout.meta()
    path = rollout.write()
    with pytest.raises(NotFoundError):
        place(path, 1, thread)


# ------------------------------------------------------------------- compressed files


def packed(path: Path, data: bytes) -> Path:
    target = path.with_name(path.name + ".zst")
    target.write_bytes(zstd.compress(data))
    return target


def test_a_compressed_rollout_is_read_like_a_plain_one(rollout: Rollout) -> None:
    rollout.meta()
    rollout.says("fix it")
    plain = rollout.write()
    expected = list(open_transcript(plain))
    target = packed(plain, plain.read_bytes())
    plain.unlink()
    assert list(open_transcript(target)) == expected
    assert "fix it" in place(target, 2, "")


def test_a_compressed_copy_is_known_by_its_bytes(rollout: Rollout, tmp_path: Path) -> None:
    rollout.meta()
    rollout.says("fix it")
    copy = tmp_path / "copy.jsonl"
    shutil.copy(packed(rollout.write(), b"".join(rollout.lines)), copy)
    assert said(list(open_transcript(copy))) == ["fix it"]


def test_of_a_torn_compressed_file_the_beginning_is_read(rollout: Rollout) -> None:
    rollout.meta()
    for n in range(3000):
        rollout.says(f"prompt {n * 7919 % 3001} of many")
    target = packed(rollout.write(), b"".join(rollout.lines))
    target.write_bytes(target.read_bytes()[:-2000])
    found = said(list(open_transcript(target)))
    assert 0 < len(found) < 3000


def test_a_file_that_is_compressed_in_the_meantime_is_found_under_its_other_name(
    rollout: Rollout,
) -> None:
    rollout.meta()
    rollout.says("fix it")
    plain = rollout.write()
    opened = open_transcript(plain)
    packed(plain, plain.read_bytes())
    plain.unlink()
    assert said(list(opened)) == ["fix it"]


def test_a_python_that_cannot_unpack_says_what_to_install(
    rollout: Rollout, monkeypatch: pytest.MonkeyPatch
) -> None:
    rollout.meta()
    target = packed(rollout.write(), b"".join(rollout.lines))
    monkeypatch.setitem(sys.modules, "backports", None)
    with pytest.raises(InputError) as error:
        list(open_transcript(target))
    assert error.value.hint == "pip install backports.zstd"


def test_a_long_rollout_is_read_in_little_memory(rollout: Rollout) -> None:
    rollout.meta()
    path = rollout.write()
    output = (
        "Chunk ID: a\nWall time: 1 seconds\nProcess exited with code 0\nOutput:\n" + "x" * 20_000
    )
    rollout.lines.clear()
    for n in range(20):
        rollout.call("exec_command", f"c{n}", cmd=f"make {n}")
        rollout.result(f"c{n}", output)
        rollout.add("compacted", message="", replacement_history=[{"text": "y" * 50_000}])
    block = b"".join(rollout.lines)
    with path.open("ab") as file:
        for _ in range(60):
            file.write(block)
    assert path.stat().st_size > 80_000_000
    tracemalloc.start()
    count = sum(1 for _ in open_transcript(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count > 2000
    assert peak < 20_000_000


def test_what_was_taken_back_is_no_line_of_a_sub_agents_rollout(
    rollout: Rollout, other: Rollout
) -> None:
    other.meta(source={"subagent": {}})
    for n in range(9):
        other.replies(f"found {n}")
    other.write()
    spawned(rollout, other)
    rollout.says("never mind")
    rollout.news("thread_rolled_back", num_turns=1)
    found = [event for event in rollout.events(Reply) if event.thread]
    assert said(found) == [f"found {n}" for n in range(9)]


def test_a_thread_is_no_sub_agent_of_itself(rollout: Rollout, other: Rollout) -> None:
    spawned(rollout, rollout)
    rollout.replies("looked")
    assert said(rollout.events()) == ["look around", "looked"]


@pytest.mark.parametrize(
    ("command", "output", "branch"),
    [
        ("git switch -c tax", "Switched to a new branch 'tax'\n", "tax"),
        ("scripts/new-feature.sh", "Switched to a new branch 'tax'\n{}\n", "tax"),
        ("git commit -m x", "[tax (root-commit) 1a2b3c4] x\n 1 file changed\n", "tax"),
        ("git status", "On branch tax\nnothing to commit\n", "tax"),
        ("cd ../other && git status", "On branch tax\n", "main"),
        ("git -C ../other switch tax", "Switched to branch 'tax'\n", "main"),
        ("cat notes.txt", "On branch tax\n", "main"),
        ("git commit -m x", "[detached HEAD 1a2b3c4] x\n", "main"),
    ],
)
def test_the_branch_is_the_last_that_git_named_in_the_folder(
    rollout: Rollout, command: str, output: str, branch: str
) -> None:
    rollout.meta()
    rollout.says("go on")
    rollout.call("exec_command", "c1", cmd=command)
    rollout.result("c1", f"Process exited with code 0\nOutput:\n{output}")
    transcript = rollout.open()
    list(transcript)
    assert transcript.origin.branch == branch
