"""Wherever a session begins, what it leaves is in the project and the next one is told of it."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.kit.breakage import read_only
from tests.e2e.kit.lab import Lab, conversation
from tests.e2e.kit.session import (
    ASKED,
    PENDING,
    assert_whole,
    backup_in,
    begin,
    next_start,
    work,
    worked,
)

OFFER = "SESSION_BACKUP_PENDING: A previous session backup exists at "
SIGNS = ("memory", ".claude/memory", "SESSION-STATE.md", "session-protocol.json", "onward.toml")
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


def ended(lab: Lab) -> Path:
    return worked(lab)


def killed(lab: Lab) -> Path:
    window = begin(lab)
    transcript = work(lab, window)
    window.kill(signal.SIGKILL)
    window.wait_dead()
    return transcript


@pytest.mark.parametrize("end", [ended, killed])
def test_a_session_in_a_removed_work_tree_is_offered_in_the_main_one(
    lab: Lab, end: Callable[[Lab], Path]
) -> None:
    lab.install("--user")  # a new work tree has only what git has
    main = lab.project
    tree = lab.worktree("refit")
    transcript = end(lab)
    lab.project = main
    lab.wait_quiet()
    lab.git("worktree", "remove", "--force", str(tree))
    request = next_start(lab)
    backup = backup_in(request, lab)
    assert backup.parent == lab.memory("raw")
    assert_whole(backup, transcript)
    assert request.where(ASKED)
    assert not tree.exists(), "nothing of it comes back"


@pytest.mark.parametrize("end", [ended, killed])
def test_a_session_in_a_work_tree_that_is_still_there_is_offered_only_there(
    lab: Lab, end: Callable[[Lab], Path]
) -> None:
    lab.install("--user")
    main = lab.project
    tree = lab.worktree("refit")
    transcript = end(lab)
    lab.project = main
    assert not PENDING.search(next_start(lab).text)
    lab.project = tree
    assert_whole(backup_in(next_start(lab), lab), transcript)


def test_a_link_and_the_folder_that_it_leads_to_are_one_project(lab: Lab) -> None:
    lab.install("--project")
    real = lab.project
    lab.link("dock")
    lab.headless(ASKED)
    lab.project = real
    assert_offered(lab)


def test_a_removed_sub_folder_does_not_hide_the_session_that_began_in_it(lab: Lab) -> None:
    lab.install("--user")
    deck = lab.project / "deck"
    deck.mkdir()
    lab.headless(ASKED, cwd=deck)
    lab.wait_quiet()
    deck.rmdir()
    assert_offered(lab)


@pytest.mark.parametrize("where", ["--project", "--user"])
def test_the_clients_settings_may_lie_elsewhere(lab: Lab, where: str) -> None:
    lab.config = lab.home / "the settings"
    lab.env["CLAUDE_CONFIG_DIR"] = str(lab.config)
    lab.install(where)
    worked(lab)
    assert_offered(lab)
    assert not (lab.home / ".claude" / "settings.json").exists()


def test_nothing_is_written_in_the_home_folder_itself(lab: Lab) -> None:
    lab.install("--user")
    lab.project = lab.home
    transcript = worked(lab)
    assert not PENDING.search(next_start(lab).text)
    assert [name for name in SIGNS if (lab.home / name).exists()] == []
    assert transcript.parent.parent.parent == lab.config
    assert lab.log() == ""


def test_a_session_in_a_project_that_cannot_be_written_is_offered_once_it_can_be(
    lab: Lab,
) -> None:
    lab.install("--project")
    with read_only(lab.project):
        done = lab.headless(ASKED)
        lab.wait_quiet()
    assert (done.code, done.text) == (0, "ok")
    assert not PENDING.search(lab.requests()[-1].text)
    assert lab.pending() == []
    assert len(lab.log().splitlines()) == 1, "one line says what the disk said"
    assert ASKED not in lab.log()
    assert_offered(lab)


def test_a_project_that_never_had_us_stays_as_it_is(lab: Lab) -> None:
    before = sorted(lab.project.rglob("*"))
    lab.headless(ASKED)
    assert sorted(lab.project.rglob("*")) == before
    assert not lab.data.exists()
