"""`onward install --opencode`, `--copilot` and back: files of ours alone, and nobody else's bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.unit.clients.conftest import Place, tree
from tests.unit.conftest import GIT

from onward.clients.registry import ALL, OTHERS
from onward.transcripts.registry import AGENTS

SKILL = "skills/session-continuity/SKILL.md"
SHIMS = {f"hooks/{name}.sh" for name in ("onward", "onward-copilot", "onward-log")}
FILES = {
    "--opencode": (".opencode", {"plugins/onward.js", SKILL, "onward.json"}),
    "--copilot": (".github", {"hooks/onward.json", SKILL, "onward.json", *SHIMS}),
}
THEIRS = {
    ".opencode/plugins/mine.js": "export const Mine = async () => ({})\n",
    ".opencode/package.json": "{}",
    ".github/hooks/mine.json": '{"version": 1, "hooks": {}}',
    ".github/workflows/ci.yml": "on: push\r\n",
    "opencode.json": "{ // mine\n}",
}

pytestmark = pytest.mark.parametrize("option", FILES)


@pytest.fixture(autouse=True)
def _usual(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENCODE_CONFIG_DIR", "XDG_CONFIG_HOME", "COPILOT_HOME"):
        monkeypatch.delenv(name, raising=False)


def files(folder: Path) -> set[str]:
    return {name for name, data in tree(folder).items() if data != b"<folder>"}


def test_a_project_gets_files_of_ours_and_gives_them_back(place: Place, option: str) -> None:
    for name, text in THEIRS.items():
        place.write(name, text)
    before = tree(place.root)
    folder, wanted = FILES[option]
    assert place.run("install", option).code == 0
    assert files(place.root) - set(before) == {f"{folder}/{name}" for name in wanted}
    installed = tree(place.root)
    assert "installed already" in place.run("install", option).out
    assert tree(place.root) == installed
    assert place.run("uninstall", option).code == 0
    assert tree(place.root) == before


def test_of_a_user_it_is_the_same(place: Place, option: str) -> None:
    before = files(place.home)
    assert place.run("install", option, "--user").code == 0
    where = {"--opencode": ".config/opencode", "--copilot": ".copilot"}[option]
    new = {name for name in files(place.home) - before if name.startswith(where)}
    assert new == {f"{where}/{name}" for name in FILES[option][1]}
    again = place.run("install", option).out
    assert f"onward uninstall {option} --user" in again
    place.run("uninstall", option, "--user")
    place.run("uninstall", option)
    assert not {name for name in files(place.home) - before if name.startswith(where)}


def test_what_a_user_changed_stays_and_is_named(place: Place, option: str) -> None:
    folder, _ = FILES[option]
    place.write(f"{folder}/{SKILL}", "mine\n")
    assert f"Left, since it is yours: {folder}/{SKILL}" in place.run("install", option).out
    entry = next(each.SETTINGS for each in ALL if option == each.OPTION)
    changed = place.read(f"{folder}/{entry}") + "\n"
    place.write(f"{folder}/{entry}", changed)
    assert f"{folder}/{entry}" in place.run("uninstall", option).out
    assert (place.read(f"{folder}/{entry}"), place.read(f"{folder}/{SKILL}")) == (changed, "mine\n")


def test_a_dry_run_shows_every_line_and_writes_none(place: Place, option: str) -> None:
    before = tree(place.root)
    told = place.run("install", option, "--dry-run").out
    assert f"+++ b/{FILES[option][0]}" in told
    assert tree(place.root) == before


def findings(place: Place, option: str) -> list[dict[str, Any]]:
    subject = option.removeprefix("--")
    told = place.run("doctor", "--json").data["findings"]
    return [each for each in told if each["subject"] == subject]


def test_the_doctor_names_what_is_missing_and_what_brings_it(place: Place, option: str) -> None:
    assert findings(place, option) == []
    place.run("install", option)
    config = place.home / ".copilot/config.json"
    config.parent.mkdir(exist_ok=True)
    config.write_text(f'// managed\n{{"trustedFolders": ["{place.root}"]}}')
    assert [each["level"] for each in findings(place, option)] == ["ok"]
    (place.root / FILES[option][0] / SKILL).unlink()
    (found,) = findings(place, option)
    assert (found["level"], found["advice"]) == ("broken", f"onward install {option}")
    assert SKILL in found["text"]
    config.write_text("{}")
    place.run("install", option)
    levels = [each["level"] for each in findings(place, option)]
    assert levels == (["broken"] if option == "--copilot" else ["ok"])


def test_a_client_is_registered_once(option: str) -> None:
    assert [each.PROGRAM for each in ALL] == [agent.start()[0] for agent in AGENTS]
    assert option in OTHERS


def test_each_call_ends_well_and_says_nothing_it_should_not(place: Place, option: str) -> None:
    """The hooks as the client would run them, of a session that wrote a file."""
    place.run("install", option)
    agent = option.removeprefix("--")
    entry = Path(sys.modules["onward"].__file__ or "").parent / "hooks/entry.py"
    env = {**os.environ, **GIT, "HOME": str(place.home), "ONWARD_DATA": str(place.data)}
    env |= {
        "COPILOT_PROJECT_DIR": str(place.root),
        "COPILOT_HOOK_DIR": f"{place.root}/.github/hooks",
    }
    payload = {"session_id": "ses_1", "sessionId": "ses_1", "cwd": str(place.root)}
    for event in ("start", "prompt", "compact", "turn", "end"):
        words = [sys.executable, "-I", "-S", str(entry), agent, event, "0"]
        if agent == "copilot":
            hooks = json.loads(place.read(".github/hooks/onward.json"))["hooks"].values()
            (command,) = [hook["bash"] for (hook,) in hooks if f" {event} " in hook["bash"]]
            words = ["bash", "-c", command]
        done = subprocess.run(
            words, input=json.dumps(payload | {"prompt": "go"}), env=env, cwd=place.root,
            capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
        assert done.stdout.strip() == "" or event == "compact"
    assert not (place.data / "hooks.log").exists()
