"""What a client would read as a file to load is text in the files that it loads."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.documents.active_context import escape, unescape


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("@~/.ssh/id_rsa", r"\@~/.ssh/id_rsa"),
        ("- see @docs/x.md and @.env", r"- see \@docs/x.md and \@.env"),
        ("`npm i @types/node` @x", r"`npm i \@types/node` \@x"),
        ("an odd ` @x", r"an odd ` \@x"),
        ("one\n@two", "one\n\\@two"),
        ("**@.env** _@.env_ ~~@.env~~", r"**\@.env** _\@.env_ ~~\@.env~~"),
        ("[@.env](x) ![@.env](x)", r"[\@.env](x) ![\@.env](x)"),
        ("me@mail.test, a @ b, x=@y", r"me@mail.test, a @ b, x=\@y"),
        (r"\@x stays", r"\@x stays"),
        (r"\\@x does not", r"\\\@x does not"),
    ],
)
def test_an_import_is_escaped_whatever_stands_around_it(raw: str, shown: str) -> None:
    assert escape(raw) == shown


PIECES = st.lists(
    st.sampled_from(
        ["@a", "@", " ", "`", "\n", "x", "@~/b", ": ", "**", "_", "[", "](x)", "~~", "(", "\u200b"]
    ),
    max_size=12,
)


@given(PIECES.map("".join))
def test_escaping_leaves_no_import_and_is_undone(text: str) -> None:
    shown = escape(text)
    assert not re.search(r"(?<![^\W_])(?<!\\)@\S", shown)
    assert escape(shown) == shown
    assert unescape(shown) == text
