"""Wherever a session begins, what it leaves is in the project and the next one is told of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.e2e.kit.lab import Lab, conversation

ASKED = "Sew the second reef into the mainsail"
OFFER = "SESSION_BACKUP_PENDING: A previous session backup exists at "
PLACES: dict[str, Callable[[Lab], object]] = {
    "a repository": lambda lab: lab.project,
    "a plain folder": lambda lab: lab.folder("sail-loft", git=False),
    "a name with spaces": lambda lab: lab.folder("the sail loft"),
    "a name in other letters": lambda lab: lab.folder("Segel-\u00e4\u6c34"),
    "a name that a shell would read": lambda lab: lab.folder("$(sail) 'n' `loft`;&"),
    "a linked work tree": lambda lab: lab.worktree("refit"),
    "a symbolic link": lambda lab: lab.link("dock"),
}


def assert_offered(lab: Lab) -> None:
    lab.wait_quiet()
    lab.model.script(["Let me see."])
    lab.headless("What now?")
    (offer,) = (line for line in lab.requests()[-1].text.splitlines() if OFFER in line)
    backup = lab.project / offer.partition(OFFER)[2]
    assert ASKED in conversation(backup)
    assert backup.parent == lab.memory("raw")


@pytest.mark.parametrize("place", PLACES)
def test_a_session_is_offered_again_in(lab: Lab, place: str) -> None:
    PLACES[place](lab)
    lab.install("--project")
    lab.headless(ASKED)
    assert_offered(lab)


def test_a_session_in_a_sub_folder_is_offered_in_the_whole_project(lab: Lab) -> None:
    lab.install("--user")  # the client reads no project's settings from a sub-folder
    deck = lab.project / "deck"
    deck.mkdir()
    lab.headless(ASKED, cwd=deck)
    assert not (deck / ".claude").exists()
    assert_offered(lab)


def test_a_project_that_never_had_us_stays_as_it_is(lab: Lab) -> None:
    before = sorted(lab.project.rglob("*"))
    lab.headless(ASKED)
    assert sorted(lab.project.rglob("*")) == before
    assert not lab.data.exists()
