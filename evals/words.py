"""Words, names and paths in plain text."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?|_")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# Words that say nothing of a task, and what people say who only agree.
_EMPTY = set(
    "a about after again all also am an and any are as at be been before being both but by can could "  # noqa: SIM905
    "did do does doing done for from get go going got had has have he her here him his how i if in "
    "into is it its just let like make me more most my need no not now of off ok okay on one only "
    "or our out over please really right same see she should so some still such sure than thank thanks "
    "that the their them then there these they thing this those to too up us use very want was we "
    "well were what when where which while who why will with would yeah yep yes you your proceed "
    "continue".split()
)
_NAME = re.compile(r"(?<![\w/-])-{0,2}[A-Za-z_$][\w$]*(?:-[\w$]+)*(?![\w/])")
_HUMP = re.compile(r"[a-z\d][A-Z]")
# With a folder before it or without one.
_PATH = re.compile(r"(?:[A-Za-z]:|~)?[\\/]?(?:[\w@.+\[\]()$!-]+[\\/])*[\w@.+\[\]()$-]*\w")
_CUT_PATH = re.compile(r"(?<![\w.])\w?(?:\.{3}|…)[\\/]")
"""What stands for the beginning of a path: `…/a.py`."""
_BRACES = re.compile(r"([~\w@./\\-]*)\{([^{}\s]*,[^{}\s]*)\}([\w@./-]*)")
_ENDING = re.compile(r"\w\.[A-Za-z][A-Za-z0-9]{0,9}$|/\.\w[\w.-]+$")
# A bare word with a dot in it is a file by these endings only: `os.path` is none.
_ENDINGS = set(
    "astro bat c cc cfg cjs cpp cs css csv cxx dart db ex exs go gradle graphql h hpp html ini ipynb "  # noqa: SIM905
    "java jpg js json jsonl jsx kt lock log lua m md mdx mjs mts php plist png prisma proto ps1 py "
    "pyi r rb rs rst scala scss sh sql sqlite svelte svg swift toml ts tsv tsx txt vue xml yaml yml "
    "zig".split()
)
_NOT_FILES = {"node.js", "next.js", "vue.js", "react.js", "three.js", "d3.js", "express.js",
              "nuxt.js", "e.g", "i.e", "asp.net"}  # fmt: skip
_DENSE = 0.8
"""The share of names and paths from which on a line is no sentence."""
_LABEL = 6
"""Words of a label at most."""
_ENTRY = re.compile(r"[^\s,;|`*()\"]+")
_ITEM = re.compile(r"[\w$@~]+(?:[-./:]+[\w$]+)+|[0-9a-f]{6,}")
_FOLDERS = {".claude", ".codex", ".git", ".github", ".venv", ".vscode", ".next", ".cache"}
_BARE_KEPT = 10
"""How many names or paths of a bare list are taken for something a reader would read."""


def words(text: str) -> list[str]:
    """Words in lower case; runs of Chinese, Japanese or Korean as overlapping pairs."""
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).lower()):
        if not _CJK.search(word):
            found.append(_stem(word))
        elif len(word) == 1:
            found.append(word)
        else:
            found += [word[n : n + 2] for n in range(len(word) - 1)]
    return found


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def content(text: str) -> list[str]:
    """The words that say something, each once, in order."""
    return [
        w for w in dict.fromkeys(words(text)) if w not in _EMPTY and (len(w) > 1 or _CJK.match(w))
    ]


def names(text: str) -> set[str]:
    """Names that somebody gave, known by their shape: `snake_case`, `camelCase`, `CONSTANT_X`,
    `TS2345`, `--flag-name`. Plain words are none: nothing tells a function `parse` from the word.
    """
    return {found for found in _NAME.findall(_PATH.sub(_kept_name, text)) if _is_name(found)}


def _kept_name(found: re.Match[str]) -> str:
    """Names in a path count as that file, and not once more by themselves."""
    path = found[0]
    return " " if "/" in path or "\\" in path or _is_file(path) else path


def _is_name(word: str) -> bool:
    if word.startswith("--"):
        return len(word) > 5 and word[2] != "-"
    word = word.lstrip("-").strip("$")
    if not 4 <= len(word) <= 60:
        return False
    if "_" in word.strip("_") or _HUMP.search(word):
        return True
    return any(c.isdigit() for c in word) and word[0].isalpha() and not word.isdigit()


def paths(text: str) -> set[str]:
    """File paths that a text names, with `/` only; `a.{ts,css}` names two."""
    found = set()
    text = text.replace("](", " ")  # a link: what it says, and where it leads
    text = _CUT_PATH.sub(" ", text)
    opened = "\n".join(
        f"{head}{each}{tail}"
        for head, middle, tail in _BRACES.findall(text)
        for each in middle.split(",")
    )
    for raw in _PATH.findall(f"{_BRACES.sub(' ', text)}\n{opened}"):
        path = raw.replace("\\", "/").replace("//", "/").removeprefix("./")
        path = _unbracketed(path.rstrip(".,:;"))
        if _is_file(path) and not _is_domain(path):
            found.add(path)
    return found


def _unbracketed(path: str) -> str:
    """Without a bracket of the sentence around it: `(a.py` and `a.py)`, but `(group)/a.py`."""
    for opening, closing in ("()", "[]"):
        if path.startswith(opening) and closing not in path:
            path = path[1:]
        if path.endswith(closing) and opening not in path:
            path = path[:-1].rstrip(".,:;")
    return path


def _is_file(path: str) -> bool:
    folder, _, last = path.rpartition("/")
    if last in _FOLDERS:
        return False
    if folder:
        return bool(_ENDING.search(path))
    return last.rsplit(".", 1)[-1] in _ENDINGS and "." in last[1:] and last not in _NOT_FILES


def _is_domain(path: str) -> bool:
    first = path.lstrip("/").split("/", 1)[0]
    return bool(re.search(r"\.(com|org|io|dev|net|co|app|ai)$", first))


def same_file(one: str, other: str) -> bool:
    """Whether one path is the other, or its last parts; `~` is anybody's home."""
    one, other = one.removeprefix("~/"), other.removeprefix("~/")
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


def readable(text: str) -> str:
    """The text without what nobody would read: of a bare list of names or paths the first ten.

    A list is bare where next to nothing but names and paths stands, in one line or in many. A
    list of names is bare under a label too ("Names: …"), since a label tells nothing of each; of
    paths under a label ("Read: …") the first ten of each line count.
    """
    kept, run = [], 0
    for line in text.split("\n"):
        label, entries = _listed(line)
        if label and all(map(paths, entries)):
            run = 0
        run = run + len(entries) if entries else run if not line.strip() else 0
        if not entries or run <= _BARE_KEPT:
            kept.append(line)
        elif run - len(entries) < _BARE_KEPT:
            kept.append(" ".join([label, *entries[: _BARE_KEPT - (run - len(entries))]]))
    return "\n".join(kept)


@lru_cache(maxsize=50_000)  # briefings that are compared share most of their lines
def _listed(line: str) -> tuple[str, tuple[str, ...]]:
    """The label and the entries of a line that is a bare list; no entries for any other."""
    line = line.lstrip("-*• ")
    label, _, rest = line.partition(": ")
    if not rest or "`" in label or len(label.split()) > _LABEL:
        label, rest = "", line
    entries = _ENTRY.findall(rest)
    files = sum(bool(paths(entry)) for entry in entries)
    # Names beside a file, before it or behind it, are told of that file.
    told = label and (paths(label) or 0 < files < len(entries))
    if told or not _mostly_items(entries):
        return "", ()
    return label and f"{label}:", tuple(entries)


def _mostly_items(entries: list[str]) -> bool:
    items = sum(_is_name(e) or bool(_ITEM.fullmatch(e)) or bool(paths(e)) for e in entries)
    return items > 0 and items >= _DENSE * len(entries)
