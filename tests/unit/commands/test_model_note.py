"""`--write`: a stand-in for the client answers; what it was given and what becomes of it is real."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.programs import stand_in

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch

NOTE = {
    "task": "Log users in with RS256 tokens",
    "next": ["Fix test_expiry in tests/test_auth.py"],
    "why": "it compares local time with UTC",
    "avoid": ["HS256: the gateway refused it"],
}


class Client:
    """A program of that name, first on PATH, which keeps what it was given."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.program = folder / name

    def says(self, answer: str, code: int = 0, seconds: float = 0) -> None:
        body = f"""import os, pathlib, sys, time
here = pathlib.Path({str(self.folder)!r})
(here / "question").write_text(sys.stdin.read())
(here / "options").write_text("\\n".join(sys.argv[1:]))
(here / "folder").write_text(f"{{os.getcwd()}} {{os.listdir()}}")
(here / "variables").write_text("\\n".join(os.environ))
time.sleep({seconds})
out = sys.argv[sys.argv.index("--output-last-message") + 1] if "exec" in sys.argv else ""
text = {answer!r}
pathlib.Path(out).write_text(text) if out else print(text)
sys.exit({code})
"""
        script = self.folder.with_name(f"{self.program.name}.py")
        script.write_text(body)
        stand_in(self.program, sys.executable, str(script))

    def was(self, what: str) -> str:
        return (self.folder / what).read_text()

    @property
    def ran(self) -> bool:
        return (self.folder / "question").exists()


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    made = Client(tmp_path / "bin", "claude")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    monkeypatch.setenv("CLAUDECODE", "1")
    return made


def test_the_note_is_checked_and_kept_and_costs_nothing_the_second_time(
    saved: Onward, client: Client
) -> None:
    client.says(f"Here it is:\n```json\n{json.dumps(NOTE)}\n```\n")
    answer = saved("save", "add-rs256-tokens", "--write")
    assert answer.code == 0
    assert "Note of claude: Fix test_expiry in tests/test_auth.py" in answer.out
    assert "claude reads the redacted record once (about " in answer.err
    shown = saved("show", "add-rs256-tokens").out
    assert "Fix test_expiry" in shown
    assert "by:agent" in shown
    (client.folder / "question").unlink()
    assert "Fix test_expiry" in saved("resume", "add-rs256-tokens", "--write").out
    assert not client.ran


def test_a_resume_asks_for_the_note_that_a_checkpoint_lacks(
    saved: Onward, client: Client, scratch: Scratch
) -> None:
    client.says(json.dumps(NOTE))
    assert "Fix test_expiry" in saved("resume", "add-jwt-login", "--write").out
    assert "Fix test_expiry" in (scratch.checkpoints / "add-jwt-login.md").read_text("utf-8")
    assert saved("restore", "add-jwt-login", "--force").code == 0


def test_the_client_gets_the_redacted_record_in_an_empty_folder_without_tools(
    saved: Onward, client: Client, scratch: Scratch
) -> None:
    client.says(json.dumps(NOTE))
    saved("save", "add-rs256-tokens", "--write", "claude")
    assert "RS256" in client.was("question")
    assert str(scratch.home) not in client.was("question")
    assert client.was("folder").endswith("[]")
    assert str(scratch.root) not in client.was("folder")
    assert {"--safe-mode", "--no-session-persistence", "--tools"} <= set(
        client.was("options").splitlines()
    )
    assert "CLAUDECODE" not in client.was("variables").splitlines()


def test_a_line_of_the_note_that_does_not_agree_is_told_and_marked(
    saved: Onward, client: Client
) -> None:
    client.says(json.dumps({"progress": ["Wrote src/nowhere/at_all.py"], "next": "Run pytest"}))
    answer = saved("save", "add-rs256-tokens", "--write")
    assert "`src/nowhere/at_all.py` does not exist" in answer.err
    assert "unverified" in saved("show", "add-rs256-tokens").out


@pytest.mark.parametrize(
    ("answer", "code", "told"),
    [
        ("I cannot do that.", 0, "answered with no note"),
        ('{"next": 3}', 0, "next"),
        ("{", 0, "answered with no note"),
        ("Invalid API key", 1, "claude failed: Invalid API key"),
        ('{"orders": ["delete everything"]}', 0, "`orders` is no field"),
    ],
)
def test_whatever_fails_the_record_is_saved_and_the_reason_is_told(
    saved: Onward, client: Client, answer: str, code: int, told: str
) -> None:
    client.says(answer, code)
    done = saved("save", "add-rs256-tokens", "--write")
    assert done.code == 0
    assert "no note was written: " in done.err
    assert told in done.err
    assert "Saved checkpoint: add-rs256-tokens" in done.out


def test_a_client_that_does_not_answer_is_not_waited_for(
    saved: Onward, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onward.clients.registry.SECONDS", 0.3)
    client.says("{}", seconds=60)
    assert "no answer within" in saved("save", "add-rs256-tokens", "--write").err


def test_a_client_that_is_not_there_is_told(saved: Onward, client: Client) -> None:
    answer = saved("save", "add-rs256-tokens", "--write", "codex")
    assert "codex is not on PATH" in answer.err
    other = saved("save", "add-rs256-tokens", "--force", "--write", "gemini")
    assert "claude or codex" in other.err
    assert not client.ran


def test_only_the_users_own_git_settings_make_it_the_default(
    saved: Onward, client: Client, scratch: Scratch
) -> None:
    client.says(json.dumps(NOTE))
    saved("save", "add-rs256-tokens")
    assert not client.ran
    scratch.git("config", "onward.write", "claude")
    saved("save", "add-rs256-tokens", "--force")
    assert client.ran


def test_what_the_user_wrote_into_the_checkpoint_survives_the_note(
    saved: Onward, client: Client, scratch: Scratch
) -> None:
    file = scratch.checkpoints / "add-jwt-login.md"
    text = file.read_text("utf-8")
    file.write_text(f"{text}\n## My own words\n\n- Ask Ann about the gateway\n", "utf-8")
    client.says(json.dumps(NOTE))
    saved("resume", "add-jwt-login", "--write")
    assert "Ask Ann about the gateway" in file.read_text("utf-8")
    saved("save", "add-jwt-login", "--force")
    assert "Ask Ann about the gateway" in file.read_text("utf-8")
