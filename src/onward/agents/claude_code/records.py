"""What a transcript line looks like, and who wrote a user record: half of them no user ever typed.

Only the fields that are read are named; the names are the client's. Shapes by client version
are those of its transcripts from 1.0 to 2.1.330; the rules of who wrote what were counted over 352
of them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, Literal

from msgspec import DecodeError, Raw, Struct, field, json

from onward.model import Prompt
from onward.transcripts.values import fields, is_ours, text_of, within
from onward.transcripts.values import text as text_in

MARK: Final = "sessionId"  # a key of every record that counts

Kind = Literal[
    "prompt", "command", "anew", "shell", "interrupt", "plan", "summary", "news", "other", "nobody"
]


class Block(Struct, frozen=True, gc=False):
    """One content block of a message."""

    type: str = ""
    text: str = ""
    thinking: str = ""
    id: str = ""
    name: str = ""
    input: Raw = Raw()
    tool_use_id: str = ""
    content: Raw = Raw()
    is_error: bool | None = None


Content = str | tuple[Block | str, ...] | None


class Message(Struct, frozen=True, gc=False):
    """A message as the API has it."""

    id: str = ""
    model: str = ""
    content: Content = None
    stop_reason: str | None = None


class Record(Struct, frozen=True, gc=False, rename="camel"):
    """One line of a transcript; every field may be missing."""

    type: str = ""
    subtype: str = ""
    uuid: str | None = None
    parent_uuid: str | None = None
    leaf_uuid: str | None = None
    message_id: str | None = None
    timestamp: str | None = None
    session_id: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    version: str | None = None
    agent_id: str | None = None
    entrypoint: str = ""
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_api_error_message: bool | None = None
    origin: dict[str, Any] | None = None  # who wrote a user record (clients since 2.1.119)
    prompt_source: str | None = None
    source_tool_use_id: str | None = field(default=None, name="sourceToolUseID")
    plan_content: str | None = None
    tool_denial_kind: str | None = None
    permission_decision: dict[str, Any] | None = None
    """Who let a tool call happen or did not: the settings, or the user when asked."""
    interrupted_message_id: str | None = None
    tool_use_result: Raw = Raw()
    message: Message | None = None
    attachment: Raw = Raw()
    compact_metadata: dict[str, Any] | None = None
    operation: str = ""
    content: Raw = Raw()
    pr_url: str = ""
    pr_number: int | None = None
    pr_repository: str | None = None
    ai_title: str = ""
    custom_title: str = ""
    last_prompt: str | None = None
    data: Raw = Raw()

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The content blocks of its message; a text is one."""
        content = self.message.content if self.message else None
        every = (content,) if isinstance(content, str) else content or ()
        return tuple([Block(type="text", text=x) if isinstance(x, str) else x for x in every])


class Copied(Struct, frozen=True, gc=False, rename="camel"):
    """What a sub-agent did, as clients of 2.1.1 to 2.1.83 copy it into the session's own file."""

    agent_id: str = ""
    message: Record | None = None


def copied(record: Record) -> Copied:
    """Empty where the record is of another kind, or cannot be read."""
    if b'"agent_progress"' in bytes(record.data):
        with suppress(DecodeError):
            return json.decode(record.data, type=Copied)
    return Copied()


# ---------------------------------------------------------------------- who wrote it

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
    '{"task_id":',  # news of a background task, as Claude Code 2.1.49 queued it
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
_ANEW: Final = re.compile(r"clear|new|reset")  # slash commands that empty the agent's context
_TAGGED: Final = re.compile(r"<(command-[a-z]+|local-command-[a-z]+)>.*?</\1>\s*", re.DOTALL)
_OWN_LINE: Final = re.compile(rf"/(?:{_CLIENTS_OWN.pattern})")
_UNKNOWN: Final = re.compile(r"Unknown (?:skill|slash command|command): \S+$")


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


def plain(blocks: tuple[Block, ...]) -> str:
    """The text of a message, its blocks on lines of their own."""
    return "\n".join(block.text for block in blocks if block.type == "text")


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


def said(record: Record) -> Said:
    """Tell the text of a user record, alone or beside tool results: whose words are these?"""
    text = plain(record.blocks)
    if record.is_compact_summary or text.startswith(_SUMMARY):
        return Said("summary", text)
    if record.plan_content or text.startswith(_PLAN):
        return Said("plan", record.plan_content or text.removeprefix(_PLAN).strip())
    if record.is_meta or record.source_tool_use_id or is_ours(text):
        return Said("nobody")
    origin = text_in(record.origin or {}, "kind")
    if origin == "task-notification":
        return Said("news", text)
    if not is_human(origin) or record.prompt_source == "system":
        return Said("other", text)
    return words(text, sum(block.type == "image" for block in record.blocks))


def is_human(origin: str) -> bool:
    """Whether a prompt whose `origin.kind` it is was typed; older clients do not say."""
    return origin in {"", "human"}


def waiting(one: dict[str, Any]) -> tuple[Said, bool]:
    """What an attachment says that went from the queue into the running turn, and whether a user typed it."""
    is_queued = one.get("type") == "queued_command"
    said = words(text_of(one.get("prompt"))) if is_queued else Said("nobody")
    return said, is_human(text_in(fields(one, "origin"), "kind"))


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
    """What a user typed. Clients that join several messages leave commands among the words."""
    if "<command-name>" in text or "<local-command-" in text:
        text = _TAGGED.sub("", text).strip()
    lines = [line for line in text.splitlines() if not _OWN_LINE.fullmatch(line.strip())]
    kept = "\n".join(lines).strip()
    return Said("prompt", kept, images) if kept or images else Said("nobody")


def summary(text: str) -> str:
    """A compaction's summary without what the client wrote behind it: where to read more, how to go on."""
    return text[: text.rfind(_BEHIND_SUMMARY)] if _BEHIND_SUMMARY in text else text


def news(text: str) -> News:
    """Read a notification. Statuses seen: completed, failed, killed, running."""
    return News(
        within(text, "task-id") or within(text, "shell-id") or within(text, "agent-id"),
        within(text, "status") or "completed",
        within(text, "result") or within(text, "summary"),
    )


# -------------------------------------------------------- typed while the agent worked


def same(one: str, other: str) -> bool:
    """Whether two texts are one, whatever their blanks."""
    return " ".join(one.split()) == " ".join(other.split())


def _holds(message: str, text: str) -> bool:
    """Whether a message is that text, or joins it with others on lines of its own."""
    every, wanted = ([line.strip() for line in one.strip().splitlines()] for one in (message, text))
    starts = range(len(every) - len(wanted) + 1)
    is_part = any(every[at : at + len(wanted)] == wanted for at in starts)
    return bool(wanted) and (is_part or same(message, text))


_NOTHING: Final = Prompt(line=0, text="")


class Queue:
    """A client's queue of messages. The same text may be written down again as an ordinary
    message when it is delivered: `claim` tells that copy from a new message.
    """

    def __init__(self) -> None:
        self._waiting: list[Prompt] = []
        """What was said ahead of its removal keeps its place there, without its words."""
        self._sent: Prompt | None = None
        self._said: deque[str] = deque(maxlen=32)

    def enqueue(self, text: Prompt) -> None:
        """Typed, and not delivered yet."""
        self._waiting.append(text)

    def send(self) -> None:
        """The oldest one leaves the queue to become an ordinary message."""
        self._sent = self._leaves() or self._sent

    def inject(self) -> Prompt | None:
        """The oldest one goes into the running turn: returned, for nothing else may say it."""
        if text := self._leaves():
            self._said.append(text.text)
        return text

    def take_back(self) -> None:
        """Everything goes back to the edit box: it was never said."""
        self._waiting.clear()

    def claim(self, text: str, *, injected: bool = False) -> bool:
        """Whether a message with this text is new, and not the copy of one that was handed out."""
        if injected and (said := next((s for s in self._said if same(s, text)), None)):
            self._said.remove(said)
            return False
        # What it says, alone or among others, leaves the queue.
        found = [n for n, each in enumerate(self._waiting) if _holds(text, each.text)]
        for n in found:
            self._waiting[n] = _NOTHING
        if not injected:
            # Any message settles what was sent before it: the client may have changed it.
            sent, self._sent = self._sent, None
            if found and sent and not _holds(text, sent.text):
                # Another one was sent first: its leaving was told already.
                del self._waiting[found[0]]
                self._waiting.insert(0, sent)
        return True

    def left(self) -> Iterator[Prompt]:
        """At the end of the file: what was written down and never delivered."""
        return filter(None, (self._sent, *self._waiting))

    def _leaves(self) -> Prompt | None:
        """What a removal takes out; None where that was said already."""
        oldest = self._waiting.pop(0) if self._waiting else _NOTHING
        return oldest if oldest.text else None
