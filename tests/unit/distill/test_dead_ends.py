"""What was tried and taken back, with the words that it was taken back for."""

from __future__ import annotations

import pytest

from onward.distill import distill
from onward.model import Edited, Event, Prompt, Ran


def gone(*between: Event) -> str | None:
    """The reason told for a file that was made at line 2 and removed at line 9."""
    events = [
        Prompt(line=1, text="Build the server"),
        Edited(line=2, path="/p/server.ts", change="created", added=9),
        *between,
        Ran(line=9, command="rm server.ts", cwd="/p", failed=False),
    ]
    (item,) = distill(events, "/p").dead_ends
    assert item.text == "Created server.ts, then removed it"
    return item.why


def test_what_was_removed_has_the_last_words_before_it() -> None:
    asked = Prompt(line=4, text="Why are you writing TypeScript?")
    assert gone(asked) == "after the person's words “Why are you writing TypeScript?”"


@pytest.mark.parametrize("between", [(), (Prompt(line=4, text="helper", thread="a"),)])
def test_without_words_in_between_no_reason_is_told(between: tuple[Event, ...]) -> None:
    assert gone(*between) is None


def failing(output: str, status: int) -> list[Event]:
    run = {"command": "python view.py", "cwd": "/p", "failed": True, "exit_code": status}
    return [Ran(line=n, output=output, **run) for n in (1, 2, 3)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("output", "status"),
    [("CondaError: KeyboardInterrupt\n", 1), ("KeyboardInterrupt\n", 1), ("", 130), ("", 124)],
)
def test_what_was_stopped_by_hand_is_no_dead_end(output: str, status: int) -> None:
    assert distill(failing(output, status), "/p").dead_ends == ()


def test_what_failed_by_itself_three_times_is_a_dead_end() -> None:
    (item,) = distill(failing("ValueError: no such file\n", 1), "/p").dead_ends
    assert "failed 3 times in a row and never worked after" in item.text
