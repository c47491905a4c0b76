"""Make text harmless to a terminal and to a client that reads it: data stays data.

Runs before the rules, so that a secret which escapes or invisible characters split is whole
again when they look. Newlines and tabs stay. Where the text itself is to stay as it is, `Seen`
only looks past what would be taken out, and each place of it leads back to the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

_OPEN, _CLOSE = "\u2039", "\u203a"

# Each branch begins with one character: such a pattern is looked for ten times as fast.
_COLOUR = r"[0-?]*[ -/]*[@-~]"  # and where the cursor goes
_TITLE = r"[^\x07\x1b\x90-\x9f\n]*(?:\x07|\x1b\\|\x9c)"  # and links
_ESCAPES = re.compile(
    rf"\x1b(?:\[{_COLOUR}|[\]PX^_]{_TITLE}|[ -/]*[0-~]?)|\x9b{_COLOUR}|"
    + "|".join(rf"\x{sign}{_TITLE}" for sign in ("90", "98", "9d", "9e", "9f"))
)
_C1 = re.compile("[\x90\x98\x9b\x9d-\x9f]")
_NEWLINES = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_UNSEEN = (
    "\x00-\x08\x0e-\x1f\x7f-\x9f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_INVISIBLE = re.compile(f"[{_UNSEEN}]")
# Between two characters beyond ASCII a joiner shapes a word or an emoji; elsewhere it hides.
_JOINERS = re.compile(
    "[\u200c\u200d]{2,}|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)
HIDDEN = re.compile(f"{_ESCAPES.pattern}|{_JOINERS.pattern}|{_INVISIBLE.pattern}")
"""All that is removed outright."""
HIDING = re.compile(f"[\r{_UNSEEN}\u200c\u200d]")
"""What each of it begins with, and the sign before a line's end; far quicker to look for."""
_SURROGATES = re.compile("[\ud800-\udfff]")
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
# No script puts more of them on one letter; hundreds cover the lines around it.
_FLOOD = re.compile(f"([{_MARKS}][{_MARKS}]{{3}})[{_MARKS}]+")
# One question for all of it: a negated class is passed over three times as fast as those above.
PLAIN = re.compile(f"[^{_UNSEEN}{_MARKS}\x0b-\x0d\u200c\u200d\u2028\u2029\ud800-\udfff]*")

_STEMS = (
    "system|reminder|command|hook|prompt|instruction|tool|function|invoke|parameter|antml|"
    "assistant|human|bash-|stdout|stderr|notification|teammate|ide_|thinking|onward|"
    "environment_context|turn_aborted|persisted|agent"
)
_NAMES = "user(?:[-_][a-z_-]{1,40})?|objective|skill|proposed_plan|execution_context"
_OPENERS = "<\uff1c\ufe64"
"""The sign, and two that a model reads as it."""
_TAGS = re.compile(
    rf"[{_OPENERS}](\s{{0,3}}/?\s{{0,3}}((?i:[a-z0-9_:.-]{{0,40}}(?:{_STEMS})[a-z0-9_:.-]{{0,40}}|{_NAMES}))"
    r"(?:[\s/][^<>]{0,200})?)([>\uff1e\ufe65]|(?![0-9A-Za-z]))"
)
_SPECIAL = re.compile(rf"[{_OPENERS}](\|[0-9A-Za-z_]{{1,40}}\|)[>\uff1e\ufe65]")
# `--> src/main.rs:4` and `A --> B` are how compilers and diagrams point; with every opener
# disarmed they close nothing.
_COMMENT_ENDS = re.compile(r"--(!?)>(?![ \t]?[\w./|\[(\"'])")
# With a blank in it what stands behind is no link any more.
_ACTS = re.compile(r"(?i)(\](?:\(|:)\s{0,3}<?(?:java|vb)script|\]\(\s{0,3}<?data)(?=:)")


def defang(text: str) -> str:
    """The text without control and invisible characters, with tags, comments and links that
    run something disarmed.

    The angle brackets of `<system-reminder>` and `<!-- -->` become single quotation marks
    (U+2039, U+203A), which look alike and mean nothing.
    Idempotent, never raises; lone surrogates become U+FFFD.
    """
    if PLAIN.fullmatch(text) is None:
        text = _seen(text)
    if any(opener in text for opener in _OPENERS):
        text = text.replace("<!--", f"{_OPEN}!--")
        text = _SPECIAL.sub(rf"{_OPEN}\1{_CLOSE}", text)
        text = _TAGS.sub(_disarmed, text)
    if "](" in text or "]:" in text:
        text = _ACTS.sub(r"\1 ", text)
    return _COMMENT_ENDS.sub(rf"--\1{_CLOSE}", text) if "--" in text else text


def _seen(text: str) -> str:
    """Only what is shown as it stands there."""
    if "\x1b" in text or _C1.search(text):
        text = _ESCAPES.sub("", text)
    text = _NEWLINES.sub("\n", text.replace("\r\n", "\n"))
    text = _INVISIBLE.sub("", text)
    text = _SURROGATES.sub("\ufffd", text)
    if "\u200c" in text or "\u200d" in text:
        text = _JOINERS.sub("", text)
    return _FLOOD.sub(r"\1", text)


def _disarmed(tag: re.Match[str]) -> str:
    # One word in mixed case is a type: `Vec<Command>`, `Promise<ToolResult>`.
    if tag[2].isalnum() and not (tag[2].islower() or tag[2].isupper()):
        return tag[0]
    return f"{_OPEN}{tag[1]}{_CLOSE}" if tag[3] else f"{_OPEN}{tag[1]}"


_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


class Seen:
    """`shown` is what the rules look at; `start` and `end` lead from there to the text."""

    def __init__(self, text: str) -> None:
        self._at = [0]
        """Places in `shown` behind which something hidden lies; the first is none."""
        self._longer = [0]
        """How many characters are hidden up to there."""
        if PLAIN.fullmatch(text):
            self.shown = text
            return
        text = _BREAKS.sub("\n", text)
        pieces: list[str] = []
        last = seen = 0
        for start, end in _hidden(text):
            pieces.append(text[last:start])
            seen += start - last
            last = end
            self._at.append(seen)
            self._longer.append(self._longer[-1] + end - start)
        pieces.append(text[last:])
        shown = "".join(pieces).replace("\r", "\n")
        self.shown = re.sub("[\ud800-\udfff]", "\ufffd", shown)

    def start(self, place: int) -> int:
        """Where in the text the character stands that is seen there."""
        return place + self._longer[bisect_right(self._at, place) - 1]

    def end(self, place: int) -> int:
        """Where in the text the character before that place ends."""
        return self.start(place - 1) + 1 if place else 0


def _hidden(text: str) -> Iterator[tuple[int, int]]:
    """What is looked past: all that defanging removes, and the first half of CRLF."""
    at = 0
    while sign := HIDING.search(text, at):
        at = sign.end()
        if sign[0] == "\r":
            if text.startswith("\n", at):
                yield sign.span()
        elif hidden := HIDDEN.match(text, sign.start()):
            at = hidden.end()
            yield hidden.span()
