"""Sessions that cannot be read, and folders that are no project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.unit.transcripts.opencode_rows import FIRST, database

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session
    from tests.unit.conftest import Obeying

OTHER = "ffffffff-4f50-4a61-8b72-9c83ad94be05"


@pytest.mark.parametrize("words", [["sessions"], ["sessions", "--all"], ["save", "add-jwt-login"]])
def test_a_transcript_without_a_record_is_named_and_never_no_session(
    words: list[str], onward: Onward, scratch: Scratch
) -> None:
    scratch.transcript.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\x07" * 99)
    answer = onward(*words)
    assert answer.code == 4
    assert "1 transcript cannot be read: " in answer.err
    assert scratch.transcript.name in answer.err
    assert not scratch.checkpoints.exists()


def test_a_transcript_that_may_not_be_read_is_named(obeying: Obeying, scratch: Scratch) -> None:
    scratch.transcript.chmod(0)
    for words in (["sessions"], ["save", "add-jwt-login"]):
        done = obeying("-m", "onward", *words, cwd=scratch.root)
        assert done.returncode == 4, done.stderr
        assert "(Permission denied)" in done.stderr
        assert scratch.transcript.name in done.stderr


def test_with_another_session_it_is_a_note(
    onward: Onward, scratch: Scratch, session: Session
) -> None:
    scratch.transcript.with_name(f"{OTHER}.jsonl").write_text("noise\n")
    for words in (["sessions"], ["save", "add-jwt-login"]):
        answer = onward(*words)
        assert answer.code == 0
        assert f"{OTHER}.jsonl (no record in it)" in answer.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["sessions"], 4), (["brief", "ses_a"], 4), (["show", "ses_a"], 4), (["go"], 4),
        (["save", "add-jwt-login", "--session", "ses_a"], 4), (["resume"], 4), (["why", "a.py"], 4),
        ([], 0),
    ],
)  # fmt: skip
def test_a_database_that_is_migrated_by_half_is_told_with_what_to_type(
    onward: Onward, scratch: Scratch, words: list[str], code: int
) -> None:
    scratch.transcript.unlink()
    database(scratch.home, FIRST.replace("CREATE TABLE part", "CREATE TABLE part_new"))
    answer = onward(*words)
    assert answer.code == code
    assert "the database is migrated by half" in answer.err
    assert answer.err.rstrip().endswith(("try: opencode", "to fix it: opencode"))
    assert "Nothing to continue" not in answer.out


def test_with_a_session_state_it_is_a_note(onward: Onward, scratch: Scratch) -> None:
    scratch.transcript.write_text("noise\n")
    (scratch.root / "SESSION-STATE.md").write_text("## Task\nAdd the login\n")
    answer = onward("save", "add-jwt-login")
    assert answer.code == 0
    assert "no session of this project was found\n1 transcript cannot be read: " in answer.err


@pytest.mark.parametrize(
    "words", [["save", "add-jwt-login"], ["document"], ["protocol", "save"], ["note", "No floats"]]
)
def test_nothing_is_saved_in_the_home_folder(
    words: list[str], onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(scratch.home)
    answer = onward(*words)
    assert answer.code == 5
    assert "cd into your project" in answer.err
    assert [path.name for path in scratch.home.iterdir()] == [".claude"]


def test_nothing_is_saved_at_the_root_of_the_disk(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = Path(scratch.root.anchor)
    if any((top / name).exists() for name in ("memory", ".git", "SESSION-STATE.md")):
        pytest.skip("this machine has a project there")
    monkeypatch.chdir(top)
    for more in ([], ["--session", str(scratch.transcript)]):
        assert onward("save", "add-jwt-login", *more).code == 5
    assert onward("note", "No floats").code == 5
    assert not (top / "memory").exists()
    assert not (top / "SESSION-STATE.md").exists()


def test_the_home_folder_takes_a_session_that_was_named(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(scratch.home)
    assert onward("save", "add-jwt-login", "--session", str(scratch.transcript)).code == 0


def test_a_folder_above_a_repository_does_not_take_its_sessions(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(scratch.root.parent)
    assert onward("save", "add-jwt-login").code == 3
    assert not (scratch.root.parent / "memory").exists()
