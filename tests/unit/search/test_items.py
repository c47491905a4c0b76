"""Checkpoints and documents as records, and which files a record touches."""

from __future__ import annotations

from time import process_time

import pytest

from onward.search.record import Record, touches
from onward.search.record import records_of as records

CHECKPOINT = """# Checkpoint: add-login

**Created:** 2026-03-01 21:40 GMT+8
**Task:** Build the login [asked t:3]

## Progress

- Wrote src/auth.py lines 45-120 [observed t:541]
  why: the gateway asked for it

## Next Action

- Run the tests [claimed t:590]

My own words, untagged.

<!-- onward:1 {"saved":"2026-03-01T13:40:00Z","origin":{"session":"secret-word"}} -->
"""


def test_each_line_is_a_record_with_who_vouches_for_it() -> None:
    found = {record.text.split("\n")[0]: record.by for record in records(CHECKPOINT, at="")}
    assert found == {
        "# Checkpoint: add-login": "user",
        "**Created:** 2026-03-01 21:40 GMT+8": "user",
        "**Task:** Build the login [asked t:3]": "user",
        "- Wrote src/auth.py lines 45-120 [observed t:541]": "result",
        "- Run the tests [claimed t:590]": "agent",
        "My own words, untagged.": "user",
    }


def test_a_note_below_a_line_is_part_of_it() -> None:
    assert any("gateway" in r.text and "auth.py" in r.text for r in records(CHECKPOINT, at=""))


def test_the_closing_comment_is_not_searched() -> None:
    assert not any("secret-word" in record.text for record in records(CHECKPOINT, at=""))


def test_the_files_of_a_line_are_known() -> None:
    assert [r.text for r in records(CHECKPOINT, at="") if touches(r, "auth.py")] == [
        "- Wrote src/auth.py lines 45-120 [observed t:541]\n  why: the gateway asked for it"
    ]


@pytest.mark.parametrize(
    ("wanted", "path", "is_it"),
    [
        ("src/auth.py", "/home/ana/shop/src/auth.py", True),
        ("auth.py", "src/auth.py", True),
        ("auth.py", "src/oauth.py", False),
        ("./src/auth.py", "src/auth.py", True),
        ("src\\auth.py", "C:\\shop\\src\\auth.py", True),
        ("SRC/auth.py", "src/auth.py", True),
        ("src", "src/auth.py", False),
    ],
)
def test_a_file_is_meant_by_the_end_of_its_path(wanted: str, path: str, is_it: bool) -> None:
    assert touches(Record(by="agent", text="", files=(path,)), wanted) is is_it


@pytest.mark.parametrize("unit", ["这是一个很长的句子", "a", "/", "a.", "a/"])
def test_a_long_line_without_blanks_is_read_in_linear_time(unit: str) -> None:
    before = process_time()
    (record,) = records(f"{unit * 200_000} src/auth.py\n", at="")
    assert process_time() - before < 20  # what takes its square takes an hour
    assert touches(record, "src/auth.py")


@pytest.mark.parametrize("path", ["/srv/shop/auth.py", "~/shop/auth.py", "C:/shop/auth.py"])
def test_a_path_is_known_by_its_end_or_its_folders(path: str) -> None:
    assert any(
        touches(r, "auth.py") or touches(r, "shop")
        for r in records(f"- see {path}, it is there", at="")
    )
