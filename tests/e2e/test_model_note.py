"""`onward save --write` with the real client: what it sends, what it leaves, what is kept."""

from __future__ import annotations

import json

import pytest
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.model import Request
from tests.e2e.kit.session import worked

NOTE = {"next": ["Caulk seam 5 in seams.md"], "progress": ["Wrote hull/nowhere.md"]}
LEAD = "write the note that the next agent needs"


def answers(request: Request) -> str | None:
    return json.dumps(NOTE) if LEAD in request.text else None


@pytest.mark.every_version
def test_the_note_costs_one_request_without_tools_hooks_or_session(lab: Lab) -> None:
    lab.install("--project")
    lab.write("CLAUDE.md", "Never say barnacle.\n")
    worked(lab)
    lab.wait_quiet()
    (lab.home / ".local/bin/claude").symlink_to(lab.client)
    before, log, count = set(lab.transcripts()), lab.log(), len(lab.model.requests)
    lab.model.script(answers)
    told = lab.onward("save", "caulk-the-hull", "--write", errors=True)
    assert "Note of claude: Caulk seam 5 in seams.md" in told
    assert "`hull/nowhere.md` does not exist" in told
    asked = [each for each in lab.model.requests[count:] if LEAD in each.text]
    assert len(asked) == 1
    assert not asked[0].body.get("tools")
    assert "barnacle" not in json.dumps(asked[0].body)
    assert (set(lab.transcripts()), lab.log()) == (before, log)
    assert "Caulk seam 5" in lab.onward("resume", "caulk-the-hull", "--write")
    assert len([each for each in lab.model.requests[count:] if LEAD in each.text]) == 1
