"""Distil: how a check ended.

The exit status is the truth only where it is that of the check itself (of 421 runs of a
known runner 57 % were piped into `tail`, `head` or `grep`, whose status it then is). Else the
runner's own summary line decides, and where there is none the outcome is "unseen".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from onward.distill.checks import summary
from onward.distill.checks.decisive import decisive, failing
from onward.distill.checks.own import own_checks
from onward.distill.checks.runners import Kind, is_check, kind_of
from onward.distill.shell import prefixes
from onward.distill.shell.forms import Form, normal_form
from onward.distill.shell.looking import is_looking
from onward.distill.shell.parted import part_of
from onward.distill.shell.split import Command, split
from onward.model import Ran

Outcome = Literal["passed", "failed", "unseen"]

_ECHOED = re.compile(
    r"(?:exit|rc|status|code|ret|result)\w*\s*(?:code|status)?\s*[:=]*\s*(\d{1,3})\s*$|^(\d{1,3})$",
    re.IGNORECASE | re.MULTILINE,
)
_NEVER_RAN = re.compile(
    r"command not found|^zsh:[\d: ]*no such file or directory: |(?:^|[:\uff1a)] ?)cd:(?:\d+:)? |is not recognized as|No such file or directory: '?\S+$|"
    r"No module named (?:pytest|mypy|ruff|black|flake8|tox|nox)\b|could not determine executable",
    re.MULTILINE,
)
_NOTHING = re.compile(
    r"^(?:no tests? (?:ran|found|collected|files? found|executed).*|collected 0 items.*|"
    r"No tests? found.*|testing: warning: no tests to run)$",
    re.IGNORECASE | re.MULTILINE,
)
_HUSHED = frozenset({"--quiet", "-q", "--silent"})
_KEEPING = frozenset({"head", "tail", "cat", "tee", "less", "more"})
"""What a checker's output may go through and still be empty only if it was."""


class Check(Struct, frozen=True, kw_only=True):
    """One test, build, lint or type check within a script, and how it ended."""

    command: Command
    form: Form
    kind: Kind
    index: int
    outcome: Outcome = "unseen"
    summary: str = ""
    decisive: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    """Names of failing tests, 20 at most, for telling whether they passed later."""
    runner: frozenset[str] = frozenset()
    """What stands behind a project's own runner, by the summary that it prints."""


@lru_cache(maxsize=4)
def checks(ran: Ran, root: str = "") -> tuple[Check, ...]:
    """The checks of a script with their outcomes; () where none ran.

    What was denied, cancelled or refused never ran and is left out. The cache serves the
    collectors, which look at the same event one after the other.
    """
    if ran.state in {"denied", "cancelled"}:
        return ()
    commands = split(ran.command, ran.cwd)
    text = summary.clean(ran.output)
    found = find(commands, root, text)
    if not found:
        return ()
    if ran.failed and never_ran(text):
        return ()
    if ran.state != "done" or ran.failed is None or ran.background:
        return found
    return judge(found, commands, text, status_of(ran), pipefail="pipefail" in ran.command)


def never_ran(text: str) -> bool:
    """Whether a failed script's output says that its program or folder is not there."""
    return _NEVER_RAN.search(text[:600]) is not None


def find(commands: tuple[Command, ...], root: str = "", text: str = "") -> tuple[Check, ...]:
    """The checks among the commands of a script, without outcomes; those that only its cleaned
    output tells too.
    """
    out: list[Check] = []
    for index, command in enumerate(commands):
        form = normal_form(command.words, root)
        kind = is_check(command, form) if form else None
        if form and kind:
            out.append(Check(command=command, form=form, kind=kind, index=index))
    for own in own_checks(commands, text, root, alone=not out) if text else ():
        command, form = commands[own.position], own.form
        out.append(
            Check(command=command, form=form, kind=own.kind, index=own.position, runner=own.runner)
        )
    return tuple(sorted(out, key=lambda check: check.index))


def status_of(ran: Ran) -> int | None:
    """The exit status; 1 where only the client's flag says that it failed."""
    if ran.exit_code is not None:
        return ran.exit_code
    return None if ran.failed is None else int(ran.failed)


def judge(
    found: tuple[Check, ...],
    commands: tuple[Command, ...],
    text: str,
    status: int | None,
    *,
    pipefail: bool = False,
) -> tuple[Check, ...]:
    """The checks of one script with their outcomes, read from a cleaned output."""
    out: list[Check] = []
    parts = {check.index: part_of(check.index, commands, text) for check in found}
    for check in found:
        start, end = parts[check.index]
        beside = tuple(other for other in found if parts[other.index] == parts[check.index])
        own = text[start:end]
        outcome, line = _judge(check, beside, commands, own, status, pipefail)
        failed = outcome == "failed"
        out.append(
            replace(
                check,
                outcome=outcome,
                summary=line,
                decisive=decisive(own) if failed else (),
                failing=failing(own) if failed else (),
            )
        )
    for at in range(len(out) - 2, -1, -1):
        if out[at].outcome == "unseen" and out[at + 1].outcome != "unseen":
            out[at] = _passed_on(out[at], out[at + 1], commands)
    return tuple(out)


def _passed_on(check: Check, later: Check, commands: tuple[Command, ...]) -> Check:
    """Of `a && b` where b is known to have run, a has passed."""
    between = commands[check.index : later.index]
    chained = all(c.then == "&&" for c in between)
    return replace(check, outcome="passed") if chained else check


def _judge(  # noqa: PLR0917 - all six are needed to weigh one status
    check: Check,
    found: tuple[Check, ...],
    commands: tuple[Command, ...],
    text: str,
    status: int | None,
    pipefail: bool,
) -> tuple[Outcome, str]:
    twins = sum(other.form.program == check.form.program for other in found)
    same = sum(o.form.program == check.form.program and o.kind == check.kind for o in found)
    shared = twins > 1 or (len(found) > 1 and summary.is_host(check.form.program))
    said = summary.read(text, check.form.program, check.kind, shared=shared)
    line = said.line if said else ""
    nothing = bool(said and said.said == "nothing") or bool(not said and _NOTHING.search(text))
    if nothing and check.kind == "test":
        return "unseen", line
    by_status = _by_status(check, commands, status, pipefail)
    if by_status is None and len(found) == 1:
        by_status = _by_echo(commands, text)
    if by_status is not None:
        agrees = said is not None and said.said == by_status
        return by_status, line if agrees else ""
    if said and said.said == "failed" and _others_before(check, commands):
        # What failed may have been `cargo update`: the check's own line is the last one.
        rest = text[text.rfind(line) + len(line) :]
        later = summary.read(rest, check.form.program, check.kind, shared=shared)
        said = later if later and later.said == "passed" else said
        line = said.line
    if said and said.said == "failed":
        own = twins == 1 or (check.kind == "test" and same == 1 and summary.counts(line))
        return ("failed", line) if own else ("unseen", "")
    if said and said.said == "passed":
        return "passed", line
    if status == 0 and len(found) == 1 and _silent(check, commands, text):
        return "passed", ""
    return "unseen", ""


def _others_before(check: Check, commands: tuple[Command, ...]) -> bool:
    """Whether the program did something else before the check, and nothing after it."""
    program = check.form.program
    others = [
        n
        for n, command in enumerate(commands)
        if n != check.index
        and (form := normal_form(command.words))
        and form.program == program
        and not _never_fails(command)
    ]
    return bool(others) and max(others) < check.index


def _by_status(
    check: Check, commands: tuple[Command, ...], status: int | None, pipefail: bool
) -> Outcome | None:
    """What the script's status proves of one check in it; None where nothing."""
    first = prefixes.name(check.command.words[0])
    if status is None or check.command.before == "||" or first in {"if", "while", "until", "!"}:
        return None
    if status == 124 and ("timeout" in check.command.text):
        return None
    if not _reaches_end(check, commands, pipefail):
        return None
    if status == 0:
        return "passed"
    others = [c for c in commands if c is not check.command and not _never_fails(c)]
    return None if others else "failed"


def _never_fails(command: Command) -> bool:
    """What is taken not to be the one that failed: looking around, and formatters."""
    form = normal_form(command.words)
    return is_looking(command) or (form is not None and kind_of(form, command.words) == "format")


def _reaches_end(check: Check, commands: tuple[Command, ...], pipefail: bool) -> bool:
    """Whether the script can end with 0 only if the check did."""
    if commands[-1].words[:1] == ("exit",) and "PIPESTATUS[0]" in commands[-1].text:
        before = commands[check.index - 1].then if check.index else ""
        return before != "|" and all(c.then == "|" for c in commands[check.index : -2])
    strict = any(c.words[:1] == ("set",) and "e" in "".join(c.words[1:2]) for c in commands)
    own = True
    for command in commands[check.index : -1]:
        if command.then == "|":
            if own and not pipefail:
                return False
            continue
        own = False
        if command.then != "&&" and not (strict and command.then == ";"):
            return False
    return commands[-1].then in {"", ";", "|"}


def _by_echo(commands: tuple[Command, ...], text: str) -> Outcome | None:
    """`pytest; echo "exit $?"`: the status in the output."""
    echo = any(
        "$?" in c.text or "PIPESTATUS" in c.text or "%ERRORLEVEL%" in c.text for c in commands
    )
    found = list(_ECHOED.finditer(text[-300:])) if echo else []
    if not found or any("$?" in c.text and c.before == "|" for c in commands):
        return None
    piped = any(c.then == "|" for c in commands)
    if piped and not any("PIPESTATUS" in c.text for c in commands):
        return None
    code = found[-1].group(1) or found[-1].group(2)
    return "passed" if code == "0" else "failed"


def _silent(check: Check, commands: tuple[Command, ...], text: str) -> bool:
    """A quiet checker whose output went through nothing that could have hidden it."""
    program = check.form.program
    lines = [line for line in text.splitlines() if line.strip()]
    if summary.is_host(program) and lines and all(line.startswith("> ") for line in lines):
        # `npm run types` says which command it runs, and that one says nothing.
        program, lines = lines[-1].split()[1], []
    quiet = summary.is_quiet(program) or bool(_HUSHED & set(check.command.words))
    if lines or not quiet or check.kind == "test":
        return False
    rest = [c for c in commands[check.index + 1 :] if c.words]
    return all(prefixes.name(c.words[0]) in _KEEPING for c in rest)
