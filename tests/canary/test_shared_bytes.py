"""Canaries in what is pushed and in what strangers pushed: no object on the remote and no byte
that is written or printed here holds one.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.canary.machine import USER, Machine
from tests.canary.planting import TEMPLATES, Garden
from tests.sampling import sample

from onward.redaction.engine import MARK

PARTS = 4
FIELDS = ("Task", "Created")
SECTIONS = (
    "Progress",
    "Next Action",
    "Blockers",
    "Key Decisions",
    "Relevant Context",
    "Requests",
    "Dead Ends",
    "Files",
    "A heading of their own",
)


def page(garden: Garden, title: str) -> str:
    """A checkpoint or a document with canaries in every field."""
    head = [f"**{field}:** {garden.plant(f'field {field}')}" for field in FIELDS]
    body = [f"## {each}\n- {garden.plant(f'section {each}')}" for each in SECTIONS]
    return "\n\n".join([f"# {title}", *head, *body, f"## {garden.plant('heading')}\nx"]) + "\n"


def protocol(garden: Garden) -> str:
    say = garden.plant
    task = {"id": "TASK_001", "title": say("title"), "status": "pending", "context": say("context")}
    return json.dumps(
        {
            "metadata": {"created": "2026-03-01T13:40:00Z", "branch": say("branch"), "x": say("x")},
            "tasks": [{**task, say("a name of a field"): [say("a list"), {"a": say("deep")}]}],
            "context_blocks": [{"id": "CTX_001", "title": say("block"), "content": say("words")}],
        }
    )


def objects(bare: Path) -> bytes:
    """All that a repository holds, unpacked."""
    words = ["git", "-C", str(bare), "cat-file", "--batch-all-objects", "--batch", "--buffer"]
    return subprocess.run(words, check=True, capture_output=True).stdout


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    made.git("init", "-q", "-b", "main")
    made.git("commit", "-q", "--allow-empty", "-m", "Start")
    made.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    made.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    return made


@pytest.mark.parametrize("part", sample(range(PARTS), 1, "own"))
def test_no_canary_is_in_any_object_on_the_remote(
    part: int, machine: Machine, tmp_path: Path
) -> None:
    garden = Garden(TEMPLATES[part::PARTS], part)
    checkpoints, memory = machine.root / "memory/checkpoints", machine.root / ".claude/memory"
    for folder in (checkpoints, memory):
        folder.mkdir(parents=True)
    for number in range(12):
        (checkpoints / f"fix-{number}.md").write_text(page(garden, f"Checkpoint: fix-{number}"))
        text = f"---\ntags: [{json.dumps(garden.plant('tag'))}]\n---\n{page(garden, 'Session: x')}"
        (memory / f"session-2026-03-{number + 1:02}-1340.md").write_text(text)
    (machine.root / "session-protocol.json").write_text(protocol(garden))
    assert machine.onward("push").code == 0
    pushed = objects(tmp_path / "remote.git")
    assert len(set(MARK.findall(pushed))) > 20, "next to nothing went out: this test sees nothing"
    assert garden.found(pushed) == []
    assert USER.encode() not in pushed
    assert machine.onward("forget", "--all").code == 0
    assert garden.found(machine.told) == []


@pytest.mark.parametrize("part", sample(range(PARTS), 1, "strangers"))
def test_no_canary_of_a_stranger_is_in_any_byte_that_is_written_or_printed(
    part: int, machine: Machine, tmp_path: Path
) -> None:
    garden = Garden(TEMPLATES[part::PARTS], part + PARTS)
    remote, forge = tmp_path / "remote.git", tmp_path / "forge"
    for folder in ("checkpoints", "documents"):
        (forge / folder).mkdir(parents=True)
    names = [f"fix-{number}" for number in range(12)]
    for name in names:
        (forge / f"checkpoints/{name}.md").write_text(page(garden, f"Checkpoint: {name}"))
        (forge / f"documents/session-{name}.md").write_text(page(garden, f"Session: {name}"))
    (forge / "protocol.json").write_text(protocol(garden))
    about = {"version": 1, "name": garden.name("machine"), "root": garden.plant("root")}
    (forge / "machine.json").write_text(json.dumps({**about, "written": "2026-03-01T13:40:00Z"}))
    env = {**os.environ, **machine.env}
    for words in (
        ("init", "-q", "-b", "x"),
        ("add", "-A"),
        ("commit", "-qm", garden.plant("subject")),
        ("push", "-q", str(remote), "x:refs/onward/v1/them-0a1b2c3d"),
    ):
        subprocess.run(["git", *words], cwd=forge, env=env, check=True, capture_output=True)
    assert machine.onward("pull").code == 0
    for verb in ("list", "peers"):
        assert machine.onward(verb).code == 0
        assert machine.onward(verb, "--json").code == 0
    for name in (*names[:6], *(f"session-{name}" for name in names[:3]), "protocol"):
        for verb in ("show", "brief", "resume"):
            assert machine.onward(verb, f"{name}@them-0a1b2c3d").code == 0
            assert machine.onward(verb, f"{name}@them-0a1b2c3d", "--json").code == 0
    assert len(set(MARK.findall(machine.told))) > 20, "this test sees nothing"
    assert garden.found(machine.told) == []
    for path, data in machine.written().items():
        assert garden.found(data) == [], path


def test_no_password_of_a_remote_is_printed(machine: Machine) -> None:
    for word in ("https://zoe:hunter2hunter2@127.0.0.1:1/r.git", "-x", "no\x1b[31msuch"):
        for verb in ("push", "pull"):
            assert machine.onward(verb, word).code != 0
    assert b"hunter2" not in machine.told
    assert b"\x1b" not in machine.told
