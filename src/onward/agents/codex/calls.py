"""A tool call that waits for its result, what it came to and the events of both, of any generation of
the tools.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import structs

from onward import paths
from onward.agents.codex.records import Body
from onward.model import Edited, Ran
from onward.transcripts import tool_calls, truncation
from onward.transcripts.tool_calls import HERE, End
from onward.transcripts.values import decoded, fields, kinds, listed, whole
from onward.transcripts.values import text as text_in

CALLS: Final = ("function_call", "custom_tool_call", "local_shell_call")
OUTPUTS: Final = ("function_call_output", "custom_tool_call_output")
_PATCH_TOOL: Final = "apply_patch"
PROGRAM: Final = "exec"
_MORE: Final = frozenset({"write_stdin", "wait"})
"""Tools that look after a command or a program that still runs."""
_KINDS: Final = kinds(
    {
        "shell": "shell shell_command exec_command container.exec",
        "patch": _PATCH_TOOL,
        "todo": "update_plan",
        "ask": "request_user_input",
        "read": "view_image read_file",
        "spawn": "spawn_agent",
        "report": "wait_agent close_agent wait",
        "quiet": "list_dir grep_files send_input send_message resume_agent list_agents tool_search "
        "list_mcp_resources list_mcp_resource_templates get_goal create_goal update_goal",
    }
)
_TOOL: Final = re.compile(r"tools\.(?:exec_command|shell_command|shell)\(\s*\{")
_OTHERS: Final = re.compile(r"tools\.(?!exec_command\b|apply_patch\b|write_stdin\b)(\w+)\(")
_CMD: Final = re.compile(r"[{,\s]\"?(?:cmd|command)\"?\s*(?::\s*|(?=[,}]))")
_DIR: Final = re.compile(r"[{,\s]\"?workdir\"?\s*:\s*")
# No text begins behind a backslash: else each of many escaped quotation marks would be tried.
_TEXT: Final = re.compile(
    r"(?<!\\)(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`)", re.DOTALL
)
_NAMED: Final = re.compile(r"\b(?:const|let|var)\s+(cmd|command)\s*=\s*")
_PATCH: Final = "*** Begin Patch"
_MOST: Final = 20  # commands of one program: a loop over more says little
_ESCAPE: Final = re.compile(
    r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\n|.)", re.DOTALL
)
_SIGNS: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\n": ""}
_BASHES: Final = frozenset({"bash", "sh", "zsh", "dash", "ksh", "fish"})
_POWER: Final = frozenset({"powershell", "pwsh", "cmd"})

_HEAD: Final = ("Command: ", "Chunk ID: ", "Exit code: ", "Wall time", "Process ", "Script ")
# From a line's end on, which is found at once, where its beginning would be tried at every letter.
_STATUS: Final = re.compile(r"\n(?:Exit code:|Process exited with code) (-?\d+)")
_RUNNING: Final = re.compile(r"\nProcess running with session ID (\S+)")
_CELL: Final = re.compile(r"\AScript running with cell ID (\S+)")
_BELOW: Final = "\nOutput:\n"
_RESULT: Final = '"output"'
_LONGEST: Final = 8_000
"""Characters within which the head ends; a command of some length may stand in it."""
_COUNTS: Final = re.compile(
    r"(?:(?:Warning: truncated output \([^\n]*\)|Total output lines: \d+)\n+)+"
)
_REFUSED: Final = re.compile(r"[^\n]{0,40}rejected by user")
_ABORTED: Final = re.compile(r"(?:Wall time: [\d.]+ seconds\n)?aborted(?: by user)?")
_SANDBOX: Final = re.compile(
    r"failed in sandbox \w+ with execution error: sandbox denied exec error, "
    r"exit code: (-?\d+), stdout: "
)
_DENIED: Final = re.compile(r"exit_code: (\d+)")
_FAILED: Final = ("failed in sandbox", "execution error: ", "exec_command failed", "Script failed")
_MISUSE: Final = (
    "unsupported call: ",
    "unsupported custom tool call: ",
    "failed to parse function arguments",
    "apply_patch verification failed",
    "error: Failed to find ",
    "error: invalid hunk",
    "error: invalid patch",
    "write_stdin failed",
)
_TIMEOUT: Final = 124


class Call(tool_calls.Call, kw_only=True, gc=False):
    """A tool call that waits. What the news tell of its end before its result comes is noted in it."""

    key: str
    commands: tuple[Ran, ...] = ()  # those that it runs, and where; how they ended is not known yet
    session: str = ""  # the command or program that still runs, after which it looks
    stops: bool = False  # it presses Ctrl-C
    end: End | None = None  # as the news told it
    output: str = ""  # what came of it while it ran
    declined: bool = False
    edited: bool = False  # its edits were told by the news
    ran: bool = False  # its commands were told by the news
    told: bool = False  # it still runs, and was told as one in the background

    @property
    def act(self) -> str:
        """As `tool_calls.Call`."""
        return truncation.one_line(self.commands[0].command) if self.commands else super().act


def call(body: Body, cwd: str) -> Call:
    """Keep of a call what its events will need."""
    (name, kind), given = whose(body), inputs(body)
    made = Call(key=body.call_id or body.id or "", name=name, kind=kind, cwd=cwd)
    workdir = text_in(given, "workdir")
    folder = paths.join(cwd, workdir) if workdir else cwd
    cell, running = (given.get(key) if name in _MORE else None for key in ("cell_id", "session_id"))
    session = f"cell {cell}" if cell else "" if running is None else str(running)
    if kind == "shell":
        _shell(made, given, folder)
    elif kind == "patch":
        made.changes = tool_calls.patched(text_in(given, "input", "patch"), folder)
    elif session:
        made.session, made.stops = session, "\x03" in text_in(given, "chars")
    elif kind == "todo":
        made.given = {"todos": given.get("plan")}
    elif kind in {"ask", "read"}:
        made.given = given
    elif kind == "spawn":
        made.given = {"message": text_in(given, "message") or tool_calls.detail(given)}
    elif name == PROGRAM and (program := text_in(given, "input")):
        _program(made, program, cwd)
    elif kind == "other":
        free = body.type == "custom_tool_call"
        made.detail = truncation.one_line(body.input or "") if free else tool_calls.detail(given)
    return made


def whose(body: Body) -> tuple[str, str]:
    """The name of the tool that is called, and what it does."""
    name = (body.name or "shell").rpartition("functions.")[2]
    if body.type == "local_shell_call" and _KINDS.get(name) != "shell":
        name = "shell"
    return name, _KINDS.get(name, "other")


def inputs(body: Body) -> dict[str, Any]:
    """The input of a call; a text of its own form is its `input`."""
    raw = body.action if body.type == "local_shell_call" else body.arguments
    given = body.input or decoded(raw, "")
    found = decoded(given, given) if isinstance(given, str) and not body.input else given
    return found if isinstance(found, dict) else {"input": found}


def command(given: dict[str, Any]) -> str:
    """What a shell is given, as one script."""
    cmd, words = given.get("cmd"), given.get("command")
    return cmd if isinstance(cmd, str) else script(words if isinstance(words, str | list) else None)


def script(given: Any) -> str:
    """A command as one script: a text, or the words of a program with its shell taken off."""
    if isinstance(given, str):
        return given
    words = [word for word in given or () if isinstance(word, str)]
    if len(words) >= 3:
        shell = words[0].replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
        if shell in _BASHES and words[1].startswith("-") and "c" in words[1]:
            return words[2]
        if shell in _POWER and words[-2].lower() in {"-command", "-c", "/c"}:
            return words[-1]
    return shlex.join(words)


def _shell(made: Call, given: dict[str, Any], folder: str) -> None:
    words = given.get("command")
    if isinstance(words, list) and words[:1] in (["apply_patch"], ["applypatch"]):
        made.changes = tool_calls.patched("\n".join(map(str, words[1:])), folder)
        return
    rest = whole_script = command(given)
    if _PATCH_TOOL in whole_script:
        made.changes, rest = tool_calls.in_script(whole_script, folder)
    asks = given.get("sandbox_permissions") == "require_escalated"
    asks = asks or given.get("with_escalated_permissions") is True
    if rest:
        made.commands = (Ran(line=HERE, command=rest, cwd=folder, escalated=asks),)


def query(body: Body) -> str:
    """What a search of the web is for, or the page that it opened."""
    action = fields(decoded(body.action, {}))
    return str(action.get("query") or action.get("url") or "")


def _program(made: Call, text: str, cwd: str) -> None:
    """The commands, patches and other tools of a program of "code mode" (clients since 0.145), in
    order. There the agent writes JavaScript that calls its tools. It is read, never run: a command
    is found where its text stands in the program, whole; what the program puts together is passed
    over.
    """
    found: list[Ran] = []
    for call in list(_TOOL.finditer(text))[:_MOST]:
        # Up to the next call: an object that is not closed must not take that one's fields.
        following = _TOOL.search(text, call.end())
        rest = text[call.end() - 1 : following.start() if following else len(text)]
        # A name that the program gave a command before may stand there.
        told = _value(rest, _CMD) or (_CMD.search(rest) and _value(text, _NAMED))
        if told:
            folder = _value(rest, _DIR)
            folder = paths.join(cwd, folder) if folder else cwd
            found.append(Ran(line=HERE, command=told, cwd=folder))
    made.commands = tuple(found)
    made.changes = tuple(
        change
        for literal in (_TEXT.finditer(text) if _PATCH in text else ())
        if _PATCH in literal[0] and (given := _literal(literal[0])).lstrip().startswith(_PATCH)
        for change in tool_calls.patched(given, cwd)
    )
    made.detail = ", ".join(dict.fromkeys(_OTHERS.findall(text)))


def _value(rest: str, key: re.Pattern[str]) -> str:
    """The text that a field has; "" where it is not written out."""
    found = key.search(rest)
    literal = _TEXT.match(rest, found.end()) if found else None
    return _literal(literal[0]) if literal else ""


def _literal(source: str) -> str:
    """The text that a JavaScript literal stands for; `${}` stays as it is written."""
    halves = _ESCAPE.sub(_sign, source[1:-1])  # one beyond U+FFFF is escaped as two
    return halves.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _sign(found: re.Match[str]) -> str:
    sign = found[1]
    if sign[0] in "ux" and len(sign) > 1:
        return chr(min(int(sign[1:].strip("{}"), 16), 0x10FFFF))
    return _SIGNS.get(sign, sign)


# --------------------------------------------------------------------------- results
#
# Out of the text that the model was shown. Each generation heads it in its own way; where none
# of them stands there, it is shown as it is and nothing is known of its end.


def failed(end: End) -> bool:
    """Whether a call failed, or a command of a program that printed how each ended."""
    each = _printed(end.text) if end.code is None else []
    return bool(end.went_wrong) or any(whole(one.get("exit_code")) for one in each)


def ended(output: Any) -> End:
    """How a call ended, by its output: a text, or a list of pieces; `background` names what still runs."""
    if isinstance(output, list):
        pieces = (piece.get("text") for piece in output if isinstance(piece, dict))
        first, *more = [piece for piece in pieces if isinstance(piece, str)] or [""]
        return parse(first, "\n".join(more))
    if isinstance(output, dict):
        return parse(msgspec.json.encode(output).decode())
    return parse(output if isinstance(output, str) else "")


def parse(text: str, more: str = "") -> End:
    """The same of a text; `more` is what the script itself printed."""
    if text.startswith('{"output"') and (shown := _json(text)):
        told = fields(shown, "metadata") or shown
        return _ended(text_in(shown, "output"), whole(told.get("exit_code")))
    if text.startswith(_HEAD) and text.find(_BELOW, 0, _LONGEST) >= 0:
        return _headed(text, more)
    return _said(text) or End(text=f"{text}\n{more}" if more else text)


def _said(text: str) -> End | None:
    """What the client itself says of a call that did not end by itself; one that no such tool takes never
    ran.
    """
    if _REFUSED.match(text):
        return End(state="refused")
    if _ABORTED.fullmatch(text.strip()):
        return End(state="interrupted")
    if text.startswith(_MISUSE):
        return End(state="cancelled", text=text, failed=True)
    if denied := _SANDBOX.match(text):
        out, _, err = text[denied.end() :].partition(", stderr: ")
        return _ended("\n".join(part for part in (out, err) if part), int(denied[1]))
    if text.startswith(_FAILED):
        status = _DENIED.search(text)
        cut = text.endswith("execution error: command timed out")
        state: tool_calls.State = "timeout" if cut else "done"
        return End(state=state, text=text, failed=True, code=int(status[1]) if status else None)
    return None


def _headed(text: str, more: str) -> End:
    head, _, body = text.partition(_BELOW)
    lines = f"\n{head}"
    if counts := _COUNTS.match(body):
        body = body[counts.end() :]
    if cell := _CELL.match(head):
        return End(text=body + more, background=f"cell {cell[1]}")
    if running := _RUNNING.search(lines):
        return End(text=body, background=running[1])
    if head.startswith("Script "):
        return End(text=body + more, failed=head.startswith("Script failed"))
    code = _STATUS.search(lines)
    if code is None and body.startswith(("Exit code: ", '{"output"')):
        return parse(body)
    return _ended(body, int(code[1]) if code else None)


def _ended(text: str, code: int | None) -> End:
    if text.startswith(_MISUSE):
        return End(state="cancelled", text=text, failed=True)
    if code == _TIMEOUT and text.startswith("command timed out after "):
        return End(state="timeout", text=text.partition("\n")[2], code=code)
    return End(text=text, failed=bool(code), code=code)


def _printed(text: str) -> list[dict[str, Any]]:
    """What a program printed of its commands: the results among its lines, which are JSON."""
    if _RESULT not in text:
        return []
    lines = (line for line in text.splitlines() if _RESULT in line)
    return [shown for line in lines if line.lstrip().startswith("{") and (shown := _json(line))]


def _json(text: str) -> dict[str, Any]:
    return fields(decoded(text, {}))


# ---------------------------------------------------------------------------- events


def ran(call: Call, end: End) -> Iterator[Ran]:
    """The commands of a call that ended; an output of several in one program stands with the last."""
    in_program = call.name == PROGRAM
    own = _printed(end.text) if in_program else []
    each = in_program and len(own) == len(call.commands)
    for n, one in enumerate(call.commands):
        last = n == len(call.commands) - 1
        code = whole(own[n].get("exit_code")) if each else end.code
        shown = truncation.output(text_in(own[n], "output") if each else end.text if last else "")
        failed = end.failed
        if shown.strip() == _FAILED[0] + ":":  # why, or whether it began, nothing tells
            failed = None
        if code is not None:
            failed = code != 0
        elif in_program and not failed:
            failed = _failed(one, shown)
        state = end.state if end.state in {"interrupted", "timeout"} else "done"
        exit_code = code if each or not in_program else None
        yield structs.replace(one, failed=failed, exit_code=exit_code, output=shown, state=state)


def _failed(ran: Ran, output: str) -> bool | None:
    """Whether a command failed whose status its program kept to itself: its tests, builds and the
    like tell, as they do behind a pipe. None where it ran some and none of them tells.
    """
    from onward.record.checks import checks  # noqa: PLC0415 - slow to import, and few programs need it

    piped = Ran(line=0, command=f"{ran.command} | cat", failed=False, output=output)
    outcomes = {check.outcome for check in checks(piped)}
    if "failed" in outcomes:
        return True
    return None if outcomes and "passed" not in outcomes else False


def answers(call: Call, text: str) -> Iterator[Any]:
    """Those to a form of questions, if there were any: they stand by the questions' ids."""
    told = fields(_json(text), "answers") if call.kind == "ask" else {}
    for one in listed(call.given, "questions"):
        yield fields(told, text_in(one, "id")).get("answers") or ""


def told(path: str, one: dict[str, Any]) -> Edited:
    """What became of one file by a patch that was applied, as the client's news tell it."""
    content = text_in(one, "content")
    put = tool_calls.replaced([("", content)])
    if one.get("type") == "delete":
        return Edited(line=HERE, path=path, change="deleted", removed=put.added)
    if one.get("type") == "add":
        return structs.replace(tool_calls.new_file(put), path=path, change="created")
    to = text_in(one, "move_path")
    diff = tool_calls.unified(text_in(one, "unified_diff"))
    return structs.replace(diff, path=path, change="renamed" if to else "edited", to=to)
