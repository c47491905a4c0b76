"""Distil: which of the last events are steps, and which of them tell one thing."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator

from msgspec.structs import replace

from onward.distill.checks.outcome import checks
from onward.distill.ours import calls_ours, is_own_act
from onward.distill.trail.steps import Step, announced, step_of
from onward.model import (
    Asked,
    Delegated,
    Edited,
    Event,
    Halt,
    Interrupt,
    Item,
    Looked,
    Planned,
    Prompt,
    Ran,
    Refusal,
    Reply,
    Searched,
    Used,
)

_KEPT = 80
"""Events of the main thread that are kept; of long outputs the reader has cut the middle."""
_MOST = 12
_LOOKS = ("look", "seek")
_AGAIN = 4
"""Times that a command has to be run to be a look whether something has come."""
_TELLING = (
    Asked,
    Delegated,
    Edited,
    Halt,
    Interrupt,
    Looked,
    Planned,
    Prompt,
    Ran,
    Refusal,
    Reply,
    Searched,
    Used,
)


class Trail:
    """Collects the last events of the main thread that are steps of the work."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._events: deque[Event] = deque(maxlen=_KEPT)

    def see(self, event: Event, _at: int) -> None:
        """Keep what the person or the agent said and did."""
        if event.thread or not isinstance(event, _TELLING) or is_own_act(event):
            return
        if isinstance(event, Ran) and event.state == "open" and calls_ours(event.command):
            return  # the save that reads this transcript
        self._events.append(event)

    def items(self) -> tuple[Item[str], ...]:
        """The last steps, oldest first: at most 12."""
        steps = list(_joined(_once(_joined(self._steps()))))
        return tuple(step.item() for step in steps[-_MOST:])

    def _steps(self) -> Iterator[Step]:
        told, cut, asked = "", False, ""
        waiting = self._waiting()
        last = next((e for e in reversed(self._events) if isinstance(e, Reply | Prompt)), None)
        for event in self._events:
            if isinstance(event, Edited | Looked) and event.place == told:
                continue  # the client's own word on what the command changed, or the search hit
            told = event.place if isinstance(event, Ran | Searched) else told
            if isinstance(event, Planned) and event.approved is False:
                continue  # the refusal of it says so
            if isinstance(event, Interrupt) and cut:
                continue  # so does the command that it cut short
            cut = isinstance(event, Ran) and event.state == "interrupted"
            asked = event.text if isinstance(event, Prompt) else asked
            if event.place in waiting and event is not last:
                continue
            step = step_of(event, self._root, asked)
            step = step or (announced(event) if event is last else None)
            if step is not None:
                yield step

    def _waiting(self) -> set[str]:
        """Where the agent only says that it still waits: after nothing but one look that it takes
        again and again.
        """
        times = Counter(e.command for e in self._events if isinstance(e, Ran))
        found, acts = set[str](), list[Event]()
        for event in self._events:
            if not isinstance(event, Reply):
                acts.append(event)
                continue
            alone = acts[0] if len(acts) == 1 else None
            if isinstance(alone, Ran) and times[alone.command] >= _AGAIN and not checks(alone):
                found.add(event.place)
            acts = []
        return found


def _joined(steps: Iterator[Step]) -> Iterator[Step]:
    """What follows each other and is alike, as one step: edits, looks, commands of one folder."""
    last: Step | None = None
    for step in steps:
        if last is not None and _together(last, step):
            last = replace(
                last, parts={**_without(last.parts, step.parts), **step.parts}, place=step.place
            )
            continue
        if last is not None:
            yield last
        last = step
    if last is not None:
        yield last


def _together(last: Step, step: Step) -> bool:
    alike = step.kind == last.kind and step.folder == last.folder
    return alike and step.kind in {"edit", "new", "look", "seek", "run"}


def _once(steps: Iterator[Step]) -> Iterator[Step]:
    """Of the same thing done again only the last time; looks only where nothing else came after."""
    kept = list(steps)
    later: set[str] = set()
    out: list[Step] = []
    for step in reversed(kept):
        if step.kind == "said" and (not out or out[-1].kind == "said") and out:
            continue  # nothing came of it
        if step.kind in _LOOKS and out and not all(s.kind in {*_LOOKS, "claim"} for s in out):
            continue
        parts = {key: told for key, told in step.parts.items() if key not in later}
        later |= set(step.parts) if step.kind in {"run", *_LOOKS} else set()
        if parts:
            out.append(replace(step, parts=parts))
    return reversed(out)


def _without(parts: dict[str, str], newer: dict[str, str]) -> dict[str, str]:
    return {key: told for key, told in parts.items() if key not in newer}
