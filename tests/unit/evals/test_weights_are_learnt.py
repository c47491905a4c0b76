from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from evals import sweep, texts
from evals.cases import cases
from evals.sweep import WEIGHTS, Scored, Weights
from evals.weights import UNJUDGED, folds, learn, main, together

REPOSITORIES = [f"owner/project{n}" for n in range(8)]
HALVES = folds(REPOSITORIES, 2)


def scoring(carry: Callable[[str, Weights], float]) -> Callable[[Sequence[Weights]], list[Scored]]:
    """A scorer to which briefings carry what a function says."""

    def score(tried: Sequence[Weights]) -> list[Scored]:
        none = dict.fromkeys(sweep.COLUMNS)
        return [
            Scored(repository=name, rows=[{**none, "carry": carry(name, w)} for w in tried])
            for name in REPOSITORIES
        ]

    return score


def test_changing_one_number_changes_no_other() -> None:
    now = sweep.numbers(WEIGHTS)
    for name in now:
        assert sweep.numbers(sweep.with_number(WEIGHTS, name, 77.0)) == {**now, name: 77.0}


def test_every_weight_that_is_not_judged_is_one() -> None:
    assert {name.partition(".")[0] for name in sweep.numbers(WEIGHTS)} > UNJUDGED


def test_every_repository_is_in_one_part_and_the_parts_are_alike_in_size() -> None:
    assert sorted(name for part in HALVES for name in part) == sorted(REPOSITORIES)
    assert len(HALVES[0]) == len(HALVES[1]) == 4


def test_what_gains_everywhere_is_proposed_with_its_best_value() -> None:
    score = scoring(lambda _, w: 0.5 - 0.01 * abs(w.command.first - 2 * WEIGHTS.command.first))
    first = learn(score, WEIGHTS, HALVES)[0]
    assert (first.name, first.best, first.proposed) == (
        "command.first",
        2 * WEIGHTS.command.first,
        True,
    )
    assert first.fitted == pytest.approx(first.other)


def test_what_gains_only_where_it_was_fitted_is_not_proposed() -> None:
    def carry(name: str, w: Weights) -> float:
        sign = 1 if name in HALVES[0] else -1
        return 0.5 + sign * 0.01 * (w.file.first - WEIGHTS.file.first)

    found = {one.name: one for one in learn(scoring(carry), WEIGHTS, HALVES)}
    assert found["file.first"].fitted > 0 > found["file.first"].other
    assert not any(one.proposed for one in found.values())


def test_room_for_what_the_measures_cannot_see_is_not_taken_away() -> None:
    score = scoring(lambda _, w: 0.5 + 0.01 * w.decided.first)
    assert "decided.first" not in {one.name for one in learn(score, WEIGHTS, HALVES)}


def test_what_is_false_weighs_against_what_is_carried() -> None:
    row = {**dict.fromkeys(sweep.COLUMNS), "carry": 0.5, "false": 0.1}
    assert sweep.worth([Scored(repository="a", rows=[row])], 0) == pytest.approx(0.4)


def test_of_two_changes_that_do_the_same_one_is_taken() -> None:
    def carry(_: str, w: Weights) -> float:
        return 0.6 if w.command.first > 5 or w.passed.first > 4 else 0.5

    found = learn(scoring(carry), WEIGHTS, HALVES)
    assert sum(one.proposed for one in found) == 2
    weights, taken = together(scoring(carry), WEIGHTS, found, HALVES)
    assert len(taken) == 1
    assert weights == sweep.with_number(WEIGHTS, taken[0].name, taken[0].best)


def test_a_change_that_a_part_loses_by_is_not_taken() -> None:
    def carry(name: str, w: Weights) -> float:
        more = w.command.first > WEIGHTS.command.first
        both = more and w.passed.first > WEIGHTS.passed.first
        return (
            0.5
            + 0.02 * more
            + 0.01 * (w.passed.first > WEIGHTS.passed.first)
            - 0.1 * (both and name in HALVES[1])
        )

    found = learn(scoring(carry), WEIGHTS, HALVES)
    assert {one.name for one in found if one.proposed} == {"command.first", "passed.first"}
    _, taken = together(scoring(carry), WEIGHTS, found, HALVES)
    assert [one.name for one in taken] == ["command.first"]


def test_a_corpus_is_swept_and_the_table_says_what_to_take_over(
    projects: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "STEPS", (0.5, 2.0))
    assert main([str(projects), "--budget", "300", "--folds", "2", "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "## Round 1" in out
    assert "gain on the others" in out
    assert out.count("| part 1") == 2
    assert "Take over: " in out


def test_one_repository_is_too_few(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder)]) == 2
    assert "1 of 4 repositories" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [(["/nowhere/at/all"], "is no folder"), ([".", "--folds", "1"], "--folds is 2 or more")],
)
def test_a_wrong_command_line_says_what_is_wrong(
    capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    with pytest.raises(SystemExit):
        main(words)
    assert says in capsys.readouterr().err


def test_a_checkpoint_under_the_products_weights_gives_the_products_briefing(folder: Path) -> None:
    (case,), _ = cases(folder, lambda _: None)
    ours = texts.onward(case, 1000).text.split("\n")
    again = texts.weighed(texts.checkpoint(case), 1000, WEIGHTS).split("\n")
    assert again[3:-2] == ours[3:-2]
