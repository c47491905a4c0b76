"""Distil: files that a command reads: `cat`, `sed -n`, `grep PATTERN file`, `git show REV:file`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from onward.distill import paths
from onward.distill.shell import prefixes
from onward.distill.shell.forms import folder_of
from onward.distill.shell.looking import is_looking
from onward.distill.shell.split import Command, split
from onward.distill.text import vocabulary
from onward.model import Ran

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
    words = prefixes.bare(command.words)
    return prefixes.name(words[0]).lower() if words else ""


def _greps(command: Command) -> bool:
    return prefixes.bare(command.words)[:2] == ("git", "grep")


def _read(command: Command) -> Iterator[str]:
    words = prefixes.bare(command.words)
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
