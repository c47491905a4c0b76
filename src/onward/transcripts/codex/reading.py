"""The lines of a rollout in file order, one at a time, into events.

What is kept between lines is bounded: calls that wait for their result, what still runs, the
plan, and who spoke last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final

from onward.model import Compacted, Event, Halt, Interrupt, Moved, Titled, TurnEnded
from onward.transcripts.codex import provenance
from onward.transcripts.codex.activity import Acts, Events
from onward.transcripts.codex.calls import CALLS, OUTPUTS
from onward.transcripts.codex.conversation import Talk
from onward.transcripts.codex.records import Body, Line
from onward.transcripts.opened import HERE, placed

_LEAD_IN: Final = re.compile(
    r"Another language model started to solve this problem.{0,600}?:\n", re.DOTALL
)

Readers = dict[str, Callable[[Body], Iterator[Event]]]


class Reading:
    """The fold over one rollout. `thread` is "" for the one that was asked for, else the id of
    the sub-agent whose it is. `shift` is added to the numbers of lines.
    """

    def __init__(self, helpers: Events, thread: str = "") -> None:
        self.session = self.cwd = self.branch = self.version = self.started = self.ended = ""
        self.shift = self._line = 0
        self._at = ""
        self._thread = thread
        self._acts = Acts(helpers)
        self._talk = Talk(self._acts, helper=bool(thread))
        self._lines: Readers = {
            "session_meta": self._began,
            "turn_context": self._moved,
            "compacted": self._compacted,
        }
        self._items: Readers = {
            "message": self._message_item,
            "web_search_call": self._search_item,
            **dict.fromkeys(CALLS, self._call_item),
            **dict.fromkeys(OUTPUTS, self._acts.came),
        }
        self._news: Readers = {
            "user_message": self._user_news,
            "agent_message": self._agent_news,
            "item_completed": self._item_news,
            "exec_command_end": self._command_news,
            "patch_apply_end": self._patch_news,
            "task_started": self._turn_news,
            "task_complete": self._turn_news,
            "turn_aborted": self._turn_news,
            "error": self._error_news,
            "thread_name_updated": self._name_news,
        }

    def feed(self, line: int, record: Line) -> Iterable[Event]:
        """The events that this line completes."""
        body = record.payload
        at = record.timestamp or ""
        if at:
            self.started = self.started or at
            self.ended = at
        if body is None:
            read = self._items.get(record.type) or (self._began if record.id else None)
        elif record.type == "response_item":
            read = self._items.get(body.type)
        elif record.type == "event_msg":
            read = self._news.get(body.type)
        else:
            read = self._lines.get(record.type)
        if read is None:
            return ()
        self._line, self._at = line + self.shift, at
        return placed(read(body or record), self._line, at, self._thread)

    def finish(self) -> Iterator[Event]:
        """At the end of the file: what is still open."""
        left = chain(self._talk.release(), self._acts.finish())
        yield from placed(left, self._line, self._at, self._thread)

    # ---------------------------------------------------------------------- the thread

    def _began(self, body: Body) -> Iterator[Event]:
        if self.session and body.id != self.session:
            return  # what an older client copied from the thread that this one was forked from
        self.session = self.session or body.id or ""
        self.started = self.started or body.timestamp or ""
        yield from self._moved(body)

    def _moved(self, body: Body) -> Iterator[Event]:
        cwd = body.cwd or self.cwd
        branch = (body.git.branch if body.git else None) or self.branch
        version = body.cli_version or self.version
        if (cwd, branch, version) != (self.cwd, self.branch, self.version):
            self.cwd, self.branch, self.version = cwd, branch, version
            yield Moved(line=HERE, cwd=cwd, branch=branch, version=version)

    def _compacted(self, body: Body) -> Iterator[Event]:
        self._talk.forget_reply()
        yield from self._talk.release()
        yield Compacted(
            line=HERE,
            summary=_LEAD_IN.sub("", body.message or "", count=1).strip(),
            # A user's own compaction is a turn in which nothing is said.
            automatic=self._talk.in_turn,
        )

    def _turn_news(self, body: Body) -> Iterator[Event]:
        yield from self._talk.release()
        self._talk.turn(body.type == "task_started")
        if body.type == "task_complete":
            yield TurnEnded(line=HERE)
        if body.type != "turn_aborted":
            return
        act = self._acts.running
        yield from self._acts.settle()
        yield from self._acts.abandon("interrupted")
        if body.reason == "interrupted":
            yield Interrupt(line=HERE, act=act)
        elif body.reason == "budget_limited":
            yield Halt(line=HERE, reason="the budget was used up")

    def _error_news(self, body: Body) -> Iterator[Event]:
        if body.message:
            yield Halt(line=HERE, reason=body.message)

    def _name_news(self, body: Body) -> Iterator[Event]:
        if body.thread_name:
            yield Titled(line=HERE, text=body.thread_name, by_user=True)

    # ------------------------------------------------------------------------ its items

    def _message_item(self, body: Body) -> Iterator[Event]:
        yield from self._talk.release()
        # Up to 0.31 nothing else tells the folder.
        if (
            body.role == "user"
            and not self.cwd
            and (cwd := provenance.folder_in(provenance.joined(body)))
        ):
            yield from self._moved(Body(cwd=cwd))
        yield from self._talk.sent(self._line, self._at, body)

    def _call_item(self, body: Body) -> Iterator[Event]:
        yield from self._talk.release()
        yield from self._acts.called(self._line, self._at, body, self.cwd)

    def _search_item(self, body: Body) -> Iterator[Event]:
        yield from self._talk.release()
        yield from self._acts.searched(body)

    # --------------------------------------------------------------- news of the same

    def _user_news(self, body: Body) -> Iterator[Event]:
        images = len(body.images or ()) + len(body.local_images or ())
        return self._talk.typed(body.message or "", images)

    def _agent_news(self, body: Body) -> Iterator[Event]:
        return self._talk.answered(body.message or "")

    def _command_news(self, body: Body) -> Iterator[Event]:
        return self._acts.ended(body.call_id or "", body, self.cwd)

    def _patch_news(self, body: Body) -> Iterator[Event]:
        if body.success:
            yield from self._acts.patched(body.call_id or "", body)

    def _item_news(self, body: Body) -> Iterator[Event]:
        """A finished item, in the paginated form."""
        item = body.item
        if item is None:
            return
        if item.type == "UserMessage":
            images = sum("image" in part.type for part in item.content or ())
            yield from self._talk.typed(provenance.joined(item), images)
        elif item.type == "AgentMessage":
            yield from self._talk.answered(provenance.joined(item))
        elif item.type == "Plan":
            yield from self._talk.plans(item.text or "")
        elif item.type == "CommandExecution":
            yield from self._acts.ended(item.id, item, self.cwd)
        elif item.type == "FileChange" and item.status in {None, "completed"}:
            yield from self._acts.patched(item.id, item)
        elif item.status == "declined":
            self._acts.declined(item.id)
