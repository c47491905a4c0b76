"""A tool call that waits for its result, and what it came to, of any generation of the tools."""

from __future__ import annotations

import json
import re
import shlex
from typing import Final, Literal

import msgspec
from msgspec import Struct

from onward.decode import UNREADABLE, lenient
from onward.transcripts import truncation
from onward.transcripts.codex import patch
from onward.transcripts.codex.patch import Change
from onward.transcripts.codex.records import Body, Input, Output, Query, Script, Shown, Step

CALLS: Final = ("function_call", "custom_tool_call", "local_shell_call")
OUTPUTS: Final = ("function_call_output", "custom_tool_call_output")
SHELLS: Final = frozenset({"shell", "shell_command", "exec_command", "container.exec"})
PATCH: Final = "apply_patch"
PROGRAM: Final = "exec"
MORE: Final = frozenset({"write_stdin", "wait"})
"""Tools that look after a command or a program that still runs."""
PLAN: Final = "update_plan"
FORM: Final = "request_user_input"
READERS: Final = frozenset({"view_image", "read_file"})
SPAWN: Final = "spawn_agent"
REPORTS: Final = frozenset({"wait_agent", "close_agent", "wait"})
QUIET: Final = frozenset(
    {
        "list_dir",
        "grep_files",
        "send_input",
        "send_message",
        "resume_agent",
        "list_agents",
        "tool_search",
        "list_mcp_resources",
        "list_mcp_resource_templates",
        "get_goal",
        "create_goal",
        "update_goal",
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
_MOST: Final = 20
"""Commands of one program: a loop over more says little."""
_ESCAPE: Final = re.compile(
    r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\n|.)", re.DOTALL
)
_SIGNS: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\n": ""}
_BASHES: Final = frozenset({"bash", "sh", "zsh", "dash", "ksh", "fish"})
_POWER: Final = frozenset({"powershell", "pwsh", "cmd"})

_INPUT: Final = msgspec.json.Decoder(Input)
Kind = Literal["done", "failed", "running", "refused", "interrupted", "timeout", "misuse"]

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
_SHOWN: Final = msgspec.json.Decoder(Shown)


class Command(Struct, frozen=True):
    """A shell command of a call, and where it runs."""

    text: str
    cwd: str = ""


class Call(Struct, kw_only=True, gc=False):
    """A tool call that waits; contents of files are not kept. What the news tell of its end
    before its result comes is noted in it.
    """

    key: str
    name: str
    line: int
    at: str
    commands: tuple[Command, ...] = ()
    changes: tuple[Change, ...] = ()
    session: str = ""
    """What it looks after, of `MORE`."""
    stops: bool = False
    """It presses Ctrl-C."""
    plan: tuple[Step, ...] = ()
    questions: tuple[Query, ...] = ()
    path: str = ""
    message: str = ""
    detail: str = ""
    code: int | None = None
    output: str = ""
    declined: bool = False
    edited: bool = False
    """Its edits were told by the news."""
    ran: bool = False
    """Its commands were told by the news."""

    @property
    def act(self) -> str:
        """What it would do, in one line."""
        if self.commands:
            return truncation.one_line(self.commands[0].text)
        if self.changes:
            return truncation.one_line(f"edit {', '.join(one.path for one in self.changes)}")
        if self.questions:
            return truncation.one_line(self.questions[0].question)
        return truncation.one_line(f"{self.name}: {self.detail}" if self.detail else self.name)


def call(line: int, at: str, body: Body, cwd: str) -> Call:
    """Keep of a call what its events will need."""
    name = (body.name or "shell").rpartition("functions.")[2]
    made = Call(key=body.call_id or body.id or "", name=name, line=line, at=at)
    if body.type == "custom_tool_call":
        _free(made, body.input or "", cwd)
        return made
    raw = arguments(body)
    given = _input(raw)
    folder = patch.joined(cwd, given.workdir) if given.workdir else cwd
    if name in SHELLS or body.type == "local_shell_call":
        made.name = name if name in SHELLS else "shell"
        _shell(made, given, folder)
    elif name == PATCH:
        made.changes = patch.changes(given.input or given.patch or "", folder)
    elif name in MORE and (session := _session(given)):
        made.session, made.stops = session, "\x03" in (given.chars or "")
    elif name == PLAN:
        made.plan = given.plan or ()
    elif name == FORM:
        made.questions = given.questions or ()
    elif name in READERS:
        made.path = given.path or given.file_path or ""
    elif name == SPAWN:
        made.message = given.message or truncation.detail(raw)
    elif name not in QUIET:
        made.detail = truncation.detail(raw)
    return made


def script(given: Script) -> str:
    """A command as one script: a text, or the words of a program with its shell taken off."""
    if isinstance(given, str):
        return given
    words = given or ()
    if len(words) >= 3:
        shell = words[0].replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
        if shell in _BASHES and words[1].startswith("-") and "c" in words[1]:
            return words[2]
        if shell in _POWER and words[-2].lower() in {"-command", "-c", "/c"}:
            return words[-1]
    return shlex.join(words)


def _free(made: Call, text: str, cwd: str) -> None:
    """A tool whose input is a text of its own form: a patch, or a program."""
    if made.name == PATCH:
        made.changes = patch.changes(text, cwd)
    elif made.name == PROGRAM:
        _program(made, text, cwd)
    else:
        made.detail = truncation.one_line(text)


def _shell(made: Call, given: Input, folder: str) -> None:
    words = given.command
    if isinstance(words, tuple) and words[:1] in {(PATCH,), ("applypatch",)}:
        made.changes = patch.changes("\n".join(words[1:]), folder)
        return
    text = given.cmd if given.cmd is not None else script(given.command)
    made.changes, rest = patch.in_script(text, folder) if PATCH in text else ((), text)
    made.commands = (Command(rest, folder),) if rest else ()


def _session(given: Input) -> str:
    """The id of what still runs, as its result named it."""
    if cell := bytes(given.cell_id).decode(errors="replace").strip('"'):
        return f"cell {cell}"
    return bytes(given.session_id).decode(errors="replace").strip('"')


def arguments(body: Body) -> bytes:
    """The input as JSON: most often it stands in a text."""
    if body.type == "local_shell_call":
        return bytes(body.action)
    given = body.arguments
    return given.encode() if isinstance(given, str) else msgspec.json.encode(given or {})


def _input(raw: bytes) -> Input:
    if not raw:
        return Input()
    try:
        return _INPUT.decode(raw)
    except UNREADABLE:
        return lenient(raw, Input)


def query(body: Body) -> str:
    """What a search of the web is for."""
    try:
        given = msgspec.json.decode(body.action, type=dict[str, msgspec.Raw])
        return str(msgspec.json.decode(given["query"])) if "query" in given else ""
    except UNREADABLE:
        return ""


def _program(made: Call, text: str, cwd: str) -> None:
    """The commands, patches and other tools of a program of "code mode" (clients since 0.145), in
    order. There the agent writes JavaScript that calls its tools. It is read, never run: a command
    is found where its text stands in the program, whole; what the program puts together is passed
    over.
    """
    found: list[Command] = []
    for call in list(_TOOL.finditer(text))[:_MOST]:
        # Up to the next call: an object that is not closed must not take that one's fields.
        following = _TOOL.search(text, call.end())
        rest = text[call.end() - 1 : following.start() if following else len(text)]
        if command := _value(rest, _CMD) or _named(rest, text):
            folder = _value(rest, _DIR)
            found.append(Command(command, patch.joined(cwd, folder) if folder else cwd))
    made.commands = tuple(found)
    made.changes = tuple(
        change
        for literal in (_TEXT.finditer(text) if _PATCH in text else ())
        if _PATCH in literal[0] and (given := _literal(literal[0])).lstrip().startswith(_PATCH)
        for change in patch.changes(given, cwd)
    )
    made.detail = ", ".join(dict.fromkeys(_OTHERS.findall(text)))


def _named(rest: str, program: str) -> str:
    """A command that the program gave a name before."""
    named = _NAMED.search(program)
    literal = _TEXT.match(program, named.end()) if named and _CMD.search(rest) else None
    return _literal(literal[0]) if literal else ""


def _value(rest: str, key: re.Pattern[str]) -> str:
    """The text that a field has; "" where it is not written out."""
    found = key.search(rest)
    literal = _TEXT.match(rest, found.end()) if found else None
    return _literal(literal[0]) if literal else ""


def _literal(source: str) -> str:
    """The text that a JavaScript literal stands for; `${}` stays as it is written."""
    if source.startswith('"'):
        try:
            return str(json.loads(source, strict=False))
        except ValueError:
            pass
    return _ESCAPE.sub(_sign, source[1:-1])


def _sign(found: re.Match[str]) -> str:
    sign = found[1]
    if sign[0] in "ux" and len(sign) > 1:
        return chr(min(int(sign[1:].strip("{}"), 16), 0x10FFFF))
    return _SIGNS.get(sign, sign)


# --------------------------------------------------------------------------- results
#
# Out of the text that the model was shown. Each generation heads it in its own way; where none
# of them stands there, it is shown as it is and nothing is known of its end.


class Result(Struct, frozen=True):
    """What a call came to. `code` is None where the status is not told; `session` names what
    still runs.
    """

    kind: Kind = "done"
    text: str = ""
    code: int | None = None
    session: str = ""


def result(output: Output) -> Result:
    """The result behind an output: a text, or a list of pieces."""
    if isinstance(output, tuple):
        first, *more = [part.text for part in output if part.text is not None] or [""]
        return parse(first, "\n".join(more))
    if isinstance(output, dict):
        return parse(msgspec.json.encode(output).decode(errors="replace"))
    return parse(output or "")


def parse(text: str, more: str = "") -> Result:
    """The result that a text tells; `more` is what the script itself printed."""
    if text.startswith('{"output"') and (shown := _json(text)):
        code = shown.metadata.exit_code if shown.metadata else shown.exit_code
        return _ended(shown.output or "", code)
    if text.startswith(_HEAD) and text.find(_BELOW, 0, _LONGEST) >= 0:
        return _headed(text, more)
    return _said(text) or Result("done", f"{text}\n{more}" if more else text)


def _said(text: str) -> Result | None:
    """What the client itself says of a call that did not end by itself."""
    if _REFUSED.match(text):
        return Result("refused")
    if _ABORTED.fullmatch(text.strip()):
        return Result("interrupted")
    if text.startswith(_MISUSE):
        return Result("misuse", text)
    if denied := _SANDBOX.match(text):
        out, _, err = text[denied.end() :].partition(", stderr: ")
        return _ended("\n".join(part for part in (out, err) if part), int(denied[1]))
    if text.startswith(_FAILED):
        status = _DENIED.search(text)
        return Result("failed", text, int(status[1]) if status else None)
    return None


def _headed(text: str, more: str) -> Result:
    head, _, body = text.partition(_BELOW)
    lines = f"\n{head}"
    if counts := _COUNTS.match(body):
        body = body[counts.end() :]
    if cell := _CELL.match(head):
        return Result("running", body + more, session=f"cell {cell[1]}")
    if running := _RUNNING.search(lines):
        return Result("running", body, session=running[1])
    if head.startswith("Script failed"):
        return Result("failed", body + more)
    if head.startswith("Script "):
        return Result("done", body + more)
    code = _STATUS.search(lines)
    if code is None and body.startswith(("Exit code: ", '{"output"')):
        return parse(body)
    return _ended(body, int(code[1]) if code else None)


def _ended(text: str, code: int | None) -> Result:
    if text.startswith(_MISUSE):
        return Result("misuse", text)
    if code == _TIMEOUT and text.startswith("command timed out after "):
        return Result("timeout", text.partition("\n")[2], code)
    return Result("failed" if code else "done", text, code)


def printed(text: str) -> list[Shown]:
    """What a program printed of its commands: the results among its lines, which are JSON."""
    if _RESULT not in text:
        return []
    lines = (line for line in text.splitlines() if _RESULT in line)
    return [shown for line in lines if line.lstrip().startswith("{") and (shown := _json(line))]


def _json(text: str) -> Shown | None:
    try:
        return _SHOWN.decode(text)
    except UNREADABLE:
        return None
