"""What is so and what to type, where a remote does not do it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward.cli import main
from onward.repo import remote as remotes

if TYPE_CHECKING:
    from tests.unit.commands.share.conftest import Machine, Machines


def test_outside_of_a_repository(desk: Machine, tmp_path: Path) -> None:
    desk.enter()
    plain = tmp_path / "plain"
    plain.mkdir()
    desk.patch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))

    desk.patch.chdir(plain)
    assert main(["push"]) == 3
    assert "try: git init" in desk.capsys.readouterr().err


def test_without_a_remote(desk: Machine) -> None:
    desk.git("remote", "remove", "origin")
    said = desk("push")
    assert said.code == 3
    assert "no remote to share through" in said.err
    assert "try: git remote add origin ADDRESS" in said.err


def test_which_remote_to_forget_at_is_told_as_its_option(desk: Machine) -> None:
    desk.git("remote", "remove", "origin")
    assert "try: onward forget NAME --remote ADDRESS\n" in desk("forget", "--all").err
    for name in ("hub", "spare"):
        desk.git("remote", "add", name, "https://example.org/x.git")
    assert "try: onward forget NAME --remote spare\n" in desk("forget", "fix-login").err
    assert "try: onward push spare\n" in desk("push").err


def test_a_remote_of_another_name(desk: Machine) -> None:
    said = desk("push", "upstream")
    assert said.code == 3
    assert "no remote named 'upstream'" in said.err
    assert "try: git remote -v" in said.err


def test_the_only_remote_is_taken_whatever_it_is_called(desk: Machine) -> None:
    desk.git("remote", "rename", "origin", "hub")
    desk.writes("fix-login")
    assert desk("push").out.startswith("Pushed to hub as desk")


def test_a_remote_that_is_gone(desk: Machine, remote: Path) -> None:
    desk.writes("fix-login")
    remote.rename(remote.with_name("away.git"))
    said = desk("push")
    assert said.code == 8
    assert "the remote origin cannot be reached, or is no git repository" in said.err
    assert "try: git fetch origin" in said.err
    assert desk("list", "--json").data[0]["name"] == "fix-login"


def test_a_server_that_takes_no_refs_but_branches(desk: Machine, remote: Path) -> None:
    subprocess.run(
        ["git", "-C", str(remote), "config", "transfer.hideRefs", "refs/onward"], check=True
    )
    desk.writes("fix-login")
    said = desk("push")
    assert said.code == 8
    assert "takes no refs but branches and tags" in said.err
    assert "git config onward.remote ANOTHER-REMOTE" in said.err


def test_a_remote_that_does_not_answer(desk: Machine, tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 600\n")
    slow.chmod(0o755)
    desk.git("config", "core.sshCommand", str(slow))
    desk.git("remote", "set-url", "origin", "ssh://nobody@127.0.0.1/shop.git")
    said = desk("push", "--timeout", "1")
    assert said.code == 8
    assert "did not answer within 1 s" in said.err
    assert "try: onward push --timeout 5" in said.err


def test_a_remote_that_sends_without_end_is_left(
    desk: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.writes("fix-login")
    desk("push")
    monkeypatch.setattr(remotes, "_GROWTH", 100_000)
    endless = tmp_path / "endless"
    pack = desk.bare / "objects/pack"
    endless.write_text(
        f"#!/bin/sh\nmkdir -p {pack}\nhead -c 200000 /dev/zero > {pack}/tmp_pack_x\nexec sleep 600\n"
    )
    endless.chmod(0o755)
    desk.git("config", "remote.origin.uploadpack", str(endless))
    said = desk("pull")
    assert said.code == 8
    assert "for onward: that is not ours" in said.err
    desk.git("config", "--unset", "remote.origin.uploadpack")
    assert desk("pull").code == 0
    assert not (pack / "tmp_pack_x").exists()


def test_a_remote_that_lets_nobody_in(desk: Machine, tmp_path: Path) -> None:
    shut = tmp_path / "shut"
    shut.write_text("#!/bin/sh\necho 'git@host: Permission denied (publickey).' >&2\nexit 255\n")
    shut.chmod(0o755)
    desk.git("config", "core.sshCommand", str(shut))
    desk.git("remote", "set-url", "origin", "ssh://nobody@127.0.0.1/shop.git")
    said = desk("pull")
    assert said.code == 8
    assert "the remote origin does not let you in" in said.err


def test_a_remote_that_lost_this_machines_ref_gets_it_again(desk: Machine, remote: Path) -> None:
    desk.writes("fix-login")
    desk("push")
    before = _refs(remote)
    (name,) = before
    subprocess.run(["git", "-C", str(remote), "update-ref", "-d", name], check=True)
    assert desk("push").code == 0
    assert _refs(remote) == before


def test_a_ref_that_somebody_else_moved_is_set_right_and_told(desk: Machine, remote: Path) -> None:
    desk.writes("fix-login")
    desk("push")
    ((name, _),) = _refs(remote).items()
    subprocess.run(["git", "-C", str(remote), "update-ref", name, "refs/heads/main"], check=True)
    desk.writes("fix-logout")
    said = desk("push")
    assert said.code == 0
    assert "made by somebody else" in said.err
    text = subprocess.run(
        ["git", "-C", str(remote), "ls-tree", "-r", "--name-only", name],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "checkpoints/fix-login.md" in text
    assert "src/auth.py" not in text


@pytest.mark.parametrize("how", ["--depth=1", "--filter=blob:none"])
def test_a_shallow_and_a_partial_clone_push_and_pull(
    how: str, desk: Machine, machine: Machines, remote: Path
) -> None:
    desk.writes("fix-login")
    desk("push")
    thin = machine("thin")
    subprocess.run(
        ["git", "-C", str(remote), "config", "uploadpack.allowFilter", "true"], check=True
    )
    subprocess.run(["rm", "-rf", str(thin.root)], check=True)
    subprocess.run(["git", "clone", "-q", how, f"file://{remote}", str(thin.root)], check=True)
    thin.git("config", "onward.machine", "thin")
    thin.writes("other-work")
    assert thin("pull").code == thin("push").code == 0
    assert "fix-login@desk" in thin("list").out


def test_a_copy_that_was_deleted_is_fetched_again(desk: Machine, laptop: Machine) -> None:
    desk.writes("fix-login", "Add a login with JWT")
    desk("push")
    laptop("pull")
    shutil.rmtree(laptop.bare)
    said = laptop("show", "fix-login@desk")
    assert said.code == 4
    assert "try: onward pull" in said.err
    assert laptop("pull").code == 0
    assert "Add a login with JWT" in laptop("show", "fix-login@desk").out


def test_a_detached_head_pushes(desk: Machine) -> None:
    desk.git("checkout", "-q", "--detach")
    desk.writes("fix-login")
    assert desk("push").code == 0


def test_a_linked_work_tree_is_a_machine_of_its_own(desk: Machine, tmp_path: Path) -> None:
    desk.writes("fix-login")
    desk("push")
    desk.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other")

    desk.enter()
    desk.patch.chdir(tmp_path / "tree")
    assert main(["pull"]) == 0
    assert "fix-login@desk" in _listed(desk)


def test_settings_of_the_person_reach_git(desk: Machine, remote: Path) -> None:
    desk.git("config", f"url.{remote.parent}/.insteadOf", "short:")
    desk.git("remote", "set-url", "origin", "short:remote.git")
    desk.writes("fix-login")
    assert desk("push").code == 0
    assert len(_refs(remote)) == 1


def test_onward_remote_names_another_remote(desk: Machine, remote: Path, tmp_path: Path) -> None:
    other = tmp_path / "private.git"
    subprocess.run(["git", "init", "-q", "--bare", str(other)], check=True)
    desk.git("config", "onward.remote", str(other))
    desk.writes("fix-login")
    assert desk("push").code == 0
    assert _refs(remote) == {}
    assert len(_refs(other)) == 1


def _listed(desk: Machine) -> str:

    desk.capsys.readouterr()
    main(["list"])
    return desk.capsys.readouterr().out


def _refs(bare: Path) -> dict[str, str]:
    said = subprocess.run(
        [
            "git",
            "-C",
            str(bare),
            "for-each-ref",
            "--format=%(refname) %(objectname)",
            "refs/onward",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return dict(line.split(" ") for line in said.splitlines())


def test_a_push_address_of_another_repository_is_named(desk: Machine, tmp_path: Path) -> None:
    other = tmp_path / "fork.git"
    subprocess.run(["git", "init", "-q", "--bare", str(other)], check=True)
    desk.git("config", "remote.origin.pushurl", str(other))
    desk.writes("fix-login")
    assert desk("push").code == 0
    desk.writes("fix-logout")
    said = desk("push")
    assert said.code == 8
    assert "origin is fetched from one repository and pushed to another" in said.err
    assert "try: git remote -v" in said.err
    assert desk("push", str(other)).code == 0


def test_a_lock_that_a_killed_push_left_is_named(desk: Machine, remote: Path) -> None:
    desk.writes("fix-login")
    assert desk("push").code == 0
    [ref] = (path for path in (remote / "refs/onward").rglob("*") if path.is_file())
    lock = ref.with_name(f"{ref.name}.lock")
    lock.touch()
    desk.writes("fix-login", "Add another login")
    said = desk("push")
    assert said.code == 8
    name = lock.relative_to(remote).as_posix()
    assert f"git's lock {name} on the remote origin is in the way" in said.err
    assert f"rm {name}" in said.err
    assert "onward push" in said.err
    lock.unlink()
    assert desk("push").code == 0
