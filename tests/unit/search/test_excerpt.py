"""The words around a hit, on one line, as wide as there is room for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.model import Clean
from onward.search.excerpt import columns, excerpt
from onward.search.query import parse

LONG = "one two three four five six seven eight nine ten jwt eleven twelve thirteen fourteen"


def cut(text: str, *words: str, room: int = 40) -> tuple[str, list[str]]:
    shown = excerpt(parse(words), Clean(text), room)
    return shown.text, [shown.text[start:end] for start, end in shown.spans]


def test_a_short_text_is_shown_whole_on_one_line() -> None:
    assert cut("Use\n\n  RS256,\tnot it", "rs256") == ("Use RS256, not it", ["RS256"])


def test_of_a_long_text_whole_words_around_the_hit_are_shown() -> None:
    assert cut(LONG, "jwt") == ("…nine ten jwt eleven twelve…", ["jwt"])


def test_at_the_end_of_a_text_what_stands_before_the_hit_fills_the_room() -> None:
    text, hits = cut(LONG, "fourteen")
    assert (text, hits) == ("…ten jwt eleven twelve thirteen fourteen", ["fourteen"])


def test_the_place_with_most_of_the_words_is_shown() -> None:
    text = f"login {'x ' * 40} login login {'y ' * 40} the login by jwt {'z ' * 40}"
    assert cut(text, "login", "jwt")[1] == ["login", "jwt"]


def test_words_that_stand_far_apart_are_all_shown() -> None:
    text = f"{'a ' * 90}the login {'b ' * 90}by jwt {'c ' * 90}"
    shown, hits = cut(text, "jwt", "login", room=80)
    assert hits == ["login", "jwt"]
    assert columns(shown) <= 80
    assert "…" in shown[shown.index("login") : shown.index("jwt")]


def test_where_redaction_took_the_hit_its_mark_is_shown() -> None:
    text = f"{'before ' * 30}[REDACTED:github-token:a1b2c3] {'behind ' * 30}"
    shown, hits = cut(text, "ghp_a1B2", room=80)
    assert "[REDACTED:github-token:a1b2c3]" in shown
    assert hits == []


def test_han_characters_take_two_columns() -> None:
    text, hits = cut("修改配置文件" * 20, "配置", room=20)
    assert columns(text) <= 20
    assert "配置" in hits


@given(
    st.text(alphabet=st.sampled_from("ab 配置\ne\u0301😀"), max_size=120),
    st.lists(st.sampled_from(["a", "b", "配", "é"]), min_size=1, max_size=4),
    st.integers(min_value=12, max_value=60),
)
def test_an_excerpt_fits_its_room_and_marks_only_hits(
    text: str, words: list[str], room: int
) -> None:
    shown = excerpt(parse(words), Clean(text), room)
    assert columns(shown.text) <= room
    assert "\n" not in shown.text
    assert all(set(shown.text[start:end].lower()) <= set(words) for start, end in shown.spans)
    if parse(words).match(text):
        assert shown.spans


@pytest.mark.parametrize(("text", "wide"), [("abc", 3), ("配置", 4), ("e\u0301", 1), ("\uff46", 2)])
def test_columns_are_those_of_a_terminal(text: str, wide: int) -> None:
    assert columns(text) == wide


def test_an_excerpt_of_an_excerpt_escapes_no_mark_twice() -> None:
    query = parse(["parser"])
    shown = excerpt(query, Clean("Make the parser quick [asked t:1]"), 60)
    assert shown.text.endswith(r"quick \[asked t:1]")
    assert excerpt(query, shown.text, 60) == shown
