"""Which threads there are, and what is told of them without reading all of a file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from backports import zstd
from tests.unit.transcripts.places import place

from onward.transcripts.disk import HEAD
from onward.transcripts.reader import TAIL
from onward.transcripts.registry import Unread, agent_of, current, find_sessions, unreadable

if TYPE_CHECKING:
    from tests.unit.transcripts.codex.conftest import Rollout


@pytest.fixture
def home(tmp_path: Path, rollout: Rollout, other: Rollout) -> Path:
    rollout.meta()
    rollout.message("user", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>")
    rollout.says("fix the login")
    rollout.replies("done")
    rollout.says("ok")
    rollout.write()
    other.lines += [b" \n"] * 90  # later than the first by its times
    other.meta(cwd="/home/ana/shop/web", git=None)
    other.says("style the cart")
    other.add("turn_context", cwd="/home/ana/other", model="a-model")
    other.write()
    return tmp_path


def test_threads_come_newest_first(home: Path, rollout: Rollout, other: Rollout) -> None:
    found = find_sessions(home, {})
    assert [info.session for info in found] == [other.thread, rollout.thread]
    assert {info.agent for info in found} == {"codex"}


def test_what_is_told_of_a_thread(home: Path, rollout: Rollout) -> None:
    info = find_sessions(home, {})[1]
    assert (info.cwd, info.branch, info.path) == ("/home/ana/shop", "main", rollout.path)
    assert (info.prompts, info.title, info.last_prompt) == (2, "fix the login", "ok")
    assert info.started == "2026-03-01T10:00:00.000Z"
    assert info.ended > info.started
    assert info.whole


def test_a_thread_belongs_to_the_folders_inside_its_records(home: Path, other: Rollout) -> None:
    (info,) = find_sessions(home, {}, cwd="/home/ana/other")
    assert info.session == other.thread
    assert info.cwds == ("/home/ana/shop/web", "/home/ana/other")


def test_the_client_may_keep_its_things_elsewhere(home: Path, tmp_path: Path) -> None:
    env = {"CODEX_HOME": str(home / ".codex")}
    assert len(find_sessions(tmp_path / "nobody", env)) == 2
    assert find_sessions(tmp_path / "nobody", {}) == []


def test_a_place_told_from_the_current_folder_is_told_whole(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is found there is written down, and opened from other folders."""
    monkeypatch.chdir(home)
    paths = [info.path for info in find_sessions(home / "nobody", {"CODEX_HOME": ".codex"})]
    assert len(paths) == 2
    assert all(path.is_relative_to(home / ".codex") for path in paths)


def test_archived_threads_are_there(home: Path, rollout: Rollout) -> None:
    archive = home / ".codex/archived_sessions"
    archive.mkdir()
    rollout.path.rename(archive / rollout.path.name)
    assert rollout.thread in {info.session for info in find_sessions(home, {})}


def test_a_persons_name_for_a_thread_is_its_title(home: Path, rollout: Rollout) -> None:
    names = [{"id": rollout.thread, "thread_name": name} for name in ("First", "My login")]
    index = home / ".codex/session_index.jsonl"
    index.write_text("".join(json.dumps(each) + "\n" for each in names) + "torn")
    assert find_sessions(home, {})[1].title == "My login"


@pytest.mark.parametrize(
    "source", ["exec", {"subagent": "review"}, {"subagent": {"thread_spawn": {}}}]
)
def test_a_thread_that_no_person_held_is_not_offered(
    tmp_path: Path, rollout: Rollout, source: object
) -> None:
    rollout.meta(source=source)
    rollout.says("fix it")
    rollout.write()
    assert find_sessions(tmp_path, {}) == []
    (info,) = find_sessions(tmp_path, {}, hidden=True)
    assert info.session == rollout.thread


def test_a_thread_in_which_nothing_was_said_is_none(tmp_path: Path, rollout: Rollout) -> None:
    rollout.meta()
    rollout.message("user", "<user_instructions>\nBe brief.\n</user_instructions>")
    rollout.write()
    assert find_sessions(tmp_path, {}, hidden=True) == []


def test_the_oldest_threads_tell_their_folder_in_a_message(
    tmp_path: Path, rollout: Rollout
) -> None:
    rollout.raw({"id": rollout.thread, "timestamp": "2026-03-01T10:00:00Z", "instructions": None})
    for text in (
        "<environment_context>\n<cwd>/home/ana/shop</cwd>\n</environment_context>",
        "fix it",
    ):
        content = [{"type": "input_text", "text": text}]
        rollout.raw({"type": "message", "role": "user", "content": content})
    rollout.write()
    (info,) = find_sessions(tmp_path, {})
    assert (info.session, info.cwd, info.title) == (rollout.thread, "/home/ana/shop", "fix it")


def test_of_two_forms_of_one_thread_the_plain_one_is_read(home: Path, rollout: Rollout) -> None:
    packed = rollout.path.with_name(rollout.path.name + ".zst")
    packed.write_bytes(zstd.compress(rollout.path.read_bytes()))
    assert [info.path for info in find_sessions(home, {})][1] == rollout.path
    rollout.path.unlink()
    info = find_sessions(home, {})[1]
    assert (info.path, info.session, info.prompts) == (packed, rollout.thread, 2)


@pytest.mark.parametrize("is_packed", [False, True])
def test_of_a_long_rollout_only_the_ends_count(
    tmp_path: Path, rollout: Rollout, is_packed: bool
) -> None:
    rollout.meta(base_instructions={"text": "You are Codex"})
    rollout.says("fix the login")
    for _ in range((HEAD + TAIL) // 1000 + 1):
        rollout.item("reasoning", encrypted_content="x" * 1000)
    middle = len(rollout.lines)
    rollout.says("the end")
    rollout.lines[middle // 2] = rollout.lines[1].replace(b"fix the login", b"in the middle")
    path = rollout.write()
    if is_packed:
        path.with_name(path.name + ".zst").write_bytes(zstd.compress(path.read_bytes()))
        path.unlink()
    (info,) = find_sessions(tmp_path, {})
    assert (info.session, info.title, info.last_prompt) == (
        rollout.thread,
        "fix the login",
        "the end",
    )
    assert (info.prompts, info.whole) == (2, False)


def test_what_cannot_be_read_is_named(home: Path, rollout: Rollout) -> None:
    rollout.path.write_bytes(b"\0" * 500)
    assert unreadable(home, {}) == [Unread(rollout.path, "no record in it")]


def test_a_pipe_under_the_name_of_a_rollout_keeps_nobody_waiting(
    home: Path, rollout: Rollout, other: Rollout
) -> None:
    rollout.path.unlink()
    os.mkfifo(rollout.path)
    assert [info.path for info in find_sessions(home, {})] == [other.path]
    assert unreadable(home, {}) == []


def test_a_rollout_is_known_by_its_lines_not_by_its_name(rollout: Rollout, tmp_path: Path) -> None:
    rollout.meta()
    copy = tmp_path / "copy.txt"
    copy.write_bytes(rollout.write().read_bytes())
    assert agent_of(copy).NAME == "codex"


@pytest.mark.parametrize(
    ("env", "thread"),
    [({"CODEX_THREAD_ID": "01a1"}, "01a1"), ({}, ""), ({"CODEX_THREAD_ID": "../x"}, "")],
)
def test_the_thread_that_a_command_is_part_of_is_told_by_the_client(
    env: dict[str, str], thread: str
) -> None:
    assert current(env) == thread


def test_a_place_is_shown_as_a_person_would_read_it(rollout: Rollout) -> None:
    lines = {
        rollout.meta(base_instructions={"text": "You are Codex"}): '"cwd": "/home/ana/shop"',
        rollout.message("user", "fix it", "now"): "fix it\nnow",
        rollout.news("user_message", message="fix it"): "event_msg · user_message · 2026",
        rollout.call("exec_command", "c1", cmd="npm test"): "→ exec_command\n  command: npm test",
        rollout.free("apply_patch", "c2", "*** Begin Patch"): "→ apply_patch\n*** Begin Patch",
        rollout.result("c1", "1 failed"): "✓ result\n1 failed",
        rollout.done("AgentMessage", content=[{"type": "Text", "text": "Done."}]): "Done.",
        rollout.add("compacted", message="Half.", replacement_history=[{"a": 1}]): "Half.",
    }
    path = rollout.write()
    with path.open("ab") as file:
        file.write(b"broken\n")
    agent_of(path)
    for line, text in lines.items():
        shown = place(path, line, "")
        assert text in shown
        assert "You are Codex" not in shown
    assert place(path, len(lines) + 1, "") == "broken"
