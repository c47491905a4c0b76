"""What a hook tells a new session of the one before: the hand-over, a saved place, or drift.

`prepare` runs in a child when a session ends and keeps checkpoint and text, so that the next start has
little to do, and a resume need not read 50 MB while somebody waits: what distils is imported only where
nothing was kept.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec.structs import replace

from onward import __version__, commands
from onward.briefing import handover as told
from onward.briefing.text import code, count
from onward.commands import handover_cache, opening, repository
from onward.commands.result import compose
from onward.commands.world import World, rules_sign
from onward.documents import times
from onward.drift import standing
from onward.errors import OnwardError
from onward.model import Checkpoint, Clean, Draft
from onward.repo.files import locate
from onward.storage import atomic, live, reading, sessions

KEPT = "checkpoint.json"  # what `prepare` keeps of a session, beside its records
_LARGEST = 2 << 20  # bytes that are distilled at a start, if nothing was prepared
_TAIL = 2 << 20  # bytes of the end of a larger one
KINDS = {
    sessions.CHECKPOINT: ("checkpoint", "/checkpoint resume {}", "/checkpoint list"),
    sessions.DOCUMENT: ("session document", "/resume-from {}", "/sessions-list"),
    sessions.PROTOCOL: ("session protocol", "/load-session-protocol", "/load-session-protocol"),
}
"""What a saved place is called, and the command for it: with its name, and without."""
_RECENT = 30 * 86400.0  # seconds for which a saved place is worth a word at every start


def prepare(world: World, session: str, transcript: Path) -> None:
    """Keep checkpoint and hand-over of a session with work in it. Raises OnwardError."""
    kept, data = world.beside(session, KEPT), str(world.data)
    if kept is None:
        return
    handover_cache.drop(data, session)
    found = _distilled(world, transcript)
    if found is None:
        handover_cache.put(data, session, compose(), 0.0, ("", ()))
        return
    draft = repository.stamped(world, replace(found, saved=times.utc(world.now)))
    checkpoint = world.redactor.draft(draft)
    # Nobody but us reads it, at a start that waits: a page for people takes a parser to read.
    body = msgspec.json.encode(checkpoint)
    atomic.write_bytes(kept, b"\n".join((_seal(world, body), body)), atomic.PRIVATE)
    root = world.project.root
    # The recorded files that drift is told by, from the root.
    files = (locate(root, standing(fact)) for fact in checkpoint.files)
    paths = [os.path.relpath(path, root.resolve()) for path in files if path]
    sign, text = handover_cache.sign(str(root), paths), _text(world, checkpoint)
    # What changed while it was being told may be in it or not.
    if sign and sign == handover_cache.sign(str(root), paths):
        ended = times.seconds(checkpoint.origin.ended)
        handover_cache.put(data, session, text, ended, (sign, paths))


def handover(world: World, session: str, transcript: Path) -> Clean:
    """What the session left, in at most 250 tokens; "" for no work. Raises OnwardError."""
    checkpoint = early(world, session, transcript)
    if checkpoint is None:
        return compose()
    text, ended = _text(world, checkpoint), times.seconds(checkpoint.origin.ended)
    return compose(handover_cache.aged(text, ended, world.now.timestamp()))


def _text(world: World, checkpoint: Checkpoint) -> Clean:
    """The hand-over, with its age left open, and what the session was saved as before its last words."""
    session, before = checkpoint.origin.session, compose()
    if save := sessions.saved(str(world.data), session, str(world.project.root)):
        name = code(world.display_redactor.text(save.name))
        since = f"; {count(save.since, 'prompt')} since" if save.since > 0 else ""
        before = compose(f"{name}{since}")
    return told.handover(
        checkpoint,
        repository.drifted(world, checkpoint, world.project.root),
        age=handover_cache.OPEN if times.seconds(checkpoint.origin.ended) else "",
        command="/resume-latest",
        note=handover_cache.NOTE,
        saved=before,
    )


def drifted(world: World, session: str, transcript: Path) -> Clean:
    """What changed since the session was left; "" for nothing. Raises OnwardError."""
    draft = prepared(world, session)
    if draft is None or not transcript.is_file():
        return compose()
    checkpoint = world.display_redactor.draft(draft)
    found = repository.drifted(world, checkpoint, world.project.root)
    return told.drifted(checkpoint, found, age=world.age(times.seconds(checkpoint.saved)))


def saved_place(world: World, path: Path, kind: str) -> Clean:
    """Two lines on a saved place; "" for one of more than 30 days ago. Raises OnwardError."""
    at = changed(path)
    if world.now.timestamp() - at > _RECENT:
        return compose()
    redactor, name = world.display_redactor, shown(world, path, kind)
    called, command, unnamed = KINDS[kind]
    return told.saved_place(
        redactor.draft(commands.shared.parse(kind, reading.text(path), redactor)),
        what=f"the {called} {code(redactor.text(name))}" if name else f"the {called}",
        age=world.age(at),
        command=redactor.text(command.format(name) if name else unnamed),
    )


def shown(world: World, place: Path, kind: str) -> str:
    """What a command takes a saved place by; "" where that could be words to the model."""
    is_named, is_document = kind == sessions.CHECKPOINT, kind == sessions.DOCUMENT
    name = place.stem if is_named else world.local(place)
    is_typed = is_document and not place.is_relative_to(os.path.realpath(world.project.memory))
    if handover_cache.is_plain(name) or is_typed:
        return name
    return place.name if is_document and handover_cache.is_plain(place.name) else ""


def early(world: World, session: str, transcript: Path) -> Checkpoint | None:
    """The checkpoint that a hand-over is told from; None for no work. Raises OnwardError."""
    found = prepared(world, session, since=changed(transcript) - handover_cache.LATE)
    if found is None:
        with opening.within(world, transcript, _LARGEST, _TAIL) as (path, _):
            found = _distilled(world, path)
    return world.display_redactor.draft(found) if found else None


def _distilled(world: World, transcript: Path) -> Draft | None:
    """The draft of a transcript, with the thread it goes on with; None where no work is in it."""
    found = commands.source.distilled(transcript, world.display_redactor)
    draft = commands.thread.carried(world, found.draft, found.root)
    is_void = found.counted.trivial and not found.unanswered and draft is found.draft
    return None if is_void else draft


def prepared(world: World, session: str, *, since: float = 0.0) -> Draft | None:
    """What `prepare` kept, if it is not older than that and than the agent's note; text of anybody's.
    None where other rules of redaction hold now, and where it is torn, changed or another release's.
    """
    kept, noted = world.beside(session, KEPT), live.noted(str(world.data), session) / 1e9
    if kept is None or world.rules or changed(kept) < max(since, noted) or not kept.is_file():
        return None
    with suppress(OnwardError, msgspec.MsgspecError, ValueError, RecursionError):
        seal, _, body = reading.data(kept, most=reading.LARGEST_CACHE).partition(b"\n")
        if seal == _seal(world, body):
            return msgspec.json.decode(body, type=Draft)
    return None


def _seal(world: World, body: bytes) -> bytes:
    sign = f"{__version__} {rules_sign(world.project.root)} {world.home}"
    key = blake2b(sign.encode("utf-8", "surrogateescape")).digest()
    return blake2b(body, key=key, digest_size=32).hexdigest().encode()


def changed(path: Path) -> float:
    """When a file was last written, in seconds since 1970; 0 for one that is not there."""
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
