"""Many writers at once on one remote, over each kind of server: none rejected, none lost."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.sampling import everything
from tests.sharing.people import Meet, User, assert_whole, held
from tests.sharing.servers import Server

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sshd and http-backend as POSIX has them")

WRITERS, PUSHES = (8, 10) if everything() else (4, 2)
PEOPLE, TURNS = (4, 3) if everything() else (3, 2)


@pytest.mark.slow
def test_8_writers_push_again_and_again_at_once_and_none_is_rejected_or_lost(
    server: Server, meet: Meet
) -> None:
    people = [meet(f"p{number}") for number in range(WRITERS)]

    def work(user: User) -> list[str]:
        ends = []
        for number in range(PUSHES):
            user.save(f"part-{number}-of-{user.name}", minute=number)
            ends.append(json.loads(user.onward("push", "--json"))["outcome"])
        return ends

    with ThreadPoolExecutor(WRITERS) as pool:
        ends = list(pool.map(work, people))
    assert ends == [["pushed"] * PUSHES] * WRITERS
    remote = server.base / "shop.git"
    assert_whole(remote)
    wanted = {p.name: {f"part-{number}-of-{p.name}" for number in range(PUSHES)} for p in people}
    assert sorted(map(sorted, held(remote).values())) == sorted(map(sorted, wanted.values()))
    reader = meet("reader")
    reader.onward("pull")
    everything = {f"{n}@{who}-laptop" for who, all_of in wanted.items() for n in all_of}
    assert reader.others() == everything


def test_pushes_and_pulls_cross_and_nobody_is_refused(server: Server, meet: Meet) -> None:
    people = [meet(f"p{number}") for number in range(PEOPLE)]

    def work(user: User) -> None:
        for number in range(TURNS):
            user.save(f"part-{number}-of-{user.name}")
            user.onward("push")
            user.onward("pull")

    with ThreadPoolExecutor(PEOPLE) as pool:
        list(pool.map(work, people))
    for user in people:
        user.onward("pull")
        assert len(user.others()) == (PEOPLE - 1) * TURNS


def test_one_writer_in_eight_processes_at_once_is_never_refused(server: Server, meet: Meet) -> None:
    ada = meet("ada")
    for number in range(5):
        ada.save(f"part-{number}")
    running = [ada.start("push") for _ in range(8)]
    assert [each.wait() for each in running] == [0] * 8
    remote = server.base / "shop.git"
    assert_whole(remote)
    assert list(held(remote).values()) == [{f"part-{number}" for number in range(5)}]


def test_two_work_trees_of_one_clone_are_two_writers(server: Server, meet: Meet) -> None:
    ada = meet("ada")
    ada.git("commit", "-q", "--allow-empty", "-m", "Begin")
    ada.save("in-the-clone")
    ada.onward("push")
    ada.git("worktree", "add", "-q", "-b", "side", str(ada.home / "side"))
    main, ada.root = ada.root, ada.home / "side"
    ada.save("in-the-side")
    ada.onward("push")
    assert sorted(map(sorted, held(server.base / "shop.git").values())) == [
        ["in-the-clone"],
        ["in-the-side"],
    ]
    ada.root = main
    ada.onward("pull")
    assert len(ada.others()) == 1


def test_a_clone_without_history_shares_like_any_other(server: Server, meet: Meet) -> None:
    ada = meet("ada")
    for number in range(3):
        ada.git("commit", "-q", "--allow-empty", "-m", f"Part {number}")
    ada.git("push", "-q", "origin", "main")
    ben = meet("ben")
    ben.git("fetch", "-q", "--depth=1", "--filter=blob:none", "origin", "main")
    ben.git("checkout", "-q", "-b", "main", "FETCH_HEAD")
    assert ben.git("rev-parse", "--is-shallow-repository") == "true"
    ben.save("on-the-shallow-side")
    ada.save("on-the-deep-side")
    for each in (ada, ben, ada):
        each.onward("push")
        each.onward("pull")
    assert ada.others() == {"on-the-shallow-side@ben-laptop"}
    assert ben.others() == {"on-the-deep-side@ada-laptop"}


def test_nothing_of_the_persons_repository_is_touched(server: Server, meet: Meet) -> None:
    ada, ben = meet("ada"), meet("ben")
    hook = ada.root / ".git/hooks/pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch '{ada.top}/witness'\n")
    hook.chmod(0o755)
    ada.git("commit", "-q", "--allow-empty", "-m", "Begin")
    (ada.root / "staged.txt").write_text("mine\n")
    ada.git("add", "staged.txt")
    ben.save("theirs")
    ben.onward("push")
    ada.save("mine")
    before = {path: path.read_bytes() for path in sorted(ada.root.rglob("*")) if path.is_file()}
    status = ada.git("status", "--porcelain=v2", "--branch")
    ada.onward("push")
    ada.onward("pull")
    after = {path: path.read_bytes() for path in sorted(ada.root.rglob("*")) if path.is_file()}
    assert after == before
    assert ada.git("status", "--porcelain=v2", "--branch") == status
    assert not (ada.top / "witness").exists()
    assert len(ada.git("log", "--all", "--format=%h").split()) == 1
    mirror = server.base.parent / "mirror"
    ada.run(["git", "clone", "-q", "--no-local", "--bare", str(ada.root), str(mirror)])
    assert held(mirror) == {}
