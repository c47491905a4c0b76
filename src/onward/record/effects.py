"""Files that a command changes (`cp`, `sed -i`, `cat > x`, `git rm`) and that it reads (`cat`, `grep`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from onward import paths
from onward.model import Ran
from onward.record.commands import folder_of, in_place, is_looking, normal_form
from onward.record.runners import kind_of
from onward.record.shell import Command, bare, program_name, split
from onward.record.text import vocabulary

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
    words = bare(command.words)
    yield from _redirected(command)
    if not words or _may_fail(command):
        return
    program, rest = program_name(words[0]).lower(), list(words[1:])
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


_VIEWERS = vocabulary(
    """cat head tail less more bat nl tac wc diff cmp comm column sort xxd hexdump od file stat
    get-content gc type view"""
)
_SCRIPTED = vocabulary("sed gsed awk gawk jq yq perl grep egrep fgrep rg ag findstr select-string")
"""Programs whose first word is a pattern or a script, unless `-e` or `-f` gave it."""
SEARCHES = vocabulary("grep egrep fgrep rg ag")
_GIT_READS = vocabulary("diff show log blame grep")
_JJ_READS = vocabulary("diff show file log")
_JJ_VALUED = vocabulary("-r --revisions --revision --from --to -R --repository -T --template -n -l")
_HIT = re.compile(r"^(?:\./)?([^\s:*?\"<>|]{1,200}\.[A-Za-z]\w{0,9})[:-]\d+[:-]", re.MULTILINE)
_GIVEN = vocabulary("-e -f --regexp --expression --file")
_FEW = 8
"""A search that hit more files than this has shown too little of each."""
_HITS_READ = 400


def consulted(ran: Ran) -> Iterator[str]:
    """Paths that a script which worked has read, joined with the folder, in order."""
    if ran.state != "done" or ran.failed is not False or ran.background:
        return
    commands = split(ran.command, ran.cwd)
    found = dict.fromkeys(path for command in commands for path in _read(command))
    searches = [c for c in commands if _program(c) in SEARCHES or _greps(c)]
    if len(searches) == 1 and not found:
        found = dict.fromkeys(_hits(ran.output, folder_of(searches[0])))
    yield from found


def _program(command: Command) -> str:
    words = bare(command.words)
    return program_name(words[0]).lower() if words else ""


def _greps(command: Command) -> bool:
    return bare(command.words)[:2] == ("git", "grep")


def _read(command: Command) -> Iterator[str]:
    words = bare(command.words)
    program, rest = _program(command), list(words[1:])
    if program in _VIEWERS:
        plain = [w for w in rest if paths.has_suffix(w)]
    elif program in _SCRIPTED:
        plain = _behind_script(rest) if is_looking(command) else []
    elif program == "git":
        plain = _of_git(rest)
    elif program == "jj":
        plain = _of_jj(rest)
    else:
        return
    cwd = folder_of(command)
    yield from (paths.join(cwd, w) for w in plain if paths.known(w))


def _behind_script(rest: list[str]) -> list[str]:
    """The files of `sed`, `awk`, `grep`, which stand behind a script or a pattern."""
    plain, skip, scripted = [], False, bool(_GIVEN & set(rest))
    for word in rest:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in _GIVEN
        elif not scripted:
            scripted = True
        elif paths.has_suffix(word):
            plain.append(word)
    return plain


def _of_git(rest: list[str]) -> list[str]:
    words = [w for w in rest if not w.startswith("-")]
    sub = next((w for w in words if w in _GIT_READS), "")
    if not sub:
        return []
    behind = rest[rest.index(sub) + 1 :]
    if sub == "grep":
        return _behind_script(behind)
    named = [w.rsplit(":", 1)[-1] for w in behind if not w.startswith("-") and ".." not in w]
    return [w for w in named if paths.has_suffix(w)]


def _of_jj(rest: list[str]) -> list[str]:
    if not rest or rest[0] not in _JJ_READS:
        return []
    plain = [w for at, w in enumerate(rest[1:]) if rest[at] not in _JJ_VALUED]
    return [w for w in plain if not w.startswith("-") and paths.has_suffix(w)]


def _hits(output: str, cwd: str) -> list[str]:
    """The files whose lines a search has printed, if they are few."""
    hits = dict.fromkeys(_HIT.findall("\n".join(output.split("\n", _HITS_READ)[:_HITS_READ])))
    return [paths.join(cwd, hit) for hit in hits] if len(hits) <= _FEW else []
