"""What a message of the user is, told without judging its words: a close signal, or input.

Hooks import this at once, so it imports nothing.
"""

from __future__ import annotations

_SIGNALS = frozenset(  # the documents' five, in their usual spellings
    (
        *("goodnight", "good night", "晚安"),
        *("logout", "log out", "exit"),
        *("明天见", "明天見"),
    )
)
_LONGEST = 40  # characters; longer messages say more than a signal
_AROUND = " \t\r\n.!…,;~。！，～👋🌙💤"  # noqa: RUF001 - also full-width marks


def is_close_signal(message: str) -> bool:
    """Whether the whole message is one of the documents' close signals, whatever its case and end
    marks; "exit code 1" and "add a logout button" are none.
    """
    if len(message) > _LONGEST:
        return False
    plain = " ".join(message.strip(_AROUND).casefold().replace("-", " ").split())
    return plain in _SIGNALS


def is_significant(message: str) -> bool:
    """Whether a message has more than three words, the documents' "significant human input".

    In a script without blanks between words, two letters count as a word.
    """
    wide = sum(character > "\u2e7f" for character in message)
    return len(message.split()) + wide // 2 > 3
