"""The client's sessions ("threads") and rollouts, all generations since 0.8: whose one is, the threads
that it goes on from, what a line says. `reading` makes events of `records` (the shapes, and who wrote a
text), with `calls` (a call and its result).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final

from msgspec import Struct

from onward.agents.codex import calls
from onward.agents.codex.reading import Reading
from onward.agents.codex.records import (
    MARK,
    Body,
    Line,
    joined,
    words,
)
from onward.decode import Records
from onward.evidence import EARLIER
from onward.model import Event
from onward.search.record import Record
from onward.transcripts import reader, tool_calls
from onward.transcripts.disk import SUFFIX, opened
from onward.transcripts.reader import position
from onward.transcripts.tool_calls import Call, End
from onward.transcripts.values import (
    ID,
    decoded,
    listed,
    text,
    text_of,
    whole,
    word_set,
)

_FIRST: Final = 3  # lines
_KNOWN: Final = word_set(
    "session_meta response_item event_msg turn_context compacted world_state token_usage_record "
    "inter_agent_communication inter_agent_communication_metadata"
)
"""Kinds of line of the wrapped form that were seen."""
_DEPTH: Final = 8  # forks of forks that are followed
_TURNS: Final = (b'"user_message"', b'"UserMessage"', b'"thread_rolled_back"')
"""What a line says that begins a turn, or takes some back."""

_USER: Final = frozenset({"prompt", "command", "shell", "plan"})


_SCRIPTS: Final = ("cmd", "command")  # what holds the script of a shell, in one form or the other


class _Name(Struct, frozen=True):
    """One line of the client's list of names."""

    id: str = ""
    thread_name: str = ""


def names(path: Path) -> dict[str, str]:
    """What the user called their threads; the last word holds."""
    try:
        with path.open("rb") as stream:
            lines = Records(_Name, "id").read(stream)
            return {name.id: name.thread_name for _, name in lines if name.thread_name}
    except OSError:
        return {}


class _Reader(reader.Reader[Line]):
    """As `reader.Reader`."""

    KIND = Line
    MARK = MARK
    READING = Reading
    DEEDS = (b'"type":"function_call', b'"type":"custom_tool_call', b'"type":"reasoning"')
    BODY = "payload"
    SKIPPED = word_set(
        "encrypted_content base_instructions replacement_history replacement_history_metadata "
        "internal_chat_message_metadata_passthrough metadata type timestamp"
    )

    def knows(self, stream: BinaryIO) -> bool:
        for n, one in islice(self.records().read(stream), _FIRST):
            is_flat = n == 1 and one.id and one.timestamp and not one.type
            if one.type in _KNOWN if one.payload else is_flat:
                return True
        return False

    def taken_back(self, files: reader.Transcript[Line]) -> list[tuple[int, int]]:
        """A fork may go back behind its own beginning."""
        pieces = lineage(files.path)
        files.seen.update(piece.path for piece in pieces)
        starts: list[int] = []
        gone: list[tuple[int, int]] = []
        for piece in reversed(pieces):
            for line, record in self.sought(
                piece.path, lambda raw: any(sign in raw for sign in _TURNS)
            ):
                body, at = record.body, position(line + piece.shift)
                if not piece.holds(line, record.ordinal):
                    continue
                if body.type in {"user_message", "UserMessage"}:
                    starts.append(at)
                elif body.type == "thread_rolled_back" and starts and (body.num_turns or 0) > 0:
                    back = starts[-(body.num_turns or 0) :]
                    gone.append((back[0], at))
                    del starts[-len(back) :]
        return gone

    def find(self, path: Path, thread: str) -> Path | None:
        return _find(path, thread)

    def family(self, path: Path) -> list[Path]:
        return [piece.path for piece in lineage(path)]

    def before(self, reading: reader.Reading[Line]) -> Iterator[Event]:
        """Less the facts of those threads."""
        for piece in reversed(lineage(reading.files.path)[1:]):
            with opened(piece.path) as stream:
                for line, record in self.records(reading.files.note).read(stream):
                    if not piece.holds(line, record.ordinal):
                        break
                    if record.type != "session_meta":
                        yield from reading.feed(line + piece.shift, record)

    def said(self, record: Line) -> Iterator[Record]:
        """What the model was sent: what the screen was told says the same once more, but for errors."""
        if record.type == "compacted":
            yield Record(by="agent", text=record.body.message or "")
        elif record.payload is None or record.type == "response_item":
            yield from _item(record.body)
        elif record.payload.type == "error":
            yield Record(by="result", text=record.payload.message or "", failed=True)

    def other_text(self, record: Line) -> str:
        said = record.body.message or joined(record.body, named=True)
        return said or record.body.text or record.body.last_agent_message or ""


READER: Final = _Reader()


def _item(body: Body) -> Iterator[Record]:
    """An item of the model's input, for a search."""
    if body.type == "message":
        told = words(joined(body)) if body.role == "user" else None
        if body.role == "assistant":
            yield Record(by="agent", text=joined(body))
        elif told and told.kind in _USER:
            yield Record(by="user", text=told.text, shown=partial(joined, body, named=True))
        elif told and told.kind == "notice":
            yield Record(by="result", text=told.text)
    elif body.type in calls.CALLS:
        yield _call(body)
    elif body.type in calls.OUTPUTS:
        yield _result(decoded(body.output, ""), body.call_id or "")
    elif body.type == "reasoning":
        parts = listed({"summary": decoded(body.summary, [])}, "summary")
        said = (text(part, "text") for part in parts)
        yield Record(by="agent", text="\n".join(said))
    elif body.type == "web_search_call":
        yield Record(by="agent", text=calls.query(body), tool="web_search")


def _result(output: Any, call: str) -> Record:
    end = calls.ended(output)
    shown, failed = partial(_show, output, end), calls.failed(end)
    return Record(by="result", text=end.text, shown=shown, call=call, failed=failed)


def _show(output: Any, end: End) -> str:
    """A result for a user to read."""
    told, code = text_of(output, named=True), None
    if told.startswith('{"output"'):  # the result within JSON, and its status
        told, code = end.text, end.code
    well = not calls.failed(end) and end.state not in {"refused", "interrupted"}
    return tool_calls.show_result(told, well=well, code=code)


def _call(body: Body) -> Record:
    (name, kind), given = calls.whose(body), calls.inputs(body)
    if kind == "shell" and (script := calls.command(given)):
        given = {"command": script, **{k: v for k, v in given.items() if k not in _SCRIPTS}}
    return tool_calls.record(Call(name=name, kind=kind, given=given), body.call_id or "")


# ------------------------------------------------------------------------- its family
#
# Since 0.150 a fork's file does not hold what came before it: it names a thread, and the ordinal
# up to which that one is its own past. Ordinals count on from one file to the next.


class Piece(Struct, frozen=True):
    """One file of a lineage: its line numbers grow by `shift`, it counts before the ordinal `end` (None: all)."""

    path: Path
    shift: int = 0
    end: int | None = None

    def holds(self, line: int, ordinal: int | None) -> bool:
        """Whether a line of the file is part of the lineage."""
        return self.end is None or (line - 1 if ordinal is None else ordinal) < self.end


def lineage(path: Path) -> list[Piece]:
    """A rollout and, nearest first, those that it goes on from, as far as they are there."""
    pieces = [Piece(path)]
    while len(pieces) <= _DEPTH:
        last = pieces[-1]
        with opened(last.path) as stream:
            lines = Records(Line, MARK).read(stream)
            _, first = next(lines, (0, Line()))
        base = first.body.history_base
        found = _find(path, text(base, "thread_id")) if base else None
        if base is None or found is None or found in {piece.path for piece in pieces}:
            break
        ends = [
            end for end in (last.end, whole(base.get("end_ordinal_exclusive"))) if end is not None
        ]
        pieces.append(Piece(found, EARLIER * len(pieces), min(ends, default=None)))
    return pieces


def _find(beside: Path, id_: str) -> Path | None:
    """Another thread's rollout: beside one of the same client, in any day's folder, or archived."""
    if not ID.fullmatch(id_):
        return None
    tops = {"sessions": "sessions/*/*/*/", "archived_sessions": "archived_sessions/"}
    home = next((up.parent for up in beside.parents if up.name in tops), None)
    for suffix in (".jsonl", SUFFIX):
        name = f"*{id_}{suffix}"
        found = list(beside.parent.glob(name))
        for top in tops.values() if home and not found else ():
            found += home.glob(top + name) if home else ()
        if found:
            return min(found)
    return None
