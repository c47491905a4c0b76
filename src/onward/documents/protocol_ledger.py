"""What earlier saves left in session-protocol.json: the block `Saved Sessions`.

A session's own task list is the truth about its tasks: when the same session saves again, what
its list no longer has may go. What the user changed since is theirs; for each task the block holds
the status and the title that the session gave, and a checksum of the rest, and for each line of
our blocks a short hash (`by_hand`).

    - 0b1c2d3e-…: request TASK_001 in_progress 5d2c9e01 1f3a77d0, TASK_004 pending 77ab01ff 9c0d11e2
    - last number: TASK_009
    - first: TASK_001
    - lines: 82d4c663fb13
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping

from msgspec import Struct

from onward.documents.kinds import one_of
from onward.documents.markdown import folded
from onward.documents.protocol_records import BlockRecord, TaskRecord
from onward.model import Block, Task, TaskStatus

TITLE = "Saved Sessions"
_MOST = 30
"""Sessions whose open tasks are told apart; those of older ones stay as they are."""
_MARK = (
    r"(?P<request>request )?(?P<id>TASK_\d+) (?:(?P<status>pending|in_progress|completed) )?"
    r"(?P<checksum>[0-9a-f]{8})(?: (?P<title>[0-9a-f]{8}))?"
)
_UNNAMED = re.sub(r"\?P<\w+>", "?:", _MARK)
_LINE = re.compile(rf"- (?P<session>[\w.-]+):(?P<tasks>(?: {_UNNAMED},?)*)$")
_LAST = re.compile(r"- last number: TASK_(\d{1,9})$")
_FIRST = re.compile(r"- first: (TASK_\d{1,9})$")
_LINES = re.compile(r"- lines: ([0-9a-f]+)$")
_OWN = re.compile(r"- own: ([0-9a-f]+)$")


class Mark(Struct, frozen=True, kw_only=True):
    """A task as a session gave it. `request`: it stands for what was asked, for want of a list.

    A mark of an earlier version has neither `status` nor `title`, and only open tasks have one.
    """

    id: str
    checksum: str
    request: bool = False
    status: TaskStatus | None = None
    title: str = ""

    def fits(self, record: TaskRecord) -> bool:
        """Whether the user changed nothing of the task since. A request of another session that
        waits now is as that one left it.
        """
        if self.id != record.task.id:
            return False
        if self.status is None:
            return self.checksum == _former_checksum(record)
        same = self.status == record.task.status
        waits = self.request and "completed" not in {self.status, record.task.status}
        return self.checksum == checksum(record) and (same or waits)


Marks = Mapping[str, tuple[Mark, ...]]
"""Session id to its tasks, in the order of its list; the session that saved last comes first."""


class Ledger(Struct, frozen=True, kw_only=True):
    """The block. `last` is the highest number that a task ever had, `first` the task that would
    stand first if the user had moved none; `lines` and `own` are those of a closing comment.
    """

    marks: Marks = {}
    last: int = 0
    first: str = ""
    lines: str = ""
    own: str = ""


def read(blocks: Iterable[BlockRecord]) -> Ledger:
    """The ledger of a file; lines that are not ours are passed over."""
    found = [r.block.content for r in blocks if r.block.title == TITLE]
    lines = "\n".join(found).split("\n")
    sessions = [line for each in lines if (line := _LINE.match(each))]
    return Ledger(
        marks={
            line["session"]: tuple(map(_mark, re.finditer(_MARK, line["tasks"])))
            for line in sessions
        },
        last=max((int(number) for number in _each(_LAST, lines)), default=0),
        first=next(iter(_each(_FIRST, lines)), ""),
        lines="".join(_each(_LINES, lines)),
        own="".join(_each(_OWN, lines)),
    )


def block(ledger: Ledger, tasks: Iterable[Task[str]], old: str) -> Block[str]:
    """The block for the tasks of a file, with the lines of `old` that are the user's; empty where
    no session is known. Of earlier sessions only open tasks are kept.
    """
    status = {task.id: task.status for task in tasks}
    lines: list[str] = []
    related: dict[str, None] = {}
    for number, (session, own) in enumerate(list(ledger.marks.items())[:_MOST]):
        left = [m for m in own if status.get(m.id, "completed") != "completed"]
        if number and not left:
            continue
        kept = left if number else [mark for mark in own if mark.id in status]
        lines.append(f"- {session}: {', '.join(map(_shown, kept))}".rstrip())
        related |= dict.fromkeys(mark.id for mark in left)
    if lines:
        lines.append(f"- last number: TASK_{ledger.last:03}")
        lines += [f"- first: {ledger.first}"] if ledger.first else []
        lines += [f"- lines: {ledger.lines}"] if ledger.lines else []
        lines += [f"- own: {ledger.own}"] if ledger.own else []
    ours = (_LINE, _LAST, _FIRST, _LINES, _OWN)
    lines += [line for line in old.split("\n") if line and not any(p.match(line) for p in ours)]
    return Block(title=TITLE, content="\n".join(lines), related_tasks=tuple(related))


def checksum(record: TaskRecord) -> str:
    """What tells whether anything but the status of a task was changed."""
    task = record.task
    return _crc(
        (task.title, task.priority, task.category, task.context, task.files, *sorted(record.other))
    )


def title_hash(title: str) -> str:
    """What a task of a session's list is found by, whatever its title in the file is now."""
    return _crc(folded(title))


def _former_checksum(record: TaskRecord) -> str:
    task = record.task
    is_done = task.status == "completed"
    shown = (task.title, is_done, task.priority, task.context, task.files, sorted(record.other))
    return _crc(shown)


def _crc(value: object) -> str:
    return f"{zlib.crc32(repr(value).encode('utf-8', 'replace')):08x}"


def _mark(found: re.Match[str]) -> Mark:
    return Mark(
        id=found["id"],
        checksum=found["checksum"],
        request=bool(found["request"]),
        status=one_of(TaskStatus, (found["status"],)),
        title=found["title"] or "",
    )


def _shown(mark: Mark) -> str:
    words = ("request" * mark.request, mark.id, mark.status or "", mark.checksum, mark.title)
    return " ".join(word for word in words if word)


def _each(pattern: re.Pattern[str], lines: Iterable[str]) -> list[str]:
    return [found[1] for line in lines if (found := pattern.match(line))]
