"""The sieve: of what a record holds nothing falls through, however it is written."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from onward.search import query
from onward.search.query import Sieve, Term, parse

WORDS = [
    "jwt",
    "JWT",
    "git push",
    "src/auth.py",
    'say "yes"',
    "a\\b",
    "<tag>",
    "配置",
    "错误 文件",
    "エラー",
    "naïve",
    "Élan",
    "οδος",
    "Привет",
    "straße",
    "😀 ok",
    '"',
    "\\",
]
WRITERS: dict[str, Callable[[str], str]] = {
    "as UTF-8": lambda text: json.dumps({"text": text}, ensure_ascii=False),
    "escaped": lambda text: json.dumps({"text": text}),
    "in upper-case digits": lambda text: re.sub(
        r"\\u[0-9a-f]{4}", lambda code: "\\u" + code[0][2:].upper(), json.dumps({"text": text})
    ),
    "within a tool's input": lambda text: json.dumps({"arguments": json.dumps({"text": text})}),
    "with slashes escaped": lambda text: json.dumps({"text": text}).replace("/", "\\/"),
    "as a web page needs it": lambda text: (
        json.dumps({"text": text}).replace("<", "\\u003c").replace(">", "\\u003e")
    ),
    "decomposed": lambda text: json.dumps(
        {"text": unicodedata.normalize("NFD", text)}, ensure_ascii=False
    ),
}


def passed(term: str, *lines: str) -> list[str]:
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    found = Sieve((Term(term),)).lines(bytearray(data), len(data))
    return [data[start:end].decode("utf-8", "surrogatepass").rstrip("\n") for start, end in found]


@pytest.fixture(params=["re2", "re"])
def either_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where re2 has no wheel, `re` does its work."""
    assert query.re2 is not None
    if request.param == "re":
        monkeypatch.setattr(query, "re2", None)


@pytest.mark.usefixtures("either_engine")
def test_a_word_passes_however_it_is_written() -> None:
    written = {
        (word, way): writer(f"before {word} behind")
        for word in WORDS
        for way, writer in WRITERS.items()
    }
    held_back = [
        case
        for case, line in written.items()
        if passed(case[0], "none", line, "nor this") != [line]
    ]
    assert held_back == []


@pytest.mark.usefixtures("either_engine")
@pytest.mark.parametrize("word", ["jwt", "naïve", "élan", "οδος", "привет"])
def test_a_word_in_small_letters_passes_in_capitals(word: str) -> None:
    for way in ("as UTF-8", "escaped"):
        line = WRITERS[way](word.upper())
        assert passed(word, line) == [line]


@pytest.mark.usefixtures("either_engine")
def test_a_word_with_a_capital_passes_as_typed_only() -> None:
    assert passed("JWT", "jwt", "a JWT b", "Jwt") == ["a JWT b"]


@example("\uf900", "", False)  # a sign that has another one as its composed form
@given(st.text(min_size=1, max_size=8).filter(str.strip), st.text(max_size=6), st.booleans())
def test_whatever_a_text_holds_passes(word: str, around: str, ascii_only: bool) -> None:
    text = f"{around}{word}{around}"
    query = parse([word])
    if query.match(text) is None:
        return  # `"` parts words, and blanks at the ends are none of them
    data = json.dumps({"text": text}, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert [*Sieve(query.terms).lines(data, len(data))] == [(0, len(data))]


def test_a_line_passes_with_all_of_several_words_and_no_other_does() -> None:
    lines = b"one two\ntwo three\nthree one two\n"
    found = Sieve(parse(["two", "one"]).terms).lines(lines, len(lines))
    assert [lines[a:b] for a, b in found] == [b"one two\n", b"three one two\n"]


def test_lines_come_once_and_in_order_and_none_from_behind_the_end() -> None:
    data = bytearray("é x é\ne\u0301\nx\né\né".encode())
    found = [*Sieve(parse(["é"]).terms).lines(data, len(data) - 2)]
    assert [bytes(data[a:b]).decode() for a, b in found] == ["é x é\n", "e\u0301\n", "é\n"]


def test_without_words_every_line_passes() -> None:
    assert [*Sieve(()).lines(b"a\n\nb", 4)] == [(0, 2), (2, 3), (3, 4)]


@given(
    st.binary(max_size=60), st.binary(max_size=60), st.sampled_from(["kerning", "ffi", "as k", "s"])
)
def test_bytes_that_are_no_text_hide_no_word(before: bytes, behind: bytes, word: str) -> None:
    data = before.replace(b"\n", b"") + word.upper().encode() + behind.replace(b"\n", b"")
    assert [*Sieve((Term(word),)).lines(data, len(data))] == [(0, len(data))]
