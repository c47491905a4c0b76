"""What a hook costs the client that waits for it: `python benchmarks/hooks.py`.

Each is run as the client runs it, through its registered command and /bin/sh, in turn with its
reference. With nothing to do: at most 2 times bare `python -I -S -c pass`, and before a tool
call 3 times `sh -c :`. At the start and the end of a session and before a compaction, with a
transcript of 5 MB and of 200 MB: the same plus one durable copy of the file. Beside each stands,
where bash and jq are there, what a plain bash hook that copies the transcript takes.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import onward
from onward.install import claude_code_hooks as table
from onward.install.launcher import write_launcher

BUDGET = 2.0
TOOL_BUDGET = 3.0
ROUNDS = 21
SIZES = {5: 7, 200: 3}  # megabytes, and how often
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


class Machine:
    """A home, a repository with our hooks, and a session that counts its calls."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.project = root / "project"
        self.calls = 0
        shims = Path(onward.__file__).parent / "install/templates/hooks"
        shutil.copytree(shims, self.project / ".claude/hooks")
        subprocess.run(["git", "init", "-q", str(self.project)], check=True)
        write_launcher(root / "data")
        keep = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        self.env = {**keep, "HOME": str(root), "ONWARD_DATA": str(root / "data")}
        self.env |= {"CLAUDE_PROJECT_DIR": str(self.project), "CLAUDE_PID": str(os.getpid())}

    def timed(self, words: list[str], payload: bytes = b"") -> float:
        """Seconds of one process."""
        start = time.perf_counter()
        subprocess.run(
            words, input=payload, env=self.env, cwd=self.project, check=True, capture_output=True
        )
        return time.perf_counter() - start

    def payload(self, hook: table.Hook, transcript: Path) -> bytes:
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

    def ours(self, hook: table.Hook, transcript: Path) -> float:
        """Seconds of our hook."""
        words = ["/bin/sh", "-c", table.command(hook, "project")]
        return self.timed(words, self.payload(hook, transcript))

    def recipe(self, hook: table.Hook, transcript: Path) -> float:
        """Seconds of the plain one."""
        return self.timed(["/bin/bash", "-c", RECIPE], self.payload(hook, transcript))

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
    """A transcript with one prompt and as many tool results as it takes."""
    common = {"sessionId": "5f0a", "cwd": "/p", "version": "2.1.330", "isSidechain": False}
    said = {"role": "user", "content": "Make the parser accept empty lines"}
    prompt = {"type": "user", "uuid": "u0", "parentUuid": None, "message": said, **common}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "a line of output\n" * 600}
    message = {"role": "user", "content": [result]}
    bulk = {"type": "user", "uuid": "u1", "parentUuid": "u0", "message": message, **common}
    line = json.dumps(bulk).encode() + b"\n"
    with path.open("wb") as out:
        out.write(json.dumps(prompt).encode() + b"\n")
        for _ in range(megabytes * 1_000_000 // len(line)):
            out.write(line)
    return path


def copied(source: Path) -> float:
    """Seconds of one copy that is on the disk."""
    target = source.with_suffix(".copy")
    start = time.perf_counter()
    shutil.copyfile(source, target)
    with target.open("rb") as file:
        os.fsync(file.fileno())
    elapsed = time.perf_counter() - start
    target.unlink()
    return elapsed


def report(name: str, times: list[float], ratio: float, budget: float, plain: float) -> bool:
    """Print one row; whether the budget is kept."""
    beside = f"; bash, jq and cp {plain * 1000:.0f} ms" if plain else ""
    ours = statistics.median(times) * 1000
    print(f"{name:26}{ours:7.1f} ms, ratio {ratio:.2f} (budget: at most {budget}){beside}")
    return ratio <= budget


def idle(machine: Machine, hook: table.Hook, has_bash: bool) -> bool:
    """One hook with nothing to do."""
    nothing = machine.root / "none.jsonl"
    budget = TOOL_BUDGET if hook.kind == "tool" else BUDGET
    words = ["/bin/sh", "-c", ":"] if hook.kind == "tool" else BARE
    machine.ours(hook, nothing)
    pairs = [(machine.ours(hook, nothing), machine.timed(words)) for _ in range(ROUNDS)]
    plain = median(lambda: machine.recipe(hook, nothing), ROUNDS) if has_bash else 0.0
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    return report(f"{hook.event} {hook.matcher}", [ours for ours, _ in pairs], ratio, budget, plain)


def loaded(machine: Machine, hook: table.Hook, megabytes: int, has_bash: bool) -> bool:
    """One hook with a transcript to keep, or with what an earlier one left."""
    transcript = session(machine.root / "long.jsonl", megabytes)
    times, ratios = [], []
    for _ in range(SIZES[megabytes]):
        machine.settle()
        copy, bare = copied(transcript), machine.timed(BARE)
        times.append(machine.ours(hook, transcript))
        ratios.append(times[-1] / (BUDGET * bare + copy))
    machine.settle()
    plain = median(lambda: machine.recipe(hook, transcript), 3) if has_bash else 0.0
    name = f"{hook.event} at {megabytes} MB"
    shutil.rmtree(machine.project / ".claude/other", ignore_errors=True)
    return report(name, times, statistics.median(ratios), 1.0, plain)


def median(measured: Callable[[], float], rounds: int) -> float:
    """The middle one of several measurements."""
    return statistics.median(measured() for _ in range(rounds))


def main() -> int:
    """Measure; status 1 where a budget is not kept."""
    has_bash = bool(shutil.which("jq")) and Path("/bin/bash").exists()
    kept = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        machine = Machine(Path(name).resolve())
        kept += [idle(machine, hook, has_bash) for hook in table.HOOKS]
        dear = [h for h in table.HOOKS if h.kind in {"end", "compact", "start"}]
        for megabytes in SIZES:
            # An end first: a start then has its backup to tell of.
            for hook in sorted(dear, key=lambda h: h.kind == "start"):
                kept.append(loaded(machine, hook, megabytes, has_bash))
        machine.settle()
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
