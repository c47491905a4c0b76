"""Values in what clients wrote, of which no type is sure, and texts that every client's reader knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from onward.decode import UNREADABLE
from onward.transcripts.hook_call import text as text  # noqa: PLC0414 - for every reader

ID: Final = re.compile(
    r"[\w-]{1,100}", re.ASCII
)  # of a session or a sub-agent, safe in a file's name
_MOST: Final = 10**12  # no line, exit status or time is greater
_OURS: Final = re.compile(r"<!-- onward:|^onward briefing", re.MULTILINE)
_WORDS: Final = re.compile(r"[^\s'\"`=;|&()<>,:]+")
_PATH: Final = re.compile(r"[/\\]|\w\.\w")


def word_set(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())


def kinds(tools: Mapping[str, str]) -> dict[str, str]:
    """What each tool does, from the names of the tools of each kind."""
    return {name: kind for kind, names in tools.items() for name in names.split()}


def decoded(raw: bytes | str | msgspec.Raw, other: Any) -> Any:
    """What JSON holds; `other` for what is none."""
    try:
        return msgspec.json.decode(raw)
    except UNREADABLE:
        return other


def fields(value: Any, *keys: str) -> dict[str, Any]:
    """The object behind these keys; an empty one where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def listed(value: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects of a list."""
    found = value.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def text_of(value: Any, *, named: bool = False) -> str:
    """The text of a client's content, decoded or not: a text, or a list of texts and blocks, of which
    those without a text are left out, unless they are to be `named`.
    """
    found = decoded(value, "") if isinstance(value, msgspec.Raw) else value
    if not isinstance(found, list):
        return found if isinstance(found, str) else ""
    every = ({"text": one} if isinstance(one, str) else one for one in found)
    blocks = ((text(one, "text"), text(one, "type")) for one in every if isinstance(one, dict))
    shown = (told or f"[{kind.removeprefix('input_')}]" for told, kind in blocks if told or named)
    return "\n".join(shown)


def whole(value: Any) -> int | None:
    """A whole number, if it is one."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return value if is_whole and abs(value) <= _MOST else None


def strings(value: Any) -> Iterator[str]:
    """Every text in a value of a client's, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)


def paths_in(command: str) -> Iterator[str]:
    """The words of a command that look like files."""
    return (word for word in _WORDS.findall(command) if _PATH.search(word))


def within(text: str, tag: str) -> str:
    """What stands between the first `<tag>` and the next `</tag>`, or "" ."""
    start = text.find(f"<{tag}>")
    end = text.find(f"</{tag}>", start)
    return text[start + len(tag) + 2 : end].strip() if 0 <= start < end else ""


def is_ours(text: str) -> bool:
    """Whether a text is one that we gave the agent, or holds one."""
    return bool(_OURS.search(text))
