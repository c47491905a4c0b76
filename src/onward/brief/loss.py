"""The loss report: what a client's own summary of a session leaves out and the next step needs.

Part of the briefing's room. It is about the state before the context was replaced; the same
session goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from onward.brief.overlap import Said, distinctive
from onward.brief.select import Line, Part, choose
from onward.brief.text import code, one_line, shorten, tag
from onward.brief.tokens import estimate
from onward.model import Checkpoint, Clean, FileFact, Item, Run, Task, order_of

BUDGET = 600
"""Tokens of the whole, by our estimate."""
_CHARACTERS = 4000
_HEAD = "What the summary of this session leaves out (a record from its transcript; it gives no orders):"
_WORDS, _LINE = 400, 240  # characters
_TASKS, _RUNS, _RULES, _FILES = 5, 3, 3, 10
_LONG = 150
"""Tokens from which most of a request was pasted: what is asked stands at its ends."""
_ENDS = 2
_PROSE = 0.75
"""Share of letters and blanks below which a line was hardly typed."""
_NEEDED = ("test", "build", "type check", "lint", "start")
_BARE = ("__init__.py", "mod.rs", ".gitkeep")
"""Files that come with a folder and say nothing of the work."""
_TOLD, _HINTED = 0.6, 0.5
"""Share of the distinctive words at which a thing counts as said."""
_FEW = 3
"""Distinctive words below which a text says nothing by itself."""
_PASTED = re.compile(r"[|>│├└╰•*#+-]|\[\d+ lines cut\]|\(a picture\)")
_MARKS = ('"', "'", "`", "\u201c", "\u2018", "\u300c")
_CHOICE = re.compile(r" \((?=\w{1,2}: )|(?<=^\w): |(?<=^\w\w): ")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。\uff01\uff1f])|\n+")


def loss(checkpoint: Checkpoint, summary: Clean, *, since: float = 0, places: bool = True) -> Clean:
    """The report as Markdown, at most 600 tokens; "" where nothing is missing.

    `since` is the line of the context's last replacement before this one: of files, runs and
    commands only later ones count. `checkpoint.decisions` holds those that are rules. Without
    `places` none are shown.
    """
    said = Said(summary)
    found = Part(heading=_HEAD, lines=tuple(_lines(checkpoint, said, since, places)), noun="point")
    chosen = choose([found], BUDGET, _CHARACTERS)[0]
    if not chosen:
        return Clean("")
    return Clean("\n".join([_HEAD, *chosen.values()]) + "\n")


def _lines(c: Checkpoint, said: Said, since: float, places: bool) -> Iterator[Line]:
    def line(rank: float, text: str, item: Item[Clean] | Task[Clean] | Run[Clean]) -> Line:
        return Line(text=f"- {text}{tag(item.places[:1]) if places else ''}", rank=rank)

    if c.requests and (words := _request(c.requests[-1], said)):
        yield line(0, f"The person's last request: {words}", c.requests[-1])
    for item in _asked(c, said):
        yield line(1, shorten(one_line(item.text), _LINE), item)
    for n, run in enumerate(_failing(c.runs, said, since)):
        yield line(2 + n, _run(run), run)
    for n, task in enumerate(_open(c.tasks, said)):
        yield line(2.5 + n, f"Open task: {shorten(one_line(task.title), _LINE)}", task)
    for n, item in enumerate(_ruled(c, said, since)):
        yield line(4 + n, _rule(item), item)
    files = [code(f.path) for f in c.files if _is_lost(f, said, since)]
    if files:
        more = f" and {len(files) - _FILES} more" if len(files) > _FILES else ""
        yield Line(text=f"- Edited, not committed: {', '.join(files[:_FILES])}{more}", rank=3)
    for n, item in enumerate(_commands(c, said, since)):
        yield line(6 + n, f"Command for {item.why}: {code(item.text)}", item)


def _request(item: Item[Clean], said: Said) -> str:
    """The person's words, if they are not told; of many words only the sentences that are not."""
    text, answered = one_line(item.text), one_line(item.why or "")
    if len(distinctive(f"{text} {answered}")) < _FEW or _is_quoted(text, said):
        return ""
    if len(distinctive(text)) < _FEW:
        told = f"“{text}”, which answers: {shorten(answered, _LINE)}"
        return "" if text.startswith("(") or said.tells(answered, _HINTED) else told
    typed = _typed(item.text)
    missing = [part for part in typed if not said.tells(part, _TOLD)]
    pasted = estimate(text) > _LONG and (said.is_foreign(text) or missing[:1] != typed[:1])
    if not missing or pasted:
        return ""
    if len(text) <= _WORDS // 2:
        return "" if said.tells(text, _TOLD) else f"“{text}”"
    return f"“{shorten(' … '.join(missing), _WORDS)}”"


def _is_quoted(text: str, said: Said) -> bool:
    """Whether the words stand in quotation marks; of a choice (`1+2 (1: …)`) what was typed."""
    typed = _CHOICE.split(text)[0]
    return any(said.quotes(f"{mark}{typed}") for mark in _MARKS)


def _typed(text: str) -> list[str]:
    """The sentences of a request that were typed; of a long one the first and the last."""
    parts = [one_line(part) for part in _SENTENCE.split(text)]
    prose = [
        part
        for part in parts
        if sum(c.isalpha() or c == " " for c in part) >= _PROSE * len(part) > 0
        and not _PASTED.match(part)
    ]
    if estimate(text) <= _LONG or len(prose) <= 2 * _ENDS:
        return prose
    return [*prose[:_ENDS], *prose[-_ENDS:]]


def _failing(runs: Iterable[Run[Clean]], said: Said, since: float) -> list[Run[Clean]]:
    found = [
        run
        for run in runs
        if run.outcome == "failed"
        and _is_later(run.places, since)
        and not said.reports(" ".join((run.command, *run.decisive[:2])))
    ]
    return found[:_RUNS]


def _run(run: Run[Clean]) -> str:
    why = next(iter(run.decisive), None) or run.summary
    reason = f": {shorten(one_line(why), 160)}" if why else ""
    edits = f" ({run.edits_after} edits since)" if run.edits_after > 1 else ""
    where = f" in {code(run.cwd)}" if run.cwd else ""
    return f"Failing: {code(run.command)}{where}{reason}{edits}"


def _open(tasks: Iterable[Task[Clean]], said: Said) -> list[Task[Clean]]:
    left = [t for t in tasks if t.status != "completed" and _is_missing(t.title, said)]
    return sorted(left, key=lambda task: task.status != "in_progress")[:_TASKS]


def _is_missing(text: str, said: Said) -> bool:
    """Whether words of the agent are told nowhere, as far as they can be compared."""
    return not said.is_foreign(text) and not said.tells(text, _HINTED)


def _asked(c: Checkpoint, said: Said) -> list[Item[Clean]]:
    """Questions that wait for the person; the last sentence is what asks."""
    waiting = [item for item in c.blockers if item.evidence == "claimed"]
    return [i for i in waiting if _is_missing(_SENTENCE.split(i.text.strip("”"))[-1], said)]


def _ruled(c: Checkpoint, said: Said, since: float) -> list[Item[Clean]]:
    """What the person refused, and the rules they laid down."""
    refused = [
        item
        for item in c.dead_ends
        if item.evidence == "asked" and not said.tells(item.why or "", _TOLD)
    ]
    known = {place for item in (*refused, *c.requests[-1:]) for place in item.places}
    laid = [i for i in c.decisions if not known.intersection(i.places)]
    lost = [i for i in (*refused, *laid) if _is_later(i.places, since)]
    return [i for i in lost if not said.tells(i.text, _HINTED)][:_RULES]


def _rule(item: Item[Clean]) -> str:
    why = f" — {shorten(one_line(item.why), 160)}" if item.why else ""
    return f"The person's word: {shorten(one_line(item.text), _LINE)}{why}"


def _is_lost(fact: FileFact[Clean], said: Said, since: float) -> bool:
    """Whether a file of the work in hand is not named."""
    changed = fact.change not in {"read", "named"} and not fact.commit
    path = fact.to or fact.path
    apart = path.startswith(("~", "/")) or path.endswith(_BARE)
    return changed and not apart and _is_later(fact.places, since) and not said.names(path)


def _commands(c: Checkpoint, said: Said, since: float) -> list[Item[Clean]]:
    """For each check that work in hand needs, the shortest command that worked."""
    if not any(f.change not in {"read", "named"} and not f.commit for f in c.files):
        return []
    found: dict[Clean, Item[Clean]] = {}
    for item in c.commands:
        if item.why in _NEEDED and _is_later(item.places, since) and not said.knows(item.text):
            best = found.setdefault(item.why, item)
            found[item.why] = min(best, item, key=lambda each: len(each.text))
    return list(found.values())


def _is_later(places: tuple[str, ...], since: float) -> bool:
    at = [order_of(place) for place in places if order_of(place)]
    return max(at, default=since) >= since
