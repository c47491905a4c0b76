"""Names of checkpoints: kebab-case, specific, and harmless as a file's name everywhere."""

from __future__ import annotations

import re
import unicodedata

from onward.errors import UsageError
from onward.model import CheckpointName

AUTOSAVE = CheckpointName("autosave")
AUTOSAVE_LOG = CheckpointName("autosave-log")
_FORBIDDEN = frozenset({"task", "work", "save", "untitled", "backup"})
_WORDS = (
    "login auth main feature build deploy release refactor cleanup test tests testing temp stuff "
    "thing things misc other various checkpoint session resume todo todos draft final latest newest "
    "current update updates change changes note notes done progress continue started project code "
    "file files demo example sample name hello asdf qwerty blah foobar stop pause today later next"
)
_EMPTY = frozenset(_WORDS.split())
_DATES = re.compile(
    r"(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(uary|ruary|ch|il|e|y|ust|tember|ober|ember)?"
    r"|may|(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?|today|yesterday|tomorrow|[vwq]"
)
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])")
_LONGEST = 64  # characters
_LONGEST_BYTES = 200  # of the 255 that file systems allow, less the ending
_PROPOSED_WORDS = 5
_SHORTEST = 3  # characters of a proposed name
_LETTERS = 4  # of a name of one word; a character of a script without letters says as much as two
_EXAMPLE = "fix-login-redirect"
_FILLERS = re.compile("an?|the|to|of|in|on|at|for|and|or|with|from|by|is|are|be|its?|this")


def parse(raw: str, task: str = "") -> CheckpointName:
    """The name, if it may be one. Letters of any script pass, in lower case.

    Raises UsageError, whose hint proposes a name made from `raw` or from `task`, the summary
    of the work, which must be free of secrets.
    """
    fault = _fault(raw)
    if fault:
        better = propose(raw, task) or f"NAME (two words or more, as in {_EXAMPLE})"
        raise UsageError(fault, f"onward save {better}")
    return CheckpointName(raw)


def propose(raw: str, task: str = "") -> str:
    """A name that `parse` takes: from what was typed if that says enough, else from the task; ""
    where neither does.
    """
    typed = re.split(r"[/\\]", raw)[-1].removesuffix(".md")
    without_paths = re.sub(r"\S*[/\\]\S*", " ", task)
    candidates = (_kebab(typed), _kebab(without_paths), _kebab(task))
    good = (name for name in candidates if len(name) >= _SHORTEST and not _fault(name))
    return next(good, "")


def _kebab(text: str) -> str:
    # A capital behind a small letter begins a word: FixLogin is fix-login.
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", unicodedata.normalize("NFC", text))
    plain = parted.casefold()
    words = [word for word in re.findall(r"[^\W_]+", plain) if not _FILLERS.fullmatch(word)]
    name = "-".join(words[:_PROPOSED_WORDS])
    return name[:_LONGEST].rstrip("-")


def is_vague(raw: str) -> bool:
    """Whether a name in kebab-case does not say which work it is."""
    return _is_kebab(raw) and _is_vague(raw)


def _fault(raw: str) -> str:
    """Why a name cannot be, as a sentence; "" if it can. The first fault in this order tells."""
    too_long = len(raw) > _LONGEST or len(raw.encode("utf-8", "replace")) > _LONGEST_BYTES
    faults = (
        (not raw, "a checkpoint needs a name"),
        (too_long, f"a checkpoint's name has at most {_LONGEST} characters"),
        (not raw.isprintable(), "a checkpoint's name holds no control characters"),
        (
            re.search(r"[/\\:]|^\.", raw),
            "a checkpoint's name must not contain `/`, `\\` or `:`, nor begin with a dot",
        ),
        (not _is_kebab(raw), f"`{raw}` is not kebab-case (lower-case-words-like-these)"),
        (raw in {AUTOSAVE, AUTOSAVE_LOG}, f"`{raw}` is written by onward itself"),
        (_DEVICES.fullmatch(raw), f"`{raw}` is the name of a device on Windows"),
        (_is_vague(raw), f"`{raw}` is too generic: use two words or more"),
    )
    return next((fault for wrong, fault in faults if wrong), "")


def _is_kebab(raw: str) -> bool:
    """Words of letters and digits; composed, so that one name is one file on every disk."""
    same = raw == raw.casefold() == unicodedata.normalize("NFC", raw)
    return same and all(word.isalnum() for word in raw.split("-"))


def _is_vague(name: str) -> bool:
    """Only forbidden words, numbers and dates; or one word that is short or empty."""
    words = {re.sub(r"\d+(st|nd|rd|th)?$", "", word) for word in name.split("-")}
    left = {word for word in words if word and not _DATES.fullmatch(word)}
    if left <= _FORBIDDEN:
        return True
    telling = {word for word in left if _weight(word) > 1}
    return len(telling) < 2 and all(_weight(w) < _LETTERS or w in _EMPTY for w in telling)


def _weight(word: str) -> int:
    """Letters of a word; those of scripts without case (登录) count twice."""
    return sum(1 if letter.lower() != letter.upper() else 2 for letter in word)
