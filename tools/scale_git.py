"""The constants of `scale.py`, measured with real git over smart HTTP."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from tests.sharing.servers import HttpServer  # noqa: E402 - from the root

from scale import CHECKPOINTS, Costs  # noqa: E402 - behind it

WRITERS = 40
ROUNDS = 25
LENGTH = 5700  # bytes of a checkpoint, the mean over real sessions; zlib makes 0.43 of it
_WORDS = 440


def text(number: int) -> bytes:
    """A made-up checkpoint that packs as well as a real one."""
    chance = random.Random(number)
    letters = "etaoinshrdlucmfwypvbgkqjxz"
    book = ["".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(_WORDS)]
    said = " ".join(chance.choices(book, weights=range(_WORDS, 0, -1), k=LENGTH))
    return said[:LENGTH].encode()


class Writer:
    """One writer's own repository, and its chain as plain git makes it."""

    def __init__(self, base: Path, number: int, url: str) -> None:
        self.folder, self.url = base / f"w{number}", url
        self.ref = f"refs/onward/v1/laptop{number:03}-{number:08x}"
        self.blobs: dict[str, str] = {}
        self.number, self.head = number, ""
        self.git("init", "-q", "--bare", str(self.folder), cwd=base)

    def git(self, *words: str, feed: bytes = b"", cwd: Path | None = None) -> str:
        """One call of git that must succeed."""
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            **{f"GIT_{who}_NAME": "onward" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "onward@invalid" for who in ("AUTHOR", "COMMITTER")},
        }
        call = ["git", "-c", "gc.auto=0", *words]
        done = subprocess.run(
            call, cwd=cwd or self.folder, env=env, input=feed, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    def save(self, count: int = 1) -> Self:
        """That many new checkpoints, in one commit."""
        for _ in range(count):
            name = f"build-part-{len(self.blobs):05}.md"
            body = text(self.number * 100_000 + len(self.blobs))
            self.blobs[name] = self.git("hash-object", "-w", "--stdin", feed=body)
        rows = [f"100644 blob {blob}\t{name}" for name, blob in sorted(self.blobs.items())]
        inner = self.git("mktree", feed="\n".join(rows).encode())
        machine = self.git("hash-object", "-w", "--stdin", feed=b'{"version": 1}')
        rows = [f"040000 tree {inner}\tcheckpoints", f"100644 blob {machine}\tmachine.json"]
        tree = self.git("mktree", feed="\n".join(rows).encode())
        parent = ["-p", self.head] if self.head else []
        self.head = self.git("commit-tree", *parent, "-m", "Save", tree)
        return self

    def push(self, *, force: bool = False) -> Self:
        """Send the chain; with `force` over one that it does not carry on."""
        self.git("update-ref", self.ref, self.head)
        self.git("push", "-q", self.url, f"{'+' if force else ''}{self.ref}:{self.ref}")
        return self

    def pull(self) -> None:
        """Fetch everybody's."""
        spec = "+refs/onward/v1/*:refs/onward/peers/*"
        self.git("fetch", "-q", "--no-tags", self.url, spec)


def measure() -> Costs:
    """Each constant from a difference between two counts of the server."""
    with tempfile.TemporaryDirectory() as name, HttpServer(Path(name) / "served") as server:
        return _measure(Path(name), server)


def _measure(base: Path, server: HttpServer) -> Costs:
    repository = server.make()
    first = Writer(base, 0, server.url()).save(CHECKPOINTS).push()
    reader = Writer(base, 999, server.url())
    reader.pull()
    alone = _cost(server, reader.pull)
    small = _advertised(server, first)
    for number in range(1, WRITERS):
        Writer(base, number, server.url()).save().push()
    reader.pull()
    listed = (_cost(server, reader.pull) - alone) / (WRITERS - 1)
    ref = (_advertised(server, first) - small) / (WRITERS - 1)
    before = _packed(repository)
    pushes = [_cost(server, first.save().push) for _ in range(ROUNDS)]
    kept = (_packed(repository) - before) / ROUNDS
    pull = (_cost(server, reader.pull) - alone - listed * (WRITERS - 1)) / ROUNDS
    advertised = _advertised(server, first)
    return Costs(
        ref=ref,
        listed=listed,
        hello=alone - listed,
        push=sum(pushes) / ROUNDS - advertised,
        pull=pull,
        kept=kept,
        state=len(zlib.compress(text(1))),
    )


def _cost(server: HttpServer, act: Callable[[], object]) -> int:
    before = server.sent + server.received
    act()
    return server.sent + server.received - before


def _advertised(server: HttpServer, writer: Writer) -> int:
    """What a push is told before it says anything: one that has nothing to say."""
    return _cost(server, writer.push)


def _packed(repository: Path) -> int:
    """Bytes of the server's packs once it has tidied up."""
    call = ["git", "-C", str(repository), "gc", "-q", "--prune=now"]
    subprocess.run(call, check=True, capture_output=True)
    return sum(path.stat().st_size for path in repository.glob("objects/pack/*.pack"))
