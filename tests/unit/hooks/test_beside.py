"""Work beside other work: waited for whatever else goes wrong, except when the time is up."""

from __future__ import annotations

import threading

import pytest

from onward.errors import StorageError
from onward.hooks.capture import Beside
from onward.hooks.entry import TimeIsUp

# The error is told by whoever waits; Python tells it once more where nobody listens.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


class Slow:
    """Work that is done once it is let go, and may fail then."""

    def __init__(self, error: Exception | None = None) -> None:
        self.free, self.done = threading.Event(), threading.Event()
        self.error = error

    def __call__(self) -> None:
        self.free.wait(30)
        self.done.set()
        if self.error:
            raise self.error


def test_the_body_runs_meanwhile_and_the_work_is_waited_for() -> None:
    work = Slow()
    with Beside(work):
        assert not work.done.is_set()
        work.free.set()
    assert work.done.is_set()


def test_what_the_work_raises_is_raised_at_the_end() -> None:
    work = Slow(StorageError("the disk is full"))
    work.free.set()
    with pytest.raises(StorageError, match="full"), Beside(work):
        pass


def test_an_error_of_the_body_waits_for_the_work_and_goes_first() -> None:
    work = Slow(StorageError("the disk is full"))

    def body() -> None:
        work.free.set()
        raise ValueError("of the body")

    with pytest.raises(ValueError, match="of the body"), Beside(work):
        body()
    assert work.done.is_set()


def test_nobody_waits_when_the_time_is_up() -> None:
    work = Slow()
    with pytest.raises(TimeIsUp), Beside(work):
        raise TimeIsUp
    assert not work.done.is_set()
    work.free.set()
