"""JSON lines into typed records: bounded lines, and what is left of a broken one."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, Struct

from onward.decode import Records, bounded, lenient


class Part(Struct, frozen=True):
    name: str = ""
    count: int = 0


class Line(Struct, frozen=True):
    key: str = ""
    text: str | None = None
    number: int | None = None
    part: Part | None = None
    parts: str | tuple[Part, ...] | None = None
    rest: Raw = Raw()


def read(data: bytes) -> tuple[list[tuple[int, Line]], list[tuple[int, str]]]:
    told: list[tuple[int, str]] = []
    records = Records(Line, "key", lambda kind: told.append((records.line, kind)))
    return list(records.read(io.BytesIO(data))), told


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"a\nb\n", [(1, b"a\n"), (2, b"b\n")]),
        (b"a\nb", [(1, b"a\n"), (2, b"b")]),
        (b"12345678\nb\n", [(1, None), (2, b"b\n")]),
        (b"1234567\nb\n", [(1, b"1234567\n"), (2, b"b\n")]),
        (b"a\n" + b"x" * 100, [(1, b"a\n"), (2, None)]),
    ],
)
def test_lines_over_the_limit_are_passed_over_and_counted(data: bytes, lines: list[Any]) -> None:
    assert list(bounded(io.BytesIO(data), limit=8)) == lines


def test_a_wrong_field_costs_the_field_only() -> None:
    given_ = {"key": "k", "text": 5, "number": "x", "part": {"name": 1, "count": 2}, "more": []}
    records, told = read(json.dumps(given_).encode() + b"\n")
    assert records == [(1, Line(key="k", part=Part(count=2)))]
    assert told == [(1, "wrong-type")]


def test_a_wrong_entry_of_a_list_costs_the_entry_only() -> None:
    given_ = {"key": "k", "parts": [1, {"name": "a"}, {"name": "b", "count": "x"}]}
    records, _ = read(json.dumps(given_).encode())
    assert records[0][1].parts == (Part(name="a"), Part(name="b"))


def test_what_is_no_object_at_all_gives_the_defaults() -> None:
    assert lenient(b"[1]", Part) == Part()
    assert lenient(b"", Part) == Part()
    assert lenient(b"{", Part) == Part()


@pytest.mark.parametrize(
    ("line", "keys", "kinds"),
    [
        (b'{"key":"a"}{"key":"b"}', ["a", "b"], ["glued"]),
        (b'{"key":"a"} {"key":"b"} {"key":"c"}', ["a", "b", "c"], ["glued"]),
        (b'{"key":"a"}{"key":"b', ["a"], ["torn"]),
        (b'{"key":"a","part":{"name":"x{"key":"b"}', ["b"], ["torn"]),
        (b'{"key":"a","part":{"name":"x"}', [], ["torn"]),
        (b'{"key":"a","part":{"name":"x"}\n', [], ["not-json"]),
        (b"nothing\n", [], ["not-json"]),
        (b"[1]\n", [], ["not-object"]),
        (b"\n", [], ["blank"]),
        (b"\0\0\n", [], ["nul"]),
        (b'\xef\xbb\xbf{"key":"a"}\n', ["a"], ["bom"]),
        (b'{"key":"a\xff"}\n', ["a\ufffd"], ["bad-utf8"]),
        (b'{"key":"\\ud800a"}\n', ["?a"], ["lax"]),
        (b'{"key":"a","number":NaN}\n', ["a"], ["lax"]),
        (b'{"key":"a","rest":' + b"[" * 9_000, [], ["too-deep"]),
    ],
)
def test_what_can_be_had_of_a_broken_line(line: bytes, keys: list[str], kinds: list[str]) -> None:
    records, told = read(line)
    assert [record.key for _, record in records] == keys
    assert [kind for _, kind in told] == kinds


def test_a_broken_line_never_costs_its_neighbours() -> None:
    records, told = read(b'{"key":"a"}\n{"key":\n{"key":"b"}\n')
    assert [(line, record.key) for line, record in records] == [(1, "a"), (3, "b")]
    assert told == [(2, "not-json")]


@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_an_exception(data: bytes) -> None:
    read(data)


@given(st.lists(st.dictionaries(st.sampled_from(["key", "text"]), st.text(max_size=9)), max_size=5))
def test_what_is_well_formed_is_read_whole(values: list[dict[str, str]]) -> None:
    records, told = read(b"".join(json.dumps(value).encode() + b"\n" for value in values))
    assert [record for _, record in records] == [
        Line(key=value.get("key", ""), text=value.get("text")) for value in values
    ]
    # A lone surrogate is the one thing that json writes and a strict reader refuses.
    assert {kind for _, kind in told} <= {"lax"}
