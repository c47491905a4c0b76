"""What a transcript line, a tool's input and a tool's result look like.

Only the fields that are read are named; the names are the client's. Shapes by client version
are those of its transcripts from 1.0 to 2.1.330.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from msgspec import Raw, Struct, field

from onward.decode import Records

MARK: Final = "sessionId"
"""A key of every record that counts."""


class Shape(Struct, frozen=True, gc=False):
    """Something the client wrote: every field may be missing."""


class Block(Shape, frozen=True, gc=False):
    """One content block of a message."""

    type: str = ""
    text: str = ""
    id: str = ""
    name: str = ""
    input: Raw = Raw()
    tool_use_id: str = ""
    content: Raw = Raw()
    is_error: bool | None = None


Content = str | tuple[Block, ...] | None


class Message(Shape, frozen=True, gc=False):
    """A message as the API has it."""

    id: str = ""
    model: str = ""
    content: Content = None
    stop_reason: str | None = None


class Origin(Shape, frozen=True, gc=False):
    """Who wrote a user record (clients since 2.1.119)."""

    kind: str = ""


class Compaction(Shape, frozen=True, gc=False):
    """What a compaction boundary says of itself."""

    trigger: str = ""


class Entry(Shape, frozen=True, gc=False):
    """One entry of a task list, in any generation of the tools."""

    id: str = ""
    content: str = ""
    subject: str = ""
    status: str = ""


class Attachment(Shape, frozen=True, gc=False, rename="camel"):
    """Text that the client put beside the conversation."""

    type: str = ""
    prompt: Raw = Raw()
    content: Raw = Raw()
    filename: str = ""
    plan_file_path: str = ""
    plan_content: str = ""


class Decision(Shape, frozen=True, gc=False):
    """Who let a tool call happen or did not: the settings, or the user when asked. That it is
    there is all that is read.
    """


class Record(Shape, frozen=True, gc=False, rename="camel"):
    """One line of a transcript."""

    type: str = ""
    subtype: str = ""
    uuid: str | None = None
    parent_uuid: str | None = None
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
    origin: Origin | None = None
    prompt_source: str | None = None
    source_tool_use_id: str | None = field(default=None, name="sourceToolUseID")
    plan_content: str | None = None
    tool_denial_kind: str | None = None
    permission_decision: Decision | None = None
    interrupted_message_id: str | None = None
    tool_use_result: Raw = Raw()
    message: Message | None = None
    attachment: Attachment | None = None
    compact_metadata: Compaction | None = None
    operation: str = ""
    content: Raw = Raw()
    pr_url: str = ""
    pr_number: int | None = None
    pr_repository: str | None = None
    ai_title: str = ""
    custom_title: str = ""
    last_prompt: str = ""
    data: Raw = Raw()
    tool_use_id: str = field(default="", name="toolUseID")


class HookProgress(Shape, frozen=True, gc=False, rename="camel"):
    """What a record of progress says of a hook that ran: `PostToolUse:Edit`."""

    type: str = ""
    hook_event: str = ""
    hook_name: str = ""


class Change(Shape, frozen=True, gc=False):
    """One replacement of an edit with several."""

    old_string: str = ""
    new_string: str = ""


class Option(Shape, frozen=True, gc=False):
    """One offered answer."""

    label: str = ""
    description: str = ""


class Asking(Shape, frozen=True, gc=False):
    """One question of a form."""

    question: str = ""
    options: tuple[Option, ...] = ()


class Input(
    Shape,
    frozen=True,
    gc=False,
    rename={"plan_file_path": "planFilePath", "entry_id": "taskId"},
):
    """What a tool was called with: the fields of all tools that matter, in one shape."""

    command: str = ""
    description: str = ""
    file_path: str = ""
    notebook_path: str = ""
    path: str = ""
    old_string: str = ""
    new_string: str = ""
    content: str = ""
    new_source: str = ""
    edits: tuple[Change, ...] = ()
    plan: str = ""
    plan_file_path: str = ""
    questions: tuple[Asking, ...] = ()
    prompt: str = ""
    todos: tuple[Entry, ...] = ()
    entry_id: str = ""
    subject: str = ""
    status: str = ""
    task_id: str = ""
    bash_id: str = ""
    shell_id: str = ""
    pattern: str = ""
    glob: str = ""
    offset: float | str = 0
    limit: float | str = 0


class Hunk(Shape, frozen=True, gc=False, rename="camel"):
    """One piece of a patch: lines that begin with " ", "+" or "-"."""

    old_lines: int = -1
    new_start: int = 0
    lines: tuple[str, ...] = ()


class Patch(Shape, frozen=True, gc=False, rename="camel"):
    """What a shell command changed in one file."""

    file_path: str = ""
    hunks: tuple[Hunk, ...] = ()
    deleted: bool | None = None


class ShellDiff(Shape, frozen=True, gc=False, rename="camel"):
    """What a shell command changed: the first files with their patches, then all by name."""

    files: tuple[Patch, ...] = ()
    changed_files: tuple[str, ...] = ()


class Job(Shape, frozen=True, gc=False):
    """A background task as its news have it, or an entry that was put on the task list."""

    id: str = ""
    subject: str = ""
    task_id: str = ""
    status: str = ""
    output: str = ""


class Note(Shape, frozen=True, gc=False):
    """What a user wrote beside an answer."""

    notes: str = ""


class Named(Shape, frozen=True, gc=False, rename="camel"):
    """A file that was read."""

    file_path: str = ""


class Extra(Shape, frozen=True, gc=False, rename="camel"):
    """`toolUseResult` where it is an object."""

    stdout: str = ""
    stderr: str = ""
    interrupted: bool | None = None
    background_task_id: str | None = None
    return_code_interpretation: str | None = None
    type: str = ""
    file_path: str = ""
    structured_patch: tuple[Hunk, ...] | None = None
    user_modified: bool | None = None
    plan: str | None = None
    answers: dict[str, str | tuple[str, ...]] | None = None
    annotations: dict[str, Note] | None = None
    status: str = ""
    agent_id: str = ""
    is_async: bool | None = None
    task: Job | None = None
    tasks: tuple[Entry, ...] | None = None
    success: bool | None = None
    shell_id: str = ""
    file: Named | None = None
    bash_edit_diff: ShellDiff | None = None


class Signs(Struct, frozen=True):
    """The keys by which a line of this client is known."""

    type: str = ""
    sessionId: str | None = None  # noqa: N815 - the client's name
    uuid: str | None = None
    leafUuid: str | None = None  # noqa: N815 - the client's name
    messageId: str | None = None  # noqa: N815 - the client's name
    operation: str | None = None
    lastPrompt: str | None = None  # noqa: N815 - the client's name


def are_ours(stream: BinaryIO) -> Iterator[bool]:
    """Of each line whether it is this client's."""
    for _, signs in Records(Signs, lambda _: None, MARK).read(stream):
        mine = signs.uuid or signs.leafUuid or signs.messageId or signs.operation
        yield bool(signs.sessionId and (mine or signs.lastPrompt is not None))
