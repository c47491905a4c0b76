"""Whether a transcript holds work, told by reading it. For small ones, at their end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from onward.commands import excerpt
from onward.commands.source import Counted
from onward.commands.world import World
from onward.errors import InputError, NotFoundError, OnwardError
from onward.model import Delegated, Edited, Event, Planned, Prompt, Ran
from onward.record.commands import is_looking
from onward.record.conversation import without_own
from onward.record.shell import Command, split
from onward.storage import ranking
from onward.transcripts import registry
from onward.user_input import is_significant

_MOST = 16 << 20
"""Bytes behind a save that are read for what came there; more of them are work."""


def has_work(transcript: str, *, prompts: bool) -> bool:
    """Whether anything was done, or, with `prompts`, asked for in other words than our commands.

    A file that cannot be read may hold work: true.
    """
    try:
        return any(
            _is_act(event) or (prompts and isinstance(event, Prompt))
            for event in _events(Path(transcript))
        )
    except InputError:
        return True
    except NotFoundError:
        return False


def standing(transcript: str, *, whole: bool) -> int:
    """What kind of work it is, as `ranking` has it: trivial where there is one reply at most and
    nothing done (looked for where the `whole` of it is read), headless where a script asked. A file
    that cannot be read may hold work.
    """
    path, counted = Path(transcript), Counted()
    try:
        events = counted.through(registry.open_transcript(path)) if whole else iter(())
        if whole and all(counted.trivial for _ in events):
            return ranking.TRIVIAL
        info = registry.agent_of(path).look(path)
    except (OnwardError, OSError):
        return ranking.WORK
    is_alone = info is not None and (info.unattended or info.hidden)
    return ranking.HEADLESS if is_alone else ranking.WORK


def behind(world: World, transcript: str, size: int) -> tuple[int, bool]:
    """What came after the first `size` bytes: how many prompts of more than three words,
    and whether anything was done.
    """
    path = Path(transcript)
    more = path.stat().st_size - size
    if not 0 <= more <= _MOST:
        return 0, True
    if not more:
        return 0, False
    # One byte of the line before tells that the first one is whole.
    with excerpt.within(world, path, min(more + 1, path.stat().st_size - 1), more + 1) as (end, _):
        try:
            events = list(_events(end))
        except InputError:  # the client's own records alone
            return 0, False
    prompts = sum(isinstance(each, Prompt) and is_significant(each.text) for each in events)
    return prompts, any(map(_is_act, events))


def _events(path: Path) -> Iterator[Event]:
    """What happened on the main thread, without our own doings."""
    return (each for each in without_own(registry.open_transcript(path)) if not each.thread)


def _is_act(event: Event) -> bool:
    match event:
        case Ran():
            return not all(is_looking(each) or _is_onward(each) for each in split(event.command))
        case Edited() | Delegated() | Planned():
            return True
        case _:
            return False


def _is_onward(command: Command) -> bool:
    return command.words[:1] == ("onward",)
