"""The plugin: valid, installed from its folder without a network, and complete in itself."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.session import PENDING, next_start, worked
from tests.e2e.kit.slash import ask

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("plugins", ".claude-plugin")
NEXT = "Run `make caulk`; plank five still leaks"
NAME = "caulk-the-seams"
QUESTION = "Ready to continue? (yes/no)"


def cli(lab: Lab, *words: str) -> str:
    """The client's own command `plugin`; what it said."""
    done = subprocess.run(
        [str(lab.client), "plugin", *words],
        cwd=lab.project,
        env=lab.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


@pytest.fixture
def installed(lab: Lab) -> Lab:
    """A lab in which the plugin is installed for the user, from a copy of this repository, and
    nothing else of ours.
    """
    market = lab.top / "market"
    for part in PARTS:
        shutil.copytree(ROOT / part, market / part)
    cli(lab, "marketplace", "add", str(market))
    cli(lab, "install", "onward@onward")
    return lab


@pytest.mark.parametrize("place", ["plugins/onward", "."])
def test_the_client_finds_plugin_and_marketplace_valid(lab: Lab, place: str) -> None:
    assert "Validation passed" in cli(lab, "validate", "--strict", str(ROOT / place))


def test_its_hooks_keep_a_session_and_tell_the_next_one(installed: Lab) -> None:
    lab = installed
    transcript = worked(lab)
    (backup,) = lab.pending()
    assert transcript.read_bytes().startswith(backup.read_bytes())
    request = next_start(lab)
    assert PENDING.findall(request.text) == [f".claude/memory/raw/{backup.name}"]
    assert request.where("onward:managing-session-continuity")


def test_its_commands_do_what_the_projects_do_under_their_own_names(installed: Lab) -> None:
    lab = installed
    session = ("--resume", worked(lab).stem)
    words = {"next": NEXT}
    asking = [
        ask(lab, "/onward:resume-latest"),
        ask(lab, f"/onward:checkpoint save {NAME}", *session, words=words),
        ask(lab, f"/onward:checkpoint resume {NAME}"),
        ask(lab, "/onward:document-and-save-to notes/deck.md", *session, words=words),
        ask(lab, "/onward:resume-from notes/deck.md"),
    ]
    others = [
        ask(lab, "/onward:document-and-save", *session, words=words),
        ask(lab, "/onward:save-session-protocol", *session, words=words),
        ask(lab, "/onward:load-session-protocol"),
        ask(lab, "/onward:sessions-list"),
        ask(lab, "/onward:discard-backup"),
    ]
    printed = [ran.command.printed for ran in (*asking, *others)]
    assert [QUESTION in told for told in printed] == [True, False, True, False, True] + [False] * 5
    for name in (f"memory/checkpoints/{NAME}.md", ".claude/memory/active-context.md"):
        assert NEXT in (lab.project / name).read_text("utf-8")
    assert "Taken in:" in printed[0]
    assert "Loaded session-protocol.json" in printed[7]
    sent = "\n".join(ran.command.body for ran in (*asking, *others))
    bare = re.findall(
        r"(?<![\w.])/(?:checkpoint|resume-|document-|sessions-|discard-)[a-z-]*", sent
    )
    assert bare == [], "they name each other as they are called here"


def test_the_bare_checkpoint_stays_the_clients_own_word_for_rewind(installed: Lab) -> None:
    done = installed.headless("/checkpoint save before-lunch")
    assert "isn't available in this environment" in done.text
    assert not installed.requests()
    window = installed.terminal()
    window.type("/checkpoint")
    window.wait("Rewind")
    assert not installed.requests()
