from __future__ import annotations

import pytest

from evals.checks import head, kind_of, last_runs
from evals.entries import Call, Entry, Result
from evals.shell import commands, is_plain, spoken


@pytest.mark.parametrize(
    ("script", "gists"),
    [
        ("cd a && FOO=1 npm run test:unit 2>&1 | tail -5", [("npm", "test:unit")]),
        ("timeout 60 npx vitest run --silent src/a.test.ts", [("vitest", "run", "src/a.test.ts")]),
        (
            ".venv/bin/python -m pytest -q tests/test_a.py::test_b",
            [("pytest", "tests/test_a.py::test_b")],
        ),
        ("cat > x <<'EOF'\nmake test\nEOF\nmake lint", [("make", "lint")]),
        ("cargo clippy --all-targets -- -D warnings", [("cargo", "clippy")]),
        ("git -C /w/app status; git commit -m 'make test'", []),
        ("uv run ./scripts/load.py --fast", [("scripts/load.py",)]),
        ('echo "unfinished', []),
        ("python -c 'import csv\\nprint(1)' && make lint", [("make", "lint")]),
        ('git commit -m "one\nmake test" && make lint\n# make all', [("make", "lint")]),
    ],
)
def test_a_command_is_known_by_what_stays(script: str, gists: list[tuple[str, ...]]) -> None:
    assert [c.gist for c in commands(script) if not is_plain(c.gist)] == gists


@pytest.mark.parametrize(
    ("line", "there"),
    [
        ("run `npm test -- --ci src/a.ts` first", True),
        ("`npm run test`", False),
        ("npm testing src/a.ts", False),
        ("npm test && cat src/a.ts", False),
    ],
)
def test_a_line_gives_a_command_by_its_words_in_order(line: str, there: bool) -> None:
    assert bool(spoken(("npm", "test", "src/a.ts")).search(line)) is there


@pytest.mark.parametrize(
    ("form", "kind"),
    [
        (("npm", "test"), "test"),
        (("go", "build", "..."), "build"),
        (("cargo", "clippy"), "lint"),
        (("python", "scripts/test_all.py"), "test"),
        (("npm", "install"), ""),
        (("git", "log"), ""),
        ((), ""),
    ],
)
def test_checks_are_known(form: tuple[str, ...], kind: str) -> None:
    assert kind_of(form) == kind


def test_the_head_of_a_check_is_what_makes_it_one() -> None:
    assert head(("cargo", "test", "core")) == ("cargo", "test")
    assert head(("pytest", "tests/unit")) == ("pytest",)


def ran(*runs: tuple[str, str, int | None]) -> list[Entry]:
    entries: list[Entry] = []
    for n, (script, output, status) in enumerate(runs):
        entries.append(Call(line=2 * n, id=str(n), tool="Bash", text=script, script=script))
        failed = None if status is None else status != 0
        entries.append(Result(line=2 * n + 1, id=str(n), text=output, failed=failed, status=status))
    return entries


@pytest.mark.parametrize(
    ("script", "output", "status", "verdict"),
    [
        ("make test", "", 0, "passed"),
        ("make test", "", 2, "failed"),
        ("cd a && make test", "", 2, "failed"),
        ("pytest | tail -3", "3 passed in 0.1s", 0, "passed"),
        ("pytest | tail -3", "1 failed, 3 passed in 0.1s", 0, "failed"),
        ("pytest | tail -3", "…", 0, None),
        ("pytest; true", "", 0, None),
        ("pytest || true", "2 failed", 0, "failed"),
        ("make install && make test", "No rule", 2, None),
        ("cargo clippy | tail -3 && cargo test | tail -3", "error: x\ntest result: ok. 3", 0, None),
        ("cargo fmt", "", 0, None),
        ("cargo fmt --check", "", 0, "passed"),
        ("npx tsc --noEmit | head", "a.ts(1,2): error TS2345: no", 0, "failed"),
        ("go build ./... | head", "cmd/a.go:1:2: undefined: x", 0, "failed"),
        ("make test", "", None, None),
    ],
)
def test_an_exit_status_counts_only_where_it_is_the_checks_own(
    script: str, output: str, status: int | None, verdict: str | None
) -> None:
    assert [r.verdict for r in last_runs(ran((script, output, status)))] == (
        [verdict] if verdict else []
    )


def test_the_last_run_of_a_check_counts_and_an_unseen_one_after_it_silences_it() -> None:
    red, green, unseen = ("make test", "", 2), ("make test", "", 0), ("make test | tail", "", 0)
    assert [r.verdict for r in last_runs(ran(red, green))] == ["passed"]
    assert last_runs(ran(red, unseen)) == []


def test_the_newest_checks_come_first_and_only_so_many() -> None:
    runs = [(f"make test-{n}", "", 0) for n in range(9)]
    found = last_runs(ran(*runs, ("make test-3", "", 2)))
    assert [run.form[1] for run in found] == [f"test-{n}" for n in (3, 8, 7, 6, 5, 4)]
    assert found[0].verdict == "failed"


def test_a_failure_names_what_failed() -> None:
    (run,) = last_runs(ran(("pytest", "FAILED tests/a.py::test_b - assert 1\n1 failed", 1)))
    assert run.decisive == ("tests/a.py::test_b - assert 1",)
