"""What a session's texts name with `@` is no file that the client reads with our memory file."""

from __future__ import annotations

import pytest
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.model import Answer, Call

pytestmark = pytest.mark.every_version

NAMED = "reef.txt"
HELD = "the sunken reef lies at four fathoms"
SPELLINGS = (
    "@{0}", "**@{0}**", "_@{0}_", "[@{0}](x)", "![@{0}](x)", "~~@{0}~~", "`@{0}`", "(@{0})", "x=@{0}", "\u00bb@{0}",
    "|@{0}|", "<b>@{0}</b>", "#@{0}", "\u200b@{0}", "\u2014@{0}", "*@{0}*", "-@./{0}",
)  # fmt: skip


def test_nothing_that_a_session_said_is_imported(lab: Lab) -> None:
    lab.install("--project")
    for folder in ("", ".claude/", ".claude/memory/"):
        lab.write(f"{folder}{NAMED}", f"{HELD}\n")
    told = ", ".join(spelling.format(NAMED) for spelling in SPELLINGS)
    chart = {"file_path": str(lab.project / "chart.md"), "content": "Reef: to be sounded\n"}
    lab.model.script([Answer("", (Call("Write", chart),)), "It is charted."])
    lab.headless(f"Chart the reef as in {told}", "--dangerously-skip-permissions")
    lab.onward("document", "--session", str(lab.wait_written("It is charted.")))
    kept = lab.memory("active-context.md").read_text("utf-8")
    assert kept.count(NAMED) >= len(SPELLINGS), kept
    lab.headless("What now?")
    request = lab.requests()[-1]
    assert request.where("Chart the reef"), "the memory file was read"
    assert not request.where(HELD)


def test_a_plain_import_beside_ours_is_read(lab: Lab) -> None:
    """What the test above shows is the escaping's doing."""
    lab.install("--project")
    lab.write(NAMED, f"{HELD}\n")
    lab.write("CLAUDE.md", f"**@{NAMED}** and @{NAMED}\n")
    lab.headless("What now?")
    assert lab.requests()[-1].where(HELD)
