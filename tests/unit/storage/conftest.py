"""A project without git and a trash, both empty."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from onward.storage.project import Project, locate
from onward.storage.trash import Trash


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "shop"
    root.mkdir()
    return locate(root, root)


@pytest.fixture
def trash(tmp_path: Path) -> Trash:
    return Trash(tmp_path / "data" / "trash")


@pytest.fixture
def now() -> datetime:
    return datetime(2026, 3, 1, 21, 40, 7, tzinfo=timezone(timedelta(hours=8)))
