"""`sessions`: the sessions of this project, or of all projects, the newest first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from onward.briefing.text import count, one_line
from onward.commands import listing, work
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.documents.times import seconds
from onward.errors import InputError, NotFoundError, OnwardError
from onward.repo import git
from onward.slash_commands import is_ours
from onward.storage.ranking import HEADLESS, SHOWN, TRIVIAL, WORK
from onward.storage.sessions import open_now
from onward.transcripts import registry, truncation
from onward.transcripts.reader import TITLE, SessionInfo

NO_SESSION, _ALL = "no session of this project was found", "onward sessions --all"
_FIX = "make it readable, then type the same command again"
_SMALL = 512 * 1024  # bytes; a word and its answer have 160 KB (measured)


def of_project(world: World, root: Path) -> list[SessionInfo]:
    """The sessions of a project and of its repository's other work trees, newest first."""
    family = git.common(root)

    @cache
    def related(folder: str) -> bool:
        if registry.below(folder, str(root)):
            # Where the root is no repository, those below it are other projects.
            return bool(family) or not (Path(folder).is_dir() and git.common(Path(folder)))
        # Where a session was held may be gone by now: nearest folder that still stands.
        return family is not None and Path(folder).is_dir() and git.common(Path(folder)) == family

    found = registry.find_sessions(world.home, world.env)
    return [info for info in found if any(related(each) for each in info.cwds)]


def lost(world: World, found: Sequence[registry.Unread] | None = None) -> str:
    """Which transcripts cannot be read, in one sentence; "" where all can."""
    found = registry.unreadable(world.home, world.env) if found is None else found
    if not found:
        return ""
    path, reason, _ = found[0]
    named = f"{world.redactor.text(world.shown(path))} ({reason})"
    first = ", the first" if found[1:] else ""
    return f"{count(len(found), 'transcript')} cannot be read{first}: {named}"


def none_here(world: World, message: str = NO_SESSION, hint: str = _ALL) -> OnwardError:
    """The error where this project has no session, or none that can be read."""
    if found := registry.unreadable(world.home, world.env):
        return InputError(f"{message}; {lost(world, found)}", found[0].hint or _FIX)
    return NotFoundError(message, hint)


def sessions(world: World, *, everywhere: bool, width: int | None = None) -> Result:
    """The table of sessions, those of all projects `everywhere`, cut to `width` columns."""
    root = world.project.root
    found = registry.find_sessions(world.home, world.env) if everywhere else of_project(world, root)
    text = world.redactor.text
    running = open_now(str(world.data), world.now.timestamp())
    kinds = {info.path: _standing(info) for info in found}
    rows = []
    # Those that hold no work of a user's stand behind all others, of which there may be few.
    for info in sorted(found, key=lambda info: kinds[info.path]):
        is_here = everywhere or any(registry.below(each, str(root)) for each in info.cwds)
        same = ("session", "cwd", "branch", "started", "ended", "title")
        row: dict[str, Any] = {name: text(getattr(info, name)) for name in same}
        row["title"] = compose(listing.cut(row["title"], TITLE))
        row |= {"agent": info.agent, "path": world.openable(info.path, text)}
        row |= {"size": info.size, "prompts": info.prompts, "whole": info.whole}
        last = text("" if is_ours(info.last_prompt) else info.last_prompt)
        row["last_prompt"] = compose(listing.cut(last, truncation.LINE))
        row["work_tree"] = text("" if is_here else info.cwd)  # another one of this repository
        row |= {"live": info.session in running, "headless": info.unattended}
        rows.append(row | {"trivial": kinds[info.path] == TRIVIAL})
    told = lost(world)
    notes: tuple[str, ...] = (told,) if told else ()
    if not rows and told:
        raise none_here(world)
    if not rows:
        none = "no sessions here; to see those of other projects: onward sessions --all"
        notes = ("no agent has left a session on this machine" if everywhere else none,)
    lines = list(_lines(rows, world, everywhere))
    if width is not None:
        room = max(width, listing.NARROWEST)
        # The indent is no word: what stands behind it may have no blank to be cut at.
        indents = [line[: len(line) - len(line.lstrip(" "))] for line in lines]
        each = zip(indents, lines, strict=True)
        lines = [i + listing.cut(line.lstrip(" "), room - len(i)) for i, line in each]
    return Result(text=compose(*lines), data=rows, notes=notes)


def _standing(info: SessionInfo) -> int:
    """HEADLESS, TRIVIAL, or WORK for all others: a chat stands where its time says."""
    is_small = info.whole and info.prompts <= 1 and info.size <= _SMALL
    found = work.standing(info.path, whole=True) if is_small else WORK
    return found if found == TRIVIAL else HEADLESS if info.unattended else WORK


def _lines(rows: Sequence[dict[str, Any]], world: World, everywhere: bool) -> Iterable[str]:
    is_mixed = len({row["agent"] for row in rows}) > 1
    shown = digits({row["session"] for row in rows})
    for row in rows:
        title, number = row["title"], row["prompts"]
        old = world.age(seconds(row["ended"])) or "?"
        told = (
            "open now" if row["live"] else "",
            SHOWN[HEADLESS] if row["headless"] else "",
            SHOWN[TRIVIAL] if row["trivial"] else "",
            f"{old} ago",
            count(number, "prompt") if row["whole"] else f"{number}+ prompts",
            row["agent"] if is_mixed else "",
            row["branch"],
            row["cwd"] if everywhere else row["work_tree"],
        )
        yield f"{row['session'][:shown]}  {one_line(title) or '(no title)'}"
        yield f"          {' · '.join(filter(None, told))}"
        if (last := row["last_prompt"]) and not last.startswith(title.rstrip("…")):
            yield f"          last: {one_line(last)}"


def digits(ids: Collection[str]) -> int:
    """How many digits of an id tell these apart; ids may begin with the minute."""
    return next((n for n in (8, 13) if len({each[:n] for each in ids}) == len(ids)), 36)
