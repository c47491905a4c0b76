"""What one machine pushed another one sees, and nothing of the user's is touched."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.share.conftest import Machine


def refs(bare: Path) -> dict[str, str]:
    said = subprocess.run(
        ["git", "-C", str(bare), "for-each-ref", "--format=%(refname) %(objectname)"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return dict(line.split(" ") for line in said.splitlines())


def tree(bare: Path, ref: str) -> list[str]:
    return subprocess.run(
        ["git", "-C", str(bare), "ls-tree", "-r", "--name-only", ref],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()


def shared(bare: Path) -> dict[str, str]:
    return {name: oid for name, oid in refs(bare).items() if name.startswith("refs/onward/")}


def everything(bare: Path) -> str:
    """All objects of a repository, as text."""
    said = subprocess.run(
        ["git", "-C", str(bare), "cat-file", "--batch-all-objects", "--batch"],
        check=True,
        capture_output=True,
    )
    return said.stdout.decode("utf-8", "replace")


def test_a_push_makes_one_ref_of_this_machine_with_its_records(desk: Machine, remote: Path) -> None:
    desk.writes("fix-login")
    said = desk("push")
    assert said.code == 0, said.err
    ((name, commit),) = shared(remote).items()
    assert name.startswith("refs/onward/v1/desk-")
    assert tree(remote, commit) == ["checkpoints/fix-login.md", "machine.json"]
    assert said.out == "Pushed to origin as desk: 1 record new or changed.\n"


def test_where_nothing_changed_nothing_is_pushed(desk: Machine, remote: Path) -> None:
    desk.writes("fix-login")
    desk("push")
    before = shared(remote)
    said = desk("push")
    assert (said.code, said.out) == (0, "Nothing new for origin.\n")
    assert shared(remote) == before


def test_each_push_is_one_commit_on_top_of_the_last(desk: Machine, remote: Path) -> None:
    for number in range(3):
        desk.writes("fix-login", f"Add login number {number}")
        assert desk("push").code == 0
    ((name, _),) = shared(remote).items()
    said = subprocess.run(
        ["git", "-C", str(remote), "log", "--format=%an %ae %cn %s", name],
        check=True,
        capture_output=True,
        text=True,
    )
    assert said.stdout.splitlines() == ["onward onward@localhost onward onward"] * 3


def test_nothing_of_the_persons_is_touched(desk: Machine) -> None:
    desk.writes("fix-login")
    hook = desk.root / ".git/hooks/pre-push"
    hook.write_text("#!/bin/sh\ntouch ran\nexit 1\n")
    hook.chmod(0o755)
    look = ("for-each-ref", "status --porcelain", "config --list --local", "count-objects -v")
    before = [desk.git(*words.split()) for words in look]
    assert desk("push").code == desk("pull").code == 0
    assert [desk.git(*words.split()) for words in look] == before
    assert not (desk.root / "ran").exists()
    assert "onward" not in desk.git("log", "--all", "--format=%an %D")


def test_the_persons_own_push_takes_nothing_of_it_along(desk: Machine, tmp_path: Path) -> None:
    desk.writes("fix-login")
    desk("push")
    mirror = tmp_path / "mirror.git"
    desk.git("init", "-q", "--bare", str(mirror))
    desk.git("push", "-q", "--mirror", str(mirror))
    assert shared(mirror) == {}


def test_no_name_address_or_secret_leaves_the_machine(desk: Machine, remote: Path) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    desk.writes("fix-login", f"Ask maria@example.org for {key}")
    assert desk("push").code == 0
    text = everything(remote)
    assert "fix-login" in text
    assert "[REDACTED:" in text
    for word in (key, "desk-user"):
        assert word not in text
    ours = text[text.index("Checkpoint: fix-login") :]
    assert "maria@example.org" not in ours.split("tree ")[0]


def test_another_machine_lists_it_with_its_machine_and_age(desk: Machine, laptop: Machine) -> None:
    desk.writes("fix-login", "Add a login with JWT")
    desk("push")
    laptop.writes("other-work", "Write the docs")
    said = laptop("pull")
    assert said.code == 0, said.err
    assert said.out == "Pulled from origin: 1 machine, 1 record.\n- desk: 1 record\n"
    listed = laptop("list")
    assert "fix-login@desk" in listed.out
    assert "Add a login with JWT" in listed.out
    assert "other-work " in listed.out
    rows = laptop("list", "--json").data
    assert {row["name"] for row in rows} == {"fix-login@desk", "other-work"}


def test_a_name_that_two_machines_hold_is_listed_twice_the_newest_first(
    desk: Machine, laptop: Machine
) -> None:
    desk.writes("fix-login", "The older one", created="2026-02-01 10:00 GMT")
    desk("push")
    laptop.writes("fix-login", "The newer one")
    laptop("pull")
    names = [row["name"] for row in laptop("list", "--json").data]
    assert names == ["fix-login", "fix-login@desk"]


def test_a_second_pull_with_nothing_new_says_so(desk: Machine, laptop: Machine) -> None:
    desk.writes("fix-login")
    desk("push")
    laptop("pull")
    assert laptop("pull").out == "Nothing new on origin.\n"


def test_what_was_deleted_there_goes_here_with_the_next_push_and_pull(
    desk: Machine, laptop: Machine
) -> None:
    desk.writes("fix-login").with_name("fix-logout.md")
    page = desk.writes("fix-logout")
    desk("push")
    laptop("pull")
    page.unlink()
    assert desk("push").out == "Pushed to origin as desk: 0 records new or changed, 1 removed.\n"
    laptop("pull")
    assert [row["name"] for row in laptop("list", "--json").data] == ["fix-login@desk"]


def test_another_machines_checkpoint_is_resumed_with_the_paths_of_this_clone(
    desk: Machine, laptop: Machine
) -> None:
    desk.writes("fix-login", "Add a login with JWT")
    desk("push")
    laptop("pull")
    said = laptop("resume", "fix-login@desk", "--yes")
    assert said.code == 0, said.err
    assert "Add a login with JWT" in said.out
    assert "Continue with: Run `pytest ~/code/shop/tests/test_auth.py`" in said.out
    assert "it was saved on desk and stays there" in said.err


@pytest.mark.parametrize("verb", ["show", "brief"])
def test_another_machines_checkpoint_is_shown(verb: str, desk: Machine, laptop: Machine) -> None:
    desk.writes("fix-login", "Add a login with JWT")
    desk("push")
    laptop("pull")
    said = laptop(verb, "fix-login@desk")
    assert said.code == 0, said.err
    assert "Add a login with JWT" in said.out


def test_a_no_to_another_machines_checkpoint_deletes_nothing(
    desk: Machine, laptop: Machine, remote: Path
) -> None:
    desk.writes("fix-login")
    desk("push")
    laptop("pull")
    before = shared(remote)
    said = laptop("resume", "fix-login@desk", "--no")
    assert said.code == 5
    assert "stays there; nothing was deleted" in said.err
    assert "try: onward forget fix-login@desk" in said.err
    assert shared(remote) == before


@pytest.mark.parametrize(
    ("verb", "hint"),
    [("delete", "onward forget fix-login@desk"), ("check", "onward show fix-login@desk")],
)
def test_what_is_for_own_files_says_what_to_type_for_another_machines(
    verb: str, hint: str, desk: Machine, laptop: Machine
) -> None:
    desk.writes("fix-login")
    desk("push")
    laptop("pull")
    said = laptop(verb, "fix-login@desk")
    assert said.code in {3, 5}
    assert f"try: {hint}\n" in said.err


def test_in_a_client_nobody_is_told_that_no_deletes_another_machines(
    desk: Machine, laptop: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.writes("fix-login", "Add a login with JWT")
    laptop.writes("other-work")
    desk("push")
    laptop("pull")
    for name, told in (("fix-login@desk", False), ("other-work", True)):
        given = io.TextIOWrapper(io.BytesIO(f"resume {name}".encode()))
        monkeypatch.setattr(sys, "stdin", given)
        said = laptop("slash", "checkpoint")
        assert "Ready to continue? (yes/no)" in said.out
        assert ("no puts the checkpoint in the trash" in said.out) is told


def test_a_name_that_only_another_machine_has_is_offered(desk: Machine, laptop: Machine) -> None:
    desk.writes("fix-login")
    desk("push")
    laptop("pull")
    said = laptop("resume", "fix-login")
    assert said.code == 3
    assert "try: onward resume fix-login@desk" in said.err


def test_a_machine_that_nobody_knows_is_told(desk: Machine, laptop: Machine) -> None:
    said = laptop("resume", "fix-login@desk")
    assert said.code == 3
    assert "try: onward pull" in said.err


def test_session_documents_and_the_protocol_file_go_too(desk: Machine, laptop: Machine) -> None:
    memory = desk.root / ".claude/memory"
    memory.mkdir(parents=True)
    (memory / "session-2026-03-01-1340.md").write_text(
        "---\nstatus: in-progress\n---\n# Session: x\n\n## Summary\nFix the gate\n"
    )
    (desk.root / "session-protocol.json").write_text(
        '{"metadata": {"created": "2026-03-01T13:40:00Z", "branch": "main"},'
        ' "tasks": [{"id": "TASK_001", "title": "Paint it", "status": "pending"}], "context_blocks": []}'
    )
    assert desk("push").code == 0
    assert laptop("pull").out.splitlines()[-1] == "- desk: 2 records"
    assert "Fix the gate" in laptop("show", "session-2026-03-01-1340@desk").out
    assert "Paint it" in laptop("show", "protocol@desk").out


def test_transcripts_never_go(desk: Machine, remote: Path) -> None:
    raw = desk.root / ".claude/memory/raw"
    raw.mkdir(parents=True)
    (raw / "transcript.jsonl").write_text('{"verbatim": "words"}\n')
    desk.writes("fix-login")
    desk("push")
    assert "verbatim" not in everything(remote)


def test_a_saved_session_is_the_same_on_the_other_machine(desk: Machine, laptop: Machine) -> None:
    desk.writes("fix-login", "Add a login with JWT")
    desk("push")
    laptop("pull")
    here = desk("show", "fix-login", "--json").data
    there = laptop("show", "fix-login@desk", "--json").data
    assert there["task"] == here["task"]
    assert there["next_action"]["text"] == "Run `pytest ~/code/shop/tests/test_auth.py`"
