"""The redaction engine: rules and a text in; what they find in it, and the edits that take it
out, in time linear in the text.

Patterns run on UTF-8 bytes, so that google-re2 and the standard library's `re` see the same
classes, the same case folding and the same offsets; `tests/unit/redaction` holds them to that.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from typing import Any, TypeVar

from msgspec import Struct

from onward.errors import InputError

try:
    import re2 as re2  # noqa: PLC0414 - for all of this room
except ImportError:  # no wheel for this platform: the same patterns in `re`
    re2 = None

CONTEXT = 80
"""How many bytes before and after a value its judge may look at."""
_BESIDE = CONTEXT + 16
"""How many are remembered before it: its escape may begin with backslashes."""
_KEPT = 1000
"""Bytes of a value, or of a match, up to which it is remembered what was found out about it."""

_SEVERAL = 2
"""Groups from which on a match is first looked for without them."""

_KEY = re.compile(rb"[a-z]+(?:(?:[_-][A-Za-z]|[A-Z])[a-z]*){0,8}")
_KEY_BEGINS, _KEY_ENDS = re.compile(rb"[,{]\s*\\{0,7}\"$"), re.compile(rb"\\{0,7}\"\s?:")
"""What stands around a word that names what follows, `, "api_key":`."""
_NEXT = re.compile(rb"(\\{0,7})\"\s{0,40},\s{0,40}\\{0,7}\"[\w.-]{1,64}" + _KEY_ENDS.pattern)
"""What stands between the end of a string and the next key."""
_LONGEST_END = 10
"""Bytes behind a value in which that may end."""
_OPENING = re.compile(rb"(\\{0,7})\"$")
_CUTS = 50
_ESCAPED = re.compile(rb"[\\\"/bfnrt]|u[0-9a-fA-F]{4}")

MARK = re.compile(rb"\[REDACTED:[a-z0-9-]+:[0-9a-f]{6}\]")
_MARKED = b"[REDACTED:"

Judge = Callable[[str, str, str], bool]
"""Value, up to `CONTEXT` bytes before it, the same after it -> is it to go?"""


class Rule(Struct, frozen=True, kw_only=True):
    """One thing to find.

    `pattern` is in the common ground of re2 and `re` (no look-around, no back-reference); what
    it finds is `group`, or the first of its groups that takes part, or all of it. A text that
    holds none of `keywords` (in any case of letters) is not searched. `shown` stands for the
    value instead of a mark.
    """

    id: str
    pattern: str
    keywords: tuple[str, ...]
    source: str
    judge: Judge | None = None
    shown: str = ""
    group: int = 0


class Found(Struct, frozen=True, kw_only=True, gc=False):
    """A value to take out: `text[start:end]` in bytes."""

    start: int
    end: int
    rule: Rule


class Table(Struct, frozen=True, kw_only=True):
    """Rules that are ready to search.

    `gate` gives the keywords that a text (in lower case) holds, `owners` the rule of each;
    the rules `always` have none. `linear` and `wide` are as in `compile_rules`.
    """

    rules: tuple[Rule, ...]
    owners: tuple[int, ...]
    always: tuple[int, ...]
    gate: Callable[[bytes], Iterable[int]]
    linear: bool
    wide: bool


def compile_rules(
    rules: Iterable[Rule], *, linear: bool = True, wide: bool = False, at_once: bool = True
) -> Table:
    """Make rules ready. `linear=False` takes `re` even where re2 is at hand. `wide` patterns
    see whole characters instead of bytes, which only re2 can. Without `at_once`, a pattern is
    compiled when a text first holds a keyword of it: a table of hundreds takes 0.1 s.

    Raises InputError if one does not compile: half a table must not pass for a whole one.
    """
    ready = tuple(rules)
    if at_once:
        for rule in ready:
            compiled(rule.id, rule.pattern, linear=linear, wide=wide)
    keywords = [
        (word.encode().lower(), number)
        for number, rule in enumerate(ready)
        for word in rule.keywords
    ]
    return Table(
        rules=ready,
        owners=tuple(number for _, number in keywords),
        always=tuple(number for number, rule in enumerate(ready) if not rule.keywords),
        gate=_gate([word for word, _ in keywords], linear=linear),
        linear=linear,
        wide=wide,
    )


def _gate(words: list[bytes], *, linear: bool) -> Callable[[bytes], Iterable[int]]:
    """All keywords in one walk of the text: 0.7 ms for 300 KB, one `in` each takes 25."""

    def one_by_one(lower: bytes) -> list[int]:
        return [number for number, word in enumerate(words) if word in lower]

    if re2 is None or not linear:
        return one_by_one
    gate = re2.Set.SearchSet(_options())
    for word in words:
        gate.Add(re.escape(word))
    # Matches always: where it is missing re2 ran out of memory, and silence is no answer.
    witness = gate.Add(b"")
    gate.Compile()

    def at_once(lower: bytes) -> list[int]:
        numbers = set(gate.Match(lower) or ())
        return list(numbers - {witness}) if witness in numbers else one_by_one(lower)

    return at_once


def _options(*, wide: bool = False, groups: bool = True) -> Any:
    options = re2.Options()
    options.never_capture = not groups
    options.encoding = re2.Options.Encoding.UTF8 if wide else re2.Options.Encoding.LATIN1
    options.log_errors = False
    options.max_mem = (8 if wide else 64) << 20  # a thousand rules of somebody's may be wide
    return options


@cache
def compiled(
    rule: str, pattern: str, *, linear: bool = True, wide: bool = False, groups: bool = True
) -> re.Pattern[bytes]:
    """A rule's pattern, compiled once; re2 need not tell what its groups hold. Raises InputError;
    the rest is as in `compile_rules`. What re2 makes has the methods of a pattern of `re`.
    """
    raw, is_fast = pattern.encode(), re2 is not None and linear
    errors: tuple[type[Exception], ...] = (re2.error,) if is_fast else (re.error,)
    made: re.Pattern[bytes]
    try:
        made = re2.compile(raw, _options(wide=wide, groups=groups)) if is_fast else re.compile(raw)
    except errors as error:
        raise InputError(
            f"The redaction rule {rule!r} does not compile, so nothing is written.",
            "Reinstall onward, or fix the rule.",
        ) from error
    return made


def find(text: bytes, *tables: Table) -> list[Found]:
    """Every value that a rule finds and its judge does not let pass, rule by rule. None is
    blank, none is nothing but marks, and each that reaches into a mark holds all of it.
    """
    view = _View(text)
    lower = view.seen.lower()
    return [
        each
        for table in tables
        for number in sorted({table.owners[word] for word in table.gate(lower)}.union(table.always))
        for each in _find_one(view, table.rules[number], table)
    ]


def marks_of(text: bytes) -> list[tuple[int, int]]:
    """Where marks stand, from left to right."""
    return [match.span() for match in MARK.finditer(text)]


class _View:
    """A text as the rules see it: of a mark no more than its brackets.

    So the letters of a mark call for no rule and begin no find (`token:d2cb67] = x`), its
    brackets are edges, a value may still reach over it, and text that is full of marks is
    searched as fast as any other.
    """

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.seen = MARK.sub(b"[]", text) if _MARKED in text else text
        self.has_marks = self.seen is not text
        self.is_ascii = text.isascii()

    @cached_property
    def _marks(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Where each mark begins in what is seen, and where it stands in the text."""
        places, hidden, spans = [], 0, marks_of(self.text)
        for start, end in spans:
            places.append(start - hidden)
            hidden += end - start - 2
        return places, spans

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text that stands which is seen there, in whole characters and marks."""
        if self.has_marks:
            places, spans = self._marks
            if (first := bisect_right(places, start) - 1) >= 0:
                over = start - places[first] - 2
                start = spans[first][1] + over if over >= 0 else spans[first][0]
            if (last := bisect_left(places, end) - 1) >= 0:
                end = spans[last][1] + max(0, end - places[last] - 2)
        return (start, end) if self.is_ascii else _whole_characters(self.text, start, end)


def _whole_characters(text: bytes, start: int, end: int) -> tuple[int, int]:
    """Widen a span that begins or ends inside a UTF-8 sequence."""
    while start > 0 and text[start] & 0xC0 == 0x80:
        start -= 1
    while end < len(text) and text[end] & 0xC0 == 0x80:
        end += 1
    return start, end


def _find_one(view: _View, rule: Rule, table: Table) -> Iterator[Found]:
    text, as_it_stands = view.text, view.is_ascii and not view.has_marks
    for place in _values(view.seen, rule, table):
        start, end = place if as_it_stands else view.span(*place)
        first = max(0, start - _BESIDE)
        goes = _goes if end - start <= _KEPT else _goes.__wrapped__
        part = goes(rule.judge, text[first : end + CONTEXT], start - first, end - first)
        if part:
            yield Found(start=first + part[0], end=first + part[1], rule=rule)


@lru_cache(1 << 14)  # each pass over a text asks the same again, and so do many equal lines
def _goes(judge: Judge | None, around: bytes, start: int, end: int) -> tuple[int, int] | None:
    """Which part of the value `around[start:end]` is to go; None where nothing of it is."""
    start, end = _whole_escapes(around, start, end)
    if start >= end or is_marks(around[start:end]) or _is_key(around, start, end):
        return None
    if judge is None or _says(judge, around, start, end):
        return start, end
    # A mark may hide from the judge a secret that it is glued to. What stands behind the mark is
    # none of that one's business.
    first = around.find(_MARKED, start, end + len(_MARKED))
    glued = first > start and _says(judge, around[:first], start, first)
    return (start, first) if glued else None


def _says(judge: Judge, around: bytes, start: int, end: int) -> bool:
    return judge(
        around[start:end].decode(errors="replace"),
        around[max(0, start - CONTEXT) : start].decode(errors="replace"),
        around[end : end + CONTEXT].decode(errors="replace"),
    )


def _whole_escapes(text: bytes, start: int, end: int) -> tuple[int, int]:
    """A value that took a part of what spells one sign in JSON, or in JSON within JSON: the
    backslashes before what it begins with are all its own, of those that it ends with none is.
    """
    if text[start - 1 : start] == b"\\" and _ESCAPED.match(text, start):
        first = max(0, start - CONTEXT)
        start = first + len(text[first:start].rstrip(b"\\"))
    if text[end : end + 1] == b"\\":
        end = start + len(text[start:end].rstrip(b"\\"))
    return start, end


def _is_key(text: bytes, start: int, end: int) -> bool:
    """Is it a key of JSON, which a command that ends before it seems to be followed by?"""
    return (
        text[start - 1 : start] == b'"'
        and _KEY_ENDS.match(text, end) is not None
        and _KEY.fullmatch(text, start, end) is not None
        and _KEY_BEGINS.search(text[max(0, start - CONTEXT) : start]) is not None
    )


def _values(text: bytes, rule: Rule, table: Table) -> Iterator[tuple[int, int]]:
    """Where the values of a rule stand, none of them over the next key of JSON: what follows
    that is looked at anew, `_CUTS` times, so that the time stays linear; then each goes whole.
    """
    at: int | None = 0
    cuts = 0
    while at is not None:
        cut = None
        for start, end in _matches(text, rule, table, at):
            cut = _next_key(text, start, end) if cuts < _CUTS else None
            yield start, end if cut is None else cut
            if cut is not None:
                cuts += 1
                break
        at = cut


def _next_key(text: bytes, start: int, end: int) -> int | None:
    """Where the string of JSON ends that a value begins in, if a key follows within the value."""
    if text.find(b'"', start, end) < 0:
        return None
    found = _NEXT.search(text, start, end + _LONGEST_END)
    if found is None or not start < found.start() < end:
        return None
    opening = _OPENING.search(text[max(0, start - 8) : start])
    if opening and len(opening[1]) != len(found[1]):
        return None  # it began as a string of its own, in which that is no end
    inner = rb'(?<!\\)\\{0,%d}"' % len(found[1])
    return None if re.search(inner, text[start : found.start()]) else found.start()


def _matches(text: bytes, rule: Rule, table: Table, at: int) -> Iterator[tuple[int, int]]:
    """Where a rule matches from a place on: in its group, else in the first that holds something.

    Where a match stands re2 says in a tenth of the time in which it says what its groups hold.
    So with several of them that is asked of equal matches once.
    """
    pattern = compiled(rule.id, rule.pattern, linear=table.linear, wide=table.wide)
    groups = (rule.group,) if rule.group else tuple(range(1, pattern.groups + 1))
    if len(groups) < _SEVERAL or re2 is None or not table.linear:
        for match in pattern.finditer(text, at):
            yield _value(match, groups)
        return
    places = compiled(rule.id, rule.pattern, wide=table.wide, groups=False)
    for match in places.finditer(text, at):
        start, end = match.span()
        first = start - 1 if start else 0  # the bytes beside it tell whether a word ends there
        held = _held if end - start <= _KEPT else _held.__wrapped__
        value = held(pattern, groups, text[first : end + 1], start - first, end - first)
        yield first + value[0], first + value[1]


@lru_cache(1 << 12)  # as `_goes`
def _held(
    pattern: re.Pattern[bytes], groups: tuple[int, ...], around: bytes, start: int, end: int
) -> tuple[int, int]:
    """Where the value stands in the match `around[start:end]`."""
    match = pattern.fullmatch(around, start, end)
    return _value(match, groups) if match else (start, end)


def _value(match: re.Match[bytes], groups: tuple[int, ...]) -> tuple[int, int]:
    for group in groups:
        span = match.span(group)
        if span[0] >= 0:
            return span
    return match.span()


def is_marks(value: bytes) -> bool:
    """Is it nothing but marks and blanks, of which there is nothing left to take out?"""
    return not MARK.sub(b"", value).strip()


def mark(rule: str, value: bytes, key: bytes) -> str:
    """`[REDACTED:rule:hash6]`: equal for equal values under one key, and only there."""
    return f"[REDACTED:{rule}:{blake2b(value, digest_size=3, key=key).hexdigest()}]"


_LETTERS = bytes(sorted(frozenset(range(33, 127)) - frozenset(b"\"'`[](){}<>,;|\\")))
_RUN = re.compile(rb"[%s]*" % re.escape(_LETTERS))


class Edit(Struct, frozen=True, kw_only=True, gc=False):
    """What is to stand instead of `text[start:end]`, in bytes for this module and in characters for
    all others, and which rule says so. What is shown is ASCII.
    """

    start: int
    end: int
    rule: str
    shown: str

    @property
    def grows(self) -> int:
        """How many bytes longer the text becomes."""
        return len(self.shown) - (self.end - self.start)


def edits(text: bytes, found: Iterable[Found], key: bytes) -> list[Edit]:
    """What is to be replaced, from left to right. Values that overlap become one, named after
    the longest.
    """
    return [
        Edit(
            start=start,
            end=end,
            rule=widest.rule.id,
            shown=widest.rule.shown or mark(widest.rule.id, text[start:end], key),
        )
        for start, end, widest in merged(found)
    ]


def widened(text: bytes, changes: list[Edit], key: bytes) -> list[Edit]:
    """The edits that touch a mark, over all of the run of letters that they stand in.

    A mark makes an edge, so that of tokens that stand in a row without a gap each pass would
    find one more.
    """
    edges = {place for span in marks_of(text) for place in span}
    out: list[Edit] = []
    last = reach = 0  # the last edit's end, and the end of the run that was looked at
    for each in changes:
        start, end, shown = max(each.start, last), each.end, each.shown
        if start >= end:
            continue
        if shown.startswith("["):
            if end > reach and (run := _RUN.match(text, end)):
                reach = run.end()
            left = last + len(text[last:start].rstrip(_LETTERS))
            if left in edges or reach in edges:
                start, end = left, reach
                shown = mark(each.rule, text[start:end], key)
        out.append(Edit(start=start, end=end, rule=each.rule, shown=shown))
        last = end
    return out


def rebuild(text: bytes, changes: Iterable[Edit]) -> bytes:
    """The text with the edits made, which stand from left to right."""
    pieces: list[bytes] = []
    at = 0
    for each in changes:
        pieces += (text[at : each.start], each.shown.encode())
        at = each.end
    return b"".join((*pieces, text[at:]))


def compose(first: Iterable[Edit], then: Iterable[Edit]) -> list[Edit]:
    """The edits that do at once what `first` and then, on the outcome, `then` do."""
    out: list[Edit] = []
    left = list(reversed(list(first)))
    grown = 0  # by the edits of `first` that lie before
    for each in then:
        while left and left[-1].start + grown + len(left[-1].shown) <= each.start:
            out.append(left.pop())
            grown += out[-1].grows
        start, end = each.start - grown, each.end - grown
        while left and left[-1].start + grown < each.end:
            taken = left.pop()
            grown += taken.grows
            start, end = min(start, taken.start), max(each.end - grown, taken.end)
        out.append(Edit(start=start, end=end, rule=each.rule, shown=each.shown))
    return out + left[::-1]


S = TypeVar("S", Found, Edit)


def merged(found: Iterable[S]) -> list[tuple[int, int, S]]:
    """What is covered, from left to right: of those that overlap the widest, and from where to
    where all of them go.
    """
    out: list[tuple[int, int, S]] = []
    for each in sorted(found, key=lambda one: (one.start, -one.end)):
        if not out or each.start >= out[-1][1]:
            out.append((each.start, each.end, each))
        else:
            start, end, widest = out[-1]
            wider = each.end - each.start > widest.end - widest.start
            out[-1] = start, max(end, each.end), each if wider else widest
    return out
