"""The client's tools: what each does, what became of a call, and the events of both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final, Literal

from msgspec import Raw
from msgspec.structs import replace

from onward.agents.claude_code.records import (
    INTERRUPTED,
    REFUSED,
    Block,
    News,
    Record,
)
from onward.model import Edited, Event, Looked, Planned, Refusal
from onward.transcripts import tool_calls
from onward.transcripts.tool_calls import HERE, Call, End, TodoBook
from onward.transcripts.values import (
    decoded,
    fields,
    kinds,
    listed,
    strings,
    text,
    text_of,
    whole,
    within,
)

KINDS: Final = kinds(
    {
        "shell": "Bash PowerShell",
        "edit": "Edit Write MultiEdit NotebookEdit",
        "plan": "ExitPlanMode exit_plan_mode",
        "agent": "Task Agent",
        "todo": "TodoWrite TaskCreate TaskUpdate TaskList",
        "news": "TaskOutput AgentOutputTool BashOutput",
        "kill": "KillShell KillBash TaskStop",
        "read": "Read NotebookRead",
        "search": "Grep Glob",
        "look": "LS LSP ToolSearch EnterPlanMode TaskGet",
        "ask": "AskUserQuestion",
    }
)
Verdict = Literal["done", "refused", "denied", "cancelled", "misuse", "failed"]

_REJECTED: Final = b'"User rejected tool use"'
"""What an older client notes beside a refusal of any tool."""
_WORDS: Final = (
    "To tell you how to proceed, the user said:\n",
    "The user provided the following reason for the rejection:",  # in the VS Code extension
)
_NOTE: Final = "\n\nNote: The user's next message may contain a correction"
_CLARIFY: Final = "The user wants to clarify these questions"
_CANCELLED: Final = re.compile(
    r"<tool_use_error>.*(?:Sibling tool call errored|Cancelled: parallel tool call)", re.DOTALL
)
_MISUSE: Final = "<tool_use_error>"
_AGAIN: Final = "Streaming fallback triggered"
"""How the client drops a call when it asks the model anew: what it ran is not known."""
_DENIED: Final = re.compile(
    r"This command requires approval|Claude requested permissions to |[^\n]{0,200}needs approval"
    r"|A variable in this command can't be checked|Permission to use .{1,80} has been denied"
    r"|[^\n]{0,200}denied by your permission settings"
)
_RESET: Final = re.compile(r"\n?^Shell cwd was reset to [^\n]*\n?\Z", re.MULTILINE)
"""What the client itself says below an output."""
_EXIT: Final = re.compile(r"Exit code (\d+)(?:\n|$)")
_TIMEOUT: Final = re.compile(r"(?:Exit code \d+\n)?Command timed out after ")
_HIT: Final = re.compile(r"^([^\s:*?\"<>|]{1,300}\.[A-Za-z]\w{0,9})[:-]\d+[:-]", re.MULTILINE)
_FILE: Final = re.compile(r"[^/\\]\.[A-Za-z]\w{0,9}$")
_FEW: Final = 8  # a search that hit more files than this has shown too little of each
_MANY: Final = 40
"""Files that one command changed: of a formatter run over everything the first tell enough."""
_BY_GIT: Final = re.compile(
    r"\b(?:git|jj)\b[^\n|;&]{0,300}\s(?:checkout|switch|restore|merge|pull|reset|stash|rebase|revert|cherry-pick|am|worktree|edit|new|undo|abandon)\b"
)


class Result:
    """The result of one call, decoded only when looked at: most of them nobody asks for."""

    def __init__(self, record: Record, block: Block, extra: Raw, line: int = HERE) -> None:
        self.line = line
        self.at = record.timestamp or ""
        self.is_error = bool(block.is_error)
        self.decided = record.permission_decision is not None
        """Whether the record says who let the call happen, or did not."""
        self.foreign = False
        """Whether a server of somebody else's wrote the result."""
        self.version = record.version or ""
        self._denial = record.tool_denial_kind or ""
        self._block = block
        self._extra = extra

    @cached_property
    def text(self) -> str:
        """What the agent was shown."""
        return text_of(self._block.content)

    def shown(self, *, patched: bool) -> str:
        """The same for a user, with the patch that the client noted beside it where it is to be `patched`."""
        parts = [text_of(self._block.content, named=True)]
        for hunk in listed(self.extra, "structuredPatch") if patched else ():
            parts += (f"@@ line {hunk.get('newStart')} @@", *strings(hunk.get("lines")))
        return tool_calls.show_result("\n".join(parts), well=not self.is_error)

    @cached_property
    def extra(self) -> dict[str, Any]:
        """What the client noted beside it: nothing on failures and in sub-agents' files."""
        return fields(decoded(self._extra, {}))

    @cached_property
    def verdict(self) -> Verdict:
        """What became of the call."""
        if not self.is_error:
            return "done"
        told = self.text[:400]
        if self._is_refused(told):
            return "refused"
        if self._denial or (_DENIED.match(told) and not self.foreign):
            return "denied"
        if told == _AGAIN or _CANCELLED.match(told):
            return "cancelled"
        if told.startswith((_MISUSE, "InputValidationError")):
            return "misuse"
        return "failed"

    def _is_refused(self, told: str) -> bool:
        """Whether the user refused the call. Clients since 2.1.198 mark it (`toolDenialKind`); of older
        ones the client's own sentence is believed, but not from a server of somebody else's.
        """
        numbers = [int(part) for part in re.findall(r"\d{1,9}", self.version)[:3]]
        if self._denial or numbers >= [2, 1, 198]:
            return self._denial == "user-rejected"
        foreign = self.foreign and bytes(self._extra) != _REJECTED
        return told.startswith(REFUSED) and not foreign

    @property
    def words(self) -> str:
        """What the user said instead, "" if nothing."""
        words = next((w for lead in _WORDS if (w := self.text.partition(lead)[2])), "")
        words = words.partition(_NOTE)[0].strip()
        return "" if words.startswith(_CLARIFY) else words


def called(block: Block) -> Call:
    """Keep of a call what its event will need."""
    given = fields(decoded(block.input, {}))
    call = Call(name=block.name, kind=KINDS.get(block.name, "other"), given=given)
    if call.kind == "agent":
        call.detail = tool_calls.detail(given)
    return tool_calls.called(call)


def ended(call: Call, result: Result) -> End:
    """How a call ended."""
    extra, verdict = result.extra, result.verdict
    if call.kind == "shell" and verdict in {"denied", "cancelled"}:
        return End(state="denied" if verdict == "denied" else "cancelled")
    told = result.text
    if verdict == "misuse":
        told = told.removeprefix(_MISUSE).removesuffix(_MISUSE.replace("<", "</"))
    end = End(text=told, failed=result.is_error)
    if verdict == "refused":
        end.state, end.words = "refused", result.words
    if call.kind == "shell":
        _ran(end, result)
    elif call.kind == "edit":
        end.path = text(extra, "filePath")
        is_new = not extra and result.text.startswith("File created")
        end.created = extra.get("type") == "create" or is_new
        end.by_user = extra.get("userModified") is True
        end.diff = _diff(listed(extra, "structuredPatch"))
    elif call.kind == "ask" and not result.is_error:
        end.answers = tuple(_answers(call, result))
    return end


def _ran(end: End, result: Result) -> None:
    """How a shell command ended: 0 where success is sure, not for a benign 1 or a running task."""
    extra = result.extra
    parts = (text(extra, "stdout"), text(extra, "stderr"))
    shown = "\n".join(part.rstrip("\n") for part in parts if part)
    code = _EXIT.match(result.text) if result.is_error else None
    if code and not shown:
        shown = result.text[code.end() :]
    end.text = _RESET.sub("", shown if extra else shown or result.text)
    end.background = text(extra, "backgroundTaskId")
    interrupted = extra.get("interrupted") is True
    unsure = text(extra, "returnCodeInterpretation") or end.background or interrupted
    end.code = int(code[1]) if code else None if result.is_error or unsure else 0
    if result.is_error and _TIMEOUT.match(result.text):
        end.state = "timeout"
    elif interrupted or (result.is_error and INTERRUPTED in result.text[:200]):
        end.state = "interrupted"


def _answers(call: Call, result: Result) -> Iterator[str]:
    """Those to each question, with what the user wrote beside them."""
    # The agent was shown `"Question"="Answer", ...`.
    answers = fields(result.extra, "answers") or dict(
        re.findall(r'"([^"\n]+)"="([^"]*)"', result.text)
    )
    for one in listed(call.given, "questions"):
        question = text(one, "question")
        answer = tool_calls.chosen(answers.get(question, ""))
        note = text(fields(result.extra, "annotations", question), "notes")
        if note and note not in answer:
            answer = f"{answer} ({note})" if answer else note
        yield answer


def refused(call: Call, result: Result, *, stopped: bool = False) -> Iterator[Event]:
    """The user said no to a call: to a plan and to questions that stands in two events. Where they
    `stopped` it while it ran, a shell command may have done a part.
    """
    if stopped:
        if call.kind == "shell":
            yield tool_calls.ran(call, End(state="interrupted", failed=None))
    elif call.kind == "plan":
        yield planned(call, result)
        yield Refusal(line=HERE, act=call.act, words=result.words, kind="plan")
    else:
        yield from tool_calls.refused(call, ended(call, result))


def planned(call: Call, result: Result | None) -> Planned:
    """A plan and the answer to it, if there is a result; the user may have edited it."""
    extra = result.extra if result else {}
    return Planned(
        line=HERE,
        text=text(extra, "plan") or text(call.given, "plan"),
        approved=None if result is None else not result.is_error,
        path=text(call.given, "planFilePath") or text(extra, "filePath"),
        words=result.words if result and result.is_error else "",
    )


def noted(book: TodoBook, call: Call, result: Result) -> bool:
    """Bring the task list up to date; whether it changed."""
    given, extra = call.given, result.extra
    doing = text(given, "activeForm")
    if call.name == "TodoWrite":
        return book.replace(tool_calls.entries(given))
    if call.name == "TaskList":
        is_told = isinstance(extra.get("tasks"), list)
        return is_told and book.replace(tool_calls.entries(extra, "tasks"))
    if call.name == "TaskCreate":
        made = fields(extra, "task")
        # "Task #3 created successfully: ...": sub-agents' files have only the text.
        key = text(made, "id") or result.text.partition("#")[2].partition(" ")[0]
        title = text(given, "subject") or text(made, "subject")
        return bool(key) and book.put(key, title, doing=doing)
    key, status = text(given, "taskId"), text(given, "status")
    if extra.get("success") is False:
        # The client throws a finished list away: what is ticked off after that is not found.
        gone = result.text.startswith("Task not found") and status == "completed"
        return gone and key in {one.id for one in book.items} and book.put(key, "", status)
    # Replayed from the input: an update to a status that it had already says nothing else.
    return book.put(key, text(given, "subject"), status, doing)


def searched(call: Call, result: Result) -> Iterator[Event]:
    """A search, and the file that it was told to search, else those few whose lines it printed."""
    one = text(call.given, "path")
    yield tool_calls.searched(call, result.text)
    if call.name == "Glob":
        return
    hits = dict.fromkeys(_HIT.findall(result.text)) if ":" in result.text else {}
    if _FILE.search(one) and result.text and not result.text.startswith("No "):
        hits = {one: None}
    for path in hits if len(hits) <= _FEW else ():
        yield Looked(line=HERE, path=path)


def looked_after(call: Call, result: Result) -> News:
    """What the agent was told when it asked after a background task."""
    extra, given = result.extra, call.given
    job = fields(extra, "task")
    return News(
        text(job, "task_id") or text(extra, "shellId") or text(given, "task_id", "bash_id"),
        text(job, "status") or text(extra, "status") or within(result.text, "status"),
        text(job, "output")
        or text(extra, "stdout")
        or within(result.text, "output")
        or within(result.text, "stdout"),
    )


def changed(call: Call, result: Result) -> Iterator[Edited]:
    """The files that a shell command changed, as the client saw it. What git put there is no edit."""
    seen = fields(result.extra, "bashEditDiff")
    if not seen or _BY_GIT.search(text(call.given, "command")):
        return
    patches = {text(patch, "filePath"): patch for patch in listed(seen, "files")}
    for path in list(dict.fromkeys((*patches, *strings(seen.get("changedFiles")))))[:_MANY]:
        patch = patches.get(path, {})
        hunks = listed(patch, "hunks")
        told = _diff(hunks)
        kind: tool_calls.Kind = "edited"
        if len(hunks) == 1 and hunks[0].get("oldLines") == 0:
            kind = "created"
        if patch.get("deleted") is True:
            kind, told = "deleted", replace(told, spans=(), added=0, removed=0)
        yield replace(told, path=path, change=kind)


def _diff(hunks: list[dict[str, Any]]) -> Edited:
    return tool_calls.diff(
        (whole(hunk.get("newStart")) or 0, [*strings(hunk.get("lines"))]) for hunk in hunks
    )
