"""What a hook costs the client that waits for it: `python benchmarks/hooks.py`.

Each is run as the client runs it, through its registered command and /bin/sh, in turn with its
reference. With nothing to do: at most 2 times bare `python -I -S -c pass`, and before a tool
call 3 times `sh -c :`. At the start and the end of a session and before a compaction: 2 times
bare Python plus one durable copy of the transcript, which holds at 200 MB and is shown at 5.

A row holds the ratio of the medians by the clock, which decides, and that of processor time
(user and system), which other work on the machine distorts less. Beside it stands, where bash
and jq are there, what a plain bash hook that copies the transcript takes.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from onward.agents.claude_code import install as table
from onward.clients.files import write_launcher
from onward.clients.settings import Hook
from onward.storage import live

BUDGET = 2.0
TOOL_BUDGET = 3.0
ROUNDS = 21
LOADED = 5  # rounds with a large transcript
SHOWN, MEGABYTES = 5, 200  # of a transcript; the budget is that of the large one
BARE = [sys.executable, "-I", "-S", "-c", "pass"]
# The usual recipe: jq for the fields, cp for the transcript, a marker and a line in a log.
RECIPE = """
input=$(cat)
transcript=$(jq -r '.transcript_path // empty' <<<"$input")
session=$(jq -r '.session_id // empty' <<<"$input")
memory=$CLAUDE_PROJECT_DIR/.claude/other
mkdir -p "$memory/raw"
if [[ -s $transcript ]]; then
  copy=$memory/raw/$(date +%Y%m%d_%H%M%S)_$session.jsonl
  cp "$transcript" "$copy" && echo "$copy" >"$memory/.pending-backup"
  echo "$(date -Iseconds) saved $copy" >>"$memory/.backup-log"
fi
exit 0
"""


class Cost(NamedTuple):
    """Seconds by the clock, and of the processor."""

    clock: float
    processor: float


class Machine:
    """A home, a repository with our hooks, and a session that counts its calls."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.project = root / "project"
        self.calls = 0
        for path, data in table.shims(self.project / ".claude").items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        for words in (("init", "-q"), (*who, "commit", "-q", "--allow-empty", "-m", "Begin")):
            subprocess.run(["git", "-C", str(self.project), *words], check=True)
        write_launcher(root / "data")
        keep = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        self.env = {**keep, "HOME": str(root), "ONWARD_DATA": str(root / "data")}
        self.env |= {"CLAUDE_PROJECT_DIR": str(self.project), "CLAUDE_PID": str(os.getpid())}

    def run(self, words: list[str], payload: bytes = b"") -> Cost:
        """What one process costs, with those that it waits for."""
        start, before = time.perf_counter(), processor(resource.RUSAGE_CHILDREN)
        subprocess.run(
            words, input=payload, env=self.env, cwd=self.project, check=True, capture_output=True
        )
        spent = processor(resource.RUSAGE_CHILDREN) - before
        return Cost(time.perf_counter() - start, spent)

    def payload(self, hook: Hook, transcript: Path) -> bytes:
        """What the client hands over: prompts and turns of one session, else a session each."""
        self.calls += 1
        session = 0 if hook.kind in {"prompt", "turn", "tool"} else self.calls
        fields: dict[str, object] = {
            "session_id": f"00000000-0000-4000-8000-{session:012d}",
            "transcript_path": str(transcript),
            "cwd": str(self.project),
            "prompt_id": f"10000000-0000-4000-8000-{self.calls:012d}",
            "permission_mode": "default",
            "hook_event_name": hook.event,
        }
        told: dict[str, dict[str, object]] = {
            "start": {"source": "startup", "model": "m"},
            "compacted": {"source": "compact", "model": "m"},
            "end": {"reason": "other"},
            "compact": {"trigger": "auto", "custom_instructions": None},
            "prompt": {"prompt": "please look at the second test in that file"},
            "turn": {"stop_hook_active": False, "last_assistant_message": "It is green."},
            "tool": {"tool_name": "Bash", "tool_input": {"command": "make test", "timeout": 20000}},
        }
        return json.dumps(fields | told[hook.kind], separators=(",", ":")).encode() + b"\n"

    def ours(self, hook: Hook, transcript: Path) -> Cost:
        """What our hook costs."""
        words = ["/bin/sh", "-c", table.command(hook, "project").command]
        return self.run(words, self.payload(hook, transcript))

    def recipe(self, hook: Hook, transcript: Path) -> Cost:
        """What the plain one does."""
        return self.run(["/bin/bash", "-c", RECIPE], self.payload(hook, transcript))

    def lose(self, transcript: Path) -> None:
        """Leave the record of a session whose client was killed just now: the one to be told of,
        and no hand-over of it lies ready.
        """
        self.calls += 1
        transcript.touch()
        id_, common = f"20000000-0000-4000-8000-{self.calls:012d}", self.project / ".git"
        lines = ("999999999", "1", str(self.project), str(common), str(transcript))
        live.put(str(self.root / "data"), id_, "alive", *lines)

    def settle(self) -> None:
        """Wait until the children of earlier calls are done, where /proc tells of them."""
        end = time.monotonic() + 120
        while time.monotonic() < end and self._busy():
            time.sleep(0.1)

    def _busy(self) -> bool:
        mine = f"ONWARD_DATA={self.root}/data".encode()
        for process in Path("/proc").glob("[0-9]*"):
            try:
                is_job = b"later" in (process / "cmdline").read_bytes().split(b"\0")
                if is_job and mine in (process / "environ").read_bytes():
                    return True
            except OSError:
                continue
        return False


def session(path: Path, megabytes: int) -> Path:
    """A transcript of work as it goes: a prompt, then looks, a failing test, an edit, the test
    once more. Some 80 events a megabyte; real ones have 50 to 160.
    """
    common = {"sessionId": "5f0a", "cwd": str(path.parent / "project"), "isSidechain": False}
    common |= {"version": "2.1.330", "timestamp": "2026-03-01T10:00:00Z"}
    numbers = itertools.count()

    def line(kind: str, content: object) -> bytes:
        message = {"role": kind, "content": content}
        record = {"type": kind, "uuid": f"u{next(numbers)}", "parentUuid": None, "message": message}
        return json.dumps(record | common).encode() + b"\n"

    def call(name: str, given: dict[str, str], result: str) -> bytes:
        made = {"type": "tool_use", "id": f"t{next(numbers)}", "name": name, "input": given}
        came = {"type": "tool_result", "tool_use_id": made["id"], "content": result}
        return line("assistant", [made]) + line("user", [came])

    def turn(number: int) -> bytes:
        asked = f"Make the parser of part {number} accept empty lines, never with a new flag"
        file, test = f"src/part{number % 40}.py", f"pytest tests/test_part{number % 40}.py"
        listing = "".join(f"src/part{each}.py: a line of it\n" for each in range(1000))
        looks = (f"grep -rn 'def {word}{number}' src" for word in ("read", "skip", "parse"))
        failed = f"FAILED tests/test_part{number % 40}.py::test_empty - IndexError\n1 failed, 9 passed in 0.3s"
        edit = {"file_path": file, "old_string": "x = 1\n", "new_string": f"x = {number}\n"}
        return b"".join(
            (
                line("user", asked),
                *(call("Bash", {"command": look}, listing) for look in looks),
                call("Bash", {"command": test}, failed),
                call("Edit", edit, f"The file {file} has been updated."),
                call("Bash", {"command": test}, "10 passed in 0.3s"),
                line("assistant", [{"type": "text", "text": f"Part {number} accepts them."}]),
            )
        )

    with path.open("wb") as out:
        for number in itertools.count():
            if out.tell() >= megabytes * 1_000_000:
                return path
            out.write(turn(number))
    return path


def processor(whose: int) -> float:
    """Seconds of user and system time so far."""
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def copied(source: Path) -> Cost:
    """What one copy costs that is on the disk."""
    target = source.with_suffix(".copy")
    start, before = time.perf_counter(), processor(resource.RUSAGE_SELF)
    shutil.copyfile(source, target)
    with target.open("rb") as file:
        os.fsync(file.fileno())
    cost = Cost(time.perf_counter() - start, processor(resource.RUSAGE_SELF) - before)
    target.unlink()
    return cost


def median(costs: list[Cost]) -> Cost:
    """The middle one, of each kind."""
    return Cost(*map(statistics.median, zip(*costs, strict=True)))


def report(name: str, ours: list[Cost], allowed: Cost, budget: float, plain: list[Cost]) -> bool:
    """Print one row; whether the budget is kept."""
    mine = median(ours)
    ratio, other = mine.clock / allowed.clock, mine.processor / allowed.processor
    kept = ratio <= budget
    print(
        f"{name:36}{mine.clock * 1000:7.1f} ms, ratio {ratio:5.2f}, of processor time {other:5.2f}"
        + (f" (budget: at most {budget:.0f})" if budget < math.inf else "")
        + ("" if kept else " NOT KEPT")
        + (f"; bash, jq and cp {median(plain).clock * 1000:.0f} ms" if plain else ""),
        flush=True,
    )
    return kept


def idle(machine: Machine, hook: Hook, has_bash: bool) -> bool:
    """One hook with nothing to do."""
    nothing = machine.root / "none.jsonl"
    budget = TOOL_BUDGET if hook.kind == "tool" else BUDGET
    words = ["/bin/sh", "-c", ":"] if hook.kind == "tool" else BARE
    machine.ours(hook, nothing)
    pairs = [(machine.ours(hook, nothing), machine.run(words)) for _ in range(ROUNDS)]
    plain = [machine.recipe(hook, nothing) for _ in range(ROUNDS)] if has_bash else []
    allowed = median([bare for _, bare in pairs])
    return report(
        f"{hook.event} {hook.matcher}", [ours for ours, _ in pairs], allowed, budget, plain
    )


def loaded(
    machine: Machine, name: str, ours: Callable[[], Cost], transcript: Path, budget: float
) -> bool:
    """One hook with much to do, each time in turn with what it may cost."""
    costs, allowed = [], []
    for _ in range(LOADED):
        machine.settle()
        copy, bare = copied(transcript), median([machine.run(BARE) for _ in range(3)])
        allowed.append(Cost(*(BUDGET * b + c for b, c in zip(bare, copy, strict=True))))
        costs.append(ours())
    machine.settle()
    return report(name, costs, median(allowed), budget, [])


def rows(machine: Machine, megabytes: int, budget: float) -> list[bool]:
    """The three hooks that may cost a copy; a start also where it finds more to do. Each ratio is
    to what it may cost; `budget` inf: it is only shown.
    """
    hooks = {hook.kind: hook for hook in table.HOOKS}
    size = f"at {megabytes} MB"
    transcript = session(machine.root / f"long-{megabytes}.jsonl", megabytes)
    new = machine.project / f"new-{megabytes}.txt"

    def end() -> Cost:
        return machine.ours(hooks["end"], transcript)

    def compact() -> Cost:
        return machine.ours(hooks["compact"], transcript)

    def start() -> Cost:
        # As with the client, whose transcripts begin after the first call.
        return machine.ours(hooks["start"], machine.root / "none.jsonl")

    def after_a_kill() -> Cost:
        machine.lose(transcript)
        return start()

    def row(name: str, ours: Callable[[], Cost]) -> bool:
        return loaded(machine, name, ours, transcript, budget)

    kept = [row(f"SessionEnd {size}", end), row(f"SessionStart {size}", start)]
    new.write_text("new\n")
    kept.append(row(f"SessionStart {size}, with drift", start))
    kept.append(row(f"SessionStart {size}, after a kill", after_a_kill))
    kept.append(row(f"PreCompact {size}", compact))
    new.unlink()
    return kept


def main() -> int:
    """Measure; status 1 where a budget is not kept."""
    has_bash = bool(shutil.which("jq")) and Path("/bin/bash").exists()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        machine = Machine(Path(name).resolve())
        kept = [idle(machine, hook, has_bash) for hook in table.HOOKS]
        rows(machine, SHOWN, math.inf)
        kept += rows(machine, MEGABYTES, 1.0)
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
