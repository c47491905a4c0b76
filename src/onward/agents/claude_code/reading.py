"""Records in file order, one at a time, into events.

File order is the live order: walking the parent links instead loses live work (over 109
sessions 2,781 tool results and 416 prompts), so they are not followed here. What is kept
between records is bounded: calls that wait for their result, queued texts, the task list.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import structs

from onward.agents.claude_code import records, tools
from onward.agents.claude_code.records import Message, News, Queue, Record, Said
from onward.agents.claude_code.tools import Result
from onward.model import (
    Background,
    Compacted,
    Event,
    Halt,
    Interrupt,
    Linked,
    Looked,
    Planned,
    Prompt,
    Reply,
    Titled,
    TurnEnded,
)
from onward.transcripts import reader, tool_calls, truncation
from onward.transcripts.reader import PENDING, placed, remember
from onward.transcripts.tool_calls import HERE, Call, Helped
from onward.transcripts.values import decoded, fields, text, text_of, word_set

_SEEN: Final = 50_000  # things that are remembered, so that none is told twice

_COMMAND: Final = re.compile(r"/[a-z][\w:.-]*(\s|$)")
"""A slash command in the queue, and no path: it comes back as a record of its own."""
_READ: Final = word_set(
    "user assistant system attachment queue-operation pr-link ai-title custom-title"
)
_SCRIPT: Final = "sdk-cli"  # how the client calls a run without a screen
_TURN_ENDS: Final = frozenset({"turn_duration", "stop_hook_summary"})
_CLIENTS_OWN: Final = ("agent-acompact-", "agent-aprompt_suggestion-", "agent-aside_question-")
"""Sub-agents that the client runs for itself: copies of the conversation."""
_FOOT: Final = re.compile(
    r"\s{0,4}agentId: [\w-]{1,100} \([^\n]{0,200}\)(?:\s{0,4}<usage>[^<]{0,400}</usage>)?\s{0,4}\Z"
)
"""What the client writes below a sub-agent's report."""
_OVER: Final = re.compile(r"is not running, so cannot be killed \(status: (\w{1,20})\)")
End = Literal["done", "failed", "killed", "running"]
_ENDS: Final[dict[str, End]] = {
    "completed": "done",
    "failed": "failed",
    "killed": "killed",
    "stopped": "killed",
}


def _spoken(waiting: Iterable[Prompt]) -> Iterator[Prompt]:
    return (each for each in waiting if each.text and not _COMMAND.match(each.text))


def _killed(call: Call, result: Result) -> Iterator[Event]:
    over = _OVER.search(result.text) if result.is_error else None
    if over or not result.is_error:
        state = _ENDS.get(over[1], "running") if over else "killed"
        yield Background(line=HERE, id=text(call.given, "task_id", "shell_id"), state=state)


class Reading(reader.Reading[Record]):
    """The fold over one file."""

    def __init__(self, files: reader.Transcript[Record], thread: str = "") -> None:
        super().__init__(files, thread)
        self.tasks = files.tasks
        # Whether the whole file is a sub-agent's, whose user records no user wrote; the
        # first record of the conversation tells.
        self._side: bool | None = True if thread else None
        self._queue = Queue()
        self._injected: list[Prompt] = []
        """What left the queue for the running turn, until it is known who put it there."""
        self._automatic = False
        """Whether the compaction whose summary comes next was the client's own."""
        self._act = ""
        self._shared: set[str] = set()
        """Ids that several tool calls have, so that it cannot be told whose result is whose."""
        self._held: list[tuple[Call, Result]] = []
        """Tool uses that were rejected without a word, until it is known how."""
        self._plans: dict[str, bool | None] = {}
        self._seen: dict[str | bytes, None] = {}
        self._copied: dict[str, Reading | None] = {}
        """Of each sub-agent that has no file of its own, the fold over the copies of what it did."""

    def feed(self, line: int, record: Record) -> Iterable[Event]:
        """As `reader.Reading`."""
        if record.type == "progress" and not self.thread:
            return self._of_copy(line, record)
        self.info.last_prompt = record.last_prompt or self.info.last_prompt
        return super().feed(line, record) if record.type in _READ else ()

    def _of_copy(self, line: int, record: Record) -> Iterator[Event]:
        copy = records.copied(record)
        agent, message = copy.agent_id, copy.message
        if not agent or message is None:
            return
        if agent not in self._copied:
            own = self.files.reader.find(self.files.path, agent)
            remember(self._copied, agent, None if own else Reading(self.files, agent), PENDING)
        if helper := self._copied[agent]:
            place = {"cwd": record.cwd, "git_branch": record.git_branch, "version": record.version}
            before = self.tasks.items
            yield from helper.feed(line, structs.replace(message, **place))
            listed = self.listed(changed=self.tasks.items != before)
            yield from placed(listed, line, message.timestamp or "", "")

    def _read(self, record: Record) -> Iterator[Event]:
        if record.type in {"user", "assistant"}:
            is_script = record.entrypoint == _SCRIPT
            self.info.unattended = is_script and (self.info.unattended or self._side is None)
            if self._side is None:
                self._side = self.info.hidden = bool(record.is_sidechain and record.agent_id)
        self.session = self.session or record.session_id or ""
        if record.is_sidechain and not self._side:
            return  # clients before 2.0 wrote sub-agents' records into the session's file
        yield from self._settle(record)
        if record.type not in {"queue-operation", "attachment"}:
            yield from self._delivered()
        if record.cwd:
            version = record.version or self.version
            yield from self.moved(record.cwd, record.git_branch or "", version)
        yield from self._told(record)

    def _told(self, record: Record) -> Iterator[Event]:
        match record.type:
            case "user":
                yield from self._user(record)
            case "assistant" if record.message:
                yield from self._assistant(record, record.message)
            case "system":
                yield from self._system(record)
            case "attachment":
                yield from self._attachment(record)
            case "queue-operation":
                yield from self._queued(record)
            case "pr-link" if record.pr_url and self._is_new(record.pr_url):
                number, where = record.pr_number, record.pr_repository or ""
                title = f"{where}#{number}" if number else ""
                yield Linked(line=HERE, url=record.pr_url, title=title)
            case "ai-title" | "custom-title":
                title = record.custom_title or record.ai_title
                if title and self._is_new(f"title {title}"):
                    yield Titled(line=HERE, text=title, by_user=bool(record.custom_title))

    def _is_new(self, key: str | bytes) -> bool:
        """Whether something is read for the first time: a record, a title, a link, news."""
        known = key in self._seen
        remember(self._seen, key, None, _SEEN)
        return not known

    def _left(self) -> Iterator[Event]:
        yield from self._settle()
        yield from super()._left()
        yield from self._delivered()
        yield from _spoken(self._queue.left())

    # ---------------------------------------------------------------------- the user

    def _user(self, record: Record) -> Iterator[Event]:
        if record.uuid and not self._is_new(record.uuid):
            return
        results = [block for block in record.blocks if block.type == "tool_result"]
        for block in results:
            extra = record.tool_use_result if len(results) == 1 else msgspec.Raw()
            result = Result(record, block, extra, self.line)
            result.version = result.version or self.version
            yield from self._result(block.tool_use_id, result)
        words = records.said(record)
        if not results:
            yield from self._said(words)
        elif (
            words.kind == "prompt" and not self._side
        ):  # what an approval of the call was given with
            yield Prompt(line=HERE, text=words.text, source="queued")

    def _said(self, words: Said) -> Iterator[Event]:
        if words.kind == "summary":
            summary = records.summary(words.text)
            yield Compacted(line=HERE, summary=summary, automatic=self._automatic)
            self._automatic = False
        elif words.kind == "interrupt":
            act = self.under_way(self._act)
            yield from self.abandon("interrupted")
            yield Interrupt(line=HERE, act=act)
            if words.text and not self._side:
                yield Prompt(line=HERE, text=words.text)
        elif words.kind == "news":
            yield from self._news(words.text)
        elif words.kind == "other":
            self._queue.claim(words.text)
        elif not self._side:
            yield from self._words(words)
        elif words.kind == "prompt" and not self.thread:
            yield Prompt(line=HERE, text=words.text, source="agent")

    def _words(self, words: Said) -> Iterator[Event]:
        if words.kind == "plan":
            yield Planned(line=HERE, text=words.text, approved=True)
        elif words.kind == "anew":
            # A context replaced by nothing.
            yield Compacted(line=HERE)
        elif words.kind == "command" or words.kind == "shell":  # noqa: PLR1714 - narrows the type
            yield Prompt(line=HERE, text=words.text, source=words.kind)
        elif words.kind == "prompt" and self._queue.claim(words.text):
            # The agent cannot be waiting for a tool now: whatever ran was cut off.
            self._act = ""
            yield from self.abandon("interrupted")
            yield Prompt(line=HERE, text=words.text, images=words.images)

    def _queued(self, record: Record) -> Iterator[Event]:
        if record.operation == "enqueue":
            words = records.words(text_of(record.content))
            if words.kind == "news":
                yield from self._news(words.text)
            # Every entry takes its place in the queue: what leaves it is told by order alone.
            text = words.text if words.kind == "prompt" else ""
            at = record.timestamp or ""
            self._queue.enqueue(Prompt(line=self.line, at=at, text=text, source="queued"))
        elif record.operation == "dequeue":
            self._queue.send()
        elif record.operation == "popAll":
            self._queue.take_back()
        elif record.operation == "remove" and (waiting := self._queue.inject()):
            self._injected.append(waiting)

    def _delivered(self) -> Iterator[Event]:
        waiting, self._injected = self._injected, []
        yield from _spoken(waiting)

    # ----------------------------------------------------------------------- the agent

    def _assistant(self, record: Record, message: Message) -> Iterator[Event]:
        self._act = ""
        if message.model == "<synthetic>" or record.is_api_error_message:
            reason = records.plain(record.blocks).strip()
            # The client's filler after an interrupt, not an answer and not a halt.
            if reason and reason != "No response requested.":
                yield Halt(line=HERE, reason=reason)
            return
        more = message.stop_reason == "tool_use"
        for block in record.blocks:
            if block.type == "text" and block.text.strip():
                yield Reply(line=HERE, text=block.text, message=message.id, more=more)
            elif block.type == "tool_use" and block.id:
                if block.id in self.calls:  # a redactor gave several calls one id
                    self._shared.add(block.id)
                self.wait(block.id, tools.called(block))

    def _result(self, key: str, result: Result) -> Iterator[Event]:
        call = None if key in self._shared else self.calls.pop(key, None)
        if call is None:
            if not result.is_error and isinstance(result.extra.get("structuredPatch"), list):
                lost = Call(name="", kind="edit", line=result.line)
                yield from tool_calls.edited(lost, tools.ended(lost, result))
            return
        result.foreign = call.name.startswith("mcp__")
        verdict = result.verdict
        if verdict == "refused":
            self._act = call.act
            if result.words or result.decided:
                yield from tools.refused(call, result)
            else:
                self._held.append((call, result))
        elif verdict in {"misuse", "failed"} and call.kind == "edit" and call.path:
            yield tool_calls.used(call, tools.ended(call, result))
        elif verdict == "misuse" or (verdict == "cancelled" and call.kind != "shell"):
            return
        elif call.kind == "shell":
            run = tool_calls.ran(call, tools.ended(call, result))
            self._act = call.act if run.state == "interrupted" else self._act
            yield run
            yield from tools.changed(call, result)
        elif verdict == "denied":
            yield tool_calls.used(call, tools.ended(call, result))
        else:
            yield from self._finished(call, result)

    def _settle(self, record: Record | None = None) -> Iterator[Event]:
        """What calls that were rejected without a word came to, once the next record of the
        conversation is there (None: at the end of the file). More of them at the same time settle
        nothing.

        A user who presses Escape while a command runs leaves the same result as one who says no
        when asked (measured with 2.1.330). There the record of a real refusal says who decided,
        and the interrupt after the other names the answer that it cut off; older clients say
        neither.
        """
        if self._held and record:
            beside = record.tool_denial_kind == "user-rejected"
            beside = beside and record.permission_decision is None
            if beside or record.type not in {"user", "assistant"}:
                return
        stopped = record is not None and bool(record.interrupted_message_id)
        held, self._held = self._held, []
        for call, result in held:
            events = tools.refused(call, result, stopped=stopped)
            yield from placed(events, result.line, result.at, self.thread)

    def _finished(self, call: Call, result: Result) -> Iterator[Event]:
        """A call that ended, well or not, of any tool but the shells."""
        kind = call.kind
        if kind == "plan":
            plan = tools.planned(call, result)
            self._plans[plan.path] = plan.approved
            yield plan
        elif kind == "agent":
            yield from self._delegation(call, result)
        elif (
            kind == "other"
            or (kind == "ask" and call.given.get("questions"))
            or (kind in {"edit", "read"} and not result.is_error)
        ):
            yield from tool_calls.events(call, tools.ended(call, result), self.tasks)
        elif kind == "kill":
            yield from _killed(call, result)
        elif result.is_error:
            return
        elif kind == "search":
            yield from tools.searched(call, result)
        elif kind == "todo" and not (self.thread and call.name == "TodoWrite"):  # a list of its own
            yield from self.listed(changed=tools.noted(self.tasks, call, result))
        elif kind == "news":
            yield from self._ended(tools.looked_after(call, result))

    def _unfinished(self, call: Call, state: Literal["open", "interrupted"]) -> Iterator[Event]:
        if call.kind == "plan":
            yield tools.planned(call, None)
        elif call.kind == "agent":
            agent = self._started_with(text(call.given, "prompt"))
            if state == "interrupted":  # it was stopped with the turn
                yield from self.files.thread_events(agent)
            else:
                yield from self.helped(agent, call)
        else:
            yield from super()._unfinished(call, state)

    # ---------------------------------------------------------------------- sub-agents

    @cached_property
    def _given(self) -> dict[Path, str]:
        """The prompt of each sub-agent, by its file."""
        if self.files.alone:
            return {}  # the beginning of a file has no path
        folder = self.files.path.with_suffix("") / "subagents"
        files = sorted(folder.glob("agent-*.jsonl"))
        return {file: self._first(file) for file in files if not file.name.startswith(_CLIENTS_OWN)}

    def _first(self, file: Path) -> str:
        every = self.files.reader.sought(file)
        told = (each for _, each in every if each.type == "user" and each.message)
        return next((records.plain(each.blocks) for each in told), "")

    def _started_with(self, prompt: str) -> str:
        """The id of an unread sub-agent that was given this prompt."""
        for file, given in self._given.items() if prompt else ():
            if given == prompt and file not in self.files.seen:
                return file.stem.removeprefix("agent-")
        return ""

    def _delegation(self, call: Call, result: Result) -> Iterator[Event]:
        agent, extra = text(result.extra, "agentId"), result.extra
        if agent and (extra.get("isAsync") is True or extra.get("status") == "async_launched"):
            self.helpers[agent] = call
            return
        state: Helped = "failed" if result.is_error else "done"
        yield from self.helped(agent, call, state, _FOOT.sub("", result.text))

    def _news(self, text: str) -> Iterator[Event]:
        # The queue, an attachment and a user record may all hold one notification.
        mark = hashlib.blake2b(text.strip().encode(errors="replace"), digest_size=16).digest()
        if self._is_new(mark):
            yield from self._ended(records.news(text))

    def _ended(self, news: News) -> Iterator[Event]:
        end: End = _ENDS.get(news.status, "running")
        call = self.helpers.get(news.id)
        if call and end != "running":
            state: Helped = "done" if end == "done" else "failed"
            yield from self.helped(news.id, call, state, _FOOT.sub("", news.text))
        elif news.id and call is None:
            output = truncation.output(news.text)
            yield Background(line=HERE, id=news.id, state=end, output=output)

    # ----------------------------------------------------------------------- the client

    def _system(self, record: Record) -> Iterator[Event]:
        if record.subtype == "compact_boundary":
            self._automatic = text(record.compact_metadata or {}, "trigger") == "auto"
        elif record.subtype in _TURN_ENDS:
            yield TurnEnded(line=HERE)
        elif record.subtype == "local_command" and not self._side:
            yield from self._words(records.words(text_of(record.content)))

    def _attachment(self, record: Record) -> Iterator[Event]:
        one: dict[str, Any] = {} if self._side else fields(decoded(record.attachment, {}))
        kind, path = text(one, "type"), text(one, "planFilePath")
        words, is_typed = records.waiting(one)
        if words.kind == "news":
            yield from self._news(words.text)
        elif words.kind == "prompt":
            is_new = self._queue.claim(words.text, injected=True)
            if not is_typed:
                left = (w for w in self._injected if not records.same(w.text, words.text))
                self._injected = [*left]
            elif is_new:
                yield Prompt(line=HERE, text=words.text, source="queued")
        elif kind in {"todo_reminder", "task_reminder"} and isinstance(one.get("content"), list):
            entries = tool_calls.entries(one, "content")
            yield from self.listed(changed=self.tasks.replace(entries))
        elif kind == "plan_file_reference" and (plan := text(one, "planContent")):
            approved = self._plans.get(path, True)
            yield Planned(line=HERE, text=plan, approved=approved, path=path)
        elif kind == "file" and (path := text(one, "filename")):
            yield Looked(line=HERE, path=path)
