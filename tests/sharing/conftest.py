"""A git server of each kind, and people with clones of its repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sharing.people import Meet, User
from tests.sharing.servers import SERVERS, HttpServer, Server

NEEDED = {"ssh": pytest.mark.needs("ssh", "ssh-keygen", "sshd")}


@pytest.fixture(params=[pytest.param(kind, marks=NEEDED.get(kind, ())) for kind in sorted(SERVERS)])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """Each kind in turn, with the repository `shop`."""
    with SERVERS[request.param](tmp_path / "served") as made:
        made.make()
        yield made


@pytest.fixture
def http(tmp_path: Path) -> Iterator[HttpServer]:
    """Only the one over HTTP, which counts bytes and can refuse."""
    with HttpServer(tmp_path / "served") as made:
        made.make()
        yield made


@pytest.fixture
def meet(server: Server, tmp_path: Path) -> Meet:
    """Somebody new with a clone of `shop`."""
    return lambda name: User(tmp_path, name, server)


@pytest.fixture
def meet_over_http(http: HttpServer, tmp_path: Path) -> Meet:
    """The same, where only HTTP will do."""
    return lambda name: User(tmp_path, name, http)
