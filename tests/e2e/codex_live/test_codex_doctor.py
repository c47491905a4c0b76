"""What `onward doctor` says of the hooks of Codex is what the client itself thinks of them."""

from __future__ import annotations

import json

from tests.e2e.codex_live.lab import CodexLab
from tests.e2e.codex_live.session import worked


def told(lab: CodexLab) -> list[tuple[str, str]]:
    """Level and text of each finding on this client; the exit code tells of others as well."""
    words = ("sh", "-c", "onward doctor --json || true")
    findings = json.loads(lab._run(*words))["findings"]
    return [(each["level"], each["text"]) for each in findings if each["subject"] == "codex"]


def test_before_the_person_trusted_them_the_hooks_are_broken(lab: CodexLab) -> None:
    lab.install("--codex")
    assert {each["trustStatus"] for each in lab.hooks()} == {"untrusted"}
    ((level, text),) = told(lab)
    assert level == "broken"
    assert "not trusted yet: SessionStart, UserPromptSubmit, PreCompact, Stop, SessionEnd" in text


def test_once_trusted_and_called_they_are_well(lab: CodexLab) -> None:
    lab.live()
    worked(lab)
    (_, tried), (level, text) = told(lab)
    assert tried.startswith("run: ")
    assert level == "ok"
    assert text.startswith("5 hooks in .codex/hooks.json, trusted, last called ")


def test_a_hook_that_was_switched_off_is_off_for_the_client_too(lab: CodexLab) -> None:
    lab.install("--codex")
    stop = next(each for each in lab.hooks() if each["eventName"] == "stop")
    lab.configure(f"[hooks.state.{json.dumps(stop['key'])}]\nenabled = false\n")
    assert [each["eventName"] for each in lab.hooks() if not each["enabled"]] == ["stop"]
    assert (".codex/hooks.json: switched off: Stop") in [text for _, text in told(lab)]


def test_hooks_that_are_switched_off_altogether_are_unknown_to_the_client(lab: CodexLab) -> None:
    lab.live()
    lab.configure("[features]\nhooks = false\n")
    assert lab.hooks() == []
    assert told(lab) == [("broken", "~/.codex/config.toml: hooks are switched off")]


def test_an_entry_that_was_changed_waits_for_review_again(lab: CodexLab) -> None:
    lab.live()
    path = lab.project / ".codex/hooks.json"
    path.write_text(path.read_text().replace('"timeout": 30', '"timeout": 31'))
    modified = [each["eventName"] for each in lab.hooks() if each["trustStatus"] != "trusted"]
    assert modified == ["preCompact"]
    assert any("PreCompact" in text for level, text in told(lab) if level != "ok")


def test_the_command_for_windows_stands_beside_the_other_and_changes_nothing_here(
    lab: CodexLab,
) -> None:
    lab.install("--codex")
    path = lab.project / ".codex/hooks.json"
    entries = [each for found in json.loads(path.read_bytes())["hooks"].values() for each in found]
    assert {each["hooks"][0]["commandWindows"].rsplit(" ", 2)[0] for each in entries} == {
        "onward hook codex"
    }
    before = {each["key"]: (each["command"], each["currentHash"]) for each in lab.hooks()}
    without = json.loads(path.read_bytes())
    for found in without["hooks"].values():
        del found[0]["hooks"][0]["commandWindows"]
    whole = path.read_bytes()
    path.write_text(json.dumps(without))
    assert {each["key"]: (each["command"], each["currentHash"]) for each in lab.hooks()} == before
    path.write_bytes(whole)
    lab.live()
    worked(lab)
    assert told(lab)[-1][0] == "ok"


def test_a_command_for_windows_that_is_no_text_makes_the_client_take_no_hook(lab: CodexLab) -> None:
    lab.live()
    path = lab.project / ".codex/hooks.json"
    table = json.loads(path.read_bytes())
    theirs = {"type": "command", "command": "say done", "commandWindows": 5}
    table["hooks"]["Stop"].append({"hooks": [theirs]})
    path.write_text(json.dumps(table))
    assert lab.hooks() == []
    assert "it takes no hook of .codex/hooks.json as it stands" in str(told(lab))
