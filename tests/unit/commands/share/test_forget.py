"""What is taken back is gone from the remote's ref, and from others with their next pull."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward import sharing
from onward.errors import StorageError
from onward.repo import objects
from onward.storage import locks

if TYPE_CHECKING:
    from tests.unit.commands.share.conftest import Machine


def reachable(bare: Path) -> str:
    """The content of all that a ref below refs/onward leads to."""
    names = subprocess.run(
        ["git", "-C", str(bare), "rev-list", "--objects", "--glob=refs/onward/*"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    oids = "".join(f"{line.split(' ')[0]}\n" for line in names.splitlines())
    said = subprocess.run(
        ["git", "-C", str(bare), "cat-file", "--batch"],
        input=oids.encode(),
        check=True,
        capture_output=True,
    )
    return said.stdout.decode("utf-8", "replace")


def everything(bare: Path) -> str:
    said = subprocess.run(
        ["git", "-C", str(bare), "cat-file", "--batch-all-objects", "--batch"],
        check=True,
        capture_output=True,
    )
    return said.stdout.decode("utf-8", "replace")


def names(machine: Machine) -> list[str]:
    return [row["name"] for row in machine("list", "--json").data]


def shared(desk: Machine, laptop: Machine) -> None:
    desk.writes("fix-login", "The words to forget")
    assert desk("push").code == 0
    desk.writes("fix-logout", "The words to keep")
    assert desk("push").code == laptop("pull").code == 0


def test_no_commit_of_the_remotes_ref_leads_to_it_any_more(
    desk: Machine, laptop: Machine, remote: Path
) -> None:
    shared(desk, laptop)
    assert "The words to forget" in reachable(remote)
    said = desk("forget", "fix-login")
    assert said.code == 0, said.err
    assert said.out.startswith("Taken back from origin: fix-login.")
    assert "The words to forget" not in reachable(remote)
    assert "The words to keep" in reachable(remote)


def test_it_is_gone_here_and_there_after_the_next_pull(desk: Machine, laptop: Machine) -> None:
    shared(desk, laptop)
    desk("forget", "fix-login")
    assert "The words to forget" not in everything(desk.bare)
    assert "The words to forget" in everything(laptop.bare)
    laptop("pull")
    assert names(laptop) == ["fix-logout@desk"]
    assert "The words to forget" not in everything(laptop.bare)
    said = laptop("resume", "fix-login@desk")
    assert said.code == 3
    assert "fix-login@desk was taken back by desk" in said.err


def test_the_file_stays_and_is_pushed_again_only_when_it_says_something_else(
    desk: Machine, remote: Path
) -> None:
    desk.writes("fix-login", "The words to forget")
    desk("push")
    desk("forget", "fix-login")
    assert names(desk) == ["fix-login"]
    assert desk("push").out == "Nothing new for origin.\n"
    assert "The words to forget" not in reachable(remote)
    desk.writes("fix-login", "Other words")
    desk("push")
    assert "Other words" in reachable(remote)


def test_all_takes_everything_back(desk: Machine, laptop: Machine, remote: Path) -> None:
    shared(desk, laptop)
    said = desk("forget", "--all")
    assert said.code == 0, said.err
    text = reachable(remote)
    assert "The words" not in text
    laptop("pull")
    assert names(laptop) == []


def test_after_much_was_taken_back_it_stays_so(
    desk: Machine, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "LARGEST", 900)
    for number in range(9):
        desk.writes(f"fix-login-{number}", "The words to forget")
    desk("push")
    assert "The words to forget" in reachable(remote)
    assert desk("forget", "--all").code == 0
    assert desk("push").out == "Nothing new for origin.\n"
    assert "The words to forget" not in reachable(remote)


def test_a_name_that_was_never_pushed_is_told(desk: Machine) -> None:
    desk.writes("fix-login")
    desk("push")
    said = desk("forget", "fix-logout")
    assert said.code == 3
    assert "nothing named 'fix-logout' was pushed from here" in said.err


def test_another_machines_is_hidden_here_alone_and_stays_hidden(
    desk: Machine, laptop: Machine, remote: Path
) -> None:
    shared(desk, laptop)
    said = laptop("forget", "fix-login@desk")
    assert said.code == 0, said.err
    assert names(laptop) == ["fix-logout@desk"]
    desk.writes("third-thing")
    desk("push")
    laptop("pull")
    assert set(names(laptop)) == {"fix-logout@desk", "third-thing@desk"}
    assert "The words to forget" in reachable(remote)


def test_a_forget_that_did_not_get_through_is_finished_by_the_next_push(
    desk: Machine, remote: Path
) -> None:
    desk.writes("fix-login", "The words to forget")
    desk("push")
    gone = remote.rename(remote.with_name("gone.git"))
    said = desk("forget", "fix-login")
    assert said.code == 8
    assert "taken back here, but not there yet" in said.err
    gone.rename(remote)
    said = desk("push")
    assert said.code == 0
    assert "somebody else" not in said.err
    assert "The words to forget" not in reachable(remote)
    assert "The words to forget" not in everything(desk.bare)


def test_a_forget_that_ended_before_its_push_is_finished_by_the_next_push(
    desk: Machine, remote: Path
) -> None:
    desk.writes("fix-login", "The words to forget")
    desk("push")
    refuse = remote / "hooks" / "update"
    refuse.write_text("#!/bin/sh\nexit 1\n")
    refuse.chmod(0o755)
    said = desk("forget", "fix-login")
    assert said.code == 8
    assert "taken back here, but not there yet" in said.err
    assert "try: onward push" in said.err
    refuse.unlink()
    said = desk("push")
    assert said.code == 0
    assert "somebody else" not in said.err
    assert "The words to forget" not in reachable(remote)


def test_a_pull_that_ended_before_it_tidied_up_is_finished_by_the_next(
    desk: Machine, laptop: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared(desk, laptop)
    desk("forget", "fix-login")

    def killed(*_: object, **__: object) -> None:
        raise StorageError("killed", "")

    with monkeypatch.context() as patch:
        patch.setattr(objects, "tidy", killed)
        assert laptop("pull").code == 6
    assert laptop("pull").code == 0
    assert "The words to forget" not in everything(laptop.bare)


def test_a_record_of_others_is_hidden_only_once_a_pull_under_way_is_over(
    desk: Machine, laptop: Machine
) -> None:
    shared(desk, laptop)
    with locks.hold(laptop.bare.with_suffix(".lock")):
        said = laptop("forget", "fix-login@desk", "--timeout", "1")
    assert said.code == 6
    assert "fix-login@desk" in names(laptop)


def test_neither_a_name_nor_all_is_a_slip(desk: Machine) -> None:
    assert desk("forget").code == 2
    assert desk("forget", "fix-login", "--all").code == 2
