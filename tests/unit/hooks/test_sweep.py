"""Sessions that ended without a word: found at the next start, once, and no others."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.hooks.conftest import ONE, TWO, Scene, Stub

from onward.errors import StorageError
from onward.hooks import context, detached
from onward.storage import backups, live, sessions
from onward.storage.sessions import Running
from onward.storage.trash import Trash

THREE = "0f5a3c7e-0000-4000-8000-000000000003"


@pytest.fixture
def client() -> Iterator[subprocess.Popen[bytes]]:
    """A process that stands for the client of a session."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as running:
        yield running
        running.kill()


def kill(scene: Scene, client: subprocess.Popen[bytes]) -> None:
    client.kill()
    client.wait()
    scene.pid = os.getpid()


def killed(scene: Scene, client: subprocess.Popen[bytes], *prompts: str) -> None:
    """A session whose client is killed after these prompts."""
    scene.pid = client.pid
    scene.held(*prompts, end="")
    kill(scene, client)


def test_a_killed_session_is_captured_at_the_next_start(
    scene: Scene, client: subprocess.Popen[bytes]
) -> None:
    killed(scene, client, "Fix the login")
    told = scene.call("start", TWO, detail="startup")
    [copy] = scene.pending
    assert copy.name.endswith("_lost.jsonl")
    assert copy.read_bytes() == scene.transcript().read_bytes()
    assert copy.name in told
    assert [kind for kind, _ in scene.jobs] == ["prepare"]


def test_once_and_not_again(scene: Scene, client: subprocess.Popen[bytes]) -> None:
    killed(scene, client, "Fix the login")
    scene.call("start", TWO, detail="startup")
    backups.discard(
        scene.project, scene.pending, Trash(scene.base / "trash"), now=context.now(scene.here)
    )
    assert scene.call("start", THREE, detail="startup") == ""
    assert scene.raw == []


def test_its_name_tells_when_it_was_last_written(
    scene: Scene, client: subprocess.Popen[bytes]
) -> None:
    """So that a session which ended later stays the newest."""
    killed(scene, client, "Fix the login")
    os.utime(scene.transcript(), (1772372407, 1772372407))
    scene.held("Fix the search", session=TWO)
    scene.call("start", THREE, detail="startup")
    assert "_lost" not in scene.pending[0].name
    assert scene.pending[-1].name.startswith(("20260301", "20260302"))


class TestTold:
    """What is told of a lost session at the start that captures it."""

    @pytest.fixture
    def told(self, stub: Stub) -> list[tuple[object, ...]]:
        return stub("onward.commands.handover.handover")

    def test_the_newest_one_is(
        self, scene: Scene, client: subprocess.Popen[bytes], told: list[tuple[object, ...]]
    ) -> None:
        killed(scene, client, "Fix the login")
        scene.call("start", TWO, detail="startup")
        assert told[0][1:] == (ONE, scene.pending[0])

    def test_one_behind_newer_work_is_not(
        self, scene: Scene, client: subprocess.Popen[bytes], told: list[tuple[object, ...]]
    ) -> None:
        scene.held("Fix the search", session=TWO)
        killed(scene, client, "Fix the login")
        os.utime(scene.transcript(), (1772372407, 1772372407))
        scene.call("start", THREE, detail="startup")
        assert len(scene.pending) == 2
        assert told[0][1:] == (TWO, scene.pending[0])

    def test_nor_where_a_session_is_told_nothing_of_it(
        self, scene: Scene, client: subprocess.Popen[bytes], told: list[tuple[object, ...]]
    ) -> None:
        (scene.root / "onward.toml").write_text("[hooks]\nhandover = false\n")
        killed(scene, client, "Fix the login")
        scene.call("start", TWO, detail="startup")
        assert len(scene.pending) == 1
        assert told == []

    def test_it_is_captured_whatever_is_wrong_with_that(
        self, scene: Scene, client: subprocess.Popen[bytes], stub: Stub
    ) -> None:
        stub("onward.commands.handover.early", answer=StorageError("no home folder"))
        killed(scene, client, "Fix the login")
        assert "PENDING" in scene.call("start", TWO, detail="startup")
        assert len(scene.pending) == 1


def test_one_in_which_nobody_said_a_word_is_forgotten_without_a_look(scene: Scene) -> None:
    scene.call("start", detail="startup")
    scene.call("start", TWO, detail="clear")
    assert scene.record("alive", ONE) == []
    assert scene.raw == []


def test_one_that_runs_in_another_terminal_is_left_alone(
    scene: Scene, client: subprocess.Popen[bytes]
) -> None:
    scene.pid = client.pid
    scene.held("Fix the login", end="")
    scene.pid = os.getpid()
    assert scene.call("start", TWO, detail="startup") == ""
    assert scene.record("alive")


@pytest.mark.skipif(os.name == "nt", reason="processes as POSIX has them")
def test_a_killed_process_that_nobody_has_looked_after_yet_is_dead(
    scene: Scene, client: subprocess.Popen[bytes]
) -> None:
    scene.pid = client.pid
    scene.held("Fix the login", end="")
    client.kill()
    os.waitid(os.P_PID, client.pid, os.WEXITED | os.WNOWAIT)
    scene.pid = os.getpid()
    scene.call("start", TWO, detail="startup")
    assert len(scene.pending) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="tells processes apart by /proc")
def test_another_process_under_the_same_number_is_not_taken_for_it(
    scene: Scene, client: subprocess.Popen[bytes]
) -> None:
    scene.pid = client.pid
    scene.held("Fix the login", end="")
    pid, _, *rest = scene.record("alive")
    live.put(str(scene.data), ONE, "alive", pid, "12345", *rest)
    scene.pid = os.getpid()
    scene.call("start", TWO, detail="startup")
    assert len(scene.pending) == 1


def test_the_next_session_of_the_same_process_tells_that_one_is_over(scene: Scene) -> None:
    scene.held("Fix the login", end="")
    scene.call("start", TWO, detail="clear")
    assert len(scene.pending) == 1


def test_one_that_was_captured_as_it_stands_is_not_captured_again(
    scene: Scene, client: subprocess.Popen[bytes]
) -> None:
    scene.pid = client.pid
    scene.held("Fix the login", end="")
    scene.call("compact", detail="auto")
    kill(scene, client)
    scene.call("start", TWO, detail="startup")
    assert len(scene.raw) == 1
    assert scene.record("alive") == []


def test_one_that_grew_since_a_compaction_is(scene: Scene, client: subprocess.Popen[bytes]) -> None:
    scene.pid = client.pid
    scene.held("Fix the login", end="")
    scene.call("compact", detail="auto")
    scene.answered()
    kill(scene, client)
    scene.call("start", TWO, detail="startup")
    assert len(scene.raw) == 2


def test_one_in_which_nothing_was_said_is_forgotten(
    scene: Scene, client: subprocess.Popen[bytes]
) -> None:
    scene.pid = client.pid
    scene.call("start", detail="startup")
    scene.add({"type": "mode", "mode": "normal"})
    kill(scene, client)
    assert scene.call("start", TWO, detail="startup") == ""
    assert not (scene.root / ".claude").exists()


@pytest.mark.parametrize("left", ["gone", "empty"])
def test_one_whose_transcript_is_gone_is_forgotten(
    scene: Scene, client: subprocess.Popen[bytes], left: str
) -> None:
    killed(scene, client, "Fix the login")
    scene.transcript().unlink() if left == "gone" else scene.transcript().write_text("")
    assert scene.call("start", TWO, detail="startup") == ""
    assert scene.record("alive") == []


def test_one_of_another_project_is_not_ours(scene: Scene, client: subprocess.Popen[bytes]) -> None:
    killed(scene, client, "Fix the login")
    other = scene.base / "other"
    other.mkdir()
    assert scene.call("start", TWO, detail="startup", project=str(other)) == ""
    assert scene.record("alive")


def test_a_session_that_was_never_seen_is_not_swept(scene: Scene) -> None:
    scene.said("Fix the login")
    assert scene.call("start", TWO, detail="startup") == ""


def test_a_killed_session_that_is_taken_up_again_is_not_lost(
    scene: Scene, client: subprocess.Popen[bytes]
) -> None:
    killed(scene, client, "Fix the login")
    assert scene.call("start", ONE, detail="resume") == ""
    scene.call("end", detail="other")
    assert len(scene.pending) == 1


def test_a_disk_that_says_no_is_tried_again_and_the_start_goes_on(
    scene: Scene, client: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StorageError("no space left", "")

    killed(scene, client, "Fix the login")
    with monkeypatch.context() as patch:
        patch.setattr(backups, "save", full)
        assert scene.call("start", TWO, detail="startup") == ""
    assert "no space left" in scene.log()
    scene.call("start", THREE, detail="startup")
    assert len(scene.pending) == 1


class TestWorkTrees:
    @pytest.fixture
    def tree(self, scene: Scene) -> Path:
        """A linked work tree, in which the scene's sessions are held from now on."""
        commit = ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "x"]
        git = ["git", "-C", str(scene.root)]
        subprocess.run([*git, *commit, "--allow-empty"], check=True)
        tree = scene.base / "tree"
        subprocess.run([*git, "worktree", "add", "-q", str(tree)], check=True)
        self.main, scene.root = scene.root, tree
        return tree

    def test_a_session_belongs_to_its_own_tree(self, scene: Scene, tree: Path) -> None:
        scene.held("Fix the login")
        assert len(scene.pending) == 1
        assert scene.call("start", TWO, detail="startup", project=str(self.main)) == ""

    def test_one_that_was_killed_before_its_tree_was_removed_is_found_from_the_other(
        self, scene: Scene, tree: Path, client: subprocess.Popen[bytes]
    ) -> None:
        killed(scene, client, "Fix the login")
        shutil.rmtree(tree)
        scene.root = self.main
        assert "SESSION_BACKUP_PENDING" in scene.call("start", TWO, detail="startup")

    def test_one_that_waited_when_its_tree_was_removed_is_too(
        self, scene: Scene, tree: Path
    ) -> None:
        scene.held("Fix the login")
        shutil.rmtree(tree)
        scene.root = self.main
        assert "SESSION_BACKUP_PENDING" in scene.call("start", TWO, detail="startup")
        assert len(scene.raw) == 1
        scene.call("start", THREE, detail="startup")
        assert len(scene.raw) == 1

    def test_one_that_was_resumed_before_is_not(self, scene: Scene, tree: Path) -> None:
        scene.held("Fix the login")
        backups.process(scene.project, scene.pending, None, now=context.now(scene.here))
        detached.tidy(scene.here, scene.project)
        shutil.rmtree(tree)
        scene.root = self.main
        assert scene.call("start", TWO, detail="startup") == ""

    def test_one_that_ends_after_its_tree_was_removed_is(self, scene: Scene, tree: Path) -> None:
        scene.held("Fix the login", end="")
        shutil.rmtree(tree)
        scene.call("end", detail="other")
        assert not tree.exists()
        scene.root = self.main
        assert "SESSION_BACKUP_PENDING" in scene.call("start", TWO, detail="startup")

    @pytest.mark.parametrize("was_killed", [True, False])
    def test_one_whose_transcript_went_elsewhere_with_it_is_found_by_its_id(
        self, scene: Scene, tree: Path, client: subprocess.Popen[bytes], was_killed: bool
    ) -> None:
        """The client moves it to the folder of another project (`--worktree`, then Remove)."""
        if was_killed:
            killed(scene, client, "Fix the login")
        else:
            scene.held("Fix the login")
        words, moved = scene.transcript().read_bytes(), scene.base / "home/-shop" / f"{ONE}.jsonl"
        moved.parent.mkdir()
        scene.transcript().rename(moved)
        shutil.rmtree(tree)
        scene.root = self.main
        assert "SESSION_BACKUP_PENDING" in scene.call("start", TWO, detail="startup")
        assert scene.pending[0].read_bytes() == words


class TestRecords:
    def test_old_ones_are_forgotten_and_those_of_running_sessions_are_not(
        self, scene: Scene
    ) -> None:
        for session in (ONE, TWO, THREE):
            live.put(str(scene.data), session, "turn", "1", "1", "0")
        scene.call("start", TWO, detail="startup")
        for session in (ONE, TWO):
            os.utime(live.folder(str(scene.data), session), (1, 1))
        detached.tidy(scene.here, scene.project)
        assert sorted(live.sessions(str(scene.data))) == [TWO, THREE]

    @pytest.mark.needs("ps")
    def test_a_process_is_asked_after_where_there_is_no_proc(
        self, client: subprocess.Popen[bytes]
    ) -> None:
        first = sessions._asked(str(client.pid))
        assert first == sessions._asked(str(client.pid)) not in {"", "?"}
        client.kill()
        os.waitid(os.P_PID, client.pid, os.WEXITED | os.WNOWAIT)
        assert sessions._asked(str(client.pid)) == ""
        client.wait()
        assert sessions._asked(str(client.pid)) == ""

    @pytest.mark.parametrize("pid", ["", "0", "-1", "x", "99999999999999999999"])
    def test_a_process_that_cannot_be_is_told(self, pid: str) -> None:
        assert sessions.began(pid) in {"", "?"}

    def test_a_process_without_a_number_counts_as_running_for_an_hour(self, scene: Scene) -> None:
        scene.said("Fix the login")
        record = Running("0", "?", str(scene.root), "", str(scene.transcript()))
        now = scene.transcript().stat().st_mtime
        assert sessions.is_running(record, now + 3000)
        assert not sessions.is_running(record, now + 4000)
        record.transcript = "/nowhere"
        assert not sessions.is_running(record, now)
