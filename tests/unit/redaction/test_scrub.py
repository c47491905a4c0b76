"""A text as it is but for its secrets: JSON, plain lines, long texts in pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import fill, hits, misses

from onward.redaction import Redactor, rules, scrub
from onward.redaction.scrub import Scrubber

REDACTOR = Redactor(b"k" * 32, home="/home/jdoe", user="jdoe")
TOKEN = fill("ghp_{an:36}").text
MARK = REDACTOR.text(TOKEN)
HITS = [
    pytest.param(rule, fill(hit), id=f"{rule.id}-{number}")
    for rule in rules.RULES
    for number, hit in enumerate(hits(rule))
]


def clean(text: str) -> str:
    return Scrubber(REDACTOR).feed(text, last=True)[0]


def found(text: str) -> list[tuple[int, int, int, str]]:
    _, places = Scrubber(REDACTOR).feed(text, last=True)
    return [(each.line, each.column, each.length, each.rule) for each in places]


# ------------------------------------------------------------------------- plain text


def test_what_is_no_secret_stays_to_the_byte() -> None:
    text = '\ufeffa\r\nb\tc \x1b[31mred\x1b[0m \u200b\u202e <system-reminder>\r\x0c "x": \x00 \ud800 --> é'
    assert clean(text) == text
    assert clean(f"{text} {TOKEN}\r\n{text}") == f"{text} {MARK}\r\n{text}"


@pytest.mark.parametrize("split", ["\u200b", "\x1b[0m", "\u00ad", "\x00", "\ufe0f", "\x1b]0;t\x07"])
def test_a_secret_that_something_invisible_splits_is_found(split: str) -> None:
    text = f"{split}a {TOKEN[:20]}{split}{TOKEN[20:]}{split} b"
    assert clean(text) == f"{split}a {MARK}{split} b"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_ends_of_lines_are_kept_and_seen_as_such(end: str) -> None:
    text = end.join(["a: 1", "db_password: swordfish", "b: 2", ""])
    before, after = text.split("swordfish")
    assert clean(text).startswith(f"{before}[REDACTED:password:")
    assert clean(text).endswith(f"]{after}")
    assert "swordfish" not in clean(text)


def test_a_finding_says_where_it_stands() -> None:
    text = f"é\n  x {TOKEN}\n\na@example.org {TOKEN}"
    assert found(text) == [
        (2, 5, 40, "github-token"),
        (4, 1, 13, "email"),
        (4, 15, 40, "github-token"),
    ]


def test_a_line_that_is_allowed_is_left_alone_and_its_neighbours_are_not() -> None:
    text = f"{TOKEN}\n{TOKEN} # onward:allow\n{TOKEN}\n"
    assert clean(text) == f"{MARK}\n{TOKEN} # onward:allow\n{MARK}\n"


def test_data_in_json_cannot_allow_itself() -> None:
    for text in (
        json.dumps({"a": f"{TOKEN} onward:allow"}),
        json.dumps({"onward:allow": TOKEN}) + "\n" + json.dumps({"b": 1}),
        "log\n" + json.dumps({"a": f"{TOKEN} onward:allow"}) + "\nlog\n",
    ):
        assert TOKEN not in clean(text)


def test_every_secret_is_found_in_plain_text_and_in_json() -> None:
    for sample in (fill(hit) for rule in rules.RULES for hit in hits(rule)):
        for text in (sample.text, f"first\n{sample.text}\nlast\n"):
            assert sample.secret not in clean(text)
        text = json.dumps({"out": f"first\n{sample.text}\nlast"})
        assert json.dumps(sample.secret)[1:-1] not in clean(text)


# ------------------------------------------------------------------------------- JSON

ODD = '{ "n": 1.50e+3,"big":12345678901234567890 , "u": "\\u00e9\\/\\ud83d\\ude00é", "b":[true,null ,{}]}\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (ODD, ODD),
        (f'{{"a": "x\\n{TOKEN}\\u0041\\ty"}}', f'{{"a": "x\\n{TOKEN}\\u0041\\ty"}}'),
        (f'{{"a": "x\\n{TOKEN}\\ty\\u00e9"}}', f'{{"a": "x\\n{MARK}\\ty\\u00e9"}}'),
        (f'["\\ud83d\\ude00 {TOKEN} \\/"]', f'["\\ud83d\\ude00 {MARK} \\/"]'),
        (f'["\\{TOKEN[0]}{TOKEN[1:]}"]', None),
        (f'["{TOKEN[:9]}\\u{ord(TOKEN[9]):04x}{TOKEN[10:]}"]', f'["{MARK}"]'),
        (f'{{"{TOKEN}": 1}}', f'{{"{MARK}": 1}}'),
        (f'{{"a": 1}}\r\n{{"b": "{TOKEN}"}}\r\n', f'{{"a": 1}}\r\n{{"b": "{MARK}"}}\r\n'),
        (f'note\n{{"b": "\\n{TOKEN}"}}\nend', f'note\n{{"b": "\\n{MARK}"}}\nend'),
    ],
)
def test_of_json_only_the_secret_changes(before: str, after: str | None) -> None:
    if after is None:
        assert TOKEN[4:] not in clean(before)
    elif "\\u0041" in before:  # it goes on behind an escape, as a decoder reads it
        assert clean(before).startswith('{"a": "x\\n[REDACTED:github-token:')
        assert clean(before).endswith(']\\ty"}')
    else:
        assert clean(before) == after


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ('{"password": "hunter2x"}', "hunter2x"),
        ('{"db":{"password":\n "swordfish"}}', "swordfish"),
        (json.dumps({"apiKey": fill("{an:32}").text}), fill("{an:32}").text),
        (json.dumps({"kty": "oct", "k": fill("{url:43}").text}), fill("{url:43}").text),
        ('["tool", "--password", "swordf1sh"]', "swordf1sh"),
        ('[{"name": "DB_PASSWORD", "value": "swordfish"}]', "swordfish"),
        ('{"secrets": ["tr0ub4dor", "swordf1sh"]}', "swordf1sh"),
    ],
)
def test_the_key_of_a_value_says_what_it_is(text: str, gone: str) -> None:
    assert gone not in clean(text)
    json.loads(clean(text))


@pytest.mark.parametrize(
    "text",
    [
        '{"password": {"type": "string", "minLength": 8}}',
        '{"password": ""}',
        '{"password": null, "name": "swordfish"}',
        '{"password": "${DB_PASSWORD}"}',
        '{"name": "title", "value": "swordfish"}',
        '[{"name": "DB_PASSWORD"}, {"value": "swordfish"}]',
        '{"usage": {"input_tokens": 4096, "token": 12}, "max_tokens": "4096"}',
        '{"sessionId": "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05", "key": "Enter"}',
    ],
)
def test_a_key_says_nothing_of_what_is_no_secret(text: str) -> None:
    assert clean(text) == text


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=[]), max_size=9)
    | st.sampled_from([TOKEN, f"é\n{TOKEN}", "password=hunter2x", "a@b.example", "\\", '"', "{"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(max_size=4) | st.sampled_from(["password", "name", "value", "key", "token"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def shape(value: Any) -> Any:
    if isinstance(value, dict):
        return [shape(each) for each in value.values()]
    if isinstance(value, list):
        return [shape(each) for each in value]
    return "text" if isinstance(value, str) else repr(value)


@given(JSON, st.sampled_from([None, 2]), st.booleans())
def test_json_stays_json_and_keeps_its_shape(
    value: Any, indent: int | None, ascii_only: bool
) -> None:
    wrapped = [value]
    text = json.dumps(wrapped, indent=indent, ensure_ascii=ascii_only)
    once = clean(text)
    assert shape(json.loads(once)) == shape(wrapped)
    assert TOKEN not in once
    assert clean(once) == once


# --------------------------------------------------------------------------- laws

PIECES = st.sampled_from(
    [
        *(fill(text).text for rule in rules.RULES for text in (*hits(rule), *misses(rule))),
        *(
            "\n",
            "\r\n",
            " ",
            '"',
            "'",
            "\\",
            "=",
            ": ",
            "/",
            "@",
            "\x1b[0m",
            "\u200b",
            "é",
            "{",
            "}",
        ),
        *(
            '{"password": "',
            '"}',
            "password=",
            "[REDACTED:x:aaaaaa]",
            "/home/jdoe",
            "jdoe@x",
            "[",
            "]",
        ),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=8), max_size=12).map("".join)


@given(TEXTS)
def test_scrubbing_twice_is_scrubbing_once(text: str) -> None:
    once = clean(text)
    assert clean(once) == once


@given(TEXTS)
def test_what_was_found_is_what_was_changed(text: str) -> None:
    once, places = Scrubber(REDACTOR).feed(text, last=True)
    assert (once == text) == (not places)
    lines = text.split("\n")
    for each in places:
        assert 1 <= each.line <= len(lines)
        assert 1 <= each.column <= len(lines[each.line - 1])


# ------------------------------------------------------------------ a text in pieces


def in_pieces(text: str, size: int) -> tuple[str, list[tuple[int, int, int, str]]]:
    lines = text.splitlines(keepends=True)
    scrubber = Scrubber(REDACTOR)
    is_json = text.startswith(("{", "["))
    out, places = "", []
    for at in range(0, len(lines), size):
        part, some = scrubber.feed("".join(lines[at : at + size]), last=at + size >= len(lines))
        out += part
        places += [(each.line, each.column, each.length, each.rule) for each in some]
        assert scrubber._is_json is is_json
    return out, places


def pem(lines: int) -> str:
    name = "PRIVATE KEY-----\n"
    body = "".join(fill("{b64:64}", n).text + "\n" for n in range(lines))
    return f"-----BEGIN {name}{body}-----END {name}"


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("reach", [0, 100, 4000])
def test_a_text_in_pieces_comes_out_as_in_one(
    size: int, reach: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scrub, "REACH", reach or scrub.REACH)
    text = "".join(
        f"line {n}\r\npassword = 'hunter{n}x'\n{pem(12)}ok /home/jdoe/x é {TOKEN}\n"
        for n in range(12)
    )
    whole, places = in_pieces(text, 10_000)
    if reach == 100:  # shorter than a key block: it is there to be too short
        assert in_pieces(text, size)[0].count("hunter") == 0
        return
    assert in_pieces(text, size) == (whole, places)
    assert "-----BEGIN" not in whole


@pytest.mark.parametrize("size", [1, 3])
def test_json_in_pieces_comes_out_as_in_one(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrub, "REACH", 50)
    monkeypatch.setattr(scrub, "BEFORE", 200)
    records = [{"n": n, "password": f"swordfish{n}", "out": f"é\n{TOKEN}\t{n}"} for n in range(9)]
    for text in (
        json.dumps(records, indent=1),
        "".join(json.dumps(each) + "\n" for each in records),
    ):
        whole, places = in_pieces(text, 10_000)
        assert in_pieces(text, size) == (whole, places)
        assert "swordfish" not in whole
        assert TOKEN not in whole


def test_what_is_held_back_stays_small() -> None:
    scrubber = Scrubber(REDACTOR)
    for _ in range(20):
        scrubber.feed("a harmless line of text\n" * 5000, last=False)
        assert scrubber.held <= scrub.REACH + 100
