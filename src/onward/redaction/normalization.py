"""Text as the rules are to see it, where the text itself must stay as it is.

Escapes and invisible characters may split a secret. Defanging takes them out for good; here
they are only looked past, and each place of what is seen leads back to the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from onward.redaction import defang

_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


class Seen:
    """`shown` is what the rules look at; `start` and `end` lead from there to the text."""

    def __init__(self, text: str) -> None:
        self._at = [0]
        """Places in `shown` behind which something hidden lies; the first is none."""
        self._longer = [0]
        """How many characters are hidden up to there."""
        if defang.PLAIN.fullmatch(text):
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
    while sign := defang.HIDING.search(text, at):
        at = sign.end()
        if sign[0] == "\r":
            if text.startswith("\n", at):
                yield sign.span()
        elif hidden := defang.HIDDEN.match(text, sign.start()):
            at = hidden.end()
            yield hidden.span()
