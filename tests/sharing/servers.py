"""Real git servers on the loopback: a folder, sshd, and `git http-backend` behind Python's own
HTTP server. Each serves the bare repositories of one folder and is gone when it is closed.
"""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from email.parser import BytesHeaderParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Self

from tests import needs

_SERVER_SIDE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
"""The server's git reads no settings of whoever runs the tests."""
_PRIVILEGE_SEPARATION = Path("/run/sshd")


class Server(ABC):
    """Serves the bare repositories below `base`."""

    def __init__(self, base: Path) -> None:
        self.base = base
        base.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def make(self, name: str = "shop") -> Path:
        """A new bare repository."""
        path = self.base / f"{name}.git"
        env = {"PATH": os.environ["PATH"], **_SERVER_SIDE}
        call = ["git", "init", "-q", "--bare", "-b", "main", str(path)]
        subprocess.run(call, env=env, check=True, capture_output=True)
        return path

    @abstractmethod
    def url(self, name: str = "shop") -> str:
        """How a client names a repository."""

    def settings(self) -> dict[str, str]:
        """What a user has in their git settings to reach it."""
        return {}

    @abstractmethod
    def close(self) -> None:
        """End whatever serves."""


class FileServer(Server):
    """No server at all: git starts its other half itself."""

    def url(self, name: str = "shop") -> str:
        return (self.base / f"{name}.git").as_uri()

    def close(self) -> None:
        """Nothing serves."""


class Listener:
    """A port on the loopback. Every connection goes to `serve`, in a thread of its own."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self._socket.getsockname()[1]
        self._threads: list[Thread] = []
        self._thread = Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:  # closed
                return
            thread = Thread(target=self._hold, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _hold(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            self.serve(connection)

    def serve(self, connection: socket.socket) -> None:
        """Talk to one client; the connection is closed afterwards."""
        raise NotImplementedError

    def close(self) -> None:
        """Take no more connections, and wait for those that are open."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()
        for thread in self._threads:
            thread.join()


class _Inetd(Listener):
    """Starts `sshd -i` for each connection: no port to guess, no daemon to wait for."""

    def __init__(self, command: list[str], log: Path) -> None:
        self._command, self._log = command, log
        super().__init__()

    def serve(self, connection: socket.socket) -> None:
        with self._log.open("ab") as log:
            wire = connection.fileno()
            subprocess.run(self._command, stdin=wire, stdout=wire, stderr=log, check=False)


class SshServer(Server):
    """The real sshd with a host key and a user's key of its own, and no passwords."""

    def __init__(self, base: Path) -> None:
        needs.needs("ssh", "ssh-keygen", "sshd")
        super().__init__(base)
        self._keys = base.parent / f"{base.name}-ssh"
        self._keys.mkdir()
        self._user = pwd.getpwuid(os.getuid()).pw_name
        for name in ("host", "user"):
            path = str(self._keys / name)
            keygen = [_program("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", path]
            subprocess.run(keygen, check=True, capture_output=True)
        if os.getuid() == 0:  # sshd insists on it, and no boot script made it
            _PRIVILEGE_SEPARATION.mkdir(mode=0o755, exist_ok=True)
        (self._keys / "sshd_config").write_text(
            f'HostKey "{self._keys / "host"}"\n'
            f'AuthorizedKeysFile "{self._keys / "user.pub"}"\n'
            "StrictModes no\nUsePAM no\nPasswordAuthentication no\n"
            "KbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n"
            "AcceptEnv GIT_PROTOCOL\n"
            f"SetEnv {' '.join(f'{key}={value}' for key, value in _SERVER_SIDE.items())}\n"
        )
        words = [_program("sshd"), "-i", "-e", "-f", str(self._keys / "sshd_config")]
        self._listener = _Inetd(words, self._keys / "log")
        self._settle()

    def _settle(self) -> None:
        """The client's side: a file of settings, and the one host that is known."""
        host = (self._keys / "host.pub").read_text()
        known = self._keys / "known_hosts"
        known.write_text(f"[127.0.0.1]:{self._listener.port} {host}")
        (self._keys / "config").write_text(
            f'IdentityFile "{self._keys / "user"}"\nIdentitiesOnly yes\nIdentityAgent none\n'
            f'UserKnownHostsFile "{known}"\nStrictHostKeyChecking yes\nBatchMode yes\n'
            "GlobalKnownHostsFile none\nLogLevel ERROR\n"
        )

    def url(self, name: str = "shop") -> str:
        return f"ssh://{self._user}@127.0.0.1:{self._listener.port}{self.base}/{name}.git"

    def settings(self) -> dict[str, str]:
        return {"core.sshCommand": f"ssh -F '{self._keys / 'config'}'"}

    def log(self) -> str:
        """What sshd said."""
        return (self._keys / "log").read_text("utf-8", "replace")

    def close(self) -> None:
        self._listener.close()


class HttpServer(Server):
    """Smart HTTP. `sent` and `received` count the bytes of bodies, as the server sees them.

    `password` is asked for when it is set (user `ada`); `refuse` is a status that every
    request gets. `faults` names the requests, by number from 1 on, that end badly: "lost" before
    git hears of them, "unsaid" when git has done them, "half" in the midst of the answer.
    `watch` is called with each request's number before anything else.
    """

    def __init__(self, base: Path, password: str = "") -> None:
        super().__init__(base)
        self.password, self.refuse = password, 0
        self.faults: dict[int, str] = {}
        self.watch: Callable[[int], object] = lambda number: number
        self.sent = self.received = self.requests = 0
        self._lock = Lock()
        self._http = _Http(self)
        self._thread = Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def url(self, name: str = "shop") -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/{name}.git"

    def begin(self) -> int:
        """The number of a request that has come."""
        with self._lock:
            self.requests += 1
            number = self.requests
        self.watch(number)
        return number

    def count(self, received: int, sent: int) -> None:
        """A request was answered."""
        with self._lock:
            self.received += received
            self.sent += sent

    def allows(self, given: str) -> bool:
        """Whether this `Authorization` may come in."""
        token = b64encode(f"ada:{self.password}".encode()).decode()
        return not self.password or given == f"Basic {token}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Http(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 256

    def __init__(self, owner: HttpServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Http

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self._body())

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _answer(self, body: bytes) -> None:
        owner = self.server.owner
        fault = owner.faults.get(owner.begin(), "")
        if fault == "lost":
            self.close_connection = True
        elif owner.refuse:
            self._say(owner.refuse, {}, b"no\n")
        elif not owner.allows(self.headers.get("Authorization", "")):
            self._say(401, {"WWW-Authenticate": 'Basic realm="tests"'}, b"who?\n")
        else:
            said = self._backend(body)
            head, _, rest = said.partition(b"\r\n\r\n")
            fields = dict(BytesHeaderParser().parsebytes(head).items())
            status = int(fields.pop("Status", "200").split()[0])
            owner.count(len(body), len(rest))
            if fault == "unsaid":
                self.close_connection = True
            else:
                self._say(status, fields, rest, half=fault == "half")

    def _backend(self, body: bytes) -> bytes:
        path, _, query = self.path.partition("?")
        env = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.server.owner.base),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "REMOTE_USER": "ada",  # lets `receive-pack` in
            "REMOTE_ADDR": "127.0.0.1",
            "SERVER_PROTOCOL": "HTTP/1.1",
            **_SERVER_SIDE,
        }
        call = ["git", "http-backend"]
        return subprocess.run(call, env=env, input=body, capture_output=True, check=True).stdout

    def _say(self, status: int, fields: dict[str, str], body: bytes, *, half: bool = False) -> None:
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(OSError):  # the client was killed
            self.wfile.write(body[: len(body) // 2] if half else body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Nothing: a test's output is no access log."""


SERVERS: dict[str, type[Server]] = {"file": FileServer, "ssh": SshServer, "http": HttpServer}


def _program(name: str) -> str:
    """Where it is; `needs` has looked."""
    found = needs.find(name)
    assert found
    return found
