"""What the slash commands do before the agent reads them, and what its draft adds."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward import slash_commands
from onward.commands import slash
from onward.storage import live

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Scratch, Session

Slash = Callable[..., str]


def draft_of(scratch: Scratch, text: str, **words: object) -> Path:
    """Writes the draft that an answer asks for."""
    last = text.rstrip().splitlines()[-1]
    assert last.startswith("Draft: memory/.draft-")
    path = scratch.root / last.removeprefix("Draft: ")
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(words), encoding="utf-8")
    return path


def awaited(scratch: Scratch) -> list[str]:
    lines = live.get(str(scratch.data), scratch.transcript.stem, "awaiting")
    return [line for line in lines if not line.startswith("at ")]


@pytest.fixture
def pending(scratch: Scratch) -> Path:
    """A backup of the session that waits."""
    raw = scratch.root / ".claude/memory/raw/20260301_140000_prompt_input_exit.jsonl"
    raw.parent.mkdir(parents=True)
    raw.write_bytes(scratch.transcript.read_bytes())
    marker = scratch.root / ".claude/memory/.pending-backup"
    marker.write_text(f"{raw}\n")
    return marker


# ------------------------------------------------------------------------------ saves


def test_document_and_save_writes_both_files_and_says_how_to_resume(
    say: Slash, scratch: Scratch
) -> None:
    said = say("document-and-save")
    memory = scratch.root / ".claude/memory"
    document = next(memory.glob("session-*.md"))
    assert said.splitlines()[:3] == [
        "Wrote .claude/memory/active-context.md",
        f"Wrote .claude/memory/{document.name}",
        f"To continue from it: /resume-from .claude/memory/{document.name}",
    ]
    assert (memory / "active-context.md").is_file()


def test_a_pending_backup_is_told_first(say: Slash, pending: Path) -> None:
    first = say("document-and-save").splitlines()[0]
    assert first.startswith("A backup is pending: 20260301_140000_prompt_input_exit.jsonl")
    assert "(/resume-latest)" in first
    assert pending.is_file()


def test_the_agents_words_are_laid_over_the_same_document(say: Slash, scratch: Scratch) -> None:
    draft = draft_of(
        scratch,
        say("document-and-save"),
        next="Run pytest tests/test_auth.py -k expiry",
        memory=["Tests need TZ=UTC", {"text": "No Redis here", "why": "cost"}, "c", "d"],
    )
    said = say("document-and-save", step="add")
    memory = scratch.root / ".claude/memory"
    documents = list(memory.glob("session-*.md"))
    assert len(documents) == 1
    for path in (*documents, memory / "active-context.md"):
        assert "Run pytest tests/test_auth.py -k expiry" in path.read_text("utf-8")
    assert (memory / "project-memory.md").read_text("utf-8") == (
        "# Project Memory\n\n## Notes\n\n- Tests need TZ=UTC\n- No Redis here (cost)\n- c\n"
    )
    assert "added to .claude/memory/project-memory.md: Tests need TZ=UTC" in said
    assert "1 more (at most 3 a save)" in said
    assert not draft.exists()
    assert not draft.parent.exists()


def test_words_may_be_added_twice(say: Slash, scratch: Scratch) -> None:
    draft_of(scratch, say("document-and-save"), next="First")
    say("document-and-save", step="add")
    draft = scratch.root / f"memory/.draft-{scratch.transcript.stem[:8]}.json"
    draft.parent.mkdir(exist_ok=True)
    draft.write_text('{"next": "Second"}')
    say("document-and-save", step="add")
    assert "Second" in next((scratch.root / ".claude/memory").glob("session-*.md")).read_text()


def test_without_a_draft_the_save_stands(say: Slash, scratch: Scratch) -> None:
    say("document-and-save")
    document = next((scratch.root / ".claude/memory").glob("session-*.md"))
    before = document.read_bytes()
    assert say("document-and-save", step="add") == "There is no draft: nothing was added.\n"
    assert document.read_bytes() == before


def test_drafts_that_were_left_behind_go_and_those_of_others_stay(
    say: Slash, scratch: Scratch
) -> None:
    memory = scratch.root / "memory"
    memory.mkdir()
    own = memory / f".draft-{scratch.transcript.stem[:8]}.json"
    old, nobody = memory / ".draft-0000aaaa.json", memory / ".draft-nobody.json"
    other, essay = memory / ".draft-1111bbbb.json", memory / ".draft-my-essay.json"
    for path in (own, old, nobody, other, essay):
        path.write_text("{}")
    for path in (old, nobody, essay):
        os.utime(path, (1, 1))
    say("document-and-save")
    assert {path.name for path in memory.iterdir()} == {other.name, essay.name}


@pytest.mark.parametrize("content", ["{", "[]", '{"nextt": "x"}', "", '{"next": 5}', "{}"])
def test_a_draft_that_cannot_be_read_is_told_and_stays_until_it_is_fixed(
    content: str, say: Slash, scratch: Scratch
) -> None:
    draft = draft_of(scratch, say("document-and-save"))
    document = next((scratch.root / ".claude/memory").glob("session-*.md"))
    before = document.read_bytes()
    draft.write_text(content)
    assert "Try: " in say("document-and-save", step="add")
    assert document.read_bytes() == before
    assert draft.read_text() == content
    draft.write_text('{"next": "Run pytest tests/test_auth.py -k fixed"}')
    assert "Wrote" in say("document-and-save", step="add")
    assert "-k fixed" in document.read_text()
    assert not draft.exists()


def test_a_field_that_there_is_not_is_told_with_the_one_that_was_meant(
    say: Slash, scratch: Scratch
) -> None:
    draft_of(scratch, say("document-and-save"), nexxt="Run pytest")
    told = say("document-and-save", step="add")
    assert "`nexxt` is no field; did you mean `next`?" in told


@pytest.mark.parametrize("words", ["list", "delete build-login-page", "frobnicate x", "save task"])
def test_only_a_save_asks_for_a_draft(words: str, say: Slash) -> None:
    assert "then run exactly `onward slash checkpoint add`" in say(
        "checkpoint", "save build-login-page"
    )
    said = say("checkpoint", words)
    assert "Draft: " not in said
    assert '"next"' not in said


def test_what_was_saved_is_the_first_line(say: Slash) -> None:
    say("checkpoint", "save build-login-page --task Add --currency to the CLI")
    said = say("checkpoint", "save build-login-page --force")
    assert said.startswith("Saved checkpoint: build-login-page\nTask: Add --currency to the CLI\n")


def test_a_plugins_command_is_asked_for_its_own_call(say: Slash) -> None:
    assert "`onward slash onward:checkpoint add`" in say(
        "onward:checkpoint", "save build-login-page"
    )


def test_a_document_that_a_person_changed_meanwhile_stays(say: Slash, scratch: Scratch) -> None:
    draft_of(scratch, say("document-and-save"), next="Mine")
    document = next((scratch.root / ".claude/memory").glob("session-*.md"))
    document.write_text("a user was here, and wrote a longer text than this")
    assert "was changed meanwhile" in say("document-and-save", step="add")
    assert document.read_text() == "a user was here, and wrote a longer text than this"


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("notes/hand-over.md", "notes/hand-over.md"),
        ("notes/my hand over.md", "notes/my hand over.md"),
        ('"notes/my hand over.md"', "notes/my hand over.md"),
        ("don't.md", "don't.md"),
        ('"don\'t.md"', "don't.md"),
        ("$(touch x).md", "$(touch x).md"),
    ],
)
def test_a_path_is_taken_as_it_was_typed(
    words: str, path: str, say: Slash, scratch: Scratch
) -> None:
    assert f"Wrote {path}\n" in say("document-and-save-to", words)
    assert (scratch.root / path).is_file()
    draft_of(scratch, say("document-and-save-to", "other.md"), next="Added")
    say("document-and-save-to", step="add")
    assert "Added" in (scratch.root / "other.md").read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "Try: /document-and-save-to notes/hand-over.md"),
        ("notes/", "Try: /document-and-save-to notes.md"),
        ("--from /etc/passwd", "ends in .md: --from /etc/passwd"),
        ("a\nb.md", "a path is one line"),
    ],
)
def test_what_is_no_document_is_refused_in_words(
    words: str, told: str, say: Slash, scratch: Scratch
) -> None:
    assert told in say("document-and-save-to", words)
    assert not (scratch.root / ".claude").exists()


def test_a_path_longer_than_any_is_refused_in_a_line_of_bearable_length(say: Slash) -> None:
    for name in ("document-and-save-to", "resume-from"):
        (line, *_) = say(name, "/".join(["a b" * 80] * 30) + ".md").splitlines()
        assert len(line) <= 400


def test_a_document_that_exists_is_not_overwritten(say: Slash, scratch: Scratch) -> None:
    (scratch.root / "mine.md").write_text("mine")
    assert "exists and is not overwritten" in say("document-and-save-to", "mine.md")
    assert (scratch.root / "mine.md").read_text() == "mine"


def test_the_protocol_is_saved_and_added_to(say: Slash, scratch: Scratch) -> None:
    said = say("save-session-protocol")
    assert said.startswith("Saved → session-protocol.json\n")
    draft_of(scratch, said, tasks=[{"title": "Fix test_expiry", "status": "in_progress"}])
    said = say("save-session-protocol", step="add")
    assert "Saved → session-protocol.json\n" in said
    kept = json.loads((scratch.root / "session-protocol.json").read_text("utf-8"))
    mine = next(task for task in kept["tasks"] if task["title"] == "Fix test_expiry")
    assert mine["status"] == "in_progress"
    assert len({task["id"] for task in kept["tasks"]}) == len(kept["tasks"])


# ------------------------------------------------------------------------- checkpoints


@pytest.mark.parametrize(
    ("words", "task"),
    [
        ("save build-login-page --task Build the login page", "Build the login page"),
        ('save build-login-page --task "Build the login page"', "Build the login page"),
        ('save build-login-page --task="Build the login page"', "Build the login page"),
        ("save build-login-page —task Build the login page", "Build the login page"),
        ("save build-login-page Don't break the login", "Don't break the login"),
        ("save\nbuild-login-page\n--task\nBuild it", "Build it"),
        ('save build-login-page --task {"a": 1}', '{"a": 1}'),
        ("save build-login-page --task `touch x` $(touch y); touch z", "`touch x` $(touch y)"),
        ('save build-login-page --task say "ahoy" twice', 'say "ahoy" twice'),
        ("save build-login-page --task 'a' or 'b'", "'a' or 'b'"),
        ("save build-login-page --task --from /etc/passwd", "--from /etc/passwd"),
        ("save build-login-page --task Build it --force", "Build it\n"),
    ],
)
def test_a_checkpoint_is_saved_with_its_task(
    words: str, task: str, say: Slash, scratch: Scratch
) -> None:
    said = say("checkpoint", words)
    assert said.startswith(f"Saved checkpoint: build-login-page\nTask: {task}")
    assert "File: memory/checkpoints/build-login-page.md" in said
    assert (scratch.checkpoints / "build-login-page.md").is_file()


def test_the_agents_words_make_no_second_entry_in_the_trash(say: Slash, scratch: Scratch) -> None:
    draft_of(scratch, say("checkpoint", "save build-login-page --task Mine"), next="Run make login")
    said = say("checkpoint", step="add")
    text = (scratch.checkpoints / "build-login-page.md").read_text("utf-8")
    assert "Run make login" in text
    assert "**Task:** Mine" in text
    assert "Next action: Run make login" in said
    assert "trash" not in said
    assert not list((scratch.data / "trash").glob("[0-9a-f]*"))


def test_a_name_that_is_taken_is_asked_about(say: Slash, scratch: Scratch) -> None:
    say("checkpoint", "save build-login-page")
    before = (scratch.checkpoints / "build-login-page.md").read_bytes()
    said = say("checkpoint", "save build-login-page")
    assert "exists already" in said
    assert "Try: /checkpoint save build-login-page --force" in said
    assert (scratch.checkpoints / "build-login-page.md").read_bytes() == before
    assert "in the trash" in say("checkpoint", "save build-login-page --force --task Other")


def test_a_forbidden_name_gets_a_better_one(say: Slash) -> None:
    assert "Try: /checkpoint save " in say("checkpoint", "save work")


@pytest.mark.parametrize(
    "words", ["", "resumé", "save x --from /etc/passwd", "delete", "--help", "save", "erase x"]
)
def test_what_no_mode_or_option_is_is_told(words: str, say: Slash, scratch: Scratch) -> None:
    assert "Try: /checkpoint " in say("checkpoint", words)
    assert not scratch.checkpoints.exists()


def test_finished_tasks_without_a_next_action_wait_for_the_agents_words(
    say: Slash, scratch: Scratch
) -> None:
    scratch.transcript.unlink()
    state = "# Session State\n\n**Task:** Write notes\n\n## Tasks\n- [x] Write notes.txt\n"
    (scratch.root / "SESSION-STATE.md").write_text(state)
    said = say("checkpoint", "save write-notes")
    assert said.startswith("Not saved yet: tasks count as completed")
    assert not (scratch.checkpoints / "write-notes.md").exists()
    draft_of(scratch, said, next="Read notes.txt once more")
    assert "Next action: Read notes.txt once more" in say("checkpoint", step="add")


def test_the_list_and_the_table_of_an_empty_project(say: Slash) -> None:
    assert "to make one: /checkpoint save NAME" in say("checkpoint", "list")
    say("checkpoint", "save build-login-page")
    table = say("checkpoint", "list").splitlines()
    assert table[0].split() == ["NAME", "CREATED", "TASK", "STATUS", "AGE"]
    assert table[1].startswith("build-login-page ")


def test_resuming_a_checkpoint_asks_and_waits(say: Slash, scratch: Scratch) -> None:
    say("checkpoint", "save build-login-page")
    said = say("checkpoint", "resume build-login-page")
    assert "📌 Resume: " in said
    question, what_no_does = said.rstrip().splitlines()[-2:]
    assert question.endswith("Ready to continue? (yes/no)")
    assert what_no_does == (
        "(no puts the checkpoint in the trash; any other answer leaves it as it is)"
    )
    assert "--yes" not in said
    assert awaited(scratch) == ["resume", "build-login-page", str(scratch.root)]
    assert (scratch.checkpoints / "build-login-page.md").is_file()


def test_deleting_says_how_to_bring_it_back(say: Slash, scratch: Scratch) -> None:
    say("checkpoint", "save build-login-page")
    said = say("checkpoint", "delete build-login-page")
    assert "build-login-page is in the trash. To bring it back: onward restore" in said
    assert not (scratch.checkpoints / "build-login-page.md").exists()
    assert "Try: /checkpoint list" in say("checkpoint", "delete build-login-page")


# ------------------------------------------------------------------------------ loads


def test_resume_latest_takes_the_backup_in_and_asks(
    say: Slash, scratch: Scratch, pending: Path, planted: str
) -> None:
    said = say("resume-latest")
    taken = "Taken in: .claude/memory/raw/20260301_140000_prompt_input_exit.jsonl; it stays pending until the user answers"
    assert said.startswith(taken)
    assert "📌 Resume: " in said
    assert said.rstrip().endswith("Ready to continue? (yes/no)")
    assert planted not in said
    assert not pending.exists()
    assert (scratch.root / ".claude/memory/active-context.md").is_file()
    assert awaited(scratch) == ["resume", "", str(scratch.root)]


def test_resume_latest_without_a_backup_takes_what_was_saved_last(
    say: Slash, scratch: Scratch
) -> None:
    say("document-and-save")
    said = say("resume-latest")
    assert "no backup is pending; this is .claude/memory/session-" in said
    assert "Taken in" not in said
    # A no must delete nothing, so no name is kept.
    say("checkpoint", "save build-login-page")
    say("resume-latest")
    assert awaited(scratch)[1] == ""


def test_resume_latest_with_nothing_at_all_says_so(say: Slash, scratch: Scratch) -> None:
    assert "no backup is pending" in say("resume-latest")
    assert awaited(scratch) == []


def test_resume_latest_stays_small_whatever_was_said(
    say: Slash, scratch: Scratch, session: Session, pending: Path
) -> None:
    script = session(scratch.root, scratch.transcript.stem)
    for number in range(300):
        script.user(f"Now do part {number}: " + "a long request with many words " * 60)
        script.says("I did it. " * 200)
    raw = next((scratch.root / ".claude/memory/raw").iterdir())
    script.write(raw)
    assert len(say("resume-latest")) < 9_000


@pytest.mark.parametrize("shape", ["{path}", '"{path}"', "{name}", "{stem}"])
def test_resume_from_takes_a_path_or_a_name(shape: str, say: Slash, scratch: Scratch) -> None:
    say("document-and-save")
    document = next((scratch.root / ".claude/memory").glob("session-*.md"))
    path = document.relative_to(scratch.root).as_posix()
    words = shape.format(path=path, name=document.name, stem=document.stem)
    said = say("resume-from", words)
    assert "📌 Resume: " in said
    assert said.rstrip().endswith("Ready to continue? (yes/no)")
    assert f"file {document}" in awaited(scratch), "which a no offers no more"


def test_resume_from_lets_the_person_choose_a_pending_backup(
    say: Slash, scratch: Scratch, pending: Path
) -> None:
    say("document-and-save")
    document = next((scratch.root / ".claude/memory").glob("session-*.md"))
    said = say("resume-from", document.name)
    assert said.startswith("a session backup is pending: /resume-latest")
    assert said.rstrip().endswith("Then the user types /resume-latest")
    assert pending.is_file()


@pytest.mark.parametrize("words", ["no-such.md", "/etc/passwd", "--from /etc/passwd", "x; touch y"])
def test_resume_from_something_else_is_told(words: str, say: Slash, scratch: Scratch) -> None:
    said = say("resume-from", words)
    assert "root:" not in said
    assert "Try: " in said
    assert awaited(scratch) == []


def test_resume_from_nothing_lists(say: Slash) -> None:
    say("document-and-save")
    said = say("resume-from")
    assert said.startswith("DATE ")
    assert said.rstrip().endswith("Which of them? /resume-from PATH")


def test_the_protocol_is_reported_then_told(say: Slash) -> None:
    assert "Try: /save-session-protocol" in say("load-session-protocol")
    say("save-session-protocol")
    said = say("load-session-protocol")
    assert "Loaded session-protocol.json (" in said
    assert "Next: TASK_001 - " in said
    assert "/resume-from session-protocol.json" in said
    assert len(said) > 600


def test_a_broken_protocol_is_told_in_the_documents_words(say: Slash, scratch: Scratch) -> None:
    (scratch.root / "session-protocol.json").write_text("{")
    assert "Cannot load: invalid JSON" in say("load-session-protocol")


def test_sessions_are_listed_with_the_backup_on_top(say: Slash, pending: Path) -> None:
    assert "to write one: /document-and-save" in say("sessions-list")
    say("document-and-save")
    lines = say("sessions-list").splitlines()
    assert lines[0].startswith("A backup is pending: ")
    assert lines[1] == "To pick one by its number: /resume-latest 2"
    assert lines[2].startswith("1. 20260301_140000_prompt_input_exit.jsonl · ")
    assert lines[3].startswith("2. session document `.claude/memory/session-")
    assert lines[4].startswith("DATE ")


def test_a_backup_is_discarded_with_its_marker(say: Slash, scratch: Scratch, pending: Path) -> None:
    assert say("discard-backup").startswith("Discarded .claude/memory/raw/2026")
    assert not pending.exists()
    assert not list((scratch.root / ".claude/memory/raw").iterdir())
    assert "Try: /sessions-list" in say("discard-backup")


# ------------------------------------------------------------------------ any of them


def test_the_hooks_and_the_distillation_know_them_all() -> None:
    assert set(slash_commands.COMMANDS) == set(slash.COMMANDS)


@pytest.mark.parametrize("name", sorted(slash.COMMANDS))
def test_a_plugins_command_speaks_of_the_plugins_commands(
    name: str, say: Slash, pending: Path
) -> None:
    said = say(f"onward:{name}") + say("onward:checkpoint", "delete x")
    assert not [word for word in said.split() if word.strip("(.,").startswith("/checkpoint")]
    assert "/onward:" in said


@pytest.mark.parametrize("name", sorted(slash.COMMANDS))
def test_a_disk_that_says_no_is_told_in_words(
    name: str, say: Slash, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(slash.COMMANDS, name, refuse)
    assert "No space left on device" in say(name)


@pytest.mark.parametrize("name", ["nonsense", "onward:nonsense", "checkpoint:"])
def test_an_unknown_command_is_told(name: str, say: Slash) -> None:
    assert "there is no slash command" in say(name)


@pytest.mark.parametrize("name", ["document-and-save", "save-session-protocol"])
def test_a_session_of_our_own_commands_alone_does_not_replace_what_was_saved(
    name: str, say: Slash, scratch: Scratch, empty_session: Session
) -> None:
    say(name)
    saved = {p: p.read_bytes() for p in scratch.root.rglob("*.*") if p.suffix in {".md", ".json"}}
    script = empty_session(scratch.root, scratch.transcript.stem)
    for command in ("/sessions-list", "/document-and-save"):
        script.user(
            f"<command-message>{command[1:]}</command-message>\n<command-name>{command}</command-name>"
        )
        script.says("Done.")
    script.write(scratch.transcript)
    assert say(name).startswith("nothing was done in this session yet")
    assert saved == {p: p.read_bytes() for p in saved}
    assert "leaves nothing to come back to" in say("checkpoint", "save build-login-page")


@pytest.mark.parametrize("name", ["document-and-save", "save-session-protocol"])
def test_an_edit_that_was_asked_for_in_a_word_or_two_is_work(
    name: str, say: Slash, scratch: Scratch, empty_session: Session
) -> None:
    script = empty_session(scratch.root, scratch.transcript.stem)
    script.user("Chart it")
    path = str(scratch.root / "chart.md")
    made = {
        "type": "create",
        "filePath": path,
        "content": "Reef: four fathoms\n",
        "structuredPatch": [],
    }
    script.call("Write", {"file_path": path, "content": made["content"]}, "created", made)
    script.says("Charted.")
    script.write(scratch.transcript)
    assert "nothing was done" not in say(name)
    assert any("chart.md" in path.read_text("utf-8") for path in scratch.root.rglob("*session*.*"))


@pytest.mark.parametrize("name", ["document-and-save", "save-session-protocol"])
def test_a_session_without_a_transcript_is_not_another_one(
    name: str, say: Slash, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "0b6e2a10-1111-4222-8333-944455556666")
    assert "this session has no transcript yet" in say(name)
    assert not (scratch.root / ".claude").exists()


def test_another_session_of_the_project_is_not_taken_for_this_one(
    say: Slash, scratch: Scratch, session: Session
) -> None:
    newer = scratch.transcript.with_name("0b6e2a10-1111-4222-8333-944455556666.jsonl")
    script = session(scratch.root, newer.stem)
    script.user("Something quite different, said later")
    script.says("Fine.")
    script.write(newer)
    assert f"from this session; {newer.stem[:8]} is newer" in say(
        "checkpoint", "save build-login-page"
    )
    assert scratch.transcript.stem in (scratch.checkpoints / "build-login-page.md").read_text()


def test_a_name_of_several_words_is_refused_with_the_name_they_make(
    say: Slash, scratch: Scratch
) -> None:
    said = say("checkpoint", "save build login page")
    assert "Try: /checkpoint save build-login-page" in said
    assert not scratch.checkpoints.exists()
