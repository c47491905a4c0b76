from __future__ import annotations

import pytest

from onward.model import Background, Edited, Event, Failure, Ran
from onward.record import fold
from onward.record.edits import Edits
from onward.record.runs import Runs


def seen(*events: Event) -> Runs:
    edits = Edits("/w")
    runs = Runs("/w", edits)
    fold(events, [runs, edits])
    return runs


def ran(
    line: int, command: str, output: str = "", *, failed: bool | None = False, background: str = ""
) -> Ran:
    return Ran(
        line=line, command=command, output=output, failed=failed, cwd="/w", background=background
    )


def failing(runs: Runs) -> list[str]:
    return [run.command for run in runs.last() if run.outcome == "failed"]


def repeated(*events: Event) -> list[tuple[str, int]]:
    return [(each.command, each.times) for each in seen(*events).failures.items()]


def edit(line: int, path: str = "/w/a.py") -> Edited:
    return Edited(line=line, path=path)


def test_the_last_run_of_each_check_is_told_newest_first() -> None:
    runs = seen(ran(1, "pytest", failed=True), ran(2, "ruff check ."), ran(3, "pytest -q"))
    assert [(r.command, r.outcome, r.places) for r in runs.last()] == [
        ("pytest -q", "passed", ("t:3",)),
        ("ruff check .", "passed", ("t:2",)),
    ]
    assert failing(runs) == []


def test_what_failed_and_was_not_seen_to_pass_stays_open() -> None:
    runs = seen(ran(1, "pytest", failed=True), ran(2, "pytest tests/a.py"))
    assert failing(runs) == ["pytest"]


@pytest.mark.parametrize(
    "later", ["pytest", "pytest tests", "pytest tests/a.py", "uv run pytest -q", "make test"]
)
def test_a_wider_pass_closes_a_narrower_failure(later: str) -> None:
    runs = seen(ran(1, "pytest tests/a.py::test_x", failed=True), ran(2, later))
    assert failing(runs) == []
    assert len(runs.last()) == 1


@pytest.mark.parametrize(
    ("build", "later", "closed"),
    [
        ("cargo build --features e2e", "cargo test --features e2e", True),
        ("cargo build --features e2e", "cargo test", False),
        ("cargo build", "cargo clippy", False),
        ("cargo build", "cargo fmt", False),
        ("go build ./cmd/...", "go vet ./cmd/...", False),
        ("go build ./cmd/...", "go test ./cmd/...", False),
        ("go build ./cmd/...", "go build -o app ./cmd/...", True),
    ],
)
def test_a_run_that_built_the_same_closes_a_build(build: str, later: str, closed: bool) -> None:
    runs = seen(ran(1, build, failed=True), ran(2, later))
    assert failing(runs) == ([] if closed else [build])


def test_a_pass_of_another_suite_of_the_project_closes_nothing() -> None:
    runs = seen(ran(1, "npm run test:e2e", failed=True), ran(2, "npm run test:unit"))
    assert failing(runs) == ["npm run test:e2e"]


def test_an_unseen_outcome_does_not_wipe_out_a_known_one() -> None:
    unseen = ran(3, "pytest | head -3", "collecting")
    runs = seen(ran(1, "pytest tests/a.py", failed=True), unseen)
    assert [r.outcome for r in runs.last()] == ["unseen", "failed"]
    runs = seen(ran(1, "pytest"), edit(2), unseen)
    assert [(r.outcome, r.edits_after, r.places) for r in runs.last()] == [
        ("passed", 1, ("t:1", "t:3"))
    ]


def test_packages_beside_each_other_have_checks_of_their_own() -> None:
    red = ran(1, "cd web && npm test", "Tests:  1 failed, 1 total", failed=True)
    runs = seen(red, ran(2, "cd api && npm test"))
    assert [(r.cwd, r.outcome) for r in runs.last()] == [("api", "passed"), ("web", "failed")]


def test_edits_after_a_run_are_counted_by_whoever_made_them() -> None:
    runs = seen(
        ran(1, "pytest"),
        edit(2),
        ran(3, "sed -i s/a/b/ a.py && cp a.py b.py"),
        edit(4, "/tmp/notes.md"),
        edit(5, "/home/me/.claude/plans/p.md"),
        ran(6, "rm .git/index.lock"),
    )
    assert runs.last()[0].edits_after == 3


def test_a_background_run_ends_with_its_news() -> None:
    runs = seen(
        ran(1, "pytest -q", background="b7x"),
        edit(2),
        Background(line=3, id="b7x", state="done", output="5 passed in 1.00s"),
    )
    (run,) = runs.last()
    assert (run.outcome, run.summary, run.edits_after) == ("passed", "5 passed in 1.00s", 1)
    assert run.places == ("t:1",)


def test_a_killed_background_run_was_not_seen_to_end() -> None:
    runs = seen(
        ran(1, "pytest -q", background="b7x"),
        Background(line=3, id="b7x", state="killed", output="5 passed in 1.00s"),
    )
    assert [r.outcome for r in runs.last()] == ["unseen"]


def test_a_later_run_is_not_overwritten_by_old_news() -> None:
    runs = seen(
        ran(1, "pytest -q", background="b7x"),
        ran(2, "pytest -q"),
        Background(line=3, id="b7x", state="failed", output=""),
    )
    assert [r.outcome for r in runs.last()] == ["passed"]


def test_green_is_the_last_test_run_that_passed() -> None:
    assert seen(ran(1, "pytest"), edit(2), ran(3, "pytest tests/a.py")).last_green_at == 2
    assert seen(ran(1, "pytest tests/a.py"), ran(2, "ruff check .")).last_green_at == 0
    assert seen(ran(1, "pytest", failed=True)).last_green_at == -1


def test_the_state_is_bounded() -> None:
    runs = seen(*(ran(n, f"pytest tests/test_{n}.py", failed=True) for n in range(500)))
    assert len(runs.last()) == 200


def test_a_long_command_is_told_short_and_on_one_line() -> None:
    (run,) = seen(ran(1, "pytest " + "tests/a.py \\\n " * 100)).last()
    assert len(run.command) <= 300
    assert "\n" not in run.command


def test_a_failure_that_was_run_again_without_its_end_is_no_longer_stated_to_fail() -> None:
    red = ran(1, "npx tsc --noEmit | head -30", "a.ts(1,2): error TS2835: no extension")
    for again in (
        ran(2, "npx tsc --noEmit | grep b.ts | head"),
        ran(2, "npx tsc --noEmit", failed=None, background="b1"),
    ):
        (run,) = seen(red, again).last()
        assert (run.outcome, run.known) == ("unseen", "failed-before")
        assert run.summary == "a.ts(1,2): error TS2835: no extension"
        assert run.places == ("t:2", "t:1")
    (run,) = seen(red, again, ran(3, "npx tsc --noEmit | grep c.ts")).last()
    assert (run.known, run.summary) == ("failed-before", "a.ts(1,2): error TS2835: no extension")
    assert run.places == ("t:3", "t:1")


def test_a_run_that_was_cut_off_tells_nothing_new() -> None:
    red = ran(1, "pytest", "1 failed in 1s", failed=True)
    cut = Ran(line=2, command="pytest", cwd="/w", failed=True, state="interrupted")
    assert [r.outcome for r in seen(red, cut).last()] == ["failed"]


CARGO = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored; finished in 0.00s\n"


def test_a_projects_own_runner_is_a_check_by_what_it_prints() -> None:
    runs = seen(edit(1), ran(2, "tspec test && tspec clippy && tspec fmt --check", CARGO))
    assert sorted((r.command, r.kind, r.outcome) for r in runs.last()) == [
        ("tspec clippy", "lint", "passed"),
        ("tspec fmt --check", "lint", "passed"),
        ("tspec test", "test", "passed"),
    ]
    assert runs.last_green_at == 1


@pytest.mark.parametrize("command", ["./ci.sh", "docker exec app pytest -q", "vmake all | tail -3"])
def test_any_command_that_prints_a_test_runners_summary_has_run_tests(command: str) -> None:
    (run,) = seen(ran(1, command, "....\n4 passed in 0.10s\n")).last()
    assert (run.kind, run.outcome, run.summary) == ("test", "passed", "4 passed in 0.10s")


@pytest.mark.parametrize(
    "command",
    ["cat test.log", "git commit -m x", "ssh host pytest", "gh run watch 1", "ls && cp a b"],
)
def test_what_only_shows_a_summary_has_run_nothing(command: str) -> None:
    assert seen(ran(1, command, "4 passed in 0.10s\n")).last() == ()


def test_another_runner_does_not_close_a_failure() -> None:
    red = ran(1, "cargo test", "test result: FAILED. 1 passed; 1 failed", failed=True)
    runs = seen(red, ran(2, "./e2e.sh", "4 passed in 0.10s\n"))
    assert failing(runs) == ["cargo test"]


def test_a_change_that_the_client_and_the_command_both_tell_is_one_edit() -> None:
    told = [ran(2, "sed -i 's/a/b/' a.py"), Edited(line=2, path="/w/a.py", added=1)]
    (run,) = seen(ran(1, "pytest"), *told).last()
    assert run.edits_after == 1


def test_what_passed_by_another_command_stays_beside_a_whole_run() -> None:
    runs = seen(ran(1, "go test -run TestA ./a"), ran(2, "go test -run TestB ./b", failed=True))
    assert {r.command: r.outcome for r in runs.last()} == {
        "go test -run TestA ./a": "passed",
        "go test -run TestB ./b": "failed",
    }
    runs = seen(
        ran(1, "go test -run TestA ./a"),
        ran(2, "go test -run TestB ./b", failed=True),
        ran(3, "make test"),
    )
    assert [r.command for r in runs.last()] == ["make test", "go test -run TestA ./a"]


def test_a_trial_outside_of_the_project_is_told_if_it_passed_and_makes_nothing_green() -> None:
    runs = seen(ran(1, "/tmp/test_sed.sh"), ran(2, "bash /tmp/test-b.sh", failed=True))
    assert [(r.command, r.outcome) for r in runs.last()] == [("/tmp/test_sed.sh", "passed")]
    assert runs.last_green_at == -1


def test_a_trial_that_fails_at_last_is_told_no_more() -> None:
    runs = seen(ran(1, "/tmp/test_sed.sh"), ran(2, "/tmp/test_sed.sh", failed=True))
    assert runs.last() == ()


@pytest.mark.parametrize(
    "later",
    [
        "cd app && cargo test",
        "cargo test -q",
        "FOO=1 cargo test",
        "rtk cargo test",
        "cd app; cargo test",
    ],
)
def test_a_pass_closes_the_failure_of_a_run_in_the_wrong_folder(later: str) -> None:
    output = "error: could not find `Cargo.toml` in `/w/docs` or any parent directory"
    red = ran(1, "cd docs && cargo test", output, failed=True)
    runs = seen(red, ran(2, later, "test result: ok. 230 passed; 0 failed; 0 ignored"))
    assert [run.outcome for run in runs.last()] == ["passed"]


@pytest.mark.parametrize("names", [("old/a.py", True), ("old/a.py new/a.py", False), (".", False)])
def test_a_failure_in_files_that_were_removed_since_is_over(names: tuple[str, bool]) -> None:
    words, gone = names
    for failed in (True, False):
        runs = seen(ran(1, f"ruff check {words}", failed=failed), ran(2, "rm -r old"))
        assert bool(runs.last()) != (gone and failed)


def test_a_command_that_failed_twice_and_never_worked_is_a_repeated_failure() -> None:
    output = "npm error code EPERM\nnpm error syscall open"
    fails = [ran(n, "npm install", output, failed=True) for n in (1, 2, 3)]
    assert repeated(*fails) == [("npm install", 3)]
    assert repeated(*fails, ran(4, "npm install")) == []
    assert repeated(fails[0]) == []


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q",
        "ls nowhere",
        "git status",
        "python -c 'x'",
        "npm install | tail -3",
        "cp a b; cp c d",
    ],
)
def test_a_check_a_look_and_a_doubtful_status_are_no_repeated_failure(command: str) -> None:
    assert repeated(*(ran(n, command, failed=True) for n in range(4))) == []


def test_a_merge_that_found_conflicts_is_no_repeated_failure() -> None:
    output = "CONFLICT (content): Merge conflict in a.py"
    assert repeated(*(ran(n, "git merge main", output, failed=True) for n in (1, 2))) == []


def failures_of(*events: Event) -> tuple[Failure[str], ...]:
    runs = seen(*events)
    return runs.failures.items(runs.last())


def test_what_failed_with_edits_between_is_told_with_each_error_and_where_it_worked() -> None:
    (failure,) = failures_of(
        ran(1, "fly deploy", "Error: no such app", failed=True),
        edit(2, "/w/fly.toml"),
        ran(3, "cd /w && FLY=1 fly deploy --remote-only", "Error: port in use", failed=True),
        ran(4, "fly deploy", "Error: port in use", failed=True),
        ran(5, "npm install flyctl@2"),
        edit(6),
        ran(7, "fly deploy", "deployed"),
        edit(8, "/w/later.py"),
    )
    assert (failure.command, failure.times, failure.outcome) == ("fly deploy", 3, "passed")
    assert failure.varied
    assert failure.lines == ("Error: no such app", "Error: port in use")
    assert failure.places == ("t:1", "t:4", "t:7")
    assert failure.changed == ("npm install flyctl@2", "a.py")


@pytest.mark.parametrize("commands", [("A=1 make x", "A=2 make x"), ("pytest", "A=1 pytest")])
def test_that_a_command_failed_with_other_variables_is_told(commands: tuple[str, str]) -> None:
    one, same, other = (ran(n, commands[n > 2], failed=True) for n in (1, 2, 3))
    for events, varied in (([one, edit(2), same], False), ([one, edit(2), other], True)):
        assert [(f.times, f.varied) for f in failures_of(*events)] == [(2, varied)]
    assert failures_of(one, edit(2), same, ran(4, commands[1], "1 passed in 1s")) == ()


def test_what_did_not_work_since_is_told_with_what_was_changed_between_its_failures() -> None:
    fails = [ran(1, "fly deploy", failed=True), edit(2), ran(3, "fly deploy", failed=True)]
    (failure,) = failures_of(*fails, edit(4, "/w/later.py"))
    assert (failure.outcome, failure.changed, failure.places) == (
        "failed",
        ("a.py",),
        ("t:1", "t:3"),
    )
    # It worked in between: the failures before that are over.
    again = ran(5, "fly deploy", failed=True)
    assert failures_of(*fails, ran(4, "fly deploy"), again) == ()
    # Where it stood beside others it is not known whether it worked, and not told to have failed.
    assert failures_of(*fails, ran(4, "npm ci; fly deploy")) == ()


@pytest.mark.parametrize(
    ("command", "between", "told"),
    [
        ("./load.sh", edit(2), True),
        ("./load.sh", ran(2, "pip install psycopg==3.1"), True),
        ("./load.sh", ran(2, "ls"), False),
        ("npm run build", edit(2), True),
        ("npm run build", ran(2, "pwd"), False),
        ("ruff check .", edit(2), False),
        ("git push", edit(2), False),
        ("grep -q x a.py", edit(2), False),
        ("diff a.py b.py", edit(2), False),
        ("test -f a.py", edit(2), False),
    ],
)
def test_what_worked_in_the_end_is_told_where_something_was_changed_between_the_failures(
    command: str, between: Event, told: bool
) -> None:
    first, last = (ran(line, command, failed=True) for line in (1, 3))
    found = failures_of(first, between, last, ran(4, command))
    assert [each.outcome for each in found] == ["passed"] * told


def test_commands_with_other_words_or_another_input_are_not_one() -> None:
    def twice(one: str, other: str) -> list[int]:
        events = (ran(1, one, failed=True), edit(2), ran(3, other, failed=True))
        return [each.times for each in failures_of(*events)]

    assert twice("./load.sh a.csv", "bash load.sh --force a.csv") == [2]
    assert twice("workmux remove docs", "workmux remove main -f") == []
    assert twice("python tool.py < a", "python tool.py --fast") == [2]
    patch = "cat <<'P' | git apply\n+{}\nP"
    assert twice(patch.format(1), patch.format(2)) == []


def test_what_was_stopped_by_hand_or_began_in_no_folder_did_not_fail() -> None:
    for output in ("Listening on 80\n^C\nError: KeyboardInterrupt", "bash: cd: web: not found"):
        fails = (ran(n, "conda run python serve.py", output, failed=True) for n in (1, 3))
        assert failures_of(*fails) == ()


def test_a_check_is_told_with_its_failures_only_as_long_as_it_fails() -> None:
    def build(line: int, error: str) -> Ran:
        return ran(line, "npm run build", f"a.ts(1,1): error TS{error}: x", failed=True)

    fails = [build(1, "1"), edit(2), build(3, "2"), edit(4), build(5, "2")]
    (failure,) = failures_of(*fails)
    assert (failure.times, failure.outcome) == (3, "failed")
    assert failure.lines == ("a.ts(1,1): error TS1: x", "a.ts(1,1): error TS2: x")
    # A wider run passed: the narrow one is not failing any more.
    tests = [ran(1, "pytest a.py", failed=True), edit(2), ran(3, "pytest a.py", failed=True)]
    assert [each.command for each in failures_of(*tests)] == ["pytest a.py"]
    assert failures_of(*tests, ran(4, "pytest", "2 passed in 1s")) == ()


def test_the_most_failures_come_first_then_the_newest() -> None:
    lines = iter(range(1, 99))
    events: list[Event] = []
    for command, times in (("./one.sh", 2), ("./two.sh", 3), ("./three.sh", 2)):
        for _ in range(times):
            events += [ran(next(lines), command, failed=True), edit(next(lines))]
    assert repeated(*events) == [("./two.sh", 3), ("./three.sh", 2), ("./one.sh", 2)]


def test_what_failed_in_the_background_counts_as_what_failed_before_the_agents_eyes() -> None:
    fails = [ran(1, "fly deploy", background="b1"), Background(line=2, id="b1", state="failed")]
    (failure,) = failures_of(*fails, edit(3), ran(4, "fly deploy", "boom", failed=True))
    assert (failure.times, failure.places) == (2, ("t:1", "t:4"))
