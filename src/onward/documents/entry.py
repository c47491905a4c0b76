"""One line of a checkpoint as Markdown: words, a tag, and indented notes.

    - Wrote src/auth.py lines 45-120 [observed t:541 c:9f5a3c7]
      a second line of the same text
      why: the login had no server side

The tag ends the first line and holds no free text: who vouches
for it (`asked`, `observed`, `claimed`), then places and the like. Whatever the words are
(headings, fences, bullets), indentation keeps them inside their own list item.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from onward import evidence

_WORD = (
    r"[tc]:[^\s\[\]]+|TASK_\w+|P[123]|BUGFIX|FEATURE|CONFIG|DOCS|TEST|REFACTOR"
    r"|(?:id|created|done|updated|commit|edits|uses|consolidated|by|source|at|for|times):[^\s\[\]]+"
    r"|waiting|finished|interrupted|cut-off|background|unknown"
    r"|test|build|lint|types|format|other|passed|failed|unseen"
    r"|created|edited|deleted|renamed|read|named|since-green|[+-]\d+|L\d+-\d+"
)
_TAG = re.compile(rf"(?:^|[ ])\[((?:asked|observed|claimed)(?: (?:{_WORD}))*)\]$")
_KEYS = {"reason": "why", "rationale": "why", "because": "why", "理由": "why", "原因": "why"}
_NOTE = re.compile(
    r"^(?:[-*+][ ]+)?(?:\*\*|__)?(why|reason|rationale|because|理由|原因"
    r"|context|file|summary|error|in|to|said|content|about|ended|unverified|line \d{1,9})(?:\*\*|__)?[ ]?[:：]"  # noqa: RUF001
    r"(?:\*\*|__)?(?:[ ]+|$)",
    re.IGNORECASE,
)


class Entry(Struct, frozen=True, kw_only=True):
    """One line taken apart. `tag` is empty where the line had none (someone else wrote it)."""

    text: str
    tag: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()

    def note(self, key: str) -> str | None:
        """The first note of that name, or None."""
        return next((text for name, text in self.notes if name == key), None)

    def all_notes(self, key: str) -> tuple[str, ...]:
        """All notes of that name, in order."""
        return tuple(text for name, text in self.notes if name == key)

    def tagged(self, key: str) -> str:
        """What stands after `key:` in the tag, or ""."""
        return next((w[len(key) + 1 :] for w in self.tag if w.startswith(f"{key}:")), "")


def folded(text: str) -> str:
    """A text as it is compared with others: neither blanks nor case count."""
    return " ".join(text.split()).casefold()


def lines(entry: Entry, bullet: str = "- ", indent: str = "  ") -> list[str]:
    """The entry as Markdown lines. Blanks at both ends of a text are not kept."""
    first, *rest = map(evidence.quote, entry.text.strip().split("\n"))
    tag = f"[{' '.join(entry.tag)}]" if entry.tag else ""
    head = bullet + (f"{first} {tag}" if first and tag else first or tag)
    shown = [head, *(_indented(_escape(line), indent) for line in rest)]
    for key, text in entry.notes:
        top, *more = map(evidence.quote, text.strip().split("\n"))
        shown.append(f"{indent}{key}: {top}" if top else f"{indent}{key}:")
        shown += [_indented(line, indent + "  ") for line in more]
    return shown


def read(raw: Sequence[str], keys: Iterable[str] = ("why",)) -> Entry:
    """Lines (bullet and indentation taken off) as an entry; `keys` are the notes to look for."""
    tagged = _TAG.search(raw[0].rstrip()) if raw else None
    first = raw[0][: tagged.start()] if tagged else "".join(raw[:1])
    text, notes = [evidence.unquote(first)], list[tuple[str, list[str]]]()
    for line in raw[1:]:
        start = _NOTE.match(line)
        key = start[1].casefold() if start else ""
        key = _KEYS.get(key, key)
        if start and key.split(" ")[0] in keys:
            notes.append((key, [evidence.unquote(line[start.end() :])]))
        elif notes:
            notes[-1][1].append(evidence.unquote(line.removeprefix("  ")))
        else:
            text.append(evidence.unquote(_unescape(line)))
    return Entry(
        text="\n".join(text).strip(),
        tag=tuple(tagged[1].split(" ")) if tagged else (),
        notes=tuple((key, "\n".join(words).strip()) for key, words in notes),
    )


def _indented(line: str, indent: str) -> str:
    return indent + line if line else ""


def _escape(line: str) -> str:
    """A further line of a text that reads like one of our notes gets a backslash."""
    return "\\" + line if _NOTE.match(line.lstrip("\\")) else line


def _unescape(line: str) -> str:
    return line[1:] if line.startswith("\\") and _NOTE.match(line.lstrip("\\")) else line
