"""Other people's JSON: read as strictly as the client does, and edited to the byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.clients.documents import REAL, documents

from onward.clients import splice
from onward.clients.splice import JsonError

ANY = documents() | st.sampled_from(sorted(REAL.values()))


@given(ANY)
def test_it_reads_what_the_standard_library_reads(text: str) -> None:
    assert splice.parse(text).plain() == json.loads(text.removeprefix("\ufeff"))


@given(ANY, st.randoms(use_true_random=False))
def test_what_the_standard_library_refuses_is_refused_with_its_place(text: str, dice: Any) -> None:
    at = dice.randrange(len(text))
    broken = text[:at] + dice.choice(["", "}", "//", ",", '"', "\x01", "x"]) + text[at + 1 :]
    try:
        expected = json.loads(broken.removeprefix("\ufeff"), parse_constant=_refuse)
    except ValueError:
        with pytest.raises(JsonError) as told:
            splice.parse(broken)
        line, snippet = splice.place(broken, told.value.at)
        assert 1 <= line <= broken.count("\n") + 1
        assert snippet in broken
    else:
        assert splice.parse(broken).plain() == expected


def _refuse(word: str) -> None:
    raise ValueError(word)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('{\n  // mine\n  "a": 1\n}', 2, "a comment, which JSON does not have"),
        ('{"a": /* x */ 1}', 1, "a comment, which JSON does not have"),
        ('{\n  "a": 1,\n}\n', 3, "a comma that nothing follows"),
        ("[1, 2,]", 1, "a comma that nothing follows"),
        ('{"a" 1}', 1, "a colon belongs here"),
        ("{a: 1}", 1, "a key in double quotes belongs here"),
        ("{'a': 1}", 1, "a key in double quotes belongs here"),
        ('{"a": True}', 1, "a value belongs here"),
        ('{"a": NaN}', 1, "a value belongs here"),
        ('{"a": 01}', 1, 'a comma or "}" belongs here'),
        ('{"a": "x\ny"}', 1, "a value belongs here"),
        ('{"a": 1} {}', 1, "the end of the file belongs here"),
        ('{"a": {\n', 2, "the file ends where a key in double quotes belongs"),
        ("<<<<<<< HEAD\n{}", 1, "a value belongs here"),
        ("", 1, "the file ends where a value belongs"),
        ("[" * 300, 1, "more than 200 brackets stand inside one another"),
    ],
)
def test_a_fault_is_named_with_its_line(text: str, line: int, what: str) -> None:
    with pytest.raises(JsonError) as told:
        splice.parse(text)
    assert told.value.what == what
    assert splice.place(text, told.value.at)[0] == line


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("{}", '{\n  "new": [\n    true\n  ]\n}'),
        ("{}\r\n", '{\r\n  "new": [\r\n    true\r\n  ]\r\n}\r\n'),
        ('{"a":1}', '{"a":1,"new":[true]}'),
        ('{ "a" : 1, "b" : 2 }', '{ "a" : 1, "b" : 2, "new" : [true] }'),
        ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"new": [\n\t\ttrue\n\t]\n}'),
        ('{\n    "a": {}\n}\n', '{\n    "a": {},\n    "new": [\n        true\n    ]\n}\n'),
        ('{"a": 1,\n "b": 2}', '{"a": 1,\n "b": 2,\n "new": [\n  true\n ]}'),
        ('\ufeff{\n  "a": 1\n}', '\ufeff{\n  "a": 1,\n  "new": [\n    true\n  ]\n}'),
    ],
)
def test_what_is_added_is_written_as_the_rest_of_the_file(text: str, added: str) -> None:
    root = splice.parse(text)
    edits = splice.add(text, root, [("new", [True])], splice.style(text, root))
    assert splice.apply(text, edits) == added


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ('["a"]', '["a", "new"]'),
        ('["a","b"]', '["a","b","new"]'),
        ('[\n  "a"\n]', '[\n  "a",\n  "new"\n]'),
        ('["a", \n "b"]', '["a", \n "b", \n "new"]'),
        ("[]", '[\n  "new"\n]'),
        ("[\r\n]", '[\r\n  "new"\r\n]'),
    ],
)
def test_an_item_is_added_as_the_others_stand(text: str, added: str) -> None:
    root = splice.parse(text)
    edits = splice.add(text, root, [("", "new")], splice.style(text, root))
    assert splice.apply(text, edits) == added


def test_a_number_too_long_to_read_stays_as_it_is_written() -> None:
    text = f'{{"a": {"9" * 5000}, "b": 1}}'
    assert splice.parse(text).plain() == {"a": "9" * 5000, "b": 1}
    assert splice.place("one\n  two  \nthree", 6) == (2, "two")


@given(ANY, st.data())
def test_what_is_added_to_a_filled_object_and_cut_again_leaves_the_text_as_it_was(
    text: str, data: st.DataObject
) -> None:
    root = splice.parse(text)
    if not root.children:
        return
    values: list[splice.Json] = [[], {}, {"x": ["y"]}]
    value = data.draw(st.sampled_from(values))
    new: list[tuple[str, splice.Json]] = [("one", value), ("two", 2)]
    added = splice.apply(text, splice.add(text, root, new, splice.style(text, root)))
    after = splice.parse(added)
    assert [child.name for child in after.children[-2:]] == ["one", "two"]
    assert splice.apply(added, splice.cut(after, after.children[-2:])) == text


@given(ANY, st.data())
def test_whichever_children_are_cut_the_others_stay_as_they_were_written(
    text: str, data: st.DataObject
) -> None:
    root = splice.parse(text)
    if not root.children:
        return
    gone = data.draw(
        st.lists(st.sampled_from(root.children), max_size=len(root.children) - 1, unique_by=id)
    )
    left = splice.apply(text, splice.cut(root, gone))
    kept = [text[c.start : c.node.end] for c in root.children if c not in gone]
    assert [left[c.start : c.node.end] for c in splice.parse(left).children] == kept
