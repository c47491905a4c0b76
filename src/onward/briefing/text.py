"""Quote, shorten and mark text, so that no quoted text can pass for a line of the briefing."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import takewhile
from urllib.parse import unquote

from onward.evidence import escape
from onward.model import Clean, Evidence
from onward.requests import LOGGED, is_log

_HEADING = re.compile(r"^(\s{0,3})(#{1,6}\s)")
_GAP = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|(?P<gap>\s+)")
"""A code span, inside which nothing is cut, or a blank, at which it may be."""
_SENTENCE = re.compile(r"(?<=\w[.!?])(?=\s)|(?<=[。\uff01\uff1f])")
_DRAWN = re.compile(r"([^\w\s])\1{7,}")
"""A line that is drawn with one sign: each sign may cost three tokens, and says nothing."""
_LINK = re.compile(
    r"\[`?(?P<label>[^\[\]\n`]{1,300})`?\]\((?P<path>(?:[~/]|[A-Z]:)[^()#\n]{0,600}?)(?P<at>:\d+|#L\d+)?\)"
)
"""A link to a file. Bounded, so that a line of brackets takes no longer than another."""
_RULE = re.compile(r"\s*([=*_~-])\1{2,}\s*")
"""A line that only parts."""
_PARTS = re.compile(rf"(?!={{7}}$)(?:{_RULE.pattern}|[\s\u2500-\u257f]+|[\s|+:=_-]{{3,}})")
"""The same, or a part of a frame or a table without a word in it; but not git's mark in a conflict."""
_APART = re.compile(r"(?<=\S) {4,}(?=\S)")
"""Blanks that only line up what follows."""
_DRAWN_IN = re.compile("[\u2500-\u257f]")
_POINT = re.compile(r"(\s*)(?:\(?\d{1,3}[.)]|[-*+•])\s")
_CHOICE = re.compile(r"\W*(\d{1,2})\b")
_TITLED = re.compile(r"\s{0,3}(?:#{1,6}\s|\*\*.+\*\*:?$|\S.*[:\uff1a]$)")
"""A heading, a line in bold, a line that leads to what follows."""
_ROW = re.compile(r"\s*\|")
_SAYS = re.compile(r"\w")
_OMITTED = re.compile(r"\[(\d+) lines omitted\]")
"""The mark that `record.text.bounded` leaves, which stands for so many lines."""
_FEW = 3
_CODE = 9
"""From this rank on lines of a fenced block, which are dropped before any other."""
_HEADS = (400, 240, 160, 110)
"""Characters of each line of a list that is too long, tried in this order."""


def one_line(text: str) -> str:
    """The text on one line, with marks that look like ours escaped."""
    return escape(" ".join(text.split()))


def steps(text: str) -> str:
    """One line; of several lines, which are steps in order, each with its number: `(1) … (2) …`."""
    lines = [line for line in text.splitlines() if line.strip()]
    numbered = (f"({n}) {line}" for n, line in enumerate(lines, 1))
    return one_line(" ".join(numbered) if len(lines) > 1 else text)


def code(text: str) -> str:
    """The text as a code span on one line, with a fence that it does not hold itself."""
    flat = one_line(text)
    fence = "`" * (max((len(m.group()) for m in re.finditer(r"`+", flat)), default=0) + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def quote(text: str) -> str:
    """The text as a Markdown quotation without blank lines, rules and frames; no line of it can be
    taken for ours. Of a drawn line, and of blanks inside a line, three signs are kept.
    """
    kept = (_APART.sub("   ", _DRAWN.sub(r"\1\1\1", line)) for line in _lines(text))
    return "\n".join("> " + _HEADING.sub(r"\1\\\2", escape(line)) for line in kept)


def inline(text: str, limit: int) -> str:
    """The text in quotation marks on one line of about `limit` characters: its first sentences and
    its last ones. It is never joined within a sentence, whose sense may hang on what is omitted.
    """
    return f"“{_first_and_last(one_line(text), limit)}”"


def _first_and_last(line: str, limit: int) -> str:
    if len(line) <= limit:
        return line
    ends = [m.end() for m in _SENTENCE.finditer(line)]
    head = max((end for end in ends if end <= limit * 2 // 3), default=0)
    rest = limit - head - len(" […] ")
    tail = min((end for end in ends if head < end and len(line) - end <= rest), default=len(line))
    if not head or tail == len(line):
        return first_words(line, limit)
    return f"{line[:head]} […] {line[tail:].strip()}"


def tag(places: Sequence[str], evidence: Evidence | None = None) -> str:
    """` [t:541]`, ` [asked t:12]`, ` [claimed t:99]`: at most two places; observed is unsaid."""
    said = () if evidence is None or evidence == "observed" else (evidence,)
    shown = [*said, *places[:2]]
    return f" [{' '.join(shown)}]" if shown else ""


def count(number: int, noun: str) -> str:
    """`1 file`, `12 files`, `2 failed approaches`."""
    return f"{number} {noun}{'' if number == 1 else 'es' if noun.endswith(('ch', 'sh')) else 's'}"


GONE = " (deleted)"


def listed(
    paths: Sequence[Clean], most: int, others: int = 0, deleted: Collection[Clean] = ()
) -> str:
    """`` `a.py`, `b.py` (deleted) and 3 more ``; `others` are counted and not known."""
    more = max(len(paths) - most, 0) + others
    shown = (code(path) + GONE * (path in deleted) for path in paths[:most])
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters: the head and the tail, cut between words and outside of code."""
    if len(text) <= limit:
        return text
    gaps = [m.span("gap") for m in _GAP.finditer(text) if m["gap"]]
    head = _head(text, limit * 2 // 3, gaps)
    end = min((end for _, end in gaps if end >= len(text) - limit // 3 + 5), default=len(text))
    tail = text[end:].lstrip() if limit >= _HEADS[-1] else ""
    return " ".join(part for part in (head, "[…]", tail) if part)


def first_words(line: str, limit: int) -> str:
    """The first sentences of a line, else its first words, with ` …` where something is omitted;
    "" where not even its first word fits.
    """
    if len(line) <= limit:
        return line
    gaps = [m.span("gap") for m in _GAP.finditer(line) if m["gap"]]
    head = _head(line, limit, gaps, most=2 * limit)
    if not _SAYS.search(head):
        return ""
    ends = [m.end() for m in _SENTENCE.finditer(line[: len(head) + 1])]
    whole = ends[-1] if ends and 2 * ends[-1] >= limit else len(head)
    return f"{head[:whole]} …".strip()


def _head(text: str, limit: int, gaps: Sequence[tuple[int, int]], most: int = 0) -> str:
    """The first words; where the first one is longer, a path or a link, that one up to `most`."""
    cut = max((start for start, _ in gaps if start <= limit), default=0)
    if cut and _SAYS.search(text, 0, cut):
        return text[:cut].rstrip()
    if not text[:limit].isascii():
        return text[:limit]  # scripts without blanks
    cut = min((start for start, _ in gaps if start > limit), default=len(text))
    return text[:cut] if cut <= most else ""


def choice(text: str) -> str:
    """The number that a text begins with, as an answer to numbered options; "" for none."""
    found = _CHOICE.match(text)
    return found[1] if found else ""


def fitted(text: str, limit: int, *, end: bool = False, point: str = "", last: bool = False) -> str:
    """The text within about `limit` characters, as lines: whole, else the first words of each line,
    else its outline: first and last line, headings, points of lists before what is inside them.
    `end`: the first line, then from the end on, as of a log. `point`: the number of a point of a list
    that is kept before all else. `last`: what stands below the last heading earlier than what is above
    it, as of a message that ends with what is left to do. What is omitted is counted.
    """
    lines = _lines(text.strip())
    total, end = len(lines), end or is_log(lines)
    if total < 2:
        return shorten("".join(lines).strip(), limit)
    for each in (limit, *_HEADS):
        heads = {n: head for n in range(total) if (head := _cut(lines, n, each))}
        if sum(len(head) + 1 for head in heads.values()) <= limit:
            return "\n".join(_with_gaps(heads, lines))
    ranks = [-total, *(-n for n in range(1, total))] if end else _outline(lines, last=last)
    chosen = [n for n, line in enumerate(lines) if _POINT.match(line) and choice(line) == point]
    for n in chosen[-1:] if point else ():
        ranks[n] = -total - 1
    prose = sum(rank < _CODE for rank in ranks)
    kept, room = dict[int, str](), limit
    for n in sorted(range(total), key=lambda n: (ranks[n], n)):
        if ranks[n] >= _CODE and len(kept) < prose:
            break
        line = _cut(lines, n, max(limit // 4, _HEADS[-1]))
        if _OMITTED.fullmatch(line):
            continue  # it is counted with what is omitted here
        if line and len(line) < room:
            kept[n] = line
            room -= len(line) + 1
        elif end:
            break  # what a reply answers is the end, in one piece
    return "\n".join(_with_gaps({**_lead(kept, lines), **kept} if end else kept, lines))


def _cut(lines: Sequence[str], n: int, limit: int) -> str:
    """A line within the limit; the last one with its end, where most often something is asked."""
    return (_first_and_last if n == len(lines) - 1 else first_words)(lines[n], limit)


def _lead(kept: dict[int, str], lines: Sequence[str]) -> dict[int, str]:
    """The line that leads to the list in whose middle an end begins."""
    first = min(kept.keys() - {0}, default=0)
    if not _POINT.match(lines[first]):
        return {}
    lead = next((n for n in range(first, 0, -1) if not _POINT.match(lines[n])), 0)
    return {lead: first_words(lines[lead], _HEADS[-1])}


def _lines(text: str) -> list[str]:
    empty = (_PARTS, LOGGED)
    return [
        _LINK.sub(_named_once, line.rstrip())
        for line in text.splitlines()
        if line.strip() and not any(pattern.fullmatch(line) for pattern in empty)
    ]


def _named_once(link: re.Match[str]) -> str:
    """A link to a file that names the path twice, in its text and as its target, as a code span."""
    label, path = link["label"], unquote(link["path"]).replace("\\", "/")
    # A line break that is written as `%0A` stays as it is written.
    if not path.isprintable() or not f"/{path}".endswith(f"/{label.lstrip('/')}"):
        return link[0]
    return f"`{label if '/' in label else path}{(link['at'] or '').replace('#L', ':')}`"


def _outline(lines: Sequence[str], *, last: bool) -> list[int]:
    """How early each line is wanted: 0 the ends, 1 headings and points, more for what is deeper."""
    ranks, fenced, titled = list[int](), False, False
    for line in lines:
        fence = line.lstrip().startswith(("```", "~~~"))
        point = _POINT.match(line)
        if fenced or fence:
            rank = _CODE + bool(fence)
        elif point:
            rank = 1 + min(len(point[1].expandtabs(4)) // 2, 3)
        else:
            # The first line under a heading says most of what is under it.
            rank = 1 if _TITLED.match(line) else 2 if titled or _ROW.match(line) else 3
            rank += 3 * bool(_DRAWN_IN.search(line))
        if point and ranks and not lines[len(ranks) - 1].startswith((" ", "\t")):
            ranks[-1] = min(ranks[-1], rank)  # a list without its lead may say the opposite
        titled = not fenced and _TITLED.match(line) is not None
        fenced ^= fence
        ranks.append(rank)
    ranks[0] = ranks[-1] = 0
    titles = [n for n, line in enumerate(lines) if _HEADING.match(line) and ranks[n] < _CODE]
    for n in range(titles[-1] if last and titles else len(lines), len(lines)):
        ranks[n] = max(0, ranks[n] - 1)
    return ranks


def last_line(text: str) -> str:
    """The last of several lines that says something, of a list all, behind what leads to it; "" where
    it is a row, a heading or code.
    """
    lines = [line for line in _lines(text) if _SAYS.search(line)] or [""]
    line, points = lines[-1], sum(1 for _ in takewhile(_POINT.match, reversed(lines)))
    other = line.startswith(("```", "    ")) or _ROW.match(line) or _HEADING.match(line)
    if other or not lines[1:]:
        return ""
    first = len(lines) - max(points, 1)
    lead = [each.lstrip("# ") for each in lines[:first][-1:] if _TITLED.match(each)]
    return " ".join(map(str.strip, [*lead, *lines[first:]]))


def is_list(text: str) -> bool:
    """Whether at least three points of a list stand in it."""
    return sum(_POINT.match(line) is not None for line in text.splitlines()) >= _FEW


def _with_gaps(kept: dict[int, str], lines: Sequence[str]) -> list[str]:
    out, before = list[str](), -1
    for n, line in [*sorted(kept.items()), (len(lines), "")]:
        if n - before > 1:
            # Where the record omitted some already, its mark stands for as many.
            marks = (_OMITTED.fullmatch(each) for each in lines[before + 1 : n])
            gone = sum(int(mark[1]) if mark else 1 for mark in marks)
            out.append(f"[{count(gone, 'line')} omitted]")
        out += [line] if line else []
        before = n
    return out


def indented(text: str) -> str:
    """A quotation that stands below a line of a list."""
    return "\n".join(f"  {line}" for line in quote(text).splitlines())
