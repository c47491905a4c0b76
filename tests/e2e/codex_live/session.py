"""End-to-end kit, Codex: a session with work in it, and what the next one is told of it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.codex_live.lab import CodexLab
from tests.e2e.codex_live.model import patch
from tests.e2e.kit.model import Answer, Request
from tests.e2e.kit.session import ASKED, DONE

PENDING = re.compile(r"SESSION_BACKUP_PENDING: A previous session backup exists at (.+)")
HOW = "User should run `onward backup resume` to restore context"
SEAM = "*** Add File: seams.md\n+Seam 4: oakum, pitch\n"


def turn() -> list[Answer]:
    """What the model does in a turn with work in it."""
    return [Answer("Caulking.", (patch(SEAM),)), Answer(DONE)]


def worked(lab: CodexLab) -> Path:
    """A whole session with work in it; its transcript."""
    lab.model.script(turn())
    assert DONE in lab.headless(ASKED).text
    lab.wait_quiet()
    return lab.wait_written(DONE)


def next_start(lab: CodexLab, *words: str) -> Request:
    """The first request of the next session in the same folder."""
    lab.wait_quiet()
    count = len(lab.requests())
    lab.model.script(["Let me see."])
    assert lab.headless("What now?", *words).code == 0
    return lab.requests()[count]


def assert_offered(request: Request, lab: CodexLab, transcript: Path) -> None:
    """The start told of one backup, and it is what the client wrote."""
    (name,) = PENDING.findall(request.text)
    assert HOW in request.text
    assert transcript.read_bytes().startswith((lab.project / name).read_bytes())
    assert ASKED.encode() in (lab.project / name).read_bytes()
