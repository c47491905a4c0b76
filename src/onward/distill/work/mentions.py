"""Distil: files that words name. A path is told as it is spelt, or not at all."""

from __future__ import annotations

import re
from typing import NamedTuple

from onward.distill import paths
from onward.distill.text import vocabulary

_LONGEST = 8_000
"""Characters of one text that are looked through, half of them at its end."""
_TOKEN = re.compile(r"(?<![\w./\\@~+:*{},-])[\w/\\@~+:*{},-]*+(?:\.++[\w/\\@~+:*{},-]++)++")
"""A word with a dot inside. It begins at the border of a word only, so that one look over a text
is enough.
"""
_LINE = re.compile(r":\d[\d,:-]*$")
_SITE = re.compile(
    r"^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|ai|edu|gov|co)$", re.IGNORECASE
)
_LEAD = re.compile(r"^[^\x00-\x7f]+(?=/(?:home|Users|mnt|opt|srv|root|etc|var|data|usr)/)")
_NO_PATH = re.compile(r"[@*{},]|://|:(?![\\/])|\.\.(?![\\/])")
_ROOTS = re.compile(
    r"/(?:home|Users|mnt|opt|srv|root|etc|var|data|usr|private|Volumes|workspaces?|app|code|work|w)/"
)
"""Where absolute paths begin; `…/tests/a.py` is the end of one."""
SUFFIXES = vocabulary(
    """py pyi ipynb rs go ts tsx mts cts js jsx mjs cjs vue svelte astro java kt kts scala groovy
    rb php c h cc cpp cxx hpp hh m mm swift cs fs vb lua pl pm r jl ex exs erl hs ml clj dart zig
    nim sh bash zsh fish ps1 bat cmd sql graphql gql proto tf hcl nix toml yaml yml json jsonl
    json5 xml ini cfg conf env properties lock md mdx rst txt adoc org tex html htm css scss sass
    less svg csv tsv gradle cmake mk bazel dockerfile tmpl j2 jinja log plist xaml csproj sln
    prisma"""
)
_NAMES = frozenset({"js", "net", "io", "ts"})
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
        path = _path(match.group()) if len(match.group()) < 300 else ""
        quoted = text[match.start() - 1 : match.start()] in {"'", '"'}
        if not path or (quoted and path.startswith("..")):
            continue  # an import says `from "../lib/cart.js"`, seen from its own file
        marked = (
            text[match.start() - 1 : match.start()] == "`" == text[match.end() : match.end() + 1]
        )
        sure = "/" in path or marked or match.group().startswith("@")
        if sure or not (path[:1].isupper() and path.rsplit(".", 1)[-1] in _NAMES):
            found[path] = found.get(path, False) or sure
    return [Mention(path, sure) for path, sure in found.items()]


def _path(token: str) -> str:
    """The path that a word of prose is, or ""."""
    if "~/" in token:
        token = token[token.index("~/") :]
    # Chinese and Japanese put no space before a path.
    token = _LEAD.sub("", token)
    token = _LINE.sub("", token.removeprefix("@").rstrip(".,:-+"))
    suffix = token.rsplit(".", 1)[-1].lower() if "." in token else ""
    if suffix not in SUFFIXES or not paths.known(token) or token.startswith("//"):
        return ""
    first, *folders = re.split(r"[\\/]", token)[:-1] or [""]
    if _NO_PATH.search(token) or _SITE.match(first):
        return ""
    if token.startswith("/") and not _ROOTS.match(token):
        return ""
    # `todo.md/notes.md` are two files.
    if any("." in f[1:] and f.rsplit(".", 1)[-1] in SUFFIXES for f in (first, *folders)):
        return ""
    return paths.tidy(token)
