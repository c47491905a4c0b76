"""Tests, builds, linters and type checks within a script, and how each ended.

The exit status is the truth only where it is that of the check itself (of 421 runs of a known
runner 57 % were piped into `tail`, `head` or `grep`, whose status it then is). Else the runner's
own summary line decides, and where there is none the outcome is "unseen".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.model import Ran
from onward.record.commands import Form, first_as_sub, is_looking, is_plain, normal_form
from onward.record.runners import (
    Kind,
    clean,
    counted,
    counts,
    is_check,
    is_host,
    is_quiet,
    kind_of,
    kind_of_word,
    read,
)
from onward.record.shell import Command, program_name, split
from onward.record.text import vocabulary

Part = tuple[int, int]


def part_of(index: int, commands: Sequence[Command], text: str) -> Part:
    """Where a command's output begins and ends: between the lines that `echo "--- test ---"` and
    its like printed before and after it; the whole output where there are none.
    """
    start, end, at = 0, len(text), 0
    for number, command in enumerate(commands):
        line = printed(command)
        found = f"\n{text}\n".find(f"\n{line}\n", at) if line else -1
        if found < 0:
            continue
        at = found + len(line) + 1
        if number < index:
            start = min(at, len(text))
        else:
            end = max(found - 1, start)
            break
    return start, end


def printed(command: Command) -> str:
    """The line that an `echo` prints, if it is the same each time."""
    words = command.words
    if words[:1] != ("echo",) or command.writes or command.then == "|":
        return ""
    line = " ".join(words[1:])
    return "" if "$" in line or "`" in line or line.startswith("-e") else line.strip()


_MOST = 6
_LONGEST = 200
_PYTEST_MARK = re.compile(r"^E (?:AssertionError: (?=assert ))?")
_EXIT = re.compile(r"(?:Exit code:? \d+|exit status \d+|Error: Exit code \d+)", re.IGNORECASE)

_FAILING = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^(?:FAILED|ERROR) (\S+\.py\S*(?: - .*)?)$",  # pytest
        r"^(?:FAIL|ERROR): (\w+ \(.*\))$",  # unittest
        r"^[ \t]*● (.+ \u203a .+)$",  # jest
        r"^[ \t]*(?:FAIL)[ \t]+(\S+\.(?:test|spec)\.\w+.*)$",  # jest, vitest
        r"^[ \t]*(?:✖|✗|×|✘) (?!\d+ (?:problem|of))(.+?)(?: \(?[\d.]+ ?m?s\)?)?$",  # vitest, ava, node
        r"^[ \t]+\d+\) (\S.+)$",  # mocha, playwright, rspec, phpunit
        r"^[ \t]*--- FAIL: (\S+)",  # go
        r"^test (\S+) \.\.\. FAILED$",  # cargo
        r"^[ \t]+FAIL \[.*?\] +(.+)$",  # nextest
        r"^\(fail\) (.+?)(?: \[.*\])?$",  # bun
        r"^not ok \d+ -? ?(.+)$",  # tap
        r"^rspec (\./\S+:\d+) ",  # rspec
        r"^\[ERROR\][ \t]+(\w+[.:]\S+:\d+.*)$",  # maven
        r"^(\S+ > .+ FAILED)$",  # gradle
        r"^[ \t]+Failed (\S+) \[",  # dotnet
        r"^(.{3,60}?)\.{3,}(?:\(.*\))?Failed$",  # pre-commit
    )
)
_ERRORS = re.compile(
    r"""^(?:
        E[ \t]{2,}(?!\+)\S.*                                       # pytest
      | .*\berror[ \t]TS\d+:.*                                     # tsc
      | error(?:\[E\d+\])?:[ \t](?!test[ \t]failed,?[ \t]*$|could[ \t]not[ \t]compile|aborting|\d+[ \t]targets?[ \t]failed).*
      | [ \t]*[\w.]*(?:Error|Exception):[ \t].+
      | \S+?:\d+(?::\d+)?:[ \t](?:(?:fatal[ \t])?error|ERROR:|undefined|cannot|[EFWCRA-Z]+\d+|syntax).*
      | (?:\./)?\S+\.go:\d+:\d+:[ \t].+
      | [ \t]*\d+:\d+[ \t]+error[ \t]+.+                                 # eslint
      | \S+\(\d+,\d+\):[ \t](?:error|warning)[ \t].+                  # msbuild
      | \[ERROR\][ \t]\S.+
      | g?make(?:\[\d+\])?:[ \t]\*\*\*[ \t].+
      | .*(?:command[ \t]not[ \t]found|Missing[ \t]script:|Cannot[ \t]find[ \t]module|can't[ \t]open[ \t]file).*
      | e:[ \t]\S+\.kt.*
      | Type[ \t]error:[ \t].+
    )$""",
    re.MULTILINE | re.VERBOSE,
)


def failing(text: str, most: int = 20) -> tuple[str, ...]:
    """Names of failing tests, as their runner prints them; at most `most`."""
    names: dict[str, None] = {}
    for pattern in _FAILING:
        for found in pattern.finditer(text):
            names.setdefault(_cut(found.group(1)))
            if len(names) >= most:
                return tuple(names)
    return tuple(names)


def decisive(text: str) -> tuple[str, ...]:
    """Names of failing tests, then the first line of each error: at most six lines of 200
    characters. Takes an output without colours.
    """
    errors = dict.fromkeys(_PYTEST_MARK.sub("", _cut(m.group())) for m in _take(text))
    names = list(dict.fromkeys(_without_reason(n) if errors else n for n in failing(text, _MOST)))
    room = max(_MOST - len(errors), _MOST - 2)
    lines = [*names[:room], *(e for e in errors if not any(n.endswith(e) for n in names))]
    return tuple(line for line in lines if line)[:_MOST]


def _take(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    for match in _ERRORS.finditer(text):
        before = text.rfind("\n", 0, max(match.start() - 1, 0)) + 1
        if match.group().startswith("E ") and text.startswith("E  ", before) and match.start():
            continue  # pytest tells one error on many lines: values, differences, where from
        found.append(match)
        if len(found) >= _MOST:
            break
    return found


def last_lines(text: str, most: int = 1) -> tuple[str, ...]:
    """The last lines that say something, beyond what the client adds of the exit status."""
    lines = [line for line in text.splitlines() if line.strip()]
    told = [line for line in lines if not _EXIT.fullmatch(line.strip())]
    return tuple(_cut(line) for line in told[-most:])


def _without_reason(name: str) -> str:
    """A failing test without the cut-off beginning of the error that stands beside it."""
    test, dash, reason = name.partition(" - ")
    return test if dash and reason.endswith("...") else name


def _cut(line: str) -> str:
    line = " ".join(line.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 2].rsplit(" ", 1)[0] + " …"


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
    text = clean(ran.output)
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
    shared = twins > 1 or (len(found) > 1 and is_host(check.form.program))
    others = frozenset(other.form.program for other in found if other is not check)
    tell = partial(read, program=check.form.program, kind=check.kind, shared=shared, beside=others)
    said = tell(text)
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
        later = tell(rest)
        said = later if later and later.said == "passed" else said
        line = said.line
    if said and said.said == "failed":
        own = twins == 1 or (check.kind == "test" and same == 1 and counts(line))
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
    first = program_name(check.command.words[0])
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
    if is_host(program) and lines and all(line.startswith("> ") for line in lines):
        # `npm run types` says which command it runs, and that one says nothing.
        program, lines = lines[-1].split()[1], []
    quiet = is_quiet(program) or bool(_HUSHED & set(check.command.words))
    if lines or not quiet or check.kind == "test":
        return False
    rest = [c for c in commands[check.index + 1 :] if c.words]
    return all(program_name(c.words[0]) in _KEEPING for c in rest)


_NO_RUNNERS = vocabulary("gh glab jj hg svn curl wget http psql mysql kubectl helm aws gcloud az")
"""Programs that print summaries of other machines' runs, or none."""


class Own(NamedTuple):
    """One command of a script that turned out to be a check."""

    position: int
    form: Form
    kind: Kind
    runner: frozenset[str]
    """The runners behind it, as far as its summary tells."""


def own_checks(
    commands: tuple[Command, ...], text: str, root: str, *, alone: bool
) -> Iterator[Own]:
    """The checks among commands that nobody knows, in a cleaned output's light.

    A subcommand that is called like a check is one if any runner printed its summary; any
    other command (with `alone`: no check is known in the script) only if it is the one act
    of the script and test counts were printed.
    """
    acts = [(i, c, form) for i, c in enumerate(commands) if (form := _unknown(c, root))]
    worded = [
        (i, first_as_sub(form, c.words, root), kind)
        for i, c, form in acts
        if not form.sub and (kind := kind_of_word(form.arg, c.words)) and kind != "format"
    ]
    for index, form, kind in worded:
        said = read(text, form.program, kind) or counted(text)
        if said:
            yield Own(index, form, kind, said.tools)
    if alone and not worded and len(acts) == 1:
        said = counted(text)
        if said:
            yield Own(acts[0][0], acts[0][2], "test", said.tools)


def _unknown(command: Command, root: str) -> Form | None:
    """The form of a command that does something and is not known for what."""
    form = normal_form(command.words, root)
    if form is None or is_looking(command) or is_plain(form) or form.program in _NO_RUNNERS:
        return None
    return None if kind_of(form, command.words) or paths.apart(form.program) else form
