"""Distil: the few lines of a failed run that say what failed."""

from __future__ import annotations

import re

_MOST = 6
_LONGEST = 200
_PYTEST_MARK = re.compile(r"^E (?:AssertionError: (?=assert ))?")
_EXIT = re.compile(r"(?:Exit code:? \d+|exit status \d+|Error: Exit code \d+)", re.IGNORECASE)

_FAILING = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^(?:FAILED|ERROR) (\S+\.py\S*(?: - .*)?)$",  # pytest
        r"^(?:FAIL|ERROR): (\w+ \(.*\))$",  # unittest
        r"^[ \t]*● (.+ \u203a .+)$",  # jest
        r"^[ \t]*(?:FAIL)[ \t]+(\S+\.(?:test|spec)\.\w+.*)$",  # jest, vitest
        r"^[ \t]*(?:✖|✗|×|✘) (?!\d+ (?:problem|of))(.+?)(?: \(?[\d.]+ ?m?s\)?)?$",  # vitest, ava, node
        r"^[ \t]+\d+\) (\S.+)$",  # mocha, playwright, rspec, phpunit
        r"^[ \t]*--- FAIL: (\S+)",  # go
        r"^test (\S+) \.\.\. FAILED$",  # cargo
        r"^[ \t]+FAIL \[.*?\] +(.+)$",  # nextest
        r"^\(fail\) (.+?)(?: \[.*\])?$",  # bun
        r"^not ok \d+ -? ?(.+)$",  # tap
        r"^rspec (\./\S+:\d+) ",  # rspec
        r"^\[ERROR\][ \t]+(\w+[.:]\S+:\d+.*)$",  # maven
        r"^(\S+ > .+ FAILED)$",  # gradle
        r"^[ \t]+Failed (\S+) \[",  # dotnet
        r"^(.{3,60}?)\.{3,}(?:\(.*\))?Failed$",  # pre-commit
    )
)
_ERRORS = re.compile(
    r"""^(?:
        E[ \t]{2,}(?!\+)\S.*                                       # pytest
      | .*\berror[ \t]TS\d+:.*                                     # tsc
      | error(?:\[E\d+\])?:[ \t](?!test[ \t]failed,?[ \t]*$|could[ \t]not[ \t]compile|aborting|\d+[ \t]targets?[ \t]failed).*
      | [ \t]*[\w.]*(?:Error|Exception):[ \t].+
      | \S+?:\d+(?::\d+)?:[ \t](?:(?:fatal[ \t])?error|undefined|cannot|[EFWCRA-Z]+\d+|syntax).*
      | (?:\./)?\S+\.go:\d+:\d+:[ \t].+
      | [ \t]*\d+:\d+[ \t]+error[ \t]+.+                                 # eslint
      | \S+\(\d+,\d+\):[ \t](?:error|warning)[ \t].+                  # msbuild
      | \[ERROR\][ \t]\S.+
      | g?make(?:\[\d+\])?:[ \t]\*\*\*[ \t].+
      | .*(?:command[ \t]not[ \t]found|Missing[ \t]script:|Cannot[ \t]find[ \t]module|can't[ \t]open[ \t]file).*
      | e:[ \t]\S+\.kt.*
      | Type[ \t]error:[ \t].+
    )$""",
    re.MULTILINE | re.VERBOSE,
)

_REASON = re.compile(
    r"^.{0,400}?\b(?P<from>(?:error|fatal|failed|failure|denied|unauthori[sz]ed|forbidden|expired|refused|timed[ ]out|exception|erro|fehler|échec)\b.{3,400}|(?:错误|失败).{1,400})$",
    re.MULTILINE | re.IGNORECASE,
)
_COUNT = re.compile(
    r"\b(?:0|no)\s+(?:errors?|failures?|failed)\b|\berrors?:\s*\d+\s*$|^\W*\w+\W*$", re.IGNORECASE
)
"""A line that counts, or a heading."""
_TELLING = 110


def failing(text: str, most: int = 20) -> tuple[str, ...]:
    """Names of failing tests, as their runner prints them; at most `most`."""
    names: dict[str, None] = {}
    for pattern in _FAILING:
        for found in pattern.finditer(text):
            names.setdefault(_cut(found.group(1)))
            if len(names) >= most:
                return tuple(names)
    return tuple(names)


def decisive(text: str) -> tuple[str, ...]:
    """Names of failing tests, then the first line of each error: at most six lines of 200
    characters. Takes an output without colours.
    """
    errors = dict.fromkeys(_PYTEST_MARK.sub("", _cut(m.group())) for m in _take(text))
    names = list(dict.fromkeys(_without_reason(n) if errors else n for n in failing(text, _MOST)))
    room = max(_MOST - len(errors), _MOST - 2)
    lines = [*names[:room], *(e for e in errors if not any(n.endswith(e) for n in names))]
    return tuple(line for line in lines if line)[:_MOST]


def _take(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    for match in _ERRORS.finditer(text):
        before = text.rfind("\n", 0, max(match.start() - 1, 0)) + 1
        if match.group().startswith("E ") and text.startswith("E  ", before) and match.start():
            continue  # pytest tells one error on many lines: values, differences, where from
        found.append(match)
        if len(found) >= _MOST:
            break
    return found


def reason(text: str) -> str:
    """What any program says went wrong, from the word on that says so where the line is long; "" for
    nothing.
    """
    for match in _REASON.finditer(text):
        line = match.group().strip()
        if not _COUNT.search(line):
            return _cut(line if len(line) <= _TELLING else match["from"])
    return ""


def last_line(text: str) -> str:
    """The last line that says something, beyond what the client adds of the exit status."""
    lines = [line for line in text.splitlines() if line.strip()]
    return _cut(next((x for x in reversed(lines) if not _EXIT.fullmatch(x.strip())), ""))


def _without_reason(name: str) -> str:
    """A failing test without the cut-off beginning of the error that stands beside it."""
    test, dash, reason = name.partition(" - ")
    return test if dash and reason.endswith("...") else name


def _cut(line: str) -> str:
    line = " ".join(line.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 2].rsplit(" ", 1)[0] + " …"
