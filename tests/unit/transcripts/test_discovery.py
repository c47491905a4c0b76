"""Which sessions there are, and which file is whose."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.unit.transcripts.places import place

from onward.errors import InputError, NotFoundError, OnwardError
from onward.transcripts.disk import HEAD
from onward.transcripts.reader import TAIL
from onward.transcripts.registry import AGENTS, agent_of, below, find_sessions, open_transcript


def record(kind: str, **fields: Any) -> str:
    return json.dumps({"type": kind, **fields}) + "\n"


def conversation(session: str, cwd: str, *prompts: str, day: int = 1) -> str:
    lines = record("summary", summary="Another session", leafUuid="x")
    for n, words in enumerate(prompts):
        common = {"sessionId": session, "cwd": cwd, "gitBranch": "main"}
        at = {"timestamp": f"2026-03-{day:02}T10:00:0{n}.000Z"}
        lines += record(
            "user", uuid=f"{session}-{day}-{n}", message={"content": words}, **common, **at
        )
    return lines


@pytest.fixture
def home(tmp_path: Path) -> Path:
    projects = tmp_path / ".claude" / "projects"
    for folder, name, text in (
        ("-home-ana-shop", "s1", conversation("s1", "/home/ana/shop", "fix it", "push", day=1)),
        ("-home-ana-shop", "s2", conversation("s2", "/home/ana/shop/web", "style it", day=3)),
        ("-home-ana-shop", "agent-a1", conversation("s1", "/home/ana/shop", "Find")),
        ("-home-ana-shop", "empty", ""),
        ("-home-ana-shop", "titles", record("summary", summary="a", leafUuid="x")),
        ("-home-ana-other", "s3", conversation("s3", "/home/ana/shopping", "buy", day=2)),
    ):
        (projects / folder).mkdir(parents=True, exist_ok=True)
        (projects / folder / f"{name}.jsonl").write_text(text)
    return tmp_path


def test_sessions_come_newest_first_without_sub_agents_and_empty_files(home: Path) -> None:
    assert [info.session for info in find_sessions(home, {}, cwd=None)] == ["s2", "s3", "s1"]


def test_a_session_belongs_to_the_folder_inside_its_records(home: Path) -> None:
    assert [info.session for info in find_sessions(home, {}, cwd="/home/ana/shop")] == ["s2", "s1"]
    assert [info.session for info in find_sessions(home, {}, cwd="/home/ana/shopping")] == ["s3"]


def test_the_client_may_keep_its_things_elsewhere(home: Path, tmp_path: Path) -> None:
    env = {"CLAUDE_CONFIG_DIR": str(home / ".claude")}
    assert len(find_sessions(tmp_path / "nobody", env, cwd=None)) == 3
    assert find_sessions(tmp_path / "nobody", {}, cwd=None) == []


def test_a_place_told_from_the_current_folder_is_told_whole(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is found there is written down, and opened from other folders."""
    monkeypatch.chdir(home)
    found = find_sessions(home / "nobody", {"CLAUDE_CONFIG_DIR": ".claude"})
    assert len(found) == 3
    assert all(info.path.is_relative_to(home / ".claude") for info in found)


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own there")
def test_a_project_that_is_a_link_is_listed_and_searched_alike(home: Path) -> None:
    projects = home / ".claude/projects"
    (projects / "-home-ana-other").rename(home / "other disk")
    (projects / "-home-ana-other").symlink_to(home / "other disk")
    listed = {info.path for info in find_sessions(home, {})}
    assert projects / "-home-ana-other/s3.jsonl" in listed
    assert listed <= {path for client in AGENTS for path in client.files(home, {}, [])}


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own there")
def test_a_link_that_leads_back_is_not_followed_for_ever(home: Path) -> None:
    projects = home / ".claude/projects"
    helper = projects / "-home-ana-shop/s1/subagents/agent-b.jsonl"
    helper.parent.mkdir(parents=True)
    helper.write_text("{}\n")
    (helper.parents[1] / "back").symlink_to(projects)
    every = [path for client in AGENTS for path in client.files(home, {}, [])]
    assert [path for path in every if path.name == helper.name] == [helper]


@pytest.mark.skipif(os.name == "nt", reason="there are no such pipes")
def test_a_pipe_under_the_name_of_a_transcript_keeps_nobody_waiting(home: Path) -> None:
    os.mkfifo(home / ".claude/projects/-home-ana-shop/waits.jsonl")
    listed = list(AGENTS[0].files(home, {}, []))
    assert not [path for path in listed if path.name == "waits.jsonl"]
    assert [info.session for info in find_sessions(home, {}, cwd=None)] == ["s2", "s3", "s1"]


def test_what_is_told_of_a_session(home: Path) -> None:
    info = find_sessions(home, {}, cwd="/home/ana/shop")[1]
    assert (info.agent, info.cwd, info.branch) == ("claude-code", "/home/ana/shop", "main")
    assert (info.prompts, info.title, info.last_prompt) == (2, "fix it", "push")
    assert (info.started, info.ended) == ("2026-03-01T10:00:00.000Z", "2026-03-01T10:00:01.000Z")
    assert info.whole
    assert info.size == info.path.stat().st_size


def test_a_session_that_began_with_a_plan_is_called_as_the_plan_is(home: Path) -> None:
    words = "Implement the following plan:\n\n# Plan: Sell by weight\n\n1. Add a scale"
    text = conversation("s9", "/home/ana/scale", words, "go on").replace(
        '"message"', '"planContent": "# Plan: Sell by weight\\n\\n1. Add a scale", "message"', 1
    )
    (home / ".claude/projects/-home-ana-shop/s9.jsonl").write_text(text)
    (info,) = find_sessions(home, {}, cwd="/home/ana/scale")
    assert (info.prompts, info.title) == (2, "Sell by weight")


def test_a_command_of_the_users_own_is_a_request_and_one_of_ours_or_the_clients_is_none(
    home: Path,
) -> None:
    typed = [("ultra", "Draw the flow of the checkout"), ("model", "opus"), ("checkpoint", "a-b")]
    tags = "<command-name>/{0}</command-name>\n<command-args>{1}</command-args>"
    text = conversation("s8", "/home/ana/flow", *(tags.format(*each) for each in typed))
    (home / ".claude/projects/-home-ana-shop/s8.jsonl").write_text(text)
    (info,) = find_sessions(home, {}, cwd="/home/ana/flow")
    told = (info.prompts, info.title, info.last_prompt)
    assert told == (1, *["/ultra Draw the flow of the checkout"] * 2)


def test_a_prompt_typed_while_the_agent_worked_counts(home: Path) -> None:
    with (home / ".claude/projects/-home-ana-shop/s1.jsonl").open("a") as file:
        for fields in ({"operation": "enqueue", "content": "and test it"}, {"operation": "remove"}):
            file.write(record("queue-operation", sessionId="s1", **fields))
    info = find_sessions(home, {}, cwd="/home/ana/shop")[1]
    assert (info.prompts, info.last_prompt) == (3, "and test it")


def test_a_persons_title_wins_over_the_clients(home: Path) -> None:
    with (home / ".claude/projects/-home-ana-shop/s1.jsonl").open("a") as file:
        file.write(record("custom-title", customTitle="My login", sessionId="s1"))
        file.write(record("ai-title", aiTitle="Login work", sessionId="s1"))
    assert find_sessions(home, {}, cwd="/home/ana/shop")[1].title == "My login"


def test_of_a_long_file_only_the_ends_are_read(home: Path) -> None:
    path = home / ".claude/projects/-home-ana-shop/s1.jsonl"
    middle = record("user", sessionId="s1", uuid="m", message={"content": "in the middle"})
    bulk = record("progress", data="x" * 1000)
    rest = conversation("s1", "/home/ana/shop/deep", "the end", day=9)
    count = (HEAD + TAIL) // len(bulk)
    path.write_text(path.read_text() + bulk * count + middle + bulk * count + rest)
    info = find_sessions(home, {}, cwd=None)[0]
    assert (info.session, info.title, info.last_prompt) == ("s1", "fix it", "the end")
    assert (info.prompts, info.whole) == (3, False)
    assert info.cwds == ("/home/ana/shop", "/home/ana/shop/deep")


@pytest.mark.parametrize(
    ("folder", "top", "inside"),
    [
        ("/a/b", "/a/b", True),
        ("/a/b/", "/a/b", True),
        ("/a/b/c", "/a/b", True),
        ("/a/bc", "/a/b", False),
        ("/a", "/a/b", False),
        ("/a/B", "/a/b", False),
        (r"C:\Users\Ana\shop", r"c:\users\ana", True),
        (r"C:\Users\Ana", "C:/Users/Ana", True),
        ("", "/a", False),
    ],
)
def test_a_folder_is_below_another_in_either_systems_spelling(
    folder: str, top: str, inside: bool
) -> None:
    assert below(folder, top) is inside


def test_a_transcript_is_known_by_its_lines_not_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "copy.txt"
    path.write_text(conversation("s1", "/home/ana/shop", "fix it"))
    assert agent_of(path).NAME == "claude-code"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "is empty"),
        ("just words\n", "is no transcript"),
        ('{"display":"fix","project":"/a","sessionId":"s","timestamp":1}\n', "is no transcript"),
        ('{"timestamp":"x","type":"note","payload":{"id":"s"}}\n', "is no transcript"),
        ('{"session":{"id":"s"},"items":[]}\n', "is no transcript"),
        ('{"type":"system","subtype":"init","session_id":"s"}\n', "is no transcript"),
    ],
)
def test_what_is_no_transcript_is_refused(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        open_transcript(path)
    assert what in error.value.message
    assert error.value.hint


def test_a_folder_and_a_missing_file_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        open_transcript(tmp_path)
    with pytest.raises(NotFoundError):
        open_transcript(tmp_path / "none.jsonl")


def test_a_place_is_shown_as_a_person_would_read_it(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "npm test"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "1 failed", "is_error": True}
    path.write_text(
        conversation("s1", "/home/ana/shop", "fix it")
        + record("assistant", sessionId="s1", message={"content": [call]})
        + record("user", sessionId="s1", message={"content": [result]})
        + "broken\n"
    )
    agent_of(path)
    assert "fix it" in place(path, 2, "")
    assert "→ Bash\n  command: npm test" in place(path, 3, "")
    assert "✗ result\n1 failed" in place(path, 4, "")
    assert place(path, 5, "") == "broken"
    with pytest.raises(OnwardError) as error:
        place(path, 6, "")
    assert error.value.exit_code == NotFoundError.exit_code


def test_a_place_of_a_sub_agent_is_looked_up_in_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_text(conversation("s1", "/home/ana/shop", "fix it"))
    own = tmp_path / "s1" / "subagents"
    own.mkdir(parents=True)
    (own / "agent-a1.jsonl").write_text(conversation("s1", "/home/ana/shop", "Find"))
    agent_of(path)
    assert "Find" in place(path, 2, "a1")
    for nobody in ("a2", "../../etc"):
        with pytest.raises(NotFoundError):
            place(path, 2, nobody)


def test_a_transcript_is_known_though_its_first_and_its_last_line_are_enormous(
    tmp_path: Path,
) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text(conversation("s1", "/home/ana/shop", "x" * (2 * HEAD), "y" * (2 * TAIL)))
    assert agent_of(path).NAME == "claude-code"
    path.write_text(record("note", text="x" * (2 * HEAD)) + record("note", text="y" * (2 * TAIL)))
    with pytest.raises(InputError):
        agent_of(path)
