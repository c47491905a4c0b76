"""What was saved before a session ended is not called unsaved, and never lost either."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.unit.hooks.conftest import ONE, TWO, Scene, Stub

from onward.commands import work
from onward.errors import StorageError
from onward.hooks import context
from onward.model import Clean
from onward.storage import backups, sessions

DEAD = 2**22 + 1  # no process has so high a number
PLACE = "memory/checkpoints/fix-login.md"


def save(scene: Scene, session: str = ONE, kind: str = sessions.CHECKPOINT) -> Path:
    """As a save of that session leaves it."""
    file = scene.root / PLACE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("# Checkpoint: fix-login\n")
    data, now = str(scene.data), context.world(scene.here, str(scene.root)).now.timestamp()
    made = (kind, "fix-login", str(file), now)
    sessions.save(data, session, str(scene.transcript(session)), str(scene.root), made)
    return file


def types(scene: Scene, prompt: str, session: str = ONE) -> None:
    scene.call("prompt", session, prompt=prompt)
    scene.said(prompt, session)
    scene.answered("All right.", session)


class TestNothingCameBehindTheSave:
    @pytest.mark.parametrize(
        "words",
        [
            (),
            ("/checkpoint save fix-login",),
            ("/onward:document-and-save", "thanks!"),
            ("/checkpoint frobnicate", "yes", "no thanks", "goodnight"),
            ("thanks a lot",),
        ],
    )
    def test_so_the_copy_is_kept_without_a_marker(
        self, scene: Scene, words: tuple[str, ...]
    ) -> None:
        scene.held("Fix the login", end="")
        save(scene)
        for each in words:
            types(scene, each)
        scene.ran("git status && onward list")
        scene.call("end", detail="prompt_input_exit")
        assert scene.pending == []
        [copy] = scene.raw
        kept = scene.project.memory / "raw" / copy
        assert kept.read_bytes() == scene.transcript().read_bytes()

    def test_and_what_was_marked_of_it_before_waits_no_more(self, scene: Scene) -> None:
        scene.held("Fix the search", session=TWO)
        scene.held("Fix the login", end="")
        scene.call("compact", detail="auto")
        assert len(scene.pending) == 2
        save(scene)
        types(scene, "/document-and-save")
        scene.call("end", detail="other")
        assert [path.name for path in scene.pending] == [
            each.path.name for each in backups.entries(scene.project) if each.session == TWO
        ]

    def test_also_where_the_client_was_killed(self, scene: Scene) -> None:
        here, scene.pid = scene.pid, DEAD
        scene.held("Fix the login", end="")
        save(scene)
        scene.pid = here
        scene.call("start", TWO, detail="startup")
        assert scene.pending == []
        assert len(scene.raw) == 1

    def test_also_where_it_was_taken_up_only_to_save_it(self, scene: Scene) -> None:
        scene.held("Fix the login")
        scene.call("start", detail="resume")
        types(scene, "/document-and-save")
        save(scene)
        scene.call("end", detail="other")
        assert scene.pending == []

    def test_the_next_start_names_the_place(self, scene: Scene, stub: Stub) -> None:
        stub("onward.commands.handover.saved_place", answer=Clean("You saved a place."))
        scene.held("Fix the login", end="")
        save(scene)
        scene.call("end", detail="other")
        assert scene.call("start", TWO, detail="startup") == "You saved a place."


class TestSomethingDid:
    @pytest.mark.parametrize(
        ("words", "prompts"),
        [
            (("Now fix the logout",), 1),
            (("yes", "Now fix the logout", "goodnight", "And then the search"), 2),
            (("Rename the button, then goodnight",), 1),
        ],
    )
    def test_so_it_waits_and_they_are_counted(
        self, scene: Scene, words: tuple[str, ...], prompts: int
    ) -> None:
        scene.held("Fix the login", end="")
        save(scene)
        for each in words:
            types(scene, each)
        scene.call("end", detail="other")
        assert len(scene.pending) == 1
        found = sessions.saved(str(scene.data), ONE, str(scene.root))
        assert found
        assert found.since == prompts

    def test_work_without_a_word_counts(self, scene: Scene) -> None:
        scene.held("Fix the login", end="")
        save(scene)
        scene.ran("make deploy")
        scene.call("end", detail="other")
        assert len(scene.pending) == 1

    def test_more_than_can_be_read_counts(
        self, scene: Scene, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        scene.held("Fix the login", end="")
        save(scene)
        types(scene, "goodnight")
        monkeypatch.setattr(work, "_MOST", 10)
        scene.call("end", detail="other")
        assert len(scene.pending) == 1

    def test_what_cannot_be_read_counts_and_is_told_in_the_log(
        self, scene: Scene, stub: Stub
    ) -> None:
        stub("onward.commands.work.behind", answer=StorageError("no space left", ""))
        scene.held("Fix the login", end="")
        save(scene)
        types(scene, "goodnight")
        scene.call("end", detail="other")
        assert len(scene.pending) == 1
        assert "whether all was saved is unknown" in scene.log()

    def test_a_place_that_was_deleted_saved_nothing(self, scene: Scene) -> None:
        scene.held("Fix the login", end="")
        save(scene).unlink()
        scene.call("end", detail="other")
        assert len(scene.pending) == 1

    def test_nor_does_one_of_another_project(self, scene: Scene) -> None:
        scene.held("Fix the login", end="")
        home, scene.root = scene.root, scene.base / "other"
        save(scene)
        scene.root = home
        scene.call("end", detail="other")
        assert len(scene.pending) == 1


class TestWhatIsOfferedFirst:
    @staticmethod
    def worked(scene: Scene, session: str = ONE) -> Path:
        scene.held("Fix the login", session=session, end="")
        scene.ran("make", session)
        scene.call("end", session, detail="other")
        return next(path for path in scene.pending if session in path.read_text())

    def test_work_stands_before_a_word_and_its_answer(self, scene: Scene) -> None:
        scene.time = time.time() - 100
        real = self.worked(scene)
        scene.time += 10
        scene.held("hello again", session=TWO)
        assert scene.pending[0] == real
        assert len(scene.pending) == 2
        marker = (scene.project.memory / ".pending-backup").read_text().splitlines()
        assert marker == [str(path) for path in scene.pending]
        told = scene.call("start", "0f5a3c7e-0000-4000-8000-000000000003", detail="startup")
        assert real.name in told.splitlines()[0]

    def test_newer_work_stands_before_older(self, scene: Scene) -> None:
        scene.time = time.time() - 100
        self.worked(scene)
        scene.time += 10
        newer = self.worked(scene, TWO)
        assert scene.pending[0] == newer

    @pytest.mark.parametrize(
        ("prompts", "is_first"),
        [
            (("What is a login?", "And a logout?"), False),
            (("What is a login?", "And a logout?", "And a token?", "So which of them?"), True),
        ],
    )
    def test_a_chat_of_two_questions_stands_behind_work_and_a_long_talk_does_not(
        self, scene: Scene, prompts: tuple[str, ...], is_first: bool
    ) -> None:
        scene.time = time.time() - 100
        self.worked(scene)
        scene.time += 10
        scene.held(*prompts, session=TWO)
        assert (TWO in scene.pending[0].read_text()) == is_first

    def test_a_command_that_looks_does_not_make_it_work(self, scene: Scene) -> None:
        scene.time = time.time() - 100
        self.worked(scene)
        scene.time += 10
        scene.held("What is a login?", "And what changed?", session=TWO, end="")
        scene.ran("git status", TWO)
        scene.call("end", TWO, detail="other")
        assert TWO not in scene.pending[0].read_text()

    def test_a_request_that_was_never_answered_is_work(self, scene: Scene) -> None:
        scene.time = time.time() - 100
        self.worked(scene)
        scene.time += 10
        scene.call("start", TWO, detail="startup")
        scene.call("prompt", TWO, prompt="Now mend the search too")
        scene.said("Now mend the search too", TWO)
        scene.call("end", TWO, detail="other")
        assert TWO in scene.pending[0].read_text()

    def test_of_trivial_ones_alone_the_newest(self, scene: Scene) -> None:
        scene.time = time.time() - 100
        scene.held("hello")
        scene.time += 10
        scene.held("hello again", session=TWO)
        assert TWO in scene.pending[0].read_text()

    def test_a_saved_session_behind_the_one_that_waits_is_named_too(
        self, scene: Scene, stub: Stub
    ) -> None:
        stub("onward.commands.handover.handover", answer=Clean("You were at the login.\n"))
        stub("onward.commands.handover.saved_place", answer=Clean("You saved a place."))
        scene.time = time.time() - 100
        self.worked(scene)
        scene.time = time.time() + 100
        scene.held("Fix the search", session=TWO, end="")
        save(scene, TWO)
        scene.call("end", TWO, detail="other")
        told = scene.call("start", "0f5a3c7e-0000-4000-8000-000000000003", detail="startup")
        assert told.splitlines()[2:] == ["You were at the login.", "You saved a place."]
