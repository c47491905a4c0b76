"""A git server of each kind, and people with clones of its repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sampling import sample
from tests.sharing.people import Meet, User
from tests.sharing.servers import SERVERS, HttpServer, Server

NEEDED = {"ssh": pytest.mark.needs("ssh", "ssh-keygen", "sshd")}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each kind of server in turn; in a sample, one of them for each test."""
    if "server" in metafunc.fixturenames:
        kinds = sample(sorted(SERVERS), 1, metafunc.function.__name__)
        each = [pytest.param(kind, marks=NEEDED.get(kind, ())) for kind in kinds]
        metafunc.parametrize("server", each, indirect=True)


@pytest.fixture
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A server with the repository `shop`."""
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
