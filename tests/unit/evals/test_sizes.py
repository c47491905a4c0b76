from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals import tokens
from evals.cases import cases
from evals.estimates import PIECES, errors


def test_a_text_is_cut_in_whole_lines_within_its_budget() -> None:
    text = "\n".join(f"line number {n} of a long text" for n in range(50))
    first, last = tokens.first(text, 60), tokens.last(text, 60)
    assert text.startswith(first + "\n")
    assert text.endswith("\n" + last)
    assert 40 < tokens.count(first) <= 60
    assert 40 < tokens.count(last) <= 60


def test_the_way_of_counting_is_said() -> None:
    name, _ = tokens.counter()
    assert tokens.exact() == (name == tokens.VOCABULARY)


def test_the_estimates_error_is_a_share_of_the_true_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "counter", lambda: (tokens.VOCABULARY, lambda _: 100))
    monkeypatch.setattr(tokens, "estimate", lambda _: 90)
    assert tokens.error("some text") == pytest.approx(0.1)
    monkeypatch.setattr(tokens, "counter", lambda: ("our own estimate", lambda _: 90))
    assert tokens.error("some text") is None


def test_pieces_are_taken_from_all_over_a_transcript(
    tmp_path: Path, writer: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    w = writer()
    for n in range(40):
        w.calls("Read", {"file_path": f"/w/app/a{n}.py"}, f"piece {n} " * 300)
    w.compacts("x")
    for n in range(10):
        w.calls("Read", {"file_path": f"/w/app/a{n}.py"}, "short")
    w.write(tmp_path / "s1.jsonl")
    seen: list[str] = []

    def exactly_right(text: str) -> float:
        seen.append(text)
        return 0.0

    monkeypatch.setattr(tokens, "error", exactly_right)
    found, _ = cases(tmp_path, lambda _: None)
    assert errors(found) == [0.0] * PIECES
    assert [text[:8] for text in seen[:2]] == ["piece 0 ", "piece 5 "]
