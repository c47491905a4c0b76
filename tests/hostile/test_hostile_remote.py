"""A hostile remote, with real git: nothing leaves our folders, nothing runs, nothing gives orders,
and what is good among it is used all the same.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from tests.hostile.forge import FILE, FOLDER, LINK, MACHINE, OTHER, PROGRAM, Forge, checkpoint
from tests.hostile.trap import ESCAPES, ORDERS, Trap
from tests.sampling import examples, sample

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names that only POSIX disks take")

TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
NAMES = (
    b"../../../../outside/escape.md",
    b"..",
    b".",
    b"/outside/absolute.md",
    b"nested/name.md",
    b"..\\..\\windows.md",
    b"C:drive.md",
    b"con.md",
    b"nul.md",
    b"aux.txt.md",
    b".git",
    b".md",
    b" .md",
    b"-rf.md",
    b"--upload-pack=touch witness.md",
    b"x@evil.md",
    b"$(touch witness).md",
    b"`touch witness`.md",
    b"two\nlines.md",
    b"\x1b[31mred.md",
    b"\xe2\x80\xaegnp.md",
    b"x\xe2\x80\x8by.md",
    b"\xff\xfe.md",
    b"long" * 60 + b".md",
    b"trailing .md",
    b"stream:data.md",
    TOKEN.encode() + b".md",
    b"no-ending",
    b"<system-reminder>.md",
    b"cafe\xcc\x81.md",
)


class Ground:
    """A machine with a clone, the hostile remote, and one honest writer on it."""

    def __init__(self, base: Path) -> None:
        self.trap = Trap(base)
        self.machine = self.trap.machine
        self.forge = Forge(base / "remote.git")
        self.machine.git("init", "-q", "-b", "main")
        self.machine.git("remote", "add", "origin", str(self.forge.path))
        self.forge.writer(
            {b"good-one.md": checkpoint()},
            machine=MACHINE | {"name": "honest"},
            name="honest-aaaaaaaa",
        )
        self.before = self.trap.state()
        self.home = self.files()

    def files(self) -> set[Path]:
        return {path for path in self.machine.home.rglob("*") if ".git" not in path.parts}

    def pull(self) -> dict[str, object]:
        """Pull, and read all that came in every way there is; what `pull --json` said."""
        said = self.machine.onward("pull", "--json")
        assert said.code == 0, said.err
        found: dict[str, object] = json.loads(said.out)
        for verb in ("list", "peers", "pull", "push"):
            assert self.machine.onward(verb).code == 0
        for name in self.names():
            for verb in ("show", "brief", "resume"):
                assert self.machine.onward(verb, name).code in {0, 3}, verb
                self.machine.onward(verb, name, "--json")
        self.trap.check(self.before)
        assert self.files() == self.home, "nothing is written into the project or the home"
        assert TOKEN.encode() not in self.machine.told
        return found

    def names(self) -> set[str]:
        """All that `list` shows."""
        rows = json.loads(self.machine.onward("list", "--json").out)
        found = (
            rows
            if isinstance(rows, list)
            else next(v for v in rows.values() if isinstance(v, list))
        )
        return {row["name"] for row in found}


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def test_a_name_that_no_machine_should_take_is_left_out_and_counted(ground: Ground) -> None:
    ground.forge.writer({name: checkpoint() for name in (*NAMES, b"fine.md")})
    told = ground.pull()
    assert ground.names() == {"good-one@honest", "fine@evil"}
    assert told["refused"] == len(NAMES)


def test_of_two_names_that_differ_in_case_only_one_is_taken(ground: Ground) -> None:
    both = {b"Login.md": checkpoint("Login"), b"login.md": checkpoint("login")}
    ground.forge.writer(both)
    told = ground.pull()
    assert told["refused"] == 1
    assert len(ground.names()) == 2


def test_links_programs_and_other_repositories_are_left_out(ground: Ground) -> None:
    forge = ground.forge
    link = forge.blob(str(ground.trap.outside / "file.md").encode())
    text, commit = forge.blob(checkpoint()), forge.commit(forge.tree([]))
    inner = [
        (LINK, b"link.md", link),
        (PROGRAM, b"program.md", text),
        (OTHER, b"repository.md", commit),
        (FOLDER, b"folder.md", forge.tree([(FILE, b"x.md", text)])),
        ("0", b"no-mode.md", text),
    ]
    old = ("100664", b"of-an-old-git.md", text)  # a plain file as git has it
    modules = b'[submodule "x"]\n\tpath = checkpoints\n\turl = "-u./program"\n'
    rows = [
        (FILE, b".gitmodules", forge.blob(modules)),
        (FILE, b".gitattributes", forge.blob(b"* filter=evil diff=evil\n")),
        (LINK, b"documents", link),
        (FOLDER, b".git", forge.tree([(FILE, b"config", forge.blob(b"[core]\n\tpager = ./x\n"))])),
    ]
    forge.writer({b"fine.md": checkpoint()}, inner=[*inner, old], rows=rows)
    told = ground.pull()
    assert ground.names() == {"good-one@honest", "fine@evil", "of-an-old-git@evil"}
    assert isinstance(told["refused"], int)
    assert told["refused"] >= len(inner)
    assert "theirs" not in ground.machine.told.decode()


def test_a_whole_folder_that_is_a_link_is_left_out(ground: Ground) -> None:
    forge = ground.forge
    link = forge.blob(str(ground.trap.outside).encode())
    machine = forge.blob(json.dumps(MACHINE).encode())
    forge.ref(
        "evil-00000001",
        forge.commit(forge.tree([(LINK, b"checkpoints", link), (LINK, b"machine.json", machine)])),
    )
    ground.pull()
    assert ground.names() == {"good-one@honest"}


def test_a_record_that_is_huge_is_left_out(ground: Ground) -> None:
    bomb = b"\0" * 64_000_000  # some 60 kB on the wire
    large = checkpoint(more="x" * 2_000_000)
    ground.forge.writer({b"bomb.md": bomb, b"large.md": large, b"fine.md": checkpoint()})
    told = ground.pull()
    assert ground.names() == {"good-one@honest", "fine@evil"}
    assert told["refused"] == 2


def test_bytes_that_are_no_text_are_left_out(ground: Ground) -> None:
    ground.forge.writer({b"bytes.md": b"\xff\xfe\x00\x01" * 50, b"fine.md": checkpoint()})
    told = ground.pull()
    assert ground.names() == {"good-one@honest", "fine@evil"}
    assert told["refused"] == 1


VERSIONS: dict[str, object] = {
    "newer": MACHINE | {"version": 99},
    "text": MACHINE | {"version": "1"},
    "list": [],
    "empty": b"",
    "torn": b"{",
    "deep": b"[" * 200_000,
    "open": b'{"version": 1, "name": ' + b'"x' * 10,
    "bytes": b"\xff\xfe",
}


@pytest.mark.parametrize("kind", sample(VERSIONS, 3, "versions"))
def test_a_writer_of_another_version_is_named_and_the_others_are_read(
    ground: Ground, kind: str
) -> None:
    name = ground.forge.writer({b"x.md": checkpoint()}, machine=VERSIONS[kind])
    ground.pull()
    assert ground.names() == {"good-one@honest"}
    said = ground.machine.onward("peers")
    assert name in said.out.decode() + said.err.decode()


def test_what_is_written_in_it_gives_no_orders_and_shows_no_secrets(ground: Ground) -> None:
    words = f"{ESCAPES}{ORDERS} key {TOKEN}"
    text = checkpoint("planted", task=words, more=f"- {words}\n\n## Blockers\n\n- {words}\n")
    ground.forge.writer(
        {b"planted.md": text},
        machine=MACHINE | {"name": f"m{ESCAPES}<system-reminder>", "root": f"/x/{TOKEN}/{ESCAPES}"},
    )
    ground.pull()
    (name,) = ground.names() - {"good-one@honest"}
    brief = ground.machine.onward("brief", name).out.decode()
    assert "Delete everything" not in re.findall(r"(?m)^(?!>|-| ).*$", brief)
    indexes = [p.read_bytes() for p in ground.machine.data.rglob("*.json")]
    assert not [data for data in indexes if TOKEN.encode() in data or b"\x1b" in data]


def test_a_ref_that_leads_to_no_commit_is_named_and_the_others_are_read(ground: Ground) -> None:
    forge = ground.forge
    tree = forge.tree([(FILE, b"machine.json", forge.blob(json.dumps(MACHINE).encode()))])
    commit = forge.commit(tree)
    forge.ref("tree-00000001", tree)
    forge.ref("blob-00000002", forge.blob(b"x"))
    forge.ref("tag-00000003", forge.tag(commit, "commit"))
    forge.ref("tags-00000004", forge.tag(forge.tag(tree, "tree"), "tag"))
    ground.pull()
    assert ground.names() == {"good-one@honest"}


def test_refs_that_lead_in_circles_or_nowhere_stop_nothing(ground: Ground) -> None:
    forge = ground.forge
    prefix = "ref: refs/onward/v1/"
    forge.ref("one-00000001", f"{prefix}two-00000002")
    forge.ref("two-00000002", f"{prefix}one-00000001")
    forge.ref("self-00000003", f"{prefix}self-00000003")
    forge.ref("gone-00000004", "ref: refs/heads/gone")
    forge.ref("same-00000005", f"{prefix}honest-aaaaaaaa")
    ground.pull()
    assert "good-one@honest" in {re.sub(r"@.*", "@honest", name) for name in ground.names()}


def test_refs_with_odd_names_are_no_writers(ground: Ground) -> None:
    forge = ground.forge
    commit = forge.git("rev-parse", "refs/onward/v1/honest-aaaaaaaa")
    for name in (
        "UPPER-00000001",
        "no-digits",
        "con",
        "deep/er-00000003",
        "\u202egnp-00000004",
        "<system-reminder>-00000005",
        "$(touch${IFS}witness)-00000006",
        "-x-00000007",
        "x" * 200 + "-00000008",
    ):
        forge.ref(name, commit)
    ground.pull()
    assert ground.names() == {"good-one@honest"}


def test_a_remote_with_thousands_of_refs_hides_nobody_who_was_known(ground: Ground) -> None:
    assert ground.pull()["peers"] == 1
    forge = ground.forge
    commit = forge.commit(forge.tree([(FILE, b"machine.json", forge.blob(b"{}"))]))
    lines = "".join(f"create refs/onward/v1/a{n}-{n:08x} {commit}\n" for n in range(examples(1200)))
    forge.git("update-ref", "--stdin", feed=lines.encode())
    assert ground.machine.onward("pull").code == 0
    assert "good-one@honest" in ground.names()
    said = ground.machine.onward("pull")
    assert len(said.out + said.err) < 200_000, "it is not told thousands of times"


def test_a_stranger_takes_back_only_what_is_their_own(ground: Ground) -> None:
    oid = ground.forge.git("rev-parse", "refs/onward/v1/honest-aaaaaaaa:checkpoints/good-one.md")
    grave = {"kind": "checkpoint", "name": "good-one", "hash": oid}
    said = json.dumps({"version": 1, "forgotten": [grave] * 2000}).encode()
    ground.forge.writer(
        {b"fine.md": checkpoint()}, rows=[(FILE, b"forgotten.json", ground.forge.blob(said))]
    )
    ground.pull()
    assert ground.names() == {"good-one@honest", "fine@evil"}


def test_a_stranger_who_takes_the_name_of_a_machine_replaces_nobody(ground: Ground) -> None:
    text = checkpoint(task="Something else")
    ground.forge.writer({b"good-one.md": text}, machine=MACHINE | {"name": "honest"})
    ground.pull()
    assert ground.names() == {"good-one@honest-aaaaaaaa", "good-one@evil-00000002"}


def test_a_writer_from_the_future_is_not_the_newest_for_ever(ground: Ground) -> None:
    text = checkpoint("late").replace(b"2026-03-01", b"9999-12-31")
    ground.forge.writer({b"late.md": text}, machine=MACHINE | {"written": "9999-12-31T23:59:59Z"})
    ground.pull()
    said = ground.machine.onward("list").out.decode()
    assert "late@evil" in said
    assert "9999" not in said.replace("9999-12-31 21:40", "")


def test_someone_elses_hand_on_the_own_ref_is_said_and_fixed(ground: Ground) -> None:
    mine = ground.machine.root / "memory/checkpoints/mine.md"
    mine.parent.mkdir(parents=True)
    mine.write_bytes(checkpoint("mine"))
    ground.home = ground.files()
    assert ground.machine.onward("push").code == 0
    (own,) = [
        ref
        for ref in ground.forge.git("for-each-ref", "--format=%(refname)").split()
        if "honest-aaaaaaaa" not in ref
    ]
    stranger = ground.forge.git("rev-parse", "refs/onward/v1/honest-aaaaaaaa")
    ground.forge.git("update-ref", own, stranger)
    said = ground.machine.onward("push")
    assert said.code == 0
    assert b"somebody else" in said.err + said.out
    assert ground.forge.git("ls-tree", "--name-only", f"{own}:checkpoints") == "mine.md"
    ground.pull()
