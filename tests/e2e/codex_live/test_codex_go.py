"""`onward go --in codex` takes up in Codex what was begun in Claude Code."""

from __future__ import annotations

from tests.e2e.codex_live.lab import CodexLab
from tests.e2e.kit.model import Answer, Call
from tests.e2e.kit.session import ASKED, DONE

GREETED = "Plank four is caulked. Shall I go on with plank five?"


def test_a_session_of_claude_code_is_taken_up_in_codex(lab: CodexLab) -> None:
    call = Call("Bash", {"command": "echo oakum > seams.md", "description": "Go"})
    lab.other.script([Answer("", (call,)), DONE])
    assert lab.claude(ASKED).code == 0
    (before,) = (lab.home / ".claude/projects").glob("*/*.jsonl")
    (lab.home / ".local/bin/codex").symlink_to(lab.client)
    lab.model.script([GREETED])
    window = lab.tmux.start(["onward", "go", before.stem, "--in", "codex"], lab.env, lab.project)
    lab.windows.append(window)
    lab.wait_written(GREETED)
    told = lab.requests()[0].text
    assert f"# Resume: {ASKED}" in told
    assert "`seams.md` created" in told
    window.still()
    brief = lab.onward("brief", lab.transcripts()[-1].stem[-36:])
    assert "ask whether to continue" not in brief
