"""Trees read strictly, and what all writers hold together."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward import sharing
from onward.repo import objects
from onward.sharing import Held, Machine, Peer, Tombstone


def entry(mode: bytes, name: bytes, oid: bytes) -> bytes:
    return mode + b" " + name + b"\0" + oid


@pytest.mark.parametrize("odd", [b"", b"no blank at all", b"100644 b.md\0short"])
def test_a_broken_tree_ends_where_it_is_broken(odd: bytes, tmp_path: Path) -> None:
    bare = objects.Bare(tmp_path / "x.git")
    objects.prepare(bare)
    git = ["git", f"--git-dir={bare.folder}", "hash-object", "-w", "--stdin"]
    blob = subprocess.run(git, input=b"x", check=True, capture_output=True).stdout.decode().strip()
    data = entry(b"100644", b"a.md", bytes.fromhex(blob)) + odd
    words = [*git, "-t", "tree", "--literally"]
    tree = subprocess.run(words, input=data, check=True, capture_output=True).stdout.decode()
    names = [name for _, name, _ in objects.listed(bare, tree.strip())]
    assert names == ["a.md"] or (odd and not names)


@given(st.binary(max_size=200))
def test_no_bytes_are_too_odd_for_the_files_about_a_writer(data: bytes) -> None:
    sharing.machine(data)
    sharing.graves(data)


def test_bytes_that_are_no_text_say_nothing_of_a_writer() -> None:
    assert sharing.machine(b'{"version": 1, "name": "\xed\xa0\x80"}') is None
    assert (
        sharing.graves(b'{"forgotten": [{"kind": "checkpoint", "name": "\xff", "hash": "x"}]}')
        == ()
    )


def test_a_version_that_is_not_known_is_not_read() -> None:
    made = sharing.encode(Machine(version=1, name="desk"))
    assert sharing.machine(made) == Machine(version=1, name="desk")
    assert sharing.machine(sharing.encode(Machine(version=2, name="desk"))) is None


def test_a_path_and_its_record_say_the_same() -> None:
    for kind, name in (
        ("checkpoint", "fix-login"),
        ("document", "session-1"),
        ("protocol", "protocol"),
    ):
        assert sharing.parse_path(sharing.path(kind, name)) == (kind, name)  # type: ignore[arg-type]
    for path in ("machine.json", "checkpoints/a.txt", "other/a.md", "a/b/c.md"):
        assert sharing.parse_path(path) is None


def peer(writer: str, machine: str, *held: Held, written: str = "2026-03-01T00:00:00Z") -> Peer:
    return Peer(writer=writer, machine=machine, remote="r", commit="c", written=written, held=held)


def held(name: str, saved: str = "2026-03-01T00:00:00Z", oid: str = "1") -> Held:
    return Held(kind="checkpoint", name=name, oid=oid, saved=saved)


def index(*peers: Peer, hidden: tuple[tuple[str, Tombstone], ...] = ()) -> sharing.Index:
    return sharing.index(sharing.Index(own="me", peers=peers, hidden=hidden))


def test_a_name_that_several_machines_hold_is_lost_on_none() -> None:
    made = index(
        peer("a-1", "desk", held("x", "2026-01-01T00:00:00Z")),
        peer("b-2", "laptop", held("x", "2026-02-01T00:00:00Z")),
    )
    assert sharing.addresses(made) == ["x@laptop", "x@desk"]


def test_a_writer_on_two_remotes_counts_once_as_it_wrote_last() -> None:
    old = peer("a-1", "desk", held("old"), written="2026-01-01T00:00:00Z")
    new = peer("a-1", "desk", held("new"))
    assert sharing.addresses(index(new, old)) == ["new@desk"]


def test_machines_of_one_name_are_called_by_their_writers() -> None:
    made = index(peer("a-1", "Desk", held("x")), peer("b-2", "desk", held("y")))
    assert sorted(sharing.addresses(made)) == ["x@a-1", "y@b-2"]
    assert [each.writer for each, _ in sharing.find(made, "x", "DESK")] == ["a-1"]


def test_a_machine_that_shows_another_ones_writer_as_its_name_is_not_taken_for_it() -> None:
    made = index(peer("a-1", "desk", held("x")), peer("b-2", "a-1", held("x"), held("y")))
    assert sorted(sharing.addresses(made)) == ["x@b-2", "x@desk", "y@b-2"]
    assert [each.writer for each, _ in sharing.find(made, "x", "a-1")] == ["a-1"]
    assert sharing.find(made, "y", "a-1") == []


def test_what_is_hidden_stays_so_until_it_says_something_else() -> None:
    grave = ("a-1", held("x", oid="1").grave)
    assert sharing.addresses(index(peer("a-1", "desk", held("x", oid="1")), hidden=(grave,))) == []
    assert sharing.addresses(index(peer("a-1", "desk", held("x", oid="2")), hidden=(grave,))) == [
        "x@desk"
    ]
