"""The lines of a rollout in file order, one at a time, into events: what was said in a
thread, and what was done.

What is kept between lines is bounded: calls that wait for their result, what still runs, the plan, and
who spoke last.

Each text stands in a rollout twice, for the model and for the screen. What the screen was told
decides, since it holds only what somebody said. The other copy counts in files that never tell the
screen anything (before 0.34, and excerpts). A command and a patch may be told three times: as a call, by
the news while it runs, as a result. What the news told first is noted in the call, and not told again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final, Literal

from msgspec.structs import replace

from onward.agents.codex import calls, records
from onward.agents.codex.calls import Call
from onward.agents.codex.records import Body, Line, joined
from onward.model import (
    Background,
    Compacted,
    Delegated,
    Event,
    Halt,
    Interrupt,
    Planned,
    Prompt,
    Ran,
    Refusal,
    Reply,
    Titled,
    TurnEnded,
    Used,
)
from onward.transcripts import reader, tool_calls, truncation
from onward.transcripts.reader import Transcript, remember
from onward.transcripts.tool_calls import HERE, End, Helped
from onward.transcripts.values import decoded, fields, text

_JOBS: Final = 100  # jobs that are remembered; the client itself ends the oldest of 64
_ID: Final = re.compile(r"[\w/-]{1,100}")
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


def _branch_in(ran: Ran) -> str:
    """The branch that a command in its own folder switched to, committed on or showed; "" if none."""
    if _ELSEWHERE.search(ran.command):
        return ""
    found = [match for match in _BRANCH.finditer(ran.output) if match["to"] or "git" in ran.command]
    return next((name for name in found[-1].groups() if name), "") if found else ""


_COMPACTED: Final = "Compact task completed"


class Reading(reader.Reading[Line]):
    """The fold over one rollout. A sub-agent's prompts are the agent's own words, and left out."""

    def __init__(self, files: Transcript[Line], thread: str = "") -> None:
        super().__init__(files, thread)
        self._jobs: dict[str, Call] = {}
        """Commands and programs that still ran when their call came back.

        The client gives a command ten seconds or so and then a session id, which the agent asks
        after: most test runs end in such a later answer. So a command waits here until the agent
        turns to something else; only then it is told as one in the background, and its end as news
        of it.
        """
        self._cut_off = ""
        self._told: set[type[Event]] = set()
        """The sides of the conversation that the screen was told of."""
        self._held: dict[type[Event], Prompt | Reply] = {}
        """What the model was sent; the screen may be told right after."""
        self._runs = False
        self._prompts = 0
        """Prompts of the running turn; the second was typed while the agent worked."""
        self._plan = ""

    def _read(self, record: Line) -> Iterator[Event]:
        # The branch too that git's own output names: the client tells it at a beginning alone.
        kind, body = record.kind, record.body
        for event in chain(self._for_model(kind, body), self._for_screen(kind, body)):
            yield event
            if isinstance(event, Ran) and event.cwd == self.cwd and not event.failed:
                branch = _branch_in(event)
                yield from self.moved(self.cwd, branch or self.branch, self.version)

    def _for_model(self, kind: str, body: Body) -> Iterator[Event]:
        match kind:
            case "session_meta":
                yield from self._began(body)
            case "turn_context":
                yield from self._moved(body)
            case "thread_name_updated" if body.thread_name:
                yield Titled(line=HERE, text=body.thread_name, by_user=True)
            case "compacted":
                yield from self._compacted(body)
            case "message":
                yield from self._message_item(body)
            case "web_search_call":  # a search of the web, which the model itself does
                yield from self.release()
                detail = truncation.one_line(calls.query(body))
                yield Used(line=HERE, tool="web_search", detail=detail)
            case _ if kind in calls.CALLS:
                yield from self.called(body)
            case _ if kind in calls.OUTPUTS and (call := self.calls.pop(body.call_id or "", None)):
                yield from self._result(call, calls.ended(decoded(body.output, "")))

    def _for_screen(self, kind: str, body: Body) -> Iterator[Event]:
        match kind:
            case "user_message" | "UserMessage":
                yield from self._user_said(body)
            case "agent_message" | "AgentMessage":
                yield from self._agent_said(body)
            case "Plan":
                yield from self._plans(body.text or "")
            case "exec_command_end" | "CommandExecution":
                yield from self.command_ended(body)
            case "patch_apply_end" if body.success:
                yield from self.patched(body)
            case "FileChange" if body.status in {None, "completed"}:
                yield from self.patched(body)
            case _ if body.status == "declined" and (call := self.calls.get(body.id or "")):
                call.declined = True
            case "task_started" | "task_complete" | "turn_aborted":
                yield from self._turn_news(body)
            case "error" if body.message:
                yield Halt(line=HERE, reason=body.message)

    def _left(self) -> Iterator[Event]:
        return chain(self.release(), self.settle(), super()._left())

    # ---------------------------------------------------------------------- the thread

    def _began(self, body: Body) -> Iterator[Event]:
        if self.session and body.id != self.session:
            return  # what an older client copied from the thread that this one was forked from
        if not self.session:
            self.session, source = body.id or "", bytes(body.source)
            self.info.helper = source.startswith(b"{")
            self.info.hidden = self.info.unattended = source == b'"exec"' or self.info.helper
        yield from self._moved(body)

    def _moved(self, body: Body) -> Iterator[Event]:
        branch = text(body.git or {}, "branch") or self.branch
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
        # The last call that waits, else the one that just ended so.
        act = self.under_way(self._cut_off)
        yield from self.settle()
        yield from self.abandon("interrupted")
        if body.reason == "interrupted":
            yield Interrupt(line=HERE, act=act)
        elif body.reason == "budget_limited":
            yield Halt(line=HERE, reason="the budget was used up")

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
        for kind in (Prompt, Reply):
            if copy := self._held.pop(kind, None):
                yield from self._said(copy)

    def _tell(self, said: Prompt | Reply) -> Iterator[Event]:
        """The screen was told something: copies do not count from now on."""
        self._told.add(type(said))
        self._held.pop(type(said), None)
        return self._said(said)

    def _said(self, said: Prompt | Reply) -> Iterator[Event]:
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
            self._hold(Reply(line=self.line, at=self.at, text=text))
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
            images = sum(part.type == "input_image" for part in body.parts)
            self._hold(Prompt(line=self.line, at=self.at, text=text, images=images))

    # --------------------------------------------------------------- news of the same

    def _user_said(self, body: Body) -> Iterator[Event]:
        images = len(body.images or ()) + len(body.local_images or ())
        images += sum("image" in part.type for part in body.parts)
        return self._tell(Prompt(line=HERE, text=body.message or joined(body), images=images))

    def _agent_said(self, body: Body) -> Iterator[Event]:
        text = body.message or joined(body)
        # The client itself says so, in the agent's name.
        return iter(()) if text == _COMPACTED else self._tell(Reply(line=HERE, text=text))

    # --------------------------------------------------------------- what was done

    def settle(self) -> Iterator[Event]:
        """The agent turned to something else: what still runs does so in the background."""
        for key, call in self._jobs.items():
            for command in () if call.told else call.commands:
                yield replace(
                    command,
                    line=call.line,
                    at=call.at,
                    failed=False,
                    background=key,
                    output=truncation.output(call.output),
                )
            call.told = True

    def _unfinished(self, call: Call, state: Literal["open", "interrupted"]) -> Iterator[Event]:
        if call.kind == "ask":
            yield tool_calls.asked(call)
        elif not call.ran:
            yield from (replace(command, state=state) for command in call.commands)

    def called(self, body: Body) -> Iterator[Event]:
        """A tool call."""
        yield from self.release()
        call = calls.call(body, self.cwd)
        if not call.session:
            yield from self.settle()
        self.wait(call.key, call)

    def patched(self, told: Body) -> Iterator[Event]:
        """A patch that was applied."""
        for call in self._whose(told.call_id or told.id or ""):
            call.edited = True
        for path, one in (told.changes or {}).items():
            yield calls.told(path, fields(one))

    def command_ended(self, told: Body) -> Iterator[Event]:
        """A command ended: its result follows, or came before, or a program ran it."""
        key, code = told.call_id or told.id or "", told.exit_code
        state: Literal["interrupted", "done"] = "interrupted" if code == -1 else "done"
        end = End(state=state, text=told.aggregated_output or "", failed=bool(code), code=code)
        is_declined = told.status == "declined"
        if call := self.calls.get(key):
            call.declined, call.end = is_declined, end
        elif is_declined or bytes(told.source) == b'"user_shell"':
            return
        elif found := self._whose(key):
            for call in found:
                call.ran = True
            folder = (told.cwd or self.cwd).removeprefix("file://")
            run = {"command": calls.script(told.command)}
            yield tool_calls.ran(tool_calls.Call(name="", cwd=folder, given=run), end)
        elif job := next((job for job, call in self._jobs.items() if call.key == key), None):
            self._jobs[job].output = end.text or self._jobs[job].output
            yield from self._job_ended(job, end)

    def _whose(self, key: str) -> list[Call]:
        """The call that news are of: by its id, else the programs that run."""
        if call := self.calls.get(key):
            return [call]
        return [call for call in self.calls.values() if call.name == calls.PROGRAM]

    def _result(self, call: Call, end: End) -> Iterator[Event]:
        if call.session:
            yield from self._job_news(call, end)
            return
        self._cut_off = call.act if end.state == "interrupted" else ""
        if call.declined or end.state == "refused":
            is_edit = call.changes and not call.commands
            yield Refusal(line=HERE, act=call.act, kind="edit" if is_edit else "command")
        elif end.background:
            if not call.edited:
                yield from call.changes
            call.output = truncation.output(end.text)
            remember(self._jobs, end.background, call, _JOBS)
        elif call.changes or call.commands:
            yield from self._done(call, end)
        elif call.kind == "spawn":
            key = text(fields(decoded(end.text, {})), "agent_id", "agent_path")
            if _ID.fullmatch(key):
                self.helpers[key] = call
            else:  # one whose id is not told can report nothing
                yield Delegated(line=HERE, task=text(call.given, "message"), state="running")
        elif call.kind == "report":
            yield from self.helper_news(end.text)
        elif call.kind != "shell" and end.state != "cancelled" and not (call.ran or call.edited):
            answers = tuple(calls.answers(call, end.text))
            told = End(text=end.text, failed=end.failed, answers=answers)
            yield from tool_calls.events(call, told, self.tasks)

    def _done(self, call: Call, end: End) -> Iterator[Event]:
        """Commands and patches that ended, well or not."""
        if (told := call.end) and (told.code is not None or told.text):
            state = end.state if end.state in {"interrupted", "timeout"} else "done"
            end = replace(told, state=state)
        if not call.edited and end.state == "done" and not end.failed:
            yield from call.changes
        if call.commands and end.state != "cancelled":
            yield from () if call.ran else calls.ran(call, end)
        elif end.failed and call.changes and not call.edited:
            yield tool_calls.used(call, end)

    def _job_news(self, call: Call, end: End) -> Iterator[Event]:
        """An answer to the question after something that still runs."""
        job = self._jobs.get(call.session)
        if job is None:
            return
        # Shortened as any output is, since a cut anywhere could leave half a secret.
        job.output = truncation.output(f"{job.output}{end.text}")
        if not end.background and end.state != "cancelled":
            yield from self._job_ended(call.session, end, stops=call.stops)

    def _job_ended(self, key: str, end: End, *, stops: bool = False) -> Iterator[Event]:
        job = self._jobs.pop(key)
        if not job.told:
            yield from calls.ran(job, replace(end, text=job.output))
            return
        state: Literal["done", "failed", "killed"] = "failed" if end.failed else "done"
        if stops or end.state == "interrupted":
            state = "killed"
        yield Background(line=HERE, id=key, state=state, output=truncation.output(job.output))

    def helper_news(self, told: str) -> Iterator[Event]:
        """A notice of sub-agents, or the answer to a call that waited for some of them."""
        news = fields(decoded(told, {}))
        status, single = fields(news, "status"), text(news, "agent_id", "agent_path")
        for key, one in {single: status}.items() if single else status.items():
            # It completed something, or something went wrong; else it is at work.
            done, wrong = fields(one).get("completed"), text(fields(one), "errored")
            if key in self.helpers and (isinstance(done, str) or wrong):
                state: Helped = "done" if isinstance(done, str) else "failed"
                report = done if done and isinstance(done, str) else wrong
                yield from self.helped(key, self.helpers[key], state, report)
