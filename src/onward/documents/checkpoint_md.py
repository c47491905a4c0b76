"""`memory/checkpoints/<name>.md`: the document's headings, our richer fields below them.

The law is `parse(render(c)) == c`, up to blanks at both ends of
a text; the file's own page is docs/formats/checkpoint.md.
"""

from __future__ import annotations

import re
from datetime import UTC, tzinfo

from msgspec.structs import replace

from onward.documents import page, times, trailer
from onward.documents.kinds import ITEMS
from onward.documents.markdown import entry_lines, split_lines
from onward.documents.page import Layout
from onward.model import Checkpoint, Clean, Draft, Item, RepoState

LAYOUT: Layout = (
    (2, "Progress", "progress"),
    (3, "Tasks", "tasks"),
    (3, "Runs", "runs"),
    (3, "Last Steps", "trail"),
    (2, "Next Action", "next_action"),
    (2, "Blockers", "blockers"),
    (3, "Repeated Failures", "failures"),
    (2, "Key Decisions", "decisions"),
    (3, "Constraints", "constraints"),
    (2, "Relevant Context", "context"),
    (3, "Requests", "requests"),
    (3, "Plan", "plan"),
    (3, "Files", "files"),
    (3, "Commands", "commands"),
    (3, "Running in the Background", "background"),
    (3, "Dead Ends", "dead_ends"),
    (3, "Last Words", "closing"),
    (3, "Context Blocks", "blocks"),
    (3, "Git", "git"),
)

AGE = "**Age:** Derived from file mtime at resume time (shown automatically by `onward list`)"
"""The last line of the document's template, which every reader passes over."""

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
        trailer.render(checkpoint, *marks),
    ]
    return Clean("\n".join(shown) + "\n")


def body(checkpoint: Checkpoint) -> list[str]:
    """Task, status and sections as lines: what the file says of the session."""
    task = entry_lines(ITEMS.show(checkpoint.task), bullet="**Task:** ", indent="    ")
    status = [
        line
        for one in page.fields(checkpoint, "status")
        for line in entry_lines(one, bullet="**Status:** ", indent="    ")
    ]
    return [*task, *status, "", *page.render(checkpoint, LAYOUT)]


def parse(text: str) -> Draft:
    """The draft in any checkpoint file, never an error; the text wins over the closing comment."""
    read, closing = opened(text)
    return restore(title(page.draft(read), read), closing, shown_time(read))


def opened(text: str) -> tuple[page.Page, trailer.Trailer | None]:
    """What stands in a checkpoint file, and what its closing comment says."""
    above, closing = trailer.split(both_sides("\n".join(split_lines(text))))
    return page.read(above), closing


def both_sides(text: str) -> str:
    """A file that git left in conflict says what both sides say, and line numbers stay."""
    conflict = all(re.search(f"^{sign} ", text, re.MULTILINE) for sign in ("<{7}", ">{7}"))
    return _CONFLICT.sub("", text) if conflict else text


def title(draft: Draft, read: page.Page) -> Draft:
    """The draft with the name that the page's title holds; a foreign title may be the task."""
    named = _TITLE.match(read.title)
    name = read.title[named.end() :] if named else ""
    if re.fullmatch("<[^<>]*>", name):  # the template's own
        name = ""
    if draft.task.text or read.found.get("task"):
        return replace(draft, name=name)
    return replace(draft, name=name, task=Item(text=name if named else read.title))


def shown_time(read: page.Page) -> str:
    """The visible time of the save, as it stands in the file; "" where there is none."""
    return next((line.text for line in read.found.get("created", [])), "")


def restore(draft: Draft, closing: trailer.Trailer | None, shown: str) -> Draft:
    """The draft with what the closing comment holds; `shown` is the visible time of the save."""
    at = times.moment(shown)
    visible = times.utc(at) if at else ""
    if closing is None:
        return replace(draft, saved=visible, created=visible)
    created, saved = closing.created, closing.saved
    if visible and times.local(created or saved) != times.local(visible):
        created = visible
    return replace(
        draft,
        saved=saved,
        created=created,
        origin=closing.origin,
        repo=_repo(draft.repo, closing.repo),
        files=trailer.mark(draft.files, closing),
    )


def _repo(shown: RepoState[str] | None, kept: RepoState[str] | None) -> RepoState[str] | None:
    """The kept git state, unless a user wrote another branch or commit above it."""
    if kept is None or shown is None:
        return kept or shown
    same = kept.branch == shown.branch and kept.commit == shown.commit
    return kept if same else replace(kept, branch=shown.branch, commit=shown.commit)
