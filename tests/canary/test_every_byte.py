"""Canaries in every field, every verb and every hook: no byte that we write or print holds one.

`raw/` alone is verbatim, and then for nobody but its owner, and ignored by git.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from tests.canary import machine as machines
from tests.canary.carrier import Carrier
from tests.canary.machine import OTHER, SESSION, USER, Machine
from tests.canary.planting import TEMPLATES, Garden
from tests.sampling import sample

from onward.redaction.engine import MARK

pytestmark = pytest.mark.skipif(os.name == "nt", reason="shims are run by sh")

PARTS = 2


def payload(garden: Garden, machine: Machine, event: str, **fields: object) -> dict[str, Any]:
    """What the client hands over, with a canary in each field that holds words."""
    here = {"session_id": SESSION, "transcript_path": str(machine.transcript())}
    return {**here, "cwd": str(machine.root), "hook_event_name": event, **fields}


def words(garden: Garden) -> dict[str, object]:
    """The agent's own words, in every field that there is."""
    say = garden.plant
    return {
        "task": say("own words: task", "Fix the login"),
        "next": say("own words: next", "Run pytest"),
        "why": say("own words: why"),
        "progress": [say("own words: progress", "Wrote src/login.py")],
        "blockers": [say("own words: blocker")],
        "decisions": [{"text": say("own words: decision"), "why": say("own words: its reason")}],
        "context": [say("own words: context")],
        "tasks": [
            {"title": say("own words: title"), "status": "done", "context": say("own: about")}
        ],
        "memory": [say("own words: memory")],
    }


def live(machine: Machine, garden: Garden) -> None:
    """A session from its start to its end, with every hook and with words in every payload."""

    def call(event: str, **fields: object) -> None:
        machine.hook(event, payload(garden, machine, event, **fields))

    call("start", source="startup", session_title=garden.plant("payload: title"))
    for field, text in (
        ("payload: decision", "Use RS256, not HS256, because we ran it"),
        ("payload: preference", "Always use tabs from now on, I ran it"),
        ("payload: farewell", "That is all for today, bye"),
    ):
        call("prompt", prompt=garden.plant(field, text), prompt_id=garden.plant("payload: id"))
    given = {"command": garden.plant("payload: command", "make"), "timeout": 600000}
    given["description"] = garden.plant("payload: description")
    call("tool", tool_name="Bash", tool_input=given)
    call("turn", last_assistant_message=garden.plant("payload: last words", "One test fails."))
    call("compact", trigger="manual", custom_instructions=garden.plant("payload: instructions"))
    call("compacted", source="compact", message=garden.plant("payload: message"))
    call("end", reason=garden.plant("payload: reason", "other"))
    broken = payload(garden, machine, "turn", cwd=garden.plant("payload: cwd", "/no/such"))
    broken["transcript_path"] = f"/no/{garden.name('payload: transcript')}.jsonl"
    for event in ("start", "prompt", "turn", "compact", "end"):
        machine.hook(event, broken)
        machine.hook(event, json.dumps(broken).encode()[:-30])


def by_hand(machine: Machine, garden: Garden) -> None:
    """Canaries in whatever a user may edit."""
    say = garden.plant
    state = (
        f"# Session State\n\n## Decisions\n\n- {say('state: decision', 'Use JWT, we ran it')}\n\n"
    )
    state += f"## Current Task\n\n{say('state: task', 'Fix the login')}\n\n## {say('state: heading', 'Own')}\n\n{say('state: words')}\n"
    (machine.root / "SESSION-STATE.md").write_text(state)
    memory = machine.root / ".claude/memory"
    context = f"# Active Context\n\n**Task:** {say('context: task')}\n\n## {say('context: heading', 'Remember')}\n\n{say('context: words')}\n"
    (memory / "active-context.md").write_text(context)
    (machine.root / "memory/checkpoints").mkdir(parents=True, exist_ok=True)
    place = machine.root / "memory/checkpoints/written-by-hand.md"
    place.write_text(
        f"# Checkpoint: written-by-hand\n\n**Created:** {say('hand: created', '2026-03-01')}\n**Task:** {say('hand: task')}\n\n"
        f"## Progress\n\n- {say('hand: progress', 'Wrote it')}\n\n## Next Action\n\n{say('hand: next', 'Run it')}\n\n"
        f"## Files\n\n- `src/{garden.name('hand: file')}.py`: {say('hand: about a file')}\n\n## {say('hand: heading', 'Own')}\n\n{say('hand: words')}\n"
    )
    task = {"id": "TASK_001", "title": say("protocol: title"), "status": "pending"}
    task["context"] = say("protocol: context")
    protocol = {
        "metadata": {
            "created": "2026-03-01T10:00:00Z",
            "git_branch": garden.name("protocol: branch"),
        },
        "tasks": [task],
        "context_blocks": [
            {"id": "CTX_001", "title": say("block: title"), "content": say("block")}
        ],
        "own": {"key": say("protocol: unknown field")},
    }
    (machine.root / "session-protocol.json").write_text(json.dumps(protocol))


VERBS: tuple[tuple[str, ...], ...] = (
    ("list",), ("check",), ("check", "fix-login"), ("check", "written-by-hand"),
    ("resume",), ("resume", "fix-login"), ("resume", "written-by-hand", "--yes"),
    ("show", "fix-login"), ("show", "written-by-hand"), ("show", "c:HEAD1"),
    ("brief", "fix-login"), ("brief", "written-by-hand"), ("brief", SESSION, "--budget", "6000"),
    ("brief", "session-protocol.json"), ("sessions",), ("sessions", "--all"),
    ("--all",), ("--all", "--why"), ("--why",),
    ("distill", "TRANSCRIPT"), ("protocol", "load"), ("protocol", "load", "--brief"),
    ("document", "list"), ("backup", "list"), ("doctor",), ("install", "--dry-run"),
    ("uninstall", "--dry-run"), ("backup", "resume"), ("resume", "TRANSCRIPT"),
    ("search", "e", "--limit", "5000"), ("search", "--file", "auth.py"),
)  # fmt: skip
MAKES: tuple[tuple[str, ...], ...] = (
    ("save", "fix-login", "--from", "DRAFT"), ("save", "fix-login", "--force"),
    ("save", "written-by-hand", "--force", "--task", "TASK"), ("protocol", "save", "--from", "DRAFT"),
    ("protocol", "save", "--brief"), ("document", "--from", "DRAFT"), ("document", "notes/today.md"),
    ("note", "TASK"), ("note", "TASK", "--as", "preference"), ("save", "pay-the-bill"),
)  # fmt: skip
ENDS: tuple[tuple[str, ...], ...] = (
    ("delete", "pay-the-bill"), ("restore", "pay-the-bill"), ("resume", "pay-the-bill", "--no"),
    ("backup", "discard", "--all"),
)  # fmt: skip
FAULTS: tuple[tuple[str, ...], ...] = (
    ("save", "WORD"), ("save", "fix-login"), ("delete", "WORD"), ("restore", "WORD"),
    ("resume", "WORD"), ("show", "WORD"), ("brief", "WORD"), ("distill", "WORD.jsonl"),
    ("distill", "WORD.jsonl"), ("check", "WORD"), ("WORD",), ("list", "--WORD"), ("show", "t:WORD"),
    ("save", "fix-it-all", "--from", "WORD.json"), ("save", "fix-it-all", "--from", "BROKEN"),
    ("save", "fix-it-all", "--session", "WORD"), ("document", "list/WORD"),
    ("search", "WORD"), ("search", "no-such-word", "WORD"), ("search", "e", "--project", "WORD"),
    ("search", "e", "--agent", "WORD"), ("search", "e", "--since", "WORD"), ("search", "e", "--by", "WORD"),
)  # fmt: skip
SLASHES = (
    ("document-and-save", ""), ("document-and-save-to", "notes/other.md"), ("resume-latest", ""),
    ("resume-from", "notes/other.md"), ("sessions-list", ""), ("save-session-protocol", ""),
    ("load-session-protocol", ""), ("checkpoint", "list"), ("checkpoint", "save go-on --task TASK"),
    ("checkpoint", "resume fix-login"), ("checkpoint", "delete WORD"), ("checkpoint", "WORD"),
    ("resume-from", "WORD"), ("discard-backup", ""), ("WORD", ""),
)  # fmt: skip


def verbs(machine: Machine, garden: Garden) -> None:
    """Every verb, plain and as JSON, those that fail too."""
    draft, broken = machine.root / "DRAFT.json", machine.root / "BROKEN.json"
    commit = machine.git("rev-parse", "--short", "HEAD~1")
    known = {
        "DRAFT": lambda: str(draft),
        "BROKEN": lambda: str(broken),
        "TRANSCRIPT": lambda: str(machine.transcript()),
        "TASK": lambda: garden.plant("words on the command line", "Fix it"),
        "c:HEAD1": lambda: f"c:{commit}",
    }

    def typed(word: str) -> str:
        if word in known:
            return known[word]()
        return word.replace("WORD", garden.name("word on the command line"))

    def call(each: tuple[str, ...], *more: str) -> None:
        draft.write_text(json.dumps(words(garden)))
        broken.write_text(json.dumps({garden.name("field of a draft"): garden.plant("draft")}))
        machine.onward(*map(typed, each), *more)

    for each in MAKES:
        call(each)
    for each in VERBS:
        call(each)
        call(each, "--json")
    places = [f"t:{number}" for number in range(1, 12)]
    for place in places[:: max(1, len(places) // 6)]:
        call(("show", place))
    for each in (*ENDS, *FAULTS):
        call(each)
    for number, (name, text) in enumerate(SLASHES):
        feed = " ".join(map(typed, text.split())).encode()
        machine.onward(
            "slash",
            typed(name),
            feed=feed,
            env={"CLAUDE_CODE_SESSION_ID": f"{OTHER[:-2]}{number:02}"},
        )
    for path in (draft, broken):
        path.unlink(missing_ok=True)


def settings(machine: Machine, garden: Garden) -> None:
    """The client's settings as a user has them, with an own hook and a key."""
    path = machine.root / ".claude/settings.json"
    path.parent.mkdir()
    hook = {"type": "command", "command": garden.plant("settings: command", "echo")}
    held = {"env": {"A": garden.plant("settings: env")}, "hooks": {"Stop": [{"hooks": [hook]}]}}
    path.write_text(json.dumps(held, indent=2))


@pytest.mark.parametrize("part", sample(range(PARTS), 1, "parts"))
def test_no_canary_is_in_any_byte_that_is_written_or_printed(part: int, tmp_path: Path) -> None:
    machine, garden = Machine(tmp_path), Garden(TEMPLATES[part::PARTS], part)
    machines.repository(machine, garden)
    for session in (OTHER, SESSION):
        carrier = Carrier(garden, machine.root, session, pad=37 * part)
        carrier.fill()
        carrier.write(machine.transcript(session))
    settings(machine, garden)
    before = machine.written()
    # The shell that waits for idleness must not keep us waiting as long.
    (machine.root / "onward.toml").write_text("[hooks]\nidle-minutes = 0.001\n")
    machine.onward("install", "--dry-run")
    machine.onward("install")
    live(machine, garden)
    is_kept_apart(machine.root / ".claude/memory/raw", machine)
    by_hand(machine, garden)
    before |= machine.written()
    state = str(machine.root / "SESSION-STATE.md")
    verbs(machine, garden)
    machine.onward("uninstall")
    assert garden.found(machine.told) == [], "printed"
    assert USER.encode() not in machine.told
    for path, data in machine.written().items():
        # What a user wrote is theirs; a note stands between the lines of their log.
        ours = _added(before[state], data) if path == state else data
        for theirs in before.values():
            ours = ours.replace(theirs, b"") if len(theirs) > 40 else ours
        assert garden.found(ours) == [], path
        # Our own records of this machine name its folders.
        assert USER.encode() not in ours or Path(path).is_relative_to(machine.data), path
    assert len(set(MARK.findall(machine.told))) > 20, (
        "next to nothing came out: this test sees nothing"
    )


def _added(theirs: bytes, data: bytes) -> bytes:
    """The lines of `data` that are not the user's. Theirs must all stand there, in their order."""
    wanted, added = theirs.splitlines(), list[bytes]()
    for line in data.splitlines():
        if wanted and line == wanted[0]:
            wanted.pop(0)
        else:
            added.append(line)
    assert wanted == [], "a line of the user's was moved or rewritten"
    return b"\n".join(added)


def is_kept_apart(raw: Path, machine: Machine) -> None:
    """`raw/` is verbatim: for nobody but its owner, and not for git."""
    copies = list(raw.iterdir())
    assert copies
    for copy in copies:
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert machine.git("check-ignore", str(copy))
