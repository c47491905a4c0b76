"""What a line of a rollout looks like. Only the fields that are read are named.

Up to 0.31 a line is an item itself ("flat"); since 0.34 it wraps one in `payload`. What a model
was sent (`response_item`) stands beside what the screen was told (`event_msg`): texts twice.
"""

from __future__ import annotations

from itertools import islice
from typing import BinaryIO, Final

from msgspec import Raw, Struct

from onward.decode import Records

MARK: Final = "type"
_FIRST: Final = 3  # lines
KNOWN: Final = frozenset(
    [
        "session_meta",
        "response_item",
        "event_msg",
        "turn_context",
        "compacted",
        "world_state",
        "token_usage_record",
        "inter_agent_communication",
        "inter_agent_communication_metadata",
    ]
)
"""Kinds of line of the wrapped form that were seen; another one is counted, and skipped."""


class Shape(Struct, frozen=True, gc=False):
    """Something the client wrote: every field may be missing."""


class Git(Shape, frozen=True, gc=False):
    """The repository as the session began."""

    branch: str | None = None


class Base(Shape, frozen=True, gc=False):
    """Where a fork's earlier records stand, which its own file does not hold (since 0.150)."""

    thread_id: str = ""
    end_ordinal_exclusive: int | None = None


class Change(Shape, frozen=True, gc=False):
    """What became of one file by a patch."""

    type: str = ""
    content: str | None = None
    unified_diff: str | None = None
    move_path: str | None = None


class Part(Shape, frozen=True, gc=False):
    """One piece of a message's or an output's content."""

    type: str = ""
    text: str | None = None


Script = str | tuple[str, ...] | None
"""A command: a text, or the words of a program."""
Output = str | tuple[Part, ...] | dict[str, Raw] | None
"""What a tool gave back: a text, or pieces of one."""


class Item(Shape, frozen=True, gc=False):
    """A finished item, as the paginated form tells it (default since 0.150)."""

    type: str = ""
    id: str = ""
    content: tuple[Part, ...] | None = None
    text: str | None = None
    command: Script = None
    cwd: str | None = None
    source: str | None = None
    status: str | None = None
    aggregated_output: str | None = None
    exit_code: int | None = None
    changes: dict[str, Change] | None = None


class Body(Shape, frozen=True, gc=False):
    """All that an item, a piece of news or the thread's own facts may say."""

    type: str = ""
    id: str | None = None
    timestamp: str | None = None
    # items for the model
    role: str | None = None
    content: tuple[Part, ...] | None = None
    name: str | None = None
    arguments: str | dict[str, Raw] | None = None
    input: str | None = None
    call_id: str | None = None
    output: Output = None
    summary: Raw = Raw()
    action: Raw = Raw()
    # the thread
    cwd: str | None = None
    cli_version: str | None = None
    git: Git | None = None
    source: Raw = Raw()
    history_base: Base | None = None
    thread_name: str | None = None
    # news
    message: str | None = None
    images: tuple[Raw, ...] | None = None
    local_images: tuple[Raw, ...] | None = None
    reason: str | None = None
    num_turns: int | None = None
    item: Item | None = None
    command: Script = None
    status: str | None = None
    aggregated_output: str | None = None
    exit_code: int | None = None
    success: bool | None = None
    changes: dict[str, Change] | None = None


class Line(Body, frozen=True, gc=False):
    """One line of a rollout, flat or wrapped."""

    payload: Body | None = None
    ordinal: int | None = None


class Step(Shape, frozen=True, gc=False):
    """One entry of the agent's plan."""

    step: str = ""
    status: str = ""


class Option(Shape, frozen=True, gc=False):
    """One answer that a question offers."""

    label: str = ""
    description: str | None = None


class Query(Shape, frozen=True, gc=False):
    """One question to the user."""

    id: str = ""
    question: str = ""
    options: tuple[Option, ...] | None = None


class Input(Shape, frozen=True, gc=False):
    """What a tool was called with, in any of its generations."""

    command: Script = None
    cmd: str | None = None
    workdir: str | None = None
    session_id: Raw = Raw()
    cell_id: Raw = Raw()
    chars: str | None = None
    plan: tuple[Step, ...] | None = None
    questions: tuple[Query, ...] | None = None
    path: str | None = None
    file_path: str | None = None
    input: str | None = None
    patch: str | None = None
    message: str | None = None


class Ended(Shape, frozen=True, gc=False):
    """How a command ended, beside its output (tool `shell`)."""

    exit_code: int | None = None


class Shown(Shape, frozen=True, gc=False):
    """An output that is JSON itself."""

    output: str | None = None
    exit_code: int | None = None
    metadata: Ended | None = None


class Chosen(Shape, frozen=True, gc=False):
    """The answers to one question."""

    answers: tuple[str, ...] = ()


class Answers(Shape, frozen=True, gc=False):
    """The answers to a form, by the questions' ids."""

    answers: dict[str, Chosen] = {}


class State(Shape, frozen=True, gc=False):
    """How a sub-agent stands: one of the two, else it is at work."""

    completed: str | None = None
    errored: str | None = None


class Report(Shape, frozen=True, gc=False):
    """What tools and notices tell of sub-agents."""

    agent_id: str | None = None
    agent_path: str | None = None
    status: Raw = Raw()


class Signs(Struct, frozen=True):
    """The keys by which a line of this client is known."""

    type: str = ""
    id: str | None = None
    timestamp: str | None = None
    payload: Raw = Raw()


def are_ours(stream: BinaryIO) -> bool:
    """Whether the first lines are this client's."""
    lines = Records(Signs, lambda _: None, MARK).read(stream)
    return any(_is_ours(line, signs) for line, signs in islice(lines, _FIRST))


def _is_ours(line: int, signs: Signs) -> bool:
    if bytes(signs.payload).startswith(b"{"):
        return signs.type in KNOWN
    return line == 1 and bool(signs.id and signs.timestamp and not signs.type)
