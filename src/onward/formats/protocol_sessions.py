"""Which session brought which open task: the block `Saved Sessions` of session-protocol.json.

Part of the formats room. A session's own task list is the truth about its tasks: when the
same session saves again, what its list no longer has may go. A task that a person touched
since is theirs; the mark of each task, a checksum of what we wrote, tells.

    - 0b1c2d3e-…: request TASK_001 5d2c9e01, TASK_004 77ab01ff
    - last number: TASK_009
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping

from msgspec import Struct

from onward.formats.protocol_records import BlockRecord, TaskRecord
from onward.model import Block

TITLE = "Saved Sessions"
_MOST = 30
"""Sessions whose open tasks are told apart; those of older ones stay as they are."""
_LINE = re.compile(r"- (?P<session>[\w.-]+):(?P<tasks>(?: (?:request )?TASK_\d+ [0-9a-f]{8},?)*)$")
_LAST = re.compile(r"- last number: TASK_(\d{1,9})$", re.MULTILINE)
_TASK = re.compile(r"(request )?(TASK_\d+) ([0-9a-f]{8})")


class Mark(Struct, frozen=True):
    """An open task as a session left it. `request`: it stands for what was asked, for want
    of a list.
    """

    id: str
    checksum: str
    request: bool = False

    def fits(self, record: TaskRecord) -> bool:
        """Whether nobody touched the task since."""
        return self.id == record.task.id and self.checksum == _checksum(record)


Marks = dict[str, tuple[Mark, ...]]
"""Session id to its open tasks; the session that saved last comes first."""


def read(blocks: Iterable[BlockRecord]) -> Marks:
    """The sessions of a file; lines that are not ours are passed over."""
    lines = (
        line
        for record in blocks
        if record.block.title == TITLE
        for line in record.block.content.split("\n")
    )
    return {
        found["session"]: tuple(
            Mark(task, checksum, bool(request))
            for request, task, checksum in _TASK.findall(found["tasks"])
        )
        for line in lines
        if (found := _LINE.match(line))
    }


def last_number(blocks: Iterable[BlockRecord]) -> int:
    """The highest number that a task of the file ever had, as far as the block tells."""
    text = "\n".join(r.block.content for r in blocks if r.block.title == TITLE)
    return max((int(number) for number in _LAST.findall(text)), default=0)


def mark(record: TaskRecord, *, request: bool) -> Mark:
    """The mark of a task as it stands in the file."""
    return Mark(record.task.id, _checksum(record), request)


def block(
    marks: Mapping[str, tuple[Mark, ...]], tasks: Iterable[TaskRecord], last: int, old: str
) -> Block[str]:
    """The block for the tasks that are still open, with the lines of `old` that are a
    person's; empty where no session is known. No id up to the number `last` is given again.
    """
    still = {record.task.id for record in tasks if record.task.status != "completed"}
    lines: list[str] = []
    related: dict[str, None] = {}
    for session, own in list(marks.items())[:_MOST]:
        left = [one for one in own if one.id in still]
        if not left and lines:
            continue
        shown = (f"{'request ' * one.request}{one.id} {one.checksum}" for one in left)
        lines.append(f"- {session}: {', '.join(shown)}".rstrip())
        related |= dict.fromkeys(one.id for one in left)
    if lines:
        lines.append(f"- last number: TASK_{last:03}")
    lines += [
        line for line in old.split("\n") if line and not _LINE.match(line) and not _LAST.match(line)
    ]
    return Block(title=TITLE, content="\n".join(lines), related_tasks=tuple(related))


def _checksum(record: TaskRecord) -> str:
    task = record.task
    is_done = task.status == "completed"
    shown = (task.title, is_done, task.priority, task.context, task.files, sorted(record.other))
    return f"{zlib.crc32(repr(shown).encode('utf-8', 'replace')):08x}"
