"""Which sessions there are. Identity comes from the records alone: the
names of the project folders cannot be turned back into paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from onward.decode import Records
from onward.transcripts import truncation
from onward.transcripts.claude_code.calls import title
from onward.transcripts.claude_code.files import MARK
from onward.transcripts.claude_code.home import AGENT, transcripts
from onward.transcripts.claude_code.provenance import said
from onward.transcripts.claude_code.records import Record
from onward.transcripts.sessions import HEAD, SessionInfo, ends
from onward.transcripts.sessions import unreadable as cannot
from onward.user_input import is_significant

_FOLDERS = 20
"""Folders remembered of one session; it follows the agent's `cd`."""
_FIRST = 5  # lines
_SCRIPT = "sdk-cli"
"""How the client calls a run without a screen."""


class Signs(Struct, frozen=True):
    """The keys by which a line of this client is known."""

    type: str = ""
    sessionId: str | None = None  # noqa: N815 - the client's name
    uuid: str | None = None
    leafUuid: str | None = None  # noqa: N815 - the client's name
    messageId: str | None = None  # noqa: N815 - the client's name
    operation: str | None = None
    lastPrompt: str | None = None  # noqa: N815 - the client's name


def recognises(path: Path) -> bool:
    """Whether the first lines of a file are this client's, or those at its ends."""
    with path.open("rb") as file:
        if any(islice(_is_ours(file), _FIRST)):
            return True
    stream, _ = ends(path)
    return any(_is_ours(stream))


def _is_ours(stream: BinaryIO) -> Iterator[bool]:
    for _, signs in Records(Signs, lambda _: None, MARK).read(stream):
        mine = signs.uuid or signs.leafUuid or signs.messageId or signs.operation
        yield bool(signs.sessionId and (mine or signs.lastPrompt is not None))


def sessions(home: Path, env: Mapping[str, str]) -> Iterator[SessionInfo]:
    """Every session that has a record of a conversation; sub-agents' files are not sessions."""
    for path in transcripts(home, env):
        try:
            info = look(path)
        except OSError:  # removed meanwhile, or not ours to read
            continue
        if info:
            yield info


def unreadable(home: Path, env: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """Files and folders of transcripts that are there and cannot be read, and why."""
    faults: list[OSError] = []
    return cannot(transcripts(home, env, faults), faults, _head)


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(HEAD)


def look(path: Path) -> SessionInfo | None:
    """What the ends of one file tell; None where nobody spoke."""
    stat = path.stat()
    stream, whole = ends(path)
    facts = _Facts()
    for _, record in Records(Record, lambda _: None, MARK).read(stream):
        facts.see(record)
    if not facts.spoke:
        return None
    return SessionInfo(
        agent=AGENT,
        session=facts.session or path.stem,
        path=path,
        cwd=facts.cwds[0] if facts.cwds else "",
        cwds=tuple(facts.cwds),
        branch=facts.branch,
        started=facts.started,
        ended=facts.ended,
        size=stat.st_size,
        mtime=stat.st_mtime,
        prompts=facts.prompts,
        title=facts.custom or facts.title or truncation.one_line(facts.first, 100),
        last_prompt=truncation.one_line(facts.last),
        whole=whole,
        unattended=facts.starts == {_SCRIPT},
    )


class _Facts:
    """What is gathered from the records that are looked at."""

    def __init__(self) -> None:
        self.cwds: list[str] = []
        self.session = self.branch = self.started = self.ended = ""
        self.title = self.custom = self.first = self.last = ""
        self.starts: set[str] = set()
        self.prompts = 0
        self.spoke = False

    def see(self, record: Record) -> None:
        self.title = record.ai_title or self.title
        self.custom = record.custom_title or self.custom
        if record.last_prompt:
            self.last = record.last_prompt
        if record.type not in {"user", "assistant"} or record.is_sidechain:
            return
        self.spoke = True
        self.starts.add(record.entrypoint)
        self.session = self.session or record.session_id or ""
        if record.cwd and record.cwd not in self.cwds and len(self.cwds) < _FOLDERS:
            self.cwds.append(record.cwd)
        self.branch = record.git_branch or self.branch
        self.started = self.started or record.timestamp or ""
        self.ended = record.timestamp or self.ended
        if record.type != "user" or (words := said(record)).kind not in {"prompt", "plan"}:
            return
        self.prompts += 1
        if words.kind == "plan":  # an order too, whose heading says what for
            self.first = self.first or title(words.text)
        else:
            if not is_significant(self.first):
                self.first = words.text if is_significant(words.text) else self.first or words.text
            self.last = words.text
