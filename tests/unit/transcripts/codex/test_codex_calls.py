"""Tool calls, their results, and what became of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from onward.model import (
    Asked,
    Background,
    Edited,
    Looked,
    Prompt,
    Question,
    Ran,
    Refusal,
    Reply,
    TodoList,
    Used,
)

if TYPE_CHECKING:
    from tests.unit.transcripts.codex.conftest import Rollout

ADD = "*** Begin Patch\n*** Add File: a.py\n+one\n+two\n*** End Patch"


def running(session: int, text: str = "") -> str:
    return f"Chunk ID: a\nWall time: 10 seconds\nProcess running with session ID {session}\nOutput:\n{text}"


def exited(code: int, text: str = "") -> str:
    return f"Chunk ID: a\nWall time: 1 seconds\nProcess exited with code {code}\nOutput:\n{text}"


@pytest.fixture
def session(rollout: Rollout) -> Rollout:
    rollout.meta()
    return rollout


# --------------------------------------------------------------------------- commands


@pytest.mark.parametrize(
    ("name", "given", "command", "cwd"),
    [
        ("shell", {"command": ["bash", "-lc", "npm test"]}, "npm test", "/home/ana/shop"),
        ("shell", {"command": ["/bin/zsh", "-c", "npm test"]}, "npm test", "/home/ana/shop"),
        ("shell", {"command": ["npm", "run", "a b"]}, "npm run 'a b'", "/home/ana/shop"),
        (
            "shell",
            {"command": ["C:\\Win\\powershell.exe", "-NoProfile", "-Command", "npm test"]},
            "npm test",
            "/home/ana/shop",
        ),
        ("container.exec", {"command": ["bash", "-lc", "ls"]}, "ls", "/home/ana/shop"),
        (
            "shell_command",
            {"command": "npm test", "workdir": "web"},
            "npm test",
            "/home/ana/shop/web",
        ),
        ("exec_command", {"cmd": "npm test", "workdir": "/srv"}, "npm test", "/srv"),
    ],
)
def test_the_command_is_the_script_itself(
    session: Rollout, name: str, given: dict[str, Any], command: str, cwd: str
) -> None:
    session.call(name, "c1", **given)
    line = session.result("c1", "Exit code: 0\nWall time: 1 seconds\nOutput:\nok")
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert (ran.command, ran.cwd, ran.output) == (command, cwd, "ok")
    assert ran.line == line


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("ok", "ok"),
        ([{"type": "text", "text": "ok"}], "ok"),
        ([{"type": "image"}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([7, {"type": "text", "text": "ok"}], "ok"),
        ({"output": "ok", "metadata": {"exit_code": 0}}, "ok"),
        ("half of \ud83d", "half of ?"),
        (7, ""),
        (None, ""),
    ],
)
def test_what_a_command_printed_is_told_in_whatever_form_it_stands(
    session: Rollout, output: Any, told: str
) -> None:
    session.call("shell", "c1", command=["bash", "-lc", "ls"])
    escaped = json.dumps(output).encode()
    session.result("c1", "OUTPUT")
    session.lines[-1] = session.lines[-1].replace(b'"OUTPUT"', escaped)
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert (ran.command, ran.output) == ("ls", told)


def test_the_input_of_a_call_may_stand_as_an_object(session: Rollout) -> None:
    session.item("function_call", name="exec_command", call_id="c1", arguments={"cmd": "npm test"})
    session.result("c1", "ok")
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert ran.command == "npm test"


@pytest.mark.parametrize(
    ("asked", "escalated"),
    [
        ({"sandbox_permissions": "require_escalated"}, True),
        ({"with_escalated_permissions": True}, True),
        ({"sandbox_permissions": "use_default"}, False),
        ({}, False),
    ],
)
def test_a_call_says_whether_it_leaves_the_sandbox(
    session: Rollout, asked: dict[str, Any], escalated: bool
) -> None:
    session.call("exec_command", "c1", cmd="git push", **asked)
    session.result("c1", "ok")
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert ran.escalated is escalated


def test_the_oldest_shell_call_is_read_too(session: Rollout) -> None:
    action = {"type": "exec", "command": ["bash", "-lc", "ls"]}
    session.item("local_shell_call", call_id="c1", status="completed", action=action)
    session.result("c1", json.dumps({"output": "a", "metadata": {"exit_code": 0}}))
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert (ran.command, ran.output, ran.exit_code) == ("ls", "a", 0)


@pytest.mark.parametrize(
    ("output", "state", "failed", "code", "text"),
    [
        ("Exit code: 0\nWall time: 1.2 seconds\nOutput:\nok", "done", False, 0, "ok"),
        (
            "Exit code: 2\nWall time: 1 seconds\nTotal output lines: 9\nOutput:\nno",
            "done",
            True,
            2,
            "no",
        ),
        (exited(0, "Total output lines: 9\n\nok"), "done", False, 0, "ok"),
        (f"Command: /bin/zsh -lc 'x'\n{exited(1, 'no')}", "done", True, 1, "no"),
        ('{"output":"no","metadata":{"exit_code":3}}', "done", True, 3, "no"),
        (
            "Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out after 10031 milliseconds\nhalf",
            "timeout",
            True,
            124,
            "half",
        ),
        (
            "failed in sandbox None with execution error: command timed out",
            "timeout",
            True,
            None,
            "failed in sandbox None with execution error: command timed out",
        ),
        ("Wall time: 144.0 seconds\naborted by user", "interrupted", False, None, ""),
        ("aborted", "interrupted", False, None, ""),
        (
            "failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, exit code: 1, stdout: 1 failed, stderr: no",
            "done",
            True,
            1,
            "1 failed\nno",
        ),
        (
            "failed in sandbox: Operation not permitted",
            "done",
            True,
            None,
            "failed in sandbox: Operation not permitted",
        ),
        ("something else", "done", False, None, "something else"),
    ],
)
def test_a_result_is_read_as_each_generation_heads_it(
    session: Rollout, output: str, state: str, failed: bool, code: int | None, text: str
) -> None:
    session.call("shell_command", "c1", command="make")
    session.result("c1", output)
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert (ran.state, ran.failed, ran.exit_code, ran.output) == (state, failed, code, text)


@pytest.mark.parametrize(
    "output", ["unsupported call: shell_command", "failed to parse function arguments: missing"]
)
def test_a_call_that_the_client_could_not_read_did_nothing(session: Rollout, output: str) -> None:
    session.call("shell_command", "c1", command="make")
    session.result("c1", output)
    assert session.events() == []


def test_a_refused_command_was_the_persons_no(session: Rollout) -> None:
    session.call("shell", "c1", command=["bash", "-lc", "rm -r out"])
    session.result("c1", "exec command rejected by user")
    (refusal,) = session.events()
    assert isinstance(refusal, Refusal)
    assert (refusal.act, refusal.kind, refusal.words) == ("rm -r out", "command", "")


def test_a_declined_item_was_the_persons_no(session: Rollout) -> None:
    session.free("apply_patch", "c1", ADD)
    session.done("FileChange", id="c1", changes={"/a.py": {"type": "add"}}, status="declined")
    session.item("custom_tool_call_output", call_id="c1", output="patch rejected by user")
    (refusal,) = session.events()
    assert isinstance(refusal, Refusal)
    assert (refusal.act, refusal.kind) == ("edit /home/ana/shop/a.py", "edit")


@pytest.mark.parametrize(("prompt", "state"), [("", "open"), ("go on", "interrupted")])
def test_a_call_without_result_was_cut_off(session: Rollout, prompt: str, state: str) -> None:
    session.says("test it")
    line = session.call("exec_command", "c1", cmd="make test")
    if prompt:
        session.says(prompt)
    (ran,) = session.events(Ran)
    assert isinstance(ran, Ran)
    assert (ran.state, ran.failed, ran.line) == (state, None, line)


# --------------------------------------------------------------- what goes on running


def test_a_command_that_took_long_is_told_once_with_its_end(session: Rollout) -> None:
    session.call("exec_command", "c1", cmd="make test")
    session.result("c1", running(7, "one\n"))
    session.replies("Waiting.")
    session.call("write_stdin", "c2", session_id=7, chars="")
    session.result("c2", running(7, "two\n"))
    session.call("write_stdin", "c3", session_id=7, chars="")
    line = session.result("c3", exited(1, "2 failed\n"))
    reply, ran = session.events()
    assert isinstance(reply, Reply)
    assert isinstance(ran, Ran)
    assert (ran.command, ran.failed, ran.exit_code) == ("make test", True, 1)
    assert (ran.output, ran.background, ran.line) == ("one\ntwo\n2 failed\n", "", line)


def test_a_command_that_the_agent_left_running_is_in_the_background(session: Rollout) -> None:
    session.call("exec_command", "c1", cmd="npm run dev")
    session.result("c1", running(7, "listening\n"))
    session.call("exec_command", "c2", cmd="curl localhost")
    session.result("c2", exited(0, "hello"))
    session.call("write_stdin", "c3", session_id=7, chars="\x03")
    session.result("c3", exited(130, "bye"))
    served, asked, ended = session.events()
    assert isinstance(served, Ran)
    assert (served.command, served.background, served.output) == ("npm run dev", "7", "listening\n")
    assert isinstance(asked, Ran)
    assert asked.command == "curl localhost"
    assert isinstance(ended, Background)
    assert (ended.id, ended.state) == ("7", "killed")


def test_of_a_long_output_in_pieces_whole_lines_are_kept(session: Rollout) -> None:
    session.call("exec_command", "c1", cmd="make test")
    session.result("c1", running(7, "first\n"))
    for n in range(30):
        session.call("write_stdin", f"w{n}", session_id=7, chars="")
        session.result(f"w{n}", running(7, f"line {n} of the tests, ends here\n" * 20))
    session.call("write_stdin", "last", session_id=7, chars="")
    session.result("last", exited(1, "2 failed"))
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert len(ran.output) < 7_000
    assert ran.output.startswith("first\n")
    assert ran.output.endswith("2 failed")
    lines = ran.output.splitlines()[1:-1]
    assert all(
        line.startswith(("line ", "[... ")) and line.endswith(("here", "]")) for line in lines
    )


def test_a_command_that_began_beside_others_is_told_with_its_end(session: Rollout) -> None:
    session.call("exec_command", "c1", cmd="make test")
    session.call("exec_command", "c2", cmd="ls")
    session.result("c1", running(7))
    session.result("c2", exited(0, "a"))
    session.call("write_stdin", "c3", session_id=7, chars="")
    session.result("c3", exited(0, "passed"))
    told = [(e.command, e.background, e.output) for e in session.events() if isinstance(e, Ran)]
    assert told == [("ls", "", "a"), ("make test", "", "passed")]


def test_what_still_runs_at_the_end_is_in_the_background(session: Rollout) -> None:
    session.call("exec_command", "c1", cmd="npm run dev")
    session.result("c1", running(7))
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert (ran.background, ran.state, ran.failed) == ("7", "done", False)


def test_the_end_that_the_client_itself_tells_counts(session: Rollout) -> None:
    session.call("exec_command", "c1", cmd="make test")
    session.result("c1", running(7))
    session.done(
        "CommandExecution",
        id="c1",
        command=["/bin/bash", "-lc", "make test"],
        status="completed",
        aggregated_output="all passed",
        exit_code=0,
    )
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert (ran.exit_code, ran.output, ran.background) == (0, "all passed", "")


# ------------------------------------------------------------------------------ edits


def test_a_patch_in_a_script_is_an_edit_and_the_rest_a_command(session: Rollout) -> None:
    script = f"cd web && apply_patch <<'EOF'\n{ADD}\nEOF\nnpm test"
    session.call("exec_command", "c1", cmd=script)
    session.result("c1", exited(0, "ok"))
    edited, ran = session.events()
    assert isinstance(edited, Edited)
    assert (edited.path, edited.change, edited.added) == ("/home/ana/shop/web/a.py", "created", 2)
    assert edited.spans == ((1, 2),)
    assert isinstance(ran, Ran)
    assert ran.command == "npm test"


def test_of_what_a_patch_put_in_the_first_24_lines_are_kept(session: Rollout) -> None:
    body = "".join(f"+line {n}\n" for n in range(30))
    patch = f"*** Begin Patch\n*** Add File: a.py\n{body}*** End Patch"
    session.call("shell", "c1", command=["apply_patch", patch])
    session.result("c1", json.dumps({"output": "Success.", "metadata": {"exit_code": 0}}))
    (edited,) = session.events(Edited)
    assert isinstance(edited, Edited)
    assert edited.text.split("\n") == [f"line {n}" for n in range(24)]


@pytest.mark.parametrize("end", ["\nPATCH", "\nPATCH\n", ""])
def test_a_patch_that_a_script_does_not_close_is_one_too(session: Rollout, end: str) -> None:
    session.call("shell", "c1", command=["bash", "-lc", f"apply_patch << 'PATCH'\n{ADD}{end}"])
    session.result("c1", json.dumps({"output": "Success.", "metadata": {"exit_code": 0}}))
    assert [type(event) for event in session.events()] == [Edited]


def test_a_patch_tells_each_file(session: Rollout) -> None:
    patch = (
        "*** Begin Patch\n*** Update File: old.py\n*** Move to: new.py\n@@ def f():\n-a\n+b\n+c\n x\n"
        "*** Delete File: gone.py\n*** Add File: /srv/a.py\n+one\n*** End Patch\n"
    )
    session.free("apply_patch", "c1", patch)
    session.item(
        "custom_tool_call_output",
        call_id="c1",
        output="Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.",
    )
    told = [
        (e.path, e.change, e.to, e.added, e.removed)
        for e in session.events()
        if isinstance(e, Edited)
    ]
    assert told == [
        ("/home/ana/shop/old.py", "renamed", "/home/ana/shop/new.py", 2, 1),
        ("/home/ana/shop/gone.py", "deleted", "", 0, 0),
        ("/srv/a.py", "created", "", 1, 0),
    ]


@pytest.mark.parametrize(
    "output",
    [
        "apply_patch verification failed: Failed to find expected lines in a.py",
        "Exit code: 1\nWall time: 0 seconds\nOutput:\nno",
        "aborted by user",
    ],
)
def test_a_patch_that_did_not_apply_edits_nothing(session: Rollout, output: str) -> None:
    session.free("apply_patch", "c1", ADD)
    session.item("custom_tool_call_output", call_id="c1", output=output)
    assert session.events(Edited) == []


def test_a_failed_patch_in_the_news_edits_nothing(session: Rollout) -> None:
    session.free("apply_patch", "c1", ADD)
    session.news("patch_apply_end", call_id="c1", success=False, changes={"/a.py": {"type": "add"}})
    session.item(
        "custom_tool_call_output", call_id="c1", output="apply_patch verification failed: x\ny"
    )
    (used,) = session.events()
    assert isinstance(used, Used)
    assert used.path.endswith("a.py")
    assert used.error == "apply_patch verification failed: x"


def test_a_failed_patch_that_a_shell_was_given_edits_nothing_and_says_why(session: Rollout) -> None:
    script = (
        "apply_patch << 'PATCH'\n*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"
    )
    session.item(
        "function_call", call_id="c1", name="shell", arguments={"command": ["bash", "-lc", script]}
    )
    output = (
        "failed in sandbox LinuxSeccomp with execution error: sandbox denied exec error, exit code: "
        "1, stdout: , stderr: bash: line 9: warning: here-document at line 1 delimited by "
        "end-of-file (wanted `PATCH')\nFailed to find expected lines in a.py:\nx"
    )
    session.item("function_call_output", call_id="c1", output=output)
    (used,) = session.events()
    assert isinstance(used, Used)
    assert used.error == "Failed to find expected lines in a.py:"


def test_spans_are_lines_of_the_new_file(session: Rollout) -> None:
    diff = (
        "@@ -1,2 +1,3 @@\n a\n+b\n c\n@@ -9,3 +10,1 @@\n-x\n-y\n z\n\\ No newline at end of file\n"
    )
    changes = {"/a.py": {"type": "update", "unified_diff": diff, "move_path": "/b.py"}}
    session.free("apply_patch", "c1", ADD)
    session.news("patch_apply_end", call_id="c1", success=True, changes=changes)
    session.item("custom_tool_call_output", call_id="c1", output="Success.")
    (edited,) = session.events()
    assert isinstance(edited, Edited)
    assert (edited.spans, edited.added, edited.removed) == (((2, 2), (10, 10)), 1, 2)
    assert (edited.text, edited.gone) == ("b", "x\ny")
    assert (edited.change, edited.to) == ("renamed", "/b.py")


# -------------------------------------------------------------------------- code mode


def program(text: str) -> dict[str, Any]:
    return {"name": "exec", "call_id": "c1", "input": text}


def printed(*texts: str) -> list[dict[str, str]]:
    head = "Script completed\nWall time 1.9 seconds\nOutput:\n"
    return [{"type": "input_text", "text": text} for text in (head, *texts)]


@pytest.mark.parametrize(
    ("source", "command", "cwd"),
    [
        ('tools.exec_command({"cmd":"npm test","workdir":"/srv"})', "npm test", "/srv"),
        ("tools.exec_command({cmd:'npm test', workdir:`/srv`})", "npm test", "/srv"),
        ('tools.exec_command({yield_time_ms:9,cmd:"a \\"b\\"\\nc"})', 'a "b"\nc', "/home/ana/shop"),
        (
            "const cmd=`npm test`;\nconst r=await tools.exec_command({cmd,workdir:'/srv'})",
            "npm test",
            "/srv",
        ),
        ("tools.shell_command({command:'npm \\u0074est'})", "npm test", "/home/ana/shop"),
    ],
)
def test_a_command_is_found_in_a_program(
    session: Rollout, source: str, command: str, cwd: str
) -> None:
    session.item("custom_tool_call", **program(f"const r = await {source};\ntext(r.output);"))
    session.item("custom_tool_call_output", call_id="c1", output=printed("1 failed\n"))
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert (ran.command, ran.cwd, ran.output) == (command, cwd, "1 failed\n")
    assert ran.exit_code is None


def test_a_programs_command_whose_result_is_printed_has_its_status(session: Rollout) -> None:
    session.item(
        "custom_tool_call",
        **program("text(JSON.stringify(await tools.exec_command({cmd:'make'})))"),
    )
    shown = json.dumps({"exit_code": 2, "output": "no rule"})
    session.item("custom_tool_call_output", call_id="c1", output=printed(shown))
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert (ran.exit_code, ran.failed, ran.output) == (2, True, "no rule")


@pytest.mark.parametrize(
    ("command", "output", "failed"),
    [
        ("pytest -q", "2 failed, 1 passed in 0.1s", True),
        ("pytest -q", "3 passed in 0.1s", False),
        ("pytest -q", "a line that tells nothing", None),
        ("git commit -m x", "[main 1234567] x", False),
    ],
)
def test_a_check_whose_status_a_program_kept_tells_by_what_it_printed(
    session: Rollout, command: str, output: str, failed: bool | None
) -> None:
    source = f"text((await tools.exec_command({{cmd:'{command}'}})).output)"
    session.item("custom_tool_call", **program(source))
    session.item("custom_tool_call_output", call_id="c1", output=printed(output))
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert (ran.failed, ran.exit_code) == (failed, None)


@pytest.mark.parametrize(
    ("first", "own"),
    [("{cmd: parts.join(' ')}", []), ("{...given}", []), ("{cmd:'a'}", [("a", "/home/ana/shop")])],
)
def test_a_call_in_a_program_takes_nothing_from_the_next(
    session: Rollout, first: str, own: list[tuple[str, str]]
) -> None:
    source = f"tools.exec_command({first}); tools.exec_command({{cmd:'ls', workdir:'/srv'}})"
    session.item("custom_tool_call", **program(source))
    session.item("custom_tool_call_output", call_id="c1", output=printed("a"))
    told = [(event.command, event.cwd) for event in session.events() if isinstance(event, Ran)]
    assert told == [*own, ("ls", "/srv")]


def test_of_several_commands_the_last_has_what_was_printed(session: Rollout) -> None:
    source = "await tools.exec_command({cmd:'make a'}); text((await tools.exec_command({cmd:'make b'})).output)"
    session.item("custom_tool_call", **program(source))
    session.item("custom_tool_call_output", call_id="c1", output=printed("built"))
    told = [(event.command, event.output) for event in session.events() if isinstance(event, Ran)]
    assert told == [("make a", ""), ("make b", "built")]


def test_a_patch_in_a_program_is_an_edit(session: Rollout) -> None:
    source = f"const patch = {json.dumps(ADD)};\ntext(await tools.apply_patch(patch));"
    session.item("custom_tool_call", **program(source))
    session.item("custom_tool_call_output", call_id="c1", output=printed("{}"))
    (edited,) = session.events()
    assert isinstance(edited, Edited)
    assert (edited.path, edited.added) == ("/home/ana/shop/a.py", 2)


def test_what_the_client_tells_of_a_program_wins_over_its_text(session: Rollout) -> None:
    source = f"await tools.exec_command({{cmd:'make'}}); await tools.apply_patch({json.dumps(ADD)})"
    session.item("custom_tool_call", **program(source))
    command = {"command": ["bash", "-lc", "make"], "cwd": "file:///srv", "exit_code": 1}
    session.done(
        "CommandExecution", id="exec-1", aggregated_output="no", status="failed", **command
    )
    changes = {"/srv/a.py": {"type": "add", "content": "one\n"}}
    session.done("FileChange", id="exec-2", changes=changes, status="completed")
    session.item("custom_tool_call_output", call_id="c1", output=printed("{}"))
    ran, edited = session.events()
    assert isinstance(ran, Ran)
    assert (ran.command, ran.cwd, ran.exit_code, ran.output) == ("make", "/srv", 1, "no")
    assert isinstance(edited, Edited)
    assert (edited.path, edited.added) == ("/srv/a.py", 1)


def test_a_program_that_took_long_is_told_with_its_end(session: Rollout) -> None:
    session.item(
        "custom_tool_call", **program("text((await tools.exec_command({cmd:'make'})).output)")
    )
    session.item(
        "custom_tool_call_output",
        call_id="c1",
        output="Script running with cell ID 3\nWall time 10.0 seconds\nOutput:\n",
    )
    session.call("wait", "c2", cell_id="3", yield_time_ms=30000)
    line = session.result("c2", printed("built"))
    (ran,) = session.events()
    assert isinstance(ran, Ran)
    assert (ran.command, ran.output, ran.background, ran.line) == ("make", "built", "", line)


def test_other_tools_of_a_program_are_named(session: Rollout) -> None:
    session.item("custom_tool_call", **program("text(await tools.web__run({search_query:[]}))"))
    session.item("custom_tool_call_output", call_id="c1", output=printed("found"))
    (used,) = session.events()
    assert isinstance(used, Used)
    assert (used.tool, used.detail) == ("exec", "web__run")


# ------------------------------------------------------------------------ other tools


def test_answers_stand_with_their_questions(session: Rollout) -> None:
    options = [{"label": "npm", "description": "as before"}, {"label": "pnpm"}]
    questions = [
        {"id": "tool", "header": "Tool", "question": "Which one?", "options": options},
        {"id": "why", "question": "Why?"},
    ]
    session.call("request_user_input", "c1", questions=questions)
    answers = {"tool": {"answers": ["pnpm"]}, "why": {"answers": ["faster", "smaller"]}}
    session.result("c1", json.dumps({"answers": answers}))
    (asked,) = session.events()
    assert isinstance(asked, Asked)
    assert asked.answered
    assert asked.questions == (
        Question(text="Which one?", options=("npm", "pnpm"), answer="pnpm"),
        Question(text="Why?", answer="faster, smaller"),
    )


def test_a_form_without_answers_is_open(session: Rollout) -> None:
    session.call("request_user_input", "c1", questions=[{"id": "q", "question": "Which one?"}])
    (asked,) = session.events()
    assert isinstance(asked, Asked)
    assert not asked.answered


def test_a_plan_that_did_not_change_is_told_once(session: Rollout) -> None:
    for key in ("c1", "c2"):
        session.call("update_plan", key, plan=[{"step": "fix it", "status": "in_progress"}])
        session.result(key, "Plan updated")
    session.call("update_plan", "c3", plan=[{"step": "later"}])
    session.result("c3", "unsupported call: update_plan")
    assert len(session.events(TodoList)) == 1


def test_an_image_was_looked_at(session: Rollout) -> None:
    session.call("view_image", "c1", path="/tmp/a.png")
    session.result("c1", [{"type": "input_image", "image_url": "data:"}])
    (looked,) = session.events()
    assert isinstance(looked, Looked)
    assert looked.path == "/tmp/a.png"


def test_any_other_tool_is_named_with_its_error(session: Rollout) -> None:
    session.call("mcp__linear__get_issue", "c1", id="AB-1")
    session.result("c1", "Wall time: 1 seconds\nOutput:\nfound")
    session.item("web_search_call", action={"type": "search", "query": "msgspec raw"})
    first, second = session.events()
    assert isinstance(first, Used)
    assert (first.tool, first.detail, first.error) == ("mcp__linear__get_issue", "AB-1", "")
    assert isinstance(second, Used)
    assert (second.tool, second.detail) == ("web_search", "msgspec raw")


def test_a_page_that_a_search_opened_is_told_by_its_address(session: Rollout) -> None:
    session.item("web_search_call", action={"type": "open_page", "url": "https://a.test/b"})
    (used,) = session.events()
    assert isinstance(used, Used)
    assert used.detail == "https://a.test/b"


def test_the_persons_own_command_is_theirs(session: Rollout) -> None:
    told = "<user_shell_command>\n<command>\nmake\n</command>\n</user_shell_command>"
    session.done(
        "CommandExecution",
        id="x",
        command=["bash", "-lc", "make"],
        source="user_shell",
        exit_code=0,
    )
    session.message("user", told)
    (prompt,) = session.events()
    assert isinstance(prompt, Prompt)
    assert (prompt.text, prompt.source) == ("!make", "shell")
