"""What is printed makes no terminal obey, and an error repeats no secret that was typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.examples import fill

from onward.cli import main, output
from onward.commands.result import Result, compose

OBEYED = "\x1b[2J\x9b31m\u202egnp\u2066\x07\x00"


def test_an_answer_holds_no_escapes_and_keeps_its_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = Result(text=compose(f"⚠️ a\tb{OBEYED}", "naïve 日本語"), notes=(f"x{OBEYED}\ny",))
    output.emit(said, as_json=False)
    assert capsys.readouterr() == ("⚠️ a\tb[2J31mgnp\nnaïve 日本語\n", "x[2J31mgnp y\n")


def test_json_says_the_same_in_letters_that_nothing_obeys() -> None:
    data = {"a": OBEYED, "b": ["日本語", 1]}
    shown = output.encode(data)
    assert json.loads(shown) == data
    assert output.one_line(shown.replace("\n", " ")) == shown.replace("\n", " ")


@pytest.mark.parametrize("words", [("show",), ("delete",), ("brief",), (), ("list",)])
def test_a_secret_that_was_typed_is_not_repeated(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ONWARD_DATA", str(tmp_path / "data"))
    token = fill("ghp_{an:36}").text
    assert main([*words, token]) != 0
    told = capsys.readouterr().err
    assert token not in told
    assert "[REDACTED:github-token:" in told
