"""Which sessions there are. A session is a thread; one that no user held (a
headless run, a sub-agent) is there for whoever names it, and offered to nobody.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Raw, Struct

from onward.decode import Records
from onward.errors import InputError
from onward.transcripts import truncation
from onward.transcripts.codex.compression import is_packed, opened
from onward.transcripts.codex.files import KNOWN
from onward.transcripts.codex.home import AGENT, SUFFIX, folder, transcripts
from onward.transcripts.codex.lineage import MARK
from onward.transcripts.codex.provenance import folder_in, joined, words
from onward.transcripts.codex.records import Body, Line
from onward.transcripts.sessions import HEAD, TAIL, SessionInfo, ends
from onward.transcripts.sessions import unreadable as cannot
from onward.user_input import is_significant

NO_NAMES: Final[Mapping[str, str]] = {}
_FOLDERS: Final = 20
"""Folders remembered of one session."""
_FIRST: Final = 3  # lines
_CHUNK: Final = 1 << 20


class _Name(Struct, frozen=True):
    """One line of the client's list of names."""

    id: str = ""
    thread_name: str = ""


class Signs(Struct, frozen=True):
    """The keys by which a line of this client is known."""

    type: str = ""
    id: str | None = None
    timestamp: str | None = None
    payload: Raw = Raw()


def recognises(path: Path) -> bool:
    """Whether the first lines of a file are this client's."""
    try:
        with opened(path) as stream:
            lines = Records(Signs, lambda _: None, MARK).read(stream)
            return any(_is_ours(line, signs) for line, signs in islice(lines, _FIRST))
    except InputError:
        return path.name.endswith(SUFFIX)


def _is_ours(line: int, signs: Signs) -> bool:
    if bytes(signs.payload).startswith(b"{"):
        return signs.type in KNOWN
    return line == 1 and bool(signs.id and signs.timestamp and not signs.type)


def sessions(home: Path, env: Mapping[str, str]) -> Iterator[SessionInfo]:
    """Every thread in which something was said, archived ones included."""
    names = _names(folder(home, env) / "session_index.jsonl")
    for path in transcripts(home, env):
        try:
            info = look(path, names)
        except (OSError, InputError):  # removed meanwhile, or not ours to read
            continue
        if info:
            yield info


def unreadable(home: Path, env: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """Files and folders of rollouts that are there and cannot be read, and why."""
    faults: list[OSError] = []
    return cannot(transcripts(home, env, faults), faults, _head)


def _head(path: Path) -> bytes:
    with opened(path) as stream:
        head = stream.read(HEAD)
        while path.name.endswith(SUFFIX) and stream.read(_CHUNK):
            pass  # how much it unpacks to shows at its end
    return head


def look(path: Path, names: Mapping[str, str] = NO_NAMES) -> SessionInfo | None:
    """What the ends of one file tell; None where nobody spoke."""
    disk = path.stat()
    stream, whole = _ends(path)
    facts = _Facts()
    for _, record in Records(Line, lambda _: None, MARK).read(stream):
        facts.see(record)
    if not facts.spoke:
        return None
    title = names.get(facts.session) or facts.title
    return SessionInfo(
        agent=AGENT,
        session=facts.session or path.name.removesuffix(".zst").removesuffix(".jsonl"),
        path=path,
        cwd=facts.cwds[0] if facts.cwds else "",
        cwds=tuple(facts.cwds),
        branch=facts.branch,
        started=facts.started,
        ended=facts.ended,
        size=disk.st_size,
        mtime=disk.st_mtime,
        prompts=facts.prompts,
        title=title or truncation.one_line(facts.first, 100),
        last_prompt=truncation.one_line(facts.last),
        whole=whole,
        unattended=facts.hidden,
        hidden=facts.hidden,
    )


class _Facts:
    """What is gathered from the lines that are looked at."""

    def __init__(self) -> None:
        self.cwds: list[str] = []
        self.session = self.branch = self.started = self.ended = ""
        self.title = self.first = self.last = ""
        self.spoke = self.hidden = False
        self._told = self._sent = 0

    @property
    def prompts(self) -> int:
        """What the screen was told counts; where it was told nothing, what the model was sent."""
        return self._told or self._sent

    def see(self, record: Line) -> None:
        """Take note of one line."""
        body = record.payload or record
        self.started = self.started or record.timestamp or ""
        self.ended = record.timestamp or self.ended
        if (body is not record and record.type == "session_meta") or (
            body is record and record.id and not record.type
        ):
            self._meta(body)
        elif record.type == "turn_context":
            self._folder(body.cwd or "")
        elif body.type == "message" and body.role in {"user", "assistant"}:
            self._message(body)
        elif body.type == "user_message":
            self._says(body.message or "", told=True)
        elif body.item and body.item.type == "UserMessage":
            text = joined(body.item)
            self._says(text, told=True)
        elif body.type == "thread_name_updated":
            self.title = body.thread_name or self.title

    def _meta(self, body: Body) -> None:
        if self.session:
            return
        self.session = body.id or ""
        self.branch = (body.git.branch if body.git else None) or ""
        self._folder(body.cwd or "")
        source = bytes(body.source)
        self.hidden = source == b'"exec"' or source.startswith(b"{")

    def _message(self, body: Body) -> None:
        text = joined(body)
        self.spoke = self.spoke or body.role == "assistant"
        if body.role == "user":
            self._folder("" if self.cwds else folder_in(text))
            if not self._told:
                self._says(text, told=False)

    def _says(self, text: str, *, told: bool) -> None:
        said = words(text)
        if said.kind not in {"prompt", "command"}:
            return
        self.spoke = True
        self._told += told
        self._sent += not told
        if not is_significant(self.first):
            self.first = said.text if is_significant(said.text) else self.first or said.text
        self.last = said.text

    def _folder(self, cwd: str) -> None:
        if cwd and cwd not in self.cwds and len(self.cwds) < _FOLDERS:
            self.cwds.append(cwd)


def _names(path: Path) -> dict[str, str]:
    """What the user called their threads; the last word holds."""
    try:
        with path.open("rb") as stream:
            lines = Records(_Name, lambda _: None, "id").read(stream)
            return {name.id: name.thread_name for _, name in lines if name.thread_name}
    except OSError:
        return {}


def _ends(path: Path) -> tuple[BinaryIO, bool]:
    """As `sessions.ends`; a compressed file has to be read through to its end."""
    with path.open("rb") as raw:
        if not is_packed(raw):
            return ends(path)
    with opened(path) as stream:
        head = stream.read(HEAD + TAIL)
        tail, size = b"", len(head)
        while chunk := stream.read(_CHUNK):
            tail, size = (tail + chunk)[-TAIL:], size + len(chunk)
    if size == len(head):
        return io.BytesIO(head), True
    tail = (head + tail)[-TAIL:]
    head = head[: head.rfind(b"\n", 0, HEAD) + 1]
    return io.BytesIO(head + tail[tail.find(b"\n") + 1 :]), False
