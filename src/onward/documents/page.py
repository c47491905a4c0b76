"""A snapshot as headed sections, and back: what the Markdown formats have in common.

A format is a `Layout` (which field stands under which heading)
and a few lines around it; any reader takes any layout, and any spelling of its headings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from onward.documents import entry as entries
from onward.documents import kinds
from onward.documents.entry import Entry
from onward.documents.headings import Field, field_of
from onward.documents.outline import Part, chunks, dedent, parts, split_lines, without_comments
from onward.model import Section, Snapshot, Status, T

Layout = tuple[tuple[int, str, Field], ...]
"""Level, heading and field of each section, in order."""

SINGLE: tuple[Field, ...] = ("task", "status", "plan", "next_action", "closing")
NOTHING = "None."

SHOW: dict[Field, Callable[[Any], Entry]] = {
    "status": kinds.show_status,
    "requests": kinds.show_request,
    "failures": kinds.show_failure,
    "tasks": kinds.show_task,
    "doing": kinds.show_task,
    "done_tasks": kinds.show_task,
    "runs": kinds.show_run,
    "files": kinds.show_file,
    "commands": kinds.show_command,
    "blocks": kinds.show_block,
}
"""How one entry of a field is shown; items where nothing is said."""
_OF_ITEMS = ("why", "unverified")
_NOTES: dict[Field, tuple[str, ...]] = {
    "requests": ("about", "ended", *_OF_ITEMS),
    "failures": ("error", "in"),
    "tasks": ("context", "file"),
    "doing": ("context", "file"),
    "done_tasks": ("context", "file"),
    "runs": ("summary", "error", "in"),
    "files": ("to", "why", "said", "line"),
    "blocks": ("content",),
}
_KEY = re.compile(
    r"^(?:[-*+]\s+)?(?:\*\*|__)?(?P<key>[^*:\uff1a_`]{2,40}?)(?:\*\*|__)?\s*"
    r"(?:\uff1a(?:\*\*|__)?\s*|:(?:\*\*|__)?(?:\s+|$))"
)
_PLACEHOLDER = re.compile(
    r"\W*(?:none(?: (?:yet|recorded|so far|at this time))?|n/?a|nothing|nil|tbd|无|没有)?\W*"
    r"|<[^<>\n]*>",
    re.IGNORECASE,
)
_STAMP = re.compile(
    r"^[*_]{1,3}(?:last[ -])?(?:updated|saved|modified|generated)\b.*:", re.IGNORECASE
)
_ALONE = re.compile(
    r"(?:\*\*|__)?(?P<words>\w[^*_:\n]{2,38}?)(?:\*\*|__)?[:\uff1a]?(?:\*\*|__)?\s*"
)
_UNTICKED = re.compile(r"\[[ ~-]\] ")
_AGE = re.compile(r"^(?:\*\*)?age(?:\*\*)?:", re.IGNORECASE)
"""The template's last line; the age comes from the file's own time."""
_STRUCTURE = re.compile(r"^(\s*)(\\*)(?=#|`{3}|~{3}|<|=+\s*$|-+\s*$)")


class Page(Struct, kw_only=True):
    """What a text holds: its title, entries by field, and what nobody claimed."""

    title: str
    found: dict[Field, list[Entry]]
    extra: list[Section[str]]

    def add(self, field: Field, entry: Entry) -> None:
        """Put an entry to its field. `Next: …` under a task heading is no task."""
        if not entry.tag and (_PLACEHOLDER.fullmatch(entry.text) or _STAMP.match(entry.text)):
            return
        key = None if entry.tag else _KEY.match(entry.text)
        if field == "progress" and not entry.tag and _UNTICKED.match(entry.text):
            field = "tasks"
        other = field_of(key["key"]) if key and field == "task" else None
        if key and other:
            field, entry = other, Entry(text=entry.text[key.end() :], notes=entry.notes)
        self.found.setdefault(field, []).append(entry)


# --------------------------------------------------------------------------- rendering


def fields(snapshot: Snapshot[T], field: Field, *, split: bool = False) -> list[Entry]:
    """The entries of one field. With `split`, tasks in progress stand under `doing` alone."""
    if field in ("tasks", "doing"):
        value: Any = [
            task
            for task in snapshot.tasks
            if (field == "tasks" and not split)
            or (task.status == "in_progress") == (field == "doing")
        ]
    elif field == "git":
        return _git(snapshot)
    else:
        value = getattr(snapshot, field)
    if value is None or value == Status():
        return []
    show = SHOW.get(field, kinds.show_item)
    return [show(one) for one in (value if isinstance(value, tuple | list) else (value,))]


def render(snapshot: Snapshot[T], layout: Layout) -> list[str]:
    """The sections as lines. A main heading is always there; a sub-heading only with content."""
    shown: list[str] = []
    split = any(field == "doing" for _, _, field in layout)
    for place, (level, heading, field) in enumerate(layout):
        content = fields(snapshot, field, split=split)
        if not content and level > 2:
            continue
        shown += [f"{'#' * level} {heading}", ""]
        if content:
            shown += [line for entry in content for line in entries.lines(entry)]
        elif not _has_children(snapshot, layout[place + 1 :], split=split):
            shown.append(NOTHING)
        if shown[-1]:
            shown.append("")
    return shown


def render_extra(sections: Sequence[Section[T]]) -> list[str]:
    """A user's own headings, with what stood under them."""
    shown: list[str] = []
    for section in sections:
        body = section.body.strip("\n").rstrip()
        shown += [f"## {section.heading}", ""]
        shown += [*_contained(body).split("\n"), ""] if body else []
    return shown


def _has_children(snapshot: Snapshot[T], after: Layout, *, split: bool) -> bool:
    for level, _, field in after:
        if level <= 2:
            return False
        if fields(snapshot, field, split=split):
            return True
    return False


def _git(snapshot: Snapshot[T]) -> list[Entry]:
    repo = snapshot.repo
    if repo is None:
        return []
    where = repo.branch or "detached head"
    return [Entry(text=f"{where} @ {repo.commit or 'no commit'}", tag=("observed",))]


def _contained(body: str) -> str:
    """The body as it is, unless it would break out of its section: then with backslashes."""
    probe = f"{body}\n\n## probe"
    inside = parts(probe)
    tame = (
        inside[-1].title == "probe"
        and all(part.level > 2 and _meaning(part.title)[0] is None for part in inside[1:-1])
        and "<!-- onward:" not in body
        and _released(body) == body
    )
    return body if tame else _each(body, lambda found: f"{found[1]}\\{found[2]}")


def _released(body: str) -> str:
    return _each(body, lambda found: f"{found[1]}{found[2][1:]}")


def _each(body: str, change: Callable[[re.Match[str]], str]) -> str:
    return "\n".join(_STRUCTURE.sub(change, line) for line in body.split("\n"))


# ----------------------------------------------------------------------------- reading


def read(text: str) -> Page:
    """What a Markdown text holds, whoever wrote it. Never an error: text is always a page."""
    page = Page(title="", found={}, extra=[])
    sections = parts(text)
    if not any(_meaning(part.title)[0] for part in sections):
        sections = parts(_promoted(text))
    place, parent, depth = 0, None, 0
    while place < len(sections):
        part = sections[place]
        field, rest = _meaning(part.title)
        if place == 0 or (part.level == 1 and not page.title and field is None):
            page.title = part.title or page.title
            _preamble(page, part)
            parent = None
        elif field:
            if rest:
                page.add(field, entries.read([rest], _NOTES.get(field, ("why",))))
            _section(page, field, part.body)
            parent, depth = field, part.level
        elif parent and part.level > depth and _is_list(part.body):
            _section(page, parent, part.body, f"{part.title.rstrip(':')}: ")
        else:
            place = _foreign(page, sections, place)
            parent = None
        place += 1
    return page


def _promoted(text: str) -> str:
    """The text with headings made of lines such as `**Progress:**` or `NEXT ACTION`."""
    lines = split_lines(text)
    for place, line in enumerate(lines):
        alone = _ALONE.fullmatch(line)
        if alone and field_of(alone["words"]):
            lines[place] = f"## {alone['words']}"
    return "\n".join(lines)


def entries_of(field: Field, text: str) -> list[Entry]:
    """The entries in the text of one section, without its heading."""
    page = Page(title="", found={}, extra=[])
    _section(page, field, split_lines(text))
    return page.found.get(field, [])


def _meaning(title: str) -> tuple[Field | None, str]:
    """The field of a heading, and what follows in it (`## Next: run pytest`)."""
    field = field_of(title)
    if field:
        return field, ""
    key, colon, rest = title.partition(":")
    field = field_of(key) if colon else None
    return field, rest.strip() if field else ""


def _section(page: Page, field: Field, body: Sequence[str], prefix: str = "") -> None:
    # The age line ends a file of ours: what a user put below it belongs to no section.
    last = next((n for n, line in enumerate(body) if _AGE.match(line)), len(body))
    for part, meant in ((body[:last], field), (body[last + 1 :], "context")):
        keys = _NOTES.get(meant, _OF_ITEMS)
        for chunk in chunks(part):
            first, *rest = chunk.lines
            page.add(meant, entries.read([prefix + first, *rest], keys))


def _is_list(body: Sequence[str]) -> bool:
    found = chunks(body)
    return bool(found) and all(chunk.listed for chunk in found)


def _foreign(page: Page, sections: Sequence[Part], place: int) -> int:
    """Keep a heading that is not ours with all below it; return the last part it took."""
    part, last = sections[place], place
    below = place + 1
    while below < len(sections) and sections[below].level > part.level:
        if _meaning(sections[below].title)[0]:
            break
        below += 1
    else:
        last = below - 1
    lines = list(part.body)
    for inner in sections[place + 1 : last + 1]:
        lines += [f"{'#' * inner.level} {inner.title}", *inner.body]
    body = "\n".join(lines).strip("\n").rstrip()
    page.extra.append(Section(heading=part.title, body=_released(body)))
    return last


def _preamble(page: Page, part: Part) -> None:
    """`**Task:** …` lines before the first section; a continuation is indented by four."""
    left: list[str] = []
    open_field: Field | None = None
    value: list[str] = []
    for line in [*part.body, "end"]:
        if open_field and (line.startswith("    ") or not line.strip()):
            value.append(dedent(line, 4))
            continue
        if open_field:
            page.add(open_field, entries.read(_stripped(value), _NOTES.get(open_field, _OF_ITEMS)))
        key = _KEY.match(line)
        open_field = field_of(key["key"]) if key else None
        if open_field == "status" and not line.rstrip().endswith("]"):
            open_field = None  # somebody's own word for it, not how a session stood
        value = [line[key.end() :]] if key else []
        if not open_field:
            left.append(line)
    body = without_comments("\n".join(left[:-1])).strip("\n").rstrip()
    if re.search(r"\w", body):
        page.extra.append(Section(heading="Preamble", body=body))


def _stripped(value: list[str]) -> list[str]:
    while len(value) > 1 and not value[-1].strip():
        value.pop()
    return value
