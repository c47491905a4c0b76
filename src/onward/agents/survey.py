"""Agents: what one transcript tells of the client that wrote it, for the doctor."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Injection(Struct, frozen=True, kw_only=True):
    """A hook that ran when a session began, was resumed or compacted, and what became of its text.

    `reached`: it stands in the session and an answer came after it. `waiting`: no answer yet.
    `cut`: longer than the client takes, it was put into a file that the model was only told of.
    `failed`, `cancelled`: the client threw it away. A hook that says nothing leaves no trace.
    """

    line: int
    at: str = ""
    command: str
    fate: Literal["reached", "waiting", "cut", "failed", "cancelled"]
    size: int = 0
    """Characters of the text as the client kept it."""


class Survey(Struct, frozen=True, kw_only=True):
    """The newest injections last; `unknown` counts the kinds of record that no reader knows."""

    version: str = ""
    unknown: dict[str, int] = {}
    injections: tuple[Injection, ...] = ()
