"""`go`: the client started in the right folder, with the briefing as its first prompt."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from onward.briefing.tokens import estimate
from onward.clients.registry import INSIDE
from onward.commands import resume, source, thread
from onward.commands.result import compose
from onward.commands.world import World
from onward.documents import times
from onward.errors import NotFoundError, OnwardError, UsageError
from onward.model import Clean
from onward.transcripts import disk, hook_call
from onward.transcripts.registry import AGENTS, agent_of

PROGRAMS = {agent.start()[0]: agent for agent in AGENTS}  # by what they are called
_WARM, _MAYBE = 300, 3_600  # seconds for which a model keeps a prompt: for certain, at best
_CACHED = 10  # tokens that are kept at hand cost one of these parts of what new ones cost
_ASK = """
onward briefing: an earlier session stopped there. Look up what you need (`onward show PLACE`, `onward search WORDS`),
then say in three lines what was being done, where it stands and what comes next, and ask whether to continue."""
"""Its first words tell the readers of transcripts that the user did not type it."""


class Departure(NamedTuple):
    """What is to be started, where, and what each way costs."""

    folder: Path
    program: str
    """The client, by its whole path."""
    words: tuple[str, ...]
    cost: Clean  # one line; "" where nothing is known of it
    taken: source.Source | None  # what the new session takes up; None for a native resume


def prepare(world: World, what: str, client: str, *, native: bool | None = None) -> Departure:
    """How to go on with a saved place or a session; for "", with what was worked on last here: with
    the client's own resume or (`native` False) the briefing, by default with what costs less.
    Raises NotFoundError without the folder or the client, UsageError for a resume that cannot be.
    """
    found = source.load(world, what or source.last(world), verb="go")
    origin = found.checkpoint.origin
    own = next((agent for agent in AGENTS if origin.agent == agent.NAME), None)
    agent = PROGRAMS[client] if client else own or AGENTS[0]
    program = agent.start()[0]
    if found.root is None:
        hint = f"onward brief {what or origin.session}"
        raise NotFoundError("the folder of that session is not on this machine", hint)
    lacks = "has no session of that name" if agent is not own or not origin.session else ""
    if found.path.is_relative_to(disk.archive(world.home, world.env)):
        lacks = "has deleted that session"
    if native and lacks:
        message = f"{program} {lacks}: its own resume cannot take it up"
        raise UsageError(message, f"onward go {what}".rstrip())
    path = shutil.which(program, path=world.env.get("PATH")) or ""
    # In the folder, where Windows looks first, it may have come with the repository.
    if not path or path.startswith(".\\"):
        installed = next((p for p in PROGRAMS if shutil.which(p, path=world.env.get("PATH"))), "")
        named = what or str(found.name or origin.session)
        hint = (
            f"onward go --in {installed} {what}".rstrip() if installed else f"onward brief {named}"
        )
        raise NotFoundError(f"{program} is not on the PATH", hint)
    name = what or str(found.name or found.path)
    told = resume.brief_only(world, name)
    prompt = f"{told.text.rstrip()}\n{_ASK}"
    cost, is_cheaper = _cost(world, found, estimate(prompt))
    if native is None:
        native = is_cheaper and found.kind == "transcript" and not lacks
        if native:
            cost = compose(f"{cost}; taking the native resume; for the briefing: --briefing")
    if not native and path.lower().endswith((".cmd", ".bat")):
        message = (
            f"{path} is a script of cmd.exe, which would take words of the briefing for commands"
        )
        hint = f"onward brief {what or origin.session} --copy, then start {program} and paste it"
        raise UsageError(message, hint)
    words = tuple(agent.start(origin.session) if native else agent.begin(prompt))
    taken = None if native else found
    return Departure(found.root, path, words, cost, taken)


def start(departure: Departure, world: World) -> int:
    """Start the client in place of this process; where that cannot be, return how it ended."""
    inside = {*INSIDE, thread.TAKEN}
    env = {name: value for name, value in world.env.items() if name not in inside}
    if (taken := departure.taken) and taken.root:
        env[thread.TAKEN] = thread.hand_over(world, taken.kind, taken.root, taken.checkpoint)
    os.chdir(departure.folder)
    if os.name != "nt":
        os.execve(departure.program, departure.words, env)  # noqa: S606 - what the user asked for
    return subprocess.call([departure.program, *departure.words[1:]], env=env)


def _cost(world: World, found: source.Source, ours: int) -> tuple[Clean, bool]:
    """What either way costs, "" for unknown, and whether the native resume costs less."""
    session = found.checkpoint.origin.session
    try:
        path = found.path if found.kind == "transcript" else source.transcript(world, session)
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - hook_call.TAIL))
            tokens, _ = hook_call.client(found.checkpoint.origin.agent).used(file.read())
        info = agent_of(path).look(path)
        last = times.seconds(info.ended) if info else 0.0
        age = world.now.timestamp() - (last or path.stat().st_mtime)
    except (OSError, OnwardError, LookupError):
        return compose(""), False
    if not tokens:
        return compose(""), False
    cache = "warm cache" if age < _WARM else "cold cache" if age > _MAYBE else "cache perhaps cold"
    told = f"native resume: about {tokens:,} tokens, {cache}; briefing: about {ours:,}"
    return compose(told), tokens // (_CACHED if age < _WARM else 1) < ours
