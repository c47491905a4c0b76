"""A scorer that praises a bad text is worse than none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals import measures, reading, scoring, texts
from evals.cases import Case, cases, past_of, prefix_of, steps_of
from evals.entries import Call
from evals.truth import Truth, truth_of

GOOD = """# Add exponential retries to the fetcher, keep its public interface stable

- `src/fetcher.py` edited: `retry_limit`, calls `load_part_3`
- `pytest tests/test_fetcher.py` failed: test_backoff
- `ruff check src` passed
- Read `src/part_0.py`, `src/part_1.py`, `src/part_2.py`, `src/part_3.py`
- [x] Write the backoff helper module
- [ ] Document the retry settings page
"""
FALSE = """- `pytest tests/test_fetcher.py` passed
- `ruff check src` failed
- [ ] Write the backoff helper module
- [x] Document the retry settings page
- Edited `src/part_1.py` and `src/nowhere/made_up.py`, in commit 9f5a3c7
"""


@pytest.fixture
def case(folder: Path) -> Case:
    found, _ = cases(folder, lambda _: None)
    assert [c.kind for c in found] == ["compact"]
    return found[0]


@pytest.fixture
def truth(case: Case) -> Truth:
    return scoring.truth_for(case)


def test_an_empty_text_has_nothing_of_anything(truth: Truth) -> None:
    figures = measures.score(truth, "").figures
    assert {name: figures[name] for name in measures.MEASURES} == dict.fromkeys(
        measures.MEASURES, 0
    )
    assert figures["carry"] == 0
    assert figures["false"] is None


def test_a_good_text_has_nearly_all(truth: Truth) -> None:
    figures = measures.score(truth, GOOD).figures
    assert (figures["request"], figures["outcomes"], figures["commands"]) == (1, 1, 1)
    assert (figures["carry"] or 0) > 0.75
    assert figures["false"] == 0


def test_the_future_word_for_word_has_all_files_names_and_commands(
    truth: Truth, case: Case
) -> None:
    figures = measures.score(truth, texts.future(case, 1000).text).figures
    assert (figures["files"], figures["names"], figures["commands"]) == (1, 1, 1)


def test_a_text_that_says_everything_wrong_is_false_and_has_no_outcome(truth: Truth) -> None:
    found = measures.score(truth, FALSE)
    assert found.figures["outcomes"] == 0
    assert sorted(claim.split(":")[0] for claim in found.wrong) == [
        "commit",
        "edited",
        "outcome",
        "outcome",
        "path",
        "task",
        "task",
    ]


def test_a_third_of_an_order_is_not_the_order(truth: Truth) -> None:
    words = "the fetcher has an interface"
    assert (measures.score(truth, words).figures["request"] or 0) < 0.4


def test_words_all_over_a_long_text_are_no_order(truth: Truth) -> None:
    filler = " ".join(f"filler{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(80))
    apart = f"\n{filler}\n".join(
        ["Add", "exponential", "retries", "fetcher", "keep", "public", "interface"]
    )
    assert (measures.score(truth, apart).figures["request"] or 0) < 0.3


def test_who_says_both_has_half(truth: Truth) -> None:
    both = "- `ruff check src` passed\n- `ruff check src` failed\n"
    one = "- `ruff check src` passed\n"
    assert measures.score(truth, both).figures["outcomes"] == pytest.approx(0.25)
    assert measures.score(truth, one).figures["outcomes"] == pytest.approx(0.5)


def test_a_text_of_another_project_has_nothing(truth: Truth) -> None:
    other = "# Paint the house\n\n- `cargo test` passed\n- `lib/main.rs` edited: `frob_all`\n"
    figures = measures.score(truth, other).figures
    assert figures["carry"] == 0
    assert figures["false"] == 1


@pytest.mark.parametrize("apart", ["\n", " ", ", "])
def test_a_dump_of_bare_names_counts_to_ten(truth: Truth, apart: str) -> None:
    dump = apart.join(f"src/part_{n}.py" for n in reversed(range(25)))
    assert not measures.score(truth, dump).carried["files"]
    assert measures.score(truth, apart.join(f"src/part_{n}.py" for n in range(8))).carried["files"]


def test_the_dump_that_is_shown_beside_the_others_loses(case: Case, truth: Truth) -> None:
    text = texts.dump(case, 1000).text
    assert "load_part_3" in text
    assert "src/part_20.py" in text
    assert (measures.score(truth, text).figures["carry"] or 0) < 0.3


def test_a_name_that_several_files_have_names_none_of_them(
    tmp_path: Path, writer: Callable[..., Any]
) -> None:
    w = writer()
    for _ in range(12):
        w.calls("Read", {"file_path": "/w/app/a/index.ts"})
        w.calls("Read", {"file_path": "/w/app/b/index.ts"})
    cut = len(w.records)
    w.calls("Edit", {"file_path": "/w/app/b/index.ts", "old_string": "x", "new_string": "y"})
    found = reading.read(w.write(tmp_path / "two.jsonl"))
    future = [e for e in found.entries if isinstance(e, Call) and e.line > cut]
    truth = truth_of(found.before(cut), future, found.folders)
    assert not measures.score(truth, "edit `index.ts`").carried["files"]
    assert measures.score(truth, "edit `b/index.ts`").carried["files"] == ["b/index.ts"]


# ------------------------------------------------------------------------ no look ahead


def test_nothing_after_the_cut_is_in_the_past(case: Case) -> None:
    assert max(entry.line for entry in past_of(case)) <= case.cut
    assert b"SUMMARY-CANARY" not in prefix_of(case)
    assert b"brand_new_name" not in prefix_of(case)
    assert prefix_of(case).count(b"\n") == case.cut


def test_what_no_text_could_have_known_is_not_asked_for(truth: Truth) -> None:
    assert "src/later.py" not in truth.files
    assert "brand_new_name" not in truth.names
    assert truth.commands == (("pytest", "tests/test_fetcher.py"),)
    assert truth.unknown == {"files": 1, "names": 1, "commands": 1}


@pytest.mark.parametrize("source", ["onward", "dump", "tail", "empty"])
def test_no_text_but_the_clients_own_sees_what_came_after(case: Case, source: str) -> None:
    text = texts.MAKERS[source](case, 1500).text
    assert "CANARY" not in text
    assert "brand_new_name" not in text
    assert "later.py" not in text


def test_the_future_holds_only_calls_after_the_cut(case: Case) -> None:
    steps = steps_of(case)
    assert min(step.line for step in steps) > case.cut
    assert len(steps) == 12


def test_our_briefing_is_scored_like_any_text(case: Case) -> None:
    job = scoring.Job(case=case, sources=("onward", "empty"), budgets=(1000,), commands={})
    ours, nothing = scoring.rows_of(job)
    assert (ours.figures["carry"] or 0) > 0.5
    assert nothing.figures["carry"] == 0
    assert not ours.error
