"""Agents, Codex: the agent as the rest of the program sees it."""

from __future__ import annotations

from pathlib import Path

from onward.agents.agent import Agent
from onward.agents.codex import discovery, place
from onward.agents.codex.files import CodexTranscript
from onward.agents.codex.home import AGENT
from onward.agents.codex.lineage import PARENT, find, lineage
from onward.agents.codex.packed import opened
from onward.agents.codex.survey import survey
from onward.decode import bounded


def _record(path: Path, line: int, thread: str) -> str | None:
    """A line of those that a thread goes on from, too."""
    depth, number = divmod(line, PARENT)
    if thread:
        file = find(path, thread)
    else:
        file = next((piece.path for piece in lineage(path)[depth:]), None)
    if file:
        with opened(file) as stream:
            for at, raw in bounded(stream):
                if at == number:
                    return place.render(raw)
    return None


CODEX = Agent(
    name=AGENT,
    variable="CODEX_THREAD_ID",
    recognises=discovery.recognises,
    sessions=discovery.sessions,
    look=discovery.look,
    unreadable=discovery.unreadable,
    open=CodexTranscript,
    survey=survey,
    record=_record,
)
