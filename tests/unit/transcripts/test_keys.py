"""Private keys do not outlive a cut."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from onward.briefing import brief
from onward.model import Prompt
from onward.record import record
from onward.redaction import Redactor
from onward.transcripts import truncation
from onward.transcripts.registry import open_transcript
from onward.transcripts.truncation import MARK, hide

BODY = "MIIEpAIBAAKCAQEA" + "x9Kq" * 12
KIND = "RSA PRIV" + "ATE KEY"


def block(lines: int) -> str:
    return f"-----BEGIN {KIND}-----\n" + f"{BODY}\n" * lines + f"-----END {KIND}-----"


@pytest.mark.parametrize("lines", [1, 3, 26, 60])
def test_a_block_goes_whole_and_the_words_around_it_stay(lines: int) -> None:
    assert hide(f"Use this:\n{block(lines)}\nthen deploy.") == f"Use this:\n{MARK}\nthen deploy."


def test_a_block_without_an_end_goes_as_far_as_it_looks_like_a_key() -> None:
    torn = block(9).rsplit("\n", 1)[0]
    assert BODY not in hide(f"{torn}\nNow please deploy it to the server.")
    assert "deploy it to the server." in hide(f"{torn}\nNow please deploy it to the server.")


def test_a_cut_output_holds_no_part_of_a_key() -> None:
    assert BODY not in truncation.output("a\n" * 700 + block(26) + "\nb" * 4000)
    assert BODY not in truncation.one_line(f"key: {block(26)}")


@pytest.mark.parametrize("before", [100, 180, 195, 199, 760])
def test_what_shortens_a_text_leaves_no_half_of_a_token(before: int) -> None:
    token = "ghp_" + "aB3dE5gH7" * 4
    words = ("word " * 200)[:before].rstrip() + f" {token} and more words"
    for short in (truncation.one_line(words), truncation.first_lines(words)):
        assert token in short or token[:6] not in short
    assert truncation.first_lines("日本語" * 100) == ("日本語" * 100)[: truncation.LINE]


@pytest.mark.parametrize("who", ["user", "assistant"])
def test_no_line_of_a_long_key_comes_through_to_the_briefing(who: str, tmp_path: Path) -> None:
    common = {"sessionId": "s", "cwd": "/home/ana/shop"}
    said = f"Please deploy with this key, and keep it safe:\n{block(26)}\n" + "word " * 300
    records = [
        {"type": "user", "uuid": "u1", "message": {"content": "Deploy the shop, please."}},
        {
            "type": who,
            "uuid": "u2",
            "message": {"id": "m", "content": [{"type": "text", "text": said}]},
        },
    ]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps({**common, **r}) + "\n" for r in records))
    events = list(open_transcript(path))
    assert any(isinstance(e, Prompt) for e in events)
    text = brief(Redactor(b"key").draft(record(events)), None)
    assert BODY not in text
