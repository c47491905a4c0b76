"""Options and fixtures of all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Speed is measured in benchmarks/, never by a test: a loaded machine must not turn one red.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--corpus",
        type=Path,
        default=None,
        help="folder of unpacked real transcripts (claude-code/*.jsonl); tests marked `corpus` need it",
    )
    parser.addoption(
        "--accept",
        action="store_true",
        help="write the golden briefings anew; read each before it is committed",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--corpus") is not None:
        return
    reason = "no corpus given: pytest --corpus=DIR (a folder of real transcripts)"
    for item in items:
        if "corpus" in item.keywords:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def corpus(request: pytest.FixtureRequest) -> Path:
    """The folder given as --corpus."""
    folder = request.config.getoption("--corpus")
    assert isinstance(folder, Path)
    if not folder.is_dir():
        pytest.fail(f"--corpus {folder} is no folder")
    return folder
