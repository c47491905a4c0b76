"""The agent as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from onward.decode import bounded
from onward.transcripts.agent import Agent
from onward.transcripts.codex import discovery, place
from onward.transcripts.codex.compression import opened
from onward.transcripts.codex.diagnostics import survey
from onward.transcripts.codex.files import CodexTranscript
from onward.transcripts.codex.home import AGENT
from onward.transcripts.codex.lineage import PARENT, find, lineage


def _lines(path: Path, line: int, thread: str) -> Iterator[tuple[int, bytes | None]]:
    """Those of a thread that it goes on from, too."""
    depth = line // PARENT
    if thread:
        file = find(path, thread)
    else:
        file = next((piece.path for piece in lineage(path)[depth:]), None)
    if file:
        with opened(file) as stream:
            for number, raw in bounded(stream):
                yield depth * PARENT + number, raw


CODEX = Agent(
    name=AGENT,
    variable="CODEX_THREAD_ID",
    recognises=discovery.recognises,
    sessions=discovery.sessions,
    look=discovery.look,
    unreadable=discovery.unreadable,
    open=CodexTranscript,
    survey=survey,
    lines=_lines,
    render=place.render,
)
