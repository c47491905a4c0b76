"""A tool call that waits for its result, of any generation of the tools."""

from __future__ import annotations

import shlex
from typing import Final

import msgspec
from msgspec import Raw, Struct

from onward.decode import UNREADABLE, lenient
from onward.transcripts import truncation
from onward.transcripts.codex import patch, program
from onward.transcripts.codex.patch import Change
from onward.transcripts.codex.records import Body, Input, Query, Script, Step

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
_BASHES: Final = frozenset({"bash", "sh", "zsh", "dash", "ksh", "fish"})
_POWER: Final = frozenset({"powershell", "pwsh", "cmd"})

_INPUT: Final = msgspec.json.Decoder(Input)


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
        made.message = given.message or _detail(raw)
    elif name not in QUIET:
        made.detail = _detail(raw)
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
        found = program.read(text)
        made.commands = tuple(
            Command(one.text, patch.joined(cwd, one.folder) if one.folder else cwd)
            for one in found.commands
        )
        made.changes = tuple(one for each in found.patches for one in patch.changes(each, cwd))
        made.detail = ", ".join(found.others)
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


def _detail(raw: bytes) -> str:
    """An input in one line: its short values, in the order they were given."""
    try:
        given = msgspec.json.decode(raw, type=dict[str, Raw]) if raw else {}
        values = [msgspec.json.decode(value) for value in given.values() if len(bytes(value)) < 400]
    except UNREADABLE:
        return ""
    return truncation.one_line(
        " · ".join(str(v) for v in values if isinstance(v, str | int | float))
    )


def query(body: Body) -> str:
    """What a search of the web is for."""
    try:
        given = msgspec.json.decode(body.action, type=dict[str, msgspec.Raw])
        return str(msgspec.json.decode(given["query"])) if "query" in given else ""
    except UNREADABLE:
        return ""
