"""Read, distil and brief every transcript of a folder; print one table: `corpus.py DIR`.

Takes `*.jsonl` and `*.jsonl.xz` in DIR and below; the latter are unpacked one at a time into a
temporary folder. What is no transcript of a known agent is counted and passed over. Ends with
status 1 if anything was raised, or if a briefing is a tenth or more over its budget: neither
may ever be.
"""

from __future__ import annotations

import lzma
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpe_openai
import msgspec

from onward.briefing import DEFAULT_BUDGET, brief
from onward.errors import OnwardError
from onward.model import Event, Origin, Prompt
from onward.record import record
from onward.redaction import Redactor
from onward.transcripts.registry import open_transcript

OVER = 1.1


class Sums:
    """What was counted over all files."""

    def __init__(self) -> None:
        self.files = self.lines = self.bytes = self.unknown = 0
        self.seconds = self.carried = 0.0
        self.tokens: list[int] = []
        self.redactor = Redactor(b"one key for all of the corpus")
        self.encoding = bpe_openai.get_encoding("o200k_base")
        self.events: Counter[str] = Counter()
        self.problems: Counter[str] = Counter()
        self.raised: list[str] = []

    def read(self, path: Path, name: str) -> None:
        """Count one file."""
        start = time.perf_counter()
        try:
            transcript = open_transcript(path)
            events: list[Event] = list(transcript)
            self.seconds += time.perf_counter() - start
            self._brief(events, transcript.origin)
        except OnwardError:
            self.unknown += 1
            return
        except Exception as error:  # noqa: BLE001 - finding these is what the tool is for
            self.raised.append(f"{name}: {type(error).__name__}: {error}")
            return
        for event in events:
            kind = type(event).__name__
            self.events[f"{kind}:{event.source}" if isinstance(event, Prompt) else kind] += 1
        self.files += 1
        self.lines += transcript.origin.lines
        self.bytes += path.stat().st_size
        self.problems.update(transcript.problems)

    def _brief(self, events: list[Event], origin: Origin[str]) -> None:
        start = time.perf_counter()
        draft = msgspec.structs.replace(record(iter(events)), origin=origin)
        text = brief(self.redactor.draft(draft), None, budget=DEFAULT_BUDGET)
        self.carried += time.perf_counter() - start
        self.tokens.append(len(self.encoding.encode_ordinary(text)))

    @property
    def over(self) -> int:
        """How many briefings are a tenth or more over their budget."""
        return sum(tokens >= DEFAULT_BUDGET * OVER for tokens in self.tokens)


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """The file itself, or its content in a temporary folder."""
    if path.suffix != ".xz":
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / path.stem
        with lzma.open(path) as packed, target.open("wb") as plain:
            shutil.copyfileobj(packed, plain)
        yield target


def rows(sums: Sums) -> Iterator[tuple[str, str]]:
    """The table."""
    megabytes = sums.bytes / 1e6
    # Kilobytes on Linux, bytes on macOS.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak_mb = peak / (1e6 if sys.platform == "darwin" else 1e3)
    yield "files", f"{sums.files:,}"
    yield "not a transcript", f"{sums.unknown:,}"
    yield "lines", f"{sums.lines:,}"
    yield "MB", f"{megabytes:,.1f}"
    yield "read, MB/s", f"{megabytes / (sums.seconds or 1):,.0f}"
    yield "distil, redact and brief, MB/s", f"{megabytes / (sums.carried or 1):,.0f}"
    yield "briefing, tokens, largest", f"{max(sums.tokens, default=0):,}"
    yield f"briefings over {DEFAULT_BUDGET * OVER:,.0f} tokens", f"{sums.over:,}"
    yield "peak RSS, MB", f"{peak_mb:,.0f}"
    for kind, count in sums.events.most_common():
        yield f"event {kind}", f"{count:,}"
    for kind, count in sums.problems.most_common():
        yield f"problem {kind}", f"{count:,}"
    yield "problems", f"{sums.problems.total():,}"
    yield "exceptions", f"{len(sums.raised):,}"


def main(folder: Path) -> int:
    """Read the folder; the exit status."""
    paths = sorted([*folder.rglob("*.jsonl"), *folder.rglob("*.jsonl.xz")])
    if not paths:
        print(f"no *.jsonl or *.jsonl.xz in {folder}", file=sys.stderr)
        return 2
    sums = Sums()
    for number, path in enumerate(paths, 1):
        if sys.stderr.isatty():
            print(f"\r\033[K{number}/{len(paths)} {path.name}", end="", file=sys.stderr)
        with unpacked(path) as plain:
            sums.read(plain, path.name)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    table = list(rows(sums))
    width = max(len(name) for name, _ in table)
    for name, value in table:
        print(f"{name:{width}}  {value:>12}")
    for line in sums.raised:
        print(f"raised: {line}", file=sys.stderr)
    return 1 if sums.raised or sums.over else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
