"""The redaction engine: rules in, marks out, in time linear in the text.

Patterns run on UTF-8 bytes, so that google-re2 and the standard library's `re` see the same
classes, the same case folding and the same offsets; `tests/unit/redact` holds them to that.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Any, Protocol

from msgspec import Struct

from onward.errors import InputError

try:
    import re2 as re2  # noqa: PLC0414 - for all of this room
except ImportError:  # no wheel for this platform: the same patterns in `re`
    re2 = None

CONTEXT = 80
"""How many bytes before and after a value its judge may look at."""

_RUN = frozenset(range(33, 127)) - frozenset(b"\"'`[](){}<>,;|\\")

MARK = re.compile(rb"\[REDACTED:[a-z0-9-]+:[0-9a-f]{6}\]")

Judge = Callable[[str, str, str], bool]
"""Value, up to `CONTEXT` bytes before it, the same after it -> is it to go?"""


class Rule(Struct, frozen=True, kw_only=True):
    """One thing to find, with its proof beside it.

        `pattern` is in the common ground of re2 and `re` (no look-around, no back-reference);
    XX A text
        that holds none of `keywords` (in any case of letters) is not searched. `hits` and `misses` are
        templates of `samples.fill`. `shown` stands for the value instead of a mark.
    """

    id: str
    pattern: str
    keywords: tuple[str, ...]
    hits: tuple[str, ...]
    misses: tuple[str, ...]
    source: str
    judge: Judge | None = None
    shown: str = ""
    group: int = 0


class Found(Struct, frozen=True, kw_only=True):
    """A value to take out: `text[start:end]` in bytes."""

    start: int
    end: int
    rule: Rule


class _Match(Protocol):
    def span(self, group: int = 0) -> tuple[int, int]: ...


class _Pattern(Protocol):
    @property
    def groups(self) -> int: ...

    def finditer(self, text: bytes, pos: int) -> Iterator[_Match]: ...


class Edit(Struct, frozen=True, kw_only=True):
    """What is to stand instead of `text[start:end]`, in bytes, and which rule says so."""

    start: int
    end: int
    rule: str
    shown: bytes

    @property
    def grows(self) -> int:
        """How many bytes longer the text becomes."""
        return len(self.shown) - (self.end - self.start)


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


def _options(*, wide: bool = False) -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.UTF8 if wide else re2.Options.Encoding.LATIN1
    options.log_errors = False
    options.max_mem = (8 if wide else 64) << 20  # a thousand rules of somebody's may be wide
    return options


@cache
def compiled(rule: str, pattern: str, *, linear: bool = True, wide: bool = False) -> _Pattern:
    """A rule's pattern, compiled once. Raises InputError; the rest is as in `compile_rules`."""
    raw = pattern.encode()
    errors: tuple[type[Exception], ...] = (re.error,)
    try:
        if re2 is None or not linear:
            plain: _Pattern = re.compile(raw)
            return plain
        errors = (re2.error,)
        fast: _Pattern = re2.compile(raw, _options(wide=wide))
    except errors as error:
        raise InputError(
            f"The redaction rule {rule!r} does not compile, so nothing is written.",
            "Reinstall onward, or mend the rule.",
        ) from error
    return fast


def find(text: bytes, table: Table) -> list[Found]:
    """Every value that a rule finds and its judge does not let pass, rule by rule."""
    marks = marks_of(text)
    # The names in marks call for no rule: what begins within a mark is no find.
    lower = (MARK.sub(b" ", text) if marks else text).lower()
    numbers = {table.owners[keyword] for keyword in table.gate(lower)}
    return [
        each
        for number in sorted(numbers.union(table.always))
        for each in _find_one(text, table.rules[number], table, marks)
    ]


def marks_of(text: bytes) -> list[tuple[int, int]]:
    """Where marks stand, from left to right."""
    if b"[REDACTED:" not in text:
        return []
    return [match.span() for match in MARK.finditer(text)]


def _find_one(
    text: bytes, rule: Rule, table: Table, marks: list[tuple[int, int]]
) -> Iterator[Found]:
    pattern = compiled(rule.id, rule.pattern, linear=table.linear, wide=table.wide)
    groups = (rule.group,) if rule.group else tuple(range(1, pattern.groups + 1))
    at: int | None = 0
    while at is not None:
        matches, at = pattern.finditer(text, at), None
        for match in matches:
            start, end = _value(match, groups)
            if marks and (at := _behind(marks, match.span()[0], start)) is not None:
                break  # and go on behind that mark
            start, end = _whole_characters(text, start, end)
            if start >= end or (
                text.startswith(b"[REDACTED:", start) and is_marks(text[start:end])
            ):
                continue
            if rule.judge is None or _judged(rule.judge, text, start, end):
                yield Found(start=start, end=end, rule=rule)


def _behind(marks: list[tuple[int, int]], match: int, value: int) -> int | None:
    """The last place of the mark in whose own letters a match or its value begins
    (`token:d2cb67] = x`), None for no such mark. Its `]` may be the edge before a token.
    """
    for place in (value, match):
        at = bisect_left(marks, (place, 0)) - 1  # the last mark that begins before
        if at >= 0 and place < marks[at][1] - 1:
            return marks[at][1] - 1
    return None


def is_marks(value: bytes) -> bool:
    """Is it nothing but marks, of which there is nothing left to take out?"""
    if b"[REDACTED:" not in value:
        return not value.strip()
    return MARK.fullmatch(value) is not None or not MARK.sub(b"", value).strip()


def _value(match: _Match, groups: tuple[int, ...]) -> tuple[int, int]:
    for group in groups:
        span = match.span(group)
        if span[0] >= 0:
            return span
    return match.span()


def _whole_characters(text: bytes, start: int, end: int) -> tuple[int, int]:
    """Widen a span that begins or ends inside a UTF-8 sequence."""
    while start > 0 and text[start] & 0xC0 == 0x80:
        start -= 1
    while end < len(text) and text[end] & 0xC0 == 0x80:
        end += 1
    return start, end


def _judged(judge: Judge, text: bytes, start: int, end: int) -> bool:
    before, after = text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT]
    return _says(judge, text[start:end], before, after)


@lru_cache(4096)  # a text of many equal lines asks the same again and again
def _says(judge: Judge, value: bytes, before: bytes, after: bytes) -> bool:
    return judge(
        value.decode(errors="replace"),
        before.decode(errors="replace"),
        after.decode(errors="replace"),
    )


def edits(text: bytes, found: list[Found], key: bytes) -> list[Edit]:
    """What is to be replaced, from left to right.

    Values that overlap become one, named after the longest. A value that reaches into a
    mark takes all of it; one that is nothing but marks stays, which makes this idempotent.
    """
    return [
        Edit(
            start=start,
            end=end,
            rule=rule.id,
            shown=(rule.shown or mark(rule.id, text[start:end], key)).encode(),
        )
        for start, end, rule in _merged(found, marks_of(text))
        if not is_marks(text[start:end])
    ]


def widened(text: bytes, changes: list[Edit], key: bytes) -> list[Edit]:
    """The edits that touch a mark, over all of the run of letters that they stand in.

    A mark makes an edge, so that of tokens that stand in a row without a gap each pass would
    find one more.
    """
    edges = {place for span in marks_of(text) for place in span}
    out: list[Edit] = []
    last = 0
    for each in changes:
        start, end = max(each.start, last), each.end
        if start >= end:
            continue
        left, right = start, end
        while left > last and text[left - 1] in _RUN:
            left -= 1
        while right < len(text) and text[right] in _RUN:
            right += 1
        shown = each.shown
        if shown.startswith(b"[") and (left in edges or right in edges):
            start, end = left, right
            shown = mark(each.rule, text[start:end], key).encode()
        out.append(Edit(start=start, end=end, rule=each.rule, shown=shown))
        last = end
    return out


def rebuild(text: bytes, changes: Iterable[Edit]) -> bytes:
    """The text with the edits made, which stand from left to right."""
    pieces: list[bytes] = []
    at = 0
    for each in changes:
        pieces += (text[at : each.start], each.shown)
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


def mark(rule: str, value: bytes, key: bytes) -> str:
    """`[REDACTED:rule:hash6]`: equal for equal values under one key, and only there."""
    return f"[REDACTED:{rule}:{blake2b(value, digest_size=3, key=key).hexdigest()}]"


def _merged(found: list[Found], marks: list[tuple[int, int]]) -> Iterator[tuple[int, int, Rule]]:
    spans: list[tuple[int, int, Rule | None]] = [(f.start, f.end, f.rule) for f in found]
    spans += [(start, end, None) for start, end in marks]
    spans.sort(key=lambda span: (span[0], -span[1]))
    start = end = widest = 0
    rule: Rule | None = None
    for left, right, each in spans:
        if left >= end:
            if rule is not None:
                yield start, end, rule
            start, end, widest, rule = left, right, 0, None
        end = max(end, right)
        if each is not None and right - left > widest:
            widest, rule = right - left, each
    if rule is not None:
        yield start, end, rule
