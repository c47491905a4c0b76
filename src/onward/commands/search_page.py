"""`search`: the answer as text: grouped for a user at a terminal, one line a record in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from onward.briefing.text import count
from onward.briefing.tokens import estimate
from onward.commands.listing import NARROWEST, cut
from onward.commands.result import compose
from onward.commands.search import Found, Row
from onward.commands.search_files import EVERY, Wish
from onward.commands.show import PAGE
from onward.commands.world import World
from onward.documents.times import moment, seconds
from onward.model import Clean
from onward.search.excerpt import Excerpt, densest, excerpt
from onward.search.query import Query, composed

PIPE: Final = 160  # columns of an excerpt where nobody looks at it
_BY: Final = 6  # columns of the longest
_MB: Final = 1_000_000
_OVER: Final = 60  # tokens that the best record of an answer may cost more than a page has

Paint = Callable[[str, str], str]  # clean text in a style: `hit`, `head`, `dim`, or who said it


def data(wish: Wish, found: Found) -> dict[str, Any]:
    """The answer for `--json`."""
    counts = ("records", "sessions", "files", "size", "broken", "unread", "apart", "held")
    rows = [_entry(found.query, row) for row in found.rows]
    return {
        "hits": [] if found.is_near else rows,
        "near": rows if found.is_near else [],
        "briefed": wish.briefed,
        **{name: getattr(found, name) for name in counts},
    }


def _entry(query: Query, row: Row) -> dict[str, Any]:
    shown = excerpt(query, row.text, PIPE)
    entry = {name: getattr(row, name) for name in row.__struct_fields__ if name != "text"}
    return {**entry, "excerpt": shown.text, "spans": shown.spans}


def fitted(world: World, wish: Wish, found: Found, *, as_json: bool) -> Found:
    """The answer with as many of its records, the best first, as cost `PAGE` tokens."""
    query, rows = found.query, found.rows
    told, most = [_scope(wish), *notes(world, wish, found)], 0
    if as_json:
        told.append(_json(data(wish, found._replace(rows=[]))))
    room = PAGE - estimate("\n".join(told))

    def cost(row: Row) -> int:
        return estimate(_json([_entry(query, row)]) if as_json else _line(world, query, row))

    if rows:
        # Indented, or as a string of JSON, a text may cost twice what it costs alone.
        best, whole = rows[0], rows[0].whole or ""
        while len(whole) > PIPE and cost(best) > room + _OVER:
            hit, eighth = densest(query.places(composed(whole)), PIPE), len(whole) // 8
            whole = whole[eighth:] if hit > len(whole) // 2 else whole[:-eighth]
            best = replace(best, whole=compose(whole, f"(cut; all of it: {best.show})"))
        rows = [best, *rows[1:]]
    for row in rows:
        room -= cost(row)
        if room < 0 and most:
            break
        most += 1
    return found._replace(rows=rows[:most])


def _json(data: object) -> str:
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()


def lines(world: World, wish: Wish, found: Found) -> Clean:
    """One line a record, tab-separated; below it the text of the best records of one session."""
    rows = (_line(world, found.query, row) for row in found.rows)
    return compose(*filter(None, [_scope(wish)]), *rows)


def _scope(wish: Wish) -> str:
    """Which session was searched although none was named; "" for all, or for the one named."""
    if not wish.briefed:
        return ""
    told = f"Searched session {wish.briefed[:8]} only, which this session was briefed on"
    return f"{told}; for all sessions add: --session {EVERY}"


def _line(world: World, query: Query, row: Row) -> str:
    said = excerpt(query, row.text, PIPE).text if row.whole is None else ""
    cells = (world.when(row.at) or "-", row.by, row.project or "-", row.show)
    call = f"[{_call(row)}] " if _call(row) else ""
    return "\t".join((*cells, f"{_lacks(row)}{call}{said}".rstrip())) + _below(row)


def _call(row: Row) -> str:
    return f"✗ {row.call}".rstrip() if row.failed else row.call


def _below(row: Row) -> str:
    lines = [*(row.whole or "").splitlines(), *([f"→ {row.result}"] if row.result else [])]
    return "".join(f"\n    {line}" for line in lines)


def _lacks(row: Row) -> str:
    """Which words are missing, by their numbers: they themselves may be a secret."""
    words = f"word{'s' * (len(row.missing) > 1)} {', '.join(map(str, row.missing))}"
    return f"(without {words}) " if row.missing else ""


def _second(world: World, rows: Sequence[Row]) -> str:
    """The second after the first of these, as `--until` takes it; "" where it has no time."""
    at = moment(rows[0].at) if rows else None
    with suppress(OverflowError):
        after = at and (at + timedelta(seconds=1)).astimezone(world.now.tzinfo)
        return f"{after:%Y-%m-%dT%H:%M:%S}" if after else ""
    return ""


def notes(world: World, wish: Wish, found: Found) -> Iterator[str]:
    """What is to be said beside the answer; never the words, which may be a secret."""
    looked = f"{count(found.files, 'file')} ({found.size / _MB:.0f} MB)"
    near = "1 is" if len(found.rows) == 1 else f"the nearest {len(found.rows)} are"
    if not found.files:
        yield "no sessions found: there is none on this machine, or the filters leave none"
    elif found.apart:
        hold = f"{count(found.apart, 'record')} hold{'s' if found.apart == 1 else ''} every word"
        yield f"not as typed in {looked}, but {hold} in another form or place; {near} shown"
    elif found.is_near and found.rows:
        held = ", ".join(f"word {n}: {held or 'none'}" for n, held in enumerate(found.held, 1))
        yield f"no record holds all words in {looked}; records with {held}; {near} shown"
    elif not found.records:
        more = " that holds one of them" if len(wish.query.terms) > 1 else ""
        yield f"no record{more} in {looked}; fewer filters or other words may find more"
    elif found.records > len(found.rows):
        best, held = f"the best {len(found.rows)}", count(found.sessions, "session")
        more = f"more: --limit {min(found.records, 5 * len(found.rows) or 1)}"
        newest, oldest = (_second(world, rows) for rows in (found.rows, found.rows[-1:]))
        if wish.newest_first and oldest not in {newest, ""}:
            more = f"older: --until {oldest}"
        yield f"{best} of {found.records} records in {held}; {more}"
    if found.unread:
        first, *others = found.unread
        places = count(len(found.unread), "place")
        which = ", the first" if others else ""
        yield f"{places} could not be read{which}: {first['path']} ({first['reason']})"
    if found.broken:
        yield f"{count(found.broken, 'damaged line')} could not be read"


def page(world: World, wish: Wish, found: Found, width: int, paint: Paint) -> Iterator[str]:
    """Sessions, the best first, each with its records below it, within `width` columns."""
    yield from filter(None, [_scope(wish)])
    groups: dict[tuple[str, str], list[Row]] = {}
    width = max(width, NARROWEST)
    for row in found.rows:
        groups.setdefault((row.session, row.kind if row.session else row.file), []).append(row)
    for number, rows in enumerate(groups.values()):
        if number:
            yield ""
        row = rows[0]
        newest = max(seconds(each.at) for each in rows)
        old = f"{world.age(newest)} ago" if newest else ""
        kind = "" if row.kind == "transcript" else row.kind
        told = filter(None, (row.project, row.branch, row.agent, kind, old))
        yield paint("head", cut(" · ".join(told), width))
        for row in rows:
            lacks = _lacks(row)
            room = width - _BY - 4 - len(lacks)
            shown = _painted(excerpt(found.query, row.text, room), paint)
            yield f"  {paint(row.by, f'{row.by:<{_BY}}')}  {lacks}{shown}{_below(row)}"
            told = filter(None, (world.when(row.at), cut(_call(row), max(width - 40, 20))))
            before = "".join(f"{each} · " for each in told)
            # The pointer is never cut: it is there to be typed.
            yield f"  {'':{_BY}}  {paint('dim', before)}{row.show}"


def _painted(shown: Excerpt, paint: Paint) -> str:
    pieces, at = [], 0
    for start, end in shown.spans:
        pieces += [shown.text[at:start], paint("hit", shown.text[start:end])]
        at = end
    return "".join((*pieces, shown.text[at:]))
