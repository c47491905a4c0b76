"""What a line of a rollout looks like, and who wrote a user message: half of them no user ever typed.

Only the fields that are read are named. Up to 0.31 a line is an item itself ("flat"); since 0.34 it
wraps one in `payload`. What a model was sent (`response_item`) stands beside what the screen was told
(`event_msg`): texts twice.
"""

from __future__ import annotations

import re
from typing import Any, Final, Literal

from msgspec import Raw, Struct

from onward.transcripts.values import is_ours, within

MARK: Final = "type"
Kind = Literal["prompt", "command", "shell", "implement", "plan", "notice", "nobody"]
Script = str | tuple[str, ...] | None  # a command: a text, or the words of a program


class Part(Struct, frozen=True, gc=False):
    """One piece of a message's content."""

    type: str = ""
    text: str | None = None


class Body(Struct, frozen=True, gc=False):
    """What an item, a piece of news or the thread's own facts may say; every field may be missing."""

    type: str = ""
    id: str | None = None
    timestamp: str | None = None
    # items for the model
    role: str | None = None
    content: str | tuple[Part | str, ...] | None = None
    name: str | None = None
    arguments: Raw = Raw()
    input: str | None = None
    call_id: str | None = None
    output: Raw = Raw()
    summary: Raw = Raw()
    action: Raw = Raw()
    # the thread
    cwd: str | None = None
    cli_version: str | None = None
    git: dict[str, Any] | None = None
    source: Raw = Raw()
    history_base: dict[str, Any] | None = None
    """Where a fork's earlier records stand, which its own file does not hold (since 0.150)."""
    thread_name: str | None = None
    # news
    message: str | None = None
    images: tuple[Raw, ...] | None = None
    local_images: tuple[Raw, ...] | None = None
    reason: str | None = None
    num_turns: int | None = None
    item: Body | None = None  # since 0.150
    text: str | None = None
    last_agent_message: str | None = None
    command: Script = None
    status: str | None = None
    aggregated_output: str | None = None
    exit_code: int | None = None
    success: bool | None = None
    changes: dict[str, Any] | None = None

    @property
    def parts(self) -> list[Part]:
        """The pieces of its content; a text is one."""
        content = (self.content,) if isinstance(self.content, str) else self.content or ()
        return [Part(text=each) if isinstance(each, str) else each for each in content]


class Line(Body, frozen=True, gc=False):
    """One line of a rollout, flat or wrapped."""

    payload: Body | None = None
    ordinal: int | None = None

    @property
    def body(self) -> Body:
        """What it wraps, or itself; of a finished item, as the paginated form tells it, the item."""
        body = self.payload or self
        return body.item if body.item and body.type == "item_completed" else body

    @property
    def kind(self) -> str:
        """What it is: an item for the model, news for the screen, or the thread's own facts."""
        if self.payload is None:
            return self.type or ("session_meta" if self.id else "")
        return self.body.type if self.type in {"response_item", "event_msg"} else self.type


# ---------------------------------------------------------------------- who wrote it

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
_OUTLINE: Final = re.compile(r"^## Outline\s+(.*?)(?=\n## |\Z)", re.MULTILINE | re.DOTALL)
_POINT: Final = re.compile(r"^\d+\. (.+)$", re.MULTILINE)
_HEAD_ENDS: Final = re.compile(r"[:.](?:\s|$)")
_CWD: Final = re.compile(r"<cwd>([^<\n]{1,4000})</cwd>")


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


def joined(told: Body, *, named: bool = False) -> str:
    """The text of a message of several parts; those without one are left out, unless they are to be `named`."""
    parts = (part for part in told.parts if part.text or named)
    return "\n".join(part.text or f"[{part.type.removeprefix('input_')}]" for part in parts)


def folder_in(text: str) -> str:
    """The folder that the client tells the model of; "" where the text is not that."""
    found = _CWD.search(text) if "<environment_context>" in text else None
    return found[1].strip() if found else ""


def _typed(text: str) -> Said:
    """What a user typed; of a saved prompt that they called, what they gave it and what it is for."""
    front = _FRONT.match(text)
    if not front and not text.startswith("## User Input"):
        return Said("prompt", text)
    given = _GIVEN.search(text)
    own = given[1].strip() if given else ""
    own = "" if own == "$ARGUMENTS" else own
    outline = None if front else _OUTLINE.search(text)
    purpose = front[1] if front else _heads(outline[1]) if outline else ""
    purpose = " ".join(purpose.replace("**", "").split())
    if not purpose:
        return Said("prompt", own) if own else Said("nobody")
    return Said("command", f"{own}\n(saved prompt: {purpose})".strip())


def _heads(outline: str) -> str:
    """The first point of an outline, and the first words of the others; its first line where that is
    no point. Only what stands behind those words is left out: a secret keeps the word before it.
    """
    if not _POINT.match(outline):
        return next(iter(outline.splitlines()), "")
    first, *others = (point.replace("**", "") for point in _POINT.findall(outline))
    return "; ".join([first, *(_HEAD_ENDS.split(point, maxsplit=1)[0] for point in others)])
