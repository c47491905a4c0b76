"""`note`: one line for SESSION-STATE.md, the log that the next save reads first.

The file belongs to the user and to their agent: a line is only ever added, below a heading of its
kind; every byte that stood there stays.
"""

from __future__ import annotations

from collections.abc import Mapping

from onward.commands import workspace
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import UsageError
from onward.storage import atomic, documents, locks

HEADINGS: Mapping[str, str] = {
    "decision": "Decisions",
    "correction": "Corrections",
    "preference": "Preferences",
    "dead-end": "Dead Ends",
    "blocker": "Blockers",
}


def note(world: World, text: str, kind: str) -> Result:
    """Add `text` as one bullet, whose tag says that the user vouches for it. Raises UsageError for an empty one, StorageError."""
    line = workspace.redactor(world).text(" ".join(text.split()))
    if not line:
        raise UsageError(
            "a note needs words", 'onward note "We keep JWT: sessions need sticky servers"'
        )
    project = workspace.here(world)
    workspace.at_work(world, project)
    path = project.state_file
    with locks.hold(locks.beside(path), inside=project.root):
        after = add(
            documents.read_bytes(path, project.root), f"## {HEADINGS[kind]}", f"- {line} [asked]"
        )
        atomic.write_bytes(path, after, inside=project.root)
    shown = workspace.shown(path, world, project.root)
    data = {"kind": kind, "text": line, "path": shown}
    return Result(text=compose(f"Noted in {shown} under {HEADINGS[kind]}: {line}"), data=data)


def add(data: bytes, heading: str, line: str) -> bytes:
    """The file with a line more at the end of a section, which is made where there is none.

    Every byte that stood there stays as it was.
    """
    new, rows = line.encode(), data.splitlines(keepends=True)
    if not data.strip():
        return f"# Session State\n\n{heading}\n\n".encode() + new + b"\n"
    starts = [at for at, row in enumerate(rows) if row.strip() == heading.encode()]
    if not starts:
        lead = b"" if data.endswith(b"\n") else b"\n"
        return data + lead + f"\n{heading}\n\n".encode() + new + b"\n"
    end = starts[-1] + 1
    while end < len(rows) and not rows[end].startswith(b"#"):
        end += 1
    while not rows[end - 1].strip():  # behind the last line that says something
        end -= 1
    before, after = b"".join(rows[:end]), b"".join(rows[end:])
    lead = b"" if before.endswith(b"\n") else b"\n"
    gap = b"\n" if end - 1 == starts[-1] else b""
    return before + lead + gap + new + b"\n" + after
