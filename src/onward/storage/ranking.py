"""In which order earlier work is offered, wherever it is.

Work that somebody sat before comes first, then places that were saved; a few questions, a headless run or
a session that is open in another window never stand before these. Hooks import this: it imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    _Key = TypeVar("_Key")

WORK, SAVED, CHAT, HEADLESS, TRIVIAL, LIVE = range(6)  # the kind that is offered first is the least
WORDS = {CHAT: "chat", HEADLESS: "headless", TRIVIAL: "trivial"}  # in the log of backups
SHOWN = {CHAT: "short chat", HEADLESS: "headless", TRIVIAL: "nothing done"}  # in lists
_STANDING = {word: standing for standing, word in WORDS.items()}
_STAMP = 15  # characters of a copy's name: 20260301_100000
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz_")


def rank(standing: int, at: _Key) -> tuple[int, _Key]:
    """The key by which the greatest is offered first: by kind, then the later one."""
    return -standing, at


UNTOLD = ("", WORK)  # what `saved` tells of a copy of which the log tells nothing


def saved(log: str) -> dict[str, tuple[str, int]]:
    """By name whose session each copy is and of which kind, as the log of backups told them."""
    told = (line.split(" ") for line in log.splitlines())
    return {
        words[2]: (words[3].removeprefix("session="), _STANDING.get(words[-1], WORK))
        for words in told
        if len(words) > 3 and words[1] == "saved" and words[3].startswith("session=")
    }


def parts(name: str) -> tuple[str, str, int] | None:
    """Time, reason and number of a copy, from a name of ours; None for another name."""
    stem = name.removesuffix(".jsonl")
    time, (why, dash, number) = stem[:_STAMP], stem[_STAMP:].partition("-")
    is_dated = len(time) == _STAMP and time[8] == "_" and _plain(time[:8] + time[9:])
    is_told = not why or (why[0] == "_" and 1 < len(why) <= 41 and _LETTERS.issuperset(why))
    is_counted = not dash or (len(number) < 10 and _plain(number))
    if stem == name or not (is_dated and is_told and is_counted):
        return None
    return time, why[1:], int(number or 1)


def _plain(digits: str) -> bool:
    return digits.isascii() and digits.isdecimal()
