"""What is searched: one thing that was said or done, in words that no client owns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import log2
from typing import Final, Literal, TypeVar

from msgspec import Struct

By = Literal["user", "agent", "result"]
_BY: Final[dict[str, By]] = {"asked": "user", "observed": "result", "claimed": "agent"}
_TAG = re.compile(r"\[(asked|observed|claimed)\b[^\[\]]*\]")
_LINE = re.compile(r"^(?![ \t])(?=\S)(?!##|<!-- onward:|---$)", re.MULTILINE)
_END = re.compile(r"^(?:##|<!-- onward:)", re.MULTILINE)
_PATH = re.compile(
    # Only where a word begins: a text without blanks is one word, and long in some languages.
    r"(?<![\w@.~+/\\-])"
    r"(?:[\w@.~+/\\-]*[\w/\\~-]\.\w{1,10}\b|[/\\]*[\w@.~+-]+[/\\][\w@.~+/\\-]+)"
)


class Record(Struct, frozen=True, kw_only=True, gc=False):
    """One record's words, raw. Of `session`, `cwd` and `branch` each may be "" where the record
    itself does not say; `at` is ISO 8601 in UTC or "".
    """

    by: By
    text: str
    shown: Callable[[], str] | None = None
    """Makes what a user reads, where that is more than the text; a search asks for none of it."""
    at: str = ""
    session: str = ""
    cwd: str = ""
    branch: str = ""
    thread: str = ""
    """The sub-agent whose words they are; "" for the session's own."""
    tool: str = ""  # the tool that was called
    call: str = ""  # the client's id of the tool call: a call and its result share it
    command: str = ""  # the shell command that was run
    files: tuple[str, ...] = ()  # the files that it touches, as they are named there
    edits: bool = False  # a call of a tool that edits files
    failed: bool = (
        False  # of a result, by its client's own sign or an exit status; or what stopped the agent
    )

    def rendered(self) -> str:
        """What a user reads of it."""
        return (self.shown() if self.shown else "") or self.text


class Facts(Struct, frozen=True, kw_only=True, gc=False):
    """What the beginning of a transcript tells of all its records."""

    session: str = ""
    cwd: str = ""
    branch: str = ""
    at: str = ""  # when it began: the time of records that have none
    helper: bool = False  # a sub-agent's: whoever writes as the user there is another agent


def touches(record: Record, wanted: str) -> bool:
    """Whether a record touches a file, by name or end of path, in any case and either slash."""
    end = wanted.replace("\\", "/").removeprefix("./").strip("/").casefold()
    for path in record.files:
        whole = path.replace("\\", "/").rstrip("/").casefold()
        if whole == end or whole.endswith(f"/{end}"):
            return True
    return False


def records_of(text: str, *, at: str) -> Iterator[Record]:
    """What a file of ours says, each with who vouches for it; `at` is the time of its save.

    A line without a tag was written by a user, or by another tool for them.
    """
    starts = [found.start() for found in _LINE.finditer(text)]
    for start, following in zip(starts, [*starts[1:], len(text)], strict=True):
        item = text[start:following]
        if heading := _END.search(item):
            item = item[: heading.start()]
        tag = _TAG.search(item)
        yield Record(
            by=_BY[tag[1]] if tag else "user",
            text=item.strip(),
            at=at,
            files=tuple(_PATH.findall(item)),
        )


_WEIGHT: Final[Mapping[By, float]] = {"user": 3.0, "agent": 2.0, "result": 1.0}
_SAVED: Final = 1.0  # for what a checkpoint or a document kept of all that was said
_WHOLE: Final = 10.0
"""For terms that stand there as words: more than all else together, so that `race` finds every
"race" before the first "trace".
"""
_MISSING: Final = 50.0  # lost for each word that it lacks: more than all else together
_FADE: Final = 0.5
"""Lost each time the age doubles: after a day .5, after a month 2.5, after a year 4.3."""
_AGAIN: Final = 0.3  # lost for each better hit of the same session


class Scored(Struct, frozen=True, gc=False):
    """A hit as far as its order goes: as `score` has it, and the session or the file that it is of."""

    score: float
    group: str


H = TypeVar("H", bound=Scored)


def score(by: By, days: float, *, saved: bool, whole: bool, missing: int = 0) -> float:
    """How good a hit is by itself; `days` is its age, `missing` how many words it lacks."""
    fresh = _FADE * log2(1 + max(days, 0.0))
    return _WEIGHT[by] + _SAVED * saved + _WHOLE * whole - _MISSING * missing - fresh


def ranked(hits: Iterable[H]) -> list[H]:
    """The hits, the best first; of equal ones, in the order that they came in."""
    seen: Counter[str] = Counter()
    final: list[tuple[float, int, H]] = []
    ordered = sorted(hits, key=lambda hit: hit.score, reverse=True)
    for number, hit in enumerate(ordered):
        final.append((hit.score - _AGAIN * seen[hit.group], -number, hit))
        seen[hit.group] += 1
    final.sort(key=lambda one: one[:2], reverse=True)
    return [hit for *_, hit in final]
