"""The gate lets through whatever the recognisers would find."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sampling import examples

from onward.distill.said import cues, farewell, options
from onward.distill.said.farewell import is_farewell
from onward.distill.said.significant import significant
from onward.distill.text import vocabulary
from onward.hooks.gate import may_matter

OFFER = "1. Keep the lock\n2. Use a database\nA. Neither\nb) Both\n\nWhich one do you prefer?"
LEAVING = (farewell._STRONG, farewell._WIDE, farewell._WEAK)
SETTLING = (cues._RULE, cues._CHOICE, cues._CORRECTION, options._NAMED)
FRAMES = st.sampled_from(
    [
        "{}",
        "{} ",
        "thanks, {}!",
        "ok. {}",
        "fix it\n{}",
        "{}, thank you",
        "[Image #1] {}",
        "{} should be kept in the file",
    ]
)
PARTS = vocabulary(
    """yes ok sure i like think i'd let's please go with use for the option choice plan 1 2 #2 (a)
    B b A 方案 选 2, 1) and + is fine no not keep should"""
)
words = st.text(st.sampled_from("abc xyz,.'!?\n12 这个改"), max_size=40)


@pytest.mark.parametrize("rule", LEAVING, ids=["strong", "wide", "weak"])
@given(data=st.data())
@settings(max_examples=examples(300))
def test_no_farewell_is_held_back(rule: re.Pattern[str], data: st.DataObject) -> None:
    said = data.draw(st.from_regex(rule, fullmatch=True))
    text = data.draw(FRAMES).format(said)
    assert may_matter(text) or not is_farewell(text)


@pytest.mark.parametrize("rule", SETTLING, ids=["rule", "choice", "correction", "option"])
@given(data=st.data())
@settings(max_examples=examples(300))
def test_nothing_that_settles_is_held_back(rule: re.Pattern[str], data: st.DataObject) -> None:
    said = data.draw(st.from_regex(rule))
    text = data.draw(FRAMES).format(f"{said} {data.draw(words)}")
    assert may_matter(text) or not significant(text, OFFER)


@given(st.lists(st.sampled_from(sorted(PARTS)), max_size=8))
@settings(max_examples=examples(500))
def test_no_pick_is_held_back(said: list[str]) -> None:
    text = " ".join(said)
    assert may_matter(text) or not significant(text, OFFER)


@given(st.text(max_size=500))
def test_no_text_at_all_is_held_back_wrongly(text: str) -> None:
    assert may_matter(text) or not (is_farewell(text) or significant(text, OFFER))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "fix the failing test in parser.py",
        "What does this function return?",
        "yes",
        "ok, go ahead and commit",
        "Add a logout button to the header of the page and test it in the browser",
        "写一个函数，返回两个数的和",  # noqa: RUF001
        "/compact",
        "The build fails with " + "a long trace " * 200,
    ],
)
def test_most_prompts_are_held_back(text: str) -> None:
    assert not may_matter(text)


def test_no_dear_module_is_imported_for_it() -> None:
    start = f"import sys; sys.path[:0] = {[p for p in sys.path if p]!r}\n"
    code = (
        "from onward.hooks.gate import may_matter\nassert may_matter('goodnight')\n"
        "assert not {'json', 're', 'typing', 'pathlib', 'msgspec'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-I", "-S", "-c", start + code], check=True)
