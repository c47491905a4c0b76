"""The files that a tool call or a shell command changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from onward.model import Edited
from onward.transcripts import truncation
from onward.transcripts.claude_code.calls import NOTHING, Call, Result
from onward.transcripts.claude_code.records import Extra, Hunk, Patch

_MANY: Final = 40
"""Files that one command changed: of a formatter run over everything the first tell enough."""
_BY_GIT: Final = re.compile(
    r"\b(?:git|jj)\b[^\n|;&]{0,300}\s(?:checkout|switch|restore|merge|pull|reset|stash|rebase|revert|cherry-pick|am|worktree|edit|new|undo|abandon)\b"
)


def edited(call: Call | None, result: Result, thread: str) -> Iterator[Edited]:
    """A file that was changed. The patch tells it best; sub-agents' files have none, and a
    result whose call is missing has nothing else.
    """
    extra = result.extra or Extra()
    path = extra.file_path or (call.path if call else "")
    if not path or (call is None and extra.structured_patch is None):
        return
    put = call.put if call else NOTHING
    spans, text, added, removed, gone = _patch(extra.structured_patch or ())
    created = extra.type == "create" or (
        result.extra is None and result.text.startswith("File created")
    )
    if not spans:
        text, added, removed = put.text, put.added, 0 if created else put.removed
        spans = ((1, added),) if created and added else ()
    yield Edited(
        line=result.line,
        at=result.at,
        thread=thread,
        path=path,
        change="created" if created else "edited",
        added=added,
        removed=removed,
        spans=spans,
        by_user=bool(extra.user_modified),
        text=text,
        gone=gone,
    )


def changed(call: Call, result: Result) -> Iterator[Edited]:
    """The files that a shell command changed, as the client saw it; told on the command's own
    line. What git put there is no edit.
    """
    diff = result.extra.bash_edit_diff if result.extra else None
    if diff is None or _BY_GIT.search(call.input.command):
        return
    told = {patch.file_path: patch for patch in diff.files}
    for path in list(dict.fromkeys((*told, *diff.changed_files)))[:_MANY]:
        patch = told.get(path, Patch())
        spans, text, added, removed, gone = _patch(patch.hunks)
        created = len(patch.hunks) == 1 and patch.hunks[0].old_lines == 0
        change: Literal["created", "deleted", "edited"] = "created" if created else "edited"
        yield Edited(
            line=result.line,
            at=result.at,
            thread=call.thread,
            path=path,
            change="deleted" if patch.deleted else change,
            added=0 if patch.deleted else added,
            removed=0 if patch.deleted else removed,
            spans=() if patch.deleted else spans,
            text=text,
            gone=gone,
        )


_NOT_IN_NEW: Final = frozenset({"-", "\\"})
"""Marks of patch lines that the new file does not hold; the second says "no newline at end"."""


def _patch(hunks: tuple[Hunk, ...]) -> tuple[tuple[tuple[int, int], ...], str, int, int, str]:
    """Changed lines of the new file, the first added ones, how many came and went, and the first
    that went.
    """
    spans: list[tuple[int, int]] = []
    added: list[str] = []
    removed: list[str] = []
    for hunk in hunks:
        here, first, last = hunk.new_start, 0, 0
        for line in hunk.lines:
            mark = line[:1]
            if mark == "+":
                added.append(line)
                first, last = first or here, here
            elif mark == "-":
                removed.append(line[1:])
                first = first or max(here, 1)
            if mark not in _NOT_IN_NEW:
                here += 1
        if first:
            spans.append((first, max(first, last)))
    return (
        tuple(spans),
        truncation.first_lines("\n".join(line[1:] for line in added[: truncation.FIRST])),
        len(added),
        len(removed),
        truncation.few_lines(removed),
    )
