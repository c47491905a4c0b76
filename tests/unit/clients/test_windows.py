"""What is registered on Windows, where no shell may be there; the registrations are run here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.unit.clients.conftest import Place, tree

from onward.clients.target import Target

HUMAN = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "C:\\\\Tools\\\\bell.exe"}]}]}}\n'


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Target, "WINDOWS", True)


def registered(path: Path) -> dict[str, dict[str, Any]]:
    """Our hook of each event."""
    found = json.loads(path.read_bytes())["hooks"]
    return {event: entries[-1]["hooks"][0] for event, entries in found.items()}


@pytest.mark.usefixtures("windows")
def test_the_clients_start_onward_itself_and_no_shell(place: Place) -> None:
    assert place.run("install").code == 0
    hooks = registered(place.settings)
    assert "PreToolUse" not in hooks
    for hook in hooks.values():
        assert hook["command"] == "onward"
        assert hook["args"][:2] == ["hook", "claude-code"]
        assert not {"sh", "bash", "python3", "-c"} & set(hook["args"])
    assert place.run("install", "--codex").code == 0
    for hook in registered(place.root / ".codex/hooks.json").values():
        assert hook["commandWindows"].startswith("onward hook codex ")


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize("before", ["", HUMAN])
def test_installed_twice_and_uninstalled_the_project_is_what_it_was(
    place: Place, before: str
) -> None:
    if before:
        place.write(".claude/settings.json", before)
        place.write(".codex/hooks.json", before)
    stood = tree(place.root)
    for client in ([], ["--codex"]):
        for verb in ("install", "install", "uninstall"):
            answer = place.run(verb, *client)
            assert answer.code == 0
            assert "Left as you changed it" not in answer.out
    assert tree(place.root) == stood


def test_the_hooks_of_a_colleague_on_another_system_stay(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.run("install")
    theirs = place.read(".claude/settings.json")
    monkeypatch.setattr(Target, "WINDOWS", True)
    assert place.run("install").code == 0
    both = json.loads(place.settings.read_bytes())["hooks"]["SessionStart"]
    assert len(both) == 4
    place.run("uninstall")
    assert place.read(".claude/settings.json") == theirs


@pytest.mark.usefixtures("windows")
def test_a_registered_call_serves_a_session_start_in_a_folder_with_blanks(
    place: Place, tmp_path: Path
) -> None:
    place.run("install")
    root = tmp_path / "Müller & Söhne"
    place.root.rename(root)
    hook = registered(root / ".claude/settings.json")["SessionStart"]
    payload = {
        "session_id": "s1",
        "source": "startup",
        "cwd": str(root),
        "hook_event_name": "SessionStart",
    }
    done = subprocess.run(
        [sys.executable, "-m", "onward", *hook["args"]],
        input=json.dumps(payload).encode(), cwd=root, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
