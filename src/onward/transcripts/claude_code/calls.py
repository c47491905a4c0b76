"""A tool call that waits, its result, and what became of it."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final, Literal

import msgspec
from msgspec import Raw, Struct

from onward.decode import UNREADABLE, lenient
from onward.transcripts import truncation
from onward.transcripts.claude_code.provenance import is_refusal, text_of
from onward.transcripts.claude_code.records import Block, Extra, Input
from onward.transcripts.diff import Diff, counted

SHELLS: Final = frozenset({"Bash", "PowerShell"})
EDITORS: Final = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
PLANS: Final = frozenset({"ExitPlanMode", "exit_plan_mode"})
AGENTS: Final = frozenset({"Task", "Agent"})

TODO: Final = frozenset({"TodoWrite", "TaskCreate", "TaskUpdate", "TaskList"})
NEWS: Final = frozenset({"TaskOutput", "AgentOutputTool", "BashOutput"})
KILLS: Final = frozenset({"KillShell", "KillBash", "TaskStop"})
READERS: Final = frozenset({"Read", "NotebookRead"})
SEARCHES: Final = frozenset({"Grep", "Glob"})
QUIET: Final = (
    TODO
    | NEWS
    | KILLS
    | READERS
    | SEARCHES
    | frozenset({"LS", "LSP", "ToolSearch", "EnterPlanMode", "TaskGet"})
)
"""Tools that only look, or that news are told of in another way."""
_DIGITS: Final = 9
"""Digits that no number of lines has."""
_NAMED: Final = SHELLS | EDITORS | PLANS | QUIET

Verdict = Literal["done", "refused", "denied", "cancelled", "misuse", "failed"]

_REJECTED: Final = b'"User rejected tool use"'
"""What an older client notes beside a refusal of any tool."""
_WORDS: Final = "To tell you how to proceed, the user said:\n"
_NOTE: Final = "\n\nNote: The user's next message may contain a correction"
_CLARIFY: Final = "The user wants to clarify these questions"
_CANCELLED: Final = re.compile(
    r"<tool_use_error>.*(?:Sibling tool call errored|Cancelled: parallel tool call)", re.DOTALL
)
_AGAIN: Final = "Streaming fallback triggered"
"""How the client drops a call when it asks the model anew: what it ran is not known."""
_DENIED: Final = re.compile(
    r"This command requires approval|Claude requested permissions to |[^\n]{0,200}needs approval"
    r"|A variable in this command can't be checked|Permission to use .{1,80} has been denied"
    r"|[^\n]{0,200}denied by your permission settings"
)


class Call(Struct, frozen=True, kw_only=True):
    """A tool call that waits for its result. File contents are not kept."""

    name: str
    line: int
    at: str
    cwd: str
    input: Input
    detail: str = ""
    put: Diff = Diff()
    """What an edit puts into a file, as far as its input tells."""

    @property
    def path(self) -> str:
        """The file it is about."""
        return self.input.file_path or self.input.notebook_path

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last line that it asks for; 0 where it does not say."""
        first, many = _whole(self.input.offset), _whole(self.input.limit)
        return (first, max(first, 1) + many - 1) if many else (first, 0)

    @property
    def act(self) -> str:
        """What it would do, in one line."""
        if self.name in SHELLS:
            return truncation.one_line(self.input.command)
        if self.name in EDITORS:
            return f"edit {self.path}"
        if self.name in PLANS:
            return truncation.one_line(title(self.input.plan))
        if self.input.questions:
            return truncation.one_line(self.input.questions[0].question)
        return truncation.one_line(f"{self.name}: {self.detail}" if self.detail else self.name)


def _whole(number: float | str) -> int:
    """A number of lines as a client writes it; 0 for none, and for what no file has."""
    found = str(number).partition(".")[0]
    return int(found) if found.isdecimal() and len(found) < _DIGITS else 0


class Result:
    """The result of one call. Text and `toolUseResult` are decoded only when looked at: most
    of a transcript's bytes are results that nobody asks for.
    """

    def __init__(  # noqa: PLR0917 - the fields of one record
        self, line: int, at: str, block: Block, extra: Raw, denial: str, version: str = ""
    ) -> None:
        self.line = line
        self.at = at
        self.is_error = bool(block.is_error)
        self.decided = False
        """Whether the record says who let the call happen, or did not."""
        self._block = block
        self._extra = extra
        self._denial = denial
        self._version = version
        self.foreign = False
        """Whether a server of somebody else's wrote the result."""

    @cached_property
    def text(self) -> str:
        """What the agent was shown."""
        return text_of(self._block.content)

    @cached_property
    def extra(self) -> Extra | None:
        """What the client noted beside it: missing on failures and in sub-agents' files."""
        raw = bytes(self._extra)
        if not raw.startswith(b"{"):
            return None
        try:
            return _EXTRA.decode(raw)
        except UNREADABLE:
            return lenient(raw, Extra)

    @property
    def verdict(self) -> Verdict:
        """What became of the call."""
        if not self.is_error:
            return "done"
        text = self.text[:400]
        foreign = self.foreign and bytes(self._extra) != _REJECTED
        if is_refusal(text, self._denial, self._version, foreign=foreign):
            return "refused"
        if self._denial or (_DENIED.match(text) and not self.foreign):
            return "denied"
        if text == _AGAIN or _CANCELLED.match(text):
            return "cancelled"
        if text.startswith(("<tool_use_error>", "InputValidationError")):
            return "misuse"
        return "failed"

    @property
    def words(self) -> str:
        """What the user said instead, "" if nothing."""
        _, _, words = self.text.partition(_WORDS)
        words = words.partition(_NOTE)[0].strip()
        return "" if words.startswith(_CLARIFY) else words


_INPUT: Final = msgspec.json.Decoder(Input)
_EXTRA: Final = msgspec.json.Decoder(Extra)


def title(plan: str) -> str:
    """The first line of a plan, without its heading mark."""
    first = next((line for line in plan.splitlines() if line.strip()), "")
    return first.lstrip("# ").removeprefix("Plan:").strip()


def call(block: Block, line: int, at: str, cwd: str) -> Call:
    """Keep of a call what its event will need."""
    name, put, detail = block.name, Diff(), ""
    try:
        given = _INPUT.decode(block.input)
    except UNREADABLE:
        given = lenient(block.input, Input)
    if name in EDITORS:
        put = _put(given)
        given = Input(file_path=given.file_path, notebook_path=given.notebook_path)
    elif name not in _NAMED:
        detail = truncation.detail(block.input)
    return Call(
        name=name,
        line=line,
        at=at,
        cwd=cwd,
        input=given,
        detail=detail,
        put=put,
    )


def _put(given: Input) -> Diff:
    changes = [(edit.old_string, edit.new_string) for edit in given.edits]
    changes = changes or [(given.old_string, given.new_string or given.content or given.new_source)]
    return Diff(
        text=truncation.first_lines(changes[0][1]),
        added=sum(counted(new) for _, new in changes),
        removed=sum(counted(old) for old, _ in changes),
    )
