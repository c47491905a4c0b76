"""How to go on with one thread: the briefing, and the command that starts the agent."""

from __future__ import annotations

import re

from msgspec.structs import replace

from onward.commands import brief
from onward.commands.overview.rows import Row, command
from onward.commands.overview.threads import Seen
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.transcripts import registry

_BUDGET = 1500  # tokens, as `onward brief` has it
_SESSION = re.compile(r"[0-9A-Za-z][\w-]{0,99}", re.ASCII)
"""What is no such id could be an option of the agent's."""


def on(world: World, seen: Seen, row: Row) -> Result:
    """The briefing of a thread, and below it what to type. Nothing is changed by it."""
    there = world if seen.place.gone else replace(world, cwd=seen.place.root)
    named = row.session if _is_known(row, seen) else ""
    told = brief.brief(there, str(seen.file), budget=_BUDGET, look=not seen.place.gone, named=named)
    return _with_ways(told, row, seen)


def _with_ways(told: Result, row: Row, seen: Seen) -> Result:
    """The briefing with the commands below it."""
    if seen.place.gone:
        return told._replace(notes=(f"{row.folder} is not there any more: nothing to start in",))
    ways = [f"to continue there with a fresh context: {row.start}"] if row.start else []
    again = registry.start(row.agent, row.session) if _is_known(row, seen) else []
    if again:
        ways.append(f"to continue in that very session: {command(row.folder, again)}")
    return told._replace(text=compose(told.text.rstrip("\n"), "", *ways))


def _is_known(row: Row, seen: Seen) -> bool:
    """Whether it is told by a session that has an id to be typed."""
    return bool(_SESSION.fullmatch(row.session)) and seen.thread.lead.name == ""
