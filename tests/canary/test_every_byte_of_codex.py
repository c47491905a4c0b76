"""Canaries in every field of a rollout, of what Codex hands its hooks and of its settings."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from tests.canary import machine as machines
from tests.canary.machine import OTHER, SESSION, USER, CodexMachine
from tests.canary.planting import TEMPLATES, Garden
from tests.canary.rollout import Paginated, Wrapped
from tests.canary.test_every_byte import is_kept_apart, words
from tests.sampling import sample

from onward.redaction.engine import MARK

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name == "nt", reason="shims are run by sh")

FORMS = (Wrapped, Paginated)
VERBS: tuple[tuple[str, ...], ...] = (
    ("save", "fix-login", "--from", "DRAFT.json"), ("list",), ("check",), ("resume",),
    ("resume", "fix-login"), ("show", "fix-login"), ("brief", SESSION, "--budget", "6000"),
    ("--all", "--why"), ("sessions",), ("sessions", "--all"), ("distill", SESSION), ("backup", "list"),
    ("protocol", "save"), ("document",), ("doctor",), ("install", "--codex", "--dry-run"),
    ("uninstall", "--codex", "--dry-run"), ("backup", "resume"), ("resume", "ROLLOUT"),
    ("search", "e", "--limit", "5000"),
)  # fmt: skip


def live(machine: CodexMachine, garden: Garden) -> None:
    """A session from its start to its end, with words in every field of every payload."""
    say = garden.plant

    def call(event: str, **fields: object) -> None:
        here: dict[str, Any] = {
            "session_id": SESSION,
            "transcript_path": str(machine.transcript()),
            "cwd": str(machine.root),
            "hook_event_name": event,
            "model": say("payload: model"),
            "permission_mode": say("payload: mode"),
        }
        machine.hook(event, here | fields)
        if event in {"turn", "end"}:  # one that cannot be read to its end
            machine.hook(event, json.dumps(here | fields).encode()[:-3])

    call("start", source="startup")
    for field, text in (
        ("payload: decision", "Use RS256, not HS256, because we ran it"),
        ("payload: preference", "Always use tabs from now on, I ran it"),
        ("payload: farewell", "That is all for today, bye"),
    ):
        call("prompt", prompt=say(field, text), turn_id=say("payload: turn"))
    call("turn", last_assistant_message=say("payload: last words", "One test fails."))
    call("compact", trigger=say("payload: trigger", "manual"))
    call("start", source="compact")
    call("end", reason=say("payload: reason", "other"))
    name = garden.name("payload: transcript")
    call("turn", transcript_path=f"/no/{name}.jsonl", cwd=say("payload: cwd", "/no/such"))
    call("start", source=say("payload: source"), session_id=garden.name("payload: session"))


def settings(machine: CodexMachine, garden: Garden) -> None:
    """What a user has of the client's, in the project and at home."""
    say = garden.plant
    here, home = machine.root / ".codex", machine.home / ".codex"
    here.mkdir()
    for folder in (here, home):
        secret = json.dumps(say("config: env"))
        (folder / "config.toml").write_text(
            f"[mcp_servers.db.env]\nKEY = {secret}\n[hooks]\nStop = []\n"
        )
        (folder / "AGENTS.md").write_text(say("rules"))
    hook = {"type": "command", "command": say("hooks: command", "echo")}
    (here / "hooks.json").write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}, indent=2))
    name = {"id": OTHER, "thread_name": say("name of a thread")}
    (home / "session_index.jsonl").write_text(json.dumps(name) + "\n")
    (home / "history.jsonl").write_text(json.dumps({"session_id": SESSION, "text": say("typed")}))


def broken(machine: CodexMachine, garden: Garden) -> None:
    """Settings that cannot be read, with a canary where the fault is."""
    hooks, config = machine.root / ".codex/hooks.json", machine.home / ".codex/config.toml"
    kept = hooks.read_bytes()
    hooks.write_text(f'{{"hooks": {garden.plant("broken hooks")}')
    config.write_text(f"{garden.plant('broken config')} = [\n")
    for call in (("install", "--codex"), ("doctor",), ("uninstall", "--codex")):
        assert machine.onward(*call).code
    hooks.write_bytes(kept)


@pytest.mark.parametrize("part", sample(range(len(FORMS)), 1, "forms"))
def test_no_canary_of_codex_is_in_any_byte_that_is_written_or_printed(
    part: int, tmp_path: Path
) -> None:
    machine, garden = CodexMachine(tmp_path), Garden(TEMPLATES[part :: len(FORMS)], part)
    garden.pad = 37 * part
    machines.repository(machine, garden)
    for session in (OTHER, SESSION):
        rollout = FORMS[part](machine.transcript(session), session, machine.root, garden)
        rollout.fill()
    settings(machine, garden)
    # The shell that waits for idleness must not keep us waiting as long.
    (machine.root / "onward.toml").write_text("[hooks]\nidle-minutes = 0.001\n")
    before = machine.written()
    machine.onward("install", "--codex", "--dry-run")
    assert machine.onward("install", "--codex").code == 0
    live(machine, garden)
    is_kept_apart(machine.root / ".claude/memory/raw", machine)
    for each in VERBS:
        (machine.root / "DRAFT.json").write_text(json.dumps(words(garden)))
        call = [word.replace("ROLLOUT", str(machine.transcript())) for word in each]
        machine.onward(*call)
        machine.onward(*call, "--json")
    (machine.root / "DRAFT.json").unlink(missing_ok=True)
    for line in range(1, len(rollout.lines) + 1):
        assert machine.onward("show", f"t:{line}").code == 0
    broken(machine, garden)
    machine.onward("uninstall", "--codex")
    assert garden.found(machine.told) == [], "printed"
    assert USER.encode() not in machine.told
    for path, data in machine.written().items():
        if before.get(path) != data:
            assert garden.found(data) == [], path
            assert USER.encode() not in data or machine.data in (machine.root / path).parents, path
    assert len(set(MARK.findall(machine.told))) > 20
