"""The slash commands in the default permission mode: nothing is asked, nothing is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.model import Answer, Call, Request
from tests.e2e.kit.session import ASKED, worked
from tests.e2e.kit.slash import UNDERSTOOD, ask, command_in, obedient
from tests.e2e.kit.terminal import Window

NEXT = "Run `make caulk`; don't \"stop\" at {'plank': 5}"
LASTING = ["Pitch needs an hour to set", "Oakum comes in bales", "The yard closes at six"]
WORDS: Mapping[str, Any] = {
    "next": NEXT,
    "why": "plank five still leaks",
    "decisions": [{"text": "Pitch, not tar", "why": "tar stays soft"}],
    "tasks": [{"title": "Caulk plank five", "status": "in_progress"}],
    "memory": [*LASTING, "A fourth line is one too many"],
}
OTHER = "Splice the mainsheet"
QUESTION = "Ready to continue? (yes/no)"
WHAT_NO_DOES = "(no puts the checkpoint in the trash; any other answer leaves it as it is)"
NAME = "caulk-the-seams"
FILE = f"memory/checkpoints/{NAME}.md"
ACTIVE = ".claude/memory/active-context.md"
DOCUMENT = "notes/my hand-over.md"
REFUSED = re.compile(r"Do you want|requires approval|permission check failed")


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A lab with commands and hooks in its project."""
    lab.install("--project")
    return lab


@pytest.fixture
def session(lab: Lab) -> str:
    """The id of a session with work in it, which has ended."""
    return worked(lab).stem


def another(lab: Lab) -> Path:
    """The backup of one more session, the newest that is pending."""
    worked(lab, OTHER, "The mainsheet is spliced.")
    backup, *_ = lab.pending()
    return backup


def text(lab: Lab, name: str) -> str:
    return (lab.project / name).read_text("utf-8")


# --------------------------------------------------------------------- saves


def test_a_document_is_saved_with_the_backup_named_first_and_the_active_context_before_it(
    lab: Lab, session: str
) -> None:
    backup = another(lab)
    told = ask(lab, "/document-and-save", "--resume", session, words=WORDS).command.printed
    (document,) = lab.memory().glob("session-*.md")
    first = told.index(f"A backup is pending: {backup.name} (/resume-latest)")
    then = told.index(f"Wrote {ACTIVE}")
    assert first < then < told.index(f"Wrote .claude/memory/{document.name}")
    assert f"To continue from it: /resume-from .claude/memory/{document.name}" in told
    for name in (ACTIVE, f".claude/memory/{document.name}"):
        assert NEXT in text(lab, name), "what the agent added"
        assert "Pitch, not tar" in text(lab, name)
    assert not (lab.project / "memory").exists(), "the draft is read and removed"


def test_at_most_three_lines_of_a_save_are_added_to_the_project_memory(
    lab: Lab, session: str
) -> None:
    lab.write(".claude/memory/project-memory.md", "# Project Memory\n\nThe yard's own words.\n")
    ran = ask(lab, "/document-and-save", "--resume", session, words=WORDS)
    kept = text(lab, ".claude/memory/project-memory.md")
    assert kept.startswith("# Project Memory\n\nThe yard's own words.\n")
    assert re.findall(r"^- (.+)$", kept, re.MULTILINE) == LASTING
    assert "at most 3 a save" in ran.command.results[1]


def test_a_document_that_cannot_be_written_is_told_and_nothing_is_changed(
    lab: Lab, session: str
) -> None:
    before = text(lab, ACTIVE)
    told = ask(lab, "/document-and-save-to README.md/deck.md", "--resume", session).command.printed
    assert "README.md" in told
    assert "Wrote" not in told
    assert "Draft:" not in told
    assert ASKED not in before
    assert ASKED not in text(lab, ACTIVE)


def test_a_save_is_done_before_the_agent_says_a_word(lab: Lab, session: str) -> None:
    found = list[int]()

    def look(request: Request) -> str:
        assert ASKED in text(lab, ACTIVE)
        found.extend((lab.project / name).stat().st_mtime_ns for name in (ACTIVE, DOCUMENT))
        return UNDERSTOOD

    lab.model.script(look)
    lab.headless(f"/document-and-save-to {DOCUMENT}", "--resume", session)
    active, document = found
    assert active <= document, "the active context first"


def test_the_session_that_runs_is_saved_and_not_a_newer_one(lab: Lab, session: str) -> None:
    another(lab)
    ask(lab, f"/document-and-save-to {DOCUMENT}", "--resume", session)
    assert ASKED in text(lab, DOCUMENT)
    assert OTHER not in text(lab, DOCUMENT)


def test_a_protocol_is_saved_and_loaded(lab: Lab, session: str) -> None:
    saved = ask(lab, "/save-session-protocol", "--resume", session, words=WORDS).command
    for told in (saved.printed, saved.results[1]):
        assert re.search(r"^Saved → session-protocol\.json\n- \d+ pend", told, re.MULTILINE)
    held = json.loads(text(lab, "session-protocol.json"))
    assert [task["title"] for task in held["tasks"]] == ["Caulk plank five"]
    loaded = ask(lab, "/load-session-protocol").command.printed
    assert re.search(r"^Loaded session-protocol\.json \(\d+m old\)$", loaded, re.MULTILINE)
    assert re.search(r"^Next: TASK_\d+ - Caulk plank five$", loaded, re.MULTILINE)
    assert NEXT in loaded


# ---------------------------------------------------------------- checkpoints


def test_a_checkpoint_is_saved_listed_and_deleted(lab: Lab, session: str) -> None:
    saved = ask(lab, f"/checkpoint save {NAME} --task Tight", "--resume", session, words=WORDS)
    assert f"Saved checkpoint: {NAME}\nTask: Tight\n" in saved.command.printed
    assert f"Next action: {NEXT}\n" in saved.command.results[1]
    assert NEXT in text(lab, FILE)
    listed = ask(lab, "/checkpoint list").command.printed
    assert re.search(rf"^NAME +CREATED +TASK +STATUS +AGE\n{NAME} +.*Tight", listed, re.MULTILINE)
    deleted = ask(lab, f"/checkpoint delete {NAME}").command.printed
    assert f"onward restore {NAME}" in deleted
    assert NEXT in deleted
    assert not (lab.project / FILE).exists()


def test_our_own_commands_well_typed_or_not_are_never_the_work(lab: Lab, session: str) -> None:
    slip = ask(lab, "/checkpoint frobnicate the-hull", "--resume", session).command
    assert slip.printed.startswith("which of these? save NAME")
    saved = ask(lab, f"/checkpoint save {NAME}", "--resume", session).command
    assert saved.printed.startswith(f"Saved checkpoint: {NAME}\nTask: {ASKED[:20]}")
    assert "frobnicate" not in text(lab, FILE)


@pytest.mark.parametrize("reply", ["yes", "no"])
def test_a_checkpoint_is_resumed_only_once_the_person_said_so(
    lab: Lab, session: str, reply: str
) -> None:
    ask(lab, f"/checkpoint save {NAME}", "--resume", session, words=WORDS)
    ran = ask(lab, f"/checkpoint resume {NAME}")
    assert ran.command.printed.endswith(f"{QUESTION}\n{WHAT_NO_DOES}")
    block = ran.command.printed.index("📌 Resume: ")
    assert block < ran.command.printed.index(f"🔜 Next action: {NEXT}")
    lab.model.script([UNDERSTOOD])
    lab.headless(reply, "--resume", str(ran.answered.data["session_id"]))
    told = lab.requests()[-1].text
    if reply == "yes":
        assert f"The user said yes: continue with: {NEXT}" in told
        assert (lab.project / FILE).exists()
        return
    assert f"The checkpoint {NAME} is in the trash" in told
    assert not (lab.project / FILE).exists()
    (command,) = re.findall(r"To bring it back: onward (restore \S+)", told)
    lab.onward(*command.split())
    assert NEXT in text(lab, FILE)


# -------------------------------------------------------------------- resumes


def test_the_pending_backup_is_taken_in_before_the_agent_reads_of_it(
    lab: Lab, session: str
) -> None:
    (backup,) = lab.pending()
    before = text(lab, ACTIVE)
    found: list[tuple[bool, bool]] = []

    def look(request: Request) -> str:
        found.append((ASKED in text(lab, ACTIVE), backup in lab.pending()))
        return UNDERSTOOD

    assert ASKED not in before
    lab.model.script(look)
    lab.headless("/resume-latest")
    command = command_in(lab.requests()[-1])
    assert command
    assert found == [(True, False)], "the active context is written, then the marker is gone"
    assert f"Taken in: .claude/memory/raw/{backup.name}" in command.printed
    assert f"📌 Resume: {ASKED}" in command.printed
    assert command.printed.endswith(QUESTION)


def test_a_document_is_resumed_by_the_path_that_was_typed(lab: Lab, session: str) -> None:
    ask(lab, f"/document-and-save-to {DOCUMENT}", "--resume", session, words=WORDS)
    another(lab)
    told = ask(lab, f"/resume-from {DOCUMENT}").command.printed
    assert told.index("backup is pending: /resume-latest") < told.index("📌 Resume")
    assert f"🔜 Next action: {NEXT}" in told
    assert QUESTION in told
    assert told.endswith("the user types /resume-latest"), "the other choice"


def test_sessions_are_listed_with_the_backup_on_top_and_it_is_discarded(
    lab: Lab, session: str
) -> None:
    ask(lab, "/document-and-save", "--resume", session)
    backup = another(lab)
    (document,) = lab.memory().glob("session-*.md")
    listed = ask(lab, "/sessions-list").command
    assert listed.printed.startswith(f"A backup is pending: {backup.name} (/resume-latest)")
    assert document.name in listed.printed
    which = ask(lab, "/resume-from").command.printed
    assert document.name in which, "without a path the list is shown"
    assert "there is no 9" in ask(lab, "/discard-backup 9").command.printed
    assert backup in lab.pending()
    discarded = ask(lab, "/discard-backup 2").command.printed
    assert f"Discarded .claude/memory/raw/{backup.name}" in discarded
    assert not backup.exists()
    assert backup not in lab.pending()
    assert document.exists()


# ----------------------------------------------------------------- the grants

TRIES = {
    "another file": Call("Write", {"file_path": "stowaway.txt", "content": "-"}),
    "a file of ours": Call("Write", {"file_path": "memory/checkpoints/x.md", "content": "-"}),
    "another verb": Call("Bash", {"command": f"onward delete {NAME}", "description": "-"}),
    "a word more": Call(
        "Bash", {"command": "onward slash checkpoint add more", "description": "-"}
    ),
    "another command": Call("Bash", {"command": "onward slash discard-backup", "description": "-"}),
    "more behind it": Call(
        "Bash", {"command": "onward slash checkpoint add; touch stowaway.txt", "description": "-"}
    ),
}
GRANTED = [
    Call("Write", {"file_path": "memory/.draft-00000000.json", "content": "{}"}),
    Call("Bash", {"command": "onward slash checkpoint add", "description": "-"}),
]


def in_the_project(lab: Lab, call: Call) -> Call:
    """The same call; the client wants whole paths."""
    given = dict(call.input)
    if "file_path" in given:
        given["file_path"] = str(lab.project / given["file_path"])
    return Call(call.name, given)


def test_a_command_may_run_nothing_but_its_own_call_to_the_letter(lab: Lab, session: str) -> None:
    calls = [in_the_project(lab, call) for call in TRIES.values()]
    lab.model.script([Answer("", (call,)) for call in calls])
    done = lab.headless(f"/checkpoint save {NAME}", "--resume", session)
    denied = [each["tool_input"] for each in done.data["permission_denials"]]
    assert denied == [call.input for call in calls]
    assert not (lab.project / "stowaway.txt").exists()
    assert "# Checkpoint" in text(lab, FILE)
    assert "discarded" not in lab.log()


def test_a_grant_ends_with_the_turn_of_the_command(lab: Lab, session: str) -> None:
    calls = [in_the_project(lab, call) for call in GRANTED]
    turn: list[str | Answer] = [*(Answer("", (call,)) for call in calls), UNDERSTOOD]
    lab.model.script(turn)
    granted = lab.headless(f"/checkpoint save {NAME}", "--resume", session)
    assert granted.data["permission_denials"] == []
    lab.model.script(turn)
    later = lab.headless("Go on", "--resume", session)
    # The settings that `install` writes let the draft through at any time, and nothing else.
    assert [each["tool_name"] for each in later.data["permission_denials"]] == ["Bash"]


# --------------------------------------------------------------- the terminal


def told(lab: Lab, window: Window, typed: str, words: Mapping[str, Any] | None = None) -> str:
    """Type a command in the window; what onward printed, once the agent is through with it."""
    count = len(lab.requests())
    lab.model.script(obedient(lab, words))
    window.still()
    window.type(typed)
    asked = count + (3 if words else 1)
    lab.model.wait(count=asked)
    window.still()
    assert not REFUSED.search(window.screen), window.screen
    command = command_in(lab.requests()[-1])
    assert command
    assert f"/{command.name}".startswith(typed.split(maxsplit=1)[0]), "it is this one's turn"
    assert len(command.results) == (2 if words else 0)
    return command.printed


def saves(lab: Lab, say: Callable[..., str]) -> None:
    assert "Wrote" in say("/document-and-save", WORDS)
    assert NEXT in text(lab, ACTIVE)
    assert DOCUMENT in say(f"/document-and-save-to {DOCUMENT}", WORDS)
    assert NEXT in text(lab, DOCUMENT)
    assert "Saved checkpoint" in say(f'/checkpoint save {NAME} --task Don\'t {{"a": 1}}', WORDS)
    assert NEXT in text(lab, FILE)
    assert "Saved →" in say("/save-session-protocol", WORDS)


def looks(lab: Lab, say: Callable[..., str]) -> None:
    assert "notes" not in say("/sessions-list")
    assert NAME in say("/checkpoint list")
    assert "Loaded session-protocol.json" in say("/load-session-protocol")
    assert QUESTION in say("/resume-latest")
    assert QUESTION in say(f"/resume-from {DOCUMENT}")
    assert QUESTION in say(f"/checkpoint resume {NAME}")
    assert "in the trash" in say(f"/checkpoint delete {NAME}")
    assert "Discarded" in say("/discard-backup")  # nobody answered above: it waits still


@pytest.mark.parametrize("mode", ["default", "the client's own"])
def test_they_run_in_a_terminal_and_nobody_is_asked(lab: Lab, session: str, mode: str) -> None:
    words = ("--permission-mode", mode) if mode == "default" else ()
    window = lab.terminal("--resume", session, *words)

    def say(typed: str, words: Mapping[str, Any] | None = None) -> str:
        return told(lab, window, typed, words)

    saves(lab, say)
    if words:
        looks(lab, say)


@pytest.mark.versions("2.1.197")
def test_a_save_and_a_resume_run_in_a_terminal_of_the_older_client(lab: Lab, session: str) -> None:
    window = lab.terminal("--resume", session)
    assert "Saved checkpoint" in told(lab, window, f"/checkpoint save {NAME}", WORDS)
    assert QUESTION in told(lab, window, f"/checkpoint resume {NAME}")
    assert NEXT in text(lab, FILE)


def test_a_grant_ends_with_the_turn_in_a_terminal_too(lab: Lab, session: str) -> None:
    window = lab.terminal("--resume", session, "--permission-mode", "default")
    told(lab, window, f"/checkpoint save {NAME}", WORDS)
    lab.model.script([Answer("", (GRANTED[1],))])
    window.type("Go on")
    window.wait(r"onward slash checkpoint add[\s\S]*Do you want")
    window.key("Escape")
