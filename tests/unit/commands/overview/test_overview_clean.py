"""Paths and branches of this moment, made clean."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward.cli import Call
from onward.commands.overview.threads import Places

if TYPE_CHECKING:
    from tests.unit.commands.overview.conftest import Monday


@pytest.fixture
def cleaner(monday: Monday) -> Places:
    return Places(Call().world)


def each(cleaner: Places, texts: Sequence[str], root: Path) -> tuple[str, ...]:
    return tuple(cleaner.text(text, root) for text in texts)


def test_plain_names_stay_as_they_are(cleaner: Places, monday: Monday) -> None:
    names = ("src/app.py", "docs/", "設定.md")
    assert each(cleaner, names, monday.top) == names
    assert cleaner.path(monday.home / "code/shop", monday.top) == "~/code/shop"
    assert cleaner.path(monday.home, monday.top) == "~"
    assert cleaner.path(Path("/srv/shop"), monday.top) == "/srv/shop"


def test_each_text_keeps_its_place_whatever_it_holds(
    cleaner: Places, monday: Monday, planted: str
) -> None:
    given = ["src/app.py", f"{planted}.env", "a\nb.py", " led.py", "", "mail ben@example.org"]
    found = each(cleaner, given, monday.top)
    assert len(found) == len(given)
    assert found[0] == "src/app.py"
    assert planted[4:] not in found[1]
    assert found[1].endswith(".env")
    assert found[2:5] == ("a b.py", " led.py", "")
    assert "ben@example.org" not in found[5]


def test_a_project_whose_settings_are_broken_tells_nothing(cleaner: Places, monday: Monday) -> None:
    (monday.top / ".git").mkdir()
    (monday.top / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (monday.top / "onward.toml").write_text("[redaction\n")
    assert each(cleaner, ["src/app.py", "b.py"], monday.top) == ("…", "…")
