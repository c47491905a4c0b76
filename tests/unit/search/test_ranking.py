"""Which record comes first."""

from __future__ import annotations

from itertools import pairwise

from onward.search.record import By, Scored, ranked, score


def plain(by: By, days: float) -> float:
    return score(by, days, saved=False, whole=False)


def test_of_one_age_the_person_comes_before_the_agent_before_a_result() -> None:
    assert plain("user", 3) > plain("agent", 3) > plain("result", 3)


def test_of_one_speaker_the_newer_comes_first() -> None:
    ages = [0, 0.5, 1, 7, 30, 365]
    assert all(plain("agent", new) > plain("agent", old) for new, old in pairwise(ages))


def test_a_whole_word_comes_before_any_part_of_one() -> None:
    assert score("result", 365, saved=False, whole=True) > score("user", 0, saved=True, whole=False)


def test_what_a_checkpoint_kept_comes_before_the_same_in_a_transcript() -> None:
    assert score("agent", 1, saved=True, whole=False) > plain("agent", 1)


def test_a_time_that_is_yet_to_come_counts_as_now() -> None:
    assert plain("agent", -5) == plain("agent", 0)


def test_a_session_with_many_hits_leaves_room_for_others() -> None:
    hits = [Scored(3.0, "loud")] * 9 + [Scored(2.0, "quiet")]
    assert [hit.group for hit in ranked(hits)][:5].count("quiet") == 1


def test_equal_hits_stay_in_their_order() -> None:
    hits = [Scored(1.0, name) for name in "abc"]
    assert ranked(hits) == hits
