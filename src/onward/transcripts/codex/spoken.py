"""Words that are written down twice, for the model and for the screen.

What the screen was told decides, since it holds only what somebody said. The other copy counts
in files that never tell the screen anything (before 0.34, and excerpts).
"""

from __future__ import annotations

from typing import Generic, TypeVar

from onward.model import Prompt, Reply

S = TypeVar("S", Prompt, Reply)


class Spoken(Generic[S]):
    """One side of the conversation."""

    def __init__(self) -> None:
        self._told = False
        self._held: S | None = None

    def tell(self) -> None:
        """The screen was told something: copies do not count from now on."""
        self._told, self._held = True, None

    def hold(self, copy: S) -> None:
        """The model was sent something; the screen may be told right after."""
        if not self._told:
            self._held = copy

    def forget(self) -> None:
        """The copy was none of it."""
        self._held = None

    def release(self) -> S | None:
        """The copy that nothing followed on the screen, once."""
        held, self._held = self._held, None
        return held
