"""`onward doctor`: whether the hooks of Codex are live, and not only written down."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from pathlib import Path

import pytest
from tests.unit.clients.conftest import Place
from tests.unit.clients.test_codex_install import UNREAD

from onward.agents.codex import install as codex
from onward.clients.target import Target

# By the rule that gave what `hooks/list` of the client's app-server (0.169.0) showed for our entries
# before their command strings began with a trap; the real client's tests trust today's.
HASHES = {
    "session_start": "fdfc761d50612e7c7300d759d52a4fc5e2dd2aefcda52c9dcdd745fd4a731e45",
    "user_prompt_submit": "fb9c329b506ea3fdce0791f7e55dc9c9d5c710cb293ad3c0e4408458e0bcee1b",
    "pre_compact": "8e0b8abbad36ef01e31594ee1bca4140d936c66f2b1d42793fa833fc6b72782e",
    "stop": "80affe9a71797f8a8e0efc48b542012bdb705a956925b85ea627f54a57867eb8",
    "session_end": "1f23eafa2cf901e8c365f37c3b64da4c621f5d90b8e5a2983e31a06b2ddab3af",
}


def config(place: Place, text: str = "") -> Path:
    path = place.home / ".codex/config.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def trusted(place: Place, **but: str) -> str:
    """The client's record of a user who trusted the project and all hooks in it, but these."""
    root = os.path.realpath(place.root)
    lines = [f'[projects."{root}"]', 'trust_level = "trusted"']
    for event, known in HASHES.items():
        state = but.get(event, f'trusted_hash = "sha256:{known}"')
        lines += [f'[hooks.state."{root}/.codex/hooks.json:{event}:0:0"]', state]
    return "\n".join(lines) + "\n"


def told(place: Place) -> list[tuple[str, str]]:
    """Level and text of each finding on this client."""
    findings = place.run("doctor", "--json").data["findings"]
    return [
        (each["level"], each["text"])
        for each in findings
        if each["subject"] == "codex" and not each["text"].startswith("run: ")
    ]


@pytest.fixture(autouse=True)
def _installed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEX_HOME", raising=False)
    place.run("install", "--codex")


def test_nothing_is_said_of_a_client_that_was_not_installed_into(place: Place) -> None:
    place.run("uninstall", "--codex")
    assert told(place) == []


def test_hooks_that_are_trusted_as_they_stand_are_fine(place: Place) -> None:
    config(place, trusted(place))
    assert told(place) == [("ok", "5 hooks in .codex/hooks.json, trusted, not called here yet")]


def test_that_another_client_has_no_hooks_is_no_fault(place: Place) -> None:
    config(place, trusted(place))
    findings = place.run("doctor", "--json").data["findings"]
    assert not [each for each in findings if each["subject"] == "hooks"]


def test_hooks_that_nobody_trusted_are_broken(place: Place) -> None:
    faults = told(place)
    assert {level for level, _ in faults} == {"broken"}
    texts = [text for _, text in faults]
    assert "codex was never told to trust this folder" in texts
    every = "SessionStart, UserPromptSubmit, PreCompact, Stop, SessionEnd"
    assert f".codex/hooks.json: not trusted yet: {every}" in texts
    assert place.run("doctor").code == 1


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ('trusted_hash = "sha256:00"', "changed since you trusted it: Stop"),
        ("enabled = false", "switched off: Stop"),
        ("", "not trusted yet: Stop"),
    ],
)
def test_one_hook_that_would_be_skipped_is_named(place: Place, state: str, said: str) -> None:
    config(place, trusted(place, stop=state))
    assert told(place) == [("broken", f".codex/hooks.json: {said}")]


def test_hooks_that_are_switched_off_altogether_are_broken(place: Place) -> None:
    config(place, f"{trusted(place)}[features]\nhooks = false\n")
    assert told(place) == [("broken", "~/.codex/config.toml: hooks are switched off")]


def test_settings_that_the_client_cannot_read_are_told_with_their_line(place: Place) -> None:
    config(place, "[hooks\n")
    ((level, text),) = told(place)
    assert level == "broken"
    assert "~/.codex/config.toml cannot be read" in text
    assert "line 1" in text


def test_a_file_of_hooks_that_is_no_json_is_told_with_its_line(place: Place) -> None:
    place.write(".codex/hooks.json", '{\n"hooks": {,}}')
    ((level, text),) = told(place)
    assert level == "broken"
    assert "line 2" in text


@pytest.mark.parametrize("reason", UNREAD)
def test_a_file_of_hooks_that_the_client_would_not_take_is_broken(
    place: Place, reason: str
) -> None:
    place.run("uninstall", "--codex")
    (place.root / ".codex").mkdir(exist_ok=True)
    (place.root / ".codex/hooks.json").write_bytes(UNREAD[reason])
    place.run("install", "--codex")
    level, text = told(place)[0]
    assert level == "broken"
    assert "it takes no hook of .codex/hooks.json as it stands" in text
    assert reason in text


def test_settings_of_endless_brackets_are_told(place: Place) -> None:
    config(place, "a = " + "[" * 100_000)
    assert told(place) == [("broken", "~/.codex/config.toml cannot be read")]


def test_what_else_lies_beside_our_shims_is_no_part_of_the_trial(place: Place) -> None:
    config(place, trusted(place))
    (place.root / ".codex/hooks/gone").symlink_to("/nowhere")
    os.mkfifo(place.root / ".codex/hooks/pipe")
    assert told(place) == [("ok", "5 hooks in .codex/hooks.json, trusted, not called here yet")]


def test_nothing_of_a_file_that_is_no_json_is_shown(place: Place) -> None:
    place.write(".codex/hooks.json", '{"a": flamingo}')
    ((_, text),) = told(place)
    assert "line 1" in text
    assert "flamingo" not in text


def test_an_event_that_was_taken_out_and_a_missing_shim_are_told(place: Place) -> None:
    config(place, trusted(place))
    table = json.loads(place.read(".codex/hooks.json"))
    del table["hooks"]["Stop"]
    place.write(".codex/hooks.json", json.dumps(table))
    (place.root / ".codex/hooks/onward-codex.sh").unlink()
    assert told(place) == [
        ("broken", "missing: .codex/hooks/onward-codex.sh"),
        ("broken", "out of date: .codex/hooks.json"),
    ]


def test_hooks_of_a_release_before_work_and_are_told_with_what_renews_them(place: Place) -> None:
    config(place, trusted(place))
    table = json.loads(place.read(".codex/hooks.json"))
    for entries in table["hooks"].values():
        entries[-1]["hooks"][0].pop("commandWindows")
    place.write(".codex/hooks.json", json.dumps(table))
    assert told(place) == [("warning", "out of date: .codex/hooks.json")]
    (found,) = [
        f for f in place.run("doctor", "--json").data["findings"] if f["subject"] == "codex"
    ]
    assert found["advice"] == "onward install --codex"
    assert place.run(*found["advice"].split()[1:]).code == 0
    ((level, _),) = told(place)
    assert level == "ok"


def test_the_last_call_of_a_session_here_is_told(place: Place) -> None:
    config(place, trusted(place))
    session = "01a20302-395b-7f00-9450-6c034472e599"
    transcript = place.home / f".codex/sessions/rollout-{session}.jsonl"
    folder = place.data / "live" / session
    folder.mkdir(parents=True)
    (folder / "alive").write_text(f"1\n1\n{os.path.realpath(place.root)}\n\n{transcript}\n")
    ((level, text),) = told(place)
    assert level == "ok"
    assert "last called less than a minute ago" in text


def test_the_hash_is_over_the_matcher_too_where_there_is_one() -> None:
    hook = {"type": "command", "command": "sh .codex/hooks/onward-codex.sh é", "async": False}
    table = {"hooks": {"SessionStart": [{"matcher": "startup", "hooks": [hook]}]}}
    known = (
        '{"event_name":"session_start","hooks":[{"async":false,"command":'
        '"sh .codex/hooks/onward-codex.sh é","timeout":600,"type":"command"}],"matcher":"startup"}'
    )
    path = Path("/shop/.codex/hooks.json")
    state = {"trusted_hash": f"sha256:{hashlib.sha256(known.encode()).hexdigest()}"}
    settings = {"hooks": {"state": {f"{path}:session_start:0:0": state}}}
    assert list(codex.trusts(settings, path, table)) == [("SessionStart", "trusted")]


def test_a_command_that_is_no_text_that_can_be_written_is_not_trusted() -> None:
    hook = {"type": "command", "command": "sh onward-codex.sh \ud800"}
    path = Path("/shop/.codex/hooks.json")
    settings = {"hooks": {"state": {f"{path}:stop:0:0": {"trusted_hash": "sha256:00"}}}}
    found = codex.trusts(settings, path, {"hooks": {"Stop": [{"hooks": [hook]}]}})
    assert list(found) == [("Stop", "changed since you trusted it")]


def rollout(place: Place, cwd: Path, *, days: float = 0) -> Path:
    """A session that a user held in a window, so many days ago."""
    name = "01a20302-395b-7f00-9450-6c034472e599"
    when = "2026-03-01T10:00:00.000Z"
    meta = {"id": name, "timestamp": when, "cwd": str(cwd), "source": "cli", "originator": "x"}
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}
    records = [("session_meta", meta), ("response_item", said)]
    path = place.home / f".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{name}.jsonl"
    path.parent.mkdir(parents=True)
    lines = [{"timestamp": when, "type": kind, "payload": payload} for kind, payload in records]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    then = time.time() - days * 86400
    os.utime(path, (then, then))
    return path


def test_a_session_that_called_nobody_although_all_is_trusted_is_told(place: Place) -> None:
    config(place, trusted(place))
    rollout(place, place.root, days=-1)
    ((level, text),) = told(place)
    assert level == "warning"
    assert "ran here without calling us: session 01a20302-395b" in text


def test_what_one_client_does_to_its_sessions_is_not_said_of_anothers(place: Place) -> None:
    place.run("install")
    (place.root / "src").mkdir()
    rollout(place, place.root / "src", days=29)
    findings = place.run("doctor", "--json").data["findings"]
    subjects = {each["subject"] for each in findings if each["level"] == "warning"}
    assert "clean-up" not in subjects
    assert not [each for each in findings if "sub-folder" in each["text"]]


def test_the_commands_are_run_and_measured_in_a_throw_away_project(place: Place) -> None:
    config(place, trusted(place))
    findings = place.run("doctor", "--json").data["findings"]
    (text,) = [each["text"] for each in findings if each["text"].startswith("run: U")]
    events = ("UserPromptSubmit", "Stop", "PreCompact", "SessionEnd", "SessionStart")
    assert re.fullmatch("run: " + ", ".join(rf"{event} \d+ ms" for event in events), text)
    assert not (place.root / ".claude/memory").exists()
    assert not (place.data / "live").exists()


def test_commands_that_end_well_and_do_nothing_are_broken(place: Place) -> None:
    config(place, trusted(place))
    (place.data / "launcher").write_text("/bin/true\n/bin/true\n")
    ((level, text),) = told(place)
    assert level == "broken"
    assert text.startswith("the commands in .codex/hooks.json kept no copy of a transcript")


def test_a_command_that_is_not_ours_is_never_run(place: Place) -> None:
    config(place, trusted(place))
    shim = place.root / ".codex/hooks/onward-codex.sh"
    shim.write_text(f"touch {place.root}/it-ran\n")
    assert told(place)[0][0] == "warning"
    assert not (place.root / "it-ran").exists()


@pytest.mark.parametrize(
    ("windows", "hashed"), [(False, "sh onward-codex.sh"), (True, "onward.exe")]
)
def test_the_hash_is_over_the_command_of_this_system_alone(
    monkeypatch: pytest.MonkeyPatch, windows: bool, hashed: str
) -> None:
    """By the client's source (`codex-rs/hooks/src/engine/discovery.rs`); the real client is only run
    on Linux.
    """
    monkeypatch.setattr(Target, "WINDOWS", windows)
    hook = {"type": "command", "command": "sh onward-codex.sh", "commandWindows": "onward.exe"}
    known = (
        '{"event_name":"stop","hooks":[{"async":false,"command":'
        f'"{hashed}","timeout":600,"type":"command"}}]}}'
    )
    path = Path("/shop/.codex/hooks.json")
    state = {"trusted_hash": f"sha256:{hashlib.sha256(known.encode()).hexdigest()}"}
    settings = {"hooks": {"state": {f"{path}:stop:0:0": state}}}
    found = codex.trusts(settings, path, {"hooks": {"Stop": [{"hooks": [hook]}]}})
    assert list(found) == [("Stop", "trusted")]
