"""Whoever can push to the remote can move this machine's ref: nothing of theirs is gone on from."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.share.conftest import Machine

LINK, FILE = "120000", "100644"


@dataclass(frozen=True)
class Hand:
    """A stranger at the remote that holds one writer's ref."""

    remote: Path

    def git(self, *words: str, feed: str = "") -> str:
        done = subprocess.run(
            ["git", "-C", str(self.remote), *words],
            env=os.environ | {"GIT_TERMINAL_PROMPT": "0"},
            input=feed,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    @property
    def ref(self) -> str:
        return self.git("for-each-ref", "--format=%(refname)", "refs/onward/v1")

    @property
    def files(self) -> dict[str, tuple[str, str]]:
        """Mode and blob of each path of the ref."""
        rows = (line.split("\0") for line in self._rows())
        return {path: (mode, oid) for mode, oid, path in rows}

    def _rows(self) -> list[str]:
        said = self.git(
            "ls-tree", "-r", "--format=%(objectmode)%x00%(objectname)%x00%(path)", "-z", self.ref
        )
        words = [word for word in said.split("\0") if word]
        return ["\0".join(words[at : at + 3]) for at in range(0, len(words), 3)]

    def blob(self, text: str) -> str:
        return self.git("hash-object", "-w", "--stdin", feed=text)

    def adds(self, path: str, mode: str, oid: str) -> None:
        """A commit of theirs on top of the ref; `path` as fast-import takes it."""
        self.git(
            "fast-import",
            "--quiet",
            feed=f"commit {self.ref}\ncommitter E <e@x> 1790000000 +0000\ndata 1\nx\n"
            f"from {self.git('rev-parse', self.ref)}\nM {mode} {oid} {path}\n",
        )


@pytest.fixture
def hand(desk: Machine, remote: Path) -> Hand:
    """The desk has pushed one checkpoint."""
    desk.writes("fix-login")
    assert desk("push").code == 0
    return Hand(remote)


def test_what_a_stranger_takes_back_in_this_machines_name_is_there_again(
    desk: Machine, hand: Hand
) -> None:
    _, oid = hand.files["checkpoints/fix-login.md"]
    grave = {"kind": "checkpoint", "name": "fix-login", "hash": oid}
    said = json.dumps({"version": 1, "forgotten": [grave]})
    hand.adds("forgotten.json", FILE, hand.blob(said))
    hand.adds("checkpoints/fix-login.md", FILE, hand.blob("their words"))
    told = desk("push")
    assert "made by somebody else" in told.err
    assert hand.files["checkpoints/fix-login.md"] == (FILE, oid)
    assert "forgotten.json" not in hand.files


def test_a_record_that_a_stranger_made_a_link_is_a_file_again(desk: Machine, hand: Hand) -> None:
    _, oid = hand.files["checkpoints/fix-login.md"]
    hand.adds("checkpoints/fix-login.md", LINK, oid)
    assert "made by somebody else" in desk("push").err
    assert hand.files["checkpoints/fix-login.md"] == (FILE, oid)


@pytest.mark.parametrize("lost", [False, True])
def test_a_strangers_path_gives_git_no_orders(lost: bool, desk: Machine, hand: Hand) -> None:
    order = f'"a\\nreset refs/onward/planted\\nfrom {hand.git("rev-parse", hand.ref)}\\n"'
    hand.adds(order, FILE, hand.blob("x"))
    if lost:
        shutil.rmtree(desk.bare)
    assert desk("push").code == 0
    refs = subprocess.run(
        ["git", "-C", str(desk.bare), "for-each-ref"], check=True, capture_output=True, text=True
    ).stdout
    assert "planted" not in refs
    assert sorted(hand.files) == ["checkpoints/fix-login.md", "machine.json"]


def blob(hand: Hand) -> str:
    return hand.blob("x")


def tag(hand: Hand) -> str:
    said = f"object {hand.git('rev-parse', hand.ref)}\ntype commit\ntag x\ntagger E <e@x> 1 +0000\n\nx\n"
    return hand.git("mktag", feed=said)


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("make", [blob, tag])
def test_a_ref_that_leads_to_no_commit_is_set_right(
    make: Callable[[Hand], str], lost: bool, desk: Machine, hand: Hand
) -> None:
    hand.git("update-ref", hand.ref, make(hand))
    if lost:
        shutil.rmtree(desk.bare)
    said = desk("push")
    assert said.code == 0, said.err
    assert hand.git("cat-file", "-t", hand.ref) == "commit"
    assert "checkpoints/fix-login.md" in hand.files


def test_what_a_stranger_says_was_taken_back_is_kept_only_as_names_that_can_be_shown(
    laptop: Machine, hand: Hand
) -> None:
    key = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    names = [key, f"{key}\x1b[31m", "fix-logout"]
    graves = [{"kind": "checkpoint", "name": name, "hash": key} for name in names]
    said = json.dumps({"version": 1, "forgotten": graves})
    hand.adds("forgotten.json", FILE, hand.blob(said))
    assert laptop("pull").code == 0
    (index,) = (laptop.data / "share").glob("*.json")
    assert key not in index.read_text()
    assert "fix-logout@desk was taken back by desk" in laptop("show", "fix-logout@desk").err


def test_what_was_taken_back_stays_so_where_the_copy_here_was_lost(
    desk: Machine, hand: Hand
) -> None:
    desk("forget", "fix-login")
    desk.writes("fix-logout")
    shutil.rmtree(desk.bare)
    assert desk("push").code == 0
    assert sorted(hand.files) == ["checkpoints/fix-logout.md", "forgotten.json", "machine.json"]


def test_where_the_copy_here_and_all_checkpoints_are_gone_the_next_push_takes_them_out(
    desk: Machine, hand: Hand
) -> None:
    shutil.rmtree(desk.bare)
    (desk.root / "memory/checkpoints/fix-login.md").unlink()
    assert desk("push").code == 0
    assert sorted(hand.files) == ["machine.json"]


@pytest.mark.parametrize("where", ["below", "above"])
def test_a_ref_that_leaves_no_room_for_the_own_one_is_named_with_what_removes_it(
    where: str, desk: Machine, remote: Path
) -> None:
    hand = Hand(remote)
    desk.writes("fix-login")
    desk("push")
    own = hand.ref
    odd = f"{own}/it's;x" if where == "below" else "refs/onward/v1"
    hand.git("update-ref", "-d", own)
    hand.git("update-ref", odd, "refs/heads/main")
    desk.writes("fix-logout")
    said = desk("push")
    assert said.code == 8
    assert "leaves no room for this machine's" in said.err
    (typed,) = [line for line in said.err.splitlines() if "git push" in line]
    desk.git(*shlex.split(typed.partition("git ")[2]))
    assert desk("push").code == 0
    assert hand.ref == own
