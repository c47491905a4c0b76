"""After each answer: how full the context is, and whether the session may become idle."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from tests.unit.hooks.conftest import ONE, Scene

from onward.commands import autosave, handover
from onward.hooks import detached, processes
from onward.storage import live, sessions

FULL = 150_000  # tokens: more than 70 % of the usual context


def turn(scene: Scene, tokens: int) -> list[tuple[str, dict[str, str]]]:
    """One more exchange; returns the jobs that it gave."""
    scene.jobs.clear()
    scene.said("go on")
    scene.answered(tokens=tokens)
    scene.call("turn", last="Done.")
    return scene.jobs


@pytest.mark.parametrize(("tokens", "jobs"), [(0, 0), (100_000, 0), (100_001, 1), (199_000, 1)])
def test_above_50_percent_a_child_looks_as_the_last_answer_is_written_late(
    scene: Scene, tokens: int, jobs: int
) -> None:
    assert len(turn(scene, tokens)) == jobs
    if jobs:
        fields = scene.jobs[0][1]
        assert (scene.jobs[0][0], fields["last"]) == ("turn", "Done.")
        assert fields["size"] == str(scene.transcript().stat().st_size)


@pytest.mark.parametrize(("size", "jobs"), [(300_000, 0), (500_000, 1)])
def test_where_no_answer_is_written_yet_the_size_tells(scene: Scene, size: int, jobs: int) -> None:
    scene.said("x" * size)
    scene.call("turn", last="Done.")
    assert len(scene.jobs) == jobs


def test_the_window_is_a_setting(scene: Scene) -> None:
    (scene.root / "onward.toml").write_text("[hooks]\ncontext-window = 1_000_000\n")
    assert turn(scene, 190_000) == []
    assert len(turn(scene, 720_000)) == 1


def test_what_a_sub_agent_used_is_not_counted(scene: Scene) -> None:
    scene.answered(tokens=190_000)
    assert scene.call("turn", helper="a53f846e") == ""
    assert scene.jobs == []


def test_a_shell_line_of_the_persons_counts_as_said(scene: Scene) -> None:
    scene.call("start", detail="startup")
    turn(scene, 100)
    assert scene.record("spoke")[0] == "yes"


def test_a_transcript_that_is_not_there_is_no_obstacle(scene: Scene) -> None:
    assert scene.call("turn", last="x") == ""


class TestIdleness:
    def test_a_session_with_work_is_waited_for(self, scene: Scene) -> None:
        scene.held("Fix the login", end="")
        waited = (ONE, str(scene.transcript()), 600.0, scene.pid, str(scene.root))
        assert scene.sleepers == [waited]

    def test_one_without_a_word_is_not(self, scene: Scene) -> None:
        scene.answered()
        scene.call("turn")
        assert scene.sleepers == []

    @pytest.mark.parametrize(("state", "count"), [("", 0), ("# State\n", 1)])
    def test_unless_there_is_a_session_state(self, scene: Scene, state: str, count: int) -> None:
        scene.answered()
        (scene.root / "SESSION-STATE.md").write_text(state)
        scene.call("turn")
        assert len(scene.sleepers) == count

    @pytest.mark.parametrize(("minutes", "seconds"), [("2.5", [150.0]), ("0", [])])
    def test_the_minutes_are_a_setting(
        self, scene: Scene, minutes: str, seconds: list[float]
    ) -> None:
        (scene.root / "onward.toml").write_text(f"[hooks]\nidle-minutes = {minutes}\n")
        scene.held("Fix the login", end="")
        assert [waited[2] for waited in scene.sleepers] == seconds

    def test_only_one_waits_and_it_goes_at_the_end(
        self, scene: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        started: list[subprocess.Popen[bytes]] = []

        def sleeper(*_: object) -> int:
            words = [sys.executable, "-c", "input()"]
            started.append(subprocess.Popen(words, stdin=subprocess.PIPE, start_new_session=True))
            return started[-1].pid

        monkeypatch.setattr(processes, "sleeper", sleeper)
        scene.held("Fix the login", "And the logout", end="")
        [waiting] = started
        scene.call("end", detail="other")
        assert waiting.wait(10) == -15
        assert waiting.stdin
        waiting.stdin.close()

    def test_another_process_under_its_number_is_not_ended(self, scene: Scene) -> None:
        with subprocess.Popen(
            [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True
        ) as other:
            live.put(str(scene.data), ONE, "sleeper", str(other.pid), "12345")
            scene.held("Fix the login")
            assert other.poll() is None
            other.kill()

    def test_nor_one_of_which_nothing_is_known(self, scene: Scene) -> None:
        live.put(str(scene.data), ONE, "sleeper", "0", "?")
        assert sessions.began("0") == "?"
        scene.held("Fix the login")


class TestTheChild:
    @pytest.fixture
    def fields(self, scene: Scene) -> dict[str, str]:
        where = {"project": str(scene.root), "session": ONE}
        return where | {"transcript": str(scene.transcript()), "size": "1"}

    @pytest.fixture
    def verbs(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
        calls: list[tuple[object, ...]] = []
        for room, name in (
            (autosave, "add_exchange"),
            (autosave, "autosave"),
            (autosave, "log_input"),
            (handover, "prepare"),
        ):
            monkeypatch.setattr(
                room, name, lambda *args, name=name: calls.append((name, *args[1:]))
            )
        return calls

    def test_keeps_the_exchange(
        self, scene: Scene, fields: dict[str, str], verbs: list[tuple[object, ...]]
    ) -> None:
        scene.said("first")
        scene.answered("one")
        scene.said("second")
        scene.answered("two", tokens=FULL)
        detached.run("turn", fields | {"last": "two, at length"}, scene.here)
        detached.run("turn", fields | {"last": ""}, scene.here)
        kept = [call for call in verbs if call[0] == "add_exchange"]
        assert kept == [
            ("add_exchange", "second", "two, at length"),
            ("add_exchange", "second", "two"),
        ]

    @pytest.mark.parametrize(("tokens", "kept"), [(0, 0), (141_999, 0), (142_000, 1)])
    def test_above_70_percent_alone(
        self,
        scene: Scene,
        fields: dict[str, str],
        verbs: list[tuple[object, ...]],
        tokens: int,
        kept: int,
    ) -> None:
        scene.said("first")
        scene.answered("one", tokens=tokens)
        detached.run("turn", fields | {"last": "one"}, scene.here)
        assert verbs.count(("add_exchange", "first", "one")) == kept

    def test_autosaves_at_every_5_percent_and_anew_after_a_compaction(
        self, scene: Scene, fields: dict[str, str], verbs: list[tuple[object, ...]]
    ) -> None:
        filled = [60, 71, 72, 74, 75, 76, 79, 81, 82, 99, 20, 72]
        saved = []
        for percent in filled:
            verbs.clear()
            scene.said("go on")
            scene.answered("one", tokens=2000 * percent)
            detached.run("turn", fields | {"last": "one"}, scene.here)
            if percent == 20:
                scene.call("turn", last="one")
            saved += [percent] if [call for call in verbs if call[0] == "autosave"] else []
        assert saved == [71, 75, 81, 99, 72]

    def test_a_turn_that_is_far_from_full_forgets_the_steps(self, scene: Scene) -> None:
        live.put(str(scene.data), ONE, "full", "3")
        turn(scene, 40_000)
        assert scene.record("full") == []

    def test_waits_for_an_answer_that_is_not_in_the_transcript_yet(
        self,
        scene: Scene,
        fields: dict[str, str],
        verbs: list[tuple[object, ...]],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        scene.said("first")
        scene.answered("one", tokens=FULL // 2)
        scene.said("second")
        size = str(scene.transcript().stat().st_size)

        def written(_: float) -> None:
            """What the client writes first is not the answer."""
            if str(scene.transcript().stat().st_size) == size:
                scene.add({"type": "mode"})
            else:
                scene.answered("two", tokens=FULL)

        monkeypatch.setattr(time, "sleep", written)
        detached.run("turn", fields | {"last": "two", "size": size}, scene.here)
        assert ("add_exchange", "second", "two") in verbs

    @pytest.mark.parametrize(
        ("kind", "more", "signal"),
        [
            ("turn", {"last": "one"}, "context"),
            ("autosave", {"signal": "idle"}, "idle"),
            ("autosave", {"signal": "long"}, "long"),
            ("close", {"prompt": "goodnight"}, "farewell"),
        ],
    )
    def test_autosaves(
        self,
        scene: Scene,
        fields: dict[str, str],
        verbs: list[tuple[object, ...]],
        kind: str,
        more: dict[str, str],
        signal: str,
    ) -> None:
        scene.said("first")
        scene.answered("one", tokens=FULL)
        detached.run(kind, fields | more, scene.here)
        assert ("autosave", ONE, scene.transcript(), signal) in verbs

    def test_logs_what_was_typed(
        self, scene: Scene, fields: dict[str, str], verbs: list[tuple[object, ...]]
    ) -> None:
        detached.run("prompt", fields | {"prompt": "Use tabs here."}, scene.here)
        assert verbs == [("log_input", ONE, scene.transcript(), "Use tabs here.")]

    def test_prepares_and_removes_what_a_newer_copy_holds(
        self, scene: Scene, fields: dict[str, str], verbs: list[tuple[object, ...]]
    ) -> None:
        scene.held("Fix the login", end="")
        scene.call("compact", detail="auto")
        scene.said("And the logout")
        scene.call("end", detail="other")
        assert len(scene.raw) == 2
        detached.run("prepare", fields, scene.here)
        assert len(scene.raw) == 1
        assert scene.pending[0].read_bytes() == scene.transcript().read_bytes()
        assert verbs == [("prepare", ONE, scene.transcript())]

    def test_does_nothing_in_a_project_that_was_removed(
        self, scene: Scene, fields: dict[str, str], verbs: list[tuple[object, ...]]
    ) -> None:
        gone = scene.base / "gone"
        detached.run("autosave", fields | {"project": str(gone), "signal": "idle"}, scene.here)
        assert verbs == []
        assert not gone.exists()
