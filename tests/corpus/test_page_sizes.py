"""What one call of `show` or `search` costs on every real transcript of a folder (`--corpus=DIR`)."""

from __future__ import annotations

import random
from pathlib import Path

import bpe_openai
import pytest

from onward.briefing.tokens import estimate
from onward.cli import main
from onward.commands import show
from onward.commands.show import Place, View
from onward.errors import InputError, NotFoundError
from onward.redaction import Redactor

pytestmark = pytest.mark.corpus
ENCODING = bpe_openai.get_encoding("o200k_base")
REDACTOR = Redactor(b"one key for all of the corpus")
MOST = 1_500
LARGEST = 1_000_000  # bytes; of a larger one each call reads all
VIEWS = (View(), View(before=5, after=5))
WORDS = (["error"], ["--by", "user"], ["test", "qwxz"], ["--failed"], ["--edits"])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    folder = metafunc.config.getoption("--corpus")
    found = sorted(Path(folder).rglob("*.jsonl")) if folder else []
    files = [path for path in found if path.stat().st_size < LARGEST]
    metafunc.parametrize("path", files or [Path("no-corpus-given")], ids=lambda path: path.name)


def assert_small(told: str) -> None:
    """By our estimate, and counted less than a tenth over, as a briefing."""
    assert estimate(told) <= MOST
    assert len(ENCODING.encode_ordinary(told)) <= MOST * 1.1


def test_a_page_of_show(path: Path) -> None:
    last, chance = path.read_bytes().count(b"\n"), random.Random(path.name)
    for view in VIEWS:
        first = chance.randint(1, max(last, 1))
        for end in (first, first + 20):
            try:
                found = show.show_place(Place("", first, end), path, REDACTOR, "0b1c2d3e", view)
            except (InputError, NotFoundError):  # of no agent that is known, or nothing said
                continue
            assert_small("\n".join((found.text, *found.notes)))


def test_an_answer_of_search(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("HOME", "USERPROFILE", "ONWARD_DATA"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for words in WORDS:
        main(["search", *words, "--session", str(path)])
        told = capsys.readouterr()
        assert_small(told.out + told.err)
