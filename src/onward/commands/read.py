"""`read`: what a transcript holds, counted. Nothing of its words is shown."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from msgspec import Struct

from onward.briefing.text import count
from onward.commands.result import Result, compose
from onward.decode import LOST
from onward.model import Event, Prompt
from onward.transcripts.registry import agent_of

_PLAIN = re.compile(r"[\w.+:-]{1,60}")


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
    """Count what a transcript holds. Raises NotFoundError or InputError."""
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
    return Result(text=compose(*_lines(reading)), data=reading)


def _kind(event: Event) -> str:
    name = type(event).__name__.lower()
    return f"{name}:{event.source}" if isinstance(event, Prompt) else name


def _plain(text: str) -> str:
    """An id, a version or a time of the file, if it looks like one: no one's words."""
    return text if _PLAIN.fullmatch(text) else ""


def _lines(reading: Reading) -> list[str]:
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
