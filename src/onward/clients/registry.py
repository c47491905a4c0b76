"""Install: the clients that can be installed into, each a module of this room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from onward.clients import codex, target
from onward.clients.settings import Hook
from onward.clients.target import Target
from onward.storage.project import Project


class Client(Protocol):
    """What the module of a client offers. `NAME` is what people call it, `OPTION` the word that
    chooses it on the command line, "" for the one that needs none; `RULES` is the file that
    `block` belongs into.
    """

    NAME: str
    OPTION: str
    RULES: str

    def of_project(self, project: Project, home: Path) -> Target:
        """A project as a target."""

    def of_user(self, home: Path, env: Mapping[str, str]) -> Target:
        """The user's own folder as a target."""

    def places(self, target: Target) -> list[Path]:
        """The folders that files of ours may lie in."""

    def shipped(self, target: Target) -> dict[Path, bytes]:
        """The files that belong there, less the registrations and the block."""

    def block(self, target: Target) -> bytes | None:
        """What belongs into the file of rules; None for nothing."""

    def hooks(self, target: Target) -> list[Hook]:
        """The registrations that belong into its settings."""

    def first_steps(self, target: Target, home: Path, env: Mapping[str, str]) -> list[str]:
        """What to do in the client after a first installation."""

    def elsewhere(self, target: Target, project: Target, user: Target) -> Iterator[str]:
        """Where our hooks are registered besides, and what ends that; why they would not be read."""


DEFAULT: Client = target
ALL: tuple[Client, ...] = (DEFAULT, codex)
OTHERS: Mapping[str, Client] = {client.OPTION: client for client in ALL if client.OPTION}
"""Those that are asked for by a word of theirs."""
