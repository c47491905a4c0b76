"""Distil: what stands before the command proper: `FOO=1 sudo timeout 60 uv run pytest`."""

from __future__ import annotations

import re
from functools import lru_cache

_ASSIGNMENT = re.compile(r"(?:\$env:)?[A-Za-z_]\w*\+?=.*", re.DOTALL | re.IGNORECASE)
_SHELL_WORDS = frozenset(
    {"then", "do", "else", "elif", "if", "while", "until", "!", "{", "command", "builtin", "exec"}
)
_WRAPPERS: dict[str, frozenset[str]] = {
    "sudo": frozenset({"-u", "-g"}),
    "time": frozenset({"-o", "-f"}),
    "nohup": frozenset(),
    "nice": frozenset({"-n"}),
    "ionice": frozenset({"-c", "-n"}),
    "caffeinate": frozenset(),
    "xvfb-run": frozenset({"-n", "-s"}),
    "npx": frozenset({"-p", "--package"}),
    "bunx": frozenset({"-p"}),
    "pnpx": frozenset(),
    "uvx": frozenset({"--from", "--with", "-p", "--python"}),
    "pipx": frozenset({"--spec"}),
    "corepack": frozenset(),
    "timeout": frozenset({"-s", "-k", "--signal"}),
    "gtimeout": frozenset({"-s", "-k"}),
    "stdbuf": frozenset(),
    "env": frozenset({"-u", "-C"}),
    "cross-env": frozenset(),
    "dotenv": frozenset({"-e"}),
}
"""Programs that run another one, with their options that take a value."""
_MANAGERS: dict[str, frozenset[str]] = {
    "uv": frozenset({"run"}),
    "poetry": frozenset({"run"}),
    "pipenv": frozenset({"run"}),
    "pdm": frozenset({"run"}),
    "rye": frozenset({"run"}),
    "hatch": frozenset({"run"}),
    "pixi": frozenset({"run"}),
    "conda": frozenset({"run"}),
    "bundle": frozenset({"exec"}),
    "npm": frozenset({"exec", "x"}),
    "pnpm": frozenset({"exec", "dlx"}),
    "yarn": frozenset({"exec", "dlx"}),
    "bun": frozenset({"x"}),
    "mise": frozenset({"exec", "x"}),
    "direnv": frozenset({"exec"}),
    "pipx": frozenset({"run"}),
}
"""Package managers whose first word says that another program follows."""
_MANAGER_VALUES = frozenset(
    {
        *("-n", "--name", "--with", "--package", "--project", "--extra", "-p", "--group"),
        *("--directory", "--env-file", "--python", "--filter", "-F", "-e", "--from", "-w"),
    }
)
_DURATION = re.compile(r"[\d.]+[smhd]?")


def name(word: str) -> str:
    """A program's name without folder and `.exe`: `node_modules/.bin/jest` is `jest`."""
    base = word.replace("\\", "/").rsplit("/", 1)[-1]
    return base[:-4] if base[-4:].lower() in {".exe", ".cmd", ".bat"} else base


@lru_cache(maxsize=512)
def bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """The command without assignments, wrappers and `… run` in front; () if nothing is left."""
    rest = list(words)
    while rest:
        head = name(rest[0])
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
