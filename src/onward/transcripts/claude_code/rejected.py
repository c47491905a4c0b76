"""Tool uses that were rejected without a word, until it is known how.

A user who presses Escape while a command runs leaves the same result as one who says no when
asked (measured with 2.1.330). There the record of a real refusal says who decided, and the
interrupt after the other names the answer that it cut off; older clients say neither.
"""

from __future__ import annotations

from onward.model import Event
from onward.transcripts.claude_code import tools
from onward.transcripts.claude_code.calls import Call, Result
from onward.transcripts.claude_code.records import Record


class Rejected:
    """Holds back such results up to the next record of the conversation."""

    def __init__(self) -> None:
        self._held: list[tuple[Call, Result]] = []

    def hold(self, call: Call, result: Result) -> bool:
        """Whether only the next record can tell what became of the call."""
        if result.words or result.decided:
            return False
        self._held.append((call, result))
        return True

    def settle(self, record: Record | None = None) -> list[Event]:
        """What the calls came to, once the next record is there (None: at the end of the file).
        More tool uses rejected at the same time settle nothing.
        """
        if not self._held or (record and not _tells(record)):
            return []
        stopped = record is not None and bool(record.interrupted_message_id)
        told = tools.stopped if stopped else tools.refused
        held, self._held = self._held, []
        return [event for call, result in held for event in told(call, result)]


def _tells(record: Record) -> bool:
    beside = record.tool_denial_kind == "user-rejected" and record.permission_decision is None
    return record.type in {"user", "assistant"} and not beside
