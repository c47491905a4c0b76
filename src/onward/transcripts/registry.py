"""The sessions of all clients on this machine."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, cast

from onward import transcripts as table
from onward.errors import InputError, NotFoundError
from onward.transcripts import disk
from onward.transcripts.agent import Agent as Agent  # noqa: PLC0414 - for those above
from onward.transcripts.agent import Transcript as Transcript  # noqa: PLC0414 - as above
from onward.transcripts.disk import HEAD
from onward.transcripts.reader import SessionInfo as SessionInfo  # noqa: PLC0414 - as above

AGENTS: Final = tuple(cast("Agent", table.part(each, "sessions").AGENT) for each in table.AGENTS)

_CHUNK: Final = 1 << 20


def transcripts(
    home: Path, env: Mapping[str, str], faults: list[OSError] | None = None
) -> Iterator[Path]:
    """Every transcript that a client or the archive has, in no order; `faults` gets what cannot be read."""
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
        # The last know their own by its beginning; the first may have to read all of a file.
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


def client_of(head: bytes) -> Agent | None:
    """For a search, whose transcript it is, by its beginning."""
    return next((agent for agent in AGENTS if agent.reader.knows(io.BytesIO(head))), None)


def below(folder: str, top: str) -> bool:
    """Whether a folder is `top` or lies in it, in the spelling of either system."""
    one, other = _spelled(folder), _spelled(top)
    return one == other or one.startswith(f"{other}/")


def _spelled(folder: str) -> str:
    plain = folder.replace("\\", "/").rstrip("/")
    return plain.casefold() if plain[1:2] == ":" else plain


# ---------------------------------------------------------------- what cannot be read


class Unread(NamedTuple):
    """What is there and cannot be read, why, and what to type for it, "" where nothing is known."""

    path: Path
    reason: str
    hint: str = ""


def is_torn(path: Path) -> bool:
    """Whether a transcript's last line is no whole record. Not told of a compressed one."""
    if path.name.endswith(disk.SUFFIX):
        return False
    try:
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - _CHUNK))
            last = stream.read().rpartition(b"\n")[2].rstrip(b"\0 \r")
        return bool(last) and not last.endswith(b"}")
    except OSError:
        return False


def unreadable(home: Path, env: Mapping[str, str]) -> list[Unread]:
    """The transcripts that cannot be read, and why; then the clients' folders and databases."""
    found, faults = list[Unread](), list[OSError]()
    for path in (path for agent in AGENTS for path in agent.transcripts(home, env, faults)):
        try:
            with disk.opened(path) as stream:
                start = stream.read(HEAD)
                while path.name.endswith(disk.SUFFIX) and stream.read(_CHUNK):
                    pass  # how much it unpacks to shows at its end
        except FileNotFoundError:  # removed meanwhile
            continue
        except OSError as error:
            found.append(Unread(path, _reason(error)))
        except InputError as error:
            found.append(Unread(path, error.hint))
        else:
            if start.strip() and b'{"' not in start:
                found.append(Unread(path, "no record in it"))
    return [*found, *closed(faults)]


def closed(faults: Iterable[OSError]) -> Iterator[Unread]:
    """The folders and databases among what could not be read, less those that are not there."""
    for fault in faults:
        if not isinstance(fault, FileNotFoundError | NotADirectoryError):
            yield Unread(Path(str(fault.filename)), _reason(fault), getattr(fault, "hint", ""))


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
