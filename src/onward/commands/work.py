"""How much happened in a transcript: whether there is work in it, and of what kind it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct, field

from onward.commands import opening
from onward.commands.world import World
from onward.errors import InputError, NotFoundError, OnwardError
from onward.model import (
    Asked,
    Compacted,
    Delegated,
    Edited,
    Event,
    Looked,
    Planned,
    Prompt,
    Ran,
    Reply,
    Searched,
)
from onward.record import is_own_act
from onward.record.commands import is_looking
from onward.record.conversation import without_own
from onward.record.shell import split
from onward.slash_commands import is_ours
from onward.storage import ranking
from onward.transcripts import registry
from onward.user_input import is_close_signal, is_significant

_MOST = 16 << 20  # bytes behind a save that are read for what came there; more of them are work
_FEW = 3  # prompts and looks, up to which it is a short chat


class Counted(Struct):
    """Counts what there is in a stream of events, without our own doings: replies, prompts, acts,
    those that did more than look, and what was looked into or asked.
    """

    replies: set[str] = field(default_factory=set)
    prompts: int = 0
    acts: int = 0
    done: int = 0
    looks: int = 0
    compacted: Compacted | None = None

    @property
    def trivial(self) -> bool:
        """One reply at most, and nothing done: nothing to come back to."""
        return len(self.replies) <= 1 and not self.acts

    def through(self, events: Iterable[Event]) -> Iterator[Event]:
        """The same events."""
        for event in events:
            if isinstance(event, Reply) and len(self.replies) < 2:
                self.replies.add(event.message or event.place)
            elif isinstance(event, Prompt):
                is_void = event.thread or is_ours(event.text) or is_close_signal(event.text)
                self.prompts += not is_void
            elif isinstance(event, Edited | Ran | Delegated | Planned):
                if not is_own_act(event):
                    self.acts += 1
                    self.done += _is_act(event)
            elif isinstance(event, Looked | Searched | Asked):
                self.looks += 1
            elif isinstance(event, Compacted) and not event.thread:
                self.compacted = event
            yield event


def has_work(transcript: str, *, prompts: bool) -> bool:
    """Whether anything was done or, with `prompts`, asked for. An unreadable file may hold work."""
    try:
        events = _events(Path(transcript))
        return any(_is_act(each) or (prompts and isinstance(each, Prompt)) for each in events)
    except (InputError, NotFoundError) as error:
        return isinstance(error, InputError)


def standing(path: Path, *, whole: bool) -> int:
    """What kind of work it is, as `ranking` has it; without `whole` only whether a script asked."""
    counted, is_asked, found = Counted(), False, ranking.WORK
    try:
        for event in counted.through(registry.open_transcript(path)) if whole else ():
            is_asked |= isinstance(event, Prompt) and is_significant(event.text)
            if counted.done:
                break
        few = counted.prompts + counted.looks + counted.acts <= _FEW
        if whole and few and not counted.done:
            if counted.trivial and (counted.replies or not is_asked):
                return ranking.TRIVIAL
            found = ranking.CHAT if counted.replies else ranking.WORK
        info = registry.agent_of(path).look(path)
    except (OnwardError, OSError):
        return ranking.WORK
    is_alone = info is not None and (info.unattended or info.hidden)
    return ranking.HEADLESS if is_alone else found


def behind(world: World, transcript: str, size: int) -> tuple[int, bool]:
    """What came after `size` bytes: how many longer prompts, and whether work was done."""
    path = Path(transcript)
    more = path.stat().st_size - size
    if not 0 <= more <= _MOST:
        return 0, True
    if not more:
        return 0, False
    # One byte of the line before tells that the first one is whole.
    with opening.within(world, path, min(more + 1, path.stat().st_size - 1), more + 1) as (end, _):
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
            commands = split(event.command)
            return not all(is_looking(c) or c.words[:1] == ("onward",) for c in commands)
        case Edited() | Delegated() | Planned():
            return True
        case _:
            return False
