"""A child that outlives its hook, does its work once and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.hooks import processes
from onward.hooks.environment import Here
from onward.transcripts.hook_call import HookCall

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sessions and groups as POSIX has them")

# What stands in for entry.py: it does its job by writing down how it was started.
ENTRY = """
import os, sys
sys.path.append({root!r})
from onward.hooks import processes
kind, fields = processes.read_job()
streams = [os.readlink(f"/proc/self/fd/{{n}}") for n in (1, 2)] if os.path.isdir("/proc/self/fd") else []
os.write(1, b"lost"), os.write(2, b"lost")
told = [kind, fields, sys.argv[1:], os.getsid(0) == os.getpid(), set(streams) <= {{"/dev/null"}}, "site" in sys.modules]
with open(fields["to"], "a") as out:
    out.write(repr(told) + "\\n")
"""


def until(true: Callable[[], bool]) -> bool:
    """Whether it becomes true; a slow machine has half a minute."""
    end = time.monotonic() + 30
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Here:
    entry = tmp_path / "entry.py"
    entry.write_text(ENTRY.format(root=str(Path(processes.__file__).parents[2])))
    monkeypatch.setattr(processes, "_ENTRY", str(entry))
    return Here({"ONWARD_DATA": str(tmp_path / "data")}, agent="some-agent")


def reaped(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


@pytest.fixture(autouse=True)
def _children() -> Iterator[None]:
    yield
    assert until(lambda: reaped(-1)), "a process was left behind"


def told(path: Path) -> list[object]:
    assert until(lambda: path.exists() and path.read_text().endswith("\n"))
    found = eval(path.read_text())  # what the stand-in wrote
    assert isinstance(found, list)
    return found


WAYS = ["spawn", "no-memfd", "no-setsid"]


@pytest.fixture(params=WAYS)
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise NotImplementedError

    if request.param == "no-memfd":
        monkeypatch.delattr(os, "memfd_create", raising=False)
    if request.param == "no-setsid":
        monkeypatch.setattr(os, "posix_spawn", refuse)


@pytest.mark.usefixtures("_way")
def test_the_child_has_all_packages_a_session_of_its_own_and_no_stream_of_the_client(
    here: Here, tmp_path: Path
) -> None:
    fields = {"to": str(tmp_path / "out"), "odd": "ü\0\n\ud800"}
    processes.later(here, "prepare", fields)
    words = ["some-agent", "later"]
    assert told(tmp_path / "out") == ["prepare", fields, words, True, True, True]
    left = [p.name for p in (tmp_path / "data").glob("*")]
    assert left == []


def test_the_child_outlives_a_hook_whose_group_is_killed(here: Here, tmp_path: Path) -> None:
    script = (
        f"import os, signal, sys\nsys.path.append({str(Path(processes.__file__).parents[2])!r})\n"
        "from onward.hooks import processes\nfrom onward.hooks.environment import Here\n"
        f"processes._ENTRY = {processes._ENTRY!r}\n"
        f"processes.later(Here(os.environ, 'a'), 'turn', {{'to': {str(tmp_path / 'out')!r}}})\n"
        "os.killpg(0, signal.SIGKILL)\n"
    )
    hook = subprocess.run([sys.executable, "-c", script], check=False, start_new_session=True)
    assert hook.returncode == -signal.SIGKILL
    assert told(tmp_path / "out")[0] == "turn"


@given(st.text(), st.dictionaries(st.text(), st.text(st.characters(exclude_categories=()))))
def test_a_job_arrives_as_it_was_given(kind: str, fields: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        job = processes._job(Here({"ONWARD_DATA": folder}), kind, fields)
        try:
            assert processes.read_job(job) == (kind, fields)
            assert processes.read_job(job) == (kind, fields)  # also when it was read before
        finally:
            os.close(job)


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "a session.jsonl"
    path.write_text("{}\n")
    return path


@pytest.fixture
def idle(here: Here, monkeypatch: pytest.MonkeyPatch, transcript: Path) -> Callable[..., int]:
    """Starts a sleeper whose stand-in for the job appends a line to a file."""
    entry = Path(processes._ENTRY)
    marker = entry.with_name("fired")
    entry.write_text(
        f"import sys\nsys.path.append({str(Path(processes.__file__).parents[2])!r})\n"
        "from onward.hooks import processes\n"
        f"open({str(marker)!r}, 'a').write(repr(processes.read_job()) + '\\n')\n"
    )

    def start(seconds: float, pid: int = os.getpid()) -> int:
        return processes.sleeper(
            HookCall(session="5f0a", transcript=str(transcript), pid=pid), here, "/p", seconds
        )

    return start


def test_a_session_that_stays_idle_is_saved_once_and_the_sleeper_ends(
    idle: Callable[..., int], tmp_path: Path, transcript: Path
) -> None:
    sleeper = idle(0.5)
    assert sleeper
    assert os.getpgid(sleeper) == sleeper
    assert until(lambda: reaped(sleeper))
    fields = {"signal": "idle", "session": "5f0a", "transcript": str(transcript), "project": "/p"}
    assert (tmp_path / "fired").read_text() == repr(("autosave", fields)) + "\n"
    again = idle(0.5)  # the lock went with the first
    assert again
    assert until(lambda: reaped(again))


def test_beside_one_sleeper_no_second_is_started(idle: Callable[..., int]) -> None:
    sleeper = idle(600)
    assert sleeper
    assert idle(600) == 0
    os.killpg(sleeper, signal.SIGTERM)
    assert until(lambda: reaped(sleeper))
    again = idle(600)
    assert again
    os.killpg(again, signal.SIGTERM)


@pytest.mark.parametrize(
    ("looks", "after"),
    [("....", 4), ("+....", 4), ("++++....", 7), (".+.+...", 7), ("..+..+..+....", 12)],
)
def test_idle_is_a_transcript_that_has_not_grown_for_so_many_looks(
    tmp_path: Path, transcript: Path, looks: str, after: int
) -> None:
    plan, slept = tmp_path / "plan", tmp_path / "slept"
    plan.write_text("\n".join(looks) + "\n")
    # A `sleep` that does not: it lets the session go on as the plan says.
    sleep = tmp_path / "sleep"
    sleep.write_text(
        f"#!/bin/sh\necho $1 >>{slept}\n"
        f'look=$(sed -n "$(wc -l <{slept})p" {plan})\n'
        f'case $look in +) echo >>"{transcript}" ;; esac\n'
    )
    sleep.chmod(0o755)
    words = ["7", "3", str(os.getpid()), str(transcript), "echo", "fired"]
    done = subprocess.run(
        ["sh", processes._IDLE, *words],
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"fired\n"
    assert slept.read_text() == "7\n" * after


@pytest.mark.parametrize("pause", ["60.0", "60", "25.5"])
def test_it_looks_for_the_client_every_ten_seconds(
    tmp_path: Path, transcript: Path, pause: str
) -> None:
    slept = tmp_path / "slept"
    sleep = tmp_path / "sleep"
    # A `sleep` that does not; the client ends during the second one.
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        sleep.write_text(
            f"#!/bin/sh\necho $1 >>{slept}\n"
            f"if [ $(wc -l <{slept}) -eq 2 ]; then kill -9 {client.pid}; fi\n"
            f"while [ $(wc -l <{slept}) -eq 2 ] && grep -q ') [RS]' /proc/{client.pid}/stat; do :; done\n"
        )
        sleep.chmod(0o755)
        words = [pause, "10", str(client.pid), str(transcript), "echo", "fired"]
        env = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
        done = subprocess.run(
            ["sh", processes._IDLE, *words], env=env, capture_output=True, check=True
        )
    assert done.stdout == b""  # a zombie as it is, nobody has waited for it yet
    assert slept.read_text() == "10\n10\n"


def test_a_client_that_is_gone_already_is_not_waited_for(tmp_path: Path, transcript: Path) -> None:
    client = subprocess.Popen([sys.executable, "-c", "pass"])
    client.wait()
    words = ["600", "10", str(client.pid), str(transcript), "echo", "fired"]
    done = subprocess.run(
        ["sh", processes._IDLE, *words], capture_output=True, check=True, timeout=20
    )
    assert done.stdout == b""


@pytest.mark.parametrize("gone", ["client", "transcript"])
def test_the_sleeper_ends_with_what_it_waits_beside(
    idle: Callable[..., int], tmp_path: Path, transcript: Path, gone: str
) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        sleeper = idle(3.0, client.pid)
        if gone == "client":
            client.kill()
            client.wait()
        else:
            transcript.unlink()
        assert until(lambda: reaped(sleeper))
        client.kill()
    assert not (tmp_path / "fired").exists()


def test_without_a_client_s_process_nothing_waits(idle: Callable[..., int]) -> None:
    assert idle(600, 0) == 0
