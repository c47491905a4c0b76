from __future__ import annotations

import pytest

from onward.cli import main


def test_the_demo_shows_what_changed_since_the_save(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    told = capsys.readouterr().out
    before, after = told.split("$ onward resume")
    assert "Saved checkpoint: add-currency-option" in before
    assert "`src/tally/rates.py` is now `src/tally/exchange.py`" in after
    assert "Name the module by what it does" in after
    assert max(map(len, told.splitlines())) <= 100
