"""Agents, Codex: the lines of a rollout in file order, one at a time, into events.

What is kept between lines is bounded: calls that wait for their result, what still runs, the
plan, and who spoke last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec

from onward.agents import clip, todo
from onward.agents.codex import calls, patch, results, said, tools
from onward.agents.codex.calls import Call
from onward.agents.codex.helpers import Events, Helpers
from onward.agents.codex.jobs import Jobs
from onward.agents.codex.records import Body, Item, Line
from onward.agents.codex.results import Result
from onward.agents.codex.spoken import Spoken
from onward.model import (
    Compacted,
    Event,
    Halt,
    Interrupt,
    Looked,
    Moved,
    Planned,
    Prompt,
    Ran,
    Reply,
    Titled,
    TodoList,
    Used,
)

_PENDING: Final = 1_000
"""Calls that wait at most; the client runs about ten at once."""
_CALLS: Final = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS: Final = ("function_call_output", "custom_tool_call_output")
_PLAN: Final = re.compile(r"\s*<proposed_plan>\n?(.*?)</proposed_plan>\s*", re.DOTALL)
_LEAD_IN: Final = re.compile(
    r"Another language model started to solve this problem.{0,600}?:\n", re.DOTALL
)
_CWD: Final = re.compile(r"<cwd>([^<\n]{1,4000})</cwd>")
_FILE_URL: Final = "file://"

Readers = dict[str, Callable[[int, str, Body], Iterator[Event]]]


class Reading:
    """The fold over one rollout. `thread` is "" for the one that was asked for, else the id of
    the sub-agent whose it is. `shift` is added to the numbers of lines.
    """

    def __init__(self, helpers: Events, thread: str = "") -> None:
        self.session = self.cwd = self.branch = self.version = self.started = self.ended = ""
        self.shift = 0
        self._thread = thread
        self._calls: dict[str, Call] = {}
        self._jobs = Jobs(thread)
        self._helpers = Helpers(thread, helpers)
        self._tasks = todo.TodoBook()
        self._typed, self._answered = Spoken[Prompt](), Spoken[Reply]()
        self._turn = False
        self._prompts = 0
        """Prompts of the running turn; the second was typed while the agent worked."""
        self._plan = ""
        self._act = ""
        self._lines: Readers = {
            "session_meta": self._began,
            "turn_context": self._moved,
            "compacted": self._compacted,
        }
        self._items: Readers = {
            "message": self._message_item,
            "web_search_call": self._searched,
            **dict.fromkeys(_CALLS, self._called),
            **dict.fromkeys(_OUTPUTS, self._came),
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
            return read(line + self.shift, at, record) if read else ()
        if record.type == "response_item":
            read = self._items.get(body.type)
        elif record.type == "event_msg":
            read = self._news.get(body.type)
        else:
            read = self._lines.get(record.type)
        return read(line + self.shift, at, body) if read else ()

    def finish(self) -> Iterator[Event]:
        """At the end of the file: what is still open."""
        yield from self._release()
        yield from self._jobs.tell()
        yield from self._abandon("open")
        yield from self._helpers.finish()

    # ---------------------------------------------------------------------- the thread

    def _began(self, line: int, at: str, body: Body) -> Iterator[Event]:
        if self.session and body.id != self.session:
            return  # what an older client copied from the thread that this one was forked from
        self.session = self.session or body.id or ""
        self.started = self.started or body.timestamp or ""
        yield from self._moved(line, at, body)

    def _moved(self, line: int, at: str, body: Body) -> Iterator[Event]:
        cwd = body.cwd or self.cwd
        branch = (body.git.branch if body.git else None) or self.branch
        version = body.cli_version or self.version
        if (cwd, branch, version) != (self.cwd, self.branch, self.version):
            self.cwd, self.branch, self.version = cwd, branch, version
            yield Moved(
                line=line, at=at, thread=self._thread, cwd=cwd, branch=branch, version=version
            )

    def _compacted(self, line: int, at: str, body: Body) -> Iterator[Event]:
        self._answered.forget()
        yield from self._release()
        yield Compacted(
            line=line,
            at=at,
            thread=self._thread,
            summary=_LEAD_IN.sub("", body.message or "", count=1).strip(),
            # A person's own compaction is a turn in which nothing is said.
            automatic=self._turn and self._prompts > 0,
        )

    def _turn_news(self, line: int, at: str, body: Body) -> Iterator[Event]:
        yield from self._release()
        self._turn, self._prompts = body.type == "task_started", 0
        if body.type != "turn_aborted":
            return
        act = next((call.act for call in reversed(self._calls.values())), self._act)
        yield from self._jobs.tell()
        yield from self._abandon("interrupted")
        if body.reason == "interrupted":
            yield Interrupt(line=line, at=at, thread=self._thread, act=act)
        elif body.reason == "budget_limited":
            yield Halt(line=line, at=at, thread=self._thread, reason="the budget was used up")

    def _error_news(self, line: int, at: str, body: Body) -> Iterator[Event]:
        if body.message:
            yield Halt(line=line, at=at, thread=self._thread, reason=body.message)

    def _name_news(self, line: int, at: str, body: Body) -> Iterator[Event]:
        if body.thread_name:
            yield Titled(line=line, at=at, text=body.thread_name, by_person=True)

    # ------------------------------------------------------------------- what was said

    def _message_item(self, line: int, at: str, body: Body) -> Iterator[Event]:
        yield from self._release()
        text = "\n".join(part.text for part in body.content or () if part.text)
        if body.role == "assistant" and text.strip():
            self._answered.hold(Reply(line=line, at=at, thread=self._thread, text=text))
        elif body.role == "user":
            # Up to 0.31 nothing else tells the folder.
            if not self.cwd and (cwd := folder_in(text)):
                yield from self._moved(line, at, Body(cwd=cwd))
            told = said.words(text)
            if told.kind == "notice":
                yield from self._helpers.news(told.text, line, at)
            elif told.kind == "shell":
                yield from self._says(line, at, text, 0)
            elif told.kind != "nobody":
                images = sum(part.type == "input_image" for part in body.content or ())
                self._typed.hold(Prompt(line=line, at=at, text=text, images=images))

    def _release(self) -> Iterator[Event]:
        """What the model was sent and no screen was told."""
        if prompt := self._typed.release():
            yield from self._says(prompt.line, prompt.at, prompt.text, prompt.images)
        if reply := self._answered.release():
            yield from self._replies(reply.line, reply.at, reply.text)

    def _user_news(self, line: int, at: str, body: Body) -> Iterator[Event]:
        self._typed.tell()
        images = len(body.images or ()) + len(body.local_images or ())
        yield from self._says(line, at, body.message or "", images)

    def _agent_news(self, line: int, at: str, body: Body) -> Iterator[Event]:
        self._answered.tell()
        yield from self._replies(line, at, body.message or "")

    def _says(self, line: int, at: str, text: str, images: int) -> Iterator[Event]:
        """Words of the person, unless the whole thread is a sub-agent's."""
        told = said.words(text)
        if self._thread or told.kind in {"nobody", "notice"} or not (told.text or images):
            return
        yield from self._jobs.tell()
        late = self._turn and self._prompts > 0
        if not late:
            # A new turn: what never came back was cut off with the client.
            yield from self._abandon("interrupted")
        if told.kind == "plan" or (told.kind == "implement" and self._plan):
            plan = told.text if told.kind == "plan" else self._plan
            yield Planned(line=line, at=at, text=plan, approved=True)
        else:
            made = Prompt(line=line, at=at, text=told.text, images=images)
            source = (
                told.kind if told.kind in {"command", "shell"} else "queued" if late else "typed"
            )
            yield msgspec.structs.replace(made, source=source)
        self._prompts += told.kind != "shell"
        self._plan = ""

    def _replies(self, line: int, at: str, text: str) -> Iterator[Event]:
        """Words of the agent; a plan that it puts before the person stands among them."""
        if found := _PLAN.search(text):
            yield from self._plans(line, at, found[1])
            text = _PLAN.sub("\n\n", text).strip()
        if text.strip():
            yield Reply(line=line, at=at, thread=self._thread, text=text)

    def _plans(self, line: int, at: str, text: str) -> Iterator[Event]:
        if text.strip() and text.strip() != self._plan:
            self._plan = text.strip()
            yield Planned(line=line, at=at, thread=self._thread, text=self._plan)

    # ------------------------------------------------------------------- what was done

    def _called(self, line: int, at: str, body: Body) -> Iterator[Event]:
        yield from self._release()
        call = calls.call(line, at, body, self.cwd)
        if not call.session:
            yield from self._jobs.tell()
        self._call(call)

    def _came(self, line: int, at: str, body: Body) -> Iterator[Event]:
        call = self._calls.pop(body.call_id or "", None)
        if call:
            yield from self._result(call, results.result(body.output), line, at)

    def _searched(self, line: int, at: str, body: Body) -> Iterator[Event]:
        yield from self._release()
        detail = clip.one_line(_query(body))
        yield Used(line=line, at=at, thread=self._thread, tool="web_search", detail=detail)

    def _call(self, call: Call) -> None:
        self._calls[call.key] = call
        if len(self._calls) > _PENDING:
            del self._calls[next(iter(self._calls))]

    def _result(self, call: Call, result: Result, line: int, at: str) -> Iterator[Event]:
        if call.session:
            stops = call.stops or result.kind == "interrupted"
            yield from self._jobs.news(call.session, result, line, at, stops)
            return
        self._act = call.act if result.kind == "interrupted" else ""
        if call.declined or result.kind == "refused":
            yield tools.refusal(call, line, at, self._thread)
        elif result.kind == "running":
            if not call.edited:
                yield from tools.edited(call.changes, line, at, self._thread)
            self._jobs.start(call, result)
        elif call.changes or call.commands:
            yield from self._done(call, result, line, at)
        elif call.plan:
            steps = [todo.item(step.step, step.status) for step in call.plan]
            if result.kind != "misuse" and self._tasks.replace(steps):
                items = self._tasks.items
                yield TodoList(line=line, at=at, thread=self._thread, items=items)
        elif call.questions:
            yield tools.asked(call, result, line, at, self._thread)
        else:
            yield from self._other(call, result, line, at)

    def _done(self, call: Call, result: Result, line: int, at: str) -> Iterator[Event]:
        """Commands and patches that ended, well or not."""
        if call.code is not None or call.output:
            kind = result.kind if result.kind in {"interrupted", "timeout"} else "done"
            result = Result(
                "failed" if kind == "done" and call.code else kind, call.output, call.code
            )
        if not call.edited and result.kind == "done":
            yield from tools.edited(call.changes, line, at, self._thread)
        if not call.ran and result.kind != "misuse":
            yield from tools.ran(call, result, line, at, self._thread)

    def _other(self, call: Call, result: Result, line: int, at: str) -> Iterator[Event]:
        if call.path:
            if result.kind == "done":
                yield Looked(line=line, at=at, thread=self._thread, path=call.path)
        elif call.name == calls.SPAWN:
            yield from self._helpers.start(call, result.text, line, at)
        elif call.name in calls.REPORTS:
            yield from self._helpers.news(result.text, line, at)
        elif call.name in calls.QUIET or call.name in calls.SHELLS or result.kind == "misuse":
            return
        elif not (call.ran or call.edited):
            yield tools.used(call, result, line, at, self._thread)

    def _abandon(self, state: tools.State) -> Iterator[Event]:
        """Calls that never got a result: the client was ended under them."""
        cut_off, self._calls = self._calls, {}
        for call in cut_off.values():
            if call.questions:
                yield tools.asked(call, None, call.line, call.at, self._thread)
            elif not call.ran:
                yield from tools.unfinished(call, state, call.line, call.at, self._thread)

    # --------------------------------------------------------------------- news of it

    def _item_news(self, line: int, at: str, body: Body) -> Iterator[Event]:
        """A finished item, in the paginated form."""
        item = body.item
        if item is None:
            return
        if item.type == "UserMessage":
            self._typed.tell()
            images = sum("image" in part.type for part in item.content or ())
            yield from self._says(line, at, _text(item), images)
        elif item.type == "AgentMessage":
            self._answered.tell()
            yield from self._replies(line, at, _text(item))
        elif item.type == "Plan":
            yield from self._plans(line, at, item.text or "")
        elif item.type == "CommandExecution":
            yield from self._ended(line, at, item.id, item)
        elif item.type == "FileChange" and item.status in {None, "completed"}:
            yield from self._patched(line, at, item.id, item)
        elif item.status == "declined" and item.id in self._calls:
            self._calls[item.id].declined = True

    def _command_news(self, line: int, at: str, body: Body) -> Iterator[Event]:
        yield from self._ended(line, at, body.call_id or "", body)

    def _patch_news(self, line: int, at: str, body: Body) -> Iterator[Event]:
        if body.success:
            yield from self._patched(line, at, body.call_id or "", body)

    def _patched(self, line: int, at: str, key: str, told: Body | Item) -> Iterator[Event]:
        for call in self._whose(key):
            call.edited = True
        yield from tools.edited(patch.told(told.changes or {}), line, at, self._thread)

    def _ended(self, line: int, at: str, key: str, told: Body | Item) -> Iterator[Event]:
        """A command that ended: its result follows, or it came back before its end, or a program
        ran it.
        """
        code, text = told.exit_code, told.aggregated_output or ""
        if call := self._calls.get(key):
            call.declined = told.status == "declined"
            call.code, call.output = code, text
            return
        if _source(told) == "user_shell" or told.status == "declined":
            return
        kind: results.Kind = "interrupted" if code == -1 else "failed" if code else "done"
        found = self._whose(key)
        if not found:
            yield from self._jobs.ended(key, Result(kind, text, code), line, at)
            return
        for call in found:
            call.ran = True
        folder = (told.cwd or self.cwd).removeprefix(_FILE_URL)
        yield Ran(
            line=line,
            at=at,
            thread=self._thread,
            command=calls.script(told.command),
            cwd=folder,
            failed=bool(code),
            exit_code=code,
            output=clip.output(text),
            state="interrupted" if kind == "interrupted" else "done",
            call_line=found[-1].line,
        )

    def _whose(self, key: str) -> list[Call]:
        """The call that news are of: by its id, else the programs that run."""
        if call := self._calls.get(key):
            return [call]
        return [call for call in self._calls.values() if call.name == calls.PROGRAM]


def folder_in(text: str) -> str:
    """The folder that the client tells the model of; "" where the text is not that."""
    found = _CWD.search(text) if "<environment_context>" in text else None
    return found[1].strip() if found else ""


def _text(item: Item) -> str:
    return "\n".join(part.text for part in item.content or () if part.text)


def _source(told: Body | Item) -> str:
    if isinstance(told, Item):
        return told.source or ""
    return bytes(told.source).decode(errors="replace").strip('"')


def _query(body: Body) -> str:
    try:
        given = msgspec.json.decode(body.action, type=dict[str, msgspec.Raw])
        return str(msgspec.json.decode(given["query"])) if "query" in given else ""
    except msgspec.MsgspecError:
        return ""
