"""The kinds of line in a rollout. The client keeps no record of which hook gave a
text, so nothing is told of injections.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from msgspec import Struct

from onward.decode import Records
from onward.transcripts.codex.compression import opened
from onward.transcripts.codex.files import KNOWN
from onward.transcripts.codex.lineage import MARK
from onward.transcripts.diagnostics import Survey


class _Body(Struct, frozen=True):
    cli_version: str = ""


class _Line(Struct, frozen=True):
    type: str = ""
    payload: _Body | None = None


def survey(path: Path) -> Survey:
    """What the whole file tells. Raises OSError, and InputError as `opened` does."""
    unknown: Counter[str] = Counter()
    version = ""
    with opened(path) as stream:
        for _, line in Records(_Line, lambda _: None, MARK).read(stream):
            version = (line.payload.cli_version if line.payload else "") or version
            if line.payload and line.type not in KNOWN:
                unknown[line.type] += 1
    return Survey(version=version, unknown=dict(unknown))
