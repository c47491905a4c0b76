"""Fixtures of the tests with the real opencode and Copilot CLI. They fail, and never skip."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from tests.e2e.chat_live.lab import ChatLab
from tests.needs import needs

import clients  # tools are no package; the conftest above finds them


@pytest.fixture
def lab() -> Iterator[ChatLab]:
    """A throw-away machine with both clients. Nothing that ran in it may outlive it."""
    if sys.platform != "linux":
        pytest.fail("the tests with the real client run on Linux: they look into /proc")
    needs("tmux")
    try:
        made = ChatLab()
    except clients.MissingError as error:
        pytest.fail(str(error))
    try:
        yield made
    finally:
        left = made.close()
    assert not left, f"these outlived the test: {left}"
