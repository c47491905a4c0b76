"""`onward go`: a client in a terminal is started where the work stopped."""

from __future__ import annotations

import json
import os
import pty
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.programs import stand_in

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session

NEW = "ffffffff-4f50-4a61-8b72-9c83ad94be05"
NAMES = ("claude", "codex", "opencode", "copilot")


@pytest.fixture
def clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs of those names that write down how they were started; the file that they write."""
    folder, told = tmp_path / "bin", tmp_path / "told.json"
    folder.mkdir()
    script = (
        "import json, os, sys; json.dump([os.getcwd(), *sys.argv[1:]], open(sys.argv[1], 'w'));"
        "open(sys.argv[1][:-4] + 'env', 'w').write(os.environ.get('ONWARD_TAKEN', ''))"
    )
    for name in NAMES:
        stand_in(folder / name, sys.executable, "-c", script, str(told), name)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return told


def in_a_terminal(*words: str) -> tuple[int, str]:
    """The program run in a terminal of its own: exit code, and all that it said."""
    pid, terminal = pty.fork()
    if not pid:
        os.execv(sys.executable, [sys.executable, "-m", "onward", *words])
    said = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        said += piece
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), said.decode()


def test_the_client_of_the_session_starts_in_its_folder_with_the_briefing(
    clients: Path, scratch: Scratch
) -> None:
    code, _ = in_a_terminal("go")
    assert code == 0
    folder, _, name, prompt = json.loads(clients.read_text())
    assert (Path(folder), name) == (scratch.root.resolve(), "claude")
    assert prompt.startswith("# Resume")
    assert "## Where it stopped" in prompt
    assert prompt.endswith("ask whether to continue.")


def test_the_briefing_is_no_request_of_the_new_session_which_goes_on_with_the_thread(
    clients: Path,
    onward: Onward,
    scratch: Scratch,
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert in_a_terminal("go")[0] == 0
    prompt, token = json.loads(clients.read_text())[-1], clients.with_suffix(".env").read_text()
    new = session(scratch.root, NEW)
    new.lines.clear()
    new.user(prompt)
    new.says("One test fails. Shall I fix it?")
    new.user("yes, and then update the changelog too")
    new.call("Bash", {"command": "ls"}, "src", {"stdout": "src", "stderr": ""})
    path = scratch.transcript.with_name(f"{NEW}.jsonl")
    later = "2126-03-01T"  # the client began after it was started
    new.write(path)
    path.write_text(path.read_text().replace("2026-03-01T", later))
    alone = onward("distill", NEW).out
    assert "\n- yes, and then update the changelog too [asked" in alone
    assert "# Resume" not in alone
    monkeypatch.setenv("ONWARD_TAKEN", token)
    assert onward("save", "fix-login-test", "--session", NEW).code == 0
    monkeypatch.delenv("ONWARD_TAKEN")
    for told in (onward("show", "fix-login-test").out, onward("brief", NEW).out):
        assert "RS256" in told  # a decision of the session before


@pytest.mark.parametrize(
    ("client", "words"),
    [("codex", ["codex"]), ("opencode", ["opencode"]), ("copilot", ["copilot", "--interactive"])],
)
def test_it_is_taken_up_in_another_client(
    clients: Path, onward: Onward, client: str, words: list[str]
) -> None:
    assert onward("save", "add-jwt-login").code == 0
    assert in_a_terminal("go", "add-jwt-login", "--in", client)[0] == 0
    _, _, *told, prompt = json.loads(clients.read_text())
    assert told == words
    assert "## Where it stopped" in prompt


def test_native_is_the_clients_own_resume_and_only_of_its_own_session(
    clients: Path, onward: Onward, scratch: Scratch
) -> None:
    answer = onward("go", "--native", "--dry-run")
    assert answer.out.split() == ["claude", "--resume", scratch.transcript.stem]
    answer = onward("go", "--native", "--in", "codex", "--dry-run")
    assert answer.code == 2
    assert not clients.exists()


def used(path: Path, tokens: int, at: float = 1_700_000_000) -> None:
    """The last answer held so many tokens; when it was written, the file says something else."""
    usage = {"input_tokens": 3, "cache_read_input_tokens": tokens - 3, "output_tokens": 0}
    reply = {"role": "assistant", "model": "claude-sonnet-4-6", "content": [], "usage": usage}
    written = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    record = {"type": "assistant", "sessionId": path.stem, "message": reply, "timestamp": written}
    with path.open("a") as file:
        file.write(json.dumps(record, separators=(",", ":")) + "\n")
    touched = 1_700_000_000 if at > 1_700_000_000 else time.time()
    os.utime(path, (touched, touched))


def test_it_says_first_what_each_way_costs(clients: Path, onward: Onward, scratch: Scratch) -> None:
    used(scratch.transcript, 182_000)
    told = onward("go", "--dry-run").err
    assert "native resume: about 182,000 tokens, cold cache; briefing: about " in told
    assert not clients.exists()


@pytest.mark.parametrize(
    ("tokens", "is_warm", "options", "native"),
    [
        (200, False, [], True),
        (182_000, False, [], False),
        (182_000, True, [], False),
        (2_000, False, [], False),
        (2_000, True, [], True),
        (200, False, ["--briefing"], False),
        (182_000, False, ["--native"], True),
    ],
)
@pytest.mark.usefixtures("clients")
def test_what_costs_less_is_taken_unless_one_is_asked_for(
    onward: Onward, scratch: Scratch, tokens: int, is_warm: bool, options: list[str], native: bool
) -> None:
    used(scratch.transcript, tokens, time.time() if is_warm else 1_700_000_000)
    answer = onward("go", "--dry-run", *options)
    assert answer.out.startswith("claude --resume") is native
    assert f"native resume: about {tokens:,} tokens" in answer.err
    assert ("--briefing" in answer.err) is (native and not options)


def test_a_saved_place_is_taken_up_as_it_was_saved(
    clients: Path, onward: Onward, scratch: Scratch
) -> None:
    assert onward("save", "add-jwt-login").code == 0
    used(scratch.transcript, 200)
    assert onward("go", "add-jwt-login", "--dry-run").out.startswith("claude '# Resume")
    assert onward("go", "add-jwt-login", "--dry-run", "--in", "codex").out.startswith("codex")
    assert not clients.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["go", "no-such-name"], "no checkpoint named 'no-such-name'"),
        (["go"], "a client needs a terminal"),
        (["go", "--in", "emacs"], "emacs"),
    ],
)
@pytest.mark.usefixtures("clients")
def test_what_cannot_be_started_is_said(onward: Onward, words: list[str], said: str) -> None:
    answer = onward(*words)
    assert answer.code in {2, 3}
    assert said in answer.err


def test_a_client_that_is_not_installed_is_named_with_one_that_is(
    clients: Path, onward: Onward
) -> None:
    (clients.parent / "bin/claude").unlink()
    answer = onward("go", "--dry-run")
    assert "claude is not on the PATH" in answer.err
    assert "onward go --in " in answer.err


def test_resume_without_a_checkpoint_takes_the_newest_session(onward: Onward) -> None:
    answer = onward("resume", "--yes")
    assert answer.code == 0
    assert "## Where it stopped" in answer.out
