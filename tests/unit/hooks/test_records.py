"""The records of sessions on this machine: which a start reads, which go, what breaks in them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.hooks.conftest import ONE, TWO, Scene, Stub

from onward.errors import StorageError
from onward.hooks import context, detached, start, triage
from onward.storage import backups, live, ranking, sessions

THREE = "0f5a3c7e-0000-4000-8000-000000000003"
KEYS = ("alive", "captured", "saved", "spoke", "waits")
ACTS = st.lists(
    st.tuples(
        st.sampled_from(["put", "drop", "forget"]), st.sampled_from("abc"), st.sampled_from(KEYS)
    )
)


class TestListed:
    @given(acts=ACTS)
    def test_those_with_a_record_are_listed_and_no_others(
        self, acts: list[tuple[str, str, str]]
    ) -> None:
        with tempfile.TemporaryDirectory() as data:
            for act, session, key in acts:
                match act:
                    case "put":
                        live.put(data, session, key, "1")
                    case "drop":
                        live.drop(data, session, key)
                    case "forget":
                        live.forget(data, session)
            for key in live.LISTED:
                there = [each for each in live.sessions(data) if live.get(data, each, key)]
                assert sorted(live.having(data, key)) == sorted(there)

    def test_a_start_reads_the_records_of_running_sessions_alone(
        self, scene: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number in range(20):
            scene.held("Fix the login", session=f"one-{number}")
        backups.process(scene.project, scene.pending, None, now=context.now(scene.here))
        detached.tidy(scene.here, scene.project)
        read: list[str] = []
        get = live.get

        def counted(data: str, session: str, key: str) -> list[str]:
            read.append(session)
            return get(data, session, key)

        monkeypatch.setattr(live, "get", counted)
        scene.call("start", TWO, detail="startup")
        assert set(read) == {TWO}

    @given(
        records=st.lists(
            st.tuples(
                st.booleans(),
                st.sampled_from(["", "20260301_100000.jsonl"]),
                st.sampled_from(["here", "gone"]),
                st.sampled_from(["", "/shop/.git"]),
            ),
            max_size=6,
        ),
        common=st.sampled_from(["", "/shop/.git"]),
    )
    def test_a_start_finds_what_it_would_find_among_all_records(
        self, records: list[tuple[bool, str, str, str]], common: str
    ) -> None:
        with tempfile.TemporaryDirectory() as base:
            scene = Scene(Path(base), Path(base) / "here")
            scene.root.mkdir()
            here, where = scene.here, (str(scene.root), common)
            for number, (runs, copy, place, repository) in enumerate(records):
                session, found = f"s{number}", (str(scene.base / place), repository, "/t.jsonl")
                if runs:
                    live.put(here.data, session, "alive", "1", "1", *found)
                else:
                    known = sessions.Captured("1", "1", copy, *found)
                    sessions.capture(here.data, session, known)
            looked_at = sessions.near(here.data, wait=bool(common))
            assert not [
                each
                for each in live.sessions(here.data)
                if start._lost(here, each, where) and each not in looked_at
            ]

    def test_the_newest_save_is_found_among_many_sessions(self, tmp_path: Path) -> None:
        data, saved = str(tmp_path / "data"), tmp_path / "saved.md"
        saved.write_text("x")
        for number in range(5):
            live.put(data, f"s{number}", "spoke", "yes")
        assert sessions.saved_last(data, str(tmp_path)) == 0.0
        assert live.having(data, "saved") == []


class TestTidy:
    def old(self, scene: Scene, session: str) -> None:
        os.utime(live.folder(str(scene.data), session), (1, 1))

    def test_what_waits_no_more_is_noted_once_then_forgotten(self, scene: Scene) -> None:
        scene.held("Fix the login")
        backups.process(scene.project, scene.pending, None, now=context.now(scene.here))
        self.old(scene, ONE)
        detached.tidy(scene.here, scene.project)
        assert scene.record("captured")[2] == ""
        assert live.having(str(scene.data), "waits") == []
        self.old(scene, ONE)
        detached.tidy(scene.here, scene.project)
        assert live.sessions(str(scene.data)) == []

    def test_what_waits_is_left(self, scene: Scene) -> None:
        scene.held("Fix the login")
        detached.tidy(scene.here, scene.project)
        assert scene.record("captured")[2] == scene.pending[0].name
        assert live.having(str(scene.data), "waits") == [ONE]


class TestFaults:
    @pytest.mark.parametrize(
        "fault", [StorageError("no space left"), OSError(5, "x"), ValueError("x")], ids=repr
    )
    def test_one_lost_session_does_not_silence_the_start(
        self, scene: Scene, monkeypatch: pytest.MonkeyPatch, fault: Exception
    ) -> None:
        scene.held("Fix the login")
        [pending] = scene.pending
        for session in (TWO, THREE):
            scene.said("Fix the search", session)
            lines = ("999999999", "1", str(scene.root), "", str(scene.transcript(session)))
            live.put(str(scene.data), session, "alive", *lines)
        is_worth = triage.is_worth

        def odd(here: object, session: str, transcript: str) -> bool:
            if session == TWO:
                raise fault
            return is_worth(here, session, transcript)  # type: ignore[arg-type]

        monkeypatch.setattr(triage, "is_worth", odd)
        assert "SESSION_BACKUP_PENDING" in scene.call("start", "another", detail="startup")
        assert len(scene.pending) == 2
        assert pending in scene.pending
        assert "a lost session was not captured" in scene.log()
        assert scene.record("alive", TWO)
        assert not scene.record("alive", THREE)

    @pytest.mark.parametrize("behind", ["", " ", "\n"])
    def test_a_line_of_the_log_without_a_session_tells_none(self, behind: str) -> None:
        told = ranking.saved(f"now saved x.jsonl session={behind}")
        assert told == {"x.jsonl": ("", ranking.WORK)}
        told = ranking.saved("now saved x.jsonl session=one reason=\n")
        assert told == {"x.jsonl": ("one", ranking.WORK)}

    def test_no_control_character_reaches_the_log(self, scene: Scene) -> None:
        scene.here.note("unknown key \x1b]0;x\x07 \u202e\x9b in ünward.toml\nx")
        [line] = scene.log().splitlines()
        assert line.partition(" ")[2] == "unknown key ?]0;x? ?? in ünward.toml x"


class TestProcesses:
    def test_ps_is_asked_in_one_language_and_zone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import subprocess  # noqa: PLC0415 - what `processes` imports when it asks

        asked: list[dict[str, str]] = []

        def run(_: object, *, env: dict[str, str], **__: object) -> object:
            asked.append(env)
            return subprocess.CompletedProcess([], 0, b"S Sun Mar  1 10:00:00 2026\n")

        monkeypatch.setattr(subprocess, "run", run)
        monkeypatch.setenv("TZ", "Asia/Singapore")
        assert sessions._asked("1") == "Sun Mar 1 10:00:00 2026"
        assert (asked[0]["LC_ALL"], asked[0]["TZ"]) == ("C", "UTC")
        assert asked[0]["PATH"] == os.environ["PATH"]

    def test_where_asking_is_dear_the_lock_alone_tells_of_a_sleeper(
        self, scene: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        scene.held("Fix the login", end="")
        live.put(str(scene.data), ONE, "sleeper", "4711", "then")
        asked: list[str] = []

        def began(pid: str) -> str:
            asked.append(pid)
            return "then"

        monkeypatch.setattr(sessions, "is_listed", lambda: False)
        monkeypatch.setattr(sessions, "began", began)
        scene.sleepers.clear()
        scene.call("turn", last="Done.")
        assert "4711" not in asked
        assert len(scene.sleepers) == 1
        monkeypatch.setattr(os, "killpg", lambda *_: None)
        scene.call("end", detail="other")
        assert "4711" in asked


class TestOnlyAgreed:
    """A session that said yes to what another one left, and then only talked."""

    @pytest.fixture
    def day_two(self, scene: Scene, stub: Stub) -> Scene:
        stub("onward.commands.resume.answer", answer="Continue with: make")
        scene.held("Fix the login")
        scene.held("/resume-latest", session=TWO, end="")
        backups.process(scene.project, scene.pending, None, now=context.now(scene.here))
        live.put(str(scene.data), TWO, "awaiting", "resume", "", str(scene.root))
        scene.call("prompt", TWO, prompt="yes")
        scene.said("yes", TWO)
        scene.answered("Let me think.", TWO)
        return scene

    @pytest.mark.parametrize(
        ("kind", "agreed", "waits"),
        [
            ("transcript", ["yes"], 1),
            ("transcript", [], 0),
            ("checkpoint", ["yes"], 0),
            ("document", ["yes"], 0),
        ],
    )
    def test_waits_in_place_of_the_backup_that_it_took_in(
        self, day_two: Scene, kind: str, agreed: list[str], waits: int
    ) -> None:
        live.put(str(day_two.data), TWO, "resumed", kind, str(day_two.root), *agreed)
        live.drop(str(day_two.data), TWO, "awaiting")
        day_two.call("end", TWO, detail="other")
        assert len(day_two.pending) == waits
        kinds = [each.standing for each in backups.entries(day_two.project) if each.pending]
        assert kinds == [ranking.WORK] * waits, "it holds the work of the other"

    def test_and_is_captured_once(self, day_two: Scene) -> None:
        live.put(str(day_two.data), TWO, "resumed", "transcript", str(day_two.root), "yes")
        live.drop(str(day_two.data), TWO, "awaiting")
        day_two.call("end", TWO, detail="other")
        day_two.call("start", TWO, detail="resume")
        day_two.call("end", TWO, detail="other")
        assert len(day_two.pending) == 1
