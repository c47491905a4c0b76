"""The end of a session: what is copied, marked, stamped and logged, and what is not worth it."""

from __future__ import annotations

import re
import stat
import time
from pathlib import Path

import pytest
from tests.unit.hooks.conftest import ONE, TWO, Scene, Stub

from onward.errors import StorageError
from onward.hooks import context, detached
from onward.storage import backups, live
from onward.storage.trash import Trash


def test_the_transcript_is_copied_marked_and_logged(scene: Scene) -> None:
    scene.held("Fix the login")
    [copy] = scene.pending
    assert re.fullmatch(r"\d{8}_\d{6}_prompt_input_exit\.jsonl", copy.name)
    assert copy.read_bytes() == scene.transcript().read_bytes()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    log = (scene.project.memory / ".backup-log").read_text()
    assert f"saved {copy.name} session={ONE} reason=prompt_input_exit" in log
    assert "raw/" in (scene.project.memory / ".gitignore").read_text()


@pytest.mark.parametrize("reason", ["clear", "logout", "other", "resume", "prompt_input_exit", ""])
def test_every_way_to_end_is_captured(scene: Scene, reason: str) -> None:
    scene.held("Fix the login", end="")
    scene.call("end", detail=reason)
    assert len(scene.pending) == 1
    assert scene.record("alive") == []


def test_a_child_applies_the_cap_and_prepares_the_hand_over(scene: Scene) -> None:
    scene.held("Fix the login")
    fields = {"project": str(scene.root), "session": ONE, "transcript": str(scene.transcript())}
    assert scene.jobs == [("prepare", fields)]


def test_what_the_client_writes_after_the_end_is_in_the_copy_in_the_end(
    scene: Scene, stub: Stub
) -> None:
    prepared = stub("onward.commands.handover.prepare")
    scene.held("Fix the login")
    before = scene.pending
    scene.said("/exit")
    detached.run(*scene.jobs[0], scene.here)
    assert len(prepared) == 2  # anew, as the copy has more now
    assert scene.pending == before  # under the name that may have been told
    assert before[0].read_bytes() == scene.transcript().read_bytes()
    scene.call("start", detail="resume")
    scene.call("end", detail="other")
    assert scene.pending == before


@pytest.mark.parametrize(
    ("seconds", "end", "waits"),
    [(0.0, "other", True), (2.0, "other", False), (0.0, "", False)],
    ids=["at once", "after other work", "of a session that goes on"],
)
def test_what_comes_late_is_waited_for_as_long_as_clients_need(
    scene: Scene,
    stub: Stub,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    end: str,
    waits: bool,
) -> None:
    clock = [100.0]

    def work(*_: object) -> None:
        clock[0] += seconds

    def sleep(pause: float) -> None:
        clock[0] += pause

    monkeypatch.setattr("onward.commands.handover.prepare", work)
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(time, "sleep", sleep)
    scene.held("Fix the login", end=end)
    if not end:
        scene.call("compact", detail="auto")
    detached.run(*scene.jobs[-1], scene.here)
    assert (clock[0] > 100.9 + seconds) == waits


def test_but_not_where_the_session_was_taken_up_again(scene: Scene, stub: Stub) -> None:
    stub("onward.commands.handover.prepare")
    scene.held("Fix the login")
    scene.call("start", detail="resume")
    scene.said("And the logout")
    detached.run(*scene.jobs[0], scene.here)
    assert scene.pending[0].read_bytes() != scene.transcript().read_bytes()


def test_the_exit_is_stamped_where_there_is_an_active_context(scene: Scene) -> None:
    scene.held("Fix the login")
    assert not scene.project.active_context.exists()
    scene.project.active_context.write_text("# Active Context\n\nmine\n")
    scene.held("And the logout", session=TWO)
    assert "**Session ended:** 20" in scene.project.active_context.read_text()
    assert scene.project.active_context.read_text().endswith("mine\n")


@pytest.mark.parametrize("content", [None, ""])
def test_without_a_transcript_nothing_is_written(scene: Scene, content: str | None) -> None:
    if content is not None:
        scene.transcript().parent.mkdir(parents=True)
        scene.transcript().write_text(content)
    scene.call("end", detail="other")
    assert not (scene.root / ".claude").exists()
    assert scene.jobs == []


def test_half_a_record_is_no_backup(scene: Scene) -> None:
    scene.transcript().parent.mkdir(parents=True)
    scene.transcript().write_text('{"type":"user","torn')
    scene.call("end", detail="other")
    assert scene.pending == []


def test_a_session_in_which_nobody_said_anything_leaves_nothing(scene: Scene) -> None:
    scene.call("start", detail="startup")
    scene.add({"type": "mode", "mode": "normal"})
    scene.add({"type": "user", "isMeta": True, "message": {"role": "user", "content": "Caveat"}})
    scene.call("end", detail="prompt_input_exit")
    assert not (scene.root / ".claude").exists()


def test_two_ends_in_one_second_keep_both(scene: Scene) -> None:
    scene.time = 1772372407.0
    scene.held("Fix the login", session=ONE)
    scene.held("Fix the search", session=TWO)
    assert len(scene.pending) == 2
    kept = {path.read_bytes() for path in scene.pending}
    assert kept == {scene.transcript(ONE).read_bytes(), scene.transcript(TWO).read_bytes()}


class TestOnlyOurOwnCommands:
    def test_whoever_resumed_looked_and_left_has_the_real_work_before_them(
        self, scene: Scene
    ) -> None:
        scene.held("Fix the login")
        [real] = scene.pending
        scene.held("/resume-latest", session=TWO)
        assert scene.pending == [real]

    def test_an_answer_and_work_behind_it_make_it_a_session_of_its_own(self, scene: Scene) -> None:
        scene.held("/resume-latest", end="")
        scene.ran("make deploy")
        scene.call("end", detail="other")
        assert len(scene.pending) == 1

    def test_looking_around_is_no_work(self, scene: Scene) -> None:
        scene.held("/resume-latest", "/sessions-list", end="")
        scene.ran("git status && onward list")
        scene.call("end", detail="other")
        assert scene.pending == []

    @pytest.mark.parametrize("answer", ["yes", "no"])
    def test_an_answer_to_our_question_is_no_work(
        self, scene: Scene, stub: Stub, answer: str
    ) -> None:
        stub("onward.commands.resume.answer", answer="Continue with: make")
        scene.held("/onward:resume-latest", end="")
        live.put(str(scene.data), ONE, "awaiting", "resume", "", str(scene.root))
        assert scene.call("prompt", prompt=answer) == "Continue with: make"
        scene.said(answer)
        scene.call("end", detail="other")
        assert scene.pending == []

    @pytest.fixture
    def looked_at(self, scene: Scene) -> Path:
        """A backup that a second session took in, asked about, and ended."""
        scene.held("Fix the login")
        [real] = scene.pending
        scene.held("/resume-latest", session=TWO, end="")
        backups.process(scene.project, [real], None, now=context.now(scene.here))
        at = f"at {scene.here.now - 1!r}"
        live.put(str(scene.data), TWO, "awaiting", "resume", "", str(scene.root), at)
        assert scene.pending == []
        scene.call("end", TWO, detail="other")
        return real

    def test_a_question_that_was_never_answered_leaves_the_backup_waiting_again(
        self, scene: Scene, looked_at: Path
    ) -> None:
        assert scene.pending == [looked_at]

    def test_whoever_takes_up_that_session_can_still_answer(
        self, scene: Scene, looked_at: Path
    ) -> None:
        asked = scene.record("awaiting", TWO)
        assert asked[:4] == ["resume", "", str(scene.root), looked_at.name]
        assert "PENDING" not in scene.call("start", TWO, detail="resume")
        scene.call("end", TWO, detail="other")
        assert scene.record("awaiting", TWO) == asked
        assert scene.pending == [looked_at]

    @pytest.mark.parametrize("name", ["", "fix-login", "later"])
    def test_a_question_that_was_said_last_stays(self, scene: Scene, name: str) -> None:
        scene.held("Fix the login", end="")
        live.put(str(scene.data), ONE, "awaiting", "resume", name, str(scene.root))
        scene.call("end", detail="other")
        assert scene.record("awaiting")[1:2] == [name]

    def test_one_with_another_prompt_behind_it_does_not(self, scene: Scene) -> None:
        scene.held("Fix the login", end="")
        live.put(str(scene.data), ONE, "awaiting", "resume", "", str(scene.root), "later")
        scene.call("end", detail="other")
        assert scene.record("awaiting") == []

    def test_what_was_processed_before_the_session_does_not_come_back(self, scene: Scene) -> None:
        scene.held("Fix the login")
        scene.time = scene.here.now - 60
        backups.process(scene.project, scene.pending, None, now=context.now(scene.here))
        scene.time = 0
        scene.held("/checkpoint resume fix-login", session=TWO, end="")
        live.put(str(scene.data), TWO, "awaiting", "resume", "fix-login", str(scene.root))
        scene.call("end", TWO, detail="other")
        assert scene.pending == []


class TestResumedByTheClient:
    def test_nothing_new_is_not_captured_again(self, scene: Scene) -> None:
        scene.held("Fix the login")
        backups.discard(
            scene.project, scene.pending, Trash(scene.base / "trash"), now=context.now(scene.here)
        )
        scene.call("start", detail="resume")
        scene.add({"type": "mode", "mode": "normal"})
        scene.call("end", detail="other")
        assert scene.pending == []

    def test_what_was_said_since_is(self, scene: Scene) -> None:
        scene.held("Fix the login")
        scene.call("start", detail="resume")
        scene.call("prompt", prompt="And the logout")
        scene.said("And the logout")
        scene.call("end", detail="other")
        assert len(scene.pending) == 2

    def test_what_was_lost_before_is_too(self, scene: Scene) -> None:
        scene.held("Fix the login", end="")
        scene.call("compact", detail="auto")
        scene.said("And the logout")
        scene.pid = 1
        scene.call("start", detail="resume")
        scene.call("end", detail="other")
        assert len(scene.pending) == 2


@pytest.mark.parametrize("reason", ["", "../../x", "a\nb", "x" * 500])
def test_the_clients_word_for_the_reason_makes_no_path(scene: Scene, reason: str) -> None:
    scene.held("Fix the login", end=reason or "-")
    [copy] = scene.pending
    assert copy.parent == scene.project.memory / "raw"


def test_a_session_that_cannot_be_captured_stays_on_record(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StorageError("no space left", "")

    scene.held("Fix the login", end="")
    monkeypatch.setattr(backups, "save", full)
    with pytest.raises(StorageError):
        scene.call("end", detail="other")
    assert scene.record("alive")


@pytest.mark.parametrize("text", ["broken", "[places]\nmemory = 3\n"])
def test_broken_settings_stop_nothing_and_are_told_in_the_log(scene: Scene, text: str) -> None:
    (scene.root / "onward.toml").write_text(text)
    scene.held("Fix the login")
    assert (scene.root / ".claude/memory/.pending-backup").exists()
    assert "settings ignored" in scene.log()


def test_settings_move_the_copies(scene: Scene) -> None:
    (scene.root / "onward.toml").write_text('[places]\nmemory = "notes"\n')
    scene.held("Fix the login")
    assert len(list((scene.root / "notes/raw").iterdir())) == 1
    assert not (scene.root / ".claude").exists()


def test_an_unknown_session_of_which_nothing_exists_changes_nothing(scene: Scene) -> None:
    before = sorted(scene.base.rglob("*"))
    scene.call("end", "ffffffff-unknown", detail="other")
    assert sorted(scene.base.rglob("*")) == before


class TestWhichProject:
    @pytest.mark.parametrize("name", ["with spaces", "münchen", "深い", "a'b\"c"])
    def test_any_name_of_a_folder(self, scene: Scene, name: str) -> None:
        scene.root = scene.root.rename(scene.base / name)
        scene.held("Fix the login")
        assert len(scene.pending) == 1

    def test_a_sub_folder_belongs_to_the_repository(self, scene: Scene) -> None:
        deep = scene.root / "src" / "deep"
        deep.mkdir(parents=True)
        scene.held("Fix the login", end="")
        scene.call("end", detail="other", project=str(deep), cwd=str(deep))
        assert len(scene.pending) == 1

    def test_a_link_leads_to_the_real_folder(self, scene: Scene) -> None:
        link = scene.base / "link"
        link.symlink_to(scene.root)
        scene.held("Fix the login", end="")
        scene.call("end", detail="other", project=str(link))
        assert len(scene.pending) == 1

    def test_without_git_the_folder_itself(self, scene: Scene) -> None:
        scene.root = scene.base / "plain"
        scene.root.mkdir()
        scene.held("Fix the login")
        assert len(scene.pending) == 1

    @pytest.mark.parametrize("place", ["home", "/"])
    def test_home_and_the_root_of_the_disk_are_no_project(self, scene: Scene, place: str) -> None:
        folder = scene.base / place if place == "home" else Path("/")
        scene.said("Fix the login")
        scene.call("end", detail="other", project=str(folder), cwd=str(folder))
        assert not (scene.base / "home" / ".claude").exists()
        assert not Path("/.claude/memory").exists()

    def test_a_home_that_is_a_repository_is_one(self, scene: Scene) -> None:
        scene.root.joinpath(".git").rename(scene.base / "home" / ".git")
        scene.root = scene.base / "home"
        scene.held("Fix the login")
        assert len(scene.pending) == 1

    def test_a_folder_that_is_gone_is_not_made_again(self, scene: Scene) -> None:
        scene.said("Fix the login")
        gone = str(scene.base / "gone")
        scene.call("end", detail="other", project=gone, cwd=gone)
        assert not (scene.base / "gone").exists()

    def test_a_sub_agent_is_no_session(self, scene: Scene) -> None:
        scene.said("Fix the login")
        scene.call("end", detail="other", helper="a53f846e")
        assert not (scene.root / ".claude").exists()


def test_a_session_that_is_opened_and_left_keeps_its_place(scene: Scene) -> None:
    scene.held("Fix the login")
    scene.held("Fix the logout", session=TWO)
    before = scene.pending
    scene.add({"type": "mode", "mode": "normal"})  # as some clients write when they open it
    scene.call("start", detail="resume")
    scene.call("end", detail="prompt_input_exit")
    assert scene.pending == before


def test_what_is_said_after_it_was_opened_again_is_captured(scene: Scene) -> None:
    scene.held("Fix the login")
    scene.add({"type": "mode", "mode": "normal"})
    scene.call("start", detail="resume")
    scene.call("prompt", prompt="And the logout")
    scene.said("And the logout")
    scene.call("end", detail="prompt_input_exit")
    assert scene.pending[0].read_bytes() == scene.transcript().read_bytes()
