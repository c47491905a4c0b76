from __future__ import annotations

import pytest

from onward.documents import markdown


def heads(text: str) -> list[tuple[int, str]]:
    return [(part.level, part.title) for part in markdown.parts(text)]


def test_headings_of_all_styles_are_seen_and_fenced_ones_are_not() -> None:
    text = "# One\n\nTwo\n---\n```\n# no\n```\n- a\n  # no\n### Three ##\n"
    assert heads(text) == [(0, ""), (1, "One"), (2, "Two"), (3, "Three ##")]


def test_a_part_knows_where_it_stands() -> None:
    part = markdown.parts("x\n\n## Two\nbody\n")[1]
    assert (part.line, part.first, part.body) == (3, 4, ("body", ""))


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_endings_and_the_byte_order_mark_do_not_matter(ending: str) -> None:
    text = "\ufeff" + ending.join(("# A", "", "- b"))
    assert [part.body for part in markdown.parts(text)] == [(), ("", "- b")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("- a\n- b", ["a", "b"]),
        ("* a\n\n* b", ["a", "b"]),
        ("1. a\n2) b", ["a", "b"]),
        ("-   a\n    more", ["a\nmore"]),
        ("- a\n  - below\n- b", ["a\n- below", "b"]),
        ("one\ntwo\n\nthree", ["one\ntwo", "three"]),
        ("• a\n• b", ["a", "b"]),
        ("| File | Why |\n|---|---|\n| a.py | x |\n| b.py | |", ["a.py - x", "b.py"]),
        ("<!-- fill in -->\n\n- a", ["a"]),
        ("<!-- fill\n\nin -->", []),
        ("> quoted", ["> quoted"]),
        ("a\n\n---\n\nb", ["a", "b"]),
        ("[x]: not a link", ["[x]: not a link"]),
        ("    indented", ["indented"]),
        ("- ```\n  code", ["```\ncode"]),
        ("", []),
    ],
)
def test_a_body_is_cut_into_items_and_paragraphs(body: str, expected: list[str]) -> None:
    assert ["\n".join(chunk.lines) for chunk in markdown.chunks(body.split("\n"))] == expected


def test_the_line_of_some_words_is_found() -> None:
    assert markdown.line_of("# A\n\n- Worked on auth [claimed]\n", "Worked on auth\nand more") == 3
    assert markdown.line_of("# A\n", "nothing of the kind") == 0
