"""Paths as text, POSIX and Windows alike, and paths in prose. No disk is asked."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

_DRIVE = re.compile(r"/?([A-Za-z]):(?=/|$)")
_BASH_DRIVE = re.compile(r"/([a-z])(?=/)")
"""A drive as Git Bash on Windows spells it."""
_HOME = re.compile(r"(?:/home|/Users|[A-Za-z]:/Users)/[^/]+|/root(?=/|$)")
_UNKNOWN = re.compile(r"[$*?`{}<>|\n]|^-|^~[^/]")
_APART = re.compile(
    # What agents keep in the home; a project's own `.specify/memory` is work.
    r"^(?:~|/home/[^/]+|/Users/[^/]+|[A-Za-z]:/Users/[^/]+|/root)/\.[^/]+"
    r"/(?:plans|projects|memory|todos|tasks)(?:/|$)"
    r"|(?:^|/)\.claude/(?:plans|projects|memory|todos|tasks)(?:/|$)"
    r"|(?:^|/)\.git/|(?:^|/)memory/(?:MEMORY|checkpoints|working-buffer)"
)
_SCRATCH = re.compile(
    r"^(?:/private)?/(?:tmp|var/tmp|var/folders|dev|proc)(?:/|$)|^tmp/"
    r"|(?:^|/)AppData/Local/Temp/|(?:^|/)scratchpad/"
)

_SUFFIX = re.compile(r".\.(?:[A-Za-z]\w{0,9}|7z)$|^\.[a-z]\w*")
_BARE = frozenset(
    ["Makefile", "Dockerfile", "Justfile", "justfile", "LICENSE", "Gemfile", "Rakefile", "Procfile"]
)
_PROSE = re.compile(
    r"\.(?:md|mdx|markdown|rst|txt|adoc|org|svg|png|jpe?g|gif|webp|ico|pdf|csv)$"
    r"|(?:^|/)(?:LICENSE|CHANGELOG|README|AUTHORS|NOTICE)$|(?:^|/)\.\w*ignore$",
    re.IGNORECASE,
)
_BYPRODUCT = re.compile(
    r"(?:^|/)(?:\.git|node_modules|__pycache__|\.venv|\.mypy_cache|\.pytest_cache|\.ruff_cache)(?:/|$)"
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
    """`path` as seen from `folder`, tidied; `~` is the home that the folder stands in."""
    if path.startswith("~/") and (home := _HOME.match(folder)):
        path = home.group() + path[1:]
    if path.startswith("/") and _DRIVE.match(folder.replace("\\", "/")):
        path = _BASH_DRIVE.sub(r"\1:", path, count=1) if _BASH_DRIVE.match(path) else path
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
    return bool(_SUFFIX.search(name)) or name in _BARE


def prose(path: str) -> bool:
    """A document or a picture: no test run says anything of it."""
    return bool(_PROSE.search(path))


def byproduct(path: str) -> bool:
    """What tools leave behind, logs of sessions too: never work, never committed."""
    return bool(_BYPRODUCT.search(path))


def settings(path: str) -> bool:
    """`.env` and its kin, which every project keeps out of its history."""
    return bool(_SETTINGS.search(path))


# --------------------------------------------------- paths in prose

_LONGEST = 8_000
"""Characters of one text that are looked through, half of them at its end."""
_TOKEN = re.compile(r"(?<![\w./\\@~+:*{},%-])[\w/\\@~+:*{},-]*+(?:\.++[\w/\\@~+:*{},-]++)++")
"""A word with a dot inside. It begins at the border of a word only, so that one look over a text
is enough.
"""
_LINE = re.compile(r":\d[\d,:-]*$")
_SITE = re.compile(
    r"^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|ai|edu|gov|co)$", re.IGNORECASE
)
_LEAD = re.compile(
    r"^(?:[^\x00-\x7f]+(?=/(?:home|Users|mnt|opt|srv|root|etc|var|data|usr)/)"
    r"|[\u3040-\u30ff\u3400-\u9fff]+(?=[A-Za-z~.]))"
)
_NO_PATH = re.compile(r"[@*{},]|://|:(?![\\/])|\.\.(?![\\/])")
_ROOTS = re.compile(
    r"/(?:home|Users|mnt|opt|srv|root|etc|var|data|usr|private|Volumes|workspaces?|app|code|work|w)/"
)
"""Where absolute paths begin; `…/tests/a.py` is the end of one."""
_SUFFIXES = """py pyi ipynb rs go ts tsx mts cts js jsx mjs cjs vue svelte astro java kt kts scala groovy
    rb php c h cc cpp cxx hpp hh m mm swift cs fs vb lua pl pm r jl ex exs erl hs ml clj dart zig
    nim sh bash zsh fish ps1 bat cmd sql graphql gql proto tf hcl nix toml yaml yml json jsonl
    json5 xml ini cfg conf env properties lock md mdx rst txt adoc org tex html htm css scss sass
    less svg csv tsv gradle cmake mk bazel dockerfile tmpl j2 jinja log plist xaml csproj sln
    prisma"""
SUFFIXES = frozenset(_SUFFIXES.split())
_PROJECTS = frozenset({"js", "net", "io", "ts"})
"""Suffixes of well-known projects' names (`Next.js`): bare, they are no files if capitalised."""


class Mention(NamedTuple):
    """A path in prose. Where it is not `sure`, it has no folder and no marks around it: it is
    one only if a file of that name is known.
    """

    path: str
    sure: bool


def mentions(text: str) -> list[Mention]:
    """The paths that a text names, in order, each once: with a slash, in back-ticks, or `@path`."""
    found: dict[str, bool] = {}
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]}\n{text[-_LONGEST // 2 :]}"
    for match in _TOKEN.finditer(text):
        path = _path_in(match.group()) if len(match.group()) < 300 else ""
        quoted = text[match.start() - 1 : match.start()] in {"'", '"'}
        if not path or (quoted and path.startswith("..")):
            continue  # an import says `from "../lib/cart.js"`, seen from its own file
        marked = (
            text[match.start() - 1 : match.start()] == "`" == text[match.end() : match.end() + 1]
        )
        sure = "/" in path or marked or match.group().startswith("@")
        if sure or not (path[:1].isupper() and path.rsplit(".", 1)[-1] in _PROJECTS):
            found[path] = found.get(path, False) or sure
    return [Mention(path, sure) for path, sure in found.items()]


def _path_in(token: str) -> str:
    """The path that a word of prose is, or ""."""
    if "~/" in token:
        token = token[token.index("~/") :]
    # Chinese and Japanese put no space before a path.
    token = _LEAD.sub("", token)
    token = _LINE.sub("", token.removeprefix("@").rstrip(".,:-+"))
    suffix = token.rsplit(".", 1)[-1].lower() if "." in token else ""
    if suffix not in SUFFIXES or not known(token) or token.startswith("//"):
        return ""
    first, *folders = re.split(r"[\\/]", token)[:-1] or [""]
    if _NO_PATH.search(token) or _SITE.match(first):
        return ""
    if token.startswith("/") and not _ROOTS.match(token):
        return ""
    # `todo.md/notes.md` are two files.
    if any("." in f[1:] and f.rsplit(".", 1)[-1] in SUFFIXES for f in (first, *folders)):
        return ""
    return tidy(token)
