"""`search`: who said it, when and where, over all that sessions left on this machine.

No index: files are looked through anew each time, so there is nothing to build, to spoil or to
leak. Threads look through them, since the sieve leaves Python free while it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import structs

from onward.commands import search_files, show
from onward.commands.search_files import Place, Unread
from onward.commands.search_look import Hit, Looked, Looker, Wish
from onward.commands.world import World
from onward.errors import UsageError
from onward.search.ranking import ranked
from onward.transcripts.searchable import CLIENTS

if TYPE_CHECKING:
    from onward.commands.search_rows import Row

_THREADS: Final = 2
_NEAREST: Final = 5
"""Records that are shown where none holds all words."""

Progress = Callable[[int, int], None]
"""Told now and then how many bytes were read, and of how many."""


class Found(NamedTuple):
    """The answer. `records` counts all that matched, `rows` are those to show."""

    rows: list[Row]
    records: int
    sessions: int
    files: int
    size: int
    """Bytes that were looked through."""
    broken: int
    """Lines that could not be read."""
    unread: list[Unread]
    """Files and folders that could not be read."""
    apart: int = 0
    """Where no record matched: how many hold the words of the phrases, but not as phrases."""
    near: tuple[Row, ...] = ()
    """Where no record matched: those that hold most of the words."""
    nowhere: tuple[int, ...] = ()
    """Where no record matched: the numbers of the words, from 1, that no record holds."""


def search(
    world: World,
    wish: Wish,
    *,
    agent: str = "",
    limit: int | None,
    progress: Progress | None = None,
) -> Found:
    """Look for what is wanted everywhere, or in one session; the best `limit` records are shown,
    and where there is none, those that hold some of the words.

    Raises UsageError for a client that does not exist, NotFoundError for such a session.
    """
    session = wish.session
    if session:
        main = show.transcript(world, session)
        wish = structs.replace(wish, session=search_files.session_of(main))
    else:
        main = None
    where = _Where(main, agent)
    found, _ = _search(world, wish, where, limit, progress)
    nearest = wish.query.nearest()
    if found.records or len(nearest.terms) < 2:
        return found
    some = structs.replace(wish, query=nearest)
    near, hits = _search(world, some, where, _NEAREST, progress)
    every = set(range(1, len(nearest.terms) + 1))
    for hit in hits:
        every &= set(hit.missing)
    return found._replace(
        near=tuple(near.rows),
        nowhere=tuple(sorted(every)),
        apart=sum(not hit.missing for hit in hits),
    )


class _Where(NamedTuple):
    """Where to look: in one session, or in all of the clients that are named."""

    main: Path | None
    agent: str


def _places(world: World, wish: Wish, where: _Where, unread: list[Unread]) -> list[Place]:
    if where.main:
        return search_files.of_session(world, where.main, unread)
    clients = search_files.named(where.agent)
    if not clients:
        names = " or ".join(client.NAME for client in CLIENTS)
        raise UsageError(f"--agent takes {names}", "onward search --help")
    return [
        place
        for place in search_files.transcripts(world, clients, unread)
        if not wish.since or place.mtime >= wish.since.timestamp()
    ]


def _search(
    world: World,
    wish: Wish,
    where: _Where,
    limit: int | None,
    progress: Progress | None,
) -> tuple[Found, list[Hit]]:
    unread: list[Unread] = []
    places = _places(world, wish, where, unread)
    looker = Looker(wish, world.now, str(world.home), _counted(places, progress))
    with ThreadPoolExecutor(_THREADS) as threads:
        looked = [*threads.map(looker.look, places)]
        folders = (each.facts.cwd for each in looked)
        ours = [
            place
            for root in ([] if where.main else search_files.projects(world, folders))
            for place in search_files.of_project(world, root, unread)
            if not where.agent or place.kind == "backup"
        ]
        looked += threads.map(looker.look, ours)
    hits = ranked(_once(looked))
    unread += (Unread(str(each.place.path), each.fault) for each in looked if each.fault)
    found = Found(
        rows=_rows(world, wish, hits[:limit], looked),
        records=len(hits),
        sessions=len({hit.group for hit in hits}),
        files=len(looked),
        size=sum(each.place.size for each in looked),
        broken=sum(each.broken for each in looked),
        unread=_clean(world, unread),
    )
    return found, hits


def _rows(world: World, wish: Wish, hits: list[Hit], looked: list[Looked]) -> list[Row]:
    if not hits:
        return []
    # Redaction is dear to load; many a search finds nothing.
    from onward.commands import search_rows  # noqa: PLC0415

    return search_rows.rows(world, wish, hits, looked)


def _clean(world: World, unread: list[Unread]) -> list[Unread]:
    if not unread:
        return []
    from onward.commands import search_rows  # noqa: PLC0415 - as above

    return search_rows.clean(world, unread)


def _once(looked: Iterable[Looked]) -> list[Hit]:
    """The hits without copies: a backup's of what the client's own file holds, and what a client
    wrote twice.
    """
    found: dict[int, Hit] = {}
    for each in looked:
        for hit in each.hits:
            kept = found.setdefault(hit.same, hit)
            if kept.place is hit.place and hit.score > kept.score:
                found[hit.same] = hit
    return [*found.values()]


def _counted(places: Iterable[Place], progress: Progress | None) -> Callable[[int], None]:
    if progress is None:
        return lambda _: None
    total, done = sum(place.size for place in places), 0

    def tell(size: int) -> None:
        nonlocal done
        done += size
        progress(done, total)

    return tell
