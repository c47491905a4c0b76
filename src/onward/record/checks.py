"""Tests, builds, linters and type checks within a script, and how each ended.

The exit status is the truth only where it is that of the check itself (of 421 runs of a known
runner 57 % were piped into `tail`, `head` or `grep`, whose status it then is). Else the runner's
own summary line decides, and where there is none the outcome is "unseen".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise, takewhile
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.model import Ran
from onward.record.commands import (
    Form,
    Kind,
    first_as_sub,
    is_looking,
    is_plain,
    keeps_all,
    kind_of,
    kind_of_word,
    lets_through,
    normal_form,
)
from onward.record.commits import git_words
from onward.record.runners import ANY_RUNNER, QUIET, Summary, clean, counted, counts, read
from onward.record.shell import Command, program_name, split
from onward.record.text import vocabulary

Outcome = Literal["passed", "failed", "unseen"]

# The program, the folder or the project that it is for was not found.
_NEVER_RAN = re.compile(
    r"command not found|^zsh:[\d: ]*no such file or directory: |(?:^|[:\uff1a)] ?)cd:(?:\d+:)? "
    r"|is not recognized as|No such file or directory: '?\S+$|could not determine executable"
    r"|can't open file|could not find `Cargo\.toml`|ENOENT.*package\.json|cannot find main module"
    r"|no task \S+ found|Missing script: "
    r"|No module named (?:pytest|mypy|ruff|black|flake8|tox|nox)\b",
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
_NO_RUNNERS = vocabulary("gh glab jj hg svn curl wget http psql mysql kubectl helm aws gcloud az")
"""Programs that print summaries of other machines' runs, or none."""


class Check(Struct, frozen=True, kw_only=True):
    """One test, build, lint or type check within a script, and how it ended."""

    command: Command
    form: Form
    kind: Kind
    index: int
    outcome: Outcome = "unseen"
    summary: str = ""
    decisive: tuple[str, ...] = ()
    pasted: bool = False
    started: bool = True


_MASKS = {("true",), (":",)}
_TOLD_APART = 100
"""Checks of one script that are told apart. Case: 1,500 in a command of 100 KB took 5 s."""


class _Script(NamedTuple):
    commands: tuple[Command, ...]
    status: int | None
    strict: bool
    """Whether it ends at the first command that fails."""


class _Mark(NamedTuple):
    """A line that an `echo` printed: the number of the command, and where the line is in the output."""

    number: int
    start: int
    end: int


@lru_cache(maxsize=4)
def checks(ran: Ran, root: str = "", known: frozenset[Form] = frozenset()) -> tuple[Check, ...]:
    """The checks of a script with their outcomes; () where none ran. `known` are commands that only
    the output of an earlier run told to be checks.

    What was denied, cancelled or refused never ran and is left out. The cache serves the
    collectors, which look at the same event one after the other.
    """
    if ran.state in {"denied", "cancelled"}:
        return ()
    commands, text = split(ran.command, ran.cwd), clean(ran.output)
    stashed = _stashed(commands)
    found = tuple(c for c in _found(commands, root, text, known) if c.index not in stashed)
    if not found or (ran.failed and _not_found_line(text)):
        return ()
    silent = ran.failed is None and not ran.output
    if ran.state != "done" or silent or ran.background or len(found) > _TOLD_APART:
        return found
    strict = any(c.words[:1] == ("set",) and "e" in "".join(c.words[1:2]) for c in commands)
    script = _Script(commands, status_of(ran), strict)
    marks = list(_marks(commands, text))
    parts = [_part(check.index, marks, len(text)) for check in found]
    out: list[Check] = []
    for check, part in zip(found, parts, strict=True):
        beside = [other for other, its in zip(found, parts, strict=True) if its == part]
        outcome, line = _judged(check, beside, script, text[part])
        if check.kind == "other" and (hooks := _hooks(text)) and hooks.said != "nothing":
            # How git itself ended is another matter: a push may be rejected.
            outcome, line = hooks.said, hooks.line
        if (branch := _by_branch(check, commands, text)) and branch != outcome:
            outcome, line = branch, ""
        proof = decisive(text[part]) if outcome == "failed" else ()
        out.append(replace(check, outcome=outcome, summary=line, decisive=proof))
    for n, (check, later) in reversed([*enumerate(pairwise(out))]):
        between = commands[check.index : later.index]
        ran_after = all(c.then == "&&" for c in between) and out[n + 1].outcome != "unseen"
        if ran_after and check.outcome == "unseen":
            out[n] = replace(check, outcome="passed", summary="")
    return tuple(out)


def could_not_start(ran: Ran, root: str = "") -> Check | None:
    """The check of a script with but one that could not start, and why: its runner, its project or its
    task was not there. Of a folder that was not there the agent was only wrong.
    """
    text = clean(ran.output)
    why = _not_found_line(text) if ran.failed and ran.state == "done" else ""
    told = why and "cd:" not in why
    found = _found(split(ran.command, ran.cwd), root, text, frozenset()) if told else ()
    return replace(found[0], summary=_cut(why), started=False) if len(found) == 1 else None


def _not_found_line(text: str) -> str:
    """The line that says that a program, a folder or a project was not found."""
    found = _NEVER_RAN.search(text[:600])
    lines = text[: text.find("\n", found.end()) + 1 or None].splitlines() if found else []
    return lines[-1].strip() if lines else ""


def status_of(ran: Ran) -> int | None:
    """The exit status; 1 where only the client's flag says that it failed."""
    if ran.exit_code is not None:
        return ran.exit_code
    return None if ran.failed is None else int(ran.failed)


# ------------------------------------------------------------- which checks there are


def _stashed(commands: Sequence[Command]) -> range:
    """Which commands ran between `git stash` and `git stash pop`: on another tree than this."""
    words = [git_words(command) for command in commands]
    stashes = [(n, (*w[1:], "push")[0]) for n, w in enumerate(words) if w[:1] == ("stash",)]
    away = (n for n, sub in stashes if sub in {"push", "save"} or sub.startswith("-"))
    back = (n for n, sub in stashes if sub in {"pop", "apply"})
    return range(next(away, len(words)), max(back, default=0))


def _found(
    commands: Sequence[Command], root: str, text: str, known: frozenset[Form]
) -> tuple[Check, ...]:
    """The checks among the commands of a script, without outcomes; those that only its cleaned
    output tells too.
    """
    out: list[Check] = []
    for index, command in enumerate(commands):
        form = normal_form(command.words, root)
        kind = kind_of(form, command.words) if form else None
        if form and kind and kind != "format":
            out.append(Check(command=command, form=form, kind=kind, index=index))
    out += _own_runners(commands, text, root, known, alone=not out)
    return tuple(sorted(out, key=lambda check: check.index))


def _own_runners(
    commands: Sequence[Command], text: str, root: str, known: frozenset[Form], *, alone: bool
) -> Iterator[Check]:
    """The checks among commands that nobody knows, by a cleaned output; the hooks that `git commit`
    and `git push` ran are one.

    A subcommand that is called like a check is one if any runner printed its summary or it was
    given `--check`; any
    other command (with `alone`: no check is known in the script) only if it is the one act
    of the script and test counts were printed.
    """
    acts = [(i, c, form) for i, c in enumerate(commands) if (form := _unknown(c, root))]
    hooked = [(i, c, form) for i, c in enumerate(commands) if (form := with_hooks(c))]
    if alone and hooked and _hooks(text):
        index, command, form = hooked[0]
        yield Check(command=command, form=form, kind="other", index=index)
        return
    worded = [
        (i, c, first_as_sub(form, c.words, root), kind)
        for i, c, form in acts
        if not form.sub and (kind := kind_of_word(form.arg, c.words)) and kind != "format"
    ]
    for index, command, form, kind in worded:
        asks = "--check" in command.words  # then the status answers, in silence too
        if asks or form in known or read(text, form.program, kind) or counted(text):
            yield Check(command=command, form=form, kind=kind, index=index)
    one = acts if alone and not worded and len(acts) == 1 else ()
    for index, command, form in one:
        if form in known or counted(text):
            yield Check(command=command, form=form, kind="test", index=index)


def with_hooks(command: Command) -> Form | None:
    """The form of a step of git that runs the project's own checks first, if it has such hooks."""
    form = normal_form(command.words)
    hooked = form is not None and form.program == "git" and form.sub in {"commit", "push"}
    return Form("git", form.sub) if form and hooked else None


def _hooks(text: str) -> Summary | None:
    """How the hooks of git ended, as pre-commit and its like list them."""
    return read(text, "pre-commit", "lint")


def _unknown(command: Command, root: str) -> Form | None:
    """The form of a command that does something and is not known for what."""
    form = normal_form(command.words, root)
    if form is None or is_looking(command) or is_plain(form) or form.program in _NO_RUNNERS:
        return None
    return None if kind_of(form, command.words) or paths.apart(form.program) else form


# ----------------------------------------------------------------------- how each ended


def _judged(
    check: Check, beside: Sequence[Check], script: _Script, text: str
) -> tuple[Outcome, str]:
    """The outcome of one check and the line that tells it. `beside` are all checks, this one too,
    that printed into `text`.
    """
    program, kind = check.form.program, check.kind
    twins = [
        other
        for other in beside
        if other is check
        or (other.form.program == program and not _is_filtered(other, script.commands))
    ]
    said = read(
        text,
        program,
        kind,
        shared=len(twins) > 1 or (len(beside) > 1 and program in ANY_RUNNER),
        beside=frozenset(other.form.program for other in beside if other is not check),
    )
    line = said.line if said and not _is_part(check, said.line, script.commands) else ""
    nothing = said.said == "nothing" if said else bool(_NOTHING.search(text))
    if nothing and kind == "test":
        return "unseen", line
    if proved := _by_status(check, script) or _by_echo(check, script, text):
        return proved, line if said and said.said == proved else ""
    if said and said.said == "failed":
        behind = script.commands[check.index + 1 : check.index + 2]
        masked = bool(behind) and check.command.then == "||" and behind[0].words[:1] in _MASKS
        if masked and kind == "lint":
            return "unseen", ""  # findings of any degree, and nobody asked how it ended
        alone = kind == "test" and sum(other.kind == kind for other in twins) == 1
        own = (len(twins) == 1 and not _ran_for_another(check, script)) or (alone and counts(line))
        return ("failed", line) if own else ("unseen", "")
    if said and said.said == "passed":
        kept_back = _may_hide_failures(check, said.line, script.commands, text)
        return ("unseen", "") if kept_back else ("passed", line)
    silent = script.status == 0 and len(beside) == 1 and _is_silent(check, script.commands, text)
    return ("passed" if silent else "unseen"), ""


def _ran_for_another(check: Check, script: _Script) -> bool:
    """Whether the same program ran for something else before it: `cargo update` fails in the same
    words.
    """
    program = check.form.program
    others = (c for c in script.commands[: check.index] if not is_looking(c))
    forms = ((normal_form(c.words), c.words) for c in others)
    same = (kind_of(form, words) for form, words in forms if form and form.program == program)
    return program not in ANY_RUNNER and None in same


def _is_filtered(check: Check, commands: Sequence[Command]) -> bool:
    """Whether a search lets through only some lines of what a check prints, and not how it ended."""
    return any("grep" in c.words[0] for c in _pipe(check, commands) if c.words)


_FAILED = {
    "test result: ok": "test result: FAILED. 0 passed; 1 failed",
    **dict.fromkeys(("ok", "PASS"), "FAIL\tpackage"),
    **{f"{sign} pass": f"{sign} fail 1" for sign in "#\u2139"},
}
"""The line of a failure, of another package or beside the count, by how the line of a pass begins."""


def _may_hide_failures(check: Check, line: str, commands: Sequence[Command], text: str) -> bool:
    """Whether what passed is a part, and a search or `head` would have kept back that another failed.
    `tail` would not: cargo stops at a failure, and go ends with it.
    """
    failure = next((failed for passed, failed in _FAILED.items() if line.startswith(passed)), "")
    lines = text.splitlines()
    for command in _pipe(check, commands) if failure else ():
        words = command.words or ("",)
        if words[0] == "head" and not keeps_all(command, lines):
            return True
        if "grep" in words[0] and not lets_through(words, failure):
            return True
        if "grep" in words[0] and not any(re.match(r"-\w*[ABC]", word) for word in words):
            lines = [one for one in lines if lets_through(words, one)]
    return False


def _pipe(check: Check, commands: Sequence[Command]) -> Iterator[Command]:
    """The commands that a check's output goes through."""
    return takewhile(lambda c: c.before == "|", commands[check.index + 1 :])


def _is_part(check: Check, line: str, commands: Sequence[Command]) -> bool:
    """Whether a line sums up only what `head` or `tail` left: cargo sums up each test binary by
    itself.
    """
    cut = any(c.words[:1] in {("head",), ("tail",)} for c in _pipe(check, commands))
    return cut and line.startswith("test result: ok")


def _by_status(check: Check, script: _Script) -> Outcome | None:
    """What the script's status proves of one check in it; None where nothing."""
    status, command = script.status, check.command
    first = program_name(command.words[0])
    if status is None or command.before == "||" or first in {"if", "while", "until", "!"}:
        return None
    cut = status == 124 and "timeout" in command.text
    if cut or not _reaches_end(check, script):
        return None
    if status == 0:
        return "passed"
    others = (other for other in script.commands if other is not command)
    return "failed" if all(map(_never_fails, others)) else None


def _by_echo(check: Check, script: _Script, text: str) -> Outcome | None:
    """What an `echo "exit $?"` right behind a check, or behind its pipe one with `PIPESTATUS[0]`,
    printed of it.
    """
    commands, end = script.commands, check.index
    while end < len(commands) and commands[end].then == "|":
        end += 1
    behind = commands[end + 1 : end + 2]
    if check.command.before in {"|", "||"} or not behind or behind[0].words[:1] != ("echo",):
        return None
    sign = "$?" if end == check.index or check.command.kept else "${PIPESTATUS[0]}"
    lead, found, rest = " ".join(behind[0].words[1:]).partition(sign)
    # What was sent into the background still ran.
    beside = behind[0].writes or behind[0].then == "|" or commands[end].then == "&"
    if not found or "$" in lead + rest or beside:
        return None
    shown = re.findall(rf"^{re.escape(lead)}(\d+){re.escape(rest)}$", text, re.MULTILINE)
    if len(shown) != 1:
        return None
    if shown[0] == "0":
        return "passed"
    if shown[0] == "124" and "timeout" in check.command.text:
        return None
    before = takewhile(lambda c: c.then == "&&", reversed(commands[: check.index]))
    return "failed" if all(map(_never_fails, before)) else None


def _by_branch(check: Check, commands: Sequence[Command], text: str) -> Outcome | None:
    """Which of the two was printed in `check && echo fine || echo broken`."""
    fine, broken = [*commands[check.index + 1 : check.index + 3], check.command, check.command][:2]
    if check.command.then != "&&" or fine.then != "||" or check.command.before in {"|", "||"}:
        return None
    # A client's shell may print an exclamation mark with a backslash before it.
    lines, shown = text.replace("\\!", "!").splitlines(), (_printed(fine), _printed(broken))
    if not all(shown) or shown[0] == shown[1]:
        return None
    told = [line for line in shown if line in lines]
    return None if len(told) != 1 else "passed" if told[0] == shown[0] else "failed"


def _never_fails(command: Command) -> bool:
    """What is taken not to be the one that failed: looking around, and formatters."""
    form = normal_form(command.words)
    return is_looking(command) or (form is not None and kind_of(form, command.words) == "format")


def _reaches_end(check: Check, script: _Script) -> bool:
    """Whether the script can end with 0 only if the check did."""
    commands = script.commands
    if check.command.hidden:
        return False
    for command in commands[check.index : -1]:
        if command.then == "|":
            continue
        if command.then != "&&" and not (script.strict and command.then == ";"):
            return False
    return commands[-1].then in {"", ";", "|"}


def _is_silent(check: Check, commands: Sequence[Command], text: str) -> bool:
    """A quiet checker whose output went through nothing that could have hidden it."""
    program = check.form.program
    lines = [line for line in text.splitlines() if line.strip()]
    if program in ANY_RUNNER and lines and all(line.startswith("> ") for line in lines):
        # `npm run types` says which command it runs, and that one says nothing.
        program, lines = lines[-1].split()[1], []
    quiet = program in QUIET or bool(_HUSHED & set(check.command.words))
    quiet = quiet or "--check" in check.command.words
    if lines or not quiet or check.kind == "test":
        return False
    rest = [c for c in commands[check.index + 1 :] if c.words]
    return all(program_name(c.words[0]) in _KEEPING for c in rest)


# ---------------------------------------------------------------- what a runner printed


def _marks(commands: Sequence[Command], text: str) -> Iterator[_Mark]:
    """The lines that `echo "--- test ---"` and its like printed, in their order."""
    at, lines = 0, f"\n{text}\n"
    for number, command in enumerate(commands):
        line = _printed(command)
        found = lines.find(f"\n{line}\n", at) if line else -1
        if found >= 0:
            at = found + len(line) + 1
            yield _Mark(number, found, at)


def _part(index: int, marks: Sequence[_Mark], size: int) -> slice:
    """Where a command's output begins and ends: between the marks before and after it; the whole
    output where there are none.
    """
    behind = bisect_left(marks, index, key=lambda mark: mark.number)
    start = min(marks[behind - 1].end, size) if behind else 0
    return slice(start, max(marks[behind].start - 1, start) if behind < len(marks) else size)


def _printed(command: Command) -> str:
    """The line that an `echo` prints, if it is the same each time."""
    words = command.words
    if words[:1] != ("echo",) or command.writes or command.then == "|":
        return ""
    line = " ".join(words[1:])
    return "" if "$" in line or "`" in line or line.startswith("-e") else line.strip()


# ----------------------------------------------------------- what proves a failure

_MOST, _LONGEST = 6, 200
"""Lines that prove a failure, and characters of each."""
_PYTEST_MARK = re.compile(r"^E (?:AssertionError: (?=assert ))?")
_EXIT = re.compile(r"(?:Exit code:? \d+|exit status \d+|Error: Exit code \d+)", re.IGNORECASE)

_FAILING = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^(?:FAILED|ERROR) (\S+\.py\S*(?: - .*)?)$",  # pytest
        r"^(?:FAIL|ERROR): (\w+ \(.*\))$",  # unittest
        r"^[ \t]*● (.+ \u203a .+)$",  # jest
        r"^[ \t]*(?:FAIL)[ \t]+(\S+\.(?:test|spec)\.\w+.*)$",  # jest, vitest
        r"^[ \t]*(?:✖|✗|×|✘) (?!\d+ (?:problem|of))(.+?)(?: \(?[\d.]+ ?m?s\)?)?$",  # vitest, node
        r"^[ \t]+\d+\) (\S.+)$",  # mocha, playwright, rspec, phpunit
        r"^[ \t]*--- FAIL: (\S+)",  # go
        r"^test (\S+) \.\.\. FAILED$",  # cargo
        r"^\(fail\) (.+?)(?: \[.*\])?$",  # bun
        r"^rspec (\./\S+:\d+) ",  # rspec
        r"^\[ERROR\][ \t]+(\w+[.:]\S+:\d+.*)$",  # maven
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
      | (?<=error[ ]during[ ]build:\n).+                             # vite
    )$""",
    re.MULTILINE | re.VERBOSE,
)


def decisive(text: str) -> tuple[str, ...]:
    """Names of failing tests, then the first line of each error: at most six lines of 200
    characters. Takes an output without colours.
    """
    told = islice((m for m in _ERRORS.finditer(text) if not _goes_on(m, text)), _MOST)
    errors = dict.fromkeys(_PYTEST_MARK.sub("", _cut(m.group())) for m in told)
    found = (_cut(m.group(1)) for pattern in _FAILING for m in pattern.finditer(text))
    names = dict.fromkeys(_test_of(name) if errors else name for name in islice(found, 2 * _MOST))
    room = max(_MOST - len(errors), _MOST - 2)
    lines = [*list(names)[:room], *(e for e in errors if not any(n.endswith(e) for n in names))]
    return tuple(line for line in lines if line)[:_MOST]


def _goes_on(error: re.Match[str], text: str) -> bool:
    """Whether pytest tells more of the error before it: values, differences, where from."""
    before = text.rfind("\n", 0, max(error.start() - 1, 0)) + 1
    is_next = error.start() > 0 and text.startswith("E  ", before)
    return is_next and error.group().startswith("E ")


def _test_of(name: str) -> str:
    """A failing test without the cut-off beginning of the error that stands beside it."""
    test, dash, reason = name.partition(" - ")
    return test if dash and reason.endswith("...") else name


def last_lines(text: str, most: int = 1) -> tuple[str, ...]:
    """The last lines that say something, beyond what the client adds of the exit status."""
    lines = [line for line in text.splitlines() if line.strip()]
    told = [line for line in lines if not _EXIT.fullmatch(line.strip())]
    return tuple(_cut(line) for line in told[-most:])


def _cut(line: str) -> str:
    line = " ".join(line.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 2].rsplit(" ", 1)[0] + " …"
