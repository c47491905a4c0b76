"""One clear sentence with what to type next, an exit code of its own, nothing half-written."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.unit.commands.conftest import Answer

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


@pytest.mark.parametrize("verb", ["read", "distill", "brief"])
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
