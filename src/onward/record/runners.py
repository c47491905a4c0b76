"""How runners of tests, builds, linters and type checkers sum up, read from what they print."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from onward.record.text import vocabulary

Said = Literal["passed", "failed", "nothing"]
"""`nothing`: the runner ran and says that there was nothing to run."""

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NUMBER_WORD = re.compile(r"(?<!\d)(\d{1,9})\s{1,9}(?:tests?\s{1,9})?([a-z]{1,20})", re.IGNORECASE)
_WORD_NUMBER = re.compile(r"([A-Za-z]{1,20})(?:\s{0,9}[:=]\s{0,9}|\s)(\d{1,9})")
_COUNTED = {
    word: name
    for name, words in (
        ("bad", "failed failing failure failures fail fails error errors errored broken"),
        ("passed", "passed passing pass passes"),
        ("ran", "tests test example examples run runs successes success scenarios assertions"),
        ("skipped", "skipped pending todo deselected skip"),
    )
    for word in words.split()
}


class Summary(NamedTuple):
    """A runner's summary line, and its meaning."""

    said: Said
    line: str


_Means = Literal["passed", "failed", "nothing", "built", "clean", "own-failed"]
"""`built`, `clean`: passed, but of a compiler or a linter, which says nothing of the tests after it.
`own-failed`: failed, but too common a line to be believed of any but this runner.
"""


class _Row(NamedTuple):
    """How one runner sums up. `means` is None where the numbers of the line decide."""

    pattern: re.Pattern[str]
    means: _Means | None
    tools: frozenset[str]


def _row(pattern: str, means: _Means | None, tools: str) -> _Row:
    return _Row(re.compile(pattern, re.MULTILINE), means, frozenset(tools.split()))


_ROWS = (
    # Python
    _row(r"^=*+ ?(?=\d+ [a-z])(?=.*\b(?:passed|failed|errors?|skipped|deselected)\b)\d+ [a-z]+.* in [\d.:]+.*$", None, "pytest"),
    _row(r"^(?:FAILED|ERROR) \S+\.py(?:::\S+)?(?: - .*)?$", "failed", "pytest"),
    _row(r"^=* ?no tests (?:ran|collected).*$", "nothing", "pytest"),
    _row(r"^[.sxX]+ +\[100%\][ \t]*$", "passed", "pytest"),
    _row(r"^OK(?: \((?!\d+ tests?).*\))?$", "passed", "unittest manage.py"),
    _row(r"^FAILED \((?:failures|errors)=.*$", "failed", "unittest manage.py"),
    _row(r"^Ran 0 tests in .*$", "nothing", "unittest manage.py"),
    _row(r"^Success: no issues found.*$", "clean", "mypy"),
    _row(r"^Found [1-9]\d* errors? in \d+ files?.*$", "failed", "mypy tsc vue-tsc"),
    _row(r"^Found \d+ errors? \(\d+ fixed, 0 remaining\).*$", "clean", "ruff"),
    _row(r"^Found [1-9]\d* errors?(?: \(\d+ fixed, [1-9]\d* remaining\))?\.$", "failed", "ruff"),
    _row(r"^All checks passed!.*$", "clean", "ruff ty"),
    _row(r"^\d+ files? would be reformatted.*$", "failed", "ruff black"),
    _row(r"^\d+ files? (?:already formatted|would be left unchanged|left unchanged).*$", "clean", "ruff black"),
    _row(r"^0 errors, \d+ warnings?.*$", "clean", "pyright basedpyright"),
    _row(r"^[1-9]\d* errors?, \d+ warnings?.*$", "failed", "pyright basedpyright"),
    _row(r"^.{3,80}\.{3,}(?:\(.*\))?Failed$", "failed", "pre-commit"),
    _row(r"^.{3,80}\.{3,}Passed$", "clean", "pre-commit"),
    # JavaScript and TypeScript
    _row(r"^Tests:[ \t]+.*\btotal$", None, "jest"),
    _row(r"^Test Suites:[ \t]+[1-9]\d* failed.*$", "failed", "jest"),
    _row(r"^[ \t]*Tests[ \t]+\d+ (?:passed|failed|skipped).*$", None, "vitest"),
    _row(r"^[ \t]*Test Files[ \t]+[1-9]\d* failed.*$", "failed", "vitest"),
    _row(r"^[ \t]*FAIL[ \t]+\S+\.(?:test|spec)\.\w+.*$", "failed", "jest vitest"),
    _row(r"^No tests? (?:files? )?found.*$", "nothing", "jest vitest playwright"),
    _row(r"^[ \t]*\d+ passing(?: \(.*\))?$", None, "mocha cypress"),
    _row(r"^[ \t]*[1-9]\d* failing$", "failed", "mocha cypress"),
    _row(r"^(?:#|\u2139) fail [1-9]\d*$", "failed", "node tap"),
    _row(r"^(?:#|\u2139) pass [1-9]\d*$", "passed", "node tap"),
    _row(r"^[ \t]*\d+ pass$", None, "bun"),
    _row(r"^[ \t]*[1-9]\d* fail$", "failed", "bun"),
    _row(r"^[ \t]*[1-9]\d* failed$", "failed", "playwright"),
    _row(r"^[ \t]*\d+ passed(?: \([\d.]+m?s?.*\))$", None, "playwright"),
    _row(r"^.*\berror TS\d+: .*$", "failed", "tsc vue-tsc"),
    _row(r"^✖ \d+ problems? \([1-9]\d* errors?.*$", "failed", "eslint"),
    _row(r"^✖ \d+ problems? \(0 errors.*$", "clean", "eslint"),
    _row(r"^[ \t]+\d+:\d+[ \t]+error[ \t]+\S.*$", "failed", "eslint"),
    _row(r"^All matched files use Prettier.*$", "clean", "prettier"),
    _row(r"^\[warn\] Code style issues .*$", "failed", "prettier"),
    _row(r"^Checked \d+ files? in .*$", "clean", "biome"),
    _row(r"^Found [1-9]\d* errors?\.?$", "failed", "biome"),
    _row(r"^.*✓ built in [\d.]+ ?m?s.*$", "built", "vite astro"),
    _row(r"^.*[✗x] Build failed in [\d.]+ ?m?s.*$", "failed", "vite astro"),
    _row(r"^error during build:.*$", "failed", "vite"),
    _row(r"^(?:.*✓ Compiled successfully.*|[○ƒ] +\((?:Static|Dynamic)\) .*)$", "built", "next"),
    _row(r"^The (?:build|project was built|\S+ folder is ready).*deployed\.?$", "built", "react-scripts"),
    _row(r"^(?:.*Failed to compile\.?|Type error: .*|.*Build failed because of .*)$", "failed", "next"),
    _row(r"^(?:npm (?:ERR!|error) (?:code|Lifecycle|Missing script).*|.*ELIFECYCLE.*)$", "failed", "npm pnpm yarn"),
    _row(r"^FATAL ERROR: .*(?:heap|memory|Allocation).*$", "failed", "npm pnpm yarn node next vite tsc vue-tsc jest vitest webpack eslint astro"),
    # Go, Rust, C, C++
    _row(r"^FAIL\t\S.*$", "failed", "go gotestsum"),
    _row(r"^(?:--- FAIL: .*|FAIL)$", "failed", "go gotestsum"),
    _row(r"^ok[ \t]+\S+[ \t]+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\]).*$", "passed", "go gotestsum"),
    _row(r"^ok[ \t]+\S+[ \t].*\[no tests to run\]$", "nothing", "go gotestsum"),
    _row(r"^PASS$", "passed", "go gotestsum"),
    _row(r"^\?[ \t]+\S+[ \t]+\[no test files\]$", "nothing", "go"),
    _row(r"^(?:\./)?[\w./-]+\.go:\d+:\d+: .*$", "own-failed", "go golangci-lint staticcheck"),
    _row(r"^(?:\[[\w:]+\] )?0 issues\.$", "clean", "golangci-lint"),
    _row(r"^(?:\[[\w:]+\] )?[1-9]\d* issues:$", "failed", "golangci-lint"),
    _row(r"^ *(?:\d+ )?test result: (?:ok|FAILED)\. \d+ passed.*$", None, "cargo"),
    _row(r"^error: (?:could not compile|aborting due to|test failed|\d+ targets? failed).*$", "failed", "cargo rustc"),
    _row(r"^error(?:\[E\d+\])?: .*$", "own-failed", "cargo rustc clippy"),
    _row(r"^[ \t]+Finished [`\w].*(?:profile|target).*$", "built", "cargo"),
    _row(r"^Diff in \S+.*$", "own-failed", "cargo rustfmt"),
    _row(r"^(?:g?make(?:\[\d+\])?|ninja): \*\*\* .*$|^ninja: build stopped: .*$", "failed", "make cmake ninja"),
    _row(r"^\S+:\d+:\d+: (?:fatal )?error: .*$", "own-failed", "gcc g++ clang clang++ cc make cmake ninja"),
    # Java, .NET, Swift, Ruby, PHP, Elixir, Dart, shell
    _row(r"^(?:\[(?:INFO|ERROR)\] )?BUILD SUCCESS.*$", "passed", "mvn mvnw gradle gradlew"),
    _row(r"^(?:(?:\[(?:INFO|ERROR)\] )?BUILD FAIL(?:URE|ED)|FAILURE: Build failed).*$", "failed", "mvn mvnw gradle gradlew"),
    _row(r"^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+.*$", None, "mvn mvnw"),
    _row(r"^[ \t]*(?:Passed|Failed)![ \t]+- Failed:[ \t]+\d+, Passed:[ \t]+\d+.*$", None, "dotnet"),
    _row(r"^Build succeeded.*$", "built", "dotnet msbuild"),
    _row(r"^Build FAILED.*$", "failed", "dotnet msbuild"),
    _row(r"^[ \t]*Executed \d+ tests?, with \d+ failures?.*$", None, "swift xcodebuild"),
    _row(r"^Build complete!.*$", "built", "swift"),
    _row(r"^\d+ examples?, \d+ failures?.*$", None, "rspec"),
    _row(r"^\d+ runs, \d+ assertions, \d+ failures, \d+ errors.*$", None, "rails rake minitest"),
    _row(r"^\d+ files? inspected, no offenses detected.*$", "clean", "rubocop"),
    _row(r"^\d+ files? inspected, [1-9]\d* offenses? detected.*$", "failed", "rubocop"),
    _row(r"^OK \([1-9]\d* tests?, .*\)$", "passed", "phpunit"),
    _row(r"^(?:FAILURES!|ERRORS!)$", "failed", "phpunit"),
    _row(r"^Tests: \d+, Assertions: \d+.*$", None, "phpunit"),
    _row(r"^\d+ (?:tests|doctests?, \d+ tests?), \d+ failures?.*$", None, "mix bats"),
    _row(r"^\d+:\d+ \+\d+.*: All tests passed!$", "passed", "flutter dart"),
    _row(r"^\d+:\d+ \+\d+ .*-\d+: Some tests failed\.$", "failed", "flutter dart"),
    _row(r"^In .+ line \d+:$", "own-failed", "shellcheck"),
)  # fmt: skip
_CRATE = re.compile(r"test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored")
_BEGINS = re.compile(r"> \S+@\d\S* \S|vite v\d|=+ test session|running \d+ tests?$|\s*RUN +v\d")
"""What runners, and package managers before a script, print first."""
_TOOLS: frozenset[str] = frozenset[str]().union(*(row.tools for row in _ROWS))
_SIGNS = tuple(
    vocabulary(
        """pass fail skip deselect error err! test ok success succeeded found formatted unchanged issue
        stopped warn problem prettier style checked built compiled static dynamic deployed lifecycle
        finished diff build executed examples runs inspected line *** .go: [100%]"""
    )
)
"""One of them, in lower case, stands in each line that a row may match."""
ANY_RUNNER = vocabulary(
    "npm pnpm yarn bun make just node turbo nx task rake composer docker mise uv"
)
"""Programs behind which any runner may stand: `npm run …`, `make …`."""
QUIET = vocabulary(
    """tsc vue-tsc eslint shellcheck flake8 py_compile compileall gofmt go stylelint hadolint
    actionlint yamllint markdownlint gcc g++ clang cc javac rustc lint-imports"""
)
"""Checkers that have passed where they print nothing."""


def clean(output: str) -> str:
    """The output without colours, with one kind of line end, the last state of a redrawn line."""
    text = _ANSI.sub("", output) if "\x1b" in output else output
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read(
    output: str,
    program: str,
    kind: str = "test",
    *,
    shared: bool = False,
    beside: frozenset[str] = frozenset(),
) -> Summary | None:
    """What a cleaned output sums up to, for one runner; None where it does not say. `beside` are
    the programs of the other checks that printed into it: the lines of theirs are theirs.

    A failure wins over a pass: a workspace prints one summary a package. `shared` says that
    another check of the same program printed into the same output: then a line of a test
    runner tells of the tests alone.
    """
    found: dict[Said, Summary] = {}
    output, is_counted = _worth_reading(output), False
    for row in _ROWS:
        if not _fits(row, program, beside):
            continue
        if is_counted and shared and kind == "test" and row.means:
            continue  # the tests are counted: what else failed is another check
        own: dict[Said, list[str]] = {}
        for match in row.pattern.finditer(output):
            said = _meaning(row, match.group(), kind, shared)
            if said is None:
                break
            own.setdefault(said, []).append(match.group().strip(" =\t"))
        is_counted = is_counted or (bool(own) and not row.means)
        for said, lines in own.items():
            line = _sum_of_crates(own) or _telling(lines)
            found.setdefault(said, Summary(said, line[:200]))
    return found.get("failed") or found.get("passed") or found.get("nothing")


@lru_cache(maxsize=4)
def _worth_reading(output: str) -> str:
    """The lines that may sum up: of a long output few, and each is looked at by every row."""
    whole = output.lower()
    here = [sign for sign in _SIGNS if sign in whole]
    lines = ((line, line.lower()) for line in output.split("\n")) if here else ()
    return "\n".join(line for line, lower in lines if any(sign in lower for sign in here))


def is_printed(line: str) -> bool:
    """Whether a runner prints such a line."""
    return bool(_BEGINS.match(line)) or any(row.pattern.search(line) for row in _ROWS)


def printed_by(output: str) -> str:
    """The one runner that printed a cleaned output, by lines of it in at least two forms: one alone,
    or one of two words, may be anybody's. Of a runner and its wrapper the runner. "" where it is not sure.
    """
    output, forms, tools = _worth_reading(output), dict[str, _Row](), dict[str, frozenset[str]]()
    for row in _ROWS:
        for line in map(re.Match.group, row.pattern.finditer(output)):
            if row.means != "nothing" and len(line.split()) > 2:
                forms.setdefault(line, row)
                tools[line] = tools.get(line, frozenset()) | row.tools
    found = _TOOLS.intersection(*tools.values()) if len(set(forms.values())) > 1 else frozenset()
    runner = min(found, key=len, default="")
    return runner if all(runner in wrapper for wrapper in found) else ""


def counted(output: str) -> Summary | None:
    """The summary of a test runner, whichever it is, that counts its tests."""
    output = _worth_reading(output)
    for row in _ROWS if any(ch.isdigit() for ch in output) else ():
        found = None if row.means else row.pattern.search(output)
        said = _count(found.group()) if found else None
        if found and said in {"passed", "failed"}:
            return Summary(said, found.group().strip(" =\t")[:200])
    return None


def _sum_of_crates(own: dict[Said, list[str]]) -> str:
    """`cargo test` sums up each test binary by itself: all of them as one line."""
    lines = [line for lines in own.values() for line in lines]
    found = [m for line in lines if (m := _CRATE.match(line))]
    if len(found) < 2 or len(found) < len(lines):
        return ""
    passed, failed, ignored = (sum(int(m[n]) for m in found) for n in (1, 2, 3))
    ended = "FAILED" if failed or "failed" in own else "ok"
    return (
        f"test result: {ended}. {passed} passed; {failed} failed; {ignored} ignored "
        f"({len(found)} test binaries)"
    )


def _telling(lines: list[str]) -> str:
    """Of several summaries of one runner the one of the most tests; else how many there are."""
    best = max(
        lines, key=lambda line: max((int(n) for n, _ in _NUMBER_WORD.findall(line)), default=0)
    )
    if len(lines) > 1 and all(line.startswith("ok") for line in lines):
        return f"ok, {len(lines)} packages"
    return best


def _meaning(row: _Row, line: str, kind: str, shared: bool) -> Said | None:
    match row.means:
        case "built" | "clean":
            # Of several checks a compiler's line passes the build alone: `cargo clippy` has it too.
            other = shared and (kind == "build") != (row.means == "built")
            return None if kind == "test" or other else "passed"
        case None | "passed" if shared and kind != "test":
            return None
        case None:
            return _count(line)
        case "own-failed":
            return "failed"
        case told:
            return told


def _fits(row: _Row, program: str, beside: frozenset[str]) -> bool:
    """A runner is read by its own rows only, `npm run …` and `make …` by all."""
    if program in row.tools:
        return True
    if row.tools & beside:
        return False
    return row.means != "own-failed" and (program in ANY_RUNNER or program not in _TOOLS)


def counts(line: str) -> bool:
    """Whether a summary line gives numbers of failed tests: then it is of no other check."""
    return bool(_NUMBER_WORD.search(line) or _WORD_NUMBER.search(line)) and bool(_count(line))


def _count(line: str) -> Said | None:
    """What the numbers of a summary line say: `5 tests, 1 failure`, `Failed: 0, Passed: 5`."""
    pairs = [(word, number) for number, word in _NUMBER_WORD.findall(line)]
    sums: dict[str, int] = {}
    for word, number in (*pairs, *_WORD_NUMBER.findall(line)):
        if name := _COUNTED.get(word.lower()):
            sums[name] = sums.get(name, 0) + int(number)
    if sums.get("bad") or "FAILED" in line:
        return "failed"
    if not sums:
        return None
    ran = sums["passed"] if "passed" in sums else sums.get("ran", 0) - sums.get("skipped", 0)
    return "passed" if ran > 0 else "nothing"
