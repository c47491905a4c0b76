from __future__ import annotations

from evals.averages import mean, quantile


def test_no_repository_outweighs_the_rest() -> None:
    found = mean([*(("big", 1.0) for _ in range(50)), ("small", 0.0)])
    assert found is not None
    assert (found.value, found.cases) == (0.5, 51)


def test_the_interval_is_drawn_from_whole_repositories() -> None:
    many = mean([(str(n), n / 20) for n in range(20)])
    assert many is not None
    assert many.low is not None
    assert many.high is not None
    assert 0.25 < many.low < many.value < many.high < 0.7
    same = mean([(str(n), 0.4) for n in range(20)])
    assert same is not None
    assert (same.low, same.high) == (same.value, same.value)


def test_one_repository_has_no_interval_and_none_no_mean() -> None:
    one = mean([("a", 0.2), ("a", None)])
    assert one is not None
    assert (one.value, one.low, one.high, one.cases) == (0.2, None, None, 1)
    assert mean([("a", None)]) is None


def test_a_quantile_is_one_of_the_values() -> None:
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert quantile([3.0, 1.0, 2.0], 1.0) == 3.0
    assert quantile([], 0.5) is None
