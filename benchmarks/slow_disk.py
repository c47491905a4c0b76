"""The end of a large session, the next start and its resume on a slow disk: as root on Linux,
`python benchmarks/slow_disk.py [MEGABYTES] [MB/S] [FOLDER]`; MB/S 0 throttles nothing.

The kernel throttles the disk under FOLDER for the hooks and their children (control group blkio, or
io of version 2): what is read that is not in memory, and what is flushed. Everything that must last
is flushed, so a copy takes as long as on such a disk. What is only left in memory for the kernel to
write later is not slowed down, as on a real one as long as there is memory. The transcript is written
without the throttle and taken out of memory before each step that reads it first.

Budget: each hook answers within a second, whatever the size; a copy that was killed is gone on with, and
old temporary files are gone after the next start.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hooks import Cost, Machine, session

from onward.agents.claude_code import install as table
from onward.clients.settings import Hook
from onward.commands import handover
from onward.storage import atomic

BUDGET = 1.0
ONE, TWO = (f"00000000-0000-4000-8000-00000000000{number}" for number in (1, 2))


class Slow(Machine):
    """A machine whose processes are in a group of their own, `group` its folder or ""."""

    def __init__(self, root: Path, group: str) -> None:
        super().__init__(root)
        self.group, self.said, self.session = group, "", ONE
        self.memory = self.project / ".claude/memory"

    def payload(self, hook: Hook, transcript: Path) -> bytes:
        """As there, of the session that is held."""
        fields = json.loads(super().payload(hook, transcript))
        return json.dumps(fields | {"session_id": self.session}).encode() + b"\n"

    def run(self, words: list[str], payload: bytes = b"") -> Cost:
        """As there, and what it said."""

        def join() -> None:
            if self.group:
                Path(self.group, "cgroup.procs").write_text(str(os.getpid()))

        start, before = time.perf_counter(), os.times()
        done = subprocess.run(
            words,
            input=payload,
            env=self.env,
            cwd=self.project,
            check=True,
            capture_output=True,
            preexec_fn=join,
        )
        after = os.times()
        self.said = done.stdout.decode()
        spent = after.children_user + after.children_system
        spent -= before.children_user + before.children_system
        return Cost(time.perf_counter() - start, spent)

    def children(self) -> list[int]:
        """The detached ones that are at work."""
        found = []
        mine = f"ONWARD_DATA={self.root}/data".encode()
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if mine in (process / "environ").read_bytes().split(b"\0"):
                    found.append(int(process.name))
            except OSError:
                continue
        return found

    def wait(self, limit: float = 900.0) -> float:
        """Seconds until the children are done."""
        start = time.monotonic()
        while self.children() and time.monotonic() - start < limit:
            time.sleep(0.1)
        return time.monotonic() - start

    def kill(self) -> None:
        """End them, and wait until the disk lets them go."""
        for pid in self.children():
            os.kill(pid, signal.SIGKILL)
        self.wait(60)

    def parts(self) -> list[int]:
        """The sizes of copies that are not whole."""
        return [path.stat().st_size for path in self.memory.rglob(f"*{atomic.TEMPORARY}")]


@contextmanager
def throttled(folder: Path, rate: float) -> Iterator[str]:
    """A control group that reads and writes so many MB a second on the folder's disk; "" for 0."""
    if not rate:
        yield ""
        return
    number = folder.stat().st_dev
    device, limit = f"{os.major(number)}:{os.minor(number)}", int(rate * 1_000_000)
    old, new = Path("/sys/fs/cgroup/blkio"), Path("/sys/fs/cgroup")
    group = (old if old.is_dir() else new) / f"onward-slow-{os.getpid()}"
    group.mkdir()
    try:
        if old.is_dir():
            for kind in ("read", "write"):
                Path(group, f"blkio.throttle.{kind}_bps_device").write_text(f"{device} {limit}")
        else:
            Path(group, "io.max").write_text(f"{device} rbps={limit} wbps={limit}")
        yield str(group)
    finally:
        for _ in range(100):  # what was killed may still wait for the disk
            with suppress(OSError):
                group.rmdir()
                break
            time.sleep(0.1)


def cold(path: Path) -> None:
    """Out of memory, so that the next one reads it from the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


class Report:
    """Prints a line for each step, and keeps whether the budget holds."""

    def __init__(self, machine: Slow) -> None:
        self.machine = machine
        self.hooks = {hook.kind: hook for hook in table.HOOKS}
        self.kept = list[bool]()

    def hook(self, name: str, kind: str, path: Path) -> None:
        """Run a hook that the client waits for."""
        cost = self.machine.ours(self.hooks[kind], path)
        self.kept.append(cost.clock <= BUDGET)
        self.line(name, cost.clock, " ".join(self.machine.said.split())[:80])

    def line(self, name: str, seconds: float, more: str = "") -> None:
        """What took how long."""
        print(f"{name:48}{seconds:7.2f} s  {more}", flush=True)

    def check(self, name: str, *, holds: bool) -> None:
        """What must be so."""
        self.kept.append(holds)
        print(f"{name:48}{'yes' if holds else 'NO'}", flush=True)


def captured(machine: Slow, report: Report, transcript: Path) -> Path:
    """The end of a session, its copy killed half way, and the next starts; returns the copy."""
    none, raw = machine.root / "none.jsonl", machine.memory / "raw"
    # A client of its own, which is gone when its session has ended.
    with subprocess.Popen(["sleep", "60"]) as client:
        machine.env["CLAUDE_PID"] = str(client.pid)
        for kind in ("start", "prompt"):
            machine.ours(report.hooks[kind], transcript)
        machine.wait()
        cold(transcript)
        report.hook("SessionEnd", "end", transcript)
        client.kill()
    machine.env["CLAUDE_PID"], machine.session = str(os.getpid()), TWO
    report.hook("SessionStart at once, the copy at work", "start", none)
    while machine.children() and sum(machine.parts()) < transcript.stat().st_size * 0.4:
        time.sleep(0.05)
    machine.kill()
    before = machine.parts()
    report.check(f"killed with {sum(before) / 1e6:.0f} MB of the copy there", holds=bool(before))
    old = raw / f".old{atomic.TEMPORARY}"
    old.write_bytes(b"x" * 1000)
    os.utime(old, (1, 1))
    report.hook("SessionStart after the kill", "start", none)
    report.line("the child goes on with it and reads it ahead", machine.wait())
    copies = list(raw.glob("*.jsonl"))
    is_one = len(copies) == 1 and copies[0].read_bytes() == transcript.read_bytes()
    report.check("one whole copy, nothing half", holds=is_one and not machine.parts())
    report.check("the old temporary file is gone", holds=not old.exists())
    report.hook("SessionStart with the copy there", "start", none)
    machine.wait()
    return copies[0]


def resumed(machine: Slow, report: Report, copy: Path) -> None:
    """`/resume-latest` with what was read ahead, and without."""
    marker, told = machine.memory / ".pending-backup", list[str]()
    waiting = marker.read_bytes()
    for how in ("read ahead", "read whole"):
        marker.write_bytes(waiting)
        cold(copy)
        cost = machine.run([sys.executable, "-m", "onward", "slash", "resume-latest"])
        report.line(f"/resume-latest, {how}", cost.clock, f"{cost.processor:.2f} s of processor")
        told.append(machine.said)
        for path in (machine.root / "data").rglob(handover.KEPT):
            path.unlink()
    report.check("both say the same", holds=len(set(told)) == 1)


def main() -> int:
    """Measure; status 1 where the budget is not kept."""
    given = dict(enumerate(sys.argv))
    megabytes, rate = int(given.get(1, "100")), float(given.get(2, "10"))
    where = Path(given.get(3, tempfile.gettempdir()))
    with (
        tempfile.TemporaryDirectory(dir=where, ignore_cleanup_errors=True) as name,
        throttled(Path(name), rate) as group,
    ):
        machine = Slow(Path(name).resolve(), group)
        try:
            report = Report(machine)
            transcript = session(machine.root / f"{ONE}.jsonl", megabytes)
            resumed(machine, report, captured(machine, report, transcript))
            return 0 if all(report.kept) else 1
        finally:
            machine.kill()


if __name__ == "__main__":
    sys.exit(main())
