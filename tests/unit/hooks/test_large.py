"""A large transcript on a slow disk: a detached child copies it, and a killed one loses nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import BinaryIO

import pytest
from tests.unit.hooks.conftest import ONE, TWO, Scene, Stub

from onward.errors import StorageError
from onward.hooks import capture, detached
from onward.storage import atomic


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, stub: Stub) -> None:
    """Each transcript counts as a large one."""
    monkeypatch.setattr(capture, "LARGE", 10)
    stub("onward.commands.handover.prepare")


def ended(scene: Scene) -> None:
    """A session of a client that is gone."""
    with subprocess.Popen([sys.executable, "-c", ""]) as client:
        scene.pid = client.pid
        scene.held("Fix the login", end="")
    scene.pid = os.getpid()


def test_its_end_leaves_the_copy_to_a_child(scene: Scene) -> None:
    scene.held("Fix the login")
    assert scene.raw == []
    [(kind, fields)] = scene.jobs
    assert kind == "capture"
    detached.run(kind, fields, scene.here)
    [copy] = scene.pending
    assert copy.name.endswith("_prompt_input_exit.jsonl")
    assert copy.read_bytes() == scene.transcript().read_bytes()
    assert scene.record("alive") == []
    assert [kind for kind, _ in scene.jobs] == ["capture", "prepare"]


def test_where_the_child_was_killed_the_next_start_begins_another(scene: Scene) -> None:
    scene.held("Fix the login")
    scene.jobs.clear()
    scene.call("start", TWO, detail="startup")
    [(kind, fields)] = scene.jobs
    assert (kind, fields["session"], fields["event"]) == ("capture", ONE, "lost")
    detached.run(kind, fields, scene.here)
    assert [copy.name.endswith("_lost.jsonl") for copy in scene.pending] == [True]
    scene.jobs.clear()
    scene.call("start", TWO, detail="startup")
    assert scene.jobs == []


def test_a_start_waits_for_no_copy_of_a_lost_one(scene: Scene, stub: Stub) -> None:
    copied = stub("onward.storage.atomic.copied")
    ended(scene)
    scene.call("start", TWO, detail="startup")
    assert copied == []
    assert [kind for kind, _ in scene.jobs] == ["capture"]


def test_a_start_says_that_a_copy_goes_on_until_it_is_done(scene: Scene) -> None:
    ended(scene)
    told = scene.call("start", TWO, detail="startup")
    assert "still being copied" in told
    detached.run(*scene.jobs[-1], scene.here)
    told = scene.call("start", TWO, detail="startup")
    assert "still being copied" not in told
    assert "SESSION_BACKUP_PENDING" in told


def test_two_children_make_one_copy(scene: Scene) -> None:
    scene.held("Fix the login")
    scene.call("start", TWO, detail="startup")
    assert len(scene.jobs) == 2
    for job in list(scene.jobs):
        detached.run(*job, scene.here)
    assert len(scene.raw) == 1


def test_while_one_is_at_it_another_does_nothing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.held("Fix the login")
    complete = atomic._complete

    def slow(file: BinaryIO) -> int:
        monkeypatch.setattr(atomic, "_complete", complete)
        with pytest.raises(StorageError, match="another session"):
            detached.run(*scene.jobs[0], scene.here)
        return complete(file)

    monkeypatch.setattr(atomic, "_complete", slow)
    detached.run(*scene.jobs[0], scene.here)
    assert len(scene.raw) == 1


def test_before_a_compaction_the_session_goes_on(scene: Scene) -> None:
    scene.held("Fix the login", end="")
    scene.call("compact", detail="manual")
    detached.run(*scene.jobs[0], scene.here)
    assert len(scene.pending) == 1
    assert scene.record("alive") != []
    assert scene.record("spoke")[:1] == ["yes"]


def test_old_temporary_files_go_at_a_start_that_captures_nothing(scene: Scene) -> None:
    raw = scene.project.memory / "raw"
    raw.mkdir(parents=True)
    old, new = raw / ".1-a.onward-tmp", raw / ".2-b.onward-tmp"
    for path in (old, new):
        path.touch()
    os.utime(old, (0, 0))
    scene.call("start", TWO, detail="startup")
    assert [path.name for path in raw.iterdir()] == [new.name]
