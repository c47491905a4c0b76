"""The lines of a rollout in file order, one at a time, into events.

What is kept between lines is bounded: calls that wait for their result, what still runs, the
plan, and who spoke last.

Each text stands in a rollout twice, for the model and for the screen. What the screen was told
decides, since it holds only what somebody said. The other copy counts in files that never tell the
screen anything (before 0.34, and excerpts).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final

from msgspec.structs import replace

from onward.model import (
    Compacted,
    Event,
    Halt,
    Interrupt,
    Planned,
    Prompt,
    Ran,
    Reply,
    Titled,
    TurnEnded,
    Used,
)
from onward.transcripts import truncation
from onward.transcripts.codex import calls, records
from onward.transcripts.codex.activity import Activity
from onward.transcripts.codex.records import Body, Line, joined
from onward.transcripts.edits import HERE
from onward.transcripts.reader import Transcript, placed
from onward.transcripts.values import text as text_in

_LEAD_IN: Final = re.compile(
    r"Another language model started to solve this problem.{0,600}?:\n", re.DOTALL
)
_PLAN: Final = re.compile(r"<proposed_plan>\n?(.*?)</proposed_plan>", re.DOTALL)
_PLAN_END: Final = "</proposed_plan>"
_BRANCH: Final = re.compile(
    r"^(?:Switched to (?:a new )?branch '(?P<to>[^'\n]+)'$"
    r"|\[(?P<commit>[^\s\]]+)(?: \(root-commit\))? [0-9a-f]{7,40}\] "
    r"|On branch (?P<status>\S+)$)",
    re.MULTILINE,
)
"""What git says of the branch: a switch, a commit, a status."""
_ELSEWHERE: Final = re.compile(r"\bcd\s|git\s+(?:-C|worktree)\b")

Readers = dict[str, Callable[[Body], Iterator[Event]]]


def _branch_in(ran: Ran) -> str:
    """The branch that a command in its own folder switched to, committed on or showed; "" if none."""
    if _ELSEWHERE.search(ran.command):
        return ""
    found = [match for match in _BRANCH.finditer(ran.output) if match["to"] or "git" in ran.command]
    return next((name for name in found[-1].groups() if name), "") if found else ""


class Reading(Activity):
    """The fold over one rollout. A sub-agent's prompts are the agent's own words, and left out."""

    def __init__(self, files: Transcript[Line], thread: str = "") -> None:
        super().__init__(files, thread)
        self._told: set[type[Event]] = set()
        """The sides of the conversation that the screen was told of."""
        self._held: dict[type[Event], Prompt | Reply] = {}
        """What the model was sent; the screen may be told right after."""
        self._runs = False
        self._prompts = 0
        """Prompts of the running turn; the second was typed while the agent worked."""
        self._plan = ""
        self._lines: Readers = {
            "session_meta": self._began,
            "turn_context": self._moved,
            "compacted": self._compacted,
        }
        self._items: Readers = {
            "message": self._message_item,
            "web_search_call": self._search_item,
            **dict.fromkeys(calls.CALLS, self.called),
            **dict.fromkeys(calls.OUTPUTS, self.came),
        }
        self._news: Readers = {
            "user_message": self._user_said,
            "agent_message": self._agent_said,
            "item_completed": self._item_news,
            "exec_command_end": self.command_ended,
            "patch_apply_end": self._patch_news,
            "task_started": self._turn_news,
            "task_complete": self._turn_news,
            "turn_aborted": self._turn_news,
            "error": self._error_news,
            "thread_name_updated": self._name_news,
        }

    def feed(self, line: int, record: Line) -> Iterable[Event]:
        """As `reader.Reading`."""
        body = record.payload
        at = record.timestamp or ""
        self.moment(at)
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
        self._line, self._at = line, at
        return placed(self._seen(read(body or record)), self._line, at, self.thread)

    def _seen(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events; the branch that git's own output names, since the client writes it down only
        when a thread begins.
        """
        for event in events:
            yield event
            if isinstance(event, Ran) and event.cwd == self.cwd and not event.failed:
                branch = _branch_in(event)
                yield from self.moved(self.cwd, branch or self.branch, self.version)

    def finish(self) -> Iterator[Event]:
        """As `reader.Reading`."""
        left = chain(self.release(), self.left())
        yield from placed(left, self._line, self._at, self.thread)

    # ---------------------------------------------------------------------- the thread

    def _began(self, body: Body) -> Iterator[Event]:
        if self.session and body.id != self.session:
            return  # what an older client copied from the thread that this one was forked from
        self.session = self.session or body.id or ""
        self.started = self.started or body.timestamp or ""
        yield from self._moved(body)

    def _moved(self, body: Body) -> Iterator[Event]:
        branch = text_in(body.git or {}, "branch") or self.branch
        return self.moved(body.cwd or self.cwd, branch, body.cli_version or self.version)

    def _compacted(self, body: Body) -> Iterator[Event]:
        self._held.pop(Reply, None)  # not meant for the user
        yield from self.release()
        summary = _LEAD_IN.sub("", body.message or "", count=1).strip()
        # A user's own compaction is a turn in which nothing is said.
        yield Compacted(line=HERE, summary=summary, automatic=self._in_turn)

    def _turn_news(self, body: Body) -> Iterator[Event]:
        yield from self.release()
        self._runs, self._prompts = body.type == "task_started", 0
        if body.type == "task_complete":
            yield TurnEnded(line=HERE)
        if body.type != "turn_aborted":
            return
        act = self.running()
        yield from self.settle()
        yield from self.abandon("interrupted")
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

    # --------------------------------------------------------------- what was said

    @property
    def _in_turn(self) -> bool:
        """Whether the agent is at work on a prompt."""
        return self._runs and self._prompts > 0

    def _hold(self, copy: Prompt | Reply) -> None:
        if type(copy) not in self._told:
            self._held[type(copy)] = copy

    def release(self) -> Iterator[Event]:
        """What the model was sent and no screen was told."""
        prompt, reply = self._held.pop(Prompt, None), self._held.pop(Reply, None)
        if isinstance(prompt, Prompt):
            yield from self._says(prompt)
        if isinstance(reply, Reply):
            yield from self._replies(reply)

    def _tell(self, said: Prompt | Reply) -> Iterator[Event]:
        """The screen was told something: copies do not count from now on."""
        self._told.add(type(said))
        self._held.pop(type(said), None)
        return self._says(said) if isinstance(said, Prompt) else self._replies(said)

    def _says(self, prompt: Prompt) -> Iterator[Event]:
        told = records.words(prompt.text)
        if self.thread or told.kind in {"nobody", "notice"} or not (told.text or prompt.images):
            return
        yield from self.settle()
        late = self._in_turn
        if not late:
            # A new turn: what never came back was cut off with the client.
            yield from self.abandon("interrupted")
        if told.kind == "plan" or (told.kind == "implement" and self._plan):
            plan = told.text if told.kind == "plan" else self._plan
            yield Planned(line=prompt.line, at=prompt.at, text=plan, approved=True)
        elif told.kind == "command" or told.kind == "shell":  # noqa: PLR1714 - narrows the type
            yield replace(prompt, text=told.text, source=told.kind)
        else:
            yield replace(prompt, text=told.text, source="queued" if late else "typed")
        self._prompts += told.kind != "shell"
        self._plan = ""

    def _replies(self, reply: Reply) -> Iterator[Event]:
        # Behind the last end of one, many beginnings would each be followed to the end.
        text = reply.text
        head, end, rest = text.rpartition(_PLAN_END)
        before, *found = _PLAN.split(head + end)
        if found:
            yield from self._plans(found[0], reply.line, reply.at)
            text = "\n\n".join(part.strip() for part in (before, *found[1:-1:2], found[-1] + rest))
            text = text.strip()
        if text.strip():
            yield replace(reply, text=text)

    def _plans(self, text: str, line: int = HERE, at: str = "") -> Iterator[Event]:
        """A plan that the agent puts before the user."""
        if text.strip() and text.strip() != self._plan:
            self._plan = text.strip()
            yield Planned(line=line, at=at, text=self._plan)

    # ------------------------------------------------------------------------ its items

    def _message_item(self, body: Body) -> Iterator[Event]:
        yield from self.release()
        text = joined(body)
        if body.role == "assistant" and text.strip():
            self._hold(Reply(line=self._line, at=self._at, text=text))
        if body.role != "user":
            return
        # Up to 0.31 nothing else tells the folder.
        if not self.cwd and (cwd := records.folder_in(text)):
            yield from self._moved(Body(cwd=cwd))
        told = records.words(text)
        if told.kind == "notice":
            yield from self.helper_news(told.text)
        elif told.kind == "shell":
            yield from self._says(Prompt(line=HERE, text=text))
        elif told.kind != "nobody":
            images = sum(part.type == "input_image" for part in body.content or ())
            self._hold(Prompt(line=self._line, at=self._at, text=text, images=images))

    def _search_item(self, body: Body) -> Iterator[Event]:
        """A search of the web, which the model itself does."""
        yield from self.release()
        detail = truncation.one_line(calls.query(body))
        yield Used(line=HERE, tool="web_search", detail=detail)

    # --------------------------------------------------------------- news of the same

    def _user_said(self, body: Body) -> Iterator[Event]:
        images = len(body.images or ()) + len(body.local_images or ())
        images += sum("image" in part.type for part in body.content or ())
        return self._tell(Prompt(line=HERE, text=body.message or joined(body), images=images))

    def _agent_said(self, body: Body) -> Iterator[Event]:
        return self._tell(Reply(line=HERE, text=body.message or joined(body)))

    def _patch_news(self, body: Body) -> Iterator[Event]:
        if body.success:
            yield from self.patched(body)

    def _item_news(self, body: Body) -> Iterator[Event]:
        """A finished item, in the paginated form."""
        item = body.item or Body()
        if item.type == "UserMessage":
            yield from self._user_said(item)
        elif item.type == "AgentMessage":
            yield from self._agent_said(item)
        elif item.type == "Plan":
            yield from self._plans(item.text or "")
        elif item.type == "CommandExecution":
            yield from self.command_ended(item)
        elif item.type == "FileChange" and item.status in {None, "completed"}:
            yield from self.patched(item)
        elif item.status == "declined" and (call := self._calls.get(item.id or "")):
            call.declined = True
