"""`distill` and `read`: what a transcript holds, section by section, or only counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from onward.briefing.text import count
from onward.commands.result import Result, compose
from onward.commands.source import distilled
from onward.decode import LOST
from onward.documents import checkpoint_md, page
from onward.documents.kinds import ITEMS
from onward.documents.markdown import entry_lines
from onward.model import Checkpoint, Prompt
from onward.redaction import Redactor
from onward.transcripts.registry import agent_of

_PLAIN = re.compile(r"[\w.+:-]{1,60}")


def distill_file(path: Path, redactor: Redactor, *, explain: bool = False) -> Result:
    """The checkpoint of a transcript as the lines of its file, with evidence and places, redacted;
    with `explain` only which template filled the title and the next action, and from what.

    Raises what `open_transcript` raises for a path that holds no session.
    """
    checkpoint = redactor.draft(distilled(path, redactor).draft)
    problems = checkpoint.origin.problems
    notes = (f"{count(problems, 'line')} of the transcript could not be read",) if problems else ()
    shown = _explained(checkpoint) if explain else checkpoint_md.body(checkpoint)
    return Result(text=compose(*shown), data=checkpoint, notes=notes, prose=True)


def _explained(checkpoint: Checkpoint) -> Iterator[str]:
    fields = {"Title": checkpoint.task, "Next action": checkpoint.next_action}
    for name, item in fields.items():
        if item is None or not item.text:
            yield f"{name}: none; the record does not decide it"
            continue
        yield from entry_lines(ITEMS.show(item), bullet=f"{name}: ")
        yield (
            f"  template: {item.template}" if item.template else f"  by {item.author or 'the file'}"
        )
    for status in page.fields(checkpoint, "status"):
        yield from entry_lines(status, bullet="Status: ")


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
            source = f":{event.source}" if isinstance(event, Prompt) else ""
            events[f"{type(event).__name__.lower()}{source}"] += 1
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
    if others := reading.sub_agents:
        lines.append(f"{sum(others.values()):7} in {count(len(others), 'sub-agent')}")
    if reading.problems:
        lines += ["", f"damage ({count(reading.lost, 'line')} lost):"]
        lines += [
            f"{number:7} {kind}{' (lost)' if kind in LOST else ''}"
            for kind, number in reading.problems.items()
        ]
    return lines
