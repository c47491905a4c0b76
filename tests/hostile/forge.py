"""A remote whose writers are strangers that mean ill: objects that git itself would not make."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

FILE, FOLDER, LINK, PROGRAM, OTHER = "100644", "40000", "120000", "100755", "160000"
MACHINE = {
    "version": 1,
    "name": "evil",
    "root": "/srv/evil/shop",
    "written": "2026-03-01T13:40:00Z",
}
Row = tuple[str, bytes, str]


class Forge:
    """Writes what it is told into the bare repository at `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.env = {
            "PATH": os.environ["PATH"],
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        subprocess.run(["git", "init", "-q", "--bare", str(path)], env=self.env, check=True)
        self.count = 0

    def git(self, *words: str, feed: bytes = b"") -> str:
        """One call of git there; its output."""
        call = ["git", "-C", str(self.path), *words]
        done = subprocess.run(call, env=self.env, input=feed, check=True, capture_output=True)
        return done.stdout.decode().strip()

    def blob(self, data: bytes) -> str:
        return self.git("hash-object", "-w", "--stdin", feed=data)

    def tree(self, rows: Iterable[Row]) -> str:
        """A tree as it is told, in the order and with the names that it is told."""
        parts = (
            f"{mode} ".encode() + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in rows
        )
        words = ("hash-object", "-t", "tree", "--literally", "-w", "--stdin")
        return self.git(*words, feed=b"".join(parts))

    def commit(self, tree: str, words: str = "x") -> str:
        body = (
            f"tree {tree}\nauthor E <e@x> 1 +0000\ncommitter E <e@x> 99999999999 +0000\n\n{words}\n"
        )
        call = ("hash-object", "-t", "commit", "--literally", "-w", "--stdin")
        return self.git(*call, feed=body.encode())

    def tag(self, oid: str, kind: str) -> str:
        body = f"object {oid}\ntype {kind}\ntag x\ntagger E <e@x> 1 +0000\n\nx\n"
        return self.git(
            "hash-object", "-t", "tag", "--literally", "-w", "--stdin", feed=body.encode()
        )

    def ref(self, name: str, oid: str) -> None:
        """Any name that a disk takes, past git's own checks."""
        path = self.path / "refs/onward/v1" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{oid}\n")

    def writer(
        self,
        checkpoints: Mapping[bytes, bytes] | None = None,
        *,
        machine: object = MACHINE,
        rows: Iterable[Row] = (),
        inner: Iterable[Row] = (),
        name: str = "",
    ) -> str:
        """A writer with these files; more rows for its top folder, and for that of its
        checkpoints. Returns its name.
        """
        self.count += 1
        name = name or f"evil-{self.count:08x}"
        files = [(FILE, key, self.blob(data)) for key, data in (checkpoints or {}).items()]
        said = machine if isinstance(machine, bytes) else json.dumps(machine).encode()
        folder = self.tree([*files, *inner])
        top = [(FOLDER, b"checkpoints", folder), (FILE, b"machine.json", self.blob(said)), *rows]
        self.ref(name, self.commit(self.tree(top)))
        return name


def checkpoint(name: str = "good-one", task: str = "Build the page", more: str = "") -> bytes:
    """A checkpoint's text."""
    return (
        f"# Checkpoint: {name}\n\n**Created:** 2026-03-01 21:40 GMT\n**Task:** {task}\n\n"
        f"## Next Action\n\n- Go on with it\n{more}"
    ).encode()
