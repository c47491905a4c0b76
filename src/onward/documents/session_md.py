"""`session-YYYY-MM-DD-HHMM.md`: the full document of a session, under its own headings.

It holds what a checkpoint holds, closing comment included; front
matter fields that are not ours are kept as a section of their own, `Front matter`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, tzinfo
from io import StringIO
from typing import Any

from onward.documents import checkpoint_md, page, times
from onward.documents.kinds import Entry
from onward.documents.markdown import split_lines
from onward.model import Checkpoint, Clean, Draft, Section, Snapshot, T

LAYOUT = page.layout(
    {
        "task": ("status", "requests", "plan", "closing"),
        "progress": (),
        "doing": ("runs", "trail"),
        "tasks": ("checklists",),
        "next_action": (),
        "decisions": ("constraints",),
        "blockers": ("failures",),
        "dead_ends": (),
        "files": (),
        "commands": ("background",),
        "context": ("blocks", "git"),
    },
    task="Summary",
    progress="Completed",
    next_action="Next Steps",
    decisions="Decisions",
    dead_ends="Failed Approaches",
    context="Context",
)
KEPT = "Front matter"
_BLOCK = re.compile(
    r"\A---[ \t]*\n(.*?)(?:^)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_DERIVED = ("date", "project", "status", "branch")


def render(
    checkpoint: Checkpoint,
    *,
    matter: Mapping[str, object] | None = None,
    path: str = "",
    zone: tzinfo = UTC,
    marks: tuple[str, str] = ("", ""),
) -> Clean:
    """The checkpoint as a session document. `matter` gives `project`, `tags` and `previous_session`,
    which must be clean; `path` is where it will stand, and `marks` tell the user's later words from ours.
    """
    given = matter or {}
    own = [
        section for section in checkpoint.extra if section.heading == KEPT and _load(section.body)
    ]
    fields: dict[str, object] = {
        "date": times.local(checkpoint.created or checkpoint.saved, zone) or None,
        "project": given.get("project") or None,
        "status": status(checkpoint),
        "tags": given.get("tags") or [],
        "previous_session": given.get("previous_session") or None,
        "branch": checkpoint.repo.branch if checkpoint.repo else None,
    }
    for section in own:
        fields |= _load(section.body)
    where = path or "this file"
    shown = [
        "---",
        _dump(fields).rstrip("\n"),
        "---",
        "",
        f"# Session: {checkpoint.name}".rstrip(": "),
        "",
        *page.render(checkpoint, LAYOUT),
        *page.render_extra([section for section in checkpoint.extra if section not in own]),
        "## Resume",
        "",
        f"In a new session: `/resume-from {where}`, or `/resume-latest` for the newest one.",
        f"From a shell: `onward {f'resume {path}' if path else 'document list'}`.",
        "",
        checkpoint_md.closing(checkpoint, *marks),
    ]
    return Clean("\n".join(shown) + "\n")


def parse(text: str) -> Draft:
    """The draft in a session document, ours or anybody's. Never an error."""
    return checkpoint_md.parse(text, opened)


def opened(text: str) -> tuple[page.Page, checkpoint_md.Closing | None]:
    """What stands in a document, its date and branch too, and what its closing comment says. What is
    not ours of the front matter, a status that was set by hand among it, is a section of its own.
    """
    above, closing = checkpoint_md.split(text)
    source, body = _split_matter(above)
    fields = _load(source)
    read = page.read(body)
    kept = {key: value for key, value in fields.items() if key not in _DERIVED and value}
    known = fields.get("status")
    if closing and known and known != status(page.draft(read)):
        kept = {"status": known, **kept}
    broken = source.strip() if source.strip() and not fields else ""
    if kept or broken:
        own = _dump(kept) if kept else broken
        read.extra.append(Section(heading=KEPT, body=own.strip()))
    if date := fields.get("date"):
        read.found["created"] = [Entry(text=str(date))]
    if isinstance(branch := fields.get("branch"), str):
        read.branch = branch
    return read, closing


def front_matter(text: str) -> dict[str, Any]:
    """Its fields, of whatever type; {} where there are none that can be read."""
    return _load(_split_matter("\n".join(split_lines(text)))[0])


def status(snapshot: Snapshot[T]) -> str:
    """`blocked`, `in-progress`, or `completed` where nothing is open."""
    if snapshot.blockers:
        return "blocked"
    still = snapshot.next_action or any(task.status != "completed" for task in snapshot.tasks)
    return "in-progress" if still else "completed"


# ------------------------------------------------------------------------ front matter


def _yaml() -> Any:
    """A reader and writer of fields in their order, one line a field where it is one value."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - dear, and most of what is read has no such block

    yaml: Any = YAML(typ="safe", pure=True)
    yaml.default_flow_style, yaml.width = None, 10_000
    yaml.sort_base_mapping_type_on_output, yaml.allow_unicode = False, True
    return yaml


def _split_matter(text: str) -> tuple[str, str]:
    """The YAML between the rules, and the rest; "" where there is no such block."""
    found = _BLOCK.match(text)
    return (found[1], text[found.end() :]) if found else ("", text)


def _load(source: str) -> dict[str, Any]:
    """The fields of a block; {} where it is no mapping or no YAML."""
    if not source.strip():
        return {}
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415 - as above

    try:
        value = _yaml().load(source)
    except (YAMLError, ValueError, RecursionError):
        # ValueError: `2026-02-31` has the shape of a date and is none.
        return {}
    return {str(key): content for key, content in value.items()} if isinstance(value, dict) else {}


def _dump(fields: Mapping[str, object]) -> str:
    out = StringIO()
    _yaml().dump(dict(fields), out)
    return out.getvalue()
