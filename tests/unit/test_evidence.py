"""What is quoted prints neither a mark of evidence nor a heading of ours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward import evidence

PARTS = (
    "[t:5]",
    "[asked t:2]",
    "[ c:9f5a3c7]",
    "\\",
    "\\\\",
    "# ",
    "## Next",
    "   ",
    "[",
    "x",
    " ",
)
lines = st.lists(st.sampled_from(PARTS), max_size=8).map("".join)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("done [asked t:2]", "done \\[asked t:2]"),
        ("[T:541] [c:9f5a3c7]", "\\[T:541] \\[c:9f5a3c7]"),
        ("[unverified: no such file]", "\\[unverified: no such file]"),
        ("## Next action", "\\## Next action"),
        ("a[t] [x] [link](t:5) #1", "a[t] [x] [link](t:5) #1"),
    ],
)
def test_marks_and_headings_get_a_backslash(text: str, shown: str) -> None:
    assert evidence.quote(text) == shown


@given(lines)
def test_what_was_quoted_is_read_back(line: str) -> None:
    assert evidence.unquote(evidence.quote(line)) == line
    assert evidence.unescape(evidence.escape(line)) == line
