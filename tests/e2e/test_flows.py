"""The three flows of the document, each from its beginning to the end of the next session."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.e2e.kit.lab import Lab, conversation
from tests.e2e.kit.model import Answer, Call
from tests.e2e.kit.session import ASKED, DONE, assert_whole, backup_in, next_start, turn
from tests.e2e.kit.slash import UNDERSTOOD, obedient
from tests.e2e.kit.talk import Form, Talk
from tests.e2e.kit.watch import Watch

pytestmark = pytest.mark.every_version

CONTEXT, MARKER = "active-context.md", ".pending-backup"
NEXT = "Caulk plank five with the oakum from the forepeak"
WHY = "the oakum in the locker is wet"
READY = "Ready to continue?"
SMALL = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}
forms = pytest.mark.parametrize("form", ["headless", "terminal"])


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A lab with onward in its project."""
    lab.install("--project")
    return lab


def context(lab: Lab) -> str:
    return lab.memory(CONTEXT).read_text("utf-8")


def resume(lab: Lab, talk: Talk) -> list[str]:
    """Type /resume-latest; what happened meanwhile to the active context and to the marker."""
    lab.model.script([READY])
    with Watch(lab.memory()) as seen:
        talk.say("/resume-latest", READY)
    return seen.of(CONTEXT, MARKER)


def assert_resumed(lab: Lab, changes: list[str]) -> None:
    """The active context was brought up to date, and only after that the marker went."""
    assert f"-{MARKER}" in changes
    assert changes.index(f"+{CONTEXT}") < changes.index(f"-{MARKER}")
    assert ASKED in context(lab)


@forms
def test_flow_a_a_manual_save_is_in_the_next_session(lab: Lab, form: Form) -> None:
    talk = Talk(lab, form)
    lab.model.script(turn(lab))
    talk.say(ASKED, DONE)
    lab.model.script(obedient(lab, {"next": NEXT, "why": WHY}))
    with Watch(lab.memory()) as seen:
        talk.say("/document-and-save", UNDERSTOOD)
    document = the_document(lab)
    both = [f"+{CONTEXT}", f"+{document.name}"]
    assert seen.of(CONTEXT, document.name)[:2] == both, "without the agent's words"
    assert seen.of(CONTEXT, document.name)[2:4] == both, "and with them"
    assert NEXT in document.read_text("utf-8")
    talk.end()
    request = next_start(lab)
    assert request.where(f"**Document:** .claude/memory/{document.name}") == ["messages[0] user"]
    assert "messages[0] user" in request.where(NEXT)
    full = next_start(lab, f"/resume-from .claude/memory/{document.name}")
    assert full.where(f"Next action: {NEXT}")
    assert full.where(WHY)


def the_document(lab: Lab) -> Path:
    (document,) = lab.memory().glob("session-*.md")
    return document


@forms
def test_flow_b_what_a_compaction_took_is_brought_back(lab: Lab, form: Form) -> None:
    talk = Talk(lab, form, "--model", "claude-sonnet-4-5", env=SMALL)
    step = Call("Bash", {"command": "echo stroke >> log.txt", "description": "Row"})
    kept: list[str] = []

    def look() -> None:
        kept.extend(conversation(raw) for raw in lab.pending())

    lab.model.script(
        [Answer("", (step,), usage={"input_tokens": size}) for size in (20_000, 50_000, 99_000)]
        + [Answer(DONE, usage={"input_tokens": 20_000}, gate=look)]
    )
    talk.say(ASKED, DONE)
    assert len(lab.requests("compact")) == 1
    (before,) = kept
    assert ASKED in before, "a raw copy that the marker names, while the session goes on"
    told = lab.requests()[-1]
    assert backup_in(told, lab).parent == lab.memory("raw")
    assert told.where("same session")
    assert_resumed(lab, resume(lab, talk))
    talk.end()


@forms
def test_flow_c_what_a_session_left_is_offered_and_brought_back(lab: Lab, form: Form) -> None:
    talk = Talk(lab, form)
    lab.model.script(turn(lab))
    talk.say(ASKED, DONE)
    transcript = lab.wait_written(DONE)
    assert "Session ended" not in context(lab) or form == "headless"
    talk.end()
    (backup,) = lab.pending()
    assert_whole(backup, transcript)
    assert "**Session ended:**" in context(lab)
    assert f"saved {backup.name} session={transcript.stem}" in lab.log()

    count, talk = len(lab.requests()), Talk(lab, form)
    assert_resumed(lab, resume(lab, talk))
    request = lab.requests()[count]
    assert backup_in(request, lab) == backup
    assert request.where(ASKED)
    lab.model.script(["Then plank five."])
    assert talk.say("yes", "Then plank five").where("The user said yes")
    talk.end()
    assert backup not in lab.pending()
    assert backup.exists(), "the raw copy stays"
