"""The fields of a snapshot in a document: how each of their entries is shown in lines, and read back.

    - Wrote src/auth.py lines 45-120 [observed t:541 c:9f5a3c7]
      a second line of the same text
      why: the login had no server side

The tag ends the first line and holds no free text: who vouches for it (`asked`, `observed`, `claimed`),
then places and the like. Whatever the words are (headings, fences, bullets), indentation keeps them
inside their list item. What is read is always `str`: a user may have edited it. All that is known of a
field's lines stands in the table below: which words its tag may hold, and which notes it has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple, get_args

from msgspec import Struct
from msgspec.structs import FieldInfo, replace
from msgspec.structs import fields as fields_of

from onward import evidence
from onward.documents.headings import Field
from onward.documents.markdown import folded
from onward.model import (
    Anchor,
    Block,
    Checklist,
    Draft,
    Evidence,
    Failure,
    FileFact,
    Item,
    Request,
    Run,
    Status,
    StatusKind,
    Task,
    TaskStatus,
)  # fmt: skip

_NOTE_KEYS = {"reason": "why", "rationale": "why", "because": "why", "理由": "why", "原因": "why"}


class Entry(NamedTuple):
    """One line taken apart. `tag` is empty where the line had none (someone else wrote it)."""

    text: str
    tag: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()

    def note(self, key: str) -> str | None:
        """The first note of that name, or None."""
        return next((text for name, text in self.notes if name == key), None)

    def tagged(self, prefix: str) -> str:
        """What stands after `key:` or a sign in the tag, or ""."""
        return next((w.removeprefix(prefix) for w in self.tag if w.startswith(prefix)), "")


def entry_lines(entry: Entry, bullet: str = "- ", indent: str = "  ") -> list[str]:
    """The entry as Markdown lines. Blanks at both ends of a text are not kept."""
    first, *rest = map(evidence.quote, entry.text.strip().split("\n"))
    tag = f"[{' '.join(entry.tag)}]" if entry.tag else ""
    head = bullet + (f"{first} {tag}" if first and tag else first or tag)
    # A further line that reads like one of our notes gets a backslash.
    told = ("\\" + line if _NOTE.match(line.lstrip("\\")) else line for line in rest)
    shown = [head, *(_indented(line, indent) for line in told)]
    for key, text in entry.notes:
        top, *more = map(evidence.quote, text.strip().split("\n"))
        shown.append(f"{indent}{key}: {top}" if top else f"{indent}{key}:")
        shown += [_indented(line, indent + "  ") for line in more]
    return shown


def _indented(line: str, indent: str) -> str:
    return indent + line if line else ""


def read_entry(raw: Sequence[str], keys: Iterable[str] = ("why",)) -> Entry:
    """Lines (bullet and indentation taken off) as an entry; `keys` are the notes to look for."""
    tagged = _tag(raw[0].rstrip()) if raw else None
    first = raw[0][: tagged.start()] if tagged else "".join(raw[:1])
    text, notes = [evidence.unquote(first)], list[tuple[str, list[str]]]()
    for line in raw[1:]:
        start = _NOTE.match(line)
        key = start[1].casefold() if start else ""
        key = _NOTE_KEYS.get(key, key)
        if start and key.split(" ")[0] in keys:
            notes.append((key, [evidence.unquote(line[start.end() :])]))
        elif notes:
            notes[-1][1].append(evidence.unquote(line.removeprefix("  ")))
        else:
            escaped = line.startswith("\\") and _NOTE.match(line.lstrip("\\"))
            text.append(evidence.unquote(line[1:] if escaped else line))
    return Entry(
        text="\n".join(text).strip(),
        tag=tuple(tagged[1].split(" ")) if tagged else (),
        notes=tuple((key, "\n".join(words).strip()) for key, words in notes),
    )


def _tag(line: str) -> re.Match[str] | None:
    """The tag that ends the line, if each of its words is one of the table."""
    found = _TAG.search(line)
    words = found[1].split(" ")[1:] if found else ()
    return found if all(map(_TAG_WORD.fullmatch, words)) else None


# ----------------------------------------------------------------------- words of the tag


class Word(NamedTuple):
    """How an attribute stands in the tag: the words that show it ("" for none), how its value is
    read back, and the pattern of such a word.
    """

    show: Callable[[Any], str]
    read: Callable[[Entry], Any]
    pattern: str


def one_of(kind: Any, words: Sequence[str | None], otherwise: Any = None) -> Any:
    """The first value of a `Literal` that is among the words."""
    return next((value for value in get_args(kind) if value in words), otherwise)


def places(tag: Sequence[str]) -> tuple[str, ...]:
    """The places among the words of a tag."""
    return tuple(word for word in tag if word.startswith(("t:", "c:")))


def _task_word(name: str) -> str:
    return name if re.fullmatch(r"TASK_\w+", name) or not name else f"id:{name}"


def _task_ids(entry: Entry) -> tuple[str, ...]:
    ids = (word for word in entry.tag if word.startswith(("TASK_", "id:")))
    return tuple(word.removeprefix("id:") for word in ids)


def _spans(entry: Entry) -> tuple[tuple[int, int], ...]:
    found = (re.fullmatch(r"L(\d{1,9})-(\d{1,9})", word) for word in entry.tag)
    return tuple((int(span[1]), int(span[2])) for span in found if span)


def _number(word: str) -> int:
    """A number in a tag; 0 where it is none, or too long to be meant."""
    return int(word) if word.isdecimal() and len(word) < 10 else 0


_VALUE = r"[^\s\[\]]+"
_ID = rf"TASK_\w+|id:{_VALUE}"
_OWN = {
    "places": Word(
        lambda each: " ".join(each.places), lambda entry: places(entry.tag), rf"[tc]:{_VALUE}"
    ),
    "id": Word(lambda task: _task_word(task.id), lambda entry: (*_task_ids(entry), "")[0], _ID),
    "related_tasks": Word(
        lambda block: " ".join(map(_task_word, block.related_tasks)), _task_ids, _ID
    ),
    "spans": Word(lambda file: " ".join(f"L{a}-{b}" for a, b in file.spans), _spans, r"L\d+-\d+"),
    "consolidated": Word(
        lambda task: f"consolidated:{task.consolidated_count}" * task.consolidated,
        lambda entry: entry.tagged("consolidated:") != "",
        f"consolidated:{_VALUE}",
    ),
    "consolidated_count": Word(
        lambda _: "", lambda entry: _number(entry.tagged("consolidated:")), f"consolidated:{_VALUE}"
    ),
}
"""Those that are more than a key and a value."""


def _word(field: FieldInfo, key: str, otherwise: str) -> Word:
    """A key and a value (`at:…`, `+12`), left out where it is the default; of what is only true or
    false the key alone. Without a key, a word of a closed set, which is `otherwise` (or the default)
    where the tag has none of them.
    """
    name, default = field.name, field.default
    values = next(filter(None, map(get_args, get_args(field.type))), get_args(field.type))
    if field.type is bool:
        return Word(lambda each: key * getattr(each, name), lambda entry: key in entry.tag, key)
    if not key:
        return Word(
            lambda each: getattr(each, name) or "",
            lambda entry: next((v for v in values if v in entry.tag), otherwise or default),
            "|".join(values),
        )

    def show(each: Any) -> str:
        value = getattr(each, name)
        return "" if value == default else f"{key}{value}"

    def read(entry: Entry) -> Any:
        said = entry.tagged(key)
        if field.type is int:
            return _number(said)
        return said if not values or said in values else default

    return Word(show, read, rf"[{key}]\d+" if key in "+-" else key + _VALUE)


# ------------------------------------------------------------------ entries of other hands

_BOX = re.compile(r"^\[(.)\](?: |$)")
_BOXES: dict[TaskStatus, str] = {"pending": " ", "in_progress": "~", "completed": "x"}
_STATUSES: dict[str, TaskStatus] = {
    **{box: status for status, box in _BOXES.items()},
    **dict.fromkeys("Xx✓✔✅☑", "completed"),
    **dict.fromkeys("~-/>⏳🔄🚧▶", "in_progress"),
    **dict.fromkeys("☐⬜", "pending"),
}
_MARKED = re.compile(r"^([✓✔✅☑⏳🔄🚧▶☐⬜])\ufe0f?\s*")
_FOREIGN_PATH = re.compile(
    r"^(?:`(?P<code>[^`]+)`|\*\*(?P<bold>[^*]+)\*\*|(?P<bare>\S+?))"
    r"(?:\s*[:：]\s+|\s+[-–—>→]+\s+|\s+(?=\()|\s*$)(?P<why>.*)$",  # noqa: RUF001
    re.DOTALL,
)
_FOREIGN_COMMAND = re.compile(r"^`([^`\n]+)`\s*\W?\s*(\S.*)$")
_CODE = re.compile(r"(`+)(.*[^`])\1")
# An earlier version told by `why` how a request ended, or which call the words refused.
_FORMER_END = re.compile(r"Ended: “(.*?)”(.*)$", re.DOTALL)
_FORMER_REFUSAL = re.compile(r"said in place of: (.*)$", re.DOTALL)


def _any_item(entry: Entry) -> Entry:
    """A foreign check box says nothing that the section does not say."""
    return entry if entry.tag else entry._replace(text=_BOX.sub("", entry.text))


def _any_request(entry: Entry) -> Entry:
    why = entry.note("why") or ""
    left = tuple(note for note in entry.notes if note[0] != "why")
    if ended := _FORMER_END.match(why):
        return entry._replace(notes=(("ended", "".join(ended.groups())), *left))
    if refused := _FORMER_REFUSAL.match(why):
        tag = (*entry.tag, "source:refusal")
        return entry._replace(tag=tag, notes=(("about", refused[1]), *left))
    return _any_item(entry)


def _any_command(entry: Entry) -> Entry:
    """What follows a foreign command's code quotes is what it is for."""
    found = None if entry.tag or entry.note("why") else _FOREIGN_COMMAND.match(entry.text)
    return Entry(text=found[1], notes=(("why", found[2]),)) if found else _any_item(entry)


def _any_path(entry: Entry) -> Entry:
    """A foreign line is taken as a path and why it matters."""
    found = None if entry.tag else _FOREIGN_PATH.match(_BOX.sub("", entry.text))
    if not found:
        return entry
    path = found["code"] or found["bold"] or found["bare"]
    why = (("why", found["why"].strip()),) if found["why"].strip() else ()
    return Entry(text=path.strip("`"), notes=(*why, *entry.notes))


def _code(text: str) -> str:
    """The text in code quotes, with as many ticks as it takes; several lines stay bare."""
    if "\n" in text or not text:
        return text
    if "`" not in text:
        return f"`{text}`"
    ticks = "`" * (max(len(run) for run in re.findall("`+", text)) + 1)
    return f"{ticks} {text} {ticks}"


def _uncode(text: str) -> str:
    quoted = _CODE.fullmatch(text)
    if quoted is None:
        return text
    return quoted[2][1:-1] if len(quoted[1]) > 1 else quoted[2]


# --------------------------------------------------------------------- the table of kinds


class Kind(Struct, frozen=True, kw_only=True):
    """How the entries of a field are shown and read back."""

    of: type[Any]
    text: str  # the attribute that is the text
    words: dict[str, Word]  # by attribute
    notes: dict[str, FieldInfo]  # by key
    evidence: str = ""  # the tag's first word where it is the same for all
    is_code: bool = False
    shown: Callable[[Any], str] | None = None
    """The text as it is shown, where it is more than the attribute."""
    foreign: Callable[[Entry], Entry] | None = None
    """Turns a line of other hands, or of an earlier version, into one of ours."""
    meant: Callable[[Any], Any] | None = None
    """Turns a value with its text as it is shown into the one that is meant."""
    is_single: bool = False
    by_hand: Literal["", "added", "instead"] = "added"
    """What becomes of a line that the user wrote: nothing, it is kept beside ours, or it is the
    newer state and takes the place of ours that says the same.
    """

    def show(self, each: Any) -> Entry:
        """A value of the field as an entry."""
        tag = " ".join([self.evidence, *(word.show(each) for word in self.words.values())])
        notes: list[tuple[str, str]] = []
        for key, field in self.notes.items():
            value = getattr(each, field.name)
            told = value if isinstance(value, tuple) else () if value is None else (value,)
            is_placed = field.name == "anchors"
            notes += [(f"{key} {one.line}", one.text) if is_placed else (key, one) for one in told]
        text = self.shown(each) if self.shown else getattr(each, self.text)
        text = _code(text) if self.is_code else text
        return Entry(text=text, tag=tuple(tag.split()), notes=tuple(notes))

    def read(self, entry: Entry) -> Any:
        """An entry as a value of the field, whoever wrote it."""
        entry = self.foreign(entry) if self.foreign else entry
        values = {name: word.read(entry) for name, word in self.words.items()}
        values[self.text] = _uncode(entry.text) if self.is_code else entry.text
        for key, field in self.notes.items():
            found = [(name, text) for name, text in entry.notes if name.partition(" ")[0] == key]
            told: tuple[Any, ...] = tuple(text for _, text in found)
            if field.name == "anchors":
                told = tuple(
                    Anchor(line=int(name.split(" ")[1]), text=text) for name, text in found
                )
            values[field.name] = told if field.default == () else next(iter(told), None)
        value = self.of(**values)
        return self.meant(value) if self.meant else value

    def key(self, each: Any) -> str:
        """What two values have in common that say the same."""
        return folded(getattr(each, self.text))


def _kind(of: type[Any], text: str, tag: str, notes: str, **more: Any) -> Kind:
    """A kind from the names of its columns. `tag`: `attribute=key`, or a bare word of a closed set,
    with `|` before what it is where there is none. `notes`: `attribute`, or `attribute:key`.
    """
    known = {field.name: field for field in fields_of(of)}
    words: dict[str, Word] = {}
    for spec in tag.split():
        column, _, otherwise = spec.partition("|")
        name, _, key = column.partition("=")
        words[name] = _OWN.get(name) or _word(known[name], key, otherwise)
    told = (spec.partition(":") for spec in notes.split())
    columns = {key or name: known[name] for name, _, key in told}
    return Kind(of=of, text=text, words=words, notes=columns, **more)


def _bare_status(status: Status[str]) -> Status[str]:
    """Without detail where the text is only the kind in plain words."""
    return replace(status, detail=None) if status.detail == STATUS_WORDS[status.kind] else status


def _unboxed(otherwise: TaskStatus) -> Callable[[Task[str]], Task[str]]:
    """Takes the status from the box or mark; it is `otherwise`, as its section says, without one."""

    def meant(task: Task[str]) -> Task[str]:
        found = _BOX.match(task.title) or _MARKED.match(task.title)
        title = task.title[found.end() :] if found else task.title
        status = _STATUSES.get(found[1] if found else "", otherwise)
        return replace(task, title=title, status=status)

    return meant


STATUS_WORDS: dict[StatusKind, str] = {
    "waiting": "waiting for the user",
    "finished": "turn finished",
    "interrupted": "interrupted by the user",
    "cut-off": "cut off",
    "background": "work running in the background",
    "unknown": "unknown",
}
ITEMS = _kind(Item, "text", "evidence author=by: places", "why unverified", foreign=_any_item)
_SINGLE = replace(ITEMS, is_single=True)
_REQUESTS = _kind(
    Request, "text", "evidence author=by: source=source: at=at: places", "about ended why unverified",
    foreign=_any_request,
)  # fmt: skip
_TASKS = _kind(
    Task,
    "title",
    "evidence id priority category created=created: completed=done: consolidated"
    " consolidated_count places",
    "context doing files:file",
    shown=lambda each: f"[{_BOXES[each.status]}] {each.title.strip()}".strip(),
    meant=_unboxed("pending"),
    by_hand="instead",
)
KINDS: dict[Field, Kind] = {
    **dict.fromkeys(("task", "plan", "next_action", "closing"), _SINGLE),
    "requests": _REQUESTS,
    "constraints": ITEMS,
    "tasks": _TASKS,
    "checklists": _kind(
        Checklist, "path", "done=done: total=of: ticked=ticked: places", "open",
        evidence="observed", is_code=True,
    ),
    **dict.fromkeys(("progress", "blockers"), ITEMS),
    "failures": _kind(
        Failure, "command", "times=times: varied=varied outcome places", "lines:error changed cwd:in",
        evidence="observed", is_code=True,
    ),
    **dict.fromkeys(("background", "decisions", "dead_ends", "context"), ITEMS),
    "files": _kind(  # their size and hash stand in the closing comment
        FileFact, "path",
        "change|named added=+ removed=- spans since_green=since-green commit=commit: left=left-out uses=uses: places",
        "to why said anchors:line",
        evidence="observed", foreign=_any_path, by_hand="instead",
    ),
    "commands": replace(ITEMS, is_code=True, foreign=_any_command),
    "runs": _kind(
        Run, "command", "kind|other outcome edits_after=edits: pasted=by:user known=known: places",
        "summary decisive:error cwd:in",
        evidence="observed", is_code=True, by_hand="instead",
    ),
    "blocks": _kind(
        Block, "title", "updated=updated: related_tasks", "content",
        evidence="claimed", by_hand="instead",
    ),
    "trail": ITEMS,
    "status": _kind(
        Status, "detail", "kind waits_for=for: at=at: places", "",
        evidence="observed", is_single=True, by_hand="",
        shown=lambda each: STATUS_WORDS[each.kind] if each.detail is None else each.detail,
        meant=_bare_status,
    ),
    "doing": replace(_TASKS, meant=_unboxed("in_progress"), by_hand=""),
    "done_tasks": replace(_TASKS, meant=_unboxed("completed"), by_hand=""),
    "goal": replace(_REQUESTS, by_hand=""),
    "deferred": replace(ITEMS, by_hand=""),
}  # fmt: skip
"""Every field that is text, in the order in which its lines are hashed (`by_hand`)."""
BY_HAND: tuple[Field, ...] = tuple(field for field, kind in KINDS.items() if kind.by_hand)
"""The fields of a snapshot in which a user's lines outlive the next save."""


def turned(draft: Draft, fields: Iterable[str], turn: Callable[[Any], Any]) -> Draft:
    """The draft with each value of these fields as `turn` makes it."""
    changes: dict[str, Any] = {}
    for name in fields:
        value = getattr(draft, name)
        changes[name] = (
            tuple(map(turn, value)) if isinstance(value, tuple) else value and turn(value)
        )
    return replace(draft, **changes)


# What a reader takes for a tag, and for a note, as the table has them.
_SAID = [word for kind in KINDS.values() for word in kind.words.items() if word[0] != "evidence"]
_TAG_WORD = re.compile("|".join(dict.fromkeys(word.pattern for _, word in _SAID)))
# Words stand in several columns: each is looked at by itself, or the ways to read a tag multiply.
_TAG = re.compile(rf"(?:^|[ ])\[((?:{'|'.join(get_args(Evidence))})(?: {_VALUE})*)\]$")
_NOTED = (key for kind in KINDS.values() for key in kind.notes if key != "line")
_NOTE_WORD = "|".join(dict.fromkeys((*_NOTED, *_NOTE_KEYS)))
_NOTE = re.compile(
    rf"^(?:[-*+][ ]+)?(?:\*\*|__)?({_NOTE_WORD}|line \d{{1,9}})(?:\*\*|__)?[ ]?"
    r"[:：](?:\*\*|__)?(?:[ ]+|$)",  # noqa: RUF001
    re.IGNORECASE,
)
