"""The registered commands, run as the client runs them: whatever is broken behind one, it ends
with status 0 and an empty stdout, and one line in our log says so.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.needs import find
from tests.programs import PYTHON
from tests.sampling import examples

from onward.agents.claude_code import install as table
from onward.cli import Call
from onward.clients.files import write_launcher
from onward.clients.settings import Hook
from onward.hooks import processes
from onward.transcripts.hook_call import client

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a POSIX shell")

# By their whole paths, as the PATH of the machine below has none but the test's own.
SHELLS = [
    ["/bin/sh"],
    pytest.param([find("bash") or "bash", "--posix"], marks=pytest.mark.needs("bash")),
    pytest.param([find("busybox") or "busybox", "sh"], marks=pytest.mark.needs("busybox")),
]
TOOL = next(hook for hook in table.HOOKS if hook.kind == "tool")
PROMPT = next(hook for hook in table.HOOKS if hook.kind == "prompt")
PAYLOAD = '{"session_id":"5f0a","prompt":"a \\\\ %s -n ü \\ud800"}'


def lay(base: Path) -> None:
    """Our shims, in a client's folder."""
    for path, data in table.shims(base).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


class Machine:
    """A home, a project with our hooks, and a Python of the test's making."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "a home"
        self.data = self.home / ".local/share/onward"
        self.project = root / "pröject x"
        self.hooks = self.project / ".claude/hooks"
        self.memory = self.project / ".claude/memory"
        self.seen = root / "seen"
        self.data.mkdir(parents=True)
        self.memory.mkdir(parents=True)
        lay(self.project / ".claude")
        self.env = {
            "PATH": self._path(),
            "HOME": str(self.home),
            "CLAUDE_PROJECT_DIR": str(self.project),
            "CLAUDE_PID": "77",
        }
        self.python('cat >"$SEEN"; echo "$@" >"$SEEN.words"; echo answer')

    def _path(self) -> str:
        """A PATH with the plain tools and no `onward`."""
        folder = self.root / "bin"
        folder.mkdir()
        for name in ("sh", "date", "wc", "mv", "cat", "sleep"):
            (folder / name).symlink_to(shutil.which(name) or name)
        return str(folder)

    def script(self, path: Path, body: str) -> Path:
        path.write_text(f"#!/bin/sh\nSEEN='{self.seen}'\n{body}\n")
        path.chmod(0o755)
        return path

    def python(self, body: str) -> None:
        """Let the launcher name a program of this body, and an entry that is there."""
        fake = self.script(self.root / "python", body)
        (self.data / "launcher").write_text(f"{fake}\n{__file__}\n")

    def start(self, hook: Hook, shell: list[str] | None = None) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*(shell or ["/bin/sh"]), "-c", table.command(hook, "project").command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.root,
            env=self.env,
            start_new_session=True,
        )

    def run(
        self, hook: Hook = PROMPT, payload: str = PAYLOAD, shell: list[str] | None = None
    ) -> bytes:
        """What reaches stdout; the rest of the promise is held here."""
        with self.start(hook, shell) as done:
            said, errors = done.communicate((payload + "\n").encode())
        assert done.returncode == 0
        assert errors == b""
        return said

    def lines(self) -> list[str]:
        logs = [self.data / "hooks.log", self.memory / ".backup-log"]
        return [line for log in logs if log.is_file() for line in log.read_text().splitlines()]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("shell", SHELLS, ids=lambda words: Path(words[0]).name)
@pytest.mark.parametrize("hook", [h for h in table.HOOKS if h != TOOL], ids=lambda h: h.shim)
def test_a_hook_hands_payload_and_process_to_python_and_passes_its_answer_on(
    machine: Machine, hook: Hook, shell: list[str]
) -> None:
    assert machine.run(hook, shell=shell) == b"answer\n"
    assert machine.seen.read_text() == PAYLOAD + "\n"
    words = machine.root.joinpath("seen.words").read_text().split("\n")[0]
    assert words == f"-I -S -X utf8 {__file__} claude-code {hook.kind} 77"
    assert machine.lines() == []


@pytest.mark.parametrize("hook", table.HOOKS, ids=lambda h: h.shim)
def test_a_variable_of_the_person_is_not_taken_for_what_the_client_says(
    machine: Machine, hook: Hook
) -> None:
    machine.env["payload"] = "theirs"
    said = bash("make", run_in_background=True)
    assert machine.run(hook, said) == b"answer\n"
    assert machine.seen.read_text() == said + "\n"


def test_a_client_that_does_not_tell_its_process_is_the_parent_of_the_shell(
    machine: Machine,
) -> None:
    del machine.env["CLAUDE_PID"]
    machine.run()
    words = machine.root.joinpath("seen.words").read_text().split()
    assert words[-1] == str(os.getpid())


def gone(path: str) -> Callable[[Machine], None]:
    return lambda machine: machine.project.joinpath(path).unlink()


def torn(path: str) -> Callable[[Machine], None]:
    def tear(machine: Machine) -> None:
        (machine.project / path).write_text("if then (\n")

    return tear


def no_python(machine: Machine) -> None:
    (machine.root / "python").unlink()


def no_launcher(machine: Machine) -> None:
    (machine.data / "launcher").unlink()


def no_entry(machine: Machine) -> None:
    (machine.data / "launcher").write_text(f"{machine.root}/python\n/no/such/entry.py\n")


def empty_launcher(machine: Machine) -> None:
    (machine.data / "launcher").write_text("")


def not_executable(machine: Machine) -> None:
    (machine.data / "launcher").write_text("what is this\n\0\n")


def ends_with(body: str) -> Callable[[Machine], None]:
    return lambda machine: machine.python(body)


def full_disk(machine: Machine) -> None:
    machine.python("exit 1")
    (machine.data / "hooks.log").symlink_to("/dev/full")


def missing_home(machine: Machine) -> None:
    shutil.rmtree(machine.home)


def unset_home(machine: Machine) -> None:
    del machine.env["HOME"]


def both(*ways: Callable[[Machine], None]) -> Callable[[Machine], None]:
    def breaks(machine: Machine) -> None:
        for way in ways:
            way(machine)

    return breaks


BROKEN = {
    "shim gone": gone(".claude/hooks/on-user-prompt-submit.sh"),
    "shim torn": torn(".claude/hooks/on-user-prompt-submit.sh"),
    "shared part gone": gone(".claude/hooks/onward.sh"),
    "shared part torn": torn(".claude/hooks/onward.sh"),
    "no Python": no_python,
    "no launcher": no_launcher,
    "no entry": no_entry,
    "empty launcher": empty_launcher,
    "no program": not_executable,
    "usage error": ends_with("echo usage >&2; exit 2"),
    "traceback": ends_with("cat >/dev/null; exit 1"),
    "killed": ends_with("kill -SEGV $$"),
    "full disk": full_disk,
    "missing home": missing_home,
    "unset home": unset_home,
    "shim gone, missing home": both(gone(".claude/hooks/on-user-prompt-submit.sh"), missing_home),
    "shim gone, full disk": both(gone(".claude/hooks/on-user-prompt-submit.sh"), full_disk),
}


@pytest.mark.parametrize("shell", SHELLS, ids=lambda words: Path(words[0]).name)
@pytest.mark.parametrize("state", BROKEN)
def test_whatever_is_broken_the_hook_is_silent_and_one_line_says_so(
    machine: Machine, state: str, shell: list[str]
) -> None:
    BROKEN[state](machine)
    # The shim's own shell is the one that PATH names.
    (machine.root / "bin/sh").unlink()
    machine.script(machine.root / "bin/sh", f'exec {" ".join(shell)} "$@"')
    if "full disk" in state and not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    assert machine.run(shell=shell) == b""
    assert len(machine.lines()) == 1, machine.lines()
    assert not machine.home.exists() or "missing home" not in state


@pytest.mark.parametrize("shell", SHELLS, ids=lambda words: Path(words[0]).name)
def test_where_the_whole_folder_is_gone_the_hook_is_silent(
    machine: Machine, shell: list[str]
) -> None:
    shutil.rmtree(machine.hooks)
    assert machine.run(shell=shell) == b""
    assert machine.lines() == []


@pytest.mark.parametrize("breaks", [gone, torn], ids=["gone", "torn"])
def test_what_tells_of_failures_may_be_missing_itself(
    machine: Machine, breaks: Callable[[str], Callable[[Machine], None]]
) -> None:
    breaks(f".claude/hooks/{table.LOG}")(machine)
    assert machine.run() == b"answer\n"
    machine.python("exit 1")
    assert machine.run() == b""


def day_ago(machine: Machine) -> None:
    (machine.data / "missing-told").write_text("2026-03-01\n")


@pytest.mark.parametrize("shell", SHELLS, ids=lambda words: Path(words[0]).name)
@pytest.mark.parametrize("breaks", [no_python, no_launcher, no_entry, both(no_python, day_ago)])
def test_a_start_without_a_program_says_so_once_a_day(
    machine: Machine, breaks: Callable[[Machine], None], shell: list[str]
) -> None:
    breaks(machine)
    start = next(hook for hook in table.HOOKS if hook.kind == "start")
    assert machine.run(PROMPT, shell=shell) == b""
    said = machine.run(start, shell=shell).decode()
    assert said.count("\n") == 1
    assert "not captured" in said
    assert "onward doctor --fix" in said
    assert machine.run(start, shell=shell) == b""
    assert len(machine.lines()) == 3


@pytest.mark.parametrize("folder", ["gone", "shut"])
def test_a_start_without_a_program_is_silent_where_it_could_not_stay_so(
    machine: Machine, folder: str
) -> None:
    start = next(hook for hook in table.HOOKS if hook.kind == "start")
    shutil.rmtree(machine.data)
    if folder == "shut":
        (machine.data / "missing-told").mkdir(parents=True)
    assert machine.run(start) == b""


def test_a_hook_that_hangs_leaves_a_line_when_the_client_stops_it(machine: Machine) -> None:
    machine.python('echo $$ >"$SEEN"; exec sleep 1000')
    with machine.start(PROMPT) as hook:
        while not (machine.seen.exists() and machine.seen.read_text().strip()):
            time.sleep(0.02)
        os.killpg(hook.pid, signal.SIGTERM)  # measured: to the whole group, some clients twice
        os.killpg(hook.pid, signal.SIGTERM)
        assert hook.communicate()[0] == b""
    (line,) = machine.lines()
    assert "stopped by the client" in line
    with pytest.raises(ProcessLookupError):
        os.kill(int(machine.seen.read_text()), 0)


def test_a_session_that_ends_before_a_hook_that_nobody_waits_for_is_no_fault(
    machine: Machine,
) -> None:
    machine.python('echo ahead; echo $$ >"$SEEN"; exec sleep 1000')
    hook = next(hook for hook in table.HOOKS if hook.kind == "compacted")
    with machine.start(hook) as started:
        while not (machine.seen.exists() and machine.seen.read_text().strip()):
            time.sleep(0.02)
        os.killpg(started.pid, signal.SIGTERM)
        assert started.communicate()[0] == b"ahead\n"  # ends when all that held it have ended
    assert machine.lines() == []


def test_a_shim_that_hangs_itself_ends_when_the_client_stops_it(machine: Machine) -> None:
    machine.script(machine.hooks / PROMPT.shim, 'echo $$ >"$SEEN"; exec sleep 1000')
    with machine.start(PROMPT) as hook:
        while not (machine.seen.exists() and machine.seen.read_text().strip()):
            time.sleep(0.02)
        os.killpg(hook.pid, signal.SIGTERM)
        assert hook.communicate()[0] == b"", "nothing holds the client's pipe any more"


def test_where_the_launcher_is_gone_the_program_on_path_serves(machine: Machine) -> None:
    (machine.data / "launcher").unlink()
    machine.script(machine.root / "bin/onward", 'echo "$@"')
    assert machine.run() == b"hook claude-code prompt 77\n"


def test_that_program_writes_the_launcher_anew(machine: Machine) -> None:
    (machine.data / "launcher").unlink()
    real = f'exec {PYTHON} -m onward "$@"'
    machine.script(machine.root / "bin/onward", real)
    machine.run(payload="no JSON")
    words = (machine.data / "launcher").read_text().splitlines()
    assert words == [sys.executable, processes._ENTRY]
    assert (machine.data / "launcher").stat().st_mode & 0o777 == 0o600
    (line,) = machine.lines()
    assert "no JSON" not in line
    machine.script(machine.root / "bin/onward", "exit 1")
    machine.run(payload="no JSON")  # by the launcher now
    assert "ValueError" in machine.lines()[1]


@pytest.mark.parametrize("words", ["", "no-such-agent", "claude-code", "a b --json --no c"])
def test_the_hidden_verb_ends_well_whatever_it_is_told(tmp_path: Path, words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "onward", "hook", *words.split()],
        input=b"",
        capture_output=True,
        check=False,
        env={**os.environ, "ONWARD_DATA": str(tmp_path / "data")},
    )
    assert (done.returncode, done.stdout) == (0, b"")


def test_whoever_never_had_onward_sees_nothing_of_it(machine: Machine) -> None:
    shutil.rmtree(machine.home / ".local")
    before = sorted(machine.root.rglob("*"))
    assert machine.run() == b""
    assert sorted(machine.root.rglob("*")) == before


@pytest.mark.parametrize("link", [".claude/memory", ".claude/memory/.backup-log"])
def test_no_link_of_a_repository_leads_a_line_elsewhere(machine: Machine, link: str) -> None:
    shutil.rmtree(machine.home)
    other = machine.root / "other"
    other.mkdir()
    place = machine.project / link
    if place.is_dir():
        place.rmdir()
    place.symlink_to(other if link.endswith("memory") else other / "log")
    assert machine.run() == b""
    assert list(other.iterdir()) == []


def test_the_log_stays_bounded_without_python(machine: Machine) -> None:
    (machine.data / "hooks.log").write_text("x" * 70_000 + "\n")
    machine.python("exit 1")
    machine.run()
    assert len(machine.lines()) == 1
    assert (machine.data / "hooks.log.1").exists()


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"ONWARD_DATA": "/ROOT/own data"},
        {"XDG_DATA_HOME": "/ROOT/x d"},
        {"XDG_DATA_HOME": "relative"},
        {"XDG_DATA_HOME": ""},
        {"XDG_DATA_HOME": "/ROOT/x", "ONWARD_DATA": "/ROOT/own"},
    ],
)
def test_shell_and_command_line_share_one_folder(
    machine: Machine, chosen: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher = (machine.data / "launcher").read_text()
    (machine.data / "launcher").unlink()
    for name in ("ONWARD_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": str(machine.home), **chosen}.items():
        machine.env[name] = value.replace("/ROOT", str(machine.root))
        monkeypatch.setenv(name, machine.env[name])
    Path(Call().data).mkdir(parents=True, exist_ok=True)
    Path(Call().data).joinpath("launcher").write_text(launcher)
    assert machine.run() == b"answer\n"
    Path(Call().data).joinpath("launcher").write_text("")
    (machine.hooks / PROMPT.shim).unlink()
    assert machine.run() == b""
    assert "on-user-prompt-submit.sh failed" in (Path(Call().data) / "hooks.log").read_text()


TIMEOUT_FIRST = '{{"tool_input":{{"timeout":{limit},"command":"{command}"}}}}'


def bash(command: str, **more: object) -> str:
    payload = {
        "session_id": "5f0a",
        "tool_name": "Bash",
        "tool_input": {"command": command, **more},
    }
    return json.dumps(payload | {"tool_use_id": "toolu_1"}, separators=(",", ":"))


@pytest.mark.parametrize(
    ("payload", "starts"),
    [
        (bash("make"), False),
        (bash("make", run_in_background=True), True),
        (bash("make", run_in_background=False), False),
        (bash("make", timeout=30000), False),
        (bash("make", timeout=30001), True),
        (bash("make", timeout=600000, description="x"), True),
        (bash("make", timeout=10**9), True),
        (bash("make", timeout=5000, run_in_background=True), True),
        (bash("make", timeout="600000"), False),
        (bash("make", timeout=None), False),
        (bash('echo ,"run_in_background":true'), False),
        (bash('echo {"timeout":99999}'), False),
        (bash('echo ,"timeout":99999', timeout=1000), False),
        (bash("x" * 20_000), False),
        (bash('{"' * 20_000, timeout=30000), False),
        (bash('{"' * 20_000, timeout=30001), True),
        (bash("make", timeout=30000, description="x"), False),
        (bash("make", timeout=99999), True),
        (bash("make", timeout=100000), True),
        (bash("make", timeout=29999), False),
        (TIMEOUT_FIRST.format(limit=30000, command="x," * 5_000), False),
        (TIMEOUT_FIRST.format(limit=30001, command="x," * 5_000), True),
        ("", False),
        ("no JSON", False),
        pytest.param("x" * 1_000_000, False, id="a megabyte without a field"),
    ],
)
def test_only_a_long_command_starts_python(machine: Machine, payload: str, starts: bool) -> None:
    assert machine.run(TOOL, payload) == (b"answer\n" if starts else b"")
    assert machine.seen.exists() == starts
    if starts:
        assert machine.seen.read_text() == payload + "\n"
    assert machine.lines() == []


@pytest.mark.parametrize(
    ("session", "seconds", "starts"),
    [("5f0a", 1, True), ("5f0a", -1, False), ("../live/5f0a", 1, False), ("other", 1, False)],
)
def test_a_short_command_starts_python_where_the_context_is_to_be_looked_at(
    machine: Machine, session: str, seconds: int, starts: bool
) -> None:
    transcript, look = machine.root / "session.jsonl", machine.data / "live/5f0a/look"
    look.parent.mkdir(parents=True)
    for path, at in ((look, 10**9), (transcript, 10**9 + seconds)):
        path.write_text("x\n")
        os.utime(path, (at, at))
    words = {"session_id": session, "transcript_path": str(transcript)}
    payload = json.dumps(json.loads(bash("make")) | words, separators=(",", ":"))
    assert machine.run(TOOL, payload) == (b"answer\n" if starts else b"")


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    | st.lists(st.sampled_from(['"', "\\", ",", "{", '"timeout":', "99999", "true"])).map("".join),
    st.dictionaries(
        st.sampled_from(["timeout", "run_in_background", "description"]),
        st.integers(0, 10**7) | st.booleans() | st.just(',"timeout":99999'),
    ),
)
def test_the_shell_decides_as_python_does(
    machine: Machine, command: str, more: dict[str, object]
) -> None:
    payload = bash(command, **more)
    call = client("claude-code").parse("tool", json.loads(payload), {}, 0)
    long = call.background or call.limit > 30000
    assert (machine.run(TOOL, payload) == b"answer\n") == long


@pytest.mark.parametrize("shell", SHELLS, ids=lambda words: Path(words[0]).name)
@pytest.mark.parametrize("given", [bash("make", run_in_background=True), ""], ids=["all", "none"])
def test_a_client_that_ends_no_line_and_leaves_stdin_open_is_not_waited_for(
    machine: Machine, shell: list[str], given: str
) -> None:
    (machine.root / "bin/sh").unlink()
    machine.script(machine.root / "bin/sh", f'exec {" ".join(shell)} "$@"')
    with machine.start(TOOL, shell) as hook:
        assert hook.stdin is not None
        assert hook.stdout is not None
        hook.stdin.write(given.encode())
        hook.stdin.flush()
        assert hook.wait(TOOL.timeout - 1) == 0
        said = hook.stdout.read()
    # What busybox read before its time is up it does not keep.
    assert said == (b"answer\n" if given and "busybox" not in shell[0] else b"")
    assert machine.lines() == []


@pytest.mark.parametrize("hook", table.HOOKS, ids=lambda h: h.shim)
def test_each_row_of_the_table_has_its_shim(hook: Hook) -> None:
    text = table.shims()[Path("hooks", hook.shim)].decode()
    assert f"\nset -- {hook.kind} " in text
    assert '"${0%/*}/onward.sh"' in text


def test_every_shim_is_in_the_table() -> None:
    assert {path.name for path in table.shims()} == {
        *(hook.shim for hook in table.HOOKS),
        "onward.sh",
        table.LOG,
    }


@pytest.mark.parametrize("hook", table.HOOKS, ids=lambda hook: hook.shim)
@pytest.mark.parametrize("registration", list(table.FOLDERS))
def test_a_command_is_short_enough_to_be_read(hook: Hook, registration: table.Registration) -> None:
    assert len(table.command(hook, registration).command) < 250


@pytest.mark.parametrize("registration", list(table.FOLDERS))
def test_a_command_finds_the_hooks_of_its_registration(
    machine: Machine, registration: table.Registration
) -> None:
    folder = machine.root / "ho'ok $x"
    folder.mkdir()
    lay(folder)
    machine.env |= {"CLAUDE_CONFIG_DIR": str(folder), "CLAUDE_PLUGIN_ROOT": str(folder)}
    command = table.command(PROMPT, registration).command
    done = subprocess.run(
        ["/bin/sh", "-c", command], input=b"{}", capture_output=True, env=machine.env, check=True
    )
    assert done.stdout == b"answer\n"


@pytest.mark.needs("shellcheck")
def test_shellcheck_finds_nothing(tmp_path: Path) -> None:
    lay(tmp_path)
    shims = [*tmp_path.glob("hooks/*.sh"), Path(processes._IDLE)]
    done = subprocess.run(
        ["shellcheck", *map(str, shims)], capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
    for hook in table.HOOKS:
        for registration in table.FOLDERS:
            done = subprocess.run(
                ["shellcheck", "-s", "sh", "-"],
                input=table.command(hook, registration).command + "\n",
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.stdout == ""


def test_the_launcher_is_written_once(tmp_path: Path) -> None:
    write_launcher(tmp_path / "data")
    first = (tmp_path / "data/launcher").stat()
    write_launcher(tmp_path / "data")
    assert (tmp_path / "data/launcher").stat().st_ino == first.st_ino
