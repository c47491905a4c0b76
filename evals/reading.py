"""Transcripts of any agent that the evaluation knows, from raw JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from evals import claude_code, codex
from evals.entries import Transcript

_decode = msgspec.json.Decoder().decode
_LOOK = 40
"""Records within which a file shows whose it is."""


class UnknownShapeError(Exception):
    """A file that is no transcript of an agent known here."""


def records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and record of every line that holds one JSON object."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                record = _decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue
            if isinstance(record, dict):
                yield number, record


def read(path: Path) -> Transcript:
    """The transcript at `path`; UnknownShapeError where it is none."""
    found = list(records(path))
    first = [record for _, record in found[:_LOOK]]
    if any(map(claude_code.recognises, first)):
        return claude_code.read(path, found)
    if any(map(codex.recognises, first)):
        return codex.read(path, found)
    raise UnknownShapeError(path.name)
