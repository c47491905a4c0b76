"""Which files a command of the shell changes, and which packages it installs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple

from onward import paths
from onward.model import Ran
from onward.record.commands import in_place, is_looking, kind_of, normal_form
from onward.record.python import files_written, python_source
from onward.record.shell import Command, bare, program_name, split
from onward.record.text import vocabulary

_WEB_REQUEST = re.compile("-outfile", re.IGNORECASE)
_DOWNLOADS = {
    "curl": re.compile(r"-[a-zA-Z]*o|--output"),
    "wget": re.compile(r"-[a-zA-Z]*O|--output-document"),
    "invoke-webrequest": _WEB_REQUEST,
    "iwr": _WEB_REQUEST,
}
"""Programs that fetch a file, and the option in front of its path."""
_POWERSHELL = frozenset({"set-content", "out-file", "add-content"})
_NO_WORK = (".log", ".out", ".err", ".pid", ".tmp")
_UNREAD = re.compile(r"syntax error near unexpected token|parse error near")
"""The shell did not understand a script: none of it ran."""
_HEAD = 600
_SED = re.compile(r"[\d,$]*[sy](?P<mark>[^\w\s]).*(?P=mark)")
"""A script of `sed`, which may look like a file: `s/a/b.c`."""


class Written(NamedTuple):
    """One file that a command changed. Paths are joined with the command's folder."""

    change: Literal["created", "edited", "deleted", "renamed"]
    path: str
    to: str = ""


def written(ran: Ran) -> tuple[Written, ...]:
    """What a script changed, as far as its words tell; folders and patterns are left out, but for
    `rm`. Nothing where it did not run; where it failed, its last command is taken to have failed.
    """
    if ran.state != "done" or ran.failed is None or ran.background:
        return ()
    commands = split(ran.command, ran.cwd)
    if ran.failed:
        acts = [c for c in commands if not is_looking(c) or c.writes]
        commands = () if _UNREAD.search(ran.output[:_HEAD]) else tuple(acts[:-1])
    sure = (c for n, c in enumerate(commands) if not _may_not_have_run(commands, n))
    return tuple(change for command in sure for change in _changes(command))


def _may_not_have_run(commands: Sequence[Command], n: int) -> bool:
    """Whether it ran only if a look before it found something: `ls x && rm x || echo none`."""
    before, after = commands[max(n - 1, 0)], commands[n + 1 :]
    looks = commands[n].before == "&&" and is_looking(before) and before.words[:1] != ("cd",)
    chain = takewhile(lambda c: c.before in {"&&", "||"}, after) if looks else ()
    return any(command.before == "||" for command in chain)


def _redirected(command: Command) -> Iterator[Written]:
    for target in command.writes:
        path = target.removeprefix(">>")
        if paths.known(path) and path != "/dev/null" and not path.endswith(_NO_WORK):
            change: Literal["created", "edited"] = "edited" if target[:2] == ">>" else "created"
            yield Written(change, paths.join(command.cwd, path))


def _changes(command: Command) -> Iterator[Written]:
    yield from _redirected(command)
    words = bare(command.words)
    # `cp a b 2>/dev/null; …`: whoever hides the errors expects some.
    may_fail = "/dev/null" in command.writes and command.then in {";", "||", "&"}
    if not words or (may_fail and words[0] != "tee"):  # which is sent there for its copy
        return
    yield from _fetched(command)
    program, rest = program_name(words[0]), list(words[1:])
    if source := python_source(command):
        yield from _scripted(source, command.cwd)
        return
    if program == "git" and rest and rest[0] in {"mv", "rm"} and "--cached" not in rest:
        program, rest = rest[0], rest[1:]
    plain = [w for w in rest if paths.known(w)]
    files = [paths.join(command.cwd, w) for w in plain if paths.has_suffix(w)]
    if program in {"cp", "mv", "install"}:
        # Without the target, the last source would be taken for it.
        yield from _copied(program, plain, command.cwd) if plain[-1:] == rest[-1:] else ()
    elif program in {"rm", "unlink", "trash"}:
        yield from (Written("deleted", paths.join(command.cwd, w)) for w in plain)
    elif program.lower() in _POWERSHELL:
        given = [c for c in files if paths.relative(c, command.cwd) in plain][:1]
        adds = program.lower() == "add-content"
        yield from (Written("edited" if adds else "created", path) for path in given)
    elif program == "touch":
        yield from (Written("created", path) for path in files)
    elif program in {"sed", "perl", "gsed"} and in_place(words):
        scripts = {paths.join(command.cwd, w) for w in plain if _SED.match(w)}
        yield from (Written("edited", path) for path in files if path not in scripts)
    elif program == "tee" or _formats(command):
        yield from (Written("edited", path) for path in files)


def _fetched(command: Command) -> Iterator[Written]:
    program, *rest = (*bare(command.words), "")
    option = _DOWNLOADS.get(program_name(program).lower())
    if option and command.then != "||":
        got = (after for word, after in pairwise(rest) if option.fullmatch(word))
        yield from (Written("created", paths.join(command.cwd, w)) for w in got if _is_file(w))


def _is_file(word: str) -> bool:
    return paths.known(word) and paths.has_suffix(word) and not word.endswith(_NO_WORK)


def _scripted(source: str, cwd: str) -> Iterator[Written]:
    for change, spelt in files_written(source):
        if _is_file(spelt):
            yield Written(change, paths.join(cwd, spelt))


def _formats(command: Command) -> bool:
    """Whether it is a formatter, which changes the files that it is given by name."""
    form = normal_form(command.words)
    fixing = "--fix" in command.words or "--write" in command.words
    return form is not None and (kind_of(form, command.words) == "format" or fixing)


def _copied(program: str, words: list[str], cwd: str) -> Iterator[Written]:
    if len(words) < 2:
        return
    *sources, target = words
    folder = len(sources) > 1 or target.endswith("/") or target in {".", ".."}
    for source in sources:
        into = folder or ("." in _name(source) and "." not in _name(target))
        to = paths.join(cwd, f"{target}/{_name(source)}" if into else target)
        if program == "mv":
            yield Written("renamed", paths.join(cwd, source), to)
        elif paths.has_suffix(to):
            yield Written("created", to)


def _name(word: str) -> str:
    return word.rstrip("/").rsplit("/", 1)[-1]


_INSTALLERS = vocabulary("npm pnpm yarn bun pip pip3 uv poetry pdm conda cargo go gem composer apt")
_INSTALLS = vocabulary("install i add get require uninstall remove rm un")
_WHERE = vocabulary("--filter -F -C --prefix --path -w --workspace")
_PACKAGE = re.compile(r"@?[A-Za-z0-9][\w.-]*(?:/[\w.-]+)*")


def packages(command: Command) -> frozenset[str]:
    """The packages, without versions, that a command installs or takes away."""
    form, words = normal_form(command.words), bare(command.words)
    sub = form.sub.split(" ")[-1] if form and form.program in _INSTALLERS else ""
    named = pairwise(words[words.index(sub) :]) if sub in _INSTALLS else ()
    found = (_PACKAGE.match(word) for before, word in named if before not in _WHERE)
    return frozenset(each.group() for each in found if each)
