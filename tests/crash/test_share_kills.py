"""Killed at every step of push and pull: both sides stay whole, and the next one succeeds."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sampling import everything, sample
from tests.sharing.people import User, assert_whole, held
from tests.sharing.servers import FileServer

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on this system"),
    pytest.mark.slow,
]

PROGRAM = Path(__file__).with_name("dying.py")
KINDS = ("with", "after", "file")
HOOKS = ("pre-receive", "update", "reference-transaction", "post-receive")
MOST = 150
STRIDE = 7


class Scene:
    """Two machines and a remote, set back before each kill."""

    def __init__(self, base: Path, *, fresh: bool) -> None:
        self.base, self.model = base / "now", base / "model"
        self.server = FileServer(self.base / "served")
        self.remote = self.server.make()
        self.ada, self.ben = (User(self.base, name, self.server) for name in ("ada", "ben"))
        self.ben.save("old-of-ben")
        self.ben.quick("push")
        self.ada.save("old-of-ada")
        if not fresh:
            self.ada.quick("push")
            self.ada.quick("pull")
        self.ben.save("new-of-ben")
        self.ben.quick("push")
        self.ada.save("new-of-ada")
        shutil.copytree(self.base, self.model, symlinks=True)
        self.before = held(self.remote)
        self.own = {"old-of-ada", "new-of-ada"}

    def reset(self) -> None:
        shutil.rmtree(self.base)
        shutil.copytree(self.model, self.base, symlinks=True)

    def kills(self, verb: str, kind: str) -> Iterator[int]:
        """Run a verb and kill it at each step in turn, from the same scene; at steps drawn by
        chance where not everything is tried.
        """
        drawn = random.Random(f"{verb} {kind}")
        most = 1 if everything() else STRIDE
        number = drawn.randint(1, min(most, 2))
        while number < MOST:
            self.reset()
            call = [sys.executable, str(PROGRAM), kind, str(number), verb]
            said = self.ada.run(call)
            assert said.code in {0, -signal.SIGKILL}, said
            if said.code == 0:
                return
            yield number
            number += drawn.randint(1, most)
        pytest.fail("it never came to its end")

    def pushed(self) -> set[str]:
        """What the remote has of ada."""
        return next((v for ref, v in held(self.remote).items() if "/ada-laptop" in ref), set())

    def check(self) -> None:
        """Each side is whole, and can go on."""
        assert_whole(self.remote)
        self.ada.quick("push")
        assert self.pushed() == self.own
        self.ada.quick("pull")
        theirs = {"old-of-ben@ben-laptop", "new-of-ben@ben-laptop"}
        assert set(self.ada.listed()) == self.own | theirs
        (own,) = (self.ada.data / "share").glob("*.git")
        assert_whole(own)
        assert not list(own.rglob("*.lock"))


@pytest.fixture(scope="module", params=["the first", "a later"])
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return Scene(tmp_path_factory.mktemp("scene"), fresh=request.param == "the first")


@pytest.mark.parametrize("kind", KINDS)
def test_a_push_killed_at_any_step_leaves_the_old_or_the_new_and_the_next_one_succeeds(
    scene: Scene, kind: str
) -> None:
    old = next((v for ref, v in scene.before.items() if "/ada-laptop" in ref), set())
    seen = set()
    for _ in scene.kills("push", kind):
        assert scene.pushed() in (old, scene.own)
        seen.add(scene.pushed() == scene.own)
        scene.check()
    assert False in seen
    assert kind != "after" or True in seen or not everything()


@pytest.mark.parametrize("hook", sample(HOOKS, 2, "hooks"))
def test_a_push_killed_in_the_midst_of_what_the_server_does_is_done_or_not_done(
    scene: Scene, hook: str
) -> None:
    """Each hook of the server kills the program and the git that it runs."""
    scene.reset()
    old = scene.pushed()
    number, program = scene.base / "number", scene.remote / "hooks" / hook
    program.parent.mkdir(exist_ok=True)
    program.write_text(
        f"#!/bin/sh\nuntil test -s '{number}'; do :; done\nread -r it < '{number}'\n"
        'kill -9 $(ps -o pid= --ppid "$it") "$it"\n'
    )
    program.chmod(0o755)
    process = scene.ada.start("push")
    number.write_text(f"{process.pid}\n")
    assert process.wait() == -signal.SIGKILL
    program.unlink()
    assert scene.pushed() in (old, scene.own)
    scene.check()


@pytest.mark.parametrize("kind", KINDS)
def test_a_pull_killed_at_any_step_loses_nothing_and_the_next_one_succeeds(
    scene: Scene, kind: str
) -> None:
    count = 0
    known = {"old-of-ben@ben-laptop"} if len(scene.before) > 1 else set()
    for number in scene.kills("pull", kind):
        assert held(scene.remote) == scene.before, "a pull writes nothing there"
        assert scene.ada.others() >= known, number
        scene.check()
        count += 1
    assert count
