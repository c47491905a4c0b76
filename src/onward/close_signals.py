"""The documents' close signals: five messages that end a session, in their usual spellings.

Only the whole message counts, so that "exit code 1" or "add a logout button" is none. Hooks
import this at once, so it imports nothing.
"""

from __future__ import annotations

_SIGNALS = frozenset(
    (
        *("goodnight", "good night", "晚安"),
        *("logout", "log out", "exit"),
        *("明天见", "明天見"),
    )
)
_LONGEST = 40  # characters; longer messages say more than a signal
_AROUND = " \t\r\n.!…,;~。！，～👋🌙💤"  # noqa: RUF001 - also full-width marks


def is_close_signal(message: str) -> bool:
    """Whether the whole message is one of the signals, whatever its case and end marks."""
    if len(message) > _LONGEST:
        return False
    plain = " ".join(message.strip(_AROUND).casefold().replace("-", " ").split())
    return plain in _SIGNALS
