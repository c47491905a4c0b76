from __future__ import annotations

from time import process_time

import pytest

from onward.documents.kinds import Entry, entry_lines, read_entry
from onward.documents.markdown import chunks

NASTY = [
    "one line",
    "",
    "two\nlines",
    "a blank\n\nbetween",
    "a\nwhy: not a note",
    "a\n\\why: with a backslash",
    "a\n  why: indented",
    "a\n- why: in a list",
    "## heading\n# another",
    "```sh\n# code\n",
    "- dash\n- dash",
    "---",
    "[observed t:5]",
    "ends like a tag [claimed]",
    "1. numbered\n2. list",
    "> quote",
    "| a | b |",
    "<!-- comment -->",
    "<pre>\nopen",
    "登录\n页面",
    "a\u2028b",
]


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("why", [None, "", *NASTY])
def test_an_entry_is_read_back_whatever_its_words(text: str, why: str | None) -> None:
    notes = () if why is None else (("why", why.strip()),)
    one = Entry(text=text.strip(), tag=("claimed", "t:5"), notes=notes)
    after = Entry(text="next", tag=("asked",))
    body = [*entry_lines(one), *entry_lines(after)]
    assert [read_entry(chunk.lines) for chunk in chunks(body)] == [one, after]


def test_a_further_line_that_reads_like_a_note_gets_a_backslash() -> None:
    shown = entry_lines(Entry(text="a\nwhy: b", tag=("asked",)))
    assert shown == ["- a [asked]", "  \\why: b"]


@pytest.mark.parametrize(
    "line",
    ["why: x", "Why: x", "- why: x", "**Why:** x", "- **Reason:** x", "because: x", "理由: x"],
)
def test_a_reason_is_read_in_any_dress(line: str) -> None:
    assert read_entry(["Use JWT", line]).note("why") == "x"


@pytest.mark.parametrize("end", ["[x]", "[see docs]", "[observed by Ana]", "[read]", "(observed)"])
def test_brackets_of_a_persons_own_are_no_tag(end: str) -> None:
    assert read_entry([f"a {end}"]) == Entry(text=f"a {end}")


@pytest.mark.parametrize("word", ["passed", "failed", "by:user", "created:x", "TASK_1", "a"])
@pytest.mark.parametrize("times", [60, 10_000])
def test_a_long_tag_is_read_or_left_at_once(word: str, times: int) -> None:
    words = " ".join([word] * times)
    before = process_time()
    for line in (f"done [observed {words} x]", f"done [observed {words}", f"[observed {words}] x"):
        assert read_entry([line]) == Entry(text=line)
    tag = read_entry([f"done [observed {words}]"]).tag
    assert tag == (() if word == "a" else ("observed", *[word] * times))
    assert process_time() - before < 20  # what takes the power of the words never ends


@pytest.mark.parametrize(
    "end", ["passed:x", "xpassed", "by:", "TASK_", "+", "L1", "t:a[b", " t:1", "t:1 "]
)
def test_a_word_that_only_begins_or_ends_like_one_of_ours_makes_no_tag(end: str) -> None:
    assert read_entry([f"a [observed {end}]"]) == Entry(text=f"a [observed {end}]")
