"""Golden sessions, scenes: the words that a scene is written in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.e2e.kit.model import Answer, Call

__all__ = [
    "Answer", "Call", "Keys", "Prompt", "Scene", "bash", "edit", "plan_task", "read", "says",
    "set_task", "write",
]  # fmt: skip


@dataclass(frozen=True)
class Prompt:
    """What the person types. `busy`: while the agent works, so that it is queued."""

    text: str
    busy: bool = False


@dataclass(frozen=True)
class Keys:
    """Keys that the person presses `after` so many seconds from when the screen shows `sees`.

    What is no key's name is typed.
    """

    sees: str
    keys: tuple[str, ...]
    after: float = 0.6


Step = Answer | Prompt | Keys


@dataclass(frozen=True)
class Scene:
    """One session, as it is to be played.

    `begin` is the UTC time that the first record is given. `commits` are what the repository
    holds before: a subject and the files it writes. `leaves`: what the person types to leave;
    "" is a closed window.
    """

    name: str
    title: str
    project: str
    begin: str
    client: str
    commits: tuple[tuple[str, Mapping[str, str]], ...]
    steps: tuple[Step, ...]
    helper: tuple[Answer, ...] = ()
    summary: str = ""
    branch: str = ""
    arguments: tuple[str, ...] = ("--dangerously-skip-permissions",)
    leaves: str = "/exit"


def says(text: str, *calls: Call, pause: float = 0.0) -> Answer:
    """An answer of the model: words, then calls."""
    return Answer(text, calls, pause)


def bash(command: str, description: str, **more: Any) -> Call:
    """Run a command."""
    return Call("Bash", {"command": command, "description": description, **more})


def read(path: str) -> Call:
    """Read a file."""
    return Call("Read", {"file_path": path})


def write(path: str, content: str) -> Call:
    """Write a whole file."""
    return Call("Write", {"file_path": path, "content": content})


def edit(path: str, old: str, new: str) -> Call:
    """Replace a piece of a file."""
    return Call("Edit", {"file_path": path, "old_string": old, "new_string": new})


def plan_task(subject: str, description: str, doing: str) -> Call:
    """Put an entry on the task list."""
    return Call("TaskCreate", {"subject": subject, "description": description, "activeForm": doing})


def set_task(number: int, status: str) -> Call:
    """Move an entry of the task list."""
    return Call("TaskUpdate", {"taskId": str(number), "status": status})
