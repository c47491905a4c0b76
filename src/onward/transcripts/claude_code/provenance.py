"""Who wrote a user record. Half of them no user ever typed.

The table behind this module was counted over 352 transcripts of clients 1.0 to 2.1.330.
"""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec
from msgspec import Raw, Struct

from onward.decode import UNREADABLE
from onward.transcripts.claude_code.records import Content, Record
from onward.transcripts.said import is_ours, within

Kind = Literal[
    "prompt", "command", "anew", "shell", "interrupt", "plan", "summary", "news", "nobody"
]

REFUSED: Final = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
)
INTERRUPTED: Final = "[Request interrupted by user"
_SUMMARY: Final = "This session is being continued from a previous conversation"
_BEHIND_SUMMARY: Final = "\n\nIf you need specific details from before compaction"
_PLAN: Final = "Implement the following plan:"
_NEWS: Final = ("<task-notification>", "<bash-notification>", "<agent-notification>")
_NOBODY: Final = (
    "<local-command-",  # -stdout, -stderr, -caveat
    "Caveat: The messages below",
    "<bash-stdout>",
    "<bash-stderr>",
    "Base directory for this skill:",
    "<objective>",
    "<execution_context>",
    "[Image: source:",
    "<teammate-message",
)
_BESIDE: Final = (
    "system-reminder",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "user-prompt-submit-hook",
)
_CLIENTS_OWN: Final = re.compile(
    r"add-dir|agents|bashes|bug|compact|config|context|copy|cost|diff|doctor|effort|exit"
    r"|export|extra-usage|fast|feedback|help|hooks|ide|init-verifiers|keybindings|login"
    r"|logout|mcp|memory"
    r"|mobile|model|output-style|permissions|plugin|plugins|privacy-settings|quit"
    r"|rate-limit-options|release-notes|reload-plugins|remote-control|rename|resume|rewind"
    r"|sandbox|settings|stats|status|statusline|tasks|terminal-setup|theme|todos|upgrade"
    r"|usage|vim|voice"
)
"""Slash commands about the client itself: they ask the agent for nothing."""
_ANEW: Final = re.compile(r"clear|new|reset")
"""Slash commands that empty the agent's context."""
_TAGGED: Final = re.compile(r"<(command-[a-z]+|local-command-[a-z]+)>.*?</\1>\s*", re.DOTALL)
_OWN_LINE: Final = re.compile(rf"/(?:{_CLIENTS_OWN.pattern})")
_UNKNOWN: Final = re.compile(r"Unknown (?:skill|slash command|command): \S+$")
_COMMAND: Final = re.compile(r"/[a-z][\w:.-]*(\s|$)")


class Said(Struct, frozen=True):
    """What a user record holds, and of which kind it is."""

    kind: Kind
    text: str = ""
    images: int = 0


class News(Struct, frozen=True):
    """A background task's end, as the client tells the agent of it."""

    id: str
    status: str
    text: str


def plain(content: Content) -> str:
    """The text of a message's content, its blocks on lines of their own."""
    if isinstance(content, str):
        return content
    return "\n".join(block.text for block in content or () if block.type == "text")


def text_of(raw: Raw) -> str:
    """The text of a field that is a string or a list of blocks."""
    if not bytes(raw):
        return ""
    try:
        return plain(msgspec.json.decode(raw, type=Content))
    except UNREADABLE:
        return ""


def strip_beside(text: str) -> str:
    """`text` without the blocks that editors and the harness put beside a prompt.

    Up to the last closing tag: an enclosed file may hold one too, and what follows that is not
    the user's.
    """
    for tag in _BESIDE:
        start, end = text.find(f"<{tag}>"), text.rfind(f"</{tag}>")
        if 0 <= start < end:
            text = text[:start] + text[end + len(tag) + 3 :]
    return text.strip()


def is_refusal(text: str, denial: str, version: str, *, foreign: bool = False) -> bool:
    """Whether the user refused the call that ended in `text`.

    Clients since 2.1.198 mark it (`toolDenialKind`); of older ones the client's own sentence is
    believed, but not from a server of somebody else's (`foreign`).
    """
    if denial or _marks_denials(version):
        return denial == "user-rejected"
    return text.startswith(REFUSED) and not foreign


def _marks_denials(version: str) -> bool:
    numbers = [int(part) for part in re.findall(r"\d{1,9}", version)[:3]]
    return numbers >= [2, 1, 198]


def said(record: Record) -> Said:
    """Tell a user record that carries no tool result: whose words are these?"""
    content = record.message.content if record.message else None
    text = plain(content)
    if record.is_compact_summary or text.startswith(_SUMMARY):
        return Said("summary", text)
    if record.plan_content or text.startswith(_PLAN):
        return Said("plan", record.plan_content or text.removeprefix(_PLAN).strip())
    if record.is_meta or record.source_tool_use_id or is_ours(text):
        return Said("nobody")
    origin = record.origin.kind if record.origin else ""
    if origin == "task-notification":
        return Said("news", text)
    if origin not in {"", "human"} or record.prompt_source == "system":
        return Said("nobody")
    images = 0
    if not isinstance(content, str):
        images = sum(block.type == "image" for block in content or ())
    return words(text, images)


def words(raw: str, images: int = 0) -> Said:
    """Tell bare text, of a user record or of the queue."""
    text = strip_beside(raw)
    if text.startswith(("<command-name>", "<command-message>")):
        name = within(text, "command-name") or within(text, "command-message")
        arguments = within(text, "command-args")
        return _command(name.lstrip("/"), arguments)
    if text.startswith("<bash-input>"):
        return Said("shell", f"!{within(text, 'bash-input')}")
    if text.startswith(INTERRUPTED):
        return Said("interrupt", text[text.find("]") + 1 :].strip())
    if text.startswith(_NEWS):
        return Said("news", text)
    if text.startswith(_NOBODY) or _UNKNOWN.match(text) or not (text or images):
        return Said("nobody")
    return _typed(text, images)


def _command(name: str, arguments: str) -> Said:
    """A slash command by its name."""
    kind: Kind = "nobody" if _CLIENTS_OWN.fullmatch(name) else "command"
    return Said("anew" if _ANEW.fullmatch(name) else kind, f"/{name} {arguments}".rstrip())


def _typed(text: str, images: int) -> Said:
    """What a user typed. Clients that merge several messages into one record leave commands
    among the words.
    """
    if "<command-name>" in text or "<local-command-" in text:
        text = _TAGGED.sub("", text).strip()
    lines = [line for line in text.splitlines() if not _OWN_LINE.fullmatch(line.strip())]
    kept = "\n".join(lines).strip()
    return Said("prompt", kept, images) if kept or images else Said("nobody")


def summary(text: str) -> str:
    """A compaction's summary without what the client wrote behind it: where to read more, which
    speaks of errors, and how to go on.
    """
    return text[: text.rfind(_BEHIND_SUMMARY)] if _BEHIND_SUMMARY in text else text


def is_command(text: str) -> bool:
    """Whether queued text is a slash command (and not a path): it comes back as a record of
    its own.
    """
    return _COMMAND.match(text) is not None


def news(text: str) -> News:
    """Read a notification. Statuses seen: completed, failed, killed, running."""
    return News(
        within(text, "task-id") or within(text, "shell-id") or within(text, "agent-id"),
        within(text, "status") or "completed",
        within(text, "result") or within(text, "summary"),
    )
