"""A snapshot as headed sections, and back: what the Markdown formats have in common.

A format is a `Layout` (which field stands under which heading)
and a few lines around it; any reader takes any layout, and any spelling of its headings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct, structs

from onward.documents import kinds
from onward.documents.headings import HEADINGS, Field, field_of
from onward.documents.kinds import Entry, entry_lines, read_entry
from onward.documents.markdown import Part, chunks, dedent, parts, split_lines, without_comments
from onward.model import Draft, Item, RepoState, Section, Snapshot, Status, T

Layout = tuple[tuple[int, str, Field], ...]  # level, heading and field of each section, in order
NOTHING = "None."

_KEY = re.compile(
    r"^(?:[-*+]\s+)?(?:\*\*|__)?(?P<key>[^*:\uff1a_`]{2,40}?)(?:\*\*|__)?\s*"
    r"(?:\uff1a(?:\*\*|__)?\s*|:(?:\*\*|__)?(?:\s+|$))"
)
NO_TASK = "none recorded"
"""What stands for the task of a session that never said one."""
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
_ONE_LINE = 160  # characters of a paragraph that is one sentence, only wrapped
_SENTENCE = re.compile(r"[.!?。！？]\s*$")  # noqa: RUF001 - people type it
_LIST = re.compile(r"^\s*[-*+•\[|>#\d]", re.MULTILINE)
_GIT = re.compile(r"(?P<branch>.*)\s(?:@|at\b)\s*`?(?P<commit>[0-9a-f]{7,40}|no commit)\b")
_STRUCTURE = re.compile(r"^([^\S\n]*)(\\*)(?=#|`{3}|~{3}|<|=+[^\S\n]*$|-+[^\S\n]*$)", re.MULTILINE)
DETACHED, NO_COMMIT = "detached head", "no commit"


class Page(Struct, kw_only=True):
    """What a text holds: its title, entries by field, and what nobody claimed."""

    title: str = ""
    found: dict[Field, list[Entry]] = {}
    extra: list[Section[str]] = []
    branch: str | None = None
    """That of the front matter, for a page whose text names none."""

    def add(self, field: Field, lines: Sequence[str]) -> None:
        """Put the entry in some lines to its field. `Next: …` under a task heading is no task."""
        # Untagged lines about the status are items.
        entry = read_entry(lines, kinds.KINDS.get(field, kinds.ITEMS).notes or kinds.ITEMS.notes)
        if not entry.tag and (_PLACEHOLDER.fullmatch(entry.text) or _STAMP.match(entry.text)):
            if field != "task" or entry.text != NO_TASK:
                return
            entry = Entry(text="")
        key = None if entry.tag else _KEY.match(entry.text)
        if field == "progress" and not entry.tag and _UNTICKED.match(entry.text):
            field = "tasks"
        other = field_of(key["key"]) if key and field == "task" else None
        if key and other:
            field, entry = other, Entry(text=entry.text[key.end() :], notes=entry.notes)
        self.found.setdefault(field, []).append(entry)

    def section(self, field: Field, body: Sequence[str], prefix: str = "") -> None:
        """Put what stands under a heading to its field."""
        # The age line ends a file of ours: what a user put below it belongs to no section.
        last = next((n for n, line in enumerate(body) if _AGE.match(line)), len(body))
        for part, meant in ((body[:last], field), (body[last + 1 :], "context")):
            for chunk in chunks(part):
                first, *rest = chunk.lines
                self.add(meant, [prefix + first, *rest])


# --------------------------------------------------------------------------- rendering


def layout(sections: Mapping[Field, Sequence[Field]], **named: str) -> Layout:
    """The main fields of a format, and those below each, with their headings; `named` are those that
    the format calls otherwise than the checkpoint file.
    """
    return tuple(
        (level, named.get(field, HEADINGS[field]), field)
        for main, below in sections.items()
        for level, field in ((2, main), *((3, each) for each in below))
    )


def fields(snapshot: Snapshot[T], field: Field, *, split: bool = False) -> list[Entry]:
    """The entries of one field. With `split`, tasks in progress stand under `doing` alone."""
    if field == "git":
        repo = snapshot.repo
        where = f"{repo.branch or DETACHED} @ {repo.commit or NO_COMMIT}" if repo else ""
        return [Entry(text=where, tag=("observed",))] if repo else []
    if field == "task" and snapshot.task == Item(text=""):
        return [Entry(text=NO_TASK)]
    value: Any = snapshot.tasks if field == "doing" else getattr(snapshot, field)
    if field == "doing" or (field == "tasks" and split):
        value = [task for task in value if (task.status == "in_progress") == (field == "doing")]
    if value is None or value == Status():
        return []
    show = kinds.KINDS[field].show
    return [show(one) for one in (value if isinstance(value, tuple | list) else (value,))]


def render(snapshot: Snapshot[T], layout: Layout) -> list[str]:
    """The sections as lines. A main heading is always there; a sub-heading only with content."""
    shown: list[str] = []
    split = any(field == "doing" for _, _, field in layout)
    contents = [fields(snapshot, field, split=split) for _, _, field in layout]
    for place, (level, heading, _) in enumerate(layout):
        content = contents[place]
        if not content and level > 2:
            continue
        shown += [f"{'#' * level} {heading}", ""]
        below = takewhile(lambda n: layout[n][0] > 2, range(place + 1, len(layout)))
        if content:
            shown += [line for entry in content for line in entry_lines(entry)]
        elif not any(contents[n] for n in below):
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


def _contained(body: str) -> str:
    """The body as it is, unless it would break out of its section: then with backslashes."""
    inside = parts(f"{body}\n\n## probe")
    tame = (
        inside[-1].title == "probe"
        and all(part.level > 2 and _meaning(part.title)[0] is None for part in inside[1:-1])
        and "<!-- onward:" not in body
        and _released(body) == body
    )
    return body if tame else _STRUCTURE.sub(r"\1\\\2", body)


def _released(body: str) -> str:
    return _STRUCTURE.sub(lambda found: f"{found[1]}{found[2][1:]}", body)


# ----------------------------------------------------------------------------- reading


def read(text: str) -> Page:
    """What a Markdown text holds, whoever wrote it. Never an error: text is always a page."""
    page = Page()
    sections = parts(text)
    if not any(_meaning(part.title)[0] for part in sections):
        # Then lines such as `**Progress:**` or `NEXT ACTION` are headings.
        lines = split_lines(text)
        alone = (_ALONE.fullmatch(line) for line in lines)
        words = (found["words"] if found and field_of(found["words"]) else "" for found in alone)
        promoted = (f"## {w}" if w else line for w, line in zip(words, lines, strict=True))
        sections = parts("\n".join(promoted))
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
                page.add(field, [rest])
            page.section(field, part.body)
            parent, depth = field, part.level
        elif parent and part.level > depth and {c.listed for c in chunks(part.body)} == {True}:
            page.section(parent, part.body, f"{part.title.rstrip(':')}: ")
        else:
            place = _foreign(page, sections, place)
            parent = None
        place += 1
    return page


def _meaning(title: str) -> tuple[Field | None, str]:
    """The field of a heading, and what follows in it (`## Next: run pytest`)."""
    field = field_of(title)
    if field:
        return field, ""
    key, colon, rest = title.partition(":")
    field = field_of(key) if colon else None
    return field, rest.strip() if field else ""


def _foreign(page: Page, sections: Sequence[Part], place: int) -> int:
    """Keep a heading that is not ours with all below it, unless one of ours is among that; return
    the last part it took.
    """
    part = sections[place]
    inner = list(takewhile(lambda below: below.level > part.level, sections[place + 1 :]))
    if any(_meaning(below.title)[0] for below in inner):
        inner = []
    lines = list(part.body)
    for below in inner:
        lines += [f"{'#' * below.level} {below.title}", *below.body]
    body = "\n".join(lines).strip("\n").rstrip()
    page.extra.append(Section(heading=part.title, body=_released(body)))
    return place + len(inner)


def _preamble(page: Page, part: Part) -> None:
    """`**Task:** …` lines before the first section; a continuation is indented by four."""
    left: list[str] = []
    values: list[tuple[Field, list[str]]] = []
    is_open = False
    for line in part.body:
        if is_open and (line.startswith("    ") or not line.strip()):
            values[-1][1].append(dedent(line, 4))
            continue
        key = _KEY.match(line)
        field = field_of(key["key"]) if key else None
        if field == "status" and not line.rstrip().endswith("]"):
            field = None  # somebody's own word for it, not how a session stood
        if is_open := key is not None and field is not None:
            values.append((field, [line[key.end() :]]))
        else:
            left.append(line)
    for field, value in values:
        page.add(field, "\n".join(value).rstrip().split("\n"))
    body = without_comments("\n".join(left)).strip("\n").rstrip()
    if re.search(r"\w", body):
        page.extra.append(Section(heading="Preamble", body=body))


# ---------------------------------------------------------------------------- drafts


def draft(page: Page) -> Draft:
    """The text of a page as a draft: no times, origin, sizes or hashes."""
    found = page.found
    below = below_git(page)
    task, more = _task(found.get("task", []))
    read: dict[str, Any] = {}
    for field in kinds.BY_HAND:
        read[field] = values = _of(page, field)
        if kinds.KINDS[field].is_single:
            # Someone else's steps under "Next" are one text of several lines.
            text = "\n".join(item.text for item in values)
            read[field] = structs.replace(values[0], text=text) if values else None
    asked = {request.text for request in read["requests"]}
    goals = (each for each in _of(page, "goal") if each.text not in asked)
    read["requests"] = (*goals, *read["requests"])  # the goal of an earlier version was the first
    told = [entry for entry in found.get("status", ()) if not entry.tag]
    read["context"] += (*more, *_of(page, "deferred"), *map(kinds.ITEMS.read, (*told, *below)))
    tasks = (*_of(page, "doing"), *read["tasks"], *_of(page, "done_tasks"))
    read |= {"task": task, "tasks": tasks}
    tagged = (entry for entry in found.get("status", ()) if entry.tag)
    status: Status[str] = next(map(kinds.KINDS["status"].read, tagged), Status())
    repo = _repo([entry for entry in found.get("git", ()) if entry not in below])
    if repo is None and page.branch is not None:
        repo = RepoState(root="", branch=page.branch)
    return Draft(status=status, repo=repo, extra=tuple(page.extra), **read)


def _of(page: Page, field: Field) -> tuple[Any, ...]:
    return tuple(map(kinds.KINDS[field].read, page.found.get(field, ())))


def below_git(page: Page) -> list[Entry]:
    """What a user put below our line about git, which is the last one of the file."""
    first, *rest = page.found.get("git") or [Entry(text="")]
    return [entry for entry in rest if not entry.tag] if first.tag else []


def _task(entries: Sequence[Entry]) -> tuple[Item[str], tuple[Item[str], ...]]:
    """What the work is, in one line where someone else wrote a summary; the rest is context."""
    if not entries:
        return Item(text=""), ()
    first, *more = map(kinds.ITEMS.read, entries)
    rest = tuple(more)
    if entries[0].tag or "\n" not in first.text:
        return first, rest
    wrapped = " ".join(first.text.split())
    top, _, below = first.text.partition("\n")
    if len(wrapped) <= _ONE_LINE and not _LIST.search(first.text) and not _SENTENCE.search(top):
        return Item(text=wrapped, why=first.why), rest
    return Item(text=top, why=first.why), (Item(text=below.strip()), *rest)


def _repo(entries: Sequence[Entry]) -> RepoState[str] | None:
    text = " ".join(re.sub(r"^branch:?\s+", "", entry.text) for entry in entries)
    found = _GIT.match(text)
    if found is None:
        return RepoState(root="", branch=text.strip("` ")) if re.fullmatch(r"\S+", text) else None
    branch = found["branch"].strip("`* ")
    commit = "" if found["commit"] == NO_COMMIT else found["commit"]
    return RepoState(root="", branch=None if branch == DETACHED else branch, commit=commit)
