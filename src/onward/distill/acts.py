"""Distil: how an act of the agent reads in a sentence."""

from __future__ import annotations

import re

from onward.distill.text import one_line, shorten

_LIMIT = 160
_FOLDER = re.compile(r"^cd\s+(?:\"[^\"]*\"|'[^']*'|\S+)\s*(?:&&|;)\s*")
_SCRIPT = re.compile(
    r"(?:^|[\s/;&|])(?P<program>python[\d.]*|node|ruby|perl|psql|bash|sh)\b[^\n|;&]{0,80}?\s(?:-[a-z]{0,4}[ce]|-|<<)\s*['\"<]?"
)
_NAMES = re.compile(
    r"(?<![\w/])[\w./~-]{0,80}\w\.(?:py|[jt]sx?|json|jsonl|ya?ml|toml|md|sh|sql|rs|go|txt|csv|xlsx|html|css|log|ipynb|rb|java|php|c|h|cpp)\b(?!\()"
)
_LANGUAGES = {"python": "python", "node": "node", "ruby": "ruby", "perl": "perl", "psql": "SQL"}
_LONG = 120
_BODY = 4000


def act(text: str) -> str:
    """An act in a few words: a command in back-ticks with its program in sight, a script by
    its language and the files that it names.
    """
    text = text.strip()
    verb, _, path = text.partition(" ")
    if verb in {"edit", "delete"} and path:
        return f"{verb} {code(path.strip())}"
    if text.startswith("sub-agent: "):
        return f"the sub-agent “{one_line(text.removeprefix('sub-agent: '), _LIMIT)}”"
    return _command(text) if text else ""


def _command(text: str) -> str:
    script = _SCRIPT.search(text)
    if script is not None and ("\n" in text or len(text) > _LONG):
        language = _LANGUAGES.get(re.sub(r"[\d.]+$", "", script["program"]), "shell")
        body = text[script.end() :][:_BODY]
        names = list(dict.fromkeys(n for n in _NAMES.findall(body) if not n.startswith(".")))[:2]
        on = f" on {' and '.join(code(n, 80) for n in names)}" if names else ""
        return f"a {language} script{on}"
    plain = text
    while len(plain) > _LIMIT and (found := _FOLDER.match(plain)):
        plain = plain[found.end() :]
    first = plain.partition("\n")[0]
    return code(_open_end(first) if first != plain else plain)


def _open_end(first: str) -> str:
    """The first line of a command that goes on, without the quotation that it opens."""
    first = " ".join(first[: 2 * _LIMIT].split())
    first = re.sub(
        r"\s*(?:-m\s+|--\w+[= ])?[\"']?(?:\$\()?\s*(?:cat\s+)?<<-?\s*['\"]?\w+['\"]?.*$", "", first
    )
    return shorten(first.rstrip(" \\"), _LIMIT - 2).removesuffix(" …") + " …"


def code(text: str, limit: int = _LIMIT) -> str:
    """A command or a path as a code span on one line."""
    flat = one_line(text, limit)
    return f"`` {flat} ``" if "`" in flat else f"`{flat}`"
