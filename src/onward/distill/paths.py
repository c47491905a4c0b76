"""Distil: paths as text, POSIX and Windows alike. No disk is asked."""

from __future__ import annotations

import posixpath
import re

_DRIVE = re.compile(r"/?([A-Za-z]):(?=/|$)")
_UNKNOWN = re.compile(r"[$*?`{}<>|\n]|^-|^~[^/]")
_APART = re.compile(
    r"(?:^|/)\.[a-z][\w-]*/(?:plans|projects|memory|todos|tasks)(?:/|$)"
    r"|(?:^|/)\.git/|(?:^|/)memory/(?:MEMORY|checkpoints|working-buffer)"
)
_SCRATCH = re.compile(
    r"^(?:/private)?/(?:tmp|var/tmp|var/folders|dev|proc)(?:/|$)|^tmp/"
    r"|(?:^|/)AppData/Local/Temp/|(?:^|/)scratchpad/"
)

_SUFFIX = re.compile(r".\.(?:[A-Za-z]\w{0,9}|7z)$|^\.[a-z]\w*")
_PROSE = re.compile(
    r"\.(?:md|mdx|markdown|rst|txt|adoc|org|svg|png|jpe?g|gif|webp|ico|pdf|csv)$"
    r"|(?:^|/)(?:LICENSE|CHANGELOG|README|AUTHORS|NOTICE)$|(?:^|/)\.\w*ignore$",
    re.IGNORECASE,
)
_BYPRODUCT = re.compile(
    r"(?:^|/)(?:node_modules|__pycache__|\.venv|\.mypy_cache|\.pytest_cache|\.ruff_cache)(?:/|$)"
    r"|(?:^|/)(?:\.DS_Store|Thumbs\.db)$|\.(?:log|pyc|pid|swp)$"
    r"|(?:^|/)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?:\.jsonl$|/)"
)
_SETTINGS = re.compile(r"(?:^|/)\.env(?!\.(?:example|sample|template|dist)$)(?:\.[\w.-]+)?$")


def tidy(path: str) -> str:
    """Forward slashes, no `.` and `..` inside, one spelling of a drive: `C:/x`."""
    path = path.strip().replace("\\", "/")
    if not path:
        return ""
    path = _DRIVE.sub(lambda m: f"{m[1].upper()}:", path, count=1) if _DRIVE.match(path) else path
    tidied = posixpath.normpath(path)
    return tidied[1:] if tidied.startswith("//") else tidied


def absolute(path: str) -> bool:
    """Whether a path says from where: `/x`, `C:/x`, `~/x`, `$HOME/x`."""
    return path.startswith(("/", "~", "$", "\\")) or bool(_DRIVE.match(path.replace("\\", "/")))


def join(folder: str, path: str) -> str:
    """`path` as seen from `folder`, tidied."""
    if not folder or absolute(path):
        return tidy(path)
    return tidy(f"{folder}/{path}")


def relative(path: str, root: str) -> str:
    """`path` below `root` as `src/x`; any other path stays as it is, tidied."""
    path, root = tidy(path), tidy(root)
    if not root or not path:
        return path
    fold = str.lower if _DRIVE.match(root) else str
    if fold(path) == fold(root):
        return "."
    front = root if root.endswith("/") else root + "/"
    return path[len(front) :] if fold(path).startswith(fold(front)) else path


def known(path: str) -> bool:
    """Whether a word of a command can be taken for one path: no variable, no pattern."""
    return bool(path) and not _UNKNOWN.search(path) and len(path) < 400


def apart(path: str) -> bool:
    """A plan, memory, scratch or settings file: none that a commit waits for."""
    return bool(_SCRATCH.search(path) or _APART.search(path) or _SETTINGS.search(path))


def has_suffix(path: str) -> bool:
    """Whether the last part looks like a file's name: `a.py`, `.env`, `Makefile`."""
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    return bool(_SUFFIX.search(name)) or name in {
        "Makefile",
        "Dockerfile",
        "Justfile",
        "justfile",
        "LICENSE",
        "Gemfile",
        "Rakefile",
        "Procfile",
    }


def prose(path: str) -> bool:
    """A document or a picture: no test run says anything of it."""
    return bool(_PROSE.search(path))


def byproduct(path: str) -> bool:
    """What tools leave behind, logs of sessions too: never work, never committed."""
    return bool(_BYPRODUCT.search(path))


def settings(path: str) -> bool:
    """`.env` and its kin, which every project keeps out of its history."""
    return bool(_SETTINGS.search(path))
