"""`distill` and `read`: what a transcript holds, section by section, or only counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from onward import evidence
from onward.briefing.text import count
from onward.commands.result import Result, compose
from onward.commands.source import distilled
from onward.decode import LOST
from onward.model import (
    Checkpoint,
    Clean,
    Event,
    Failure,
    FileFact,
    Item,
    Prompt,
    Request,
    Run,
    Status,
    Task,
)
from onward.redaction import Redactor
from onward.transcripts.registry import agent_of

_PLAIN = re.compile(r"[\w.+:-]{1,60}")


def distill_file(path: Path, redactor: Redactor, *, explain: bool = False) -> Result:
    """The checkpoint of a transcript, every line with its evidence and places, redacted; with
    `explain` only which template filled the title and the next action, and from what.

    Raises what `open_transcript` raises for a path that holds no session.
    """
    checkpoint = redactor.draft(distilled(path, redactor).draft)
    problems = checkpoint.origin.problems
    lines = "1 line" if problems == 1 else f"{problems} lines"
    notes = (f"{lines} of the transcript could not be read",) if problems else ()
    quoted = msgspec.convert(_quoted(msgspec.to_builtins(checkpoint)), Checkpoint)
    shown = _explained(quoted) if explain else _listing(quoted)
    return Result(text=compose(*shown), data=checkpoint, notes=notes, prose=True)


def _quoted(value: Any) -> Any:
    """The same without anything that could be taken for a mark or a heading of ours."""
    if isinstance(value, str):
        return "\n".join(map(evidence.quote, value.split("\n")))
    if isinstance(value, dict):
        return {key: _quoted(each) for key, each in value.items()}
    return [_quoted(each) for each in value] if isinstance(value, list | tuple) else value


def _explained(checkpoint: Checkpoint) -> Iterator[str]:
    fields = {"Title": checkpoint.task, "Next action": checkpoint.next_action}
    for name, item in fields.items():
        if item is None or not item.text:
            yield f"{name}: none; the record does not decide it"
            continue
        made = f"template: {item.template}" if item.template else f"by {item.author or 'the file'}"
        yield f"{name}: {_indented(item.text)}\n  {made}{_source(item)}"
    yield f"Status: {_status(checkpoint.status)}"


def _listing(checkpoint: Checkpoint) -> Iterator[str]:
    yield f"# {checkpoint.task.text or '(no title)'}{_source(checkpoint.task)}"
    yield f"\nStatus: {_status(checkpoint.status)}"
    yield from _section("Next action", _items([checkpoint.next_action]))
    yield from _section("Requests", list(map(_request, checkpoint.requests)))
    yield from _section("Agent's last message", _items([checkpoint.closing]))
    yield from _section("Plan", _items([checkpoint.plan]))
    yield from _section("Tasks", [_task(task) for task in checkpoint.tasks])
    yield from _section("Checks", [_run(run) for run in checkpoint.runs])
    yield from _section("Repeated failures", list(map(_failure, checkpoint.failures)))
    yield from _section("Blockers", _items(checkpoint.blockers))
    yield from _section("Still running in the background", _items(checkpoint.background))
    yield from _section("Last steps", _items(checkpoint.trail))
    yield from _section("Commits", _items(checkpoint.progress))
    yield from _section("Files", [_file(file) for file in checkpoint.files])
    yield from _section("Decisions", _items(checkpoint.decisions))
    yield from _section("Failed approaches", _items(checkpoint.dead_ends))
    yield from _section("Commands", _items(checkpoint.commands))
    yield from _section("Context", _items(checkpoint.context))


def _status(status: Status[Clean]) -> str:
    waits = f" for an answer to a {status.waits_for}" if status.waits_for else ""
    detail = f"\n  {_indented(status.detail)}" if status.detail else ""
    return f"{status.kind}{waits}{_places(status.places)}{detail}"


def _request(request: Request[Clean]) -> str:
    about = f"\n  about: {_indented(request.about)}" if request.about else ""
    ended = f"\n  ended: {_indented(request.ended)}" if request.ended else ""
    places = _places(request.places)
    return f"- {request.source}: {_indented(request.text)}{places}{about}{ended}"


def _failure(failure: Failure[Clean]) -> str:
    where = f" in {failure.cwd}" if failure.cwd else ""
    lines = "".join(f"\n  {line}" for line in failure.lines)
    return f"- `{failure.command}`{where}: {failure.times} times{_places(failure.places)}{lines}"


def _section(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"\n## {heading}"
        yield from lines


def _items(items: Sequence[Item[Clean] | None]) -> list[str]:
    out = []
    for item in items:
        if item is not None:
            why = f"\n  why: {_indented(item.why)}" if item.why else ""
            out.append(f"- {_indented(item.text)}{_source(item)}{why}")
    return out


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")


def _source(item: Item[Clean]) -> str:
    return f" ({', '.join([item.evidence, *(f'[{place}]' for place in item.places)])})"


def _places(places: Sequence[str]) -> str:
    return "".join(f" [{place}]" for place in places)


def _task(task: Task[Clean]) -> str:
    mark = {"completed": "x", "in_progress": "~", "pending": " "}[task.status]
    return f"- [{mark}] {task.title}{_places(task.places)}" + (
        f"\n  {task.context}" if task.context else ""
    )


def _run(run: Run[Clean]) -> str:
    where = f" in {run.cwd}" if run.cwd else ""
    summary = f": {run.summary}" if run.summary else ""
    edits = "1 edit" if run.edits_after == 1 else f"{run.edits_after} edits"
    since = f" ({edits} since)" if run.edits_after else ""
    decisive = "".join(f"\n  {line}" for line in run.decisive)
    return (
        f"- {run.kind} {run.outcome}: `{_indented(run.command)}`{where}{summary}{since}"
        f"{_places(run.places)}{decisive}"
    )


def _file(file: FileFact[Clean]) -> str:
    to = f" to {file.to}" if file.to else ""
    count = f" +{file.added} -{file.removed}" if file.added or file.removed else ""
    spans = ", ".join(f"{a}-{b}" if b > a else str(a) for a, b in file.spans[-4:])
    lines = f" {'line' if spans.isdigit() else 'lines'} {spans}" if spans else ""
    marks = ", since the last full test run" if file.since_green else ""
    commit = f", committed in {file.commit}" if file.commit else ""
    why = f": {_indented(file.why)}" if file.why else ""
    said = "".join(f"\n  said: {_indented(words)}" for words in file.said)
    return (
        f"- {file.change} {file.path}{to}{count}{lines}{marks}{commit}{why}{_places(file.places)}"
        f"{said}"
    )


class Reading(Struct, frozen=True, kw_only=True):
    """The counts of one transcript, for `--json`."""

    agent: str
    session: str
    version: str
    started: str
    ended: str
    lines: int
    bytes: int
    events: dict[str, int]
    """By kind, of the session itself; a prompt's source stands behind a colon."""
    sub_agents: dict[str, int]
    """Events of each sub-agent."""
    problems: dict[str, int]
    lost: int
    """Lines that could not be read at all."""


def read_file(path: Path) -> Result:
    """Show transcript statistics. Raises NotFoundError or InputError."""
    agent = agent_of(path)
    transcript = agent.open(path)
    events: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for event in transcript:
        if event.thread:
            others[event.thread] += 1
        else:
            events[_kind(event)] += 1
    origin = transcript.origin
    reading = Reading(
        agent=agent.NAME,
        session=_plain(origin.session),
        version=_plain(origin.version),
        started=_plain(origin.started),
        ended=_plain(origin.ended),
        lines=origin.lines,
        bytes=path.stat().st_size,
        events=dict(events.most_common()),
        sub_agents=dict(others.most_common()),
        problems=dict(transcript.problems.most_common()),
        lost=origin.problems,
    )
    return Result(text=compose(*_counted(reading)), data=reading)


def _kind(event: Event) -> str:
    name = type(event).__name__.lower()
    return f"{name}:{event.source}" if isinstance(event, Prompt) else name


def _plain(text: str) -> str:
    """An id, a version or a time of the file, if it looks like one: no one's words."""
    return text if _PLAIN.fullmatch(text) else ""


def _counted(reading: Reading) -> list[str]:
    lines = [
        f"{reading.agent} {reading.version} · session {reading.session}".rstrip(),
        f"{reading.started} to {reading.ended}",
        f"{count(reading.lines, 'line')}, {reading.bytes / 1e6:.1f} MB",
        "",
    ]
    lines += [f"{number:7} {kind}" for kind, number in reading.events.items()]
    if reading.sub_agents:
        lines += [
            f"{sum(reading.sub_agents.values()):7} in {count(len(reading.sub_agents), 'sub-agent')}"
        ]
    if reading.problems:
        lines += ["", f"damage ({count(reading.lost, 'line')} lost):"]
        lines += [
            f"{number:7} {kind}{' (lost)' if kind in LOST else ''}"
            for kind, number in reading.problems.items()
        ]
    return lines
