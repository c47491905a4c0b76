"""One clear sentence with what to type next, an exit code of its own, nothing half-written."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.unit.commands.conftest import Answer
from tests.unit.transcripts.opencode_rows import FIRST, database, dialogue

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch
    from tests.unit.conftest import Obeying


def _refused(answer: Answer, code: int) -> None:
    assert answer.code == code, answer.err
    assert answer.out == ""
    errors = [line for line in answer.err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert "  try: " in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("verb", ["distill", "brief"])
@pytest.mark.parametrize(
    ("kind", "code"), [("missing", 3), ("empty", 4), ("folder", 4), ("noise", 4), ("image", 4)]
)
def test_what_is_no_transcript(
    verb: str, kind: str, code: int, onward: Onward, scratch: Scratch
) -> None:
    path = scratch.root / "x.jsonl"
    match kind:
        case "empty":
            path.write_text("")
        case "folder":
            path.mkdir()
        case "noise":
            path.write_text("hello\nworld\n")
        case "image":
            path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00")
    _refused(onward(verb, str(path)), code)


def test_a_session_that_nobody_held(onward: Onward) -> None:
    _refused(onward("save", "add-jwt-login", "--session", "deadbeef"), 3)
    _refused(onward("save", "add-jwt-login", "--session", "no/such/file.jsonl"), 3)


@pytest.mark.parametrize(
    "text", ["[places\n", 'places = "x"\n', '[places]\ncheckpoints = "../out"\n']
)
@pytest.mark.parametrize("words", [["list"], ["save", "add-jwt-login"], ["resume"]], ids=" ".join)
def test_broken_settings(text: str, words: list[str], onward: Onward, scratch: Scratch) -> None:
    (scratch.root / "onward.toml").write_text(text)
    _refused(onward(*words), 4)


@pytest.mark.parametrize(
    "words", [["save", "add-jwt-login"], ["document"], ["note", "x"], ["protocol", "save"]]
)
def test_a_read_only_project(words: list[str], obeying: Obeying, scratch: Scratch) -> None:
    scratch.root.chmod(0o555)
    try:
        done = obeying("-m", "onward", *words, cwd=scratch.root)
    finally:
        scratch.root.chmod(0o755)
    _refused(Answer(done.returncode, done.stdout, done.stderr), 6)
    assert "read-only" in done.stderr
    assert scratch.git("status", "--porcelain") == ""


def test_a_read_only_project_can_still_be_listed_resumed_and_checked(
    saved: Onward, obeying: Obeying, scratch: Scratch
) -> None:
    scratch.root.chmod(0o555)
    scratch.checkpoints.chmod(0o555)
    try:
        for words in (["list"], ["resume"], ["check"], ["show", "add-jwt-login"], ["brief"]):
            named = [*words, "add-jwt-login"] if words == ["brief"] else words
            assert obeying("-m", "onward", *named, cwd=scratch.root).returncode in {0, 7}, words
        done = obeying("-m", "onward", "delete", "add-jwt-login", cwd=scratch.root)
    finally:
        scratch.root.chmod(0o755)
        scratch.checkpoints.chmod(0o755)
    _refused(Answer(done.returncode, done.stdout, done.stderr), 6)
    assert (scratch.checkpoints / "add-jwt-login.md").exists()


@pytest.mark.parametrize(
    ("words", "inside"),
    [
        (["save", "add-jwt-login"], "memory"),
        (["document"], ".claude"),
        (["note", "x"], "SESSION-STATE.md/"),
        (["protocol", "save"], "session-protocol.json/"),
    ],
    ids=str,
)
def test_a_file_where_a_folder_belongs_and_the_other_way_round(
    words: list[str], inside: str, onward: Onward, scratch: Scratch
) -> None:
    place = scratch.root / inside
    if inside.endswith("/"):
        place.mkdir()
    else:
        place.write_text("in the way")
    answer = onward(*words)
    assert answer.code in {4, 6}
    _refused(answer, answer.code)


def test_a_home_that_does_not_exist(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = scratch.home / "gone"
    monkeypatch.setenv("HOME", str(nowhere))
    monkeypatch.setenv("USERPROFILE", str(nowhere))
    monkeypatch.setenv("ONWARD_DATA", str(nowhere / "data"))
    _refused(onward("save", "add-jwt-login", "--session", str(scratch.transcript)), 6)
    assert not nowhere.exists()
    assert not scratch.checkpoints.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is of Linux")
def test_a_full_disk(onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("onward.storage.atomic.os.write", full)
    _refused(onward("save", "add-jwt-login"), 6)
    monkeypatch.undo()
    left = [p for p in Path(scratch.root).rglob("*") if p.is_file() and ".git" not in p.parts]
    assert {p.name for p in left} == {"auth.py", "test_auth.py"}


def test_a_note_that_found_no_space_leaves_no_empty_file(
    saved: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("onward.storage.atomic.os.write", full)
    _refused(saved("note", "Keep JWT"), 6)
    assert not (scratch.root / "SESSION-STATE.md").exists()


def test_a_folder_that_was_removed_under_us(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = scratch.root / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    _refused(onward("sessions"), 6)
    _refused(onward("list"), 6)


BY_HALF = FIRST.replace("CREATE TABLE part", "CREATE TABLE part_new")
UNKNOWN = "CREATE TABLE conversation (id text)"


def _opencode(scratch: Scratch, tables: str) -> Path:
    return database(scratch.home, tables)


@pytest.mark.parametrize("verb", ["resume", "brief", "save", "show", "view", "go", "keep", "why"])
@pytest.mark.parametrize("id_", ["ses_01nowhere", "b707ff5e-f7ad-43eb-a48a-8617584a5a57"])
def test_an_id_that_is_nowhere_while_the_other_clients_have_sessions(
    verb: str, id_: str, onward: Onward, scratch: Scratch
) -> None:
    dialogue(_opencode(scratch, FIRST), directory=str(scratch.root))
    assert len(onward("sessions", "--json").data) == 2
    words = ["save", "fix-the-parser", "--session"] if verb == "save" else [verb]
    _refused(onward(*words, id_), 3)


@pytest.mark.parametrize("tables", [BY_HALF, UNKNOWN], ids=["half", "unknown"])
@pytest.mark.parametrize("words", [["sessions"], ["save", "fix-the-parser"], ["resume"], ["go"]])
def test_a_database_of_another_generation(
    words: list[str], tables: str, onward: Onward, scratch: Scratch
) -> None:
    base = _opencode(scratch, tables)
    scratch.transcript.unlink()
    before = base.read_bytes()
    answer = onward(*words)
    _refused(answer, 4)
    assert "opencode.db" in answer.err
    assert "opencode once" in answer.err or "does not know" in answer.err
    assert base.read_bytes() == before


def test_a_locked_database_loses_no_session_that_was_read_before(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onward.agents.opencode.copies._SECONDS", 0.01)
    base = _opencode(scratch, FIRST)
    scratch.transcript.unlink()
    with closing(sqlite3.connect(base)) as held:
        held.execute("PRAGMA journal_mode=DELETE")
    dialogue(base, {"type": "text", "text": "Well"}, directory=str(scratch.root))
    with closing(sqlite3.connect(base)) as held:
        held.execute("BEGIN EXCLUSIVE")
        (base.parent / "opencode.db-wal").touch()
        _refused(onward("sessions"), 4)
        held.rollback()
    (base.parent / "opencode.db-wal").unlink()
    assert onward("sessions").code == 0
    with closing(sqlite3.connect(base)) as held:
        held.execute("BEGIN EXCLUSIVE")
        (base.parent / "opencode.db-wal").touch()
        for words in (["sessions"], ["save", "fix-the-parser", "--draft"]):
            answer = onward(*words)
            assert answer.code == 0, answer.err
            assert "locked" in answer.err
        held.rollback()


@pytest.mark.parametrize("name", ["opencode", "copilot"])
def test_a_client_that_is_not_installed(
    name: str, onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    answer = onward("go", "--in", name, "--dry-run")
    _refused(answer, 3)
    assert f"{name} is not on the PATH" in answer.err
    assert f"try: onward brief {scratch.transcript.stem}" in answer.err
    assert onward("brief", scratch.transcript.stem).code == 0


@pytest.mark.parametrize("text", ["", "hello\n", "\x00\x01", '{"type": "session.start"'])
def test_events_that_are_none(text: str, onward: Onward, scratch: Scratch) -> None:
    scratch.transcript.unlink()
    path = scratch.home / ".copilot/session-state/b707ff5e-f7ad-43eb-a48a-8617584a5a57/events.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    for words in (["save", "fix-the-parser"], ["resume"], ["go"]):
        answer = onward(*words)
        assert answer.code in {3, 4}
        _refused(answer, answer.code)
    assert path.read_text() == text
