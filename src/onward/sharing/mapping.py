"""One machine's paths as another's: where the project's folder is named, this clone's is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from onward.model import Draft

_BEFORE = r"(?<![\w.~/\\-])"
_END = r"(?![\w~-]|\.\w)"
_REST = r"""(?P<rest>[/\\][^\s"'`<>|*?:;,)\]}]*)?"""
_WINDOWS = re.compile(r"^[A-Za-z]:[/\\]|\\")
_LONGEST = 1000  # characters: no disk takes longer ones, and a stranger may claim any
_SHORTEST = 2  # parts: a root like `/srv` or `~` would be found where nobody meant it


def relocate(draft: Draft, roots: Iterable[str], here: str) -> Draft:
    """The draft with each of `roots`, as the other machine spells the project's folder, turned
    into `here`, this machine's; files within it become relative. Separators follow.
    """
    for root in dict.fromkeys(roots):
        if (pattern := _pattern(root)) is None:
            continue
        slash = "\\" if _WINDOWS.search(here) else "/"
        plain = _walk(msgspec.to_builtins(draft), pattern, here.rstrip("/\\"), slash)
        draft = msgspec.convert(plain, Draft)
    files = tuple(
        replace(fact, path=_relative(fact.path, here), to=fact.to and _relative(fact.to, here))
        for fact in draft.files
    )
    return replace(draft, files=files)


def _pattern(root: str) -> re.Pattern[str] | None:
    parts = [part for part in re.split(r"[/\\]+", root) if part]
    if len(parts) < _SHORTEST or len(root) > _LONGEST:
        return None
    lead = r"[/\\]" if root[:1] in "/\\" else ""
    flags = re.IGNORECASE if _WINDOWS.search(root) else 0
    spelt = lead + r"[/\\]+".join(map(re.escape, parts))
    return re.compile(f"{_BEFORE}{spelt}{_REST}{_END}", flags)


def _walk(value: Any, pattern: re.Pattern[str], here: str, slash: str) -> Any:
    if isinstance(value, str):
        return pattern.sub(
            lambda found: here + re.sub(r"[/\\]", lambda _: slash, found["rest"] or ""), value
        )
    if isinstance(value, dict):
        return {name: _walk(each, pattern, here, slash) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_walk(each, pattern, here, slash) for each in value]
    return value


def _relative(path: str, here: str) -> str:
    inside = path.startswith((f"{here}/", f"{here}\\"))
    return path[len(here) + 1 :].replace("\\", "/") if inside else path
