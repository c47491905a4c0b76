"""What is registered on Windows, where no shell may be there; the registrations are run here."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.programs import stand_in
from tests.unit.clients.conftest import Place, tree

from onward.cli import Call
from onward.cli.verbs.demo import Scratch
from onward.clients.target import Target
from onward.commands import go
from onward.errors import OnwardError

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
    rule = ',\n  "permissions": {\n    "allow": [\n      "Edit(/memory/.draft-*.json)"\n    ]\n  }'
    assert theirs.count(rule) == 1, "of the whole project"
    assert place.read(".claude/settings.json") == theirs.replace(rule, "")


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


@pytest.fixture
def programs(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the PATH as Windows may have it: ours, and what only looks like a program."""
    folder = tmp_path / "Jörg Müller" / "Scripts"
    folder.mkdir(parents=True)
    for stub in ("sh", "bash", "python3"):
        (folder / stub).write_text(f'#!/bin/sh\necho called >> "{tmp_path}/stubs"\nexit 1\n')
    stand_in(folder / "onward", sys.executable, "-m", "onward")
    for each in folder.iterdir():
        each.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    known = {"projects": {str(place.root): {"hasTrustDialogAccepted": True}}}
    (place.home / ".claude.json").write_text(json.dumps(known))
    return folder


def findings(place: Place, subject: str) -> list[tuple[str, str]]:
    """What the doctor says of it: level and text."""
    told = place.run("doctor", "--json").data["findings"]
    return [(each["level"], each["text"]) for each in told if each["subject"] == subject]


@pytest.mark.usefixtures("windows", "programs")
def test_the_doctor_runs_what_is_registered_without_a_shell(place: Place, tmp_path: Path) -> None:
    place.run("install")
    ((level, text),) = findings(place, "hooks")
    assert (level, text) == ("ok", "6 hooks in .claude/settings.json (project)")
    ((level, text),) = findings(place, "run")
    assert level == "ok", text
    for event in ("SessionStart", "SessionEnd", "PreCompact", "UserPromptSubmit", "Stop"):
        assert f"{event} " in text
    assert not (tmp_path / "stubs").exists()


@pytest.mark.usefixtures("windows")
def test_the_doctor_says_that_the_program_which_is_registered_is_not_there(
    place: Place, programs: Path
) -> None:
    place.run("install")
    (programs / "onward").unlink()
    ((level, text),) = findings(place, "run")
    assert level == "broken"
    assert "`onward`" in text


@pytest.mark.usefixtures("windows", "programs")
@pytest.mark.parametrize(
    ("command", "level"),
    [
        ("onward.exe", "ok"),
        (r"C:\Users\Jörg Müller\AppData\Roaming\Python\Scripts\onward.exe", "ok"),
        ("C:/Program Files/onward/Onward.EXE", "ok"),
        (r"C:\Tools\not-onward.exe", "broken"),
        (r"C:\onward\bell.exe", "broken"),
    ],
)
def test_the_doctor_knows_ours_by_a_path_of_windows(place: Place, command: str, level: str) -> None:
    place.run("install")
    ours, theirs = json.dumps("onward"), json.dumps(command)
    told = place.read(".claude/settings.json").replace(f'"command": {ours}', f'"command": {theirs}')
    place.write(".claude/settings.json", told)
    assert [each for each, _ in findings(place, "hooks")] == [level]


@pytest.mark.usefixtures("windows", "programs")
def test_the_doctor_runs_no_command_that_a_repository_brought(place: Place, tmp_path: Path) -> None:
    place.run("install")
    (place.home / ".claude.json").unlink()
    evil = tmp_path / "onward"
    evil.write_text(f'#!/bin/sh\necho called >> "{tmp_path}/stubs"\n')
    evil.chmod(0o755)
    told = place.read(".claude/settings.json").replace('"onward"', json.dumps(str(evil)))
    place.write(".claude/settings.json", told)
    ((level, text),) = findings(place, "run")
    assert level == "warning"
    assert "not run" in text
    assert not (tmp_path / "stubs").exists()


def test_codex_reads_both_commands_from_one_file_whatever_system_wrote_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.run("install", "--codex")
    here = place.read(".codex/hooks.json")
    for hook in registered(place.root / ".codex/hooks.json").values():
        assert hook["command"].startswith("trap 'exit 0' EXIT; sh -c ")
        assert hook["commandWindows"].startswith("onward hook codex ")
    monkeypatch.setattr(Target, "WINDOWS", True)
    assert place.run("install", "--codex").code == 0
    assert place.read(".codex/hooks.json") == here


@pytest.mark.parametrize("before", ["", HUMAN])
def test_hooks_without_the_command_for_windows_get_it_and_go_to_the_byte(
    place: Place, before: str
) -> None:
    if before:
        place.write(".codex/hooks.json", before)
    stood = tree(place.root)
    place.run("install", "--codex")
    path = place.root / ".codex/hooks.json"
    whole = json.loads(path.read_bytes())
    table = json.loads(path.read_bytes())
    for entries in table["hooks"].values():
        entries[-1]["hooks"][0].pop("commandWindows")
    path.write_text(json.dumps(table, indent=2) + "\n")
    answer = place.run("install", "--codex")
    assert "as you changed it" not in answer.out
    assert json.loads(path.read_bytes()) == whole
    for entries in table["hooks"].values():
        entries[-1]["hooks"][0].pop("commandWindows", None)
    path.write_text(json.dumps(table, indent=2) + "\n")
    place.run("uninstall", "--codex")
    if before:
        assert json.loads(path.read_bytes()) == json.loads(before)
    else:
        assert tree(place.root) == stood


@pytest.mark.parametrize(
    ("found", "code", "said"),
    [
        (r"C:\Users\Jörg Müller\AppData\Roaming\npm\codex.CMD", 2, "onward brief place --copy"),
        (r"C:\Program Files\nodejs\codex.bat", 2, "onward brief place --copy"),
        (r".\codex.EXE", 3, "codex is not on the PATH"),
        (r"C:\Program Files\Codex\codex.exe", 0, ""),
    ],
)
def test_no_briefing_is_given_to_a_script_of_the_shell_nor_to_a_program_of_the_folder(
    monkeypatch: pytest.MonkeyPatch, found: str, code: int, said: str
) -> None:
    with Scratch() as scratch:
        scratch.run("onward save place")
        for name, value in scratch.env.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(scratch.project)
        monkeypatch.setattr(shutil, "which", lambda name, path=None: found)
        call = Call()
        if not code:
            told = go.prepare(call.world, "place", "codex")
            assert (told.program, told.words[0]) == (found, "codex")
            return
        with pytest.raises(OnwardError) as error:
            go.prepare(call.world, "place", "codex")
    assert error.value.exit_code == code
    assert said in f"{error.value.message} {error.value.hint}"
