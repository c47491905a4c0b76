"""Tests, builds and linters: which were run, and how the last run of each ended."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from evals.entries import Call, Entry, Result, results
from evals.shell import Command, commands

Verdict = Literal["passed", "failed"]
NEWEST = 6
"""How many of the last runs a case asks for; nobody needs every check of a long day."""

_TEST = set("pytest jest vitest mocha ava phpunit rspec tox nox ctest unittest busted bats".split())  # noqa: SIM905
_BUILD = set("tsc xcodebuild webpack rollup vite esbuild msbuild cmake ninja tsup".split())  # noqa: SIM905
_LINT = set(
    "ruff eslint mypy pyright flake8 pylint clippy golangci-lint biome stylelint shellcheck black py_compile "  # noqa: SIM905
    "prettier isort basedpyright oxlint svelte-check vue-tsc".split()
)
_SUB = {
    **dict.fromkeys(("cargo", "go", "dotnet", "swift", "mix", "deno", "flutter", "gradle", "gradlew",
                     "mvn", "npm", "pnpm", "yarn", "bun", "make", "just", "rake", "zig", "turbo",
                     "playwright", "cypress", "next", "task", "manage.py", "ng", "lake")),
}  # fmt: skip
_RUN_SCRIPTS = {"node", "python", "python3", "bash", "sh", "deno", "tsx", "ts-node"}
_TEST_SCRIPT = re.compile(
    r"^(?:run[_-])?tests?[_-]\w|[_.-]tests?\.(?:py|sh|js|mjs|ts)$|^run[_-]?tests?\b"
)
_SUB_TEST = re.compile(r"(?:unit|e2e|integration|run)?[-:]?tests?(?:[:-].*)?|nextest|spec|verify")
_SUB_BUILD = re.compile(r"build(?:[:-].*)?|compile|package|assemble\w*|release")
_SUB_LINT = re.compile(
    r"lint(?:[:-].*)?|clippy|vet|check(?:[:-].*)?|type-?check(?:[:-].*)?|tsc|fmt|format[:-]check|analyze"
)
_FORMATTERS = {"black", "prettier", "isort"}
_ONLY_LOOKS = re.compile(r"(?:^|\s)(?:--check|--check-only|--list-different|--diff|-c|-l)\b")
_WRITES = re.compile(r"--(?:fix|write|watch)\b|-w\b")

# What a runner's own last lines say; the first of these that is found decides.
_COUNTS_FAILED = re.compile(
    r"(?<![\d.])(?!0+ )\d+ (?:tests? |specs? |suites? )?(?:failed|failing|failures?)\b"
    r"|^\s*test result: FAILED|^FAILED \((?:failures|errors)=|^not ok \d|^--- FAIL|^FAIL\b",
    re.MULTILINE,
)
_COUNTS_PASSED = re.compile(
    r"(?<![\d.])(?!0+ )\d+ (?:tests? |specs? )?(?:passed|passing)\b|^test result: ok|^ok\s+\S+\s"
    r"|^OK\b|^PASS\b",
    re.MULTILINE,
)
_BROKEN = re.compile(
    r"^error(?:\[\w+\])?:|\berror TS\d+|: error\b|(?<!\d)(?!0+ )\d+ errors?\b|^ERR_PNPM|^npm ERR!"
    r"|\bType error:|^Error: |\bFailed to compile\b|^make: \*\*\*|✖ (?!0 )\d+ problem|^SyntaxError|\bBUILD FAILED\b"
    r"|\bCode style issues found|^\S+\.go:\d+:\d+: ",
    re.MULTILINE,
)
_SOUND = re.compile(
    r"\bAll checks passed|\bSuccess: no issues|\bBUILD SUCCESS|\bBuild succeeded|✓ built in"
    r"|\bCompiled successfully|\b0 errors\b|✓ Compiled|^\s*Finished `|\bAll matched files use"
    r"|\bfiles? already formatted|\b0 problems\b|\bwould be left unchanged",
    re.MULTILINE,
)
_NAMED = re.compile(
    r"^(?:FAILED|ERROR|FAIL:?|--- FAIL:|not ok \d+ -|✕|✗|×)\s+(\S[^\n]{2,160})|^test (\S+) \.\.\. FAILED",
    re.MULTILINE,
)
_ERROR_LINE = re.compile(r"^[^\n]{0,120}(?:\berror\b|Error:|panicked)[^\n]{0,200}$", re.MULTILINE)


class Run(Struct, frozen=True, kw_only=True):
    """The last run of one check."""

    form: tuple[str, ...]
    kind: str
    verdict: Verdict
    line: int
    decisive: tuple[str, ...] = ()
    """Names of failing tests and error lines."""


def kind_of(form: tuple[str, ...]) -> str:
    """`test`, `build`, `lint`, or "" for any other command.

    >>> kind_of(("npm", "test")), kind_of(("cargo", "clippy")), kind_of(("npm", "install"))
    ('test', 'lint', '')
    """
    if not form:
        return ""
    program = form[0].rsplit("/", 1)[-1]
    for kind, known in (("test", _TEST), ("build", _BUILD), ("lint", _LINT)):
        if program in known:
            return kind
    named = form[1] if program in _RUN_SCRIPTS and len(form) > 1 else program
    if _TEST_SCRIPT.search(named.rsplit("/", 1)[-1]):
        return "test"
    if program in _SUB:
        for word in form[1:]:
            for kind, shape in (("test", _SUB_TEST), ("build", _SUB_BUILD), ("lint", _SUB_LINT)):
                if shape.fullmatch(word):
                    return kind
            if program != "turbo":
                break
    return ""


def head(form: tuple[str, ...]) -> tuple[str, ...]:
    """The words that make a command a check, without what it looks at.

    >>> head(("cargo", "test", "core")), head(("pytest", "tests/unit"))
    (('cargo', 'test'), ('pytest',))
    """
    return next((form[:n] for n in range(1, len(form)) if kind_of(form[:n])), form)


def last_runs(entries: list[Entry]) -> list[Run]:
    """The last run of each check whose end is known, newest first, at most `NEWEST`.

    A check that ran again with an end that nobody saw is not asked for: its older result is out
    of date.
    """
    ends = results(entries)
    last: dict[tuple[str, ...], Run | None] = {}
    for entry in entries:
        if isinstance(entry, Call) and entry.script:
            for form, run in _runs(entry, ends.get(entry.id)):
                last.pop(form, None)
                last[form] = run
    return [run for run in reversed(last.values()) if run is not None][:NEWEST]


def _runs(call: Call, end: Result | None) -> list[tuple[tuple[str, ...], Run | None]]:
    found = commands(call.script)
    checks = [n for n, command in enumerate(found) if _is_check(command)]
    out: list[tuple[tuple[str, ...], Run | None]] = []
    for at in checks:
        form, verdict = found[at].gist, None
        if end is not None:
            verdict = _verdict(found, at, end, alone=len(checks) == 1)
        decisive = _decisive(end.text) if end is not None and verdict == "failed" else ()
        run = verdict and Run(
            form=form, kind=kind_of(form), verdict=verdict, line=call.line, decisive=decisive
        )
        out.append((form, run or None))
    return out


def _is_check(command: Command) -> bool:
    line = " ".join(command.words)
    if not kind_of(command.gist) or _WRITES.search(line):
        return False
    writer = command.gist[0] in _FORMATTERS or "fmt" in command.gist
    return not writer or bool(_ONLY_LOOKS.search(line))


def _verdict(found: list[Command], at: int, end: Result, *, alone: bool) -> Verdict | None:
    """How command `at` of a script ended. The exit status speaks where it is that command's own;
    else what the output says of itself, and only where no other check could have said it.
    """
    after = found[at].after
    rest = [c.after for c in found[at:-1]]
    told: bool | None = end.failed if end.status is None else end.status != 0
    if end.failed and end.status is None:
        return None  # refused, cancelled or timed out
    if told is False and all(op == "&&" for op in rest):
        return "passed"
    if told and alone and after not in {"|", "|&"} and at == len(found) - 1:
        harmless = all(c.gist[:1] in {("cd",), ("export",), ("source",)} for c in found[:at])
        if harmless:
            return "failed"
    return _printed(end.text, kind_of(found[at].gist), alone=alone)


def _printed(output: str, kind: str, *, alone: bool) -> Verdict | None:
    """What an output says of a check; among several checks only that all went well."""
    failed = _COUNTS_FAILED.search(output) if kind == "test" else _BROKEN.search(output)
    passed = (_COUNTS_PASSED if kind == "test" else _SOUND).search(output)
    if not alone:
        wrong = _COUNTS_FAILED.search(output) or _BROKEN.search(output)
        return "passed" if passed and not wrong else None
    if failed:
        return "failed"
    if passed:
        return "passed"
    return "failed" if _BROKEN.search(output) else None


def _decisive(output: str) -> tuple[str, ...]:
    named = [a or b for a, b in _NAMED.findall(output)]
    lines = [line.strip() for line in _ERROR_LINE.findall(output)]
    return tuple(dict.fromkeys([*named[:8], *lines[:6]]))
