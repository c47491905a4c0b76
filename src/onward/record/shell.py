"""A shell script as the simple commands it is made of, and what stands before the command proper.

Tolerant: what no shell would take still gives its readable part, and nothing raises.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from onward import paths

_ASSIGNMENT = re.compile(r"(?:\$env:)?[A-Za-z_]\w*\+?=.*", re.DOTALL | re.IGNORECASE)
_SHELL_WORDS = frozenset(
    {"then", "do", "else", "elif", "if", "while", "until", "!", "{", "command", "builtin", "exec"}
)


def _table(text: str) -> dict[str, frozenset[str]]:
    """`a -x -y; b` is `{"a": {"-x", "-y"}, "b": {}}`."""
    return {name: frozenset(rest) for name, *rest in map(str.split, text.split(";"))}


_WRAPPERS = _table(
    """sudo -u -g; time -o -f; nohup; rtk; nice -n; caffeinate; xvfb-run -n -s; npx -p --package;
    bunx -p; pnpx; uvx --from --with -p --python; pipx --spec; corepack; timeout -s -k --signal;
    gtimeout -s -k; stdbuf; env -u -C; cross-env; dotenv -e"""
)
"""Programs that run another one, with their options that take a value."""
_MANAGERS = _table(
    """uv run; poetry run; pipenv run; pdm run; rye run; hatch run; pixi run; conda run; bundle exec;
    npm exec x; pnpm exec dlx; yarn exec dlx; bun x; mise exec x; direnv exec; pipx run"""
)
"""Package managers whose first word says that another program follows."""
_MANAGER_VALUES = frozenset(
    [
        "-n",
        "--name",
        "--with",
        "--package",
        "--project",
        "--extra",
        "-p",
        "--group",
        "--directory",
        "--env-file",
        "--python",
        "--filter",
        "-F",
        "-e",
        "--from",
        "-w",
    ]
)
_DURATION = re.compile(r"[\d.]+[smhd]?")


def program_name(word: str) -> str:
    """A program's name without folder and `.exe`: `node_modules/.bin/jest` is `jest`."""
    base = word.replace("\\", "/").rsplit("/", 1)[-1]
    return base[:-4] if base[-4:].lower() in {".exe", ".cmd", ".bat"} else base


@lru_cache(maxsize=512)
def bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """The command without assignments, wrappers and `… run` in front; () if nothing is left."""
    rest = list(words)
    while rest:
        head = program_name(rest[0])
        if not rest[0] or _ASSIGNMENT.fullmatch(rest[0]) or rest[0] in _SHELL_WORDS:
            rest = rest[1:]
        elif len(rest) > 1 and rest[1] in _MANAGERS.get(head, ()):
            inner = _options(rest[2:], _MANAGER_VALUES)
            if not inner:
                break
            rest = inner
        elif head in _WRAPPERS and head == rest[0].lower():
            rest = _options(rest[1:], _WRAPPERS[head])
            if head in {"timeout", "gtimeout"} and rest and _DURATION.fullmatch(rest[0]):
                rest = rest[1:]
        else:
            break
    return tuple(rest)


def _options(words: list[str], valued: frozenset[str]) -> list[str]:
    """`words` behind the options at their head."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "--":
            return words[at + 1 :]
        at += 2 if words[at] in valued else 1
    return words[at:]


def variables(words: tuple[str, ...]) -> frozenset[str]:
    """The assignments of a command, before it or behind it as `make` takes them."""
    return frozenset(filter(_ASSIGNMENT.fullmatch, words))


_LONGEST = 40_000
"""Characters of a script that are looked at: beyond stands data, not commands."""
_DEEPEST = 12
"""Levels of `"$("$(...)")"` that are followed."""

_TOKEN = re.compile(
    r"""(?P<gap>(?:[ \t\r]|\\\r?\n|`\r?\n)+)
      | (?P<end>\n)
      | (?P<redirect>(?:\d+|&)?(?:<<<|<<-?|>>|>\||[<>]&[\d-]|[<>]\(|(?<![=-])[<>]))
      | (?P<op>&&|\|\||\|&|;;|[;|&])
      | (?P<paren>[()])
      | (?P<single>'[^']*'?)
      | (?P<double>")
      | (?P<sub>\$\(|`)
      | (?P<escape>\\.)
      | (?P<comment>(?<![^\s;&|()])\#[^\n]*)
      | (?P<plain>[^\s'"\\$`;&|<>()\#]+|.)""",
    re.VERBOSE | re.DOTALL,
)
_MEMBER = re.compile(r"(?:\.[A-Za-z]\w*)+")
"""What PowerShell takes of the value in parentheses before it: `(…).Content`."""
_QUOTED = re.compile(r"""[^"\\$`]+|\\.|\$\(|["$`\\]""", re.DOTALL)
_INNER = re.compile(
    r"""<<-?[ \t]*['"]?(?P<tag>\w+)['"]?|'[^']*'?|\\.|[^'"\\()<]+|.""",
    re.DOTALL,
)
_PASSES_ON = ("exit", "${PIPESTATUS[0]}")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "pwsh", "powershell"})
SET_UP = 50
"""Characters of what sets up the shell that are typed before a command."""
_SETS_UP = frozenset({"source", ".", "export"})
_INLINE = re.compile(r"-\w*c|-command", re.IGNORECASE)


class Command(Struct, frozen=True, kw_only=True):
    """One simple command: words without their quotes, and the text as it was written."""

    words: tuple[str, ...]
    text: str
    """As written, without redirections and here-document bodies."""
    cwd: str = ""
    """Folder it ran in, every `cd` before it followed; "" where unknown."""
    before: str = ""
    then: str = ""
    """Operators before and after it: `&&`, `||`, `|`, `;`, `&` or ""."""
    writes: tuple[str, ...] = ()
    """Files that its output was sent to, appended ones with `>>` in front."""
    given: str = ""
    """The here-document that it read."""
    needs: str = ""
    """What has set up the shell before it: `source venv/bin/activate && `."""

    @property
    def typed(self) -> str:
        """The command with what it needs before it, unless that is too long to be typed again."""
        return self.needs + self.text if len(self.needs) <= SET_UP else self.text

    kept: bool = False
    """Its exit status counts behind a pipe too: `pipefail`, `exit ${PIPESTATUS[0]}`."""

    @property
    def piped(self) -> bool:
        """Whether its output went into another command."""
        return self.then == "|"

    @property
    def hidden(self) -> bool:
        """Whether its exit status was lost behind a pipe."""
        return self.piped and not self.kept


@lru_cache(maxsize=16)
def split(script: str, cwd: str = "") -> tuple[Command, ...]:
    """The simple commands of a script, in order.

    The cache serves the collectors, which look at the same script one after the other.
    """
    commands = _Scanner(script[:_LONGEST], cwd).run()
    if "pipefail" in script:
        return tuple(replace(c, kept=c.piped) for c in commands)
    if len(commands) > 1 and commands[-1].words == _PASSES_ON:
        *before, last = commands[:-1]
        first = len(before) - sum(1 for _ in takewhile(lambda c: c.piped, reversed(before)))
        kept = (replace(c, kept=n == first) for n, c in enumerate(before))
        return (*kept, replace(last, then=""))
    return commands


def _script_of(words: tuple[str, ...]) -> str | None:
    """What a shell was told to run: of `bash -lc "npm test"` it is `npm test`."""
    words = bare(words)
    if words and program_name(words[0]) in _SHELLS:
        for at, word in enumerate(words[1:-1], start=1):
            if _INLINE.fullmatch(word):
                return words[at + 1]
    return None


class _Scanner:
    """State of one walk over a script. Each token kind has its method."""

    def __init__(self, script: str, cwd: str, depth: int = 0) -> None:
        self.script = script
        self.at = 0
        self.depth = depth
        self.cwd = cwd
        self.needs = ""
        self.began = cwd, ""
        """What held where the list of `&&` began."""
        self.outer: list[tuple[str, str]] = []
        self.out: list[Command] = []
        self.words: list[str] = []
        self.raw: list[str] = []
        self.writes: list[str] = []
        self.tags: list[tuple[str, int]] = []
        """Here-documents to come, each with the number of its command."""
        self.word: str | None = None
        self.start = self.stop = 0
        self.want = ""
        self.before = ""

    def run(self) -> tuple[Command, ...]:
        while found := _TOKEN.match(self.script, self.at):
            start, self.at = self.at, found.end()
            if self.word is None:
                self.start = start
            self._token(found.lastgroup or "plain", found.group())
        self._end_command("")
        return tuple(self.out)

    def _token(self, kind: str, text: str) -> None:
        if kind == "gap":
            self._end_word()
        elif kind == "end":
            self._end_command(";")
            for tag, number in self.tags:
                start, self.at = self.at, _past_body(self.script, self.at, tag)
                body = self.script[start : self.at].rpartition(tag)[0]
                if number < len(self.out):
                    self.out[number] = replace(self.out[number], given=body)
            self.tags.clear()
        elif kind == "op":
            self._end_command({";;": ";", "|&": "|"}.get(text, text))
        elif kind == "redirect":
            self._redirect(text)
        elif kind == "paren":
            self._paren(text)
        elif kind == "comment" and self.word is None:
            return
        else:
            self.word = (self.word or "") + self._piece(kind, text)
            self.stop = self.at

    def _piece(self, kind: str, text: str) -> str:
        if kind == "single":
            return text[1:-1] if len(text) > 1 and text.endswith("'") else text[1:]
        if kind == "double":
            inner, self.at = _double(self.script, self.at, self.depth)
            return inner
        if kind == "sub":
            start = self.at
            self.at = _past(text, self.script, start, self.depth)
            return text + self.script[start : self.at]
        if kind == "escape":
            # `C:\Users` keeps its backslash, `a\ b` does not.
            drive = re.match(r"[A-Za-z]:", self.word or "")
            # In a Windows folder a name may begin with any of these signs.
            below = text[1] in ".!@_-+~#" and re.match(r"[A-Za-z]:[\\/]", self.cwd)
            return text if text[1].isalnum() or drive or below else text[1]
        return text

    def _redirect(self, text: str) -> None:
        self._end_word()
        mark = text.lstrip("0123456789&")
        wants = {
            "<<": "tag",
            "<<-": "tag",
            ">": ">",
            ">|": ">",
            ">>": ">>",
            "<": "skip",
            "<<<": "skip",
        }
        self.want = wants.get(mark, self.want)

    def _paren(self, text: str) -> None:
        if text == "(":
            if self.word is None:
                self.outer.append((self.cwd, self.needs))
            else:
                self.word += text
                self.stop = self.at
            return
        self._end_command(";")
        if member := _MEMBER.match(self.script, self.at):
            self.at = member.end()
        if self.outer:
            self.cwd, self.needs = self.outer.pop()

    def _end_word(self) -> None:
        if self.word is None:
            return
        word, self.word, want, self.want = self.word, None, self.want, ""
        if want == "tag":
            self.tags.append((word, len(self.out)))
        elif want in {">", ">>"}:
            self.writes.append(word if want == ">" else ">>" + word)
        elif want != "skip":
            self.words.append(word)
            self.raw.append(self.script[self.start : self.stop])

    def _end_command(self, op: str) -> None:
        self._end_word()
        if not self.words and not self.writes:
            return
        command = Command(
            words=tuple(self.words),
            text=" ".join(self.raw),
            cwd=self.cwd,
            before=self.before,
            then=op,
            writes=tuple(self.writes),
            needs=self.needs,
        )
        self.words, self.raw, self.writes, self.before = [], [], [], op
        self._take(command)
        if op == "&":  # the whole list ran in a shell of its own: its `cd` is not of what follows
            self.cwd, self.needs = self.began
        elif op == ";":
            self.began = self.cwd, self.needs

    def _take(self, command: Command) -> None:
        words = command.words
        inner = _script_of(words) if self.depth < _DEEPEST else None
        if inner is not None:
            *commands, last = _Scanner(inner, self.cwd, self.depth + 1).run() or (None,)
            if last is not None:
                writes = last.writes + command.writes
                self.out += [*commands, replace(last, then=command.then, writes=writes)]
            return
        self.out.append(command)
        if words and words[0].lower() in {"cd", "pushd", "set-location"}:
            target = next((w for w in words[1:] if not w.startswith("-")), "")
            self.cwd = paths.join(self.cwd, target) if target else self.cwd
            self.needs = ""  # its paths were meant from the folder before
        elif words and words[0] in _SETS_UP and command.then in {"&&", ";"}:
            needed = f"{command.text} && "
            self.needs += "" if self.needs.endswith(needed) else needed


def _past_body(script: str, at: int, tag: str) -> int:
    """Where the script goes on behind a here-document that begins at `at`."""
    end = re.compile(rf"^[ \t]*{re.escape(tag)}[ \t\r]*(?:\n|\Z)", re.MULTILINE).search(script, at)
    return end.end() if end else len(script)


def _double(script: str, at: int, depth: int) -> tuple[str, int]:
    """Text of a double-quoted string that was opened before `at`, and where it ends."""
    parts: list[str] = []
    while found := _QUOTED.match(script, at):
        piece, start = found.group(), at
        at = found.end()
        if piece == '"':
            break
        if piece == "$(" and depth < _DEEPEST:
            at = _past(piece, script, at, depth + 1)
            piece = script[start:at]
        elif piece[0] == "\\" and piece[1:] in {'"', "\\", "$", "`"}:
            piece = piece[1:]
        elif piece == "\\\n":
            piece = ""
        parts.append(piece)
    return "".join(parts), at


def _past(opener: str, script: str, at: int, depth: int) -> int:
    """Where a command substitution that was opened before `at` ends.

    Here-documents inside are jumped over: a commit message may hold any quote.
    """
    if opener == "`":
        end = script.find("`", at)
        return len(script) if end < 0 else end + 1
    level = 1
    while level and (found := _INNER.match(script, at)):
        at = found.end()
        piece = found.group()
        if found["tag"]:
            end = script.find("\n", at)
            at = _past_body(script, end + 1, found["tag"]) if end >= 0 else len(script)
        elif piece == '"' and depth < _DEEPEST:
            at = _double(script, at, depth + 1)[1]
        elif piece == "(":
            level += 1
        elif piece == ")":
            level -= 1
    return at
