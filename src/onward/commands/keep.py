"""`keep`: transcripts that stay when their clients delete them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from onward.briefing.text import count
from onward.commands import source, workspace
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import InputError
from onward.model import Clean
from onward.storage import atomic
from onward.transcripts import archive, registry
from onward.transcripts.agents import AGENTS, Agent

Tell = Callable[[int, int], None]
"""Called with how many bytes were read, of how many."""
_ASKED = "keep-offered"
_NAMED = 5  # files that could not be kept; the JSON has all


class Kept(Struct, frozen=True, kw_only=True):
    """What `keep --json` prints. `size` and `packed` are in bytes."""

    folder: Clean
    new: int
    renewed: int
    known: int
    size: int
    packed: int
    unread: tuple[Clean, ...]


def keep_all(world: World, tell: Tell) -> Result:
    """Keep every transcript that a client has now, with those of sub-agents."""
    faults: list[OSError] = []
    files = {path: agent for agent in AGENTS for path in agent.files(world.home, world.env, faults)}
    told = [f"{path}: {reason}" for path, reason, _ in registry.closed(faults)]
    return _keep(world, files, tell, told)


def keep_one(world: World, what: str) -> Result:
    """Keep the transcript of one session, with those of its sub-agents. Raises as
    `source.transcript`.
    """
    path = source.transcript(world, what)
    agent = registry.agent_of(path)
    return _keep(world, dict.fromkeys(_whole(path), agent), lambda *_: None, [])


def offer(world: World) -> Clean:
    """The question whether to keep all of them; "" where it was asked before, or some are kept.
    It counts as asked from now on. Raises StorageError.
    """
    top, asked = archive.folder(world.home, world.env), world.data / _ASKED
    if top.is_dir() or asked.exists():
        return compose("")
    atomic.write_bytes(asked, b"", atomic.PRIVATE)
    where = workspace.redactor(world).text(workspace.shown(top, world))
    return compose(
        "Clients delete old transcripts, some after 30 days."
        f" Keep all that exist now, and each session from then on, compressed in {where}?"
    )


def keep_ended(world: World, transcript: Path) -> None:
    """Keep a session that ended, if the user ever asked to keep any. Raises OnwardError, OSError."""
    top = archive.folder(world.home, world.env)
    if top.is_dir() and transcript.is_file():
        client = registry.agent_of(transcript).NAME
        for each in _whole(transcript):
            archive.keep(each, top / client)


def _whole(transcript: Path) -> list[Path]:
    return [transcript, *sorted(transcript.with_suffix("").rglob("*.jsonl"))]


def _keep(world: World, files: dict[Path, Agent], tell: Tell, unread: list[str]) -> Result:
    workspace.data(world)  # none is made up in a home that does not exist
    top, done = archive.folder(world.home, world.env), Counter[str]()
    is_first = not top.is_dir()
    top.mkdir(0o700, parents=True, exist_ok=True)
    sizes = {path: path.stat().st_size for path in files if path.is_file()}
    held = defaultdict[str, list[Path]](list)
    for path in top.rglob("*.jsonl"):
        held[path.name].append(path)
    size, total = 0, sum(sizes.values())
    for path, own in sizes.items():
        tell(size, total)
        size += own
        try:
            outcome, target = archive.keep(path, top / files[path].NAME, held[path.name])
        except FileNotFoundError:  # removed meanwhile
            continue
        except InputError as error:
            unread.append(error.message)
        except OSError as error:
            unread.append(f"{path}: {error.strerror or type(error).__name__}")
        else:
            done[outcome] += 1
            done["packed"] += target.stat().st_size
            held[target.name].append(target)
    clean = workspace.redactor(world).text
    kept = Kept(
        folder=clean(workspace.shown(top, world)),
        new=done["new"],
        renewed=done["renewed"],
        known=done["known"],
        size=total,
        packed=done["packed"],
        unread=tuple(clean(each) for each in unread),
    )
    number = count(kept.new + kept.renewed + kept.known, "transcript")
    lines = (
        f"{number} kept: {kept.new} new, {kept.renewed} renewed, {kept.known} as before",
        f"{kept.size / 1e6:,.1f} MB as {kept.packed / 1e6:,.1f} MB in {kept.folder}",
    )
    notes = [f"not kept: {each}" for each in kept.unread[:_NAMED]]
    if (left := len(kept.unread) - _NAMED) > 0:
        notes.append(f"and {left} more not kept")
    if is_first:
        notes.append(
            "from now on each session is kept as it ends, where the hooks of onward run;"
            f" to end that and remove all of it: rm -r {kept.folder}"
        )
    return Result(text=compose(*lines), data=kept, notes=tuple(notes))
