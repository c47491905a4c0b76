from __future__ import annotations

import pytest

from onward.model import Ran
from onward.record.checks import Check, checks, decisive
from onward.record.runners import read


def run(
    command: str, output: str = "", *, failed: bool | None = False, code: int | None = None
) -> Check:
    (check,) = checks(Ran(line=1, command=command, output=output, failed=failed, exit_code=code))
    return check


PASSES = [
    ("pytest -q", "..... [100%]\n14 passed in 0.31s\n"),
    ("pytest", "=================== 3 passed, 1 skipped in 0.12s ===================\n"),
    ("python -m unittest", "Ran 5 tests in 0.003s\n\nOK\n"),
    ("python manage.py test", "Ran 5 tests in 0.003s\n\nOK (skipped=1)\n"),
    ("mypy src", "Success: no issues found in 12 source files\n"),
    ("ruff check .", "All checks passed!\n"),
    ("ruff check --fix", "Found 3 errors (3 fixed, 0 remaining).\n"),
    ("pyright", "0 errors, 2 warnings, 0 informations\n"),
    ("pre-commit run -a", "trailing whitespace.................................Passed\n"),
    ("npx jest", "Tests:       1 skipped, 40 passed, 41 total\nTime: 2 s\n"),
    ("npx vitest run", " Test Files  3 passed (3)\n      Tests  12 passed (12)\n"),
    ("npx mocha", "  12 passing (34ms)\n  1 pending\n"),
    ("node --test", "\u2139 tests 4\n\u2139 pass 4\n\u2139 fail 0\n"),
    ("bun test", " 4 pass\n 0 fail\n"),
    ("npx playwright test", "  3 passed (4.1s)\n"),
    ("npx eslint .", "\u2716 3 problems (0 errors, 3 warnings)\n"),
    ("npx prettier --check .", "All matched files use Prettier code style!\n"),
    ("npx vite build", "\u2713 built in 3.21s\n"),
    ("npx next build", "\u25cb  (Static)   prerendered as static content\n"),
    ("npm run build", "The build folder is ready to be deployed.\n"),
    ("go test ./...", "ok  \texample.org/a\t0.012s\n?   \texample.org/b\t[no test files]\n"),
    ("cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured\n"),
    ("cargo build", "    Finished `dev` profile [unoptimized] target(s) in 2.1s\n"),
    ("mvn test", "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n"),
    ("./gradlew test", "BUILD SUCCESSFUL in 3s\n"),
    ("dotnet test", "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5\n"),
    ("dotnet build", "Build succeeded.\n    0 Warning(s)\n    0 Error(s)\n"),
    ("swift test", "Executed 5 tests, with 0 failures (0 unexpected) in 0.1 seconds\n"),
    ("bundle exec rspec", "10 examples, 0 failures, 2 pending\n"),
    ("rails test", "5 runs, 10 assertions, 0 failures, 0 errors, 0 skips\n"),
    ("vendor/bin/phpunit", "OK (5 tests, 9 assertions)\n"),
    ("bundle exec rubocop", "12 files inspected, no offenses detected\n"),
    ("mix test", "10 tests, 0 failures\n"),
    ("flutter test", "00:03 +5: All tests passed!\n"),
    ("make test", "=== 7 passed in 1.02s ===\n"),
    ("just test", "test result: ok. 3 passed; 0 failed; 0 ignored\n"),
]
FAILS = [
    ("pytest -q", "FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 3 passed in 0.31s\n"),
    ("pytest", "============ 2 failed, 3 passed, 1 error in 0.12s ============\n"),
    ("python -m unittest", "Ran 5 tests in 0.003s\n\nFAILED (failures=1)\n"),
    (
        "mypy src",
        "src/a.py:3: error: Missing return  [return]\nFound 1 error in 1 file (checked 2 source files)\n",
    ),
    ("ruff check .", "src/a.py:1:1: F401 unused\nFound 1 error.\n"),
    ("pyright", "3 errors, 0 warnings, 0 informations\n"),
    ("black --check .", "would reformat a.py\n1 file would be reformatted.\n"),
    ("npx jest", "Tests:       2 failed, 40 passed, 42 total\n"),
    (
        "npx vitest run",
        " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 11 passed (12)\n",
    ),
    ("npx mocha", "  12 passing (34ms)\n  2 failing\n"),
    ("node --test", "\u2139 pass 3\n\u2139 fail 1\n"),
    ("bun test", " 4 pass\n 1 fail\n"),
    ("npx tsc --noEmit", "src/a.ts(3,5): error TS2322: Type 'string' is not assignable\n"),
    (
        "npx eslint .",
        "  3:5  error  'x' is unused  no-unused-vars\n\u2716 1 problem (1 error, 0 warnings)\n",
    ),
    ("npm run build", "Failed to compile.\n\n./a.tsx\nType error: no\n"),
    (
        "go test ./...",
        "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample.org/a\t0.01s\nok  \texample.org/b\t0.1s\n",
    ),
    ("go vet ./...", "./a.go:3:5: undefined: x\n"),
    ("cargo test", "test result: FAILED. 3 passed; 1 failed; 0 ignored\n"),
    (
        "cargo build",
        "error[E0308]: mismatched types\nerror: could not compile `a` (lib) due to 1 previous error\n",
    ),
    (
        "mvn test",
        "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n",
    ),
    ("./gradlew build", "FAILURE: Build failed with an exception.\nBUILD FAILED in 2s\n"),
    ("dotnet test", "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5\n"),
    ("rspec", "10 examples, 2 failures\n"),
    ("phpunit", "FAILURES!\nTests: 5, Assertions: 9, Failures: 1.\n"),
    ("make", "make: *** [Makefile:3: all] Error 2\n"),
    ("make test", "make: *** [Makefile:3: test] Error 1\n"),
]
MAKE_ALONE = "make"


@pytest.mark.parametrize(("command", "output"), PASSES)
def test_behind_a_pipe_the_summary_line_tells_a_pass(command: str, output: str) -> None:
    check = run(f"{command} 2>&1 | tail -20", output)
    assert check.outcome == "passed"
    # cargo sums up each test binary by itself: of a cut output no count is told.
    assert bool(check.summary) is not output.startswith("test result: ok")
    assert check.decisive == ()


@pytest.mark.parametrize(("command", "output"), [f for f in FAILS if f[0] != MAKE_ALONE])
def test_behind_a_pipe_the_summary_line_tells_a_failure(command: str, output: str) -> None:
    check = run(f"cd app && {command} 2>&1 | tail -20", output)
    assert check.outcome == "failed"
    assert check.summary


@pytest.mark.parametrize(("command", "output"), [*PASSES, *FAILS])
def test_unpiped_the_status_is_believed(command: str, output: str) -> None:
    if command == MAKE_ALONE:
        return
    assert run(command, output, failed=False).outcome == "passed"
    assert run(command, output, failed=True, code=1).outcome == "failed"


@pytest.mark.parametrize(
    ("command", "output", "failed"),
    [
        ("pytest | head -5", "collecting ...\n", False),
        ("npm test | tail -3", "ERROR connection refused (expected)\n", False),
        ("npm test 2>&1 | grep -E 'fail|error'", "", True),
        ("npx jest", "No tests found, exiting with code 0\n", False),
        ("pytest tests/none.py", "no tests ran in 0.01s\n", True),
        ("pytest -q | tail", "2 skipped in 0.02s\n", False),
        ("go test ./...", "?   \texample.org/b\t[no test files]\n", False),
        ("go test -run X ./...", "ok  \texample.org/a\t0.012s [no tests to run]\n", False),
        ("npx jest | tail", "Tests:       3 skipped, 3 total\n", False),
        ("pytest; true", "", False),
        ("pytest || true", "", False),
        (
            "cargo test | head -5",
            "    Finished `test` profile [unoptimized] target(s) in 2.1s\n",
            False,
        ),
        ("npm test | tail", "\u2713 built in 3.21s\n", False),
        ("cp a b && pytest && git push", "fatal: no upstream\n", True),
        ("npm run lint | tail -3; npm run build | tail -3", None, False),
    ],
)
def test_what_does_not_tell_is_unseen(command: str, output: str | None, failed: bool) -> None:
    if output is None:
        both = checks(Ran(line=1, command=command, output="npm error code 1\n", failed=False))
        assert [c.outcome for c in both] == ["unseen", "unseen"]
        return
    assert run(command, output, failed=failed).outcome == "unseen"


@pytest.mark.parametrize(
    "command",
    [
        "pytest --collect-only",
        "pytest --version",
        "npm install",
        "prettier --write .",
        "ruff format .",
        "docker run test",
        "git status",
        "echo pytest",
        "npm run dev",
    ],
)
def test_what_checks_nothing_is_no_check(command: str) -> None:
    assert checks(Ran(line=1, command=command, failed=False)) == ()


@pytest.mark.parametrize("state", ["denied", "cancelled"])
def test_what_never_ran_has_no_outcome(state: str) -> None:
    event = Ran(line=1, command="pytest", failed=True, state=state)  # type: ignore[arg-type]
    assert checks(event) == ()


@pytest.mark.parametrize(
    "output",
    [
        "bash: pytest: command not found",
        "No module named pytest",
        "bash: line 1: cd: app: No such",
        "(eval):cd:1: no such file",
    ],
)
def test_a_missing_runner_is_no_failing_test(output: str) -> None:
    assert checks(Ran(line=1, command="pytest", failed=True, exit_code=127, output=output)) == ()


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (Ran(line=1, command="pytest", failed=None), "unseen"),
        (Ran(line=1, command="pytest", failed=False, background="b1"), "unseen"),
        (Ran(line=1, command="pytest", failed=True, state="timeout"), "unseen"),
        (Ran(line=1, command="timeout 9 pytest", failed=True, exit_code=124), "unseen"),
        (Ran(line=1, command="pytest; date; echo $?", failed=False, output="x\n0\n"), "unseen"),
        (Ran(line=1, command="set -o pipefail; pytest | tail", failed=False), "passed"),
        (Ran(line=1, command="pytest && git log | head", failed=False), "passed"),
        (
            Ran(line=1, command="pytest | grep x | head; exit ${PIPESTATUS[0]}", failed=False),
            "passed",
        ),
        (Ran(line=1, command="pytest | tail", failed=False), "unseen"),
        (Ran(line=1, command="npx tsc --noEmit | head -20", failed=False), "passed"),
        (Ran(line=1, command="npx tsc --noEmit | grep src", failed=False), "unseen"),
        (Ran(line=1, command="set -e; cd a; pytest", failed=False), "passed"),
        (Ran(line=1, command="cargo fmt && cargo clippy", failed=True), "failed"),
    ],
)
def test_the_status_is_read_only_where_it_is_the_checks_own(event: Ran, expected: str) -> None:
    assert checks(event)[0].outcome == expected


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("make check; echo $?", "x\n0\n", "passed"),
        ('npm test > log 2>&1; echo "exit: $?"', "exit: 1", "failed"),
        ('cd a && npm test > log 2>&1; echo "EXIT=$?"', "EXIT=1", "failed"),
        ("./setup.sh && npm test > log; echo EXIT=$?", "EXIT=1", "unseen"),
        ("npm test | tail -1; echo EXIT=$?", "EXIT=0", "unseen"),
        ('npm test | grep -c ok; echo "st=${PIPESTATUS[0]}"', "7\nst=0", "passed"),
        ('npm test | grep -c ok; echo "st=${PIPESTATUS[0]}"', "0\nst=1", "failed"),
        ("cargo fmt && npm test | tail -1; echo st=${PIPESTATUS[0]}", "st=2", "failed"),
        ("npm test; echo $?", "3\n0\n", "unseen"),
        ("timeout 9 npm test > log; echo $?", "124", "unseen"),
        ("npm test > log & echo $?", "0", "unseen"),
    ],
)
def test_a_status_that_an_echo_printed_is_the_checks(
    command: str, output: str, expected: str
) -> None:
    assert checks(Ran(line=1, command=command, output=output, failed=False))[0].outcome == expected


def test_a_check_of_an_own_tool_passes_in_silence() -> None:
    (check,) = checks(Ran(line=1, command="tspec fmt --check 2>&1", output="", failed=False))
    assert (check.kind, check.outcome) == ("lint", "passed")
    assert checks(Ran(line=1, command="tspec fmt", output="", failed=False)) == ()


def test_findings_that_nobody_asked_the_status_of_fail_nothing() -> None:
    found = "\nIn install.sh line 284:\n  echo $x\n  ^-- SC2086 (info): Double quote it."
    (check,) = checks(Ran(line=1, command="shellcheck a.sh || true", output=found, failed=False))
    assert check.outcome == "unseen"


@pytest.mark.parametrize("kept", ["", " | tee log", " | grep result"])
def test_of_a_whole_output_cargos_counts_are_told(kept: str) -> None:
    said = "test result: ok. 8 passed; 0 failed; 0 ignored"
    (check,) = checks(Ran(line=1, command=f"cargo test{kept}", output=said, failed=False))
    assert (check.outcome, check.summary) == ("passed", said)


OK_LINES = "test result: ok. 8 passed; 0 failed\ntest result: ok. 2 passed; 0 failed\n"
GO = "ok  \texample.org/a\t0.012s\n"


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("cargo test | grep 'test result: ok'", OK_LINES, "unseen"),
        ("cargo test | grep -A3 my_test", OK_LINES, "unseen"),
        ("cargo test | grep 'test result' | head -2", OK_LINES, "unseen"),
        ("cargo test | grep 'test result' | head -3", OK_LINES, "passed"),
        ("cargo test | grep -E '^test result|error\\['", OK_LINES, "passed"),
        ("cargo test | grep -v Compiling | tail -2", OK_LINES, "passed"),
        ("go test ./... | grep ok", GO, "unseen"),
        ("go test ./... | grep -v FAIL", GO, "unseen"),
        ("go test ./... | head -1", GO, "unseen"),
        ("go test ./... | grep -E '^(ok|FAIL)'", GO, "passed"),
        ("go test ./... | grep -i 'ok\\|fail'", GO, "passed"),
        ("node --test | grep '^# pass'", "# pass 4\n", "unseen"),
        ("node --test | grep -E '^# fail|^# pass'", "# pass 4\n", "passed"),
        ("pytest | grep passed", "3 passed in 0.12s\n", "passed"),
    ],
)
def test_what_passed_behind_a_filter_passes_all_only_if_a_failure_would_be_shown(
    command: str, output: str, expected: str
) -> None:
    assert run(command, output).outcome == expected


def test_each_runner_of_a_script_is_read_by_its_own_lines() -> None:
    both = checks(
        Ran(
            line=1,
            command="ruff check . | tail -1; pytest -q | tail -1",
            output="Found 2 errors.\n5 passed in 0.10s\n",
            failed=False,
        )
    )
    assert [(c.kind, c.outcome) for c in both] == [("lint", "failed"), ("test", "passed")]


def test_the_decisive_lines_name_what_failed() -> None:
    output = (
        "E       AssertionError: assert 1 == 2\n"
        "FAILED tests/test_a.py::test_b - assert 1 == 2\n"
        "FAILED tests/test_a.py::test_c - KeyError\n"
        "2 failed, 3 passed in 0.31s\n"
    )
    check = run("pytest -q", output, failed=True, code=1)
    assert check.summary == "2 failed, 3 passed in 0.31s"
    assert check.decisive == (
        "tests/test_a.py::test_b - assert 1 == 2",
        "tests/test_a.py::test_c - KeyError",
    )


def test_decisive_lines_are_few_and_short() -> None:
    output = "".join(f"FAILED tests/test_{n}.py::test_x - {'long ' * 80}\n" for n in range(50))
    lines = run("pytest", output, failed=True).decisive
    assert len(lines) == 6
    assert all(len(line) <= 200 for line in lines)


def test_colours_do_not_hide_a_summary() -> None:
    output = "\x1b[32m\x1b[1m4 passed\x1b[0m\x1b[32m in 0.10s\x1b[0m\r\n"
    assert run("pytest | tail -1", output).outcome == "passed"


def test_a_test_summary_says_nothing_of_the_linter_beside_it() -> None:
    command = "cargo clippy | tail -2; cargo test | tail -2"
    output = "test result: ok. 3 passed; 0 failed; 0 ignored\n"
    both = checks(Ran(line=1, command=command, output=output, failed=False))
    assert [(c.form.sub, c.outcome) for c in both] == [("clippy", "unseen"), ("test", "passed")]


def test_a_script_that_runs_a_quiet_checker_is_quiet() -> None:
    output = "> app@1.0.0 types\n> tsc --noEmit\n\n"
    assert run("npm run types | tail -5", output).outcome == "passed"
    assert run("npm run start-test | tail -5", output.replace("tsc", "serve")).outcome == "unseen"


def test_of_many_summaries_the_one_that_tells_most_is_shown() -> None:
    cargo = "test result: ok. 265 passed; 0 failed\ntest result: ok. 6 passed; 0 failed\n"
    assert run("cargo test", cargo).summary == "test result: ok. 265 passed; 0 failed"
    go = "ok  \tx/a\t0.1s\nok  \tx/b\t(cached)\n"
    assert run("go test ./...", go).summary == "ok, 2 packages"


def summed(output: str, program: str, kind: str = "test") -> str:
    found = read(output, program, kind)
    return found.line if found else ""


def test_the_summaries_of_several_crates_are_added_up() -> None:
    ok = "test result: ok. {} passed; 0 failed; 1 ignored; 0 measured; finished in 0.1s\n"
    three = "".join(ok.format(n) for n in (5, 20, 0))
    bad = three + "test result: FAILED. 7 passed; 2 failed; 0 ignored\n"
    assert (
        summed(three, "cargo")
        == "test result: ok. 25 passed; 0 failed; 3 ignored (3 test binaries)"
    )
    assert (
        summed(bad, "cargo")
        == "test result: FAILED. 32 passed; 2 failed; 3 ignored (4 test binaries)"
    )


def test_a_failing_crate_is_named() -> None:
    output = "error: test failed, to rerun pass `-p mylib --lib`\nerror: 1 target failed:"
    assert decisive(output) == ("error: test failed, to rerun pass `-p mylib --lib`",)


def test_a_program_that_ran_out_of_memory_has_failed() -> None:
    output = "FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed"
    assert summed(output, "npm", "build") == summed(output, "next", "build") == output


MARKED = """error: unused import: `x`
error: could not compile `shop` (bin "shop") due to 1 previous error
--- test ---
test result: ok. 3 passed; 0 failed; 0 ignored
--- install ---
    Finished `release` profile [optimized] target(s) in 4.03s
"""


def test_lines_that_the_script_printed_itself_part_the_output() -> None:
    command = (
        'cargo clippy 2>&1 | tail -10 && echo "--- test ---" && cargo test | grep result'
        " && echo '--- install ---' && cargo install --path . | tail -3"
    )
    found = checks(Ran(line=1, command=command, cwd="/w", failed=False, output=MARKED))
    assert [(c.form.sub, c.outcome, c.summary[:24]) for c in found] == [
        ("clippy", "failed", "error: could not compile"),
        ("test", "passed", "test result: ok. 3 passe"),
    ]
    assert found[0].decisive == ("error: unused import: `x`",)


def test_a_line_with_a_variable_or_into_a_file_parts_nothing() -> None:
    command = 'cargo clippy | tail; echo "$X"; echo a > b.txt; cargo test | tail'
    found = checks(Ran(line=1, command=command, cwd="/w", failed=False, output="$X\na\n" + MARKED))
    assert [c.outcome for c in found] == ["unseen", "passed"]


def test_a_line_that_each_command_of_the_program_prints_passes_none_of_several() -> None:
    output = (
        "    Finished `test` profile [unoptimized] target(s) in 1.04s\n"
        "test result: ok. 3 passed; 0 failed; 0 ignored; finished in 0.01s\n"
        "    Finished `dev` profile [unoptimized] target(s) in 0.50s\n"
        "Diff in src/main.rs:31:\n-fn a() {}\n+fn a() {\n"
    )
    for program in ("cargo", "own"):
        command = " && ".join(f"{program} {sub}" for sub in ("test", "clippy", "fmt --check"))
        found = checks(Ran(line=1, command=command, cwd="/w", failed=True, output=output))
        assert [c.outcome for c in found] == ["passed", "unseen", "unseen"]


def test_of_each_error_only_the_first_line_is_decisive() -> None:
    output = (
        ">       assert run() == 3\n"
        "E       AssertionError: assert 2 == 3\n"
        "E        +  where 2 = run()\n"
        "\n"
        ">       assert [1] == [2]\n"
        "E       assert [1] == [2]\n"
        "E         \n"
        "E         At index 0 diff: 1 != 2\n"
        "FAILED tests/test_a.py::test_b - AssertionErr...\n"
        "FAILED tests/test_a.py::test_c - assert [1] == [2]\n"
    )
    assert decisive(output) == (
        "tests/test_a.py::test_b",
        "tests/test_a.py::test_c - assert [1] == [2]",
        "assert 2 == 3",
    )


def test_a_check_that_was_told_to_be_quiet_and_prints_nothing_has_passed() -> None:
    (check,) = checks(Ran(line=1, command="cargo check --quiet | tail -30", failed=False))
    assert check.outcome == "passed"
    (check,) = checks(Ran(line=1, command="cargo test --quiet | tail -30", failed=False))
    assert check.outcome == "unseen"


def test_what_a_shell_did_not_find_never_ran() -> None:
    output = "zsh:1: no such file or directory: scripts/test.sh\n"
    event = Ran(line=1, command="scripts/test.sh", failed=True, exit_code=127, output=output)
    assert checks(event) == ()


@pytest.mark.parametrize(
    ("command", "kinds"),
    [("bash -n install.sh", ["lint"]), ("node --check a.js", ["lint"]), ("bash install.sh", [])],
)
def test_an_option_makes_a_checker_of_a_program(command: str, kinds: list[str]) -> None:
    ran = Ran(line=1, command=command, cwd="/w", output="", failed=False, exit_code=0)
    assert [check.kind for check in checks(ran)] == kinds


@pytest.mark.parametrize(
    ("command", "output", "line"),
    [
        (
            "npx vitest run | tail",
            " FAIL  src/a.test.ts > adds\n Test Files  1 failed (1)\n      Tests  1 failed | 7 passed (8)",
            "Tests  1 failed | 7 passed (8)",
        ),
        ("npx vite build | tail", "x Build failed in 111ms\nerror during build:\nno x", "x Build failed in 111ms"),
    ],
)  # fmt: skip
def test_the_line_that_counts_or_sums_up_is_told(command: str, output: str, line: str) -> None:
    (check,) = checks(Ran(line=1, command=command, failed=False, output=output))
    assert (check.outcome, check.summary) == ("failed", line)


def test_the_error_of_a_vite_build_is_decisive() -> None:
    assert decisive('error during build:\nCould not resolve "a"\n    at x') == (
        'Could not resolve "a"',
    )


def test_an_output_without_a_status_is_read() -> None:
    (check,) = checks(Ran(line=1, command="pytest", failed=None, output="3 passed in 0.10s"))
    assert check.outcome == "passed"


def test_an_error_that_another_command_of_the_program_may_have_printed_fails_no_check() -> None:
    command = "cargo update -p x 2>&1 | tail -1; cargo clippy --all-targets 2>&1 | tail -1"
    output = "error: package ID specification `x` did not match any packages\n    Finished `dev` profile [unoptimized] target(s) in 3.51s"
    (check,) = checks(Ran(line=1, command=command, cwd="/w", failed=False, output=output))
    assert check.outcome == "unseen"
