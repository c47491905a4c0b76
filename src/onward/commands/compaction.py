"""A compaction: what its prompt is told to keep, and the verified state of the session after it.

The model that writes the summary obeys its prompt. So only what the user typed or wants for good, and the
names and commands in the agent's own calls come into that. What a program printed, a page or a file
said, and what the agent made of it in its own words stays out, however useful.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from onward.briefing import compaction
from onward.commands import opening, thread
from onward.commands.world import World
from onward.documents import times
from onward.model import (
    Clean,
    Compacted,
    Draft,
    Edited,
    Event,
    FileFact,
    Item,
    Prompt,
    Ran,
    Refusal,
    Reply,
    Request,
    Run,
    Used,
)
from onward.record import record
from onward.record.text import bounded, code, one_line
from onward.redaction import Secrets

LARGEST = 4 << 20  # bytes that are read while the user waits, of a larger file `TAIL`
TAIL = 3 << 20  # 99 in a hundred compactions had less between them (of 104)
_LIMIT = 1200
_ACT = 160  # characters of a command; a longer one holds text, not only names
_RUNS = 4
_PROSE = re.compile(
    r"[\"'`][^\"'`]*\s[^\"'`]*\s[^\"'`]*[\"'`]|<<|\$\(|\n|#|\s-m\s|--message|\becho\b|printf"
)
"""A quotation of several words, a here-document, a message: text that a command carries."""
_QUOTE = re.compile(r"[\"'`]")
_APART = re.compile(r"[~/]|[A-Za-z]:")
_BLANKS = 3  # blanks in a path; one with more of them is a sentence
_FOLDER = re.compile(r"^cd\s+(?:\"[^\"]*\"|\S+)\s*&&\s*")
LARGEST_AFTER, TAIL_AFTER = 16 << 20, 8 << 20  # the same after it: nobody waits
_PAUSE = 0.05
_SETTLED = 0.1  # seconds in which the client writes the summary after what stands before it
_FRESH = 5.0  # seconds in which a summary is taken for this one (measured: 0.2)
_ACTS = (Reply, Ran, Edited, Used)


class _Known(Struct, frozen=True):
    """What the user said and what the agent called, by place and as one text."""

    words: Mapping[str, str]
    refusals: Mapping[str, Refusal]
    calls: str


def before_compaction(world: World, transcript: Path, session: str = "") -> Clean:
    """The facts to keep, under 2,500 characters; "" where nothing was said. Raises OnwardError."""
    redactor = world.display_redactor
    secrets = Secrets(redactor)
    with opening.within(world, transcript, LARGEST, TAIL) as (path, _):
        events = list(opening.open_transcript(path, secrets)[1])
    draft = proven(record(events, str(world.project.root)), events)
    draft = thread.with_demands(world, session, draft)
    return compaction.keep(redactor.draft(opening.hidden(draft, secrets.again)))


def proven(draft: Draft, events: Iterable[Event]) -> Draft:
    """Of a draft only what the user's words and the agent's own calls bear out."""
    known = _known(events)
    # As they were typed: a draft puts the agent's options into the answer to a question.
    typed = (known.words.get(next(iter(item.places), ""), "") for item in draft.requests)
    requests = [bounded(words.strip(), _LIMIT) for words in typed if words.strip()]
    # Of these the command and the outcome are told, and no word of the output.
    runs = tuple(run for run in draft.runs if _is_call(run.command, known))
    failing = [run for run in runs if run.outcome == "failed"]
    passed = [run for run in runs if run.outcome == "passed"]
    return Draft(
        task=Item(text=""),
        requests=tuple(Request(text=words) for words in requests),
        next_action=_next(draft, failing),
        runs=tuple([*failing, *passed][:_RUNS]),
        dead_ends=tuple(_refused(draft, known)),
        files=tuple(f for f in draft.files if _is_work(f, known)),
        commands=tuple(_useful(draft, known, runs)),
    )


def _known(events: Iterable[Event]) -> _Known:
    words, refusals, calls = dict[str, str](), dict[str, Refusal](), list[str]()
    for event in events:
        if isinstance(event, Prompt) and event.source != "shell":
            words[event.place] = event.text
        elif isinstance(event, Refusal) and not event.thread:
            words[event.place], refusals[event.place] = event.words, event
        elif isinstance(event, Ran):
            calls.append(one_line(event.command, len(event.command) + 1))
        elif isinstance(event, Edited):
            calls += [event.path, event.to]
    return _Known(words, refusals, "\n".join(calls).replace("\\", "/"))


def _next(draft: Draft, failing: list[Run[str]]) -> Item[str] | None:
    """Only a failing check to fix or the unanswered request: the rest is in the agent's words."""
    following = draft.next_action
    places = set(following.places) if following else set[str]()
    for run in failing:
        if places.intersection(run.places):
            return Item(text=f"fix the failing check `{run.command}`")
    asked = {place for item in draft.requests[-1:] for place in item.places}
    is_asked = following and following.evidence == "asked" and places & asked
    return Item(text="do what was asked last") if is_asked else None


def _refused(draft: Draft, known: _Known) -> Iterator[Item[str]]:
    """Acts that the user refused and that were not done after all, with their words."""
    for item in draft.dead_ends:
        refusal = known.refusals.get(next(iter(item.places), ""))
        if refusal is None or refusal.kind not in {"command", "edit"}:
            continue
        words = bounded(refusal.words, _LIMIT) or None
        act = one_line(refusal.act, len(refusal.act) + 1)
        if refusal.kind == "command" and (_carries_text(act) or _QUOTE.search(act)):
            act = " ".join(act.split()[:2])
        yield Item(text=f"Refused by the user: {code(act)}", why=words, evidence="asked")


def _useful(draft: Draft, known: _Known, runs: Iterable[Run[str]]) -> Iterator[Item[str]]:
    """Commands that have a use beyond their one call, and are no checks."""
    told = {run.command for run in runs}
    for item in draft.commands:
        if item.why and _bare(item.text) not in told and _is_call(item.text, known):
            yield Item(text=item.text)


def _is_work(fact: FileFact[str], known: _Known) -> bool:
    path = (fact.to or fact.path).replace("\\", "/")
    if fact.change in {"read", "named"} or fact.commit or fact.clean or _APART.match(path):
        return False
    return path.count(" ") <= _BLANKS and path.rsplit("/", 1)[-1] in known.calls


def _is_call(command: str, known: _Known) -> bool:
    """Whether a command stood in a call of the agent's, and holds nothing but names."""
    return not _carries_text(command) and _bare(command) in known.calls


def _bare(command: str) -> str:
    return _FOLDER.sub("", one_line(command, len(command) + 1))


def _carries_text(command: str) -> bool:
    return len(command) > _ACT or _PROSE.search(command) is not None


# -------------------------------------------------------------------------- after it


def after_compaction(
    world: World, transcript: Path, session: str = "", *, wait: float = 0.0
) -> Clean:
    """The state before the compaction, and where the summary contradicts it. The client writes the
    summary only once its hooks have answered (0.1 to 0.2 seconds later, measured with versions
    2.1.197 and 2.1.330): a hook that let it go on may `wait` so many seconds. Raises OnwardError.
    """
    end = time.monotonic() + wait
    redactor = world.display_redactor
    secrets = Secrets(redactor)
    while True:
        size = _size(transcript)
        with opening.within(world, transcript, LARGEST_AFTER, TAIL_AFTER) as (path, is_whole):
            events = list(opening.open_transcript(path, secrets)[1])
        before = _before(events, world.now)
        if before or _went_on(events, world.now) or not _grows(transcript, size, end):
            break
    told, summary = before or (events, "")
    draft = thread.with_demands(world, session, record(told, str(world.project.root)))
    return compaction.verified(
        redactor.draft(opening.hidden(draft, secrets.again)),
        redactor.text(summary),
        [redactor.text(name) for name in _unknown(transcript, summary)] if is_whole else (),
        places=is_whole,
    )


def _unknown(transcript: Path, summary: str) -> list[str]:
    """Commit hashes and file names that stand in the summary alone."""
    named, told = compaction.names(summary), summary.encode()
    raw = transcript.read_bytes() if named else b""
    # Of a path the last part is looked for.
    parts = {name: name.rsplit("/", 1)[-1].encode() for name in named}
    return [name for name, part in parts.items() if raw.count(part) <= told.count(part)]


def _grows(transcript: Path, size: int, end: float) -> bool:
    """Wait until a transcript is larger or smaller than `size`; False if it is not by `end`."""
    while _size(transcript) == size:
        if time.monotonic() >= end:
            return False
        time.sleep(_PAUSE)
    time.sleep(_SETTLED)
    return time.monotonic() < end


def _went_on(events: list[Event], now: datetime) -> bool:
    """Whether the agent did or said anything since `now`: earlier acts may be written late."""
    own = (e for e in reversed(events) if isinstance(e, _ACTS) and not e.thread)
    at = next((times.moment(event.at) for event in own), None)
    return at is not None and at > now


def _before(events: list[Event], now: datetime) -> tuple[list[Event], str] | None:
    """What the newest summary stands for, and that summary, if it is fresh."""
    for at in reversed(range(len(events))):
        event = events[at]
        if isinstance(event, Compacted) and event.summary and not event.thread:
            made = times.moment(event.at)
            is_fresh = made is not None and (now - made).total_seconds() <= _FRESH
            return (events[:at], event.summary) if is_fresh else None
    return None


def _size(transcript: Path) -> int:
    try:
        return transcript.stat().st_size
    except OSError:
        return 0
