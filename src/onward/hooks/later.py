"""Hooks: what a detached child does when the client has its answer and waits no more."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Literal, cast

from onward.agents import registry
from onward.commands import autosave, buffer, excerpt, handover, remember
from onward.commands.world import World
from onward.distill.said import farewell
from onward.hooks import capture, ground, tidy
from onward.hooks.here import Here
from onward.hooks.worth import grown
from onward.model import Prompt, Reply
from onward.store import backups

_LATE = 0.5  # seconds until the last records are in the transcript (measured: up to 0.15)
_MOST = 16 << 20  # bytes of a transcript that are read for one exchange
_TAIL = 4 << 20


def run(kind: str, fields: dict[str, str], here: Here) -> None:
    """Do one job: `prepare` (after a capture), `turn`, `prompt` or `autosave`.

    All have the fields project (its root), session and transcript. Nothing is done in a project
    that was removed meanwhile. Raises what the verbs raise.
    """
    root, session = fields["project"], fields["session"]
    if not Path(root).is_dir():
        return
    transcript = Path(fields["transcript"])
    project, world = ground.project(here, root), ground.world(here, root)
    match kind:
        case "prepare":
            handover.prepare(world, project, session, transcript)
            _wait(fields["transcript"], grown(fields["transcript"])[0])
            capture.complete(here, session)
            backups.prune(project, now=world.now)
            tidy.records(here, project)
        case "turn":
            _wait(fields["transcript"], fields["size"])
            buffer.add(world, project, *_exchange(world, transcript, fields["last"]))
            if fields["autosave"]:
                autosave.autosave(world, project, session, transcript, "context")
        case "prompt":
            said = fields["prompt"]
            if farewell.is_farewell(said):
                autosave.autosave(world, project, session, transcript, "farewell")
            remember.remember(world, project, session, transcript, said)
        case "autosave":
            signal = cast("Literal['idle', 'long']", fields["signal"])
            autosave.autosave(world, project, session, transcript, signal)


def _wait(transcript: str, size: str) -> None:
    """Until the transcript has grown over what the hook saw: clients write late."""
    end = time.monotonic() + _LATE
    while grown(transcript)[0] == size and time.monotonic() < end:
        time.sleep(0.02)


def _exchange(world: World, transcript: Path, last: str) -> tuple[str, str]:
    """The last prompt, and the answer to it: `last` where the client said it."""
    prompt = reply = ""
    with excerpt.within(world, transcript, _MOST, _TAIL) as (path, _):
        for event in registry.open_transcript(path):
            if isinstance(event, Prompt):
                prompt, reply = event.text, ""
            elif isinstance(event, Reply) and not event.thread:
                reply = event.text
    return prompt, last or reply
