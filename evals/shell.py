"""Shell scripts: their simple commands, and what each is at heart."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from typing import NamedTuple

_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1[^\n]*\n.*?^\s*\2\s*$", re.DOTALL | re.MULTILINE)
_ENDS = {";", "&&", "||", "|", "&", "|&", "(", ")", ";;", "\n"}
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_REDIRECT = re.compile(r"\d?>&\d?|&>>?")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_WRAPPERS = {
    "sudo",
    "time",
    "nohup",
    "env",
    "command",
    "exec",
    "nice",
    "stdbuf",
    "xvfb-run",
    "then",
    "do",
}
_NUMBERED_WRAPPERS = {"timeout"}
_RUNNERS = {"npx", "bunx", "pnpx", "uvx"}
_TWO_WORD_RUNNERS = {("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("bundle", "exec"),
                     ("pnpm", "exec"), ("yarn", "exec"), ("npm", "exec"), ("hatch", "run"),
                     ("pnpm", "dlx"), ("yarn", "dlx"), ("rye", "run"), ("pdm", "run")}  # fmt: skip
_PYTHONS = re.compile(r"python[\d.]*|py")
_LONGEST = 80
"""Characters; a longer word is a message or a program, not what a command is called."""
_DEPTH = 3
"""How many words make a command: program, subcommand, what it is done to."""

# What every agent types without being told; to carry it is worth nothing.
_PLAIN = set(
    "alias awk basename bash bat break cal cat cd chmod chown clear cmp column command comm continue "  # noqa: SIM905
    "cp cut date declare df diff dirname do done du echo egrep else env exit export false fgrep fi "
    "file find for func function grep gunzip gzip head hexdump history id if jobs jq kill killall "
    "less let ln local ls lsof mkdir mktemp more mv nl od open paste perl pgrep pkill popd printenv "
    "printf ps pushd pwd read readlink realpath return rg rm rmdir sed seq set sh shift sleep sort "
    "source stat strings sudo tac tail tar tee test then touch tr tree trap true type uname uniq "
    "unset unzip wait wc which while whoami xargs xxd zip zsh "
    "ForEach-Object Get-ChildItem Get-Content Get-Item Get-Location Measure-Object Select-Object "
    "Select-String Set-Location Sort-Object Test-Path Where-Object Write-Host Write-Output".split()
)
_PLAIN_GIT = set(
    "add blame branch checkout commit diff fetch log ls-files ls-tree merge-base mv pull push rebase "  # noqa: SIM905
    "reset restore rev-list rev-parse rm show stash status switch".split()
)


class Command(NamedTuple):
    """One simple command. `before` and `after` are the operators around it."""

    words: tuple[str, ...]
    before: str = ""
    after: str = ""

    @property
    def gist(self) -> tuple[str, ...]:
        """Program, subcommand and object: what stays when flags, folders and pipes change."""
        return gist(self.words)


def commands(script: str) -> list[Command]:
    """The simple commands of a script, bodies of here-documents left out.

    A script that no shell would take gives what can be read of it.
    """
    script = _COMMENT.sub("", _HEREDOC.sub("\n", script)).replace("\\\n", " ")
    # A message or a program in quotes may have many lines, and is one word all the same.
    script = _QUOTED.sub(lambda found: found[0].replace("\n", " "), script)
    script = _REDIRECT.sub(" > ", script)
    found: list[Command] = []
    last = ""
    for line in script.split("\n"):
        words: list[str] = []
        for token in _tokens(line):
            if token in _ENDS:
                if words:
                    found.append(Command(tuple(words), last, token))
                    words = []
                last = token
            else:
                words.append(token)
        if words:
            found.append(Command(tuple(words), last, "\n"))
            last = "\n"
    return found


def _tokens(line: str) -> list[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="();|&")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    found: list[str] = []
    with suppress(ValueError):  # a quote left open: the words before it are good
        found.extend(lexer)
    return found


def gist(words: tuple[str, ...]) -> tuple[str, ...]:
    """The heart of a command: at most three words, () where there is none.

    >>> gist(("FOO=1", "timeout", "60", "npx", "vitest", "run", "--silent", "src/a.test.ts"))
    ('vitest', 'run', 'src/a.test.ts')
    >>> gist((".venv/bin/python", "-m", "pytest", "-q", "tests/test_a.py::test_b"))
    ('pytest', 'tests/test_a.py::test_b')
    """
    rest = _unwrapped(list(words))
    if not rest:
        return ()
    if rest[0] == "git" and rest[1:2] == ["-C"]:
        rest[1:3] = []
    program = rest[0].replace("\\", "/")
    program = program.rsplit("/", 1)[-1] if "/bin/" in program or "/.bin/" in program else program
    program = program.removeprefix("./")
    if _PYTHONS.fullmatch(program) and rest[1:2] == ["-m"]:
        return gist(tuple(rest[2:]))
    if program in {"npm", "pnpm", "yarn", "bun"} and rest[1:2] == ["run"]:
        rest.pop(1)
    kept = [program]
    after_flag = False
    for word in rest[1:]:
        if len(kept) == _DEPTH or word[:1] in {"<", ">"} or re.match(r"\d?>", word):
            break
        flag = word[:1] == "-"
        # What follows a flag may be its value: only a path is surely worth naming.
        value = after_flag and not re.search(r"[/.:]", word)
        if flag or not word or value or word.isdigit() or " " in word or len(word) > _LONGEST:
            after_flag = flag and "=" not in word and word != "--"
            continue
        after_flag = False
        kept.append(_bare(word))
    return tuple(kept)


def _bare(word: str) -> str:
    return word.removeprefix("./").rstrip("/") or word


def _unwrapped(words: list[str]) -> list[str]:
    while words:
        first = words[0]
        if _ASSIGNED.match(first) or first in _WRAPPERS or first in _RUNNERS:
            words = words[1:]
        elif first in _NUMBERED_WRAPPERS:
            words = words[1:]
            while words and (words[0][0] == "-" or words[0][0].isdigit()):
                words = words[1:]
        elif tuple(words[:2]) in _TWO_WORD_RUNNERS:
            words = words[2:]
        elif first.startswith("-"):  # a flag of what was taken off
            words = words[1:]
        else:
            break
    return words


def is_plain(form: tuple[str, ...]) -> bool:
    """Whether every agent would type it unasked."""
    if not form or form[0] in _PLAIN or not re.match(r"[\w.@~/-]", form[0]):
        return True
    if _PYTHONS.fullmatch(form[0]) or form[0] == "node":
        return len(form) == 1
    return form[0] == "git" and (len(form) == 1 or form[1] in _PLAIN_GIT)


def spoken(form: tuple[str, ...]) -> re.Pattern[str]:
    """Finds a command in a line of text: its words in this order, flags between them allowed."""
    parts = [rf"(?:\./)?{re.escape(word)}/?" for word in form]
    between = r"(?:\s+(?!&&|\|)[^\s|;&`]+){0,6}?\s+"
    return re.compile(rf"(?<![\w.-]){between.join(parts)}(?![\w-]|/\w|\.\w)")
