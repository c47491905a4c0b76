"""Fixtures of the tests with the real client. They fail, and never skip, where a tool is missing."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [path for path in (str(ROOT), str(ROOT / "tools")) if path not in sys.path]

from tests.e2e.kit.lab import Lab  # noqa: E402 - from the root
from tests.needs import needs  # noqa: E402

import clients  # noqa: E402 - tools are no package


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "versions(*names): the clients a test runs with; without it, the newest pinned one",
    )
    config.addinivalue_line("markers", "every_version: a test runs with all pinned clients")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `client` or `lab` runs with the newest client, unless a marker says more.
    With the older ones run what they do not promise, and each mechanism of ours once.
    """
    if "client" in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("versions")
        every = metafunc.definition.get_closest_marker("every_version")
        names = marker.args if marker else clients.VERSIONS[: None if every else 1]
        metafunc.parametrize("client", names, indirect=True)


@pytest.fixture
def client(request: pytest.FixtureRequest) -> Path:
    """The program of one pinned client."""
    if sys.platform != "linux":
        pytest.fail("the tests with the real client run on Linux: they look into /proc")
    needs("tmux")
    try:
        return clients.executable(request.param)
    except clients.MissingError as error:
        pytest.fail(str(error))


@pytest.fixture
def lab(client: Path) -> Iterator[Lab]:
    """A throw-away machine with one client. Nothing that ran in it may outlive it."""
    made = Lab(client)
    try:
        yield made
    finally:
        left = made.close()
    assert not left, f"these outlived the test: {left}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the screens and logs of a lab whose test failed."""
    report = yield
    made = getattr(item, "funcargs", {}).get("lab")
    if report.when == "call" and report.failed and made:
        report.sections.append(("the lab", made.report()))
    return report
