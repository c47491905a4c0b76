"""Who wrote a user message. Half of them no user ever typed."""

from __future__ import annotations

import re
from typing import Final, Literal

from msgspec import Struct

from onward.transcripts import truncation
from onward.transcripts.codex.records import Body, Item
from onward.transcripts.said import is_ours, within

Kind = Literal["prompt", "command", "shell", "implement", "plan", "notice", "nobody"]

_NOBODY: Final = (
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions for ",
    "<INSTRUCTIONS>",
    "<turn_aborted>",
    "<hook_prompt",
    "<skill>",
    "<recommended_plugins>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<user_action>",
    "<model_switch>",
    "<goal_context>",
    "Warning: apply_patch was requested via ",
    "Warning: The maximum number of unified exec ",
    "Warning: Your account was flagged ",
)
_SHELL: Final = "<user_shell_command>"
_NOTICE: Final = "<subagent_notification>"
_FRAME: Final = "## My request for Codex:"
"""Editors put open tabs and the like before it; what was typed stands behind the last one."""
_IMPLEMENT: Final = "Implement the plan."
_PLAN: Final = "PLEASE IMPLEMENT THIS PLAN:"
_FRONT: Final = re.compile(
    r"---\r?\n(?:[^\n]*\n){0,8}?description: *([^\n]+)\n(?:[^\n]*\n){0,8}?---"
)
_GIVEN: Final = re.compile(
    r"^(?:##+ )?User [Ii]nput:?\s*\n+(?:```\w*\n)?(.*?)(?:\n```|\n\n|\Z)", re.DOTALL | re.MULTILINE
)
_OUTLINE: Final = re.compile(r"^## Outline\s+(?:\d+\. )?([^\n]+)", re.MULTILINE)
_CWD: Final = re.compile(r"<cwd>([^<\n]{1,4000})</cwd>")
_ENOUGH: Final = 40
"""Characters given to a saved prompt that say by themselves what is wanted."""


class Said(Struct, frozen=True):
    """What a message holds, and of which kind it is.

    `implement` is a yes to the plan shown last, `plan` one to the plan that is the text;
    `notice` tells of a sub-agent.
    """

    kind: Kind
    text: str = ""


def words(raw: str) -> Said:
    """Tell the text of a user message."""
    text = raw[raw.rfind(_FRAME) + len(_FRAME) :].strip() if _FRAME in raw else raw.strip()
    if text.startswith(_SHELL):
        return Said("shell", f"!{within(text, 'command')}")
    if text.startswith(_NOTICE):
        return Said("notice", text.removeprefix(_NOTICE).partition("</")[0].strip())
    if text.startswith(_NOBODY) or is_ours(text):
        return Said("nobody")
    if text == _IMPLEMENT:
        return Said("implement", text)
    if text.startswith(_PLAN):
        return Said("plan", text.removeprefix(_PLAN).strip())
    return _typed(text)


def joined(told: Body | Item) -> str:
    """The text of a message of several parts."""
    return "\n".join(part.text for part in told.content or () if part.text)


def folder_in(text: str) -> str:
    """The folder that the client tells the model of; "" where the text is not that."""
    found = _CWD.search(text) if "<environment_context>" in text else None
    return found[1].strip() if found else ""


def _typed(text: str) -> Said:
    """What a user typed. Of a saved prompt that they called, whose body was written long before:
    what they gave it, and what it is for where that alone says little.
    """
    front = _FRONT.match(text)
    if not front and not text.startswith("## User Input"):
        return Said("prompt", text)
    given = _GIVEN.search(text)
    own = given[1].strip() if given else ""
    own = "" if own == "$ARGUMENTS" else own
    if len(own) >= _ENOUGH:
        return Said("prompt", own)
    found = front or _OUTLINE.search(text)
    purpose = truncation.one_line(found[1].replace("**", "")) if found else ""
    if not purpose:
        return Said("prompt", own) if own else Said("nobody")
    return Said("command", f"{own} ({purpose})" if own else purpose)
