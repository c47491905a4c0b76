"""What the user wrote into a file of ours, so that the next save of the same work keeps it: every
form is read by `read`, and laid under today's state by `keep`.

The file holds a short hash of every line that was written (`lines`), of those among them that were
carried over from the user, and of those that theirs took the place of (`own`). What has no tag, or whose hash is
not among the first or is among the second, is theirs. Without hashes (a file of an earlier
version), only lines without a tag are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any, Generic

from msgspec import Struct
from msgspec.structs import replace

from onward.documents import checkpoint_md, kinds, page
from onward.documents.headings import Field
from onward.documents.kinds import Entry
from onward.model import Draft, Item, Request, Snapshot, T

_LETTERS = 6  # of a hash: two lines of one file hardly share them
_FIELDS = tuple(field for field in kinds.BY_HAND if field != "task")


class Written(Struct, frozen=True, kw_only=True):
    """The user's part of a file. `gone` are the hashes of lines of ours that they changed or
    deleted, `changed` the places of the lines that they changed, by field, `replaced` the hashes of those
    that they had changed before an earlier save; `session` is the one that the file was written for,
    None where the file does not say which of its lines are ours.
    """

    draft: Draft
    session: str | None = None
    gone: frozenset[str] = frozenset()
    replaced: frozenset[str] = frozenset()
    changed: dict[str, frozenset[tuple[str, ...]]] = {}


class Kept(Struct, Generic[T], frozen=True, kw_only=True):
    """Today's state with what the user wrote, and that alone. `away` are the hashes of lines that stay
    away, as the user changed them.
    """

    snapshot: Snapshot[T]
    own: Snapshot[T]
    away: frozenset[str]

    @property
    def marks(self) -> tuple[str, str]:
        """The hashes for the closing comment."""
        return marks(self.snapshot, self.own, self.away)


def read(text: str, opened: checkpoint_md.Open = checkpoint_md.opened) -> Written:
    """The entries of a file that the user wrote, and the headings of their own; `opened` takes it
    apart, a checkpoint or a session document.
    """
    found, closing = opened(text)
    known = closing or checkpoint_md.Closing()
    session = closing.origin.session if closing else None
    return replace(of_page(found, known.lines, known.own), session=session)


def of_page(found: page.Page, known: str, carried: str) -> Written:
    """The same of an open page; `known` and `carried` are the hashes of the lines that were written
    and of those among them that were the user's (`marks`).
    """
    lines, own = parts(known), parts(carried)
    changed: dict[str, frozenset[tuple[str, ...]]] = {}
    kept: dict[Field, list[Entry]] = {}
    for field, entries in found.found.items():
        if field not in kinds.KINDS:
            continue
        # A status with a tag is the record's, and so is any such line of a file without hashes.
        theirs = [
            e
            for e in entries
            if not e.tag
            or (field != "status" and (hashed(e) in own or (lines and hashed(e) not in lines)))
        ]
        edited = (e for e in theirs if e.tag and hashed(e) not in own)
        changed[field] = frozenset(kinds.places(e.tag) for e in edited)
        # Places vouch for the words that stood there before.
        kept[field] = [
            e._replace(tag=tuple(word for word in e.tag if not kinds.places([word])))
            for e in theirs
        ]
    kept["context"] = [*kept.get("context", ()), *page.below_git(found)]
    seen = {hashed(entry) for entries in found.found.values() for entry in entries}
    mine = page.draft(page.Page(found=kept, extra=found.extra))
    return Written(
        draft=kinds.turned(mine, kinds.BY_HAND, _by_user),
        gone=frozenset(lines - seen),
        replaced=frozenset(own - seen),
        changed=changed,
    )


def keep(
    new: Snapshot[T],
    written: Written,
    clean: Callable[[Draft], Snapshot[T]],
    *,
    drop: Iterable[Field] = (),
    ask: Iterable[Field] = (),
) -> Kept[T]:
    """The new snapshot with what the user wrote, which `clean` redacts. Of that, single fields in
    `drop` go, and those in `ask` become requests, as does a next action where a note gives another.
    Nothing is said twice, and a line that they changed does not come back as it was.
    """
    own, following = clean(written.draft), new.next_action
    if following and following.author == "agent":
        ask = dict.fromkeys((*ask, "next_action"))
    drop = tuple(drop)
    ask = [name for name in ask if name not in drop]
    said = [item.text for name in ask if (item := getattr(own, name))]
    requests = (Request(text=text, evidence="asked", author="user") for text in said if text)
    nothing: Any = {n: Item(text="") if n == "task" else None for n in (*drop, *ask)}
    own = replace(own, **nothing, requests=(*own.requests, *requests))
    away: set[str] = set()
    changes: dict[str, Any] = {"task": own.task if own.task.text else new.task}
    for field in _FIELDS:
        theirs, ours, kind = getattr(own, field), getattr(new, field), kinds.KINDS[field]
        if kind.is_single:
            changes[field] = theirs or ours
            continue
        moved = written.changed.get(field, frozenset())
        stays = []
        for each in ours:
            mark, is_moved = hashed(kind.show(each)), getattr(each, "places", None) in moved
            if mark in written.replaced or (is_moved and mark in written.gone):
                away.add(mark)
            else:
                stays.append(each)
        # What says the same is told once: as ours, which has a place, or as theirs.
        if kind.by_hand == "instead":
            known = set(map(kind.key, theirs))
            changes[field] = (*theirs, *(each for each in stays if kind.key(each) not in known))
        else:
            known = set(map(kind.key, stays))
            changes[field] = (*(each for each in theirs if kind.key(each) not in known), *stays)
    told = {section.heading for section in new.extra}
    changes["extra"] = (*new.extra, *(s for s in own.extra if s.heading not in told))
    return Kept(snapshot=replace(new, **changes), own=own, away=frozenset(away))


def is_empty(draft: Snapshot[T]) -> bool:
    """Whether nothing is the user's."""
    return not any((draft.task.text, draft.extra, *(getattr(draft, f) for f in _FIELDS)))


def marks(
    checkpoint: Snapshot[T], own: Snapshot[T] | None, away: Iterable[str] = ()
) -> tuple[str, str]:
    """The hashes for the closing comment: of every line, and of those that the user wrote with what
    stays `away` for them. A next action is kept for one save only: it must not outlive being done.
    """
    theirs = _hashes(replace(own, next_action=None)) if own else ""
    return _hashes(checkpoint), theirs + "".join(sorted(away))


def hashed(entry: Entry) -> str:
    """The short hash of a line: of its words and notes, not of its tag."""
    words = [entry.text, *(f"{key}:{text}" for key, text in entry.notes)]
    plain = " ".join(" ".join(words).split())
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()[:_LETTERS]


def parts(text: str) -> set[str]:
    """The hashes that `marks` wrote one after the other."""
    return {text[at : at + _LETTERS] for at in range(0, len(text), _LETTERS)}


def _hashes(snapshot: Snapshot[T]) -> str:
    told = kinds.BY_HAND if snapshot.task.text else _FIELDS
    return "".join(hashed(entry) for field in told for entry in page.fields(snapshot, field))


def _by_user(each: Any) -> Any:
    """A value in the user's name."""
    known = {"evidence": "asked", "places": (), "author": "user", "unverified": None}
    return replace(each, **{name: v for name, v in known.items() if hasattr(each, name)})
