"""Fixtures of the tests with the real Codex. They fail, and never skip, where a tool is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from tests.e2e.codex_live.lab import CodexLab
from tests.needs import needs

import clients  # tools are no package; the conftest above finds them


@pytest.fixture
def lab() -> Iterator[CodexLab]:
    """A throw-away machine with Codex. Nothing that ran in it may outlive it."""
    if sys.platform != "linux":
        pytest.fail("the tests with the real client run on Linux: they look into /proc")
    needs("tmux")
    try:
        made = CodexLab(clients.executable(clients.CODEX))
    except clients.MissingError as error:
        pytest.fail(str(error))
    try:
        yield made
    finally:
        left = made.close()
    assert not left, f"these outlived the test: {left}"
