"""After each answer: how full the context is, and whether the session may become idle."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.unit.hooks.conftest import ONE, Scene

from onward.commands import autosave, buffer, handover, remember
from onward.hooks import alive, later, spawn
from onward.store import live


def turn(scene: Scene, tokens: int) -> list[tuple[str, dict[str, str]]]:
    """One more exchange; returns the jobs that it gave."""
    scene.jobs.clear()
    scene.said("go on")
    scene.answered(tokens=tokens)
    scene.call("turn", last="Done.")
    return scene.jobs


@pytest.mark.parametrize(("tokens", "jobs"), [(0, 0), (139_999, 0), (141_999, 0), (142_000, 1)])
def test_above_70_percent_a_child_keeps_the_exchange(scene: Scene, tokens: int, jobs: int) -> None:
    assert len(turn(scene, tokens)) == jobs


def test_every_exchange_above_is_kept_and_every_5_percent_are_autosaved(scene: Scene) -> None:
    filled = [60, 71, 72, 74, 75, 76, 79, 81, 82, 99]
    saved = [
        bool(jobs and jobs[0][1]["autosave"]) for jobs in (turn(scene, 2000 * p) for p in filled)
    ]
    assert saved == [False, True, False, False, True, False, False, True, False, True]
    assert scene.jobs[0][0] == "turn"
    assert scene.jobs[0][1]["last"] == "Done."


def test_after_a_compaction_it_begins_anew(scene: Scene) -> None:
    assert [bool(turn(scene, 2000 * p)) for p in (80, 20)] == [True, False]
    assert turn(scene, 2000 * 71)[0][1]["autosave"] == "yes"


def test_the_window_is_a_setting(scene: Scene) -> None:
    (scene.root / "onward.toml").write_text("[hooks]\ncontext-window = 1_000_000\n")
    assert turn(scene, 190_000) == []
    assert len(turn(scene, 720_000)) == 1


def test_what_a_sub_agent_used_is_not_counted(scene: Scene) -> None:
    scene.answered(tokens=190_000)
    assert scene.call("turn", helper="a53f846e") == ""
    assert scene.jobs == []


def test_the_turn_is_noted(scene: Scene) -> None:
    turn(scene, 100)
    assert scene.record("turn")[0] == str(scene.transcript().stat().st_size)


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

        monkeypatch.setattr(spawn, "sleeper", sleeper)
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
        assert alive.began("0") == "?"
        scene.held("Fix the login")


class TestTheChild:
    @pytest.fixture
    def fields(self, scene: Scene) -> dict[str, str]:
        where = {"project": str(scene.root), "session": ONE}
        return where | {"transcript": str(scene.transcript()), "autosave": "", "size": "1"}

    @pytest.fixture
    def verbs(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
        calls: list[tuple[object, ...]] = []
        for room, name in (
            (buffer, "add"),
            (autosave, "autosave"),
            (remember, "remember"),
            (handover, "prepare"),
        ):
            monkeypatch.setattr(
                room, name, lambda *args, name=name: calls.append((name, *args[2:]))
            )
        return calls

    def test_keeps_the_exchange(
        self, scene: Scene, fields: dict[str, str], verbs: list[tuple[object, ...]]
    ) -> None:
        scene.said("first")
        scene.answered("one")
        scene.said("second")
        scene.answered("two")
        later.run("turn", fields | {"last": "two, at length"}, scene.here)
        later.run("turn", fields | {"last": ""}, scene.here)
        assert verbs == [("add", "second", "two, at length"), ("add", "second", "two")]

    def test_waits_for_an_answer_that_is_not_in_the_transcript_yet(
        self, scene: Scene, fields: dict[str, str], verbs: list[tuple[object, ...]]
    ) -> None:
        scene.said("first")
        size = str(scene.transcript().stat().st_size)
        late = f"import time; time.sleep(0.1); open({str(scene.transcript())!r}, 'a').write('x')"
        with subprocess.Popen([sys.executable, "-S", "-c", late]):
            later.run("turn", fields | {"last": "one", "size": size}, scene.here)
        assert verbs == [("add", "first", "one")]

    @pytest.mark.parametrize(
        ("kind", "more", "signal"),
        [
            ("turn", {"autosave": "yes", "last": "one"}, "context"),
            ("autosave", {"signal": "idle"}, "idle"),
            ("autosave", {"signal": "long"}, "long"),
            ("prompt", {"prompt": "goodnight"}, "farewell"),
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
        later.run(kind, fields | more, scene.here)
        assert ("autosave", ONE, scene.transcript(), signal) in verbs

    def test_remembers_what_was_said(
        self, scene: Scene, fields: dict[str, str], verbs: list[tuple[object, ...]]
    ) -> None:
        later.run("prompt", fields | {"prompt": "Use tabs."}, scene.here)
        assert verbs == [("remember", ONE, scene.transcript(), "Use tabs.")]

    def test_prepares_and_removes_what_a_newer_copy_holds(
        self, scene: Scene, fields: dict[str, str], verbs: list[tuple[object, ...]]
    ) -> None:
        scene.held("Fix the login", end="")
        scene.call("compact", detail="auto")
        scene.said("And the logout")
        scene.call("end", detail="other")
        assert len(scene.raw) == 2
        later.run("prepare", fields, scene.here)
        assert len(scene.raw) == 1
        assert scene.pending[0].read_bytes() == scene.transcript().read_bytes()
        assert verbs == [("prepare", ONE, scene.transcript())]

    def test_does_nothing_in_a_project_that_was_removed(
        self, scene: Scene, fields: dict[str, str], verbs: list[tuple[object, ...]]
    ) -> None:
        gone = scene.base / "gone"
        later.run("autosave", fields | {"project": str(gone), "signal": "idle"}, scene.here)
        assert verbs == []
        assert not gone.exists()
