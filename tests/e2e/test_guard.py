"""Whatever of ours is broken: the prompt goes through, the model hears nothing of it, and one
line in the log of each call that failed says so.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests import programs
from tests.e2e.kit import breakage
from tests.e2e.kit.lab import Answered, Lab, conversation
from tests.e2e.kit.model import Answer, Call

PROMPT = "Caulk the seam of plank four"
OFFER = "A previous session backup exists at"
SHIMS = {
    "SessionStart": "on-session-start.sh",
    "UserPromptSubmit": "on-user-prompt-submit.sh",
    "Stop": "on-stop.sh",
    "SessionEnd": "on-session-end.sh",
}
KINDS = {"SessionStart": "start", "UserPromptSubmit": "prompt", "Stop": "turn", "SessionEnd": "end"}
FAILED = r"{shim} failed"  # told for the registered command, as no shim was there to tell it
NOTHING = ""  # there was nobody left to tell it
DEAD = r"{kind}: there is no Python with onward"
SILENT = ""  # nothing is there that could tell it
STATUS = r"{kind}: ended with status "
STOPPED = r"{kind}: stopped by the client"
PYTHON = r"claude-code {kind}: "  # told by our own code
ALL = tuple(SHIMS)
no_bash = pytest.mark.skipif(
    Path("/bin/sh").resolve().name == "bash", reason="bash tries a fork again for 15 s"
)


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A lab with the hooks in its project and a backup that a new session is to be told of."""
    lab.install("--project")
    name = ".claude/memory/raw/20260301_214000_exit.jsonl"
    old: dict[str, object] = {"type": "user", "uuid": "1", "parentUuid": None}
    old |= {"sessionId": "0b1c", "timestamp": "2026-03-01T21:40:00.000Z", "cwd": str(lab.project)}
    old |= {"version": "2.1.197", "message": {"role": "user", "content": "Old words"}}
    lab.write(name, json.dumps(old) + "\n")
    lab.write(".claude/memory/.pending-backup", f"{name}\n")
    return lab


@pytest.fixture
def undo() -> Iterator[ExitStack]:
    """What has to be undone before the lab can be removed."""
    with ExitStack() as stack:
        yield stack


def hooks(lab: Lab) -> Path:
    return lab.project / ".claude" / "hooks"


def commands(lab: Lab) -> dict[str, str]:
    """The registered command of each event, as it stands."""
    found = json.loads((lab.project / ".claude/settings.json").read_text())["hooks"]
    return {event: groups[0]["hooks"][0]["command"] for event, groups in found.items()}


def limit(lab: Lab, events: tuple[str, ...], seconds: int) -> None:
    """Let the client wait for the hooks of these events no longer than this."""
    path = lab.project / ".claude/settings.json"
    found = json.loads(path.read_text())
    for event in events:
        found["hooks"][event][0]["hooks"][0]["timeout"] = seconds
    path.write_text(json.dumps(found))


def replace(path: Path, text: str | None) -> None:
    """Give a file another text, or remove it."""
    if text is None:
        path.unlink()
    else:
        path.write_text(text)


def shims(text: str | None) -> Callable[[Lab], None]:
    """What writes this into each hook file, or removes them."""

    def breaks(lab: Lab) -> None:
        for shim in SHIMS.values():
            replace(hooks(lab) / shim, text)

    return breaks


def no_program(lab: Lab) -> None:
    (lab.home / ".local/bin/onward").unlink()


def lines(lab: Lab) -> list[str]:
    """What the hooks logged, less the documents' own lines of what was kept."""
    return [line for line in lab.log().splitlines() if " saved " not in line]


def assert_told(lab: Lab, template: str, events: tuple[str, ...] = ALL) -> None:
    """One line for each of these events, and no other; none at all by a silent template."""
    shapes = [(re.escape(SHIMS[event]), KINDS[event]) for event in events]
    wanted = [template.format(shim=shim, kind=kind) for shim, kind in shapes]
    assert_lines(lab, *filter(None, wanted))


def assert_lines(lab: Lab, *patterns: str) -> None:
    """One line for each of these patterns, and no other."""
    told = lines(lab)
    for pattern in patterns:
        assert len([line for line in told if re.search(pattern, line)]) == 1, (pattern, told)
    assert len(told) == len(patterns), told


def assert_passes(
    lab: Lab,
    *,
    env: Mapping[str, str] | None = None,
    heard: bool = False,
    missing: bool = False,
) -> Answered:
    """One prompt with work in it reaches the model and gets its answer, and the model was told
    nothing by hooks; or, where they were `heard`, of the waiting backup alone, or that onward is
    `missing`.
    """
    given = {"file_path": str(lab.top / "seams.md"), "content": "Seam 4: oakum, pitch\n"}
    lab.model.script([Answer("", (Call("Write", given),)), "Caulked."])
    done = lab.headless(PROMPT, "--dangerously-skip-permissions", env=env)
    assert (done.code, done.text) == (0, "Caulked."), done.err
    request, _ = lab.requests()
    assert request.where(PROMPT)
    told = re.findall(r"hook (?:success|error|additional|feedback)|Traceback", request.text)
    assert told == ["hook success"] * (heard or missing)
    assert request.text.count("onward was not found on this machine") == missing
    assert request.text.count(OFFER) == heard
    return done


def assert_silent(lab: Lab, events: tuple[str, ...] = ALL) -> None:
    """Each registered command, called as the client calls it, ends with 0 and an empty stdout."""
    for event in events:
        given = {"session_id": "0b1c2d3e", "hook_event_name": event, "prompt": PROMPT}
        given |= {"cwd": str(lab.project), "transcript_path": str(lab.top / "none.jsonl")}
        done = call(lab, commands(lab)[event], json.dumps(given).encode())
        assert (done.returncode, done.stdout) == (0, b""), event


def call(lab: Lab, command: str, payload: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=lab.project,
        env=lab.env | {"CLAUDE_PROJECT_DIR": str(lab.project)},
        input=payload,
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.every_version
def test_sound_hooks_are_heard_and_log_no_fault(lab: Lab) -> None:
    assert_passes(lab, heard=True)
    assert lines(lab) == []
    assert len(lab.pending()) == 2


def shared(lab: Lab, text: str | None) -> None:
    replace(hooks(lab) / "onward.sh", text)


def python_gone(lab: Lab) -> None:
    no_program(lab)
    breakage.launcher(lab, python=lab.top / "no" / "python")


def uninstalled(lab: Lab) -> None:
    no_program(lab)
    breakage.launcher(lab, entry=lab.top / "no" / "entry.py")


def torn_launcher(lab: Lab) -> None:
    no_program(lab)
    (lab.data / "launcher").write_bytes(b"\xff\x00\n$(exit 2)\n")


def torn_module(lab: Lab) -> None:
    breakage.package(lab, dispatch="def run(call here):\n")


def torn_entry(lab: Lab) -> None:
    breakage.package(lab, entry="def main(:\n")


def raising(lab: Lab) -> None:
    breakage.package(
        lab,
        dispatch="def run(call, here):\n    print(call.cwd)\n    raise ValueError(call.prompt)\n",
    )


def exit_2(lab: Lab) -> None:
    breakage.package(lab, dispatch="import os\ndef run(call, here): os._exit(2)\n")


STATES: dict[str, tuple[Callable[[Lab], None], str]] = {
    "the hook files are gone": (shims(None), FAILED),
    "the folder of the hooks is gone": (lambda lab: shutil.rmtree(hooks(lab)), NOTHING),
    "the part that all share is gone": (lambda lab: shared(lab, None), FAILED),
    "a syntax error in the hook files": (shims("if ((\n"), FAILED),
    "a syntax error in the shared part": (lambda lab: shared(lab, "case x in (\n"), FAILED),
    "the hook files end with 2": (shims("exit 2\n"), FAILED),
    "Python is gone": (python_gone, DEAD),
    "onward is uninstalled": (uninstalled, DEAD),
    "a torn launcher": (torn_launcher, DEAD),
    "a syntax error in a module": (torn_module, PYTHON + "SyntaxError"),
    "a syntax error in the first module": (torn_entry, STATUS + "1"),
    "a handler raises": (raising, PYTHON + r"ValueError at hooks/dispatch.py:3$"),
    "a handler ends with 2": (exit_2, STATUS + "2"),
}


@pytest.mark.parametrize("state", STATES)
def test_a_broken_hook_is_as_good_as_none(lab: Lab, state: str) -> None:
    breaks, template = STATES[state]
    breaks(lab)
    said = assert_passes(lab, missing=template == DEAD).err
    assert "hook" not in said.lower(), "a user sees nothing either"
    assert_told(lab, template, ALL if template else ())
    assert PROMPT not in lab.log()
    if state not in {"a handler raises", "a handler ends with 2"}:
        assert_silent(lab)


def registered(lab: Lab, change: Callable[[str], str]) -> None:
    """Let the client run another command for each hook."""
    path = lab.project / ".claude/settings.json"
    found = json.loads(path.read_text())
    for groups in found["hooks"].values():
        for each in (hook for group in groups for hook in group["hooks"]):
            each["command"] = change(each["command"])
    path.write_text(json.dumps(found))


@no_bash
@pytest.mark.every_version
def test_where_no_process_can_be_started_the_prompt_and_the_tool_go_through(lab: Lab) -> None:
    nobody = breakage.without_processes(lab)
    registered(lab, lambda command: f"exec {nobody} {shlex.quote(command)}")
    lab.model.script(
        [Answer("", (Call("Bash", {"command": "echo caulk", "timeout": 60_000}),)), "Caulked."]
    )
    done = lab.headless(PROMPT, "--dangerously-skip-permissions")
    assert (done.code, done.text) == (0, "Caulked."), done.err
    assert len(lab.requests()) == 2, "no end of a turn was refused"
    assert lines(lab) == []


@no_bash
def test_without_the_trap_the_prompt_would_be_erased(lab: Lab) -> None:
    """What the test above shows is the trap's doing."""
    nobody = breakage.without_processes(lab)
    registered(lab, lambda command: f"exec {nobody} {shlex.quote(command.partition('; ')[2])}")
    lab.headless(PROMPT, "--dangerously-skip-permissions")
    assert not any(request.where(PROMPT) for request in lab.requests())


def hanging_shims(lab: Lab, events: tuple[str, ...]) -> str:
    for event in events:
        (hooks(lab) / SHIMS[event]).write_text("sleep 1000\n")
    return NOTHING


def hanging_python(lab: Lab, events: tuple[str, ...]) -> str:
    kinds = "|".join(KINDS[event] for event in events)
    text = f'case $7 in {kinds}) exec sleep 1000 ;; esac\nexec {programs.PYTHON} "$@"'
    breakage.launcher(lab, python=breakage.program(lab.top / "hanging", text))
    return STOPPED


# Apart, as 2.1.197 calls no hook at the end of a headless run in which it gave one up (measured).
@pytest.mark.parametrize("events", [ALL[:-1], ALL[-1:]], ids=["before", "at the end"])
@pytest.mark.parametrize("hang", [hanging_shims, hanging_python])
def test_a_hang_ends_with_the_clients_patience(
    lab: Lab, hang: Callable[[Lab, tuple[str, ...]], str], events: tuple[str, ...]
) -> None:
    lab.write("onward.toml", "[hooks]\nidle-minutes = 0\n")  # a sleeper waits for the end's hook
    template = hang(lab, events)
    limit(lab, events, 1)
    assert_passes(lab, heard="SessionStart" not in events)
    lab.wait_quiet()
    assert_told(lab, template, events if template else ())


def test_a_hang_in_our_own_code_ends_before_the_clients_patience(lab: Lab) -> None:
    hang = "import time\ndef run(call, here):\n    if call.event == 'prompt':\n        time.sleep(1000)\n"
    breakage.package(lab, dispatch=hang + "    return ''\n")
    assert_passes(lab)
    assert_told(lab, PYTHON + "TimeIsUp at hooks/dispatch.py:4$", ("UserPromptSubmit",))


def test_another_version_of_python_tells_once_what_it_cannot_do(lab: Lab) -> None:
    breakage.launcher(lab, python=breakage.another_python(lab))
    assert_passes(lab)
    lab.wait_quiet()
    told = [re.search(r" claude-code (\w+): \w*Error at ", line) for line in lines(lab)]
    kinds = {found[1] if found else "" for found in told}
    assert "start" in kinds
    assert kinds <= {"start", "end", "later"}, "newer ones get as far as the copy"
    assert_silent(lab, ("UserPromptSubmit", "Stop"))


def test_a_python_that_is_gone_is_found_again_by_the_program_on_the_path(lab: Lab) -> None:
    breakage.launcher(lab, python=lab.top / "no" / "python")
    assert_passes(lab, heard=True)
    assert lines(lab) == []
    assert "no/python" not in (lab.data / "launcher").read_text()


def test_a_full_disk_below_the_project_is_told_in_our_own_log(lab: Lab, undo: ExitStack) -> None:
    undo.enter_context(breakage.full_disk(lab.project))
    assert_passes(lab, heard=True)
    assert_lines(lab, r"claude-code end: StorageError at ")
    assert len(lab.pending()) == 1
    assert [raw.read_text().count("Old words") for raw in lab.raws()] == [1], "no torn copy"


def test_a_full_disk_below_our_folder_is_told_in_the_project_and_the_session_is_kept(
    lab: Lab, undo: ExitStack
) -> None:
    undo.enter_context(breakage.full_disk(lab.data))
    assert_passes(lab, heard=True)
    lab.wait_quiet()
    assert_lines(lab, "no hand-over was prepared: ")
    assert PROMPT in conversation(max(lab.pending()))  # a headless one is not the first


def test_full_disks_everywhere_leave_no_place_to_tell_it_and_the_prompt_goes_through(
    lab: Lab, undo: ExitStack
) -> None:
    undo.enter_context(breakage.full_disk(lab.project))
    undo.enter_context(breakage.full_disk(lab.data))
    assert_passes(lab, heard=True)
    assert_silent(lab, ("UserPromptSubmit", "Stop", "SessionEnd"))
    assert lines(lab) == []


def test_a_project_that_cannot_be_written_is_told_in_our_own_log(lab: Lab, undo: ExitStack) -> None:
    undo.enter_context(breakage.read_only(lab.project))
    assert_passes(lab, heard=True)
    assert_lines(lab, "claude-code end: StorageError at ")


def test_a_home_that_does_not_exist_is_not_made(lab: Lab) -> None:
    lab.write("no-folder", "")
    gone = lab.project / "no-folder" / "ada"  # below a file nobody can make one
    del lab.env["ONWARD_DATA"]
    no_program(lab)
    assert_passes(lab, env={"HOME": str(gone), "CLAUDE_CONFIG_DIR": str(lab.config)})
    assert_told(lab, DEAD)


def test_a_home_that_does_not_exist_keeps_no_session_from_being_kept(lab: Lab) -> None:
    lab.write("no-folder", "")
    del lab.env["ONWARD_DATA"]
    gone = {"HOME": str(lab.project / "no-folder" / "ada"), "CLAUDE_CONFIG_DIR": str(lab.config)}
    assert_passes(lab, env=gone, heard=True)
    lab.wait_quiet()
    assert_lines(lab, "no hand-over was prepared: ")
    assert PROMPT in conversation(max(lab.pending()))  # a headless one is not the first


def test_a_file_in_the_place_of_our_folder_is_left_alone(lab: Lab) -> None:
    shutil.rmtree(lab.data)
    lab.data.write_text("somebody's own")
    assert_passes(lab, heard=True)
    lab.wait_quiet()
    assert lab.data.read_text() == "somebody's own"
    assert_lines(lab, "no hand-over was prepared: ")
    assert PROMPT in conversation(max(lab.pending()))  # a headless one is not the first


PAYLOADS = {
    "nothing": b"",
    "half an object": b'{"session_id": "0b1c2d3e", "prompt": "',
    "a list": b"[1]",
    "a word": b'"prompt"',
    "two objects": b"{}{}",
    "bytes of no encoding": b"\xff\xfe\x00\x00{",
    "very deep": b"[" * 100_000,
    "large": b"x" * 1_000_000,
}


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_that_is_no_json_object_is_told_once(lab: Lab, payload: str) -> None:
    for event, command in commands(lab).items():
        done = call(lab, command, PAYLOADS[payload])
        assert (done.returncode, done.stdout) == (0, b""), event
    told = lines(lab)
    for kind in (*KINDS.values(), "compact"):
        assert len([line for line in told if f"claude-code {kind}: " in line]) == 1, told
    assert len(told) == len(KINDS) + 1, "the shim of PreToolUse looks no further"


def test_fields_of_a_strange_kind_are_no_fault(lab: Lab) -> None:
    strange = {"session_id": 7, "transcript_path": ["x"], "cwd": {"a": 1}, "prompt": None}
    for event, command in commands(lab).items():
        done = call(lab, command, json.dumps(strange).encode())
        assert done.returncode == 0, event
