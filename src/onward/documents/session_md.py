"""`session-YYYY-MM-DD-HHMM.md`: the full document of a session, under its own headings.

It holds what a checkpoint holds, closing comment included; front
matter fields that are not ours are kept as a section of their own, `Front matter`.
"""

from __future__ import annotations

from datetime import UTC, tzinfo

from msgspec import Struct
from msgspec.structs import replace

from onward.documents import checkpoint_md, front_matter, page, times, trailer
from onward.documents.outline import split_lines
from onward.documents.page import Layout
from onward.model import Checkpoint, Clean, Draft, RepoState, Section, Snapshot, T

LAYOUT: Layout = (
    (2, "Summary", "task"),
    (3, "Status", "status"),
    (3, "Requests", "requests"),
    (3, "Plan", "plan"),
    (3, "Last Words", "closing"),
    (2, "Completed", "progress"),
    (2, "In Progress", "doing"),
    (3, "Runs", "runs"),
    (3, "Last Steps", "trail"),
    (2, "Tasks", "tasks"),
    (2, "Next Steps", "next_action"),
    (2, "Decisions", "decisions"),
    (3, "Constraints", "constraints"),
    (2, "Blockers", "blockers"),
    (3, "Repeated Failures", "failures"),
    (2, "Failed Approaches", "dead_ends"),
    (2, "Files", "files"),
    (2, "Commands", "commands"),
    (3, "Running in the Background", "background"),
    (2, "Context", "context"),
    (3, "Context Blocks", "blocks"),
    (3, "Git", "git"),
)
KEPT = "Front matter"
_DERIVED = ("date", "project", "status", "branch")


class Matter(Struct, frozen=True, kw_only=True):
    """The front matter of a session document, for lists. "" where a field is missing."""

    date: str = ""
    project: str = ""
    status: str = ""
    tags: tuple[str, ...] = ()
    previous_session: str = ""
    branch: str = ""


def render(
    checkpoint: Checkpoint,
    matter: Matter | None = None,
    *,
    path: str = "",
    zone: tzinfo = UTC,
    marks: tuple[str, str] = ("", ""),
) -> Clean:
    """The checkpoint as a session document. Of `matter`, which must be clean, project, tags and
    previous session are taken; `path` is where it will stand, and `marks` tell the user's later
    words from ours.
    """
    given = matter or Matter()
    own = [
        section
        for section in checkpoint.extra
        if section.heading == KEPT and front_matter.load(section.body)
    ]
    fields: dict[str, object] = {
        "date": times.local(checkpoint.created or checkpoint.saved, zone) or None,
        "project": given.project or None,
        "status": status(checkpoint),
        "tags": list(given.tags),
        "previous_session": given.previous_session or None,
        "branch": checkpoint.repo.branch if checkpoint.repo else None,
    }
    for section in own:
        fields |= front_matter.load(section.body)
    shown = [
        "---",
        front_matter.dump(fields).rstrip("\n"),
        "---",
        "",
        f"# Session: {checkpoint.name}".rstrip(": "),
        "",
        *page.render(checkpoint, LAYOUT),
        *page.render_extra([section for section in checkpoint.extra if section not in own]),
        "## Resume",
        "",
        *_resume(path),
        "",
        trailer.render(checkpoint, *marks),
    ]
    return Clean("\n".join(shown) + "\n")


def parse(text: str) -> Draft:
    """The draft in a session document, ours or anybody's. Never an error."""
    read, closing = opened(text)
    fields = _fields(text)
    draft = checkpoint_md.title(page.draft(read), read)
    branch = fields.get("branch")
    if draft.repo is None and isinstance(branch, str):
        draft = replace(draft, repo=RepoState(root="", branch=branch))
    date = str(fields.get("date") or "") or checkpoint_md.shown_time(read)
    return checkpoint_md.restore(draft, closing, date)


def opened(text: str) -> tuple[page.Page, trailer.Trailer | None]:
    """What stands in a document, and what its closing comment says. What is not ours of the front
    matter, a status that was set by hand among it, is a section of its own.
    """
    above, closing = trailer.split("\n".join(split_lines(text)))
    source, body = front_matter.split(above)
    fields = front_matter.load(source)
    read = page.read(body)
    kept = {key: value for key, value in fields.items() if key not in _DERIVED and value}
    known = fields.get("status")
    if closing and known and known != status(page.draft(read)):
        kept = {"status": known, **kept}
    broken = source.strip() if source.strip() and not fields else ""
    if kept or broken:
        own = front_matter.dump(kept) if kept else broken
        read.extra.append(Section(heading=KEPT, body=own.strip()))
    return read, closing


def _fields(text: str) -> dict[str, object]:
    return front_matter.load(front_matter.split("\n".join(split_lines(text)))[0])


def matter_of(text: str) -> Matter:
    """What a list shows of a document, without reading the rest of it."""
    fields = _fields(text)
    tags = fields.get("tags")
    return Matter(
        date=str(fields.get("date") or ""),
        project=str(fields.get("project") or ""),
        status=str(fields.get("status") or ""),
        tags=tuple(str(tag) for tag in tags) if isinstance(tags, list) else (),
        previous_session=str(fields.get("previous_session") or ""),
        branch=str(fields.get("branch") or ""),
    )


def status(snapshot: Snapshot[T]) -> str:
    """`blocked`, `in-progress`, or `completed` where nothing is open."""
    if snapshot.blockers:
        return "blocked"
    still = snapshot.next_action or any(task.status != "completed" for task in snapshot.tasks)
    return "in-progress" if still else "completed"


def _resume(path: str) -> list[str]:
    where = path or "this file"
    return [
        f"In a new session: `/resume-from {where}`, or `/resume-latest` for the newest one.",
        f"From a shell: `onward resume {where}`."
        if path
        else "From a shell: `onward document list`.",
    ]
