"""End-to-end kit: a session with work in it, its end, and what the next one is told of it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.kit.lab import Lab, conversation
from tests.e2e.kit.model import Answer, Call, Request
from tests.e2e.kit.terminal import Window

ASKED = "Caulk the seam between plank four and plank five"
DONE = "Plank four is caulked and plank five comes next."
PENDING = re.compile(r"SESSION_BACKUP_PENDING: A previous session backup exists at (.+)")
HOW = "User should run /resume-latest to restore context, or /discard-backup to discard."
FREE = "--dangerously-skip-permissions"


def begin(lab: Lab, *words: str) -> Window:
    """The client in a window, in which it may use its tools."""
    return lab.terminal(FREE, *words)


def turn(lab: Lab, done: str = DONE) -> list[Answer]:
    """What the model does in a turn with work in it: a session without any is not handed over."""
    given = {"file_path": str(lab.project / "seams.md"), "content": "Seam 4: oakum, pitch\n"}
    return [Answer("Caulking.", (Call("Write", given),)), Answer(done)]


def work(lab: Lab, window: Window, asked: str = ASKED, done: str = DONE) -> Path:
    """One whole turn; the session's transcript, in which it is written."""
    lab.model.script(turn(lab, done))
    window.type(asked)
    return lab.wait_written(done)


def leave(window: Window) -> None:
    """End the session as most people do, once nothing goes on in it."""
    window.still()
    window.type("/exit")
    window.wait_dead()


def worked(lab: Lab, asked: str = ASKED, done: str = DONE, *words: str) -> Path:
    """A whole headless session with work in it; its transcript."""
    lab.model.script(turn(lab, done))
    lab.headless(asked, FREE, *words)
    lab.wait_quiet()
    return lab.wait_written(done)


def backup_in(request: Request, lab: Lab) -> Path:
    """The one backup that the start of a session told the agent of, by the document's lines."""
    path: str
    (path,) = PENDING.findall(request.text)
    assert request.text.count(HOW) == 1
    return lab.project / path


def next_start(lab: Lab, prompt: str = "What now?") -> Request:
    """The first request of a new session in the same folder."""
    lab.wait_quiet()
    count = len(lab.requests())
    lab.model.script(["Let me see."])
    assert lab.headless(prompt).code == 0
    return lab.requests()[count]


def assert_whole(backup: Path, transcript: Path) -> None:
    """The copy is what the client wrote, byte for byte, and lacks nothing that was said."""
    assert transcript.read_bytes().startswith(backup.read_bytes())
    assert conversation(backup) == conversation(transcript)
