"""Which of a session's requests is worked on, and how much a text says by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onward.model import Request, T

WIDE = re.compile("[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uff01\uff0c\uff1b\uff1f]")
"""Scripts written without blanks, and their punctuation."""
LOGGED = re.compile(r"\W{0,3}(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d[\d.,]*Z?[\W_]*")
"""The time at which a line of a log begins."""
_LOG = 5
"""Lines of the shortest log."""
_FEW_WORDS = 4
SHORT, _TELLING = 100, 28
"""Characters below which a request says little without the one before it, and which that one has
at least.
"""


def extent(text: str) -> tuple[int, int]:
    """How many words and characters a text is worth: of scripts without blanks two characters
    make a word, and each says as much as two letters.
    """
    wide = len(WIDE.findall(text))
    return len(text.split()) + wide // 2, len(text) + wide


def is_reply(text: str) -> bool:
    """Whether a text is as short as an answer: at most three words."""
    return extent(text)[0] < _FEW_WORDS


def is_short(text: str) -> bool:
    """Whether a request says little without what it answers."""
    return extent(text)[1] < SHORT


def is_log(lines: Sequence[str]) -> bool:
    """Whether most lines begin with a time: a log that was pasted, whose end says how it ended."""
    return len(lines) >= _LOG and 2 * sum(map(bool, map(LOGGED.match, lines))) > len(lines)


def is_telling(text: str) -> bool:
    """Whether a request says by itself what is wanted."""
    return not is_reply(text) and extent(text)[1] >= _TELLING


def is_typed(request: Request[T]) -> bool:
    """Whether it is no answer to a question and no words of a refusal."""
    return request.source not in {"answer", "refusal"}


def active(requests: Sequence[Request[T]]) -> int:
    """The number of the request that was worked on: the newest that is no answer and no refusal, and
    that says something (not `.`); -1 where there is none.
    """
    typed = [n for n, request in enumerate(requests) if is_typed(request)]
    telling = (n for n in typed if any(map(str.isalnum, requests[n].text)))
    return max(telling, default=max(typed, default=len(requests) - 1))


def leading(requests: Sequence[Request[T]]) -> int:
    """The number of the request that a short active one goes on with: the last that tells more."""
    at = active(requests)
    if at < 0 or not is_short(requests[at].text):
        return at
    before = (n for n in range(at - 1, -1, -1) if is_typed(requests[n]))
    return next((n for n in before if is_telling(requests[n].text)), at)
