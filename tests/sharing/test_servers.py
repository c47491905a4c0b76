"""The servers that the other tests stand on, asked by plain git."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.sharing.servers import FileServer, HttpServer, Server, SshServer

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sshd and http-backend as POSIX has them")


def git(
    folder: Path,
    *words: str,
    settings: dict[str, str],
    check: bool = True,
    env: dict[str, str] | None = None,
) -> str:
    """One call of plain git; its output and complaints."""
    folder.mkdir(exist_ok=True)
    around = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        **{f"GIT_{who}_NAME": "Ada" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "ada@example.org" for who in ("AUTHOR", "COMMITTER")},
        **(env or {}),
    }
    options = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
    call = ["git", *options, *words]
    done = subprocess.run(call, cwd=folder, env=around, capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def commit(folder: Path, server: Server) -> None:
    git(folder, "init", "-q", "-b", "main", settings={})
    git(folder, "commit", "-q", "--allow-empty", "-m", folder.name, settings={})
    git(folder, "remote", "add", "origin", server.url(), settings={})


def test_each_takes_a_push_and_gives_it_back(server: Server, tmp_path: Path) -> None:
    one = tmp_path / "one"
    commit(one, server)
    git(one, "push", "origin", "HEAD:refs/other/place", settings=server.settings())
    told = git(one, "ls-remote", "origin", "refs/other/*", settings=server.settings())
    assert told.split()[1] == "refs/other/place"
    words = ("fetch", server.url(), "refs/other/place:refs/heads/x")
    two = tmp_path / "two"
    git(two, "init", "-q", settings={})
    git(two, *words, settings=server.settings())
    assert git(two, "log", "-1", "--format=%s", "x", settings={}).strip() == "one"


def test_each_takes_sixteen_pushes_at_once(server: Server, tmp_path: Path) -> None:
    people = [tmp_path / f"p{number}" for number in range(16)]
    for each in people:
        commit(each, server)

    def push(folder: Path) -> None:
        git(folder, "push", "origin", f"HEAD:refs/w/{folder.name}", settings=server.settings())

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(push, people))
    told = git(people[0], "ls-remote", "origin", "refs/w/*", settings=server.settings())
    assert len(told.splitlines()) == 16


def test_each_speaks_the_second_protocol(server: Server, tmp_path: Path) -> None:
    one = tmp_path / "one"
    commit(one, server)
    git(one, "push", "origin", "HEAD:refs/other/place", settings=server.settings())
    trace = tmp_path / "trace"
    words = ("fetch", "--no-tags", "origin", "+refs/other/*:refs/there/*")
    git(one, *words, settings=server.settings(), env={"GIT_TRACE_PACKET": str(trace)})
    asked = {
        line.split("ref-prefix ")[1]
        for line in trace.read_text().splitlines()
        if "> ref-prefix" in line
    }
    assert asked == {"refs/other/"}


@pytest.mark.needs("ssh", "ssh-keygen", "sshd")
def test_sshd_lets_nobody_in_without_the_key(tmp_path: Path) -> None:
    with SshServer(tmp_path / "served") as server:
        server.make()
        command = f"{server.settings()['core.sshCommand']} -o IdentityFile=none -o BatchMode=yes"
        stranger = tmp_path / "stranger"
        config = (tmp_path / "served-ssh/config").read_text().splitlines()
        (tmp_path / "served-ssh/config").write_text("\n".join(config[1:]))
        settings = {"core.sshCommand": command}
        told = git(stranger, "ls-remote", server.url(), settings=settings, check=False)
        assert "Permission denied" in told


def test_http_asks_for_the_password(tmp_path: Path) -> None:
    with HttpServer(tmp_path / "served", password="open sesame") as server:
        server.make()
        folder = tmp_path / "one"
        told = git(folder, "ls-remote", server.url(), settings={}, check=False)
        assert "could not read Username" in told
        helper = "!f() { echo username=ada; echo 'password=open sesame'; }; f"
        settings = {"credential.helper": helper}
        assert git(folder, "ls-remote", server.url(), settings=settings) == ""


def test_http_refuses_with_the_status_it_is_told(tmp_path: Path, http: HttpServer) -> None:
    http.refuse = 403
    told = git(tmp_path / "one", "ls-remote", http.url(), settings={}, check=False)
    assert "403" in told


def test_http_counts_what_goes_both_ways(tmp_path: Path, http: HttpServer) -> None:
    one = tmp_path / "one"
    commit(one, http)
    git(one, "push", "origin", "HEAD:refs/other/place", settings={})
    assert http.received > 200
    before = http.sent
    git(one, "ls-remote", "origin", settings={})
    assert http.sent > before


def test_a_folder_needs_no_settings(tmp_path: Path) -> None:
    assert FileServer(tmp_path).settings() == {}
