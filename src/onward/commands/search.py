"""`search`: who said it, when and where, over all that sessions left on this machine.

No index: files are looked through anew each time, in threads, since the sieve leaves Python free while
it runs. What is shown is read again, redacted, and has a pointer to type.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct, structs

from onward.briefing.tokens import characters_for
from onward.commands import search_files, show
from onward.commands.result import compose
from onward.commands.search_files import OURS, Hit, Looked, Place, Wish, saved, told
from onward.commands.sessions import digits
from onward.commands.show import adds, call_of, in_short, line_above, located, one_line, page_end
from onward.commands.world import Tell, World, quoted
from onward.errors import OnwardError, UsageError
from onward.model import Clean
from onward.redaction import Secrets
from onward.search.excerpt import Excerpt, columns, densest, excerpt
from onward.search.query import WINDOW, Query, Sieve, composed
from onward.search.record import By, Facts, Record, ranked
from onward.transcripts import disk, registry
from onward.transcripts.reader import SESSION_ID
from onward.transcripts.registry import AGENTS, Agent, Unread

_THREADS: Final = 2
_NEAREST: Final = 5  # records that are shown where none holds all words
_BEST: Final = 3  # hits of one session whose text is shown as far as it fits
_TEXT: Final = 250  # tokens of each, at least
_PAGE, _LINE = 1_150, 70  # tokens of the page, and of what stands beside one hit
_WORD: Final = re.compile(r"[\w./-]*")
_LEARNED, _ONE = 2_000_000, 20_000_000
"""Characters that are searched for secrets besides the hits: more would take half a second; and
those of one session.
"""
_FAR: Final = 4_000  # characters before a hit, from which on the command names it
_LABEL: Final = 100
_ENDING: Final = 160  # columns of the last lines of a result
_ROOM: Final = 600  # columns of a text that are kept; the page shows fewer


class Row(Struct, frozen=True, kw_only=True):
    """One record as it is shown."""

    by: By
    at: str  # ISO 8601, UTC; "" where unknown
    kind: str
    agent: str
    tool: Clean
    project: Clean  # the name of the project's folder
    cwd: Clean
    branch: Clean
    session: Clean
    file: Clean  # the file that it stands in
    show: Clean  # what to type to see all of it
    text: Clean
    call: Clean  # the tool call that it is, or is the result of: the tool, and its command or file
    result: Clean  # of a tool call in one session, where its result stands and how that begins
    failed: bool = False
    missing: tuple[int, ...] = ()  # the numbers, from 1, of the words that it lacks
    whole: Clean | None = None  # of the best hits of one session, the text around the hit


class Found(NamedTuple):
    """The answer. `records` counts all that matched `query`, `rows` are those to show."""

    query: Query
    rows: list[Row]
    records: int
    sessions: int
    files: int
    size: int  # bytes that were looked through
    broken: int  # lines that could not be read
    unread: list[dict[str, Clean]]  # files and folders that could not be read: path and reason
    is_near: bool = False  # no record matched: these are the nearest
    apart: int = 0  # how many of the nearest hold all words
    held: tuple[int, ...] = ()  # how many hold each of them


def search(world: World, wish: Wish, *, limit: int | None, tell: Tell) -> Found:
    """The best `limit` records, else those with some of the words. Raises UsageError,
    NotFoundError.
    """
    main = show.transcript(world, wish.session) if wish.session else None
    if main:
        facts = registry.agent_of(main).reader.facts(disk.beginning(main))
        wish = structs.replace(wish, session=facts.session or main.name)  # as its records bear it
    look = partial(_search, world, main, tell)
    found, _ = look(wish, limit)
    nearest = wish.query.nearest()
    if found.records or not nearest.terms:
        return found
    near, hits = look(structs.replace(wish, query=nearest), _NEAREST)
    numbers = range(1, len(nearest.terms) + 1)
    return found._replace(
        query=nearest,
        rows=near.rows,
        is_near=True,
        apart=sum(not hit.missing for hit in hits),
        held=tuple(sum(n not in hit.missing for hit in hits) for n in numbers),
    )


def _search(
    world: World, main: Path | None, tell: Tell, wish: Wish, limit: int | None
) -> tuple[Found, list[Hit]]:
    unread: list[Unread] = []
    places = _places(world, wish, main, unread)
    total, done = sum(place.size for place in places), 0

    def more(size: int) -> None:
        nonlocal done
        done += size
        tell(done, total)

    looker = search_files.Looker(wish, world.now, str(world.home), more)
    with ThreadPoolExecutor(_THREADS) as threads:
        looked = [*threads.map(looker.look, places)]
        folders = (each.facts.cwd for each in looked)
        roots = [] if main else search_files.projects(world, folders)
        ours = (p for root in roots for p in search_files.of_project(world, root, unread))
        looked += threads.map(
            looker.look, [p for p in ours if not wish.agent or p.kind == "backup"]
        )
    hits = ranked(_once(looked))
    if wish.newest_first:
        hits.sort(key=lambda hit: (hit.when, hit.at), reverse=True)
    unread += (Unread(each.place.path, each.fault) for each in looked if each.fault)
    clean = world.display_redactor.text
    found = Found(
        query=wish.query,
        rows=_rows(world, wish, _best(wish, hits, limit), looked) if hits else [],
        records=len(hits),
        sessions=len({hit.group for hit in hits}),
        files=len(looked),
        size=sum(each.place.size for each in looked),
        broken=sum(each.broken for each in looked),
        unread=[{"path": clean(world.shown(e.path)), "reason": clean(e.reason)} for e in unread],
    )
    return found, hits


def _places(world: World, wish: Wish, main: Path | None, unread: list[Unread]) -> list[Place]:
    if main:
        return search_files.of_session(world, main, unread)
    clients = search_files.named(wish.agent)
    if not clients:
        names = " or ".join(client.NAME for client in AGENTS)
        raise UsageError(f"--agent takes {names}", "onward search --help")
    found = search_files.transcripts(world, clients, unread)
    since = wish.since.timestamp() if wish.since else float("-inf")
    return [place for place in found if place.mtime >= since]


def _best(wish: Wish, hits: list[Hit], limit: int | None) -> list[Hit]:
    """So many of them; where none holds all words, among them one for each word."""
    if wish.query.whole or limit is None or not hits[0].missing:
        return hits[:limit]
    lacked, needed = set(hits[0].missing), [hits[0]]
    for hit in hits:
        if not lacked.issubset(hit.missing):
            needed.append(hit)
            lacked.intersection_update(hit.missing)
    others = (hit for hit in hits if hit not in needed)
    return sorted([*needed, *others][:limit], key=hits.index)


def _once(looked: Iterable[Looked]) -> list[Hit]:
    """The hits without copies: of backups, and of what a client wrote twice."""
    found: dict[int, Hit] = {}
    for each in looked:
        for hit in each.hits:
            kept = found.setdefault(hit.same, hit)
            if kept.place is hit.place and hit.score > kept.score:
                found[hit.same] = hit
    return [*found.values()]


def _rows(world: World, wish: Wish, hits: Sequence[Hit], looked: Sequence[Looked]) -> list[Row]:
    """The rows of these hits, in their order. What was changed or removed meanwhile is left out."""
    redactor = world.display_redactor
    query, room = wish.query, _ONE if wish.session else _LEARNED
    # What the first lines of the others leave of a page, the best three share.
    least = _TEXT if query.terms and not wish.failed else _TEXT // 2
    text = max(least, (_PAGE - _LINE * len(hits)) // min(_BEST, len(hits)))
    is_printed, printed = wish.session and query.whole, ""
    # Of one session, and of one project, most of what stands beside the text is the same.
    clean = cache(redactor.text)
    facts = {each.place.path: each.facts for each in looked}
    pointers = _Pointers(world, looked)
    by_place: dict[Path, list[int]] = defaultdict(list)
    for number, hit in enumerate(hits):
        by_place[hit.place.path].append(number)
    found: dict[int, Row] = {}
    for path, numbers in by_place.items():
        place, again = hits[numbers[0]].place, _Again(secrets := Secrets(redactor))
        try:
            again.read(place, facts[path], [hits[number] for number in numbers], room)
        except (OSError, OnwardError):
            continue
        room -= secrets.learned
        for number in numbers:
            read = again.records.get((hits[number].at, hits[number].number))
            if read and (shown := _excerpt(wish, read.record, secrets)):
                record, call = read.record, read.call
                pointer = pointers.to(place, facts[path], read.line, record)
                if place.kind not in OURS and shown.spans:
                    piece = _piece(shown)  # in words that are shown anyway
                    is_far = located(record.text, piece) > _FAR
                    pointer += f" --find {shlex.quote(piece)}" if is_far else ""
                whole = None
                if is_printed and number < _BEST:
                    patch = again.patches.get(record.call) if wish.edits else ""
                    whole = _whole(wish, secrets.text(patch or read.text), text)
                    whole = whole if adds(whole, printed) else None
                    printed += whole or ""
                result = again.results.get(record.call, "") if wish.session and record.tool else ""
                found[number] = _row(
                    world,
                    clean,
                    place,
                    record,
                    show=clean(pointer),
                    text=shown.text,
                    call=one_line(secrets.text(call_of(call)), _LABEL) if call else compose(),
                    result=one_line(secrets.text(result), _LABEL),
                    missing=hits[number].missing,
                    whole=whole,
                )
    return [found[number] for number in sorted(found)]


class _Read(NamedTuple):
    """A hit, read again."""

    record: Record
    text: str = ""  # as it is printed
    line: int = 0
    call: Record | None = None  # the tool call that it is, or is the result of


class _Again:
    """What is read again of a file that has hits."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets, self._asked = secrets, set[str]()
        self.records: dict[tuple[int, int], _Read] = {}
        """Each hit that is still there, by its place in the file."""
        self._calls: dict[str, Record] = {}  # the last one with each id
        self.results: dict[str, str] = {}  # of hits that are calls, where and how the result begins
        self.patches: dict[str, str] = {}  # and the lines that an edit changed, as far as noted

    def read(self, place: Place, facts: Facts, hits: list[Hit], room: int) -> None:
        """Also learns the file's secrets, as far as there is room. Raises OSError, OnwardError."""
        if place.kind in OURS:
            self.records = {(at, 0): _Read(each) for at, each in enumerate(saved(place))}
        elif client := place.client or registry.client_of(disk.beginning(place.path)):
            wanted: dict[int, set[int]] = defaultdict(set)
            for hit in hits:
                wanted[hit.at].add(hit.number)
                wanted[hit.call] |= set()  # read for what it says of the hit
            each = disk.passing(place.path, Sieve(()).lines, lambda _: None, lambda _: None)
            for line, (at, raw) in enumerate(each, 1):
                if at in wanted or self._secrets.learned <= room:
                    with suppress(ValueError):
                        self._line(client, facts, line, at, raw, wanted.get(at, ()))

    def _line(  # noqa: PLR0917 - each of another kind
        self, client: Agent, facts: Facts, line: int, at: int, raw: bytes, wanted: Container[int]
    ) -> None:
        for number, record in enumerate(client.reader.heard(raw)):
            is_hit = number in wanted
            self._secrets.learn(record.text[: 2 * WINDOW] if is_hit else record.text)
            if record.call and record.tool:
                self._calls[record.call] = record
            if is_hit:
                made, shown = self._calls.get(record.call), client.reader.render(raw)
                call, found = told(made, facts) if made else None, told(record, facts)
                # An edit by its fields: what it puts stands below what it replaces.
                text = shown.text if record.edits else record.text
                if not (text.strip() or shown.inner):
                    found, text = structs.replace(found, text=shown.text), shown.text
                self.records[at, number] = _Read(found, text, line, call)
                self._asked.add(record.call)
            if record.call in self._asked and record.call and not record.tool:
                given = client.reader.render(raw).text
                self.results[record.call] = f"t:{line} {in_short(given, record)[: 2 * WINDOW]}"
                # What stands below the result is what its client noted: the lines that changed.
                if record.text and given.startswith(show.RESULTS):
                    self.patches[record.call] = given.partition(record.text)[2].strip("\n")


def _piece(shown: Excerpt) -> str:
    """The longest hit of an excerpt, to the end of the word, the path or the number."""
    start, end = max(shown.spans, key=lambda span: span[1] - span[0])
    more = _WORD.match(shown.text, end)
    return shown.text[start : more.end() if more else end]


def _excerpt(wish: Wish, record: Record, secrets: Secrets) -> Excerpt | None:
    """What is shown of a record on one line: around the words; of a failed call the last lines."""
    if not wish.failed:
        # The file of an edit, which most begin with, is told before it.
        first, _, below = record.text.partition("\n") if wish.edits else ("", "", "")
        below = below if first in record.files else ""
        match = (wish.query.match(below) if below else None) or wish.query.match(record.text)
        return excerpt(wish.query, match.around(secrets.text), _ROOM) if match else None
    last, text = "", secrets.text(record.text[-2 * WINDOW :])
    for line in reversed(text[-WINDOW:].splitlines()):
        more = " ".join((*line.split(), *last.split()))
        if last and columns(more) > _ENDING:
            break
        last = more
    return Excerpt(text=one_line(last, _ENDING))


def _whole(wish: Wish, text: Clean, room: int) -> Clean:
    """So many tokens of a text, in whole lines: where most of the words stand together; of a failed
    call the last ones.
    """
    hit = len(text) if wish.failed else densest(wish.query.places(composed(text)), 4 * room)
    at = line_above(text, hit)
    stop = page_end(text, at, room)
    if stop == len(text):  # there may be room for more of what stands before it
        start = len(text) - characters_for(text[-8 * room :], room)
        at = min(at, text.find("\n", start) + 1 or start) if start > 0 else 0
    left = len(text) - (stop - at)
    more = f"\n({left:,} of {len(text):,} characters are left out)" if left else ""
    return compose(text[at:stop].strip("\n") + more)


class _Pointers:
    """What to type for a record: by the session's id where that leads to the very file."""

    def __init__(self, world: World, looked: Sequence[Looked]) -> None:
        self._world = world
        own = [each for each in looked if each.place.kind == "transcript"]
        main = [each for each in own if each.facts.session and not _helps(each.place.path)]
        count = Counter(each.facts.session for each in main)
        paths = {each.facts.session: each.place.path for each in main}
        only = (id_ for id_ in paths if count[id_] == 1 and SESSION_ID.fullmatch(id_))
        self._files = {id_: paths[id_] for id_ in only}
        self._digits = digits(count)

    def to(self, file: Place, facts: Facts, line: int, record: Record) -> str:
        """The command."""
        if file.address:  # another machine's is known in its project
            show = f"onward show {shlex.quote(file.address)}"
            here = search_files.root_of(str(self._world.cwd), str(self._world.home))
            root = file.root or Path()
            return show if here == str(root) else f"cd {self._typed(root)} && {show}"
        path, place = self._typed(file.path), f"t:{line}"
        if file.kind in OURS:
            return f"onward show {path}"
        main = self._files.get(facts.session)
        whose = facts.session[: self._digits]
        if main == file.path:
            return f"onward show {whose} {place}"
        beside = {main.with_suffix("") / "subagents", main.parent} if main else set()
        if record.thread and file.path.parent in beside and _helps(file.path):
            place = f"t:{file.path.stem.removeprefix(search_files.HELPER)}:{line}"
            return f"onward show {whose} {place}"
        return f"onward show {place} --session {path}"

    def _typed(self, path: Path) -> str:
        return quoted(self._world.shown(path))


def _helps(path: Path) -> bool:
    return path.name.startswith(search_files.HELPER)


def _row(
    world: World, clean: Callable[[str], Clean], place: Place, record: Record, **said: Any
) -> Row:
    """The row; `said` is what it says, and how it is shown."""
    cwd = record.cwd
    folder = str(place.root or "") or search_files.root_of(cwd, str(world.home)) or cwd
    return Row(
        by=record.by,
        at=record.at,
        kind=place.kind,
        agent=place.client.NAME if place.client else "",
        tool=clean(record.tool),
        project=clean(folder.replace("\\", "/").rstrip("/").rpartition("/")[2]),
        cwd=clean(world.shown(Path(cwd)) if cwd else str(place.root or "")),
        branch=clean(record.branch),
        failed=record.failed,
        session=clean(record.session),
        file=clean(place.address) or world.openable(place.path, clean),
        **said,
    )
