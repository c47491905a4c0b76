"""`memory/checkpoints/<name>.md`: the document's headings, our richer fields below them.

The law is `parse(render(c)) == c`, up to blanks at both ends of
a text; the file's own page is docs/formats/checkpoint.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, tzinfo
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from onward.documents import page, times
from onward.documents.headings import Field
from onward.documents.kinds import entry_lines
from onward.documents.markdown import split_lines
from onward.model import Checkpoint, Clean, Draft, FileFact, Item, Origin, RepoState, Snapshot, T

LAYOUT = page.layout(
    {
        "progress": ("tasks", "checklists", "runs", "trail"),
        "next_action": (),
        "blockers": ("failures",),
        "decisions": ("constraints",),
        "context": (
            "requests", "plan", "files", "commands", "background", "dead_ends", "closing", "blocks", "git",
        ),
    }
)  # fmt: skip

_HEAD: tuple[tuple[Field, str], ...] = (("task", "**Task:** "), ("status", "**Status:** "))
AGE = "**Age:** Derived from file mtime at resume time (shown automatically by `onward list`)"
"""The last line of the document's template, which every reader passes over."""

VERSION = 1  # of the closing comment
_COMMENT = re.compile(r"^<!-- onward:\d+ (\{.*\}) -->[ \t]*\n?", re.MULTILINE)
_CONFLICT = re.compile(r"^(?:<{7}|>{7}|\|{7}|={7})(?: .*)?$", re.MULTILINE)
_TITLE = re.compile(r"^(?:checkpoint|session|autosave)\b\s*[:：–—-]?\s*", re.IGNORECASE)  # noqa: RUF001


def render(
    checkpoint: Checkpoint, *, zone: tzinfo = UTC, marks: tuple[str, str] = ("", "")
) -> Clean:
    """The checkpoint as the text of its file; `zone` is the one that `Created` is shown in,
    `marks` tell a user's later words from ours (`by_hand.marks`).
    """
    created = times.local(checkpoint.created or checkpoint.saved, zone) or "unknown"
    shown = [
        f"# Checkpoint: {checkpoint.name}".rstrip(),
        "",
        f"**Created:** {created}",
        *body(checkpoint),
        AGE,
        "",
        *page.render_extra(checkpoint.extra),
        closing(checkpoint, *marks),
    ]
    return Clean("\n".join(shown) + "\n")


def body(checkpoint: Checkpoint) -> list[str]:
    """Task, status and sections as lines: what the file says of the session."""
    shown: list[str] = []
    for field, bullet in _HEAD:
        for one in page.fields(checkpoint, field):
            shown += entry_lines(one, bullet=bullet, indent="    ")
    return [*shown, "", *page.render(checkpoint, LAYOUT)]


def opened(text: str) -> tuple[page.Page, Closing | None]:
    """What stands in a checkpoint file, and what its closing comment says. One that git left in
    conflict says what both sides say, and line numbers stay.
    """
    text = "\n".join(split_lines(text))
    if all(re.search(f"^{sign} ", text, re.MULTILINE) for sign in ("<{7}", ">{7}")):
        text = _CONFLICT.sub("", text)
    above, closing = split(text)
    return page.read(above), closing


def parse(text: str, opened: Open = opened) -> Draft:
    """The draft in any checkpoint file, never an error; the text wins over the closing comment. A
    foreign title may be the task.
    """
    read, known = opened(text)
    draft = restore(page.draft(read), read, known)
    named = _TITLE.match(read.title)
    name = read.title[named.end() :] if named else ""
    if re.fullmatch("<[^<>]*>", name):  # the template's own
        name = ""
    is_told = draft.task.text or read.found.get("task")
    task = draft.task if is_told else Item(text=name if named else read.title)
    return replace(draft, name=name, task=task)


def restore(draft: Draft, read: page.Page, known: Closing | None) -> Draft:
    """The draft of a page with what the closing comment holds."""
    shown = next((line.text for line in read.found.get("created", ())), "")
    visible = times.in_utc(shown)
    if known is None:
        return replace(draft, saved=visible, created=visible)
    created, saved, repo = known.created, known.saved, known.repo
    if visible and times.local(created or saved) != times.local(visible):
        created = visible
    if repo and draft.repo:  # unless a user wrote another branch or commit above it
        repo = replace(repo, branch=draft.repo.branch, commit=draft.repo.commit)
    marks = {mark.path: mark for mark in known.files}
    files = (
        replace(fact, size=mark.size, hash=mark.hash) if (mark := marks.get(fact.path)) else fact
        for fact in draft.files
    )
    return replace(
        draft,
        saved=saved,
        created=created,
        origin=known.origin,
        repo=repo or draft.repo,
        files=tuple(files),
    )


# ------------------------------------------------------------------------ closing comment
#
#     <!-- onward:1 {"saved":"2026-03-01T13:40:00Z",...} -->
#
# What is not text, for the machine. Nothing that a user would read stands only there, so that what
# they delete above is gone. Fields of a newer version that we do not know are passed over.


Open = Callable[[str], tuple[page.Page, "Closing | None"]]  # takes a file of a form apart


class Closing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The content of the comment."""

    saved: str = ""
    created: str = ""
    origin: Origin[str] = Origin()
    repo: RepoState[str] | None = None
    files: tuple[FileFact[str], ...] = ()
    """Path, size and hash: what tells whether a file is still the one that was saved."""
    lines: str = ""  # a short hash of every line above, one after the other; see `by_hand`
    own: str = ""  # the hashes of those that a user wrote


def closing(snapshot: Snapshot[T], lines: str = "", own: str = "") -> str:
    """The comment, one line. A `>` in it is escaped, so it cannot end early."""
    plain = cast("Draft", snapshot)
    content = Closing(
        saved=plain.saved,
        created=plain.created,
        origin=plain.origin,
        repo=plain.repo,
        files=tuple(
            FileFact(path=fact.path, size=fact.size, hash=fact.hash)
            for fact in plain.files
            if fact.size is not None or fact.hash
        ),
        lines=lines,
        own=own,
    )
    json = msgspec.json.encode(content).decode().replace(">", "\\u003e").replace("<", "\\u003c")
    return f"<!-- onward:{VERSION} {json} -->"


def split(text: str) -> tuple[str, Closing | None]:
    """The text without our comment, and what the last one says; None if missing or broken."""
    text = "\n".join(split_lines(text))
    found, read = _last(text)
    above = text[: found.start()] + text[found.end() :] if found else text
    return above, read if isinstance(read, Closing) else None


def fault(text: str) -> tuple[int, str]:
    """The line of the last closing comment, from 1, and what is wrong with it: the field, or where
    its JSON breaks; (0, "") where it can be read or there is none.
    """
    found, error = _last(text)
    if found is None or isinstance(error, Closing):
        return 0, ""
    field = re.search(r"at `\$\.?([^`]+)`", str(error))
    broken = re.search(r"\(byte (\d+)\)", str(error))
    where = f"the field `{field[1]}`" if field else f"character {broken[1]}" if broken else ""
    return text.count("\n", 0, found.start()) + 1, where or "its nesting"


def _last(text: str) -> tuple[re.Match[str] | None, Closing | Exception | None]:
    """The last closing comment, and what it says or why it cannot be read."""
    found = next(reversed(list(_COMMENT.finditer(text))), None)
    if found is None:
        return None, None
    try:
        return found, msgspec.json.decode(found[1], type=Closing)
    except (msgspec.DecodeError, RecursionError) as error:
        return found, error
