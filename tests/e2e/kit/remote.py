"""End-to-end kit: a git remote over HTTP on the loopback, and machines with clones of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.kit.lab import Lab
from tests.sharing.servers import HttpServer

MACHINES = ("shed", "jetty")


@contextmanager
def shared(base: Path, one: Lab, two: Lab) -> Iterator[HttpServer]:
    """A remote that holds the project of `one`, which `two` has a clone of. The machines are
    called as in `MACHINES`.
    """
    with HttpServer(base / "served") as server:
        server.make("keel")
        for lab, name in zip((one, two), MACHINES, strict=True):
            lab.git("remote", "add", "origin", server.url("keel"))
            lab.git("config", "onward.machine", name)
        one.git("push", "--quiet", "origin", "HEAD:refs/heads/main")
        two.git("fetch", "--quiet", "origin")
        two.git("reset", "--quiet", "--hard", "origin/main")
        yield server
