"""Trees read strictly, and what all writers hold together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onward import sharing
from onward.sharing import Held, Machine, Peer, Tombstone

OID = bytes(range(20))


def entry(mode: bytes, name: bytes) -> bytes:
    return mode + b" " + name + b"\0" + OID


def test_only_plain_files_and_folders_are_of_a_kind() -> None:
    modes = [b"100644", b"40000", b"120000", b"160000", b"100755", b"100600", b"0100644"]
    data = b"".join(entry(mode, b"n%d" % n) for n, mode in enumerate(modes))
    kinds = [each.kind for each in sharing.entries(data, 20)]
    assert kinds == ["file", "folder", "", "", "", "", ""]


def test_a_broken_tree_ends_where_it_is_broken() -> None:
    good = entry(b"100644", b"a.md")
    assert [each.name for each in sharing.entries(good + good[:-3], 20)] == [b"a.md"]
    assert [each.name for each in sharing.entries(good + b"no blank at all", 20)] == [b"a.md"]


@given(st.binary(max_size=300))
def test_no_bytes_are_too_odd_for_it(data: bytes) -> None:
    assert len(list(sharing.entries(data, 20))) <= len(data)


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
