"""One tool call and its result, as neutral events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from onward.decode import UNREADABLE
from onward.model import Asked, Edited, Question, Ran, Refusal, Used
from onward.transcripts import truncation
from onward.transcripts.codex.calls import PROGRAM, Call, Command, Result, printed
from onward.transcripts.codex.patch import Change
from onward.transcripts.codex.records import Answers
from onward.transcripts.opened import HERE

State = Literal["done", "open", "interrupted", "timeout"]


def edited(changes: Iterable[Change]) -> Iterator[Edited]:
    """The files that a patch changed."""
    for one in changes:
        yield Edited(
            line=HERE,
            path=one.path,
            change=one.kind,
            to=one.to,
            added=one.added,
            removed=one.removed,
            spans=one.spans,
            text=one.text,
            gone=one.gone,
        )


def ran(call: Call, result: Result) -> Iterator[Ran]:
    """The commands of a call that ended; of several in one program, the output stands with the
    last unless each has its own.
    """
    in_program = call.name == PROGRAM
    own = printed(result.text) if in_program else []
    each = in_program and len(own) == len(call.commands)
    for n, command in enumerate(call.commands):
        last = n == len(call.commands) - 1
        code = own[n].exit_code if each else result.code
        text = (own[n].output or "") if each else result.text if last else ""
        shown = truncation.output(text)
        failed: bool | None = result.kind == "failed"
        if code is not None:
            failed = code != 0
        elif in_program and not failed:
            failed = _failed(command, shown)
        yield run(
            call,
            command,
            failed=failed,
            exit_code=code if each or not in_program else None,
            output=shown,
            state=_state(result),
        )


def _failed(command: Command, output: str) -> bool | None:
    """Whether a command failed whose status its program kept to itself: its tests, builds and the
    like tell, as they do behind a pipe. None where it ran some and none of them tells.
    """
    from onward.record.checks import checks  # noqa: PLC0415 - slow to import, and few programs need it

    piped = Ran(line=0, command=f"{command.text} | cat", failed=False, output=output)
    outcomes = {check.outcome for check in checks(piped)}
    if "failed" in outcomes:
        return True
    return None if outcomes and "passed" not in outcomes else False


def run(call: Call, command: Command, **fields: object) -> Ran:
    """One command of a call."""
    made = Ran(line=HERE, command=command.text, cwd=command.cwd, call_line=call.line)
    return msgspec.structs.replace(made, **fields)


def unfinished(call: Call, state: State) -> Iterator[Ran]:
    """The commands of a call that never got a result."""
    for command in call.commands:
        yield run(call, command, line=call.line, at=call.at, state=state)


def refusal(call: Call) -> Refusal:
    """The user said no when asked."""
    kind: Literal["edit", "command"] = "edit" if call.changes and not call.commands else "command"
    return Refusal(line=HERE, act=call.act, kind=kind)


def asked(call: Call, result: Result | None) -> Asked:
    """A form of questions and the answers, if there were any."""
    answers = _answers(result.text) if result else Answers()
    questions = tuple(
        Question(
            text=one.question,
            options=tuple(
                f"{option.label}: {option.description}" if option.description else option.label
                for option in one.options or ()
            ),
            answer=", ".join(answers.answers[one.id].answers) if one.id in answers.answers else "",
        )
        for one in call.questions
    )
    return Asked(
        line=HERE if result else call.line,
        at="" if result else call.at,
        questions=questions,
        answered=any(one.answer for one in questions),
    )


def used(call: Call, result: Result) -> Used:
    """Any other tool."""
    failed = result.kind in {"failed", "misuse"}
    return Used(
        line=HERE,
        tool=call.name,
        detail=call.detail,
        error=truncation.one_line(result.text) if failed else "",
    )


def _answers(text: str) -> Answers:
    try:
        return msgspec.json.decode(text, type=Answers)
    except UNREADABLE:
        return Answers()


def _state(result: Result) -> State:
    if result.kind in {"interrupted", "timeout"}:
        return "interrupted" if result.kind == "interrupted" else "timeout"
    return "done"
