"""`active-context.md`: the newest state only, short, since every session loads it.

It is a view: what does not fit is in the session document. The client reads it as memory, where
`@path` is read as that file, measured with 2.1.330 without a question for one inside the project.
Which marks around it the client looks through differs by release, so every `@` that follows no
letter or digit is escaped, in a code span too. A backslash before it keeps the sign from being
one, and Markdown does not show it.
"""

from __future__ import annotations

import re
from datetime import UTC, tzinfo

from msgspec.structs import replace

from onward.documents import checkpoint_md, entry, kinds, page, times
from onward.documents.entry import Entry
from onward.documents.headings import Field
from onward.model import Checkpoint, Clean, Draft

MAX_LINES = 60
MAX_BYTES = 4096
_LEAST_LINES = 20
_LEAST_BYTES = 1024
"""What is left for the state, however much a user wrote themselves."""

_SECTIONS: tuple[tuple[str, Field], ...] = (
    ("Next Action", "next_action"),
    ("Requests", "requests"),
    ("Blockers", "blockers"),
    ("In Progress", "doing"),
    ("Tasks", "tasks"),
    ("Progress", "progress"),
    ("Decisions", "decisions"),
    ("Failed Approaches", "dead_ends"),
    ("Files", "files"),
)
# Entries a section and characters a line, tried in turn until the whole fits.
_SIZES = ((8, 300), (6, 240), (4, 200), (3, 160), (2, 120), (1, 100), (1, 60))
# An even number of backslashes before the sign escapes only each other.
_IMPORT = re.compile(r"(?<!\\)((?:\\\\)+|(?<![^\W_]))@(?=\S)")
_ESCAPED = re.compile(r"(?<!\\)((?:\\\\)+|(?<![^\W_]))\\@(?=\S)")


def render(
    checkpoint: Checkpoint, *, document: str = "", ended: str = "", zone: tzinfo = UTC
) -> Clean:
    """The newest state, within MAX_LINES and MAX_BYTES; a user's own headings (`extra`)
    stand below it and are never cut. No word of the state makes the client read a file.

    `document` is the path of the session document that holds the rest; `ended` the time of
    the session's end, "" while it lives.
    """
    own = "\n".join(["", *page.render_extra(checkpoint.extra)]) if checkpoint.extra else ""
    lines = max(_LEAST_LINES, MAX_LINES - own.count("\n"))
    size = max(_LEAST_BYTES, MAX_BYTES - len(own.encode()))
    text = ""
    for limit, width in _SIZES:
        text = escape(_render(checkpoint, (limit, width), (document, ended), zone))
        if text.count("\n") <= lines and len(text.encode()) <= size:
            break
    # A path or branch of thousands of letters is left: then the last lines go.
    while len(text.encode()) > size:
        text = text[: text.rstrip("\n").rfind("\n") + 1]
    return Clean(text + own)


def parse(text: str) -> Draft:
    """The draft in an active context. What it left out is not in it."""
    read = page.read(unescape(text))
    draft = replace(page.draft(read), name="")
    return checkpoint_md.restore(draft, None, checkpoint_md.shown_time(read))


def _render(
    checkpoint: Checkpoint, size: tuple[int, int], ends: tuple[str, str], zone: tzinfo
) -> str:
    document, ended = ends
    repo = checkpoint.repo
    task = entry.lines(_clipped(kinds.show_item(checkpoint.task), size[1]), "**Task:** ", "    ")
    shown = [
        "# Active Context",
        "",
        f"**Updated:** {times.local(checkpoint.saved or checkpoint.created, zone) or 'unknown'}",
        *([f"**Session ended:** {times.local(ended, zone) or ended}"] if ended else []),
        *task,
        *([f"**Branch:** {repo.branch or 'detached head'} @ {repo.commit}"] if repo else []),
        *([f"**Document:** {document}"] if document else []),
        "",
    ]
    for heading, field in _SECTIONS:
        shown += _section(checkpoint, heading, field, size)
    return "\n".join(shown).rstrip("\n") + "\n"


def _section(
    checkpoint: Checkpoint, heading: str, field: Field, size: tuple[int, int]
) -> list[str]:
    limit, width = size
    found = page.fields(checkpoint, field, split=True)
    if field == "tasks":
        found = [kinds.show_task(t) for t in checkpoint.tasks if t.status == "pending"]
    # In order of time: the newest is at the end.
    kept = found[-limit:] if field in {"progress", "requests"} else found[:limit]
    if not kept:
        return []
    more = [f"(+{len(found) - len(kept)} more)"] if len(found) > len(kept) else []
    return [
        f"## {heading}",
        *(line for one in kept for line in entry.lines(_clipped(one, width))),
        *more,
    ]


def _clipped(one: Entry, width: int) -> Entry:
    """The entry as one line of at most `width` characters."""
    text = " ".join(one.text.split())
    if len(text) > width:
        text = f"{_head(text, width)} …"
    places = [word for word in one.tag if kinds.places((word,))][:2]
    words = [word for word in one.tag if not kinds.places((word,))][:4]
    why = one.note("why")
    notes = (("why", " ".join(why.split())),) if why and len(why) < width // 2 else ()
    return Entry(text=text, tag=(*words, *places), notes=notes)


def _head(text: str, width: int) -> str:
    """The beginning of a long text, cut between words and outside of a command in back-ticks,
    unless little would be left: Chinese has no blanks.
    """
    head = text[:width]
    words = head.rpartition(" ")[0]
    outside = words.rpartition("`")[0] if words.count("`") % 2 else words
    return next((cut for cut in (outside, words) if 3 * len(cut) > width), head).rstrip()


def escape(text: str) -> str:
    """The text without an import."""
    return _IMPORT.sub(r"\1\\@", text)


def unescape(text: str) -> str:
    """What `escape` was given, unless somebody wrote such a backslash."""
    return _ESCAPED.sub(r"\1@", text)
