"""What is no file of text, in the place of each file that is read or written: nothing waits for
it, nothing reads all of it, and nothing follows it out.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest
from tests.canary.carrier import Carrier
from tests.canary.machine import OTHER, SESSION, SHIMS
from tests.canary.planting import TEMPLATES, Garden
from tests.hostile.trap import Trap
from tests.sampling import sample

pytestmark = pytest.mark.skipif(os.name == "nt", reason="limits are a thing of POSIX")

SECONDS, MEMORY = 30, 700 << 20
"""Of one call, also on a busy machine; bytes of address space."""
GIANT = 3 << 29
PROJECT = (
    "pyproject.toml",
    "onward.toml",
    ".onwardignore",
    ".gitignore",
    "SESSION-STATE.md",
    "session-protocol.json",
    "session-protocol.json.lock",
    "sp.json",
    "CLAUDE.md",
    "memory/.draft.json",
    "memory/working-buffer.md",
    "memory/checkpoints/.lock",
    "memory/checkpoints/fix-login.md",
    "memory/checkpoints/autosave.md",
    "memory/checkpoints/autosave-log.md",
    ".claude/memory/.lock",
    ".claude/memory/.gitignore",
    ".claude/memory/.pending-backup",
    ".claude/memory/.pending-backup-compact",
    ".claude/memory/.pending-backup-exit",
    ".claude/memory/.backup-log",
    ".claude/memory/active-context.md",
    ".claude/memory/project-memory.md",
    ".claude/memory/session-2026-03-01-1200.md",
    ".claude/memory/raw/20260301_120000_other.jsonl",
    ".claude/CLAUDE.md",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/commands/checkpoint.md",
    ".codex/hooks.json",
    ".codex/config.toml",
    "src/login.py",
)
HOME = (
    ".claude.json",
    ".claude/settings.json",
    ".claude/history.jsonl",
    f".claude/projects/-shop/{SESSION}.jsonl",
    ".claude/projects/-shop/1c2d3e4f-5061-4b72-9c83-ad94be05f617.jsonl",
    ".codex/config.toml",
    ".codex/sessions/2026/03/01/rollout-2026-03-01T13-00-00-1c2d3e4f-5061-4b72-9c83-ad94be05f617.jsonl",
)
DATA = (
    "key",
    "claimed",
    "hooks.log",
    "onward.log",
    "overview.json",
    "allowed",
    "rules.toml",
    "trash/0123456789abcdef",
    f"live/{SESSION}/saved",
    f"live/{SESSION}/checkpoint.json",
)
PLACES = [
    *(("project", place) for place in PROJECT),
    *(("home", place) for place in HOME),
    *(("data", place) for place in DATA),
]
KINDS = ("fifo", "giant", "loop", "folder", "socket", "device")
CALLS = (
    ("--json",),
    ("list",),
    ("sessions",),
    ("search", "login"),
    ("save", "fix-login", "--force"),
    ("check", "fix-login"),
    ("show", "fix-login"),
    ("resume", "fix-login"),
    ("brief",),
    ("document",),
    ("document", "list"),
    ("protocol", "save"),
    ("protocol", "load"),
    ("note", "Use JWT"),
    ("save", "fix-login", "--force", "--from", "memory/.draft.json"),
    ("backup", "list"),
    ("backup", "resume"),
    ("restore", "fix-login", "--force"),
    ("delete", "fix-login"),
    ("scrub", "README.md"),
    ("doctor",),
    ("install",),
    ("uninstall",),
)
ANSWERS = {0, 1, 2, 3, 4, 5, 6, 7}
RUNNER = """
import contextlib, io, json, resource, signal, sys
from onward.cli import main
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
for call in json.loads(sys.argv[1]):
    signal.alarm({seconds})
    sys.argv = ["onward", *call]
    print(*call, end=": ", flush=True)
    said = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(call)
    said.seek(0)
    print(code, json.dumps(said.read()[-400:]), flush=True)
"""


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    made = Trap(tmp_path)
    git = made.machine.git
    git("init", "-q", "-b", "main")
    (made.root / "a.py").write_text("x = 1\n")
    git("add", "-A")
    git("commit", "-qm", "First")
    carrier = Carrier(Garden(TEMPLATES[:20]), made.root, SESSION)
    carrier.fill()
    carrier.write(made.machine.transcript())
    made.machine.onward("install")
    return made


def put(trap: Trap, where: str, place: str, kind: str) -> Path:
    """Something of this kind in that place."""
    tops = {"project": trap.root, "home": trap.machine.home, "data": trap.machine.data}
    path = tops[where] / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    match kind:
        case "fifo":
            os.mkfifo(path)
        case "giant":
            with path.open("wb") as file:
                file.truncate(GIANT)
        case "loop":
            path.symlink_to(path.name)
        case "folder":
            path.mkdir()
        case "device":
            path.symlink_to("/dev/zero")
        case "socket":
            with socket.socket(socket.AF_UNIX) as made:
                before = Path.cwd()
                os.chdir(path.parent)  # the name of a socket is short
                made.bind(path.name)
                os.chdir(before)
    return path


def verbs(trap: Trap) -> None:
    """All of them, within the limits."""
    code = RUNNER.format(memory=MEMORY, seconds=SECONDS)
    call = [sys.executable, "-c", code, json.dumps(CALLS)]
    done = subprocess.run(
        call, cwd=trap.root, env=trap.machine.env, capture_output=True, check=False, timeout=300
    )
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0, (lines[-1:], done.stderr[-2000:])
    bad = [line for line in lines if int(line.partition(": ")[2].split()[0]) not in ANSWERS]
    assert not bad, (bad, _log(trap, "onward.log"))


def hooks(trap: Trap) -> None:
    """Those of one session. None says a word of an error, in its log neither."""
    here = {
        "session_id": SESSION,
        "transcript_path": str(trap.machine.transcript()),
        "cwd": str(trap.root),
    }
    for event, more in (
        ("start", {"source": "startup"}),
        ("prompt", {"prompt": "Use JWT, not sessions, because it is simpler"}),
        ("turn", {"last_assistant_message": "Done"}),
        ("compact", {"trigger": "manual"}),
        ("end", {"reason": "other"}),
        ("start", {"source": "startup", "session_id": "2c2d3e4f-5061-4b72-9c83-ad94be05f617"}),
    ):
        shim = trap.root / ".claude/hooks" / SHIMS[event]
        own = (
            trap.root / "onward.toml"
        )  # without it, what waits for a pause does so for ten minutes
        if event == "turn" and not (own.is_file() and own.stat().st_size < GIANT):
            continue
        env = {"CLAUDE_PROJECT_DIR": str(trap.root), "CLAUDE_PID": str(os.getpid())}
        limited = f"ulimit -v {MEMORY >> 10}; exec timeout {SECONDS} sh {shim} {os.getpid()}"
        feed = json.dumps(here | {"hook_event_name": event} | more).encode() + b"\n"
        said = trap.machine.run(["sh", "-c", limited], feed, trap.machine.env | env)
        assert said.code == 0, (event, said)
    told = _log(trap, "hooks.log")
    assert "MemoryError" not in told, told
    assert "TimeIsUp" not in told, told


def _log(trap: Trap, name: str) -> str:
    log = trap.machine.data / name
    return log.read_text() if log.is_file() and log.stat().st_size < GIANT else ""


EVERY = [
    (place, kind)
    for place, kind in product(PLACES, KINDS)
    if (kind, place[0]) != ("giant", "home") or not place[1].endswith(".jsonl")
]  # a transcript may be that large
CASES = (
    EVERY
    if os.environ.get("ONWARD_HOSTILE") == "all"  # an hour
    else [
        (place, kind)
        for place, kind in EVERY
        if (PLACES.index(place) - KINDS.index(kind)) % len(KINDS) == 0
    ]
)
"""Each place with one of the kinds, in turn."""


@pytest.mark.parametrize(
    ("place", "kind"),
    sample(CASES, 5, "no files"),
    ids=lambda each: "-".join(each) if isinstance(each, tuple) else each,
)
def test_what_is_no_file_of_text_is_not_waited_for_and_not_read(
    trap: Trap, place: tuple[str, str], kind: str
) -> None:
    if place[0] == "home":
        (trap.root / "onward.toml").write_text("[hooks]\nidle-minutes = 0.001\n")
    path = put(trap, *place, kind)
    before = trap.state()
    hooks(trap)
    verbs(trap)
    trap.check(before)
    if kind in {"fifo", "socket", "folder"} and not path.name.endswith("lock"):
        assert path.exists()


GIT = (".git/packed-refs", ".git/HEAD", ".git/index", ".git/config", ".git/logs/HEAD")
ITS_LIMIT = 20  # a hook ends itself after nine seconds; a busy machine may take longer


@pytest.mark.parametrize("place", sample(GIT, 2, "pipes that git reads"))
def test_a_git_that_waits_for_ever_holds_up_no_hook(trap: Trap, place: str) -> None:
    hooks(trap)
    put(trap, "project", place, "fifo")
    begun = time.monotonic()
    here = {"transcript_path": str(trap.machine.transcript()), "cwd": str(trap.root)}
    payload = here | {"session_id": OTHER, "hook_event_name": "SessionStart", "source": "startup"}
    env = {"CLAUDE_PROJECT_DIR": str(trap.root), "CLAUDE_PID": str(os.getpid())}
    said = subprocess.run(
        ["sh", str(trap.root / ".claude/hooks" / SHIMS["start"]), str(os.getpid())],
        cwd=trap.root,
        env=trap.machine.env | env,
        input=json.dumps(payload).encode() + b"\n",
        capture_output=True,
        check=False,
        timeout=SECONDS,
    )
    assert said.returncode == 0
    assert time.monotonic() - begun < ITS_LIMIT


OTHERS = "The gateway of others answers on port 7431"
READ = (
    "SESSION-STATE.md",
    "session-protocol.json",
    "sp.json",
    "onward.toml",
    "memory/.draft.json",
    "memory/working-buffer.md",
    "memory/checkpoints/fix-login.md",
    "memory/checkpoints/autosave.md",
    ".claude/memory/active-context.md",
    ".claude/memory/project-memory.md",
    ".claude/memory/session-2026-03-01-1200.md",
    ".claude/memory/.pending-backup",
    ".claude/memory/.backup-log",
)


@pytest.mark.parametrize("place", sample(READ, 2, "links out"))
def test_a_link_out_of_the_project_is_not_read(trap: Trap, place: str) -> None:
    theirs = trap.outside / f"theirs{Path(place).suffix}"
    theirs.write_text(
        json.dumps({"current_objective": OTHERS, "task": OTHERS})
        if place.endswith("json")
        else f"# Session\n\n## Current Task\n\n{OTHERS}\n\n## Next Action\n\n{OTHERS}\n"
    )
    link = trap.root / place
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(theirs)
    before = trap.state()
    hooks(trap)
    for call in CALLS:
        assert trap.machine.onward(*call).code in ANSWERS, call
    trap.check(before)
    assert OTHERS.encode() not in trap.machine.told
    link.unlink()
    assert not [path for path, data in trap.machine.written().items() if OTHERS.encode() in data]
