"""onward's own commands in a session are not its work."""

from __future__ import annotations

import pytest

from onward.distill import distill
from onward.distill.ours import without_ours
from onward.model import Edited, Event, Prompt, Ran, Reply

WORK: tuple[Event, ...] = (
    Prompt(line=1, text="Write the login in src/login.py, with RS256 as the gateway wants it"),
    Edited(line=2, path="/shop/src/login.py", change="created", added=9, spans=((1, 9),)),
    Reply(line=3, text="I wrote it. Next I would add a test for the expiry.", message="m1"),
)


def turn(command: str, line: int = 10) -> tuple[Event, ...]:
    return (
        Prompt(line=line, text=command, source="command"),
        Edited(line=line + 1, path="/shop/memory/.draft-5f1c9a52.json", change="created", added=1),
        Ran(line=line + 2, command="onward slash checkpoint add", failed=False),
        Reply(line=line + 3, text="Saved. Shall I also drop the database?", message=f"m{line}"),
    )


SAVES = [
    "/document-and-save",
    "/document-and-save-to notes/my hand-over.md",
    "/checkpoint save build-login-page --task Build it",
    "/checkpoint list",
    "/checkpoint delete build-login-page",
    "/save-session-protocol",
    "/sessions-list",
    "/discard-backup",
    "/onward:checkpoint save build-login-page",
    "/checkpoint frobnicate x",
    "/checkpoint",
    "/checkpoint saveme add-the-currency-option to the CLI",
    "/onward:checkpoint\nsave",
    "/onward:document-and-save",
]


@pytest.mark.parametrize("command", SAVES)
def test_a_save_leaves_no_trace_in_what_is_distilled(command: str) -> None:
    assert distill((*WORK, *turn(command)), "/shop") == distill(WORK, "/shop")


@pytest.mark.parametrize("command", SAVES)
def test_work_that_follows_a_save_counts(command: str) -> None:
    later = (Prompt(line=20, text="Now write the test for the expiry in tests/test_login.py"),)
    draft = distill((*WORK, *turn(command), *later), "/shop")
    assert [item.text for item in draft.requests][-1:] == [later[0].text]


@pytest.mark.parametrize(
    "command",
    [
        "/resume-latest",
        "/resume-from notes/a.md",
        "/checkpoint resume build-login-page",
        "/load-session-protocol",
        "/onward:resume-latest",
    ],
)
def test_a_resume_is_no_request_but_its_question_is_asked(command: str) -> None:
    left = list(without_ours(turn(command)))
    assert [type(event) for event in left] == [Reply]


@pytest.mark.parametrize(
    "command",
    [
        "/checkpoints",
        "/review 172",
        "/document-and-saver",
        "/checkpoint-all save",
        "/other:checkpoint save x",
    ],
)
def test_commands_of_others_stay(command: str) -> None:
    assert next(iter(without_ours(turn(command)))) == turn(command)[0]


@pytest.mark.parametrize("path", ["memory/draft.json", "memory/.draft.json.md", "x/.draft.json"])
def test_files_with_a_name_like_a_drafts_stay(path: str) -> None:
    edit = Edited(line=1, path=path)
    assert list(without_ours([edit])) == [edit]
