"""Distil: files that a command changes: `cp`, `mv`, `sed -i`, `cat > x`, `git rm`, `touch`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from onward.distill import paths
from onward.distill.checks.runners import kind_of
from onward.distill.shell import prefixes
from onward.distill.shell.forms import normal_form
from onward.distill.shell.looking import in_place, is_looking
from onward.distill.shell.split import Command, split
from onward.model import Ran

_NO_WORK = (".log", ".out", ".err", ".pid", ".tmp")
_SED = re.compile(r"[\d,$]*[sy](?P<mark>[^\w\s]).*(?P=mark)")
"""A script of `sed`, which may look like a file: `s/a/b.c`."""


class Written(NamedTuple):
    """One file that a command changed. Paths are joined with the command's folder."""

    change: Literal["created", "edited", "deleted", "renamed"]
    path: str
    to: str = ""


class Told:
    """The files that the words of the last command told of: the client's own word on the same
    change, which stands at the same place, is not to be counted again.
    """

    def __init__(self) -> None:
        self._place = ""
        self._paths: frozenset[str] = frozenset()

    def note(self, ran: Ran, changes: tuple[Written, ...]) -> None:
        """What a command changed by its words."""
        self._place = ran.place
        self._paths = frozenset(path for w in changes for path in (w.path, w.to))

    def covers(self, place: str, path: str) -> bool:
        """Whether an edit at this place is one of them. `path` as `written` gives it."""
        return place == self._place and path in self._paths


def written(ran: Ran) -> tuple[Written, ...]:
    """What a script changed, as far as its words tell.

    Nothing where it did not run. Where it failed, its last command is taken to have failed.
    """
    if ran.state != "done" or ran.failed is None or ran.background:
        return ()
    commands = split(ran.command, ran.cwd)
    if ran.failed:
        acts = [c for c in commands if not is_looking(c) or c.writes]
        commands = tuple(acts[:-1])
    return tuple(change for command in commands for change in changes(command))


def changes(command: Command) -> Iterator[Written]:
    """What one simple command changes; folders and patterns are left out, but for `rm`."""
    words = prefixes.bare(command.words)
    yield from _redirected(command)
    if not words or _may_fail(command):
        return
    program, rest = prefixes.name(words[0]).lower(), list(words[1:])
    if program == "git" and rest and rest[0] in {"mv", "rm"}:
        if "--cached" in rest:
            return
        program, rest = rest[0], rest[1:]
    plain = [w for w in rest if paths.known(w)]
    if program in {"cp", "copy-item", "copy", "mv", "move-item", "move", "install"}:
        yield from _copied(program, plain, command.cwd)
    elif program in {"rm", "remove-item", "del", "unlink", "trash"}:
        yield from (Written("deleted", paths.join(command.cwd, w)) for w in plain)
    elif program in {"touch", "new-item"}:
        yield from (Written("created", w) for w in _files(plain, command.cwd))
    elif program in {"tee", "set-content", "out-file", "add-content"}:
        yield from (Written("edited", w) for w in _files(plain, command.cwd))
    elif program in {"sed", "perl", "gsed"}:
        yield from _rewritten(words, plain, command.cwd)
    else:
        yield from _formatted(command, plain)


def _may_fail(command: Command) -> bool:
    """`cp a b 2>/dev/null; …`: whoever hides the errors reckons with them."""
    return "/dev/null" in command.writes and command.then in {";", "||", "&"}


def _redirected(command: Command) -> Iterator[Written]:
    for target in command.writes:
        path = target.removeprefix(">>")
        if paths.known(path) and path != "/dev/null" and not path.endswith(_NO_WORK):
            change: Literal["created", "edited"] = "edited" if target[:2] == ">>" else "created"
            yield Written(change, paths.join(command.cwd, path))


def _files(words: list[str], cwd: str) -> list[str]:
    return [paths.join(cwd, w) for w in words if paths.has_suffix(w)]


def _copied(program: str, words: list[str], cwd: str) -> Iterator[Written]:
    if len(words) < 2:
        return
    *sources, target = words
    folder = len(sources) > 1 or target.endswith(("/", "\\")) or target in {".", ".."}
    for source in sources:
        into = folder or (paths.has_suffix(source) and "." not in _name(target))
        end = f"{target}/{_name(source)}"
        to = paths.join(cwd, end if into else target)
        if program in {"mv", "move-item", "move"}:
            yield Written("renamed", paths.join(cwd, source), to)
        elif paths.has_suffix(to):
            yield Written("created", to)


def _name(word: str) -> str:
    return word.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def _rewritten(words: Sequence[str], plain: list[str], cwd: str) -> Iterator[Written]:
    if in_place(words):
        files = [w for w in plain if not _SED.match(w)]
        yield from (Written("edited", w) for w in _files(files, cwd))


def _formatted(command: Command, plain: list[str]) -> Iterator[Written]:
    """A formatter changes the files that it is given by name."""
    form = normal_form(command.words)
    fixing = "--fix" in command.words or "--write" in command.words
    if form and (kind_of(form, command.words) == "format" or fixing):
        yield from (Written("edited", w) for w in _files(plain, command.cwd))
