"""`active-context.md`: the newest state only, short, since every session loads it.

It is a view: what does not fit is in the session document. The client reads it as memory, where
`@path` is read as that file, measured with 2.1.330 without a question for one inside the project.
Which marks around it the client looks through differs by release, so every `@` that follows no
letter or digit is escaped, in a code span too. A backslash before it keeps the sign from being
one, and Markdown does not show it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import UTC, tzinfo

from msgspec.structs import replace

from onward.documents import by_hand, checkpoint_md, page, times
from onward.documents.headings import Field
from onward.documents.kinds import Entry, entry_lines, places
from onward.model import Checkpoint, Clean, Draft, Item, Origin

MAX_LINES = 60
MAX_BYTES = 4096
_LEAST_LINES = 20
_LEAST_BYTES = 1024  # what is left for the state, however much a user wrote themselves

_FIELDS: tuple[Field, ...] = (
    "next_action", "requests", "blockers", "doing", "tasks", "progress", "decisions", "dead_ends", "files",
)  # fmt: skip
_LAYOUT = page.layout(
    dict.fromkeys(_FIELDS, ()), decisions="Decisions", dead_ends="Failed Approaches"
)
_MORE = re.compile(r"^\(\+\d+ more\)\n", re.MULTILINE)
_MADE = ("created", "git", "ours")  # what every render makes anew
# Entries a section and characters a line, tried in turn until the whole fits.
_SIZES = ((8, 300), (6, 240), (4, 200), (3, 160), (2, 120), (1, 100), (1, 60))
# An even number of backslashes before the sign escapes only each other.
_IMPORT = re.compile(r"(?<!\\)((?:\\\\)+|(?<![^\W_]))@(?=\S)")
_ESCAPED = re.compile(r"(?<!\\)((?:\\\\)+|(?<![^\W_]))\\@(?=\S)")


def render(
    checkpoint: Checkpoint,
    *,
    own: Checkpoint | None = None,
    away: Iterable[str] = (),
    document: str = "",
    zone: tzinfo = UTC,
) -> Clean:
    """The newest state, within MAX_LINES and MAX_BYTES. What the user wrote, under headings of
    their own (`extra`) or as entries (`own`), is never cut. No word of the state makes the client
    read a file. `away` is as `by_hand.keep` gives it, `document` the path of the session document that holds the rest.
    """
    extra = "\n".join(["", *page.render_extra(checkpoint.extra)]) if checkpoint.extra else ""
    own = own or Checkpoint(task=Item(text=Clean("")))
    theirs, carried = by_hand.marks(own, own, away)
    found = [one for field in _FIELDS for one in page.fields(own, field, split=True)]
    kept = "\n".join([extra, *(line for one in found for line in entry_lines(one))])
    lines = max(_LEAST_LINES, MAX_LINES - kept.count("\n"))
    size = max(_LEAST_BYTES, MAX_BYTES - len(kept.encode()))
    text, closing, mine = "", "", by_hand.parts(theirs)
    still = tuple(task for task in checkpoint.tasks if task.status != "completed")
    checkpoint = replace(checkpoint, tasks=still)
    for limit, width in _SIZES:
        shown = _head(checkpoint, document, zone, width, mine)
        for section in _LAYOUT:
            shown += _section(section, checkpoint, limit, width, mine)
        text = escape("\n".join(shown).rstrip("\n") + "\n")
        closing = _closing(text, checkpoint.origin.session, carried)
        if text.count("\n") < lines and len((text + closing).encode()) <= size:
            break
    # A path or branch of thousands of letters is left: then the last lines go.
    while len((text + closing).encode()) > size:
        text = text[: text.rstrip("\n").rfind("\n") + 1]
    return Clean(text + extra + closing)


def parse(text: str) -> Draft:
    """The draft in an active context. What it left out is not in it."""
    read, _ = opened(text)
    return checkpoint_md.restore(page.draft(read), read, None)


def opened(text: str) -> tuple[page.Page, checkpoint_md.Closing | None]:
    """What stands in it, and what its closing comment says; None where nothing says which lines are
    ours: an earlier version's, or somebody else's.
    """
    above, closing = checkpoint_md.split(text)
    return page.read(unescape(_MORE.sub("", times.without_older(above)))), closing


def _closing(text: str, session: str, own: str) -> str:
    """The comment that tells our lines from the user's. It hashes what a reader finds."""
    found = opened(text)[0].found.items()
    lines = "".join(by_hand.hashed(e) for field, got in found if field not in _MADE for e in got)
    known: Checkpoint = Checkpoint(task=Item(text=Clean("")), origin=Origin(session=session))
    return f"\n{checkpoint_md.closing(known, lines, own)}\n"


def _head(
    checkpoint: Checkpoint, document: str, zone: tzinfo, width: int, own: Collection[str]
) -> list[str]:
    [task] = page.fields(checkpoint, "task")
    return [
        "# Active Context",
        "",
        f"**Updated:** {times.local(checkpoint.saved or checkpoint.created, zone) or 'unknown'}",
        *entry_lines(_clipped(task, width, own), "**Task:** ", "    "),
        *(f"**Branch:** {one.text}" for one in page.fields(checkpoint, "git")),
        *([f"**Document:** {document}"] if document else []),
        "",
    ]


def _section(
    section: tuple[int, str, Field],
    checkpoint: Checkpoint,
    limit: int,
    width: int,
    own: Collection[str],
) -> list[str]:
    _, heading, field = section
    found = page.fields(checkpoint, field, split=True)
    # In order of time: the newest is at the end.
    shown = found[-limit:] if field in {"progress", "requests"} else found[:limit]
    kept = [one for one in found if one in shown or by_hand.hashed(one) in own]
    more = [f"(+{len(found) - len(kept)} more)"] if len(found) > len(kept) else []
    lines = [line for one in kept for line in entry_lines(_clipped(one, width, own))]
    return [f"## {heading}", *lines, *more] if kept else []


def _clipped(one: Entry, width: int, own: Collection[str]) -> Entry:
    """The entry as one line of `width` characters, unless its hash is among the user's `own`."""
    if by_hand.hashed(one) in own:
        return one
    text = " ".join(one.text.split())
    if len(text) > width:
        # Between words and outside of a command in back-ticks, unless little would be left.
        head = text[:width]
        whole = head.rpartition(" ")[0]
        outside = whole.rpartition("`")[0] if whole.count("`") % 2 else whole
        cut = next((cut for cut in (outside, whole) if 3 * len(cut) > width), head)
        text = f"{cut.rstrip()} …"
    where = [word for word in one.tag if places((word,))][:2]
    words = [word for word in one.tag if not places((word,))][:4]
    why = one.note("why")
    notes = (("why", " ".join(why.split())),) if why and len(why) < width // 2 else ()
    return Entry(text=text, tag=(*words, *where), notes=notes)


def escape(text: str) -> str:
    """The text without an import."""
    return _IMPORT.sub(r"\1\\@", text)


def unescape(text: str) -> str:
    """What `escape` was given, unless somebody wrote such a backslash."""
    return _ESCAPED.sub(r"\1@", text)
