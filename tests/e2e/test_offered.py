"""What the next session is offered: nothing that was saved, and first of all what holds work."""

from __future__ import annotations

import signal

import pytest
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.model import Answer
from tests.e2e.kit.session import (
    ASKED,
    DONE,
    FREE,
    PENDING,
    assert_whole,
    backup_in,
    begin,
    leave,
    next_start,
    turn,
    work,
    worked,
)
from tests.e2e.kit.slash import UNDERSTOOD, obedient
from tests.e2e.kit.talk import Form, Talk

NEXT = "Caulk plank five with the oakum from the forepeak"
MORE = "Now caulk the seam below the transom"
forms = pytest.mark.parametrize("form", ["headless", "terminal"])
SAVES = {
    "/document-and-save": "/resume-from .claude/memory/session-",
    "/document-and-save-to notes/seams.md": "/resume-from notes/seams.md",
    "/checkpoint save caulk-the-seams": "/checkpoint resume caulk-the-seams",
    "/save-session-protocol": "/load-session-protocol",
}


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A lab with onward in its project."""
    lab.install("--project")
    return lab


def saved(lab: Lab, form: Form, save: str) -> Talk:
    """A session that worked and was saved, with the agent's words."""
    talk = Talk(lab, form)
    lab.model.script(turn(lab))
    talk.say(ASKED, DONE)
    lab.model.script(obedient(lab, {"next": NEXT}))
    talk.say(save, UNDERSTOOD)
    return talk


@pytest.mark.parametrize(
    ("form", "save"), [("terminal", "/document-and-save"), *(("headless", save) for save in SAVES)]
)
def test_a_session_that_was_saved_is_not_called_unsaved(lab: Lab, form: Form, save: str) -> None:
    saved(lab, form, save).end()
    lab.wait_quiet()
    assert lab.pending() == []
    assert lab.raws(), "the raw copy is there all the same"
    request = next_start(lab)
    assert not PENDING.search(request.text)
    assert request.where("The newest checkpoint here is")
    assert request.where(f"the user types {SAVES[save]}")
    assert request.where(f"Next: {NEXT}")


def test_a_short_answer_and_a_close_signal_behind_the_save_change_nothing(lab: Lab) -> None:
    talk = saved(lab, "terminal", "/checkpoint save caulk-the-seams")
    for words, said in (("yes", "Good."), ("goodnight", "Sleep well.")):
        lab.model.script([said])
        talk.say(words, said)
    talk.end()
    lab.wait_quiet()
    assert lab.pending() == []


@forms
def test_real_words_behind_the_save_wait_and_the_save_is_named(lab: Lab, form: Form) -> None:
    talk = saved(lab, form, "/checkpoint save caulk-the-seams")
    lab.model.script(["The transom is next."])
    talk.say(MORE, "The transom is next.")
    talk.end()
    lab.wait_quiet()
    request = next_start(lab)
    assert backup_in(request, lab) == lab.pending()[0]
    assert request.where("Saved before that: `caulk-the-seams`; 1 prompt since.")
    assert request.where(MORE)


def test_a_killed_session_that_was_saved_is_not_called_unsaved(lab: Lab) -> None:
    talk = saved(lab, "terminal", "/document-and-save")
    window = talk.window
    assert window
    window.still()
    window.kill(signal.SIGKILL)
    window.wait_dead()
    assert not PENDING.search(next_start(lab).text)


def test_a_word_and_its_answer_do_not_stand_before_the_work(lab: Lab) -> None:
    real = worked(lab)
    lab.model.script(["Hello!"])
    lab.headless("hello again")
    lab.wait_quiet()
    assert len(lab.pending()) == 2, "nothing is lost"
    request = next_start(lab)
    assert_whole(backup_in(request, lab), real)
    assert request.where(ASKED)
    lab.wait_quiet()
    lab.model.script(obedient(lab))
    told = lab.headless("/resume-latest", FREE)
    assert told.code == 0
    printed = lab.requests()[-1]
    assert printed.where(f"📌 Resume: {ASKED}")
    assert printed.where("2 more backups are pending (onward backup list)")


def test_all_that_wait_can_be_discarded_at_once(lab: Lab) -> None:
    worked(lab)
    worked(lab, MORE)
    lab.headless("/discard-backup", FREE)
    assert lab.requests()[-1].where("onward backup discard --all")
    lab.wait_quiet()
    worked(lab, MORE)
    lab.onward("backup", "discard", "--all")
    assert lab.pending() == lab.raws() == []


def test_a_goodnight_without_work_leaves_the_autosave_as_it_was(lab: Lab) -> None:
    window = begin(lab)
    work(lab, window)
    lab.model.script(["Sleep well."])
    window.type("goodnight")
    lab.wait_written("Sleep well.")
    leave(window)
    lab.wait_quiet()
    file = lab.project / "memory/checkpoints/autosave.md"
    before = file.read_bytes()
    assert ASKED in before.decode()
    assert "goodnight" not in before.decode()
    window = begin(lab)
    for words, said in (("hi there", "Hello! What shall we do?"), ("goodnight", "Sleep tight.")):
        lab.model.script([said])
        window.type(words)
        lab.wait_written(said)
    leave(window)
    lab.wait_quiet()
    assert file.read_bytes() == before


def test_what_was_asked_and_never_answered_is_handed_over(lab: Lab) -> None:
    window = begin(lab)
    lab.model.script([Answer("Never said.", delay=600)])
    window.type(MORE)
    lab.wait_written(MORE)
    window.kill(signal.SIGKILL)
    window.wait_dead()
    request = next_start(lab)
    assert request.where("Status: cut off")
    assert request.where(MORE)
