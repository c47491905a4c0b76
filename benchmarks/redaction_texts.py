"""Texts for the measurements of redaction, and the places that rules find in them."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from onward.redaction import engine, rules

sys.path.append(str(Path(__file__).resolve().parents[1]))  # for `tests.examples`
LARGEST = 2_000_000  # bytes; larger files are data, not source


class Text(NamedTuple):
    """A text and where it comes from."""

    origin: str
    text: str


class Span(NamedTuple):
    """What was found from `start` to `end` (bytes), and the rules that found it."""

    start: int
    end: int
    rules: tuple[str, ...]


PERSONAL = frozenset(rule.id for rule in (*rules.personal.RULES, *rules.personal.of("", "")))


@cache
def ours() -> engine.Table:
    """Our rules for secrets, without those for personal data."""
    return engine.compile_rules(rule for rule in rules.RULES if rule.id not in PERSONAL)


@cache
def personal() -> engine.Table:
    """Our rules for personal data, on a machine whose user nobody knows."""
    known = {rule.id: rule for rule in rules.RULES if rule.id in PERSONAL}
    known |= {rule.id: rule for rule in rules.personal.of("", "")}
    return engine.compile_rules(known.values())


def spans(data: bytes, table: engine.Table) -> list[Span]:
    """What the rules find; what overlaps is one."""
    merged: list[Span] = []
    for found in sorted(engine.find(data, table), key=lambda each: (each.start, -each.end)):
        if merged and found.start < merged[-1].end:
            start, end, ids = merged.pop()
            ids = tuple(dict.fromkeys((*ids, found.rule.id)))
            merged.append(Span(start, max(end, found.end), ids))
        else:
            merged.append(Span(found.start, found.end, (found.rule.id,)))
    return merged


def files(folders: Iterable[Path]) -> Iterator[Text]:
    """Every text file below the folders (or the files themselves)."""
    for folder in folders:
        for path in [folder] if folder.is_file() else sorted(folder.rglob("*")):
            if "/.git/" in path.as_posix() or path.is_symlink() or not path.is_file():
                continue
            data = path.read_bytes() if path.stat().st_size <= LARGEST else b"\0"
            if b"\0" not in data:
                yield Text(str(path), data.decode(errors="replace"))


def standard_library() -> list[Path]:
    """Ordinary source code that every machine has: Python's own, without its tests."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    return [
        path
        for path in sorted(folder.iterdir())
        if path.name not in {"test", "site-packages", "dist-packages", "__pycache__"}
    ]


def transcripts(folder: Path) -> Iterator[Text]:
    """Every distinct string inside the records of the `.jsonl` files below the folder."""
    seen: set[int] = set()
    for path in sorted(folder.rglob("*.jsonl")):
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    record = msgspec.json.decode(line)
                except msgspec.DecodeError:
                    continue
                for text in _strings(record):
                    if (mark := hash(text)) not in seen:
                        seen.add(mark)
                        yield Text(f"{path}:{number}", text)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
