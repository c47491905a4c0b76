"""Records for recipients: names and words are for their machines alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyrage
import pytest

if TYPE_CHECKING:
    from tests.unit.commands.share.conftest import Machine

SECRET = "The words for two machines"


def everything(bare: Path) -> str:
    said = subprocess.run(
        ["git", "-C", str(bare), "cat-file", "--batch-all-objects", "--batch"],
        check=True,
        capture_output=True,
    )
    return said.stdout.decode("utf-8", "replace")


def reachable(bare: Path) -> str:
    return subprocess.run(
        ["git", "-C", str(bare), "rev-list", "--objects", "--glob=refs/onward/*"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def identity(machine: Machine) -> str:
    """Gives a machine a key of its own; returns what others encrypt to."""
    key = pyrage.x25519.Identity.generate()
    path = machine.home / "key.txt"
    path.write_text(f"# created: today\n# public key: {key.to_public()}\n{key}\n")
    machine.git("config", "onward.identity", "~/key.txt")
    return str(key.to_public())


def test_a_machine_with_the_key_reads_it_as_any_other(
    desk: Machine, laptop: Machine, remote: Path
) -> None:
    desk.git("config", "--add", "onward.recipient", identity(laptop))
    desk.writes("fix-login", SECRET)
    said = desk("push")
    assert said.code == 0, said.err
    assert "1 record new or changed" in said.out
    laptop("pull")
    assert [row["name"] for row in laptop("list", "--json").data] == ["fix-login@desk"]
    assert SECRET in laptop("show", "fix-login@desk").out
    text = everything(remote)
    assert SECRET not in text
    assert "fix-login" not in text
    assert "code/shop" not in text


def test_a_machine_without_it_sees_only_how_many_there_are(desk: Machine, laptop: Machine) -> None:
    desk.git("config", "onward.recipient", identity(desk))
    desk.writes("fix-login", SECRET)
    desk.writes("fix-logout", SECRET)
    desk("push")
    said = laptop("pull")
    assert said.code == 0
    assert "2 encrypted records" in said.err
    assert "git config onward.identity" in said.err
    listed = laptop("list")
    assert listed.out == ""
    assert "2 encrypted records of desk" in listed.err
    (row,) = [row for row in laptop("peers", "--json").data if not row["own"]]
    assert (row["checkpoints"], row["encrypted"]) == (0, 2)


def test_a_key_that_comes_later_opens_what_was_pulled_before(
    desk: Machine, laptop: Machine
) -> None:
    desk.git("config", "onward.recipient", identity(laptop))
    laptop.git("config", "--unset", "onward.identity")
    desk.writes("fix-login", SECRET)
    desk("push")
    laptop("pull")
    assert laptop("list", "--json").data == []
    laptop.git("config", "onward.identity", "~/key.txt")
    laptop("pull")
    assert [row["name"] for row in laptop("list", "--json").data] == ["fix-login@desk"]


def test_where_nothing_changed_nothing_is_encrypted_again(desk: Machine, remote: Path) -> None:
    desk.git("config", "onward.recipient", identity(desk))
    desk.writes("fix-login", SECRET)
    desk("push")
    before = reachable(remote)
    assert desk("push").out == "Nothing new for origin.\n"
    assert reachable(remote) == before


def test_another_recipient_encrypts_all_of_it_again(desk: Machine, laptop: Machine) -> None:
    desk.git("config", "onward.recipient", identity(desk))
    desk.writes("fix-login", SECRET)
    desk("push")
    desk.git("config", "--add", "onward.recipient", identity(laptop))
    assert "1 record" in desk("push").out
    laptop("pull")
    assert "fix-login@desk" in laptop("list").out


def test_what_was_pushed_in_the_open_before_is_out_of_the_remotes_ref(
    desk: Machine, remote: Path
) -> None:
    desk.writes("fix-login", SECRET)
    desk("push")
    assert "fix-login" in reachable(remote)
    desk.git("config", "onward.recipient", identity(desk))
    desk("push")
    assert "fix-login" not in reachable(remote)


def test_it_is_taken_back_like_any_other(desk: Machine, laptop: Machine, remote: Path) -> None:
    desk.git("config", "onward.recipient", identity(laptop))
    desk.writes("fix-login", SECRET)
    desk.writes("fix-logout", SECRET)
    desk("push")
    before = reachable(remote)
    said = desk("forget", "fix-login")
    assert said.code == 0, said.err
    assert before.count(".age") - reachable(remote).count(".age") == 1
    assert "fix-login" not in everything(remote)
    assert desk("push").out == "Nothing new for origin.\n"
    laptop("pull")
    assert [row["name"] for row in laptop("list", "--json").data] == ["fix-logout@desk"]


def test_nothing_goes_in_the_open_where_it_cannot_be_encrypted(
    desk: Machine, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.git("config", "onward.recipient", identity(desk))
    desk.writes("fix-login", SECRET)
    monkeypatch.setitem(sys.modules, "pyrage", None)
    said = desk("push")
    assert said.code == 5
    assert "pip install 'onward[encrypt]'" in said.err
    assert reachable(remote) == ""


def test_a_recipient_that_is_none_is_told(desk: Machine, remote: Path) -> None:
    desk.git("config", "onward.recipient", "age1nobody")
    desk.writes("fix-login", SECRET)
    said = desk("push")
    assert said.code == 4
    assert "onward.recipient" in said.err
    assert reachable(remote) == ""


def test_a_key_that_cannot_be_read_is_told(desk: Machine, laptop: Machine) -> None:
    desk.git("config", "onward.recipient", identity(desk))
    desk.writes("fix-login", SECRET)
    desk("push")
    (laptop.home / "key.txt").write_text("no key\n")
    laptop.git("config", "onward.identity", "~/key.txt")
    said = laptop("pull")
    assert said.code == 4
    assert "holds no key that age knows" in said.err
