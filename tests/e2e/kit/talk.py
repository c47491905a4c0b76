"""End-to-end kit: one session, in a window or in headless runs, with the same words for both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from tests.e2e.kit.lab import Lab
from tests.e2e.kit.model import Request
from tests.e2e.kit.session import FREE, leave
from tests.e2e.kit.terminal import Window

Form = Literal["headless", "terminal"]


class Talk:
    """A session that begins with the first words. A headless one ends with each answer and is
    resumed for the next words.
    """

    def __init__(
        self, lab: Lab, form: Form, *words: str, env: Mapping[str, str] | None = None
    ) -> None:
        self.lab, self.words, self.env = lab, (FREE, *words), env
        self.window: Window | None = None
        self.session = ""
        if form == "terminal":
            self.window = lab.terminal(*self.words, env=env)

    def say(self, text: str, until: str) -> Request:
        """Say something, until the agent has answered with these words; the first request that
        came of it.
        """
        count = len(self.lab.requests())
        if self.window:
            self.window.still()
            self.window.type(text)
            self.window.wait(until)
            self.window.still()
        else:
            resumed = ("--resume", self.session) if self.session else ()
            done = self.lab.headless(text, *self.words, *resumed, env=self.env)
            self.session = str(done.data["session_id"])
            assert until in done.text, done.out
        return self.lab.requests()[count]

    def end(self) -> None:
        """Leave the session, and wait for what is done then."""
        if self.window:
            leave(self.window)
        self.lab.wait_quiet()
