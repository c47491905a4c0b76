"""Checks that the user ran in their own terminal and pasted into a message."""

from __future__ import annotations

from typing import cast

import pytest
from tests.unit.record.session import Session

from onward.briefing import brief
from onward.model import Checkpoint, Draft, Prompt
from onward.open_work import signs
from onward.record import record
from onward.record.consistency import contradictions

CARGO = """running 4 tests
test login ... FAILED
test logout ... ok

test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `--lib`
"""
VITEST = """ FAIL  src/cart.test.ts > cart > adds
AssertionError: expected 1 to be 2

 Test Files  1 failed | 5 passed (6)
      Tests  1 failed | 7 passed (8)
"""
VITE = """vite v5.4.21 building for production...
x Build failed in 111ms
error during build:
Could not resolve "../api" from "src/cart.vue"
    at getRollupError (parseAst.js:401:41)
"""
PASSED = "test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"


def runs(session: Session) -> list[tuple[str, str]]:
    draft = session.record()
    assert contradictions(draft) == []
    return [(run.command, run.outcome) for run in draft.runs]


def briefed(draft: Draft) -> str:
    return brief(cast("Checkpoint", draft), None)


@pytest.mark.parametrize(
    "prompt",
    [
        "$",
        "\u276f",
        "ann@box:~/shop$",
        "PS C:\\shop web>",
        "(venv) ann@box:~/shop$",
        "~/shop\n\u276f",
        "ann@box 26-02-20T20:54:10Z:~/shop (main)\n$",
        "\u279c  shop git:(main) \u2717",
    ],
)
def test_a_pasted_run_is_a_check_under_the_command_behind_the_prompt(prompt: str) -> None:
    draft = Session().user(f"see here:\n{prompt} cargo test\n{CARGO}").edited("a.rs").record()
    (run,) = draft.runs
    assert (run.command, run.kind, run.outcome, run.pasted) == (
        "cargo test",
        "test",
        "failed",
        True,
    )
    assert (run.summary or "").startswith("test result: FAILED. 3 passed; 1 failed")
    assert "login" in run.decisive
    assert (run.places, run.edits_after) == (("t:2",), 1)


@pytest.mark.parametrize(
    ("output", "command", "kind"),
    [
        (CARGO, "cargo test", "test"),
        (VITEST, "vitest", "test"),
        (VITE, "vite build", "build"),
        ("FAILED tests/a.py::test_x - assert 1\n1 failed, 2 passed in 0.55s", "pytest", "test"),
        ("a.ts\n  4:10  error  'x' is unused  no-x\n\n\u2716 1 problem (1 error, 0 warnings)", "eslint", "lint"),
        ("a.ts(3,5): error TS2339: no 'x'\nFound 2 errors in 2 files.", "tsc", "types"),
        ("--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tex.com/shop/api\t0.3s", "go test", "test"),
    ],
)  # fmt: skip
def test_without_a_prompt_it_is_told_by_its_runner(output: str, command: str, kind: str) -> None:
    draft = Session().user(f"I get these\n\n{output}\n").record()
    assert [(run.command, run.kind, run.outcome) for run in draft.runs] == [
        (command, kind, "failed")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "3 errors in 2.5 hours, and the tests failed again\nTypeError: x is not a function",
        "No tests found for the cart. Add some.",
        "5 pass\n1 fail",
        "OK\nPASS\nFAIL",
        " FAIL  src/cart.test.ts > cart > adds",
        f"it hangs after this:\n{PASSED}",
        "1 failed, 2 passed in 0.55s",
        "Found 4 errors.",
        "error[E0308]: mismatched types\nerror: config: 1 problem found",
        f"$ cat old.log\n{VITEST}",
        "$ npm test\nbash: npm: command not found",
        f"FAILED tests/a.py::test_x - assert 1\n1 failed in 0.55s\n{VITEST}",
        "\u276f src/cart.test.ts (1 test | 1 failed) 5ms\n Tests  1 failed (1)",
    ],
)
def test_what_may_be_words_or_another_output_is_no_check(text: str) -> None:
    assert runs(Session().user(text)) == []


def test_only_what_the_user_typed_is_looked_at() -> None:
    text = f"$ cargo test\n{CARGO}"
    for source in ("command", "shell", "agent"):
        assert runs(Session().user(text, source=source)) == []
    assert record([Prompt(line=1, text=text, thread="a1")]).runs == ()
    assert runs(Session().user(text, source="queued")) == [("cargo test", "failed")]


def test_the_newest_run_of_a_check_counts_whoever_ran_it() -> None:
    failed, passed = f"$ cargo test\n{CARGO}", f"$ cargo test\n{PASSED}\n$ "
    assert runs(Session().user(failed).ran("cargo test")) == [("cargo test", "passed")]
    assert runs(Session().ran("cargo test", failed=True).user(passed)) == [("cargo test", "passed")]
    assert runs(Session().user(failed).user(passed)) == [("cargo test", "passed")]
    assert runs(Session().user(f"{failed}\n{passed}")) == [("cargo test", "passed")]


def test_a_pass_closes_what_was_told_by_its_runner_alone() -> None:
    told = Session().user(f"it fails:\n{VITEST}")
    assert runs(told.ran("npx vitest run src/a.test.ts"))[1] == ("vitest", "failed")
    assert runs(told.ran("npx vitest run")) == [("npx vitest run", "passed")]


def test_what_the_user_ran_in_another_folder_is_told_there() -> None:
    draft = Session().user(f"ann@box:~/shop/web$ cargo test\n{CARGO}").record()
    assert [(run.command, run.cwd) for run in draft.runs] == [("cargo test", "web")]


def test_a_command_that_goes_on_in_the_next_line_is_told_whole() -> None:
    assert runs(Session().user(f"$ cargo test \\\n  --workspace\n{CARGO}")) == [
        ("cargo test --workspace", "failed")
    ]


def test_a_pass_that_was_pasted_ends_a_repeated_failure() -> None:
    session = Session().ran("shopctl test", failed=True).ran("shopctl test", failed=True)
    assert [failure.command for failure in session.record().failures] == ["shopctl test"]
    session.user(f"works here:\n$ shopctl test\n{PASSED}")
    assert runs(session) == [("shopctl test", "passed")]
    assert session.record().failures == ()


def test_the_briefing_says_who_ran_it() -> None:
    draft = Session().user(f"it fails:\n{VITEST}").edited("a.ts", added=3).done().record()
    text = briefed(draft)
    told = (
        "- `vitest` FAILED: Tests 1 failed | 7 passed (8), pasted by the user, 1 edit since [t:2]"
    )
    assert told in text
    assert "1 failing check (`vitest`, pasted by the user, 1 edit since)" in text
    again = "- Next: Run again: `vitest`, it failed before the last 1 edit"
    assert f"{again} [asked t:2]" in text
    assert "No run of a test" not in text


def test_a_failure_that_was_pasted_is_open_work() -> None:
    draft = Session().user(f"it fails:\n{VITEST}").done().record()
    assert draft.next_action
    assert draft.next_action.text == "Fix the failing test run: `vitest`"
    (sign,) = [sign for sign in signs(cast("Checkpoint", draft)) if sign.kind == "failing"]
    assert sign.evidence == "asked"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (VITE, 'vite build: Could not resolve "../api" from "src/cart.vue"'),
        (f"$ cd shop\n$ cargo test\n{CARGO}", "cargo test: login"),
        (f"> shop@1.0.0 test\n> vitest run\n\n{VITEST}", "vitest: src/cart.test.ts > cart > adds"),
        (f"```\n{VITE}```", 'vite build: Could not resolve "../api" from "src/cart.vue"'),
        (f"Repair the cart\n$ cargo test\n{CARGO}", "Repair the cart"),
        (f"Repair the cart\n{VITE}", "Repair the cart"),
        (f"```\n{VITE}```\nRepair the cart", "Repair the cart"),
        (f"$ cargo test\n{CARGO}\nann@box:~/shop$ \n\nRepair the cart", "Repair the cart"),
    ],
)
def test_the_title_is_the_users_own_words_else_the_check(text: str, title: str) -> None:
    assert Session().user(text).edited("a.rs").done().record().task.text == title
