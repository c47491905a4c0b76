"""The agent as the rest of the program sees it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from onward.decode import bounded
from onward.transcripts.agent import Agent
from onward.transcripts.claude_code import discovery, place
from onward.transcripts.claude_code.diagnostics import survey
from onward.transcripts.claude_code.files import ClaudeTranscript, Helpers
from onward.transcripts.claude_code.home import AGENT
from onward.transcripts.claude_code.reading import SIDE

_INLINE = re.compile(rb'"isSidechain": ?true')
_AGENT = re.compile(rb'"agentId": ?"([\w-]{1,100})"')


def _lines(path: Path, _: int, thread: str) -> Iterator[tuple[int, bytes | None]]:
    own = Helpers(path, Counter()).find(thread) if thread else path
    # Old clients wrote sub-agents' records into the session's file.
    with (own or path).open("rb") as stream:
        for number, raw in bounded(stream):
            if own or _is_inline(raw or b"", thread):
                yield number, raw


def _is_inline(raw: bytes, thread: str) -> bool:
    """Whether a line of the session's own file is a record of that sub-agent."""
    id_ = _AGENT.search(raw)
    return bool(_INLINE.search(raw)) and (id_[1].decode() if id_ else SIDE) == thread


CLAUDE_CODE = Agent(
    name=AGENT,
    variable="CLAUDE_CODE_SESSION_ID",  # set for its `!` lines, tools and hooks (measured)
    recognises=discovery.recognises,
    sessions=discovery.sessions,
    look=discovery.look,
    unreadable=discovery.unreadable,
    open=ClaudeTranscript,
    survey=survey,
    lines=_lines,
    render=place.render,
)
