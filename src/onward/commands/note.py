"""`note`: one line for SESSION-STATE.md, the log that the next save reads first.

The file belongs to the user and to their agent. A note is only ever added at its end, below
a heading of its kind; nothing that stands in it is moved or rewritten. Readers take several
headings of one kind as one.
"""

from __future__ import annotations

from collections.abc import Mapping

from onward.commands import workspace
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import UsageError
from onward.evidence import escape
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
    heading = f"## {HEADINGS[kind]}"
    with locks.hold(locks.beside(path), inside=project.root):
        before = documents.read(path, project.root)
        added = compose(*_lines(before, heading), f"- {escape(line)} [asked]")
        # Whole, where nothing is to be added to: a full disk must not leave an empty file.
        if path.exists():
            atomic.append_bytes(path, added.encode(), inside=project.root)
        else:
            atomic.write_bytes(path, f"{added}\n".encode(), inside=project.root)
    shown = workspace.shown(path, world, project.root)
    data = {"kind": kind, "text": line, "path": shown}
    return Result(
        text=compose(f"Noted in {shown} under {HEADINGS[kind]}: {escape(line)}"), data=data
    )


def _lines(before: str, heading: str) -> list[str]:
    """What must stand before the bullet: nothing, where the last heading is the right one."""
    if not before.strip():
        return ["# Session State", "", heading, ""]
    headings = [line.strip() for line in before.splitlines() if line.startswith("#")]
    if headings and headings[-1] == heading:
        return []
    return ["", heading, ""]
