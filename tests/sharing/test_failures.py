"""A remote that is gone, slow, shut or half there: each says what is so and what to type, nothing
is lost on either side, and the next try succeeds.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.sampling import sample
from tests.sharing.people import Meet, Said, User, assert_whole, held
from tests.sharing.servers import FileServer, HttpServer, Listener, SshServer

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sshd and http-backend as POSIX has them")

VERBS = ("push", "pull")
SILENT = [
    pytest.param(verb, scheme, marks=[pytest.mark.needs("ssh")] if scheme == "ssh" else [])
    for verb, scheme in product(VERBS, ("http", "ssh", "git"))
]
STATUSES = (403, 404, 429, 500, 503)
every_verb = pytest.mark.parametrize("verb", VERBS)


HALF = (
    b"HTTP/1.1 200 OK\r\n"
    b"Content-Type: application/x-git-upload-pack-advertisement\r\nContent-Length: 9000\r\n\r\n"
    b"001e# service=git-upload-pack\n0000000eversion 2\n"
)
ABRUPT = {
    "nothing": b"",
    "a page": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000\r\n\r\n<html>",
    "half an answer": HALF,
    "noise": b"\x00\xff" * 2000,
}


class Silent(Listener):
    """Takes every connection and never says a word."""

    def serve(self, connection: socket.socket) -> None:
        while connection.recv(4096):
            pass


class Abrupt(Listener):
    """Says `words` to whoever asks, and hangs up."""

    def __init__(self, words: bytes) -> None:
        self.words = words
        super().__init__()

    def serve(self, connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(self.words)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(4096):
            pass


def assert_told(said: Said) -> None:
    """An error of ours, with something to type."""
    assert said.code not in {0, 70, 2}, said
    assert said.err.startswith("error: "), said
    assert "\n  try: " in said.err, said
    assert "Traceback" not in said.err


@pytest.fixture
def ada(tmp_path: Path) -> User:
    """Somebody with a saved place and no remote that answers yet."""
    server = FileServer(tmp_path / "served")
    server.make()
    made = User(tmp_path, "ada", server)
    made.save("mine")
    return made


def turn_to(user: User, url: str) -> None:
    user.git("remote", "set-url", "origin", url)


@every_verb
def test_a_port_where_nobody_listens(ada: User, verb: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    turn_to(ada, f"http://127.0.0.1:{port}/shop.git")
    assert_told(ada.attempt(verb))
    assert ada.listed() == ["mine"]


@every_verb
def test_a_repository_that_is_not_there(server: FileServer, meet: Meet, verb: str) -> None:
    ada = meet("ada")
    ada.save("mine")
    turn_to(ada, server.url("elsewhere"))
    assert_told(ada.attempt(verb))
    turn_to(ada, server.url())
    ada.quick(verb)


@pytest.mark.parametrize(("verb", "scheme"), sample(SILENT, 3, "schemes"))
def test_a_server_that_never_answers_is_left_after_the_time_that_was_said(
    ada: User, verb: str, scheme: str
) -> None:
    silent = Silent()
    turn_to(ada, f"{scheme}://127.0.0.1:{silent.port}/shop.git")
    ada.git("config", "core.sshCommand", "ssh -F none -o BatchMode=yes")
    said = ada.attempt(verb, "--timeout", "1")
    assert_told(said)
    assert "--timeout" in said.err
    silent.close()  # would wait for ever, were a git of ours still there
    assert ada.listed() == ["mine"]


@pytest.mark.parametrize(("verb", "kind"), sample(product(VERBS, ABRUPT), 3, "abrupt"))
def test_a_server_that_hangs_up(ada: User, verb: str, kind: str) -> None:
    abrupt = Abrupt(ABRUPT[kind])
    turn_to(ada, f"http://127.0.0.1:{abrupt.port}/shop.git")
    assert_told(ada.attempt(verb, "--timeout", "20"))
    abrupt.close()


@pytest.mark.parametrize(("verb", "status"), sample(product(VERBS, STATUSES), 3, "statuses"))
def test_a_server_that_refuses(http: HttpServer, tmp_path: Path, verb: str, status: int) -> None:
    ada = User(tmp_path, "ada", http)
    ada.save("mine")
    http.refuse = status
    assert_told(ada.attempt(verb))
    http.refuse = 0
    ada.quick(verb)


@every_verb
def test_a_password_that_nobody_gives(tmp_path: Path, verb: str) -> None:
    with HttpServer(tmp_path / "served", password="open sesame") as server:
        server.make()
        ada = User(tmp_path, "ada", server)
        ada.save("mine")
        said = ada.attempt(verb)
        assert_told(said)
        assert "let you in" in said.err
        helper = "!f() { echo username=ada; echo 'password=open sesame'; }; f"
        ada.git("config", f"credential.{server.url()}.helper", helper)
        ada.quick(verb)
        assert "open sesame" not in said.err


@every_verb
def test_a_password_in_an_address_is_never_shown(ada: User, verb: str) -> None:
    address = "http://ada:open-sesame-4711@127.0.0.1:1/shop.git"
    for said in (ada.attempt(verb, address), ada.attempt(verb, address, "--json")):
        assert said.code != 0
        assert "open-sesame" not in said.out + said.err
    turn_to(ada, address)
    said = ada.attempt(verb)
    assert "open-sesame" not in said.out + said.err


@every_verb
@pytest.mark.needs("ssh", "ssh-keygen", "sshd")
def test_ssh_without_the_key_says_that_nobody_is_let_in(tmp_path: Path, verb: str) -> None:
    with SshServer(tmp_path / "served") as server:
        server.make()
        ada = User(tmp_path, "ada", server)
        ada.save("mine")
        way = ada.git("config", "core.sshCommand")
        ada.git("config", "core.sshCommand", way.replace("ssh -F", "ssh -o IdentityFile=none -F"))
        config = tmp_path / "served-ssh/config"
        whole = config.read_text()
        config.write_text("\n".join(whole.splitlines()[1:]))
        said = ada.attempt(verb)
        assert_told(said)
        assert "let you in" in said.err
        config.write_text(whole)
        ada.git("config", "core.sshCommand", way)
        ada.quick(verb)


class Struck(NamedTuple):
    """How the program ended whose n-th request met with a fault, and whether it had as many."""

    code: int
    met: bool


Strike = Callable[[User, HttpServer, int], Struck]
FAULTS = ("lost", "unsaid", "half")


@pytest.mark.parametrize("fault", sample(FAULTS, 1, "faults of a push"))
def test_an_answer_of_any_request_that_does_not_come_is_made_up_for_by_the_next_push(
    tmp_path: Path, fault: str
) -> None:
    def push(user: User, server: HttpServer, number: int) -> Struck:
        at = server.requests + number
        server.faults = {at: fault}
        said = user.attempt("push")
        if said.code:
            assert_told(said)
        return Struck(said.code, server.requests >= at)

    assert any(until_through(tmp_path, push))


@pytest.mark.parametrize("fault", sample(FAULTS, 1, "the faults of pulls"))
def test_an_answer_of_any_request_that_does_not_come_is_made_up_for_by_the_next_pull(
    tmp_path: Path, fault: str
) -> None:
    reader: list[User] = []

    def pull(user: User, server: HttpServer, number: int) -> Struck:
        user.quick("push")
        reader[:] = reader or [User(tmp_path, "ben", server)]
        at = server.requests + number
        server.faults = {at: fault}
        said = reader[0].attempt("pull")
        if said.code:
            assert_told(said)
        met, server.faults = server.requests >= at, {}
        reader[0].quick("pull")
        assert reader[0].others() == {f"part-{n}@ada-laptop" for n in range(1, number + 1)}
        return Struck(said.code, met)

    assert any(until_through(tmp_path, pull))


@every_verb
@pytest.mark.needs("ps")
def test_killed_while_the_server_works_for_it_loses_nothing(tmp_path: Path, verb: str) -> None:
    """It and all its children are killed as the n-th request comes in; the server goes on."""

    def act(user: User, server: HttpServer, number: int) -> Struck:
        if verb == "pull":
            user.quick("push")
        started: list[int] = []
        until = server.requests + number

        def strike(count: int) -> None:
            if count == until:
                kill_all(started[0])

        server.watch = strike
        process = user.start(verb)
        started.append(process.pid)
        code = process.wait()
        server.watch = lambda _: None
        return Struck(code, server.requests >= until)

    assert -signal.SIGKILL in until_through(tmp_path, act)


def until_through(base: Path, act: Strike) -> list[int]:
    """Strike at the first request, then at the second, until none is left to strike at. After
    each the remote is whole, and the next push brings there whatever is missing. How each ended.
    """
    with HttpServer(base / "served") as server:
        server.make()
        user = User(base, "ada", server)
        ends = []
        for number in range(1, 20):
            user.save(f"part-{number}")
            struck = act(user, server, number)
            server.faults = {}
            assert_whole(server.base / "shop.git")
            user.quick("push")
            (found,) = held(server.base / "shop.git").values()
            assert found == {f"part-{n}" for n in range(1, number + 1)}
            ends.append(struck.code)
            if not struck.met:
                assert struck.code == 0
                return ends
    pytest.fail("it never came to its end")


def kill_all(pid: int) -> None:
    """A process and all that it started, in whatever group."""
    listing = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listing.splitlines()]
    doomed = [pid]
    for each in doomed:
        doomed += [child for child, parent in pairs if parent == each]
    for each in doomed:
        os.kill(each, signal.SIGKILL)


@every_verb
def test_locks_that_a_killed_git_left_in_our_repository_stop_nobody(ada: User, verb: str) -> None:
    ada.quick("push")
    ada.quick("pull")
    (own,) = (ada.data / "share").glob("*.git")
    refs = [path for path in (own / "refs").rglob("*") if path.is_file()]
    names = ("HEAD", "config", "packed-refs", "shallow", "objects/info/commit-graphs/x")
    for path in (*refs, *(own / name for name in names)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_name(f"{path.name}.lock").write_bytes(b"")
    (own / "objects/pack/tmp_pack_AbCdEf").write_bytes(b"PACK")
    (own / "gc.pid").write_text("1 elsewhere\n")
    ada.save("another")
    ada.quick(verb)
    ada.quick("push")
    assert list(held(ada.server.base / "shop.git").values()) == [{"mine", "another"}]


@every_verb
def test_a_torn_file_of_ours_is_made_anew(ada: User, verb: str) -> None:
    ada.quick("push")
    ada.quick("pull")
    (own,) = (ada.data / "share").glob("*.git")
    for path in (ada.data / "share").iterdir():
        if path.is_file():
            path.write_bytes(b"\x00" * 100)
    assert own.is_dir()
    ada.save("another")
    ada.quick(verb)
    ada.quick("push")
    assert set(ada.listed()) == {"another", "mine"}
    assert list(held(ada.server.base / "shop.git").values()) == [{"mine", "another"}]


def test_our_repository_may_be_deleted_at_any_time(ada: User) -> None:
    ada.quick("push")
    for path in sorted((ada.data / "share").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    ada.save("another")
    ada.quick("push")
    assert list(held(ada.server.base / "shop.git").values()) == [{"mine", "another"}]


def test_a_server_that_takes_no_refs_but_branches_is_named_as_such(ada: User) -> None:
    hook = ada.server.base / "shop.git/hooks/update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        '#!/bin/sh\ncase "$1" in refs/heads/*) ;; *) echo "not allowed" >&2; exit 1;; esac\n'
    )
    hook.chmod(0o755)
    said = ada.attempt("push")
    assert_told(said)
    assert "branches" in said.err


def test_a_server_that_hides_our_refs_is_named_as_such(ada: User) -> None:
    call = ["git", "-C", str(ada.server.base / "shop.git"), "config", "transfer.hideRefs"]
    subprocess.run([*call, "refs/onward"], check=True)
    said = ada.attempt("push")
    assert_told(said)
    assert "branches" in said.err


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives files away")
@every_verb
def test_a_folder_of_somebody_else_that_the_person_trusts_is_served(ada: User, verb: str) -> None:
    remote = ada.server.base / "shop.git"
    for path in (remote, *remote.rglob("*")):
        os.chown(path, 12345, 12345)
    said = ada.attempt(verb)
    assert_told(said)
    ada.git("config", "--global", "safe.directory", str(remote))
    ada.quick(verb)
