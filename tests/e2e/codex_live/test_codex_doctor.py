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
