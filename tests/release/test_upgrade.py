"""What the last commit before 0.1.0 left on a machine works with this version, and is refreshed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import onward
from onward.agents.claude_code import install
from onward.clients import files

BEFORE = Path(__file__).parent / "before_0_1"
ENTRY = Path(onward.__file__).parent / "hooks/entry.py"
SESSION = "a7e113fc-d0e6-436a-a9ef-72d03ee84246"
SETTINGS_FIRST = b'{\n  "model": "opus"\n}\n'
"""What stood in the settings before anything was installed."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the hooks are run by sh")


@dataclass(frozen=True)
class Machine:
    """A project `shop` with what the earlier version wrote, and a home with one session of it."""

    top: Path
    env: dict[str, str]

    @property
    def project(self) -> Path:
        return self.top / "shop"

    @property
    def launcher(self) -> Path:
        return self.top / "data/launcher"

    @property
    def settings(self) -> dict[str, Any]:
        found = json.loads((self.project / ".claude/settings.json").read_text())
        assert isinstance(found, dict)
        return found

    def onward(self, *words: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "onward", *words],
            cwd=self.project,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def hook(self, event: str, **payload: str) -> str:
        """Run the first hook that is registered for an event, as the client does."""
        (command,) = self.settings["hooks"][event][0]["hooks"]
        transcript = self.top / "home/.claude/projects/-shop" / f"{SESSION}.jsonl"
        given = {
            "hook_event_name": event,
            "session_id": SESSION,
            "transcript_path": str(transcript),
            "cwd": str(self.project),
        }
        done = subprocess.run(
            ["/bin/sh", "-c", command["command"]],
            cwd=self.project,
            env=self.env | {"CLAUDE_PROJECT_DIR": str(self.project)},
            input=json.dumps(given | payload),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    project, home = tmp_path / "shop", tmp_path / "home"
    shutil.copytree(BEFORE / "claude", project / ".claude")
    memory = project / ".claude/memory"
    (memory / "gitignore").rename(memory / ".gitignore")
    (project / "memory/checkpoints").mkdir(parents=True)
    checkpoint = project / "memory/checkpoints/add-currency-option.md"
    shutil.copy(BEFORE / "checkpoint.md", checkpoint)
    (tmp_path / "data").mkdir(mode=0o700)
    shutil.copy(BEFORE / "launcher", tmp_path / "data")
    transcript = home / ".claude/projects/-shop" / f"{SESSION}.jsonl"
    transcript.parent.mkdir(parents=True)
    sample = Path(onward.__file__).parent / "samples/tally/session.jsonl"
    text = sample.read_text("utf-8").replace("/home/ada/tally", str(project))
    transcript.write_text(text, encoding="utf-8")
    scripts = Path(sys.executable).parent
    env = {
        "HOME": str(home),
        "USER": "maria",
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "ONWARD_DATA": str(tmp_path / "data"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=project, env=env, check=True)
    return Machine(tmp_path, env)


def current(machine: Machine) -> None:
    """Assert that launcher, settings and files are those of this version, each hook once."""
    python, entry = machine.launcher.read_text().splitlines()
    assert (python, entry) == (sys.executable, str(ENTRY))
    fresh = machine.top / "fresh"
    fresh.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=fresh, env=machine.env, check=True)
    words = [sys.executable, "-m", "onward", "install"]
    subprocess.run(words, cwd=fresh, env=machine.env, check=True, capture_output=True)
    wanted = json.loads((fresh / ".claude/settings.json").read_text())
    assert machine.settings == {"model": "opus"} | wanted
    names = ("commands", "scripts", "skills")
    shipped = install.shims() | files.shipped(*names, root=install.ClaudeCode.TEMPLATES)
    for name, data in shipped.items():
        assert (machine.project / ".claude" / name).read_bytes() == data


def older(machine: Machine, name: str) -> None:
    """Make a file what a release before wrote there: other bytes, and known to the manifest."""
    path = machine.project / ".claude" / name
    path.write_bytes(path.read_bytes() + b"# as an earlier release had it\n")
    record = machine.project / ".claude/onward.json"
    found = json.loads(record.read_text())
    assert f".claude/{name}" in found["files"]
    found["files"][f".claude/{name}"] = hashlib.sha256(path.read_bytes()).hexdigest()
    record.write_text(json.dumps(found))


def test_hooks_of_before_keep_a_session_and_offer_it_to_the_next(machine: Machine) -> None:
    machine.hook("SessionEnd", reason="prompt_input_exit")
    assert list((machine.project / ".claude/memory/raw").glob("*.jsonl"))
    offered = machine.hook(
        "SessionStart", source="startup", session_id="0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
    )
    assert "currency" in offered


def test_install_refreshes_what_was_written_before(machine: Machine) -> None:
    older(machine, "hooks/on-stop.sh")
    machine.onward("install")
    current(machine)


def test_the_doctor_names_what_is_old_and_refreshes_it(machine: Machine) -> None:
    older(machine, "hooks/on-stop.sh")
    assert "names a Python that is gone" in machine.onward("doctor", code=1)
    machine.onward("doctor", "--fix")
    current(machine)


def test_each_event_is_registered_as_often_as_before(machine: Machine) -> None:
    def counted() -> Counter[str]:
        return Counter(
            {event: len(entries) for event, entries in machine.settings["hooks"].items()}
        )

    before = counted()
    machine.onward("install")
    machine.onward("install")
    assert counted() == before


def test_an_uninstall_restores_the_settings_of_before(machine: Machine) -> None:
    machine.onward("uninstall")
    assert (machine.project / ".claude/settings.json").read_bytes() == SETTINGS_FIRST
    assert not (machine.project / ".claude/hooks").exists()


def test_a_checkpoint_of_before_is_listed_and_resumed(machine: Machine) -> None:
    assert "add-currency-option" in machine.onward("list")
    told = machine.onward("resume", "add-currency-option", "--yes")
    assert "README later, once the option is released" in told
    assert "Round half up, as the bank does" in told
