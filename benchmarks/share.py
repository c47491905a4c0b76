"""`onward push` and `pull` with 200 writers and 10,000 checkpoints on the remote, over smart HTTP.

Nothing new to push, nothing new to pull: time against plain `git fetch` of the same refs behind
the start of a Python with the same modules, in the same run, and bytes as the server counts them.
Prints one line of JSON for each; leaves with 1 where a budget is broken.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from tests.sharing.people import REFS, User  # noqa: E402 - from the root
from tests.sharing.servers import HttpServer  # noqa: E402 - as above

from scale_git import text  # noqa: E402 - tools are no package

WRITERS, EACH = 200, 50
ROUNDS = 7
SLOWER = 2.0
"""Times the start and the fetch: git is asked for a few things of the project and of ours."""
START = "import onward.cli.app, onward.commands.push"
BYTES = 1.05
"""Times what that fetch takes."""
MACHINE = (
    b'{"version": 1, "name": "m%d", "root": "/srv/m%d/shop", "written": "2026-03-01T13:40:00Z"}'
)


class Taken(NamedTuple):
    """Medians of a call: seconds, and bytes of bodies both ways."""

    seconds: float
    bytes: float


def fill(repository: Path) -> None:
    """Every writer with every checkpoint, as one commit each."""
    stream = b"".join(part for number in range(WRITERS) for part in writer(number))
    call = ["git", "-C", str(repository), "fast-import", "--quiet"]
    subprocess.run(call, input=stream, check=True)
    subprocess.run(["git", "-C", str(repository), "gc", "-q"], check=True)


def writer(number: int) -> Iterator[bytes]:
    """The stream of one writer."""
    ref = f"{REFS}m{number}-{number:08x}".encode()
    yield b"commit %s\ncommitter o <o@x> %d +0000\ndata 1\nx" % (ref, 1_770_000_000 + number)
    yield inline(b"machine.json", MACHINE % (number, number))
    for each in range(EACH):
        name = b"build-part-%d-of-%d" % (each, number)
        head = b"# Checkpoint: %s\n\n**Created:** 2026-03-01 21:40 GMT\n**Task:** Build\n\n" % name
        body = b"## Next Action\n\n- " + text(number * EACH + each)
        yield inline(b"checkpoints/%s.md" % name, head + body + b"\n")
    yield b"\n"


def inline(path: bytes, data: bytes) -> bytes:
    """A file of a commit."""
    return b"\nM 100644 inline %s\ndata %d\n%s" % (path, len(data), data)


Act = Callable[[], object]


def beside(server: HttpServer, ours: Act, plain: Act, rounds: int = ROUNDS) -> tuple[Taken, Taken]:
    """What two acts take, over some rounds in turn."""
    both: tuple[list[Taken], list[Taken]] = ([], [])
    for _ in range(rounds):
        for act, found in zip((ours, plain), both, strict=True):
            before, start = server.sent + server.received, time.perf_counter()
            act()
            seconds = time.perf_counter() - start
            found.append(Taken(seconds, server.sent + server.received - before))
    return median(both[0]), median(both[1])


def median(found: list[Taken]) -> Taken:
    """Of each figure by itself."""
    return Taken(*(statistics.median(each) for each in zip(*found, strict=True)))


def tell(name: str, both: tuple[Taken, Taken], *, held: bool = True) -> bool:
    """Print one line; whether the budget is kept."""
    ours, plain = both
    good = ours.seconds <= SLOWER * plain.seconds and ours.bytes <= BYTES * plain.bytes
    result = {
        "name": name,
        "reference_ms": round(plain.seconds * 1000, 1),
        "ours_ms": round(ours.seconds * 1000, 1),
        "ratio": round(ours.seconds / plain.seconds, 2),
        "reference_bytes": round(plain.bytes),
        "ours_bytes": round(ours.bytes),
    }
    print(json.dumps(result | ({"budget": SLOWER, "bytes_budget": BYTES} if held else {})))
    return good or not held


def measure(base: Path, server: HttpServer) -> bool:
    """All lines; whether every budget is kept."""
    fill(server.make())
    ada = User(base, "ada", server)
    for number in range(EACH):
        ada.save(f"own-part-{number}")
    plain = User(base, "ben", server)
    spec = ("fetch", "-q", "--no-tags", "origin")
    all_refs, one_ref = f"+{REFS}*:refs/peers/*", f"+{REFS}m7-00000007:refs/one/x"
    pull, push = partial(ada.onward, "pull"), partial(ada.onward, "push")
    first = beside(server, pull, lambda: plain.git(*spec, all_refs), 1)
    tell("first pull of 10,000 checkpoints / git fetch", first, held=False)
    push()
    plain.git(*spec, one_ref)

    def fetch(refs: str) -> None:
        plain.run([sys.executable, "-c", START])
        plain.git(*spec, refs)

    name = "pull, nothing new / start and git fetch"
    kept = tell(name, beside(server, pull, lambda: fetch(all_refs)))
    name = "push, nothing new / start and git fetch of one ref"
    kept &= tell(name, beside(server, push, lambda: fetch(one_ref)))
    shown, bare = partial(ada.onward, "list"), [sys.executable, "-c", "pass"]
    tell("list of all / python", beside(server, shown, lambda: plain.run(bare)), held=False)
    return kept


def main() -> int:
    """Run it in a temporary folder."""
    with tempfile.TemporaryDirectory() as name, HttpServer(Path(name) / "served") as server:
        return int(not measure(Path(name), server))


if __name__ == "__main__":
    sys.exit(main())
