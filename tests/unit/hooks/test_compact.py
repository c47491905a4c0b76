"""Before a compaction: the copy first, then what must be kept."""

from __future__ import annotations

import re

import pytest
from tests.unit.hooks.conftest import ONE, TWO, Scene, Stub

from onward.errors import InputError, StorageError
from onward.model import Clean
from onward.storage import backups


@pytest.mark.parametrize("trigger", ["auto", "manual"])
def test_the_transcript_is_copied_under_a_name_without_a_reason(scene: Scene, trigger: str) -> None:
    scene.held("Fix the login", end="")
    scene.call("compact", detail=trigger)
    [copy] = scene.pending
    assert re.fullmatch(r"\d{8}_\d{6}\.jsonl", copy.name)
    assert copy.read_bytes() == scene.transcript().read_bytes()
    assert [kind for kind, _ in scene.jobs] == ["prepare"]
    assert f"session={ONE} reason=" in (scene.project.memory / ".backup-log").read_text()


def test_the_session_goes_on_and_is_not_stamped_as_ended(scene: Scene) -> None:
    scene.held("Fix the login", end="")
    scene.project.memory.mkdir(parents=True)
    scene.project.active_context.write_text("# Active Context\n")
    scene.call("compact", detail="auto")
    assert scene.project.active_context.read_text() == "# Active Context\n"
    assert scene.record("alive")


def test_what_must_be_kept_reaches_the_compaction(scene: Scene, stub: Stub) -> None:
    calls = stub("onward.commands.compaction.before_compaction", answer=Clean("Keep: src/a.py"))
    scene.held("Fix the login", end="")
    assert scene.call("compact", detail="auto") == "Keep: src/a.py"
    assert calls[0][1] == scene.transcript()


def test_the_copy_is_made_whatever_is_wrong_with_that(scene: Scene, stub: Stub) -> None:
    stub("onward.commands.compaction.before_compaction", answer=InputError("x"))
    scene.held("Fix the login", end="")
    with pytest.raises(InputError):
        scene.call("compact", detail="auto")
    assert len(scene.pending) == 1


def test_a_copy_that_cannot_be_made_is_told_whatever_there_is_to_keep(
    scene: Scene, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StorageError("the disk is full")

    stub("onward.commands.compaction.before_compaction", answer=Clean("Keep: src/a.py"))
    scene.held("Fix the login", end="")
    monkeypatch.setattr(backups, "save", full)
    assert scene.call("compact", detail="auto") == "Keep: src/a.py"
    assert "the disk is full" in scene.log()


def test_without_a_transcript_nothing_is_done(scene: Scene, stub: Stub) -> None:
    calls = stub("onward.commands.compaction.before_compaction", answer=Clean("Keep"))
    assert scene.call("compact", detail="manual") == ""
    assert calls == []
    assert not (scene.root / ".claude").exists()


def test_a_capture_is_not_the_last_word_of_a_session_that_grows(scene: Scene) -> None:
    scene.held("Fix the login", end="")
    scene.call("compact", detail="auto")
    scene.said("And the logout")
    scene.call("compact", detail="auto")
    assert len(scene.pending) == 2
    scene.call("end", detail="other")
    assert len(scene.pending) == 2
    scene.said("And the search", session=TWO)
    scene.answered()
    scene.call("end", detail="other")
    assert len(scene.pending) == 3
    assert scene.pending[0].read_bytes() == scene.transcript().read_bytes()
