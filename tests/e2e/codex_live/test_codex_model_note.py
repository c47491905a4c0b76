"""`onward save --write codex` with the real client: what it sends, what it leaves."""

from __future__ import annotations

import json

from tests.e2e.codex_live.lab import CodexLab
from tests.e2e.codex_live.model import patch
from tests.e2e.codex_live.session import worked
from tests.e2e.kit.model import Answer, Request

NOTE = {"next": ["Caulk seam 5 in seams.md"]}
LEAD = "write the note that the next agent needs"


def test_the_client_that_writes_the_note_can_change_nothing_and_leaves_nothing(
    lab: CodexLab,
) -> None:
    lab.live()
    session = str(worked(lab))
    lab.wait_quiet()
    (lab.home / ".local/bin/codex").symlink_to(lab.client)
    before, log, count = set(lab.transcripts()), lab.log(), len(lab.model.requests)
    evil = lab.project / "evil.md"
    edit = patch(f"*** Add File: {evil}\n+Seam 4\n")

    def answers(request: Request) -> Answer | str | None:
        if LEAD not in request.text:
            return None
        first = len([each for each in lab.model.requests if LEAD in each.text]) == 1
        return Answer("", (edit,)) if first else json.dumps(NOTE)

    lab.model.script(answers)
    told = lab.onward("save", "caulk-the-hull", "--session", session, "--write", errors=True)
    assert "Note of codex: Caulk seam 5 in seams.md" in told
    asked = [each for each in lab.model.requests[count:] if LEAD in each.text]
    assert len(asked) == 2, "the edit, refused, and the note"
    assert not evil.exists()
    tools = {tool.get("name") or tool.get("type") for tool in asked[0].body.get("tools") or ()}
    assert not tools & {"exec_command", "shell", "write_stdin", "web_search"}, tools
    assert (set(lab.transcripts()), lab.log()) == (before, log)
