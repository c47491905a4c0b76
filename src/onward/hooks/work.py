"""Hooks: whether a transcript holds work, told by reading it. For small ones, at their end."""

from __future__ import annotations

from pathlib import Path

from onward.agents import registry
from onward.distill.shell.looking import is_looking
from onward.distill.shell.split import Command, split
from onward.errors import InputError, NotFoundError
from onward.hooks import ours
from onward.model import Delegated, Edited, Event, Planned, Prompt, Ran


def has_work(transcript: str, *, prompts: bool) -> bool:
    """Whether anything was done, or, with `prompts`, asked for in other words than our commands.

    A file that cannot be read may hold work: true.
    """
    try:
        return any(_is_work(event, prompts) for event in registry.open_transcript(Path(transcript)))
    except InputError:
        return True
    except NotFoundError:
        return False


def _is_work(event: Event, prompts: bool) -> bool:
    match event:
        case Prompt():
            return prompts and not ours.is_command(event.text)
        case Ran():
            return not all(is_looking(each) or _is_onward(each) for each in split(event.command))
        case Edited() | Delegated() | Planned():
            return True
        case _:
            return False


def _is_onward(command: Command) -> bool:
    return command.words[:1] == ("onward",)
