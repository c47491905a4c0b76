"""What a detached child does when the client has its answer and waits no more."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal, cast

from onward.commands import autosave, backup, handover, opening, resume, thread
from onward.commands.source import Source
from onward.commands.world import World
from onward.errors import OnwardError
from onward.hooks import activity, capture, context
from onward.hooks.environment import Here
from onward.hooks.triage import grown
from onward.model import Prompt, Reply
from onward.storage import backups, live, sessions
from onward.storage.project import Project
from onward.transcripts import registry

_LATE = 1.0  # seconds until the last records are in the transcript (measured: up to 0.15)
_SIGN = 200  # characters of an answer by which it is found
_MOST = 16 << 20  # bytes of a transcript that are read for one exchange
_TAIL = 4 << 20
_OLD = 40 * 86400.0  # seconds; clients keep their transcripts for 30 days


def run(kind: str, fields: dict[str, str], here: Here) -> None:
    """Do one job: `capture` (of a large transcript), `prepare` (after a capture), `turn`, `note`,
    `prompt`, `close` or `autosave`.

    All have the fields project (its root), session and transcript. Nothing is done in a project
    that was removed meanwhile. Raises what the verbs raise.
    """
    root, session = fields["project"], fields["session"]
    if not Path(root).is_dir():
        return
    begun, transcript = time.monotonic(), Path(fields["transcript"])
    world = context.world(here, root)
    match kind:
        case "capture":
            capture.finish(here, fields)
        case "prepare":
            _prepare(here, world, (session, transcript), begun)
        case "turn":
            _wait(transcript, fields["size"], fields["last"])
            _when_full(here, world, transcript, fields)
        case "prompt":
            # Where the disk says no, the end of the session says so once: not each prompt.
            with suppress(OnwardError, OSError):
                autosave.log_input(world, session, transcript, fields["prompt"])
        case "note":
            _take_note(here, world, session)
        case "close":
            autosave.autosave(world, session, transcript, "farewell")
        case "autosave":
            signal = cast("Literal['idle', 'long', 'context']", fields["signal"])
            autosave.autosave(world, session, transcript, signal)


def _prepare(here: Here, world: World, held: tuple[str, Path], begun: float) -> None:
    """Prepare what the next start and a resume tell; complete the copy of an ended session."""
    (session, transcript), project = held, world.project
    with capture.guarded(here, "no hand-over was prepared"):
        handover.prepare(world, session, transcript)
    known = sessions.captured(here.data, session)
    if known and not sessions.running(here.data, session):
        _wait(transcript, known.status[0], since=begun)
    if capture.complete(here, session):
        with capture.guarded(here, "no hand-over was prepared"):
            handover.prepare(world, session, transcript)
    with capture.guarded(here, "the session was not kept"):
        backup.keep_ended(world, transcript)
    backups.prune(project, now=world.now)
    tidy(here, project)


def _take_note(here: Here, world: World, session: str) -> None:
    """Keep the note of an agent that continued what the start told it of: its session goes on with
    that one's work, so that both are one thread. What does not agree with the record is told the agent
    with the next prompt, and may be corrected once.
    """
    findings = thread.take_note(world, session)
    told = live.get(here.data, session, "told")
    is_first = len(told) == 1
    if findings and is_first:
        live.put(here.data, session, "findings", *findings)
        live.put(here.data, session, "told", *told, "corrects")
    else:
        live.drop(here.data, session, "told")
    known = sessions.captured(here.data, told[0]) if is_first else None
    path = Path(known.transcript) if known else None
    if path and (before := handover.early(world, told[0], path)):
        thread.keep(world, sessions.BACKUP, before, agreed=True, session=session)
        with capture.guarded(here, "the active context stays as it was"):
            mtime, root = path.stat().st_mtime, world.project.root
            taken = Source(kind="transcript", path=path, checkpoint=before, mtime=mtime, root=root)
            resume.bring_up_to_date(world, taken)


def _when_full(here: Here, world: World, transcript: Path, fields: dict[str, str]) -> None:
    """Above 70 % of the context keep the exchange, and autosave at every 5 % more."""
    session, window = fields["session"], world.project.settings.context_window
    step, is_reached = activity.steps_above(here, session, str(transcript), window)
    if step:
        autosave.add_exchange(world, *_exchange(world, transcript, fields["last"]))
    if is_reached:
        autosave.autosave(world, session, transcript, "context")


def _wait(transcript: Path, size: str, said: str = "", *, since: float = 0.0) -> None:
    """Until the transcript has grown over the `size` that the hook saw, by these words if there
    are any: clients write late, and other things first (measured, 2.1.330). `since` is when the
    job began, if not now: what took long until here need not be waited for once more.
    """
    sign = json.dumps(said[:_SIGN], ensure_ascii=False)[1:-1].encode("utf-8", "replace")
    end = (since or time.monotonic()) + _LATE
    while time.monotonic() < end:
        if grown(str(transcript))[0] != size and sign in _behind(transcript, size):
            return
        time.sleep(0.02)


def _behind(transcript: Path, size: str) -> bytes:
    try:
        with transcript.open("rb") as file:
            file.seek(int(size or 0))
            return file.read(_TAIL)
    except OSError:
        return b""


def _exchange(world: World, transcript: Path, last: str) -> tuple[str, str]:
    """The last prompt, and the answer to it: `last` where the client said it."""
    prompt = reply = ""
    with opening.within(world, transcript, _MOST, _TAIL) as (path, _):
        for event in registry.open_transcript(path):
            if isinstance(event, Prompt):
                prompt, reply = event.text, ""
            elif isinstance(event, Reply) and not event.thread:
                reply = event.text
    return prompt, last or reply


def tidy(here: Here, project: Project) -> None:
    """Note which captures are pending no more, and forget sessions of 40 days ago."""
    pending = {path.name for path in backups.pending(project)}
    for session in live.sessions(here.data):
        known = sessions.captured(here.data, session)
        is_ours = known and known.root == str(project.root)
        if known and is_ours and known.copy and known.copy not in pending:
            known.copy = ""  # once: it makes the record a new one, whose 40 days begin
            sessions.capture(here.data, session, known)
        elif _is_old(here, session):
            live.forget(here.data, session)


def _is_old(here: Here, session: str) -> bool:
    try:
        changed = Path(live.folder(here.data, session)).stat().st_mtime
    except OSError:
        return False
    known = sessions.running(here.data, session)
    is_running = known is not None and sessions.is_running(known, here.now)
    return here.now - changed > _OLD and not is_running
