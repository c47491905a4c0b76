"""What a briefing promises, whatever stands in the checkpoint."""

from __future__ import annotations

import bpe_openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from onward.brief import CHARACTERS, brief
from onward.brief.parts import parts
from onward.brief.weights import WEIGHTS
from onward.model import (
    Checkpoint,
    Clean,
    Commit,
    Drift,
    FileDrift,
    FileFact,
    Item,
    RepoState,
    Run,
    Task,
)

ENCODING = bpe_openai.get_encoding("o200k_base")


def clean(text: str) -> Clean:
    return Clean(text)


def item(text: str, *places: str) -> Item[Clean]:
    return Item(text=clean(text), evidence="asked", places=places)


def full(n: int = 40) -> Checkpoint:
    return Checkpoint(
        task=item("Add a currency option to the report"),
        name="add-currency-option",
        saved="2026-03-01T13:40:00Z",
        requests=tuple(
            item(f"request number {i}: please convert amounts exactly", f"t:{i}") for i in range(5)
        ),
        next_action=item("Run `pytest tests/test_report.py` and mend test_rounding", "t:90"),
        tasks=tuple(
            Task(title=clean(f"task {i} of the list"), status="pending" if i % 2 else "completed")
            for i in range(12)
        ),
        progress=tuple(
            item(f"Wrote src/tally/module_{i}.py lines 1-{i + 10}", f"t:{i}") for i in range(n)
        ),
        runs=(
            Run(
                command=clean("pytest -q"),
                outcome="failed",
                summary=clean("1 failed, 8 passed"),
                decisive=(clean("test_rounding: 1.10 != 1.1"),),
            ),
            Run(command=clean("ruff check ."), kind="lint", outcome="passed", edits_after=2),
        ),
        decisions=tuple(
            Item(text=clean(f"use decimals, not floats ({i})"), why=clean("totals must stay exact"))
            for i in range(6)
        ),
        dead_ends=(item("rounding with format()"),),
        files=tuple(
            FileFact(path=clean(f"src/tally/module_{i}.py"), added=3, spans=((1, 9),))
            for i in range(n)
        ),
        commands=(item("python -m tally report --currency EUR"),),
        context=(item("prefers short answers"),),
    )


def test_the_order_is_that_of_use() -> None:
    text = brief(
        full(),
        Drift(ahead=1, commits=(Commit(hash="9f5a3c7d", subject=clean("Fix rounding")),)),
        budget=3000,
    )
    headings = [line for line in text.split("\n") if line.startswith("## ")]
    assert headings == [
        "## What the person wants now",
        "## Next action",
        "## Changed since then",
        "## State of the work",
        "## Tasks",
        "## Asked before, newest first",
        "## Done, newest first",
        "## Decided",
        "## Tried, and not to be tried again",
        "## Files",
        "## Commands that worked",
        "## Good to know",
    ]


@pytest.mark.parametrize("budget", [100, 200, 400, 800, 1000, 1500, 3000])
def test_never_a_tenth_over_the_budget_by_a_real_tokenizer(budget: int) -> None:
    for n in (0, 5, 80):
        assert len(ENCODING.encode_ordinary(brief(full(n), None, budget=budget))) <= budget * 1.1


def test_it_stays_under_what_a_client_cuts() -> None:
    assert len(brief(full(400), None, budget=50_000)) <= CHARACTERS


@pytest.mark.parametrize("budget", [100, 300, 1000])
def test_request_and_next_action_are_there_at_any_budget(budget: int) -> None:
    text = brief(full(), None, budget=budget)
    assert "request number 4" in text
    assert "mend test_rounding" in text


def test_what_was_left_out_is_counted() -> None:
    text = brief(full(60), None, budget=700)
    files = text[text.index("## Files") :]
    shown = sum(f"module_{i}.py" in files for i in range(60))
    assert 0 < shown < 60
    last = text.rstrip().rpartition("\n")[2]
    assert last.startswith("Left out for room: ")
    assert f" {60 - shown} files" in last
    assert last.endswith("More: `onward show add-currency-option` has all of it.")


def test_failures_name_what_decided_them_and_passes_say_what_came_after() -> None:
    text = brief(full(), None)
    assert "- `pytest -q` FAILED: 1 failed, 8 passed\n  - test_rounding: 1.10 != 1.1" in text
    assert "- Passed: `ruff check .` (2 edits since)" in text


def run(command: str, folder: str = "", summary: str = "") -> Run[Clean]:
    return Run(
        command=clean(command),
        outcome="passed",
        cwd=clean(folder) if folder else None,
        summary=clean(summary) if summary else None,
        places=("t:7",),
    )


def test_checks_that_passed_stand_together_those_of_each_folder_apart() -> None:
    runs = (
        run("cargo test", summary="test result: ok. 361 passed; 0 failed; finished in 1.63s"),
        run("npm test", "web"),
        run("cargo clippy"),
    )
    text = brief(Checkpoint(task=item("t"), runs=runs), None)
    assert "- Passed: `cargo test` (361 passed), `cargo clippy` [t:7]" in text
    assert "- Passed in `web`: `npm test` [t:7]" in text


def test_a_check_is_not_listed_again_among_the_commands() -> None:
    c = Checkpoint(
        task=item("t"),
        runs=(run("npm test", "web"), run("make lint")),
        commands=(item("cd web && npm test"), item("make lint"), item("make serve")),
    )
    text = brief(c, None)
    assert text.count("npm test") == 1
    assert text.count("make lint") == 1
    assert "- `make serve`" in text


def test_a_question_that_is_the_next_action_is_neither_a_blocker_nor_the_last_words() -> None:
    c = Checkpoint(
        task=item("t"),
        next_action=item("Answer the agent's question: “All green.\nShall I commit?”"),
        blockers=(item("Waits for the person's answer: “All green. Shall I commit?”"),),
        closing=item("All green. Shall I commit?"),
    )
    assert brief(c, None).count("Shall I commit?") == 1


def test_short_words_are_told_with_the_request_that_they_lean_on() -> None:
    asked = ("add a currency option to the report", "commit", "push", "go on with it")
    found = parts(Checkpoint(task=item("t"), requests=tuple(map(item, asked))), None, 1000, WEIGHTS)
    by_worth = sorted(found[0].lines, key=lambda line: line.rank)
    assert [line.text.split("> ")[1] for line in by_worth] == [asked[3], asked[0], "push", "commit"]


def test_files_of_one_folder_are_told_as_a_shell_would_take_them() -> None:
    files = tuple(
        FileFact(path=clean(p), change="read") for p in ("src/a.py", "src/b c.py", "src/d.py")
    )
    text = brief(Checkpoint(task=item("t"), files=files), None)
    assert "- Read: `src/{a.py,d.py}`, `src/b c.py`" in text


def test_of_files_alike_the_one_touched_last_is_bought_first() -> None:
    files = tuple(
        FileFact(path=clean(f"src/{'x' * 40}/f{i}.py"), places=(f"t:{i}",)) for i in range(1, 62)
    )
    text = brief(Checkpoint(task=item("t"), files=files), None, budget=200)
    assert "f61.py" in text
    assert "f1.py" not in text


def test_names_stand_with_the_file_that_was_changed_and_is_not_committed() -> None:
    why = clean("parse_row, load_cases, next_row")
    files = (
        *(FileFact(path=clean(f"src/f{i}.py")) for i in range(8)),
        FileFact(path=clean("src/more.py"), why=why),
        FileFact(path=clean("src/done.py"), commit="9f5a3c7", why=why),
        FileFact(path=clean("src/seen.py"), change="read", why=why),
    )
    text = brief(Checkpoint(task=item("t"), files=files), None)
    assert "- `src/more.py` edited — parse_row, load_cases, next_row" in text
    assert text.count("parse_row") == 1


def test_only_whole_names_are_told_of_a_file() -> None:
    why = ", ".join(f"name_number_{i}" for i in range(12))
    c = Checkpoint(task=item("t"), files=(FileFact(path=clean("a.py"), why=clean(why)),))
    (line,) = [each for each in brief(c, None).split("\n") if each.startswith("- `a.py`")]
    assert set(line.partition(" — ")[2].split(", ")) <= set(why.split(", "))


DRIFTS = [
    (Drift(branch_was=clean("feature/a"), branch_now=clean("main")), "Branch: feature/a → main"),
    (Drift(detached=True, commit_now="9f5a3c7d11"), "HEAD is detached at 9f5a3c7"),
    (Drift(detached=True), "HEAD is detached: commits made here"),
    (Drift(operation="rebase"), "A rebase is under way"),
    (Drift(commit_gone=True, commit_was="abcdef1234"), "The saved commit abcdef1 no longer exists"),
    (Drift(dirty=(clean("b.py"),)), "Uncommitted now, and not at the save: `b.py`"),
    (Drift(behind=2), "2 commits of the saved state are not in this history"),
    (
        Drift(ahead=1, commits=(Commit(hash="9f5a3c7d", subject=clean("Fix login")),)),
        "1 commit made since the save: 9f5a3c7 Fix login",
    ),
    (Drift(files=(FileDrift(path=clean("a.py"), change="deleted"),)), "`a.py` was deleted"),
    (
        Drift(files=(FileDrift(path=clean("a.py"), change="renamed", to=clean("b.py")),)),
        "`a.py` is now `b.py`",
    ),
    (
        Drift(files=(FileDrift(path=clean("a.py"), change="moved", line=45, to_line=61),)),
        "`a.py:45` is now line 61",
    ),
]


@pytest.mark.parametrize(("drift", "sentence"), DRIFTS, ids=[s for _, s in DRIFTS])
def test_drift_is_said_in_words(drift: Drift[Clean], sentence: str) -> None:
    assert f"- {sentence}" in brief(full(), drift)


def test_no_drift_is_no_section() -> None:
    assert "Changed since" not in brief(full(), Drift())


def test_what_is_still_uncommitted_is_the_state_of_the_work_not_a_change() -> None:
    c = replace(full(), repo=RepoState(root=clean("~/tally"), dirty=(clean("a.py"), clean("b.py"))))
    assert "- Uncommitted when saved: `a.py`, `b.py`" in brief(c, None)
    text = brief(c, Drift(uncommitted=(clean("b.py"),)))
    assert "- Still uncommitted: `b.py`" in text
    assert "Changed since" not in text


def test_what_stands_above_it_is_not_told_again() -> None:
    text = brief(full(), Drift(behind=2), continued=True)
    assert "mend test_rounding" not in text
    assert "Changed since" not in text
    assert "# Resume" not in text
    assert "it gives no orders" in text


def test_files_in_hand_have_lines_and_others_are_grouped() -> None:
    files = (
        FileFact(path=clean("a.py"), spans=((3, 4),)),
        *(FileFact(path=clean(f"done{i}.py"), commit="9f5a3c7") for i in range(8)),
        FileFact(path=clean("gone.py"), change="deleted", commit="9f5a3c7"),
        FileFact(path=clean("seen.py"), change="read"),
    )
    text = brief(Checkpoint(task=item("t"), files=files), None)
    assert "- `a.py` edited, lines 3-4" in text
    assert "- Committed: `done0.py`, `done1.py`, `done2.py`, `done3.py`" in text
    assert "`gone.py` (deleted)" in text
    assert "- Read: `seen.py`" in text


def test_what_holds_of_every_open_task_is_said_once() -> None:
    note = clean("1 report came after the list's last update")
    tasks = tuple(Task(title=clean(f"step {i} of it"), context=note) for i in range(4))
    text = brief(replace(full(), tasks=tasks), None)
    assert text.count(note) == 1
    assert "- [ ] step 3 of it\n" in text


def test_words_older_than_the_last_request_say_so() -> None:
    closing = Item(text=clean("All done."), places=("t:3",))
    assert "last words, before what is wanted now: All done." in brief(
        replace(full(), closing=closing), None
    )
    newer = replace(closing, places=("t:99",))
    assert "last words: All done." in brief(replace(full(), closing=newer), None)


LINES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=400)


@given(
    request=LINES,
    action=LINES,
    paths=st.lists(st.text("abcdefg/_.-", min_size=1, max_size=200), max_size=30),
    budget=st.integers(100, 2500),
)
def test_paths_and_commands_are_whole_or_absent(
    request: str, action: str, paths: list[str], budget: int
) -> None:
    c = Checkpoint(
        task=item("t"),
        requests=(item(request),),
        next_action=item(action),
        files=tuple(FileFact(path=clean(p), change="read") for p in paths),
    )
    text = brief(c, None, budget=budget)
    for line in text.split("\n"):
        if line.startswith("- `") and line.endswith("` read"):
            assert line[3:-6] in paths
