"""Distil: cutting text down without cutting a word, a path or a command in two."""

from __future__ import annotations

import re

from onward.distill.pasted import FRAME, bared

WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
"""Scripts written without spaces (as inside of a regular expression's class)."""

_WORD = re.compile(rf"[{WIDE}]|[^\W_{WIDE}]+(?:['’_-][^\W_{WIDE}]+)*")
_SENTENCE_END = re.compile(
    r"(?<=[.!?…])(?:[)*_]*\s+|[\"'”)*_]+\s+(?![a-z]))|(?<=[。\uff01\uff1f])|\n+"
)
_PROSE = 0.6
"""Share of letters and spaces below which a line was hardly typed as prose."""
_SHORT = 40
_ENDS = 8
"""Lines of a pasted stretch that are left whole; of a longer one the first four and last two."""
_HEAD = 2
"""Lines at the top of such a stretch that are left where others say what failed."""
_ERRORS = 4
"""Lines from within such a stretch that say what failed."""
_LOG_LINE = 200
_LOOKED_AT = 300
"""Characters that tell what a long line is."""
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
ERROR = re.compile(
    r"error|exception|fail|panic|fatal|denied|\b(?:un|not\s)defined\b|\b[45]\d\d\b", re.IGNORECASE
)
_CROSS = re.compile("[\u274c\u2716\u2717\u2718]")
"""A program's mark for what did not work."""
_RULER = re.compile(r"([^\w\s])\1{4,}")
"""A sign said again and again: it draws a line and tells nothing."""
_MARK = re.compile(r"^\[\d+ lines cut\]$")
CUT = re.compile(r"\[\d+ lines cut\]")
"""Our mark for lines that went, where it stands in a line of its own no more."""
_PROMPT = re.compile(
    r"\s*(?:\$\s|PS\s[A-Z]:|\w+@[\w-]+(?:[:~]|\s\S*\s?[%$\#]\s|\s[\d-]+T[\d:.]+Z))"
)
"""How a shell asks for a command, perhaps with who is at which machine and when."""
# What a log, a trace, a listing or a diff looks like, line by line.
_LOG = re.compile(
    r"""^\s*(?:
      \[?\d{2,4}[-:/.]\d{2}            # a date or a time
    | \[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|LOG)\b
    | at\s\S+ | File\s" | .{1,80}\s@\s\S+:\d+\s*$ | Traceback | Caused\sby
    | \S*\w(?:Error|Exception): | \S+:\d+\s(?:Uncaught\s)?\S*\w(?:Error|Exception):
    | \$\s | >{1,3}\s | \|\s | [+-]{3}\s | @@\s | [├└│]
    | PS\s[A-Z]: | \w+@[\w-]+(?:[:~]|\s\S*\s?[%$\#]\s)
    | \d+:\d+:?\s+(?:error|warning)\b | npm\s | \[\+\]\s | =>\s | \d+\.\d+\s+\w
    | [\u276f\u279c\u00bb%]\s           # a shell's prompt
    | [\U0001f300-\U0001faff\u2600-\u27bf]\ufe0f?\s   # a program's decoration
    | (?:\w+\s){0,2}[Ee]rror:\s | (?:remote|fatal):\s
    | (?:RUN\s\s|(?:FAIL|PASS)\s{1,2})\S+[./]\S | [\w.-]+-\d+\s+\|\s    # a runner; a container and its line
    | [A-Z]\w+:\s+\d+\s(?:ok|passed|failed|errors?|warnings?)\b   # a count of what was done
    )""",
    re.VERBOSE,
)


def vocabulary(text: str) -> frozenset[str]:
    """The words of a text, as a set: how the tables of this package are written."""
    return frozenset(text.split())


def words(text: str) -> list[str]:
    """The words of a text in lower case; of scripts without spaces, each character."""
    return [word.lower() for word in _WORD.findall(text)]


def one_line(text: str, limit: int = 200) -> str:
    """All of a text on one line, shortened."""
    return shorten(" ".join(text.split()), limit)


def act_line(act: str) -> str:
    """An act that was stopped, in one line: of a script its first line."""
    if act.startswith("edit "):
        return one_line(act, 240)
    first, _, rest = act.strip().partition("\n")
    return one_line(first, 120) + (" …" if rest.strip() and len(first) < 120 else "")


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, cut between words, with ` …` where something went."""
    text = text.strip()
    if len(text) <= limit:
        return text
    room = text[: limit - 2]
    if not text[limit - 2].isspace():
        end = max(room.rfind(" "), room.rfind("\n"), _last_wide(room))
        room = room[: end + 1] if end > 0 else room
    return room.rstrip(" \n,;:-") + " …"


def clamp(text: str, limit: int) -> str:
    """At most `limit` characters, with quotations and code spans closed again."""
    if len(text) <= limit:
        return text
    cut = shorten(text, limit - 3)
    cut += "`" * (cut.count("`") % 2)
    return cut + "”" * (cut.count("“") > cut.count("”"))


def _last_wide(room: str) -> int:
    """Where text may be cut although no space stands there."""
    for at in range(len(room) - 1, max(len(room) - 80, 0), -1):
        if re.match(rf"[{WIDE}。\uff0c\uff01\uff1f、\uff1b]", room[at]):
            return at
    return -1


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, without empty ones."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]


def is_log(line: str) -> bool:
    """Whether a line was printed by a machine rather than typed by a person."""
    if _LOG.match(line):
        return True
    bare = line.strip()[:_LOOKED_AT]
    if len(bare) < 8:
        return bool(re.fullmatch(r"[\W_]+", bare)) and bool(bare)
    prose = sum(map(str.isalpha, bare)) + bare.count(" ")
    return prose < _PROSE * len(bare) and not re.search(f"[{WIDE}]", bare)


def unfenced(text: str) -> str:
    """The text without its fenced blocks; one that is not closed goes on to the end."""
    return _FENCED.sub("", text)


def prose(text: str) -> str:
    """The lines that a person typed: logs, fenced blocks, what stands between two prompts of a shell
    and our own marks left out.
    """
    lines = unfenced(text).splitlines()
    prompts = [n for n, line in enumerate(lines) if _PROMPT.match(line)] or [0]
    typed = [*lines[: prompts[0]], *lines[prompts[-1] :]]
    return "\n".join(s for s in typed if not (is_log(s) or _MARK.match(s))).strip()


def repeats(later: str, earlier: str) -> bool:
    """Whether later words say the earlier ones again, with little added."""
    later, earlier = later.strip(), earlier.strip()
    return later == earlier or (
        len(earlier) > _SHORT and later.startswith(earlier) and len(later) < 1.5 * len(earlier)
    )


def abridge(text: str, limit: int = 1200) -> str:
    """What a person typed around what they pasted: the first and the last lines are kept,
    fenced and log-like stretches in between are cut to their ends, and a mark says how
    many lines went. At most `limit` characters.
    """
    text = _RULER.sub(r"\1\1\1", bared(text.strip()))
    lines = _cut_stretches([line.rstrip() for line in text.splitlines()])
    short = "\n".join(lines)
    if len(short) <= limit:
        return short
    return _ends(lines, limit)


def _cut_stretches(lines: list[str]) -> list[str]:
    """Each long run of log-like or fenced lines cut to its ends."""
    out: list[str] = []
    stretch: list[str] = []
    fenced = False
    for line in lines:
        fence = line.lstrip().startswith("```")
        if fence or fenced or is_log(line) or (stretch and not line):
            stretch.append(line)
            fenced = fenced != fence
            continue
        out += _ends_of(stretch)
        stretch = []
        out.append(line)
    return out + _ends_of(stretch)


def _ends_of(stretch: list[str]) -> list[str]:
    """The ends of a stretch, and what says in between that something failed, the same only once:
    an error before what is only marked as wrong.
    """
    stretch = [shorten(line, _LOG_LINE) if len(line) > _LOG_LINE else line for line in stretch]
    if len(stretch) <= _ENDS:
        return stretch
    inner = {line: n for n, line in reversed(list(enumerate(stretch[:-2]))) if n >= _HEAD}
    errors = sorted(n for line, n in inner.items() if ERROR.search(line))
    crosses = sorted(n for line, n in inner.items() if _CROSS.search(line) and n not in errors)
    failed = [*errors[-_ERRORS:], *crosses[: 1 if errors else _ERRORS]]
    head = max(_HEAD, _ENDS - 4 - len(failed))
    calls = [n + 1 for n in failed if FRAME.match(stretch[n + 1])]
    return _gaps_told(stretch, {*range(head), len(stretch) - 2, len(stretch) - 1, *failed, *calls})


def _gaps_told(lines: list[str], kept: set[int]) -> list[str]:
    """The lines of these numbers, with a mark for each gap between them; a gap of one line is none."""
    out: list[str] = []
    before = -1
    for n in sorted(kept):
        if n - before == 2:
            out.append(lines[n - 1])
        elif n - before > 2:
            out.append(f"[{n - before - 1} lines cut]")
        out.append(lines[n])
        before = n
    return out


def _ends(lines: list[str], limit: int) -> str:
    """Head and tail of the lines, within the limit; the tail may be the whole request."""
    head = _fill(lines, limit // 2)
    rest = lines[len(head) :]
    tail = _fill(rest[::-1], limit - sum(len(line) + 1 for line in head) - 24)[::-1]
    if not head:
        head, rest = [shorten(lines[0], limit // 2)], lines[1:]
    if not tail and rest:
        tail = [_end_of(rest[-1], limit // 3)]
    gone = len(rest) - len(tail)
    gone += sum(int(line[1:].split()[0]) - 1 for line in rest[:gone] if _MARK.match(line))
    mark = [f"[{gone} lines cut]"] if gone > 0 else []
    return "\n".join([*head, *mark, *tail])


def _fill(lines: list[str], room: int) -> list[str]:
    """As many of the first lines as fit."""
    taken: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        taken.append(line)
    return taken


def _end_of(line: str, limit: int) -> str:
    """The last words of a line."""
    if len(line) <= limit:
        return line
    tail = line[-limit:]
    return "… " + (tail.split(" ", 1)[1] if " " in tail else tail)
