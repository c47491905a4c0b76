"""One tool call and its result, as neutral events."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from onward.model import (
    Asked,
    Edited,
    Event,
    Looked,
    Planned,
    Question,
    Ran,
    Refusal,
    Searched,
    TodoItem,
    Used,
)
from onward.transcripts import diff, opened, truncation
from onward.transcripts.claude_code.calls import EDITORS, PLANS, SHELLS, Call, Result
from onward.transcripts.claude_code.provenance import INTERRUPTED, News
from onward.transcripts.claude_code.records import Entry, Extra, Job, Patch
from onward.transcripts.opened import HERE
from onward.transcripts.said import within

_EXIT: Final = re.compile(r"Exit code (\d+)(?:\n|$)")
_HIT: Final = re.compile(r"^([^\s:*?\"<>|]{1,300}\.[A-Za-z]\w{0,9})[:-]\d+[:-]", re.MULTILINE)
_FILE: Final = re.compile(r"[^/\\]\.[A-Za-z]\w{0,9}$")
_COUNTED: Final = re.compile(
    r"(?:Found \d+ (?:files?|matches|lines?)\b|No (?:files|matches) found|\[Showing results with pagination\b)"
)
"""What stands above or below what a search found, or in place of it."""
_FOOT: Final = re.compile(
    r"\s{0,4}agentId: [\w-]{1,100} \([^\n]{0,200}\)(?:\s{0,4}<usage>[^<]{0,400}</usage>)?\s{0,4}\Z"
)
"""What the client writes below a sub-agent's report."""
_PLACED: Final = re.compile(r":\d+:")
_FEW: Final = 8
"""A search that hit more files than this has shown too little of each."""
_TIMEOUT: Final = re.compile(r"(?:Exit code \d+\n)?Command timed out after ")
_MANY: Final = 40
"""Files that one command changed: of a formatter run over everything the first tell enough."""
_BY_GIT: Final = re.compile(
    r"\b(?:git|jj)\b[^\n|;&]{0,300}\s(?:checkout|switch|restore|merge|pull|reset|stash|rebase|revert|cherry-pick|am|worktree|edit|new|undo|abandon)\b"
)


# ------------------------------------------------------------------------ commands


def ran(call: Call, result: Result) -> Ran:
    """A shell command that was started, or that a rule or a failing neighbour kept back."""
    if result.verdict in {"denied", "cancelled"}:
        state: Literal["denied", "cancelled"] = (
            "denied" if result.verdict == "denied" else "cancelled"
        )
        return _ran(call, state=state)
    extra = result.extra or Extra()
    shown = "\n".join(part.rstrip("\n") for part in (extra.stdout, extra.stderr) if part)
    code = _EXIT.match(result.text) if result.is_error else None
    if code and not shown:
        shown = result.text[code.end() :]
    return _ran(
        call,
        failed=result.is_error,
        exit_code=int(code[1]) if code else _zero(result, extra),
        output=truncation.output(shown if result.extra else shown or result.text),
        background=extra.background_task_id or "",
        state=_state(result, extra),
    )


def _zero(result: Result, extra: Extra) -> int | None:
    """0 where success is sure: not for a benign 1 ("No matches found") or a running task."""
    sure = not (
        result.is_error
        or extra.return_code_interpretation
        or extra.background_task_id
        or extra.interrupted
    )
    return 0 if sure else None


def _state(result: Result, extra: Extra) -> Literal["done", "interrupted", "timeout"]:
    if result.is_error and _TIMEOUT.match(result.text):
        return "timeout"
    if extra.interrupted or (result.is_error and INTERRUPTED in result.text[:200]):
        return "interrupted"
    return "done"


def unfinished(call: Call, state: Literal["open", "interrupted"]) -> Ran:
    """A shell command whose result was never written."""
    return _ran(call, line=call.line, at=call.at, state=state)


def _ran(call: Call, **fields: object) -> Ran:
    return msgspec.structs.replace(
        Ran(
            line=HERE,
            command=call.input.command,
            cwd=call.cwd,
            description=call.input.description,
            call_line=call.line,
        ),
        **fields,
    )


# ------------------------------------------------------------------- with the user


def refused(call: Call, result: Result, *, stopped: bool = False) -> Iterator[Event]:
    """The user said no to a call: to a plan and to questions that stands in two events. Where they
    `stopped` it while it ran, a shell command may have done a part.
    """
    if stopped:
        if call.name in SHELLS:
            yield _ran(call, state="interrupted")
        return
    kind: Literal["command", "edit", "plan", "question", "other"] = "other"
    if call.name in SHELLS:
        kind = "command"
    elif call.name in EDITORS:
        kind = "edit"
    elif call.name in PLANS:
        kind = "plan"
        yield planned(call, result)
    elif call.input.questions:
        kind = "question"
        yield asked(call, result)
    yield Refusal(line=HERE, act=call.act, words=result.words, kind=kind)


def planned(call: Call, result: Result | None) -> Planned:
    """A plan and the answer to it, if there is a result; the user may have edited it."""
    extra = (result.extra if result else None) or Extra()
    return Planned(
        line=HERE if result else call.line,
        at="" if result else call.at,
        text=extra.plan or call.input.plan,
        approved=None if result is None else not result.is_error,
        path=call.input.plan_file_path or extra.file_path,
        words=result.words if result and result.is_error else "",
    )


def asked(call: Call, result: Result | None) -> Asked:
    """A form of questions and the answers, if there were any."""
    extra = (result.extra if result else None) or Extra()
    answers = {} if result is None or result.is_error else extra.answers or _told(result.text)
    questions = []
    for one in call.input.questions:
        answer = answers.get(one.question, "")
        answer = answer if isinstance(answer, str) else ", ".join(answer)
        note = (extra.annotations or {}).get(one.question)
        if note and note.notes and note.notes not in answer:
            answer = f"{answer} ({note.notes})" if answer else note.notes
        options = tuple(
            f"{option.label}: {option.description}" if option.description else option.label
            for option in one.options
        )
        questions.append(Question(text=one.question, options=options, answer=answer))
    return Asked(
        line=HERE if result else call.line,
        at="" if result else call.at,
        questions=tuple(questions),
        answered=any(one.answer for one in questions),
    )


def _told(text: str) -> dict[str, str | tuple[str, ...]]:
    """The answers in the text that the agent was shown: `"Question"="Answer", ...`."""
    return dict(re.findall(r'"([^"\n]+)"="([^"]*)"', text))


def left_open(call: Call) -> Used:
    """A call of any other tool that the transcript ends before the result of."""
    detail = call.path or call.detail
    return Used(line=call.line, at=call.at, tool=call.name, detail=detail, open=True)


def used(call: Call, result: Result) -> Used:
    """Any other tool."""
    return Used(
        line=HERE,
        tool=call.name,
        detail=call.detail,
        error=truncation.one_line(result.text) if result.is_error else "",
    )


# --------------------------------------------------------------------------- client's own


def items(entries: tuple[Entry, ...]) -> list[TodoItem]:
    """Entries of a task list, in any generation of the tools."""
    return [
        opened.item(entry.subject or entry.content, entry.status, entry.id)
        for entry in entries
        if entry.subject or entry.content
    ]


def noted(book: opened.TodoBook, call: Call, result: Result) -> bool:
    """Bring the task list up to date; whether it changed."""
    given, extra = call.input, result.extra
    if call.name == "TodoWrite":
        return book.replace(items(given.todos))
    if call.name == "TaskList":
        return bool(extra and extra.tasks is not None and book.replace(items(extra.tasks)))
    if call.name == "TaskCreate":
        made = extra.task if extra and extra.task else Job()
        # "Task #3 created successfully: ...": sub-agents' files have only the text.
        key = made.id or result.text.partition("#")[2].partition(" ")[0]
        return bool(key) and book.put(key, given.subject or made.subject)
    if extra and extra.success is False:
        # The client throws a finished list away: what is ticked off after that is not found.
        gone = result.text.startswith("Task not found") and given.status == "completed"
        return gone and book.has(given.entry_id) and book.put(given.entry_id, "", given.status)
    # Replayed from the input: an update to a status that it had already says nothing else.
    return book.put(given.entry_id, given.subject, given.status)


def reported(text: str) -> str:
    """A sub-agent's report without what the client writes below it."""
    return _FOOT.sub("", text)


def searched(call: Call, result: Result) -> Iterator[Looked | Searched]:
    """A search, and the files that it looked into: the one it was told to search, else those few
    whose lines it printed.
    """
    one = call.input.path
    yield _search(call, result)
    if call.name == "Glob":
        return
    hits = dict.fromkeys(_HIT.findall(result.text)) if ":" in result.text else {}
    if _FILE.search(one) and result.text and not result.text.startswith("No "):
        hits = {one: None}
    for path in hits if len(hits) <= _FEW else ():
        yield Looked(line=HERE, path=path)


def _search(call: Call, result: Result) -> Searched:
    lines = [x for x in result.text.splitlines() if x.strip() and not _COUNTED.match(x)]
    lines = [line for line in lines if _PLACED.search(line)] or lines  # not those around the hits
    found = tuple(truncation.one_line(line) for line in lines[:_FEW])
    return Searched(
        line=HERE,
        pattern=truncation.one_line(call.input.pattern),
        where=call.input.glob or call.path or call.input.path,
        found=found,
        more=len(lines) - len(found),
    )


def looked_after(call: Call, result: Result) -> News:
    """What the agent was told when it asked after a background task."""
    extra = result.extra or Extra()
    job = extra.task or Job()
    return News(
        job.task_id or extra.shell_id or call.input.task_id or call.input.bash_id,
        job.status or extra.status or within(result.text, "status"),
        job.output
        or extra.stdout
        or within(result.text, "output")
        or within(result.text, "stdout"),
    )


# --------------------------------------------------------------------------- edits


def edited(call: Call | None, result: Result) -> Iterator[Edited]:
    """A file that was changed. The patch tells it best; sub-agents' files have none, and a
    result whose call is missing has nothing else.
    """
    extra = result.extra or Extra()
    path = extra.file_path or (call.path if call else "")
    if not path or (call is None and extra.structured_patch is None):
        return
    created = extra.type == "create" or (
        result.extra is None and result.text.startswith("File created")
    )
    told = diff.diff((hunk.new_start, hunk.lines) for hunk in extra.structured_patch or ())
    if not told.spans:
        put = call.put if call else diff.Diff()
        told = diff.Diff(
            spans=diff.created(put.added) if created else (),
            text=put.text,
            added=put.added,
            removed=0 if created else put.removed,
            gone=told.gone,
        )
    yield Edited(
        line=HERE,
        path=path,
        change="created" if created else "edited",
        by_user=bool(extra.user_modified),
        **msgspec.structs.asdict(told),
    )


def changed(call: Call, result: Result) -> Iterator[Edited]:
    """The files that a shell command changed, as the client saw it; told on the command's own
    line. What git put there is no edit.
    """
    seen = result.extra.bash_edit_diff if result.extra else None
    if seen is None or _BY_GIT.search(call.input.command):
        return
    patches = {patch.file_path: patch for patch in seen.files}
    for path in list(dict.fromkeys((*patches, *seen.changed_files)))[:_MANY]:
        patch = patches.get(path, Patch())
        told = diff.diff((hunk.new_start, hunk.lines) for hunk in patch.hunks)
        change: Literal["created", "deleted", "edited"] = "edited"
        if len(patch.hunks) == 1 and patch.hunks[0].old_lines == 0:
            change = "created"
        if patch.deleted:
            change, told = "deleted", diff.Diff(text=told.text, gone=told.gone)
        yield Edited(line=HERE, path=path, change=change, **msgspec.structs.asdict(told))
