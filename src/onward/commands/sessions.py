"""`sessions`: the sessions of this project, or of all projects, the newest first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from onward import repo
from onward.briefing.text import count, one_line
from onward.commands import listing, work, workspace
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.documents.times import age, moment
from onward.errors import InputError, NotFoundError, OnwardError
from onward.model import Clean
from onward.slash_commands import is_ours
from onward.storage.ranking import HEADLESS, SHOWN, TRIVIAL, WORK
from onward.storage.sessions import open_now
from onward.transcripts import registry
from onward.transcripts.sessions import SessionInfo

_FIX = "make it readable, then type the same command again"
_NARROWEST = 40  # columns: below it lines are broken by the terminal
_SMALL = 512 * 1024
"""Bytes of a transcript that is read for what was done in it. A word and its answer have 160 KB
with all that a client says of itself (measured).
"""


class Row(Struct, frozen=True, kw_only=True):
    """One session as it is shown, for `--json`."""

    agent: str
    session: Clean
    path: Clean
    cwd: Clean
    branch: Clean
    started: str
    ended: str
    size: int
    prompts: int
    whole: bool
    """Whether `prompts` counts all of them; else there are at least so many."""
    title: Clean
    last_prompt: Clean
    work_tree: Clean
    """Another work tree of this repository that the session was held in; "" for this one."""
    live: bool = False
    """Its client runs at this moment."""
    headless: bool = False
    """A script asked, nobody who waited for an answer."""
    trivial: bool = False
    """A word and its answer, and nothing was done."""


def of_project(world: World, root: Path) -> list[SessionInfo]:
    """The sessions of a project and of its repository's other work trees, newest first."""
    family = repo.common(root)

    @cache
    def related(folder: str) -> bool:
        if registry.below(folder, str(root)):
            # Where the root is no repository, those below it are other projects.
            return bool(family) or not (Path(folder).is_dir() and repo.common(Path(folder)))
        # Where a session was held may be gone by now: nearest folder that still stands.
        return family is not None and Path(folder).is_dir() and repo.common(Path(folder)) == family

    found = registry.find_sessions(world.home, world.env, cwd=None)
    return [info for info in found if any(related(each) for each in info.cwds)]


def lost(world: World, found: Sequence[registry.Unread] | None = None) -> str:
    """Which transcripts cannot be read, in one sentence; "" where all can."""
    found = registry.unreadable(world.home, world.env) if found is None else found
    if not found:
        return ""
    path, reason, _ = found[0]
    named = f"{workspace.redactor(world).text(workspace.shown(path, world))} ({reason})"
    first = ", the first" if found[1:] else ""
    return f"{count(len(found), 'transcript')} cannot be read{first}: {named}"


def none_here(
    world: World,
    message: str = "no session of this project was found",
    hint: str = "onward sessions --all",
) -> OnwardError:
    """The error where this project has no session, or none that can be read."""
    if found := registry.unreadable(world.home, world.env):
        return InputError(f"{message}; {lost(world, found)}", found[0].hint or _FIX)
    return NotFoundError(message, hint)


def sessions(world: World, *, everywhere: bool, width: int | None = None) -> Result:
    """The table of sessions; `everywhere` takes in every project of this machine. Lines are cut to
    `width` columns, where a terminal has so many.
    """
    root = workspace.here(world).root
    if everywhere:
        found = registry.find_sessions(world.home, world.env, cwd=None)
    else:
        found = of_project(world, root)
    text = workspace.redactor(world).text
    running = open_now(str(world.data), world.now.timestamp())
    kinds = {info.path: _standing(info) for info in found}
    rows = []
    # Those that hold no work of a user's stand behind all others, of which there may be few.
    for info in sorted(found, key=lambda info: kinds[info.path]):
        is_here = everywhere or any(registry.below(each, str(root)) for each in info.cwds)
        same = ("session", "cwd", "branch", "started", "ended", "title")
        row = Row(
            agent=info.agent,
            path=workspace.openable(info.path, world, text),
            size=info.size,
            prompts=info.prompts,
            whole=info.whole,
            last_prompt=text("" if is_ours(info.last_prompt) else info.last_prompt),
            work_tree=text("" if is_here else info.cwd),
            live=info.session in running,
            headless=info.unattended,
            trivial=kinds[info.path] == TRIVIAL,
            **{name: text(getattr(info, name)) for name in same},
        )
        rows.append(row)
    told = lost(world)
    notes: tuple[str, ...] = (told,) if told else ()
    if not rows:
        if told:
            raise none_here(world)
        notes = ("no sessions here; to see those of other projects: onward sessions --all",)
        if everywhere:
            notes = ("no agent has left a session on this machine",)
    room = None if width is None else max(width, _NARROWEST)
    lines = (_fitted(line, room) for line in _lines(rows, world, everywhere))
    return Result(text=compose(*lines), data=rows, notes=notes)


def _standing(info: SessionInfo) -> int:
    """HEADLESS, TRIVIAL, or WORK for all others: a chat stands where its time says."""
    is_small = info.whole and info.prompts <= 1 and info.size <= _SMALL
    found = work.standing(info.path, whole=True) if is_small else WORK
    return found if found == TRIVIAL else HEADLESS if info.unattended else WORK


def _lines(rows: Sequence[Row], world: World, everywhere: bool) -> Iterable[str]:
    is_mixed = len({row.agent for row in rows}) > 1
    shown = digits({row.session for row in rows})
    for row in rows:
        ended = moment(row.ended)
        old = age((world.now - ended).total_seconds()) if ended else "?"
        prompts = count(row.prompts, "prompt") if row.whole else f"{row.prompts}+ prompts"
        told = (
            "open now" if row.live else "",
            SHOWN[HEADLESS] if row.headless else "",
            SHOWN[TRIVIAL] if row.trivial else "",
            f"{old} ago",
            prompts,
            row.agent if is_mixed else "",
            row.branch,
            row.cwd if everywhere else row.work_tree,
        )
        yield f"{row.session[:shown]}  {one_line(row.title) or '(no title)'}"
        yield f"          {' · '.join(filter(None, told))}"
        if row.last_prompt and not row.last_prompt.startswith(row.title.rstrip("…")):
            yield f"          last: {one_line(row.last_prompt)}"


def _fitted(line: str, room: int | None) -> str:
    if room is None:
        return line
    words = line.lstrip(" ")
    indent = line[: len(line) - len(words)]
    return indent + listing.cut(words, room - len(indent))


def digits(ids: Collection[str]) -> int:
    """How many digits of an id tell these apart; ids may begin with the minute."""
    return next((n for n in (8, 13) if len({each[:n] for each in ids}) == len(ids)), 36)
