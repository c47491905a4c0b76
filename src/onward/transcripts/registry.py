"""The sessions of all clients on this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from onward.errors import InputError, NotFoundError
from onward.transcripts import reader
from onward.transcripts.agents import AGENTS, Agent, Unread, closed
from onward.transcripts.sessions import SessionInfo, below

__all__ = [
    "AGENTS",
    "Agent",
    "SessionInfo",
    "Transcript",
    "Unread",
    "agent_of",
    "below",
    "closed",
    "current",
    "find_sessions",
    "open_transcript",
    "start",
    "transcripts",
    "unreadable",
]

Transcript = reader.Transcript[Any]


def transcripts(
    home: Path, env: Mapping[str, str], faults: list[OSError] | None = None
) -> Iterator[Path]:
    """Every transcript that a client or `onward keep --all` has, in no order, whoever held the session.
    Folders and databases that cannot be read are added to `faults`.
    """
    for agent in AGENTS:
        yield from agent.every(home, env, [] if faults is None else faults)


def start(name: str, session: str = "") -> list[str]:
    """The words that start an agent, with `session` in that one; none for an unknown agent."""
    found = next((agent for agent in AGENTS if name == agent.NAME), None)
    return found.start(session) if found else []


def agent_of(path: Path) -> Agent:
    """The agent whose transcript it is; NotFoundError or InputError with what to do."""
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder, not a transcript", "onward sessions --all")
        if path.is_file() and path.stat().st_size == 0:
            raise InputError(f"{path} is empty: nothing was said", "onward sessions --all")
        # The last know their own by its beginning; the first has to look at both ends of a file.
        found = next((agent for agent in reversed(AGENTS) if agent.reader.recognises(path)), None)
    except FileNotFoundError:
        raise NotFoundError(f"there is no file {path}", "onward sessions --all") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", f"ls -l {path}") from None
    if found is None:
        known = ", ".join(agent.NAME for agent in AGENTS)
        raise InputError(
            f"{path} is no transcript of an agent that onward knows ({known})",
            "onward sessions --all",
        )
    return found


def open_transcript(path: Path) -> Transcript:
    """A transcript, whoever wrote it; NotFoundError or InputError with what to do."""
    return agent_of(path).open(path)


def find_sessions(
    home: Path, env: Mapping[str, str], *, cwd: str | None = None, hidden: bool = False
) -> list[SessionInfo]:
    """The sessions on this machine, newest first; with `cwd`, those that were held in that
    folder or below it, by the `cwd` inside their records; with `hidden`, those too that no
    user held.
    """
    every = (info for agent in AGENTS for info in agent.sessions(home, env))
    found = (info for info in every if hidden or not info.hidden)
    return sorted(
        (info for info in found if cwd is None or any(below(each, cwd) for each in info.cwds)),
        key=lambda info: (info.ended, info.mtime),
        reverse=True,
    )


def current(env: Mapping[str, str]) -> str:
    """The id of the session that this process is part of, as its client tells it; "" outside."""
    return next((id_ for agent in AGENTS if (id_ := agent.current(env))), "")


def unreadable(home: Path, env: Mapping[str, str]) -> list[Unread]:
    """The transcripts on this machine that are there and cannot be read, then the folders and
    databases of clients.
    """
    return [found for agent in AGENTS for found in agent.unreadable(home, env)]
