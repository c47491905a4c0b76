"""Options and fixtures of all tests."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from tests import needs
from tests.sampling import everything

# Speed is measured in benchmarks/, never by a test: a loaded machine must not turn one red.
_UNTIMED: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
    "print_blob": True,
}
_EXAMPLES = Path(__file__).resolve().parents[1] / ".hypothesis" / "examples"
settings.register_profile("fixed", derandomize=True, max_examples=25, **_UNTIMED)
settings.register_profile(
    "fresh", database=DirectoryBasedExampleDatabase(_EXAMPLES), max_examples=100, **_UNTIMED
)
# All tests whole, with examples that no run had before; a failing one is kept and tried first.
settings.load_profile("fresh" if everything() else "fixed")


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


_ROOM = 2 << 30  # bytes; a whole run leaves about a fifth of it


def pytest_configure(config: pytest.Config) -> None:
    """The sample keeps its folders in memory where there is room: half of its time would go into
    waiting for the disk. `make test-all` is on the disk.
    """
    memory = Path("/dev/shm")
    if everything() or config.getoption("basetemp") or not os.access(memory, os.W_OK):
        return
    if shutil.disk_usage(memory).free > _ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many tests wait for a process that they started."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--corpus") is not None:
        return
    reason = "no corpus given: pytest --corpus=DIR (a folder of real transcripts)"
    for item in items:
        if "corpus" in item.keywords:
            item.add_marker(pytest.mark.skip(reason=reason))


# ------------------------------------------------------------------- programs that are absent


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("needs"):
        needs.needs(*marker.args)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Name the program that a test was skipped for, or failed for, in its report."""
    report = yield
    error = call.excinfo.value if call.excinfo else None
    if program := needs.absent(error):
        report.user_properties.append(("absent", program))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end which programs are absent and how many tests each of them cost."""
    for outcome, verb in (("skipped", "skipped"), ("failed", "failed"), ("error", "failed")):
        reports = terminalreporter.stats.get(outcome, [])
        found = (prop for report in reports for prop in getattr(report, "user_properties", ()))
        counts = Counter(str(value) for name, value in found if name == "absent")
        for line in needs.summary(counts, verb):
            terminalreporter.write_line(line, yellow=verb == "skipped", red=verb == "failed")


@pytest.fixture(scope="session")
def corpus(request: pytest.FixtureRequest) -> Path:
    """The folder given as --corpus."""
    folder = request.config.getoption("--corpus")
    assert isinstance(folder, Path)
    if not folder.is_dir():
        pytest.fail(f"--corpus {folder} is no folder")
    return folder
