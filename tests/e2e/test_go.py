"""`onward go` starts the client where the work stopped, and the thread of the work goes on."""

from __future__ import annotations

from tests.e2e.kit.lab import Lab
from tests.e2e.kit.session import ASKED, leave, worked
from tests.e2e.kit.terminal import PROMPT

GREETED = "Plank four is caulked. Shall I go on with plank five?"
BEGUN = "Plank five is begun."
YES = "yes, and write down how much oakum it takes"


def test_a_session_is_taken_up_with_its_briefing(lab: Lab) -> None:
    lab.install("--project")
    before = worked(lab)
    (lab.home / ".local/bin/claude").symlink_to(lab.client)
    count = len(lab.requests())
    lab.model.script([GREETED, BEGUN])
    window = lab.tmux.start(["onward", "go", before.stem, "--briefing"], lab.env, lab.project)
    lab.windows.append(window)
    window.wait("native resume: about|Shall I go on")
    window.wait(PROMPT)
    lab.wait_written(GREETED)
    told = lab.requests()[count].text
    assert f"# Resume: {ASKED}" in told
    assert "ask whether to continue" in told
    window.still()
    window.type(YES)
    after = lab.wait_written(BEGUN)
    assert after != before
    leave(window)
    lab.wait_quiet()
    brief = lab.onward("brief", after.stem)
    assert YES in brief
    assert ASKED in brief  # of the session before
    assert "ask whether to continue" not in brief


def test_the_clients_own_resume_goes_on_in_the_same_session(lab: Lab) -> None:
    before = worked(lab)
    (lab.home / ".local/bin/claude").symlink_to(lab.client)
    window = lab.tmux.start(["onward", "go", before.stem, "--native"], lab.env, lab.project)
    lab.windows.append(window)
    window.wait(PROMPT)
    window.still()
    lab.model.script([BEGUN])
    window.type(YES)
    assert lab.wait_written(BEGUN) == before
    leave(window)
