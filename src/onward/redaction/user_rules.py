"""What a user adds to redaction: rules of their own as gitleaks has them, and what is no secret.

A file of rules is a `gitleaks.toml` as its documentation has it. Patterns are Go's, which are RE2's;
without google-re2 they are refused, as `re` would read some of them otherwise and none in linear
time. What asks for a file's path or a commit has no meaning here: such a rule counts for all text,
such an allowance for none.

An entry of `.onwardignore` is one exact value, or the mark that stands for it in our text. Neither
can be used by somebody else's repository to keep a secret of yours from being found: they would have
to know the secret, or the key of your machine. So there are no wildcards, and no rule can be switched off.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NoReturn

from msgspec import Struct

from onward.errors import InputError
from onward.redaction import engine
from onward.redaction.engine import Judge, Rule
from onward.redaction.rules.validators import entropy

MOST = 1000
"""Rules in one."""
_ID = re.compile(r"[^a-z0-9]+")
_TARGETS = ("secret", "match", "line")

_Shared = tuple[Mapping[str, Any], Judge]


class Loaded(Struct, frozen=True, kw_only=True):
    """The rules of a file, and a sentence for each thing in it that is ignored."""

    rules: tuple[Rule, ...]
    notes: tuple[str, ...] = ()


@lru_cache(maxsize=4)
def read_rules(text: str, name: str = "gitleaks.toml") -> Loaded:
    """The rules in the text of a file; `name` is what errors call it.

    Raises InputError for what is no such file, and for a pattern that does not compile: half a
    table must not pass for a whole one. An error never holds words of the file.
    """
    if engine.re2 is None:
        raise InputError(
            f"{name} needs google-re2, which is not installed: nothing is written",
            "pip install google-re2",
        )
    table = _parsed(text, name)
    entries = _tables(table, "rules", name)
    if len(entries) > MOST:
        _refuse(name, f"has more than {MOST} rules")
    lists = [*_tables(table, "allowlist", name), *_tables(table, "allowlists", name)]
    shared = [(each, allows) for each in lists if (allows := _allowance(each, name))]
    rules: list[Rule] = []
    skipped = 0
    for number, entry in enumerate(entries, 1):
        if "regex" in entry:
            rules.append(_rule(entry, shared, number, name))
        else:
            skipped += 1
    if not rules:
        _refuse(name, "holds no rule with a `regex` of its own")
    return Loaded(rules=tuple(rules), notes=tuple(_notes(table, skipped, name)))


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        _refuse(name, f"is not valid TOML{f' at line {found[1]}' if found else ''}")
    except RecursionError:
        _refuse(name, "is nested too deeply")


def _notes(table: Mapping[str, Any], skipped: int, name: str) -> Iterator[str]:
    extend = table.get("extend", {})
    if isinstance(extend, Mapping) and extend.get("useDefault"):
        yield f"{name} extends gitleaks' own table, which is not part of onward: only the rules in the file count"
    if isinstance(extend, Mapping) and extend.get("path"):
        yield f"{name} extends another file, which is not read: only the rules in the file count"
    if skipped:
        told = "1 rule" if skipped == 1 else f"{skipped} rules"
        yield f"{told} of {name} without a `regex` ignored: text has no path"


def _rule(entry: Mapping[str, Any], shared: list[_Shared], number: int, name: str) -> Rule:
    """One `[[rules]]` entry."""
    raw = entry.get("id", "")
    rule = _ID.sub("-", raw.lower()).strip("-")[:60] if isinstance(raw, str) else ""
    rule = rule or f"rule-{number}"
    where = f"{name}, rule {number} ({rule})"
    pattern, keywords = entry["regex"], _strings(entry, "keywords", where)
    if not isinstance(pattern, str):
        _refuse(where, "`regex` is not a string")
    groups = _compiled(pattern, where).groups
    group = entry.get("secretGroup", 0)
    if type(group) is not int or not 0 <= group <= groups:
        _refuse(where, "`secretGroup` is not the number of a group of the pattern")
    floor = entry.get("entropy", 0)
    if type(floor) not in {int, float}:
        _refuse(where, "`entropy` is not a number")
    own = [*_tables(entry, "allowlist", where), *_tables(entry, "allowlists", where)]
    lists = [found for each in own if (found := _allowance(each, where))]
    for each, allows in shared:
        targets = each.get("targetRules")
        if not targets or (isinstance(targets, list) and raw in targets):
            lists.append(allows)
    return Rule(
        id=rule,
        pattern=pattern,
        # What folds to fewer letters than it has would never be met in a lowered text.
        keywords=tuple(each for each in keywords if each)
        if all(map(str.isascii, keywords))
        else (),
        source=name,
        judge=_judge(float(floor), lists),
        group=group,
    )


def _judge(floor: float, lists: list[Judge]) -> Judge:
    def judge(value: str, before: str, after: str) -> bool:
        if floor and entropy(value) <= floor:
            return False
        return not any(allows(value, before, after) for allows in lists)

    return judge


def _allowance(entry: Mapping[str, Any], where: str) -> Judge | None:
    """Whether an allowlist lets a value pass; None for one that speaks of paths and commits."""
    words, patterns = (_strings(entry, key, where) for key in ("stopwords", "regexes"))
    target = entry.get("regexTarget", "") or "secret"
    if target not in _TARGETS:
        _refuse(where, f"`regexTarget` is none of {', '.join(_TARGETS)}")
    both = str(entry.get("condition", "")).upper() in {"AND", "&&"}
    if not (words or patterns) or (both and (entry.get("paths") or entry.get("commits"))):
        return None
    searches = [_compiled(each, where) for each in patterns]
    stops = [each.lower() for each in words]

    def allows(value: str, before: str, after: str) -> bool:
        """What the engine shows around a value stands for gitleaks' whole match and line."""
        said = any(stop in value.lower() for stop in stops)
        around = target != "secret"
        head = before.rpartition("\n")[2].encode() if around else b""
        tail = after.partition("\n")[0].encode() if around else b""
        line, start, end = head + value.encode() + tail, len(head), len(head) + len(value.encode())
        met = any(
            target == "line" or (match.start() <= end and match.end() >= start)
            for search in searches
            for match in search.finditer(line)
        )
        if both and words and patterns:
            return said and met
        return said or met

    return allows


def _compiled(pattern: str, where: str) -> re.Pattern[bytes]:
    try:
        return engine.compiled(where, pattern, wide=True)
    except (InputError, UnicodeEncodeError):
        _refuse(where, "a pattern does not compile as RE2")


def _tables(table: Mapping[str, Any], key: str, where: str) -> list[Mapping[str, Any]]:
    """A table, or a list of them, as both spellings of `allowlist` have it."""
    found = table.get(key, [])
    entries = [found] if isinstance(found, Mapping) else found
    if not isinstance(entries, list) or not all(isinstance(each, Mapping) for each in entries):
        _refuse(where, f"`{key}` is not a list of tables")
    return entries


def _strings(entry: Mapping[str, Any], key: str, where: str) -> list[str]:
    found = entry.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        _refuse(where, f"`{key}` is not a list of strings")
    return found


def _refuse(where: str, what: str) -> NoReturn:
    raise InputError(f"{where}: {what}, so nothing is written", "fix that file, then try again")


ALLOWANCES = ".onwardignore"
LEAST = 4
"""Characters of a value: a shorter one stands in any text."""
MOST_ENTRIES = 1000
"""There are 16 million marks a rule: many could be guessed at, in a long list."""


class Allowed(Struct, frozen=True, kw_only=True):
    """Values, in UTF-8, and marks that are left alone."""

    values: frozenset[bytes] = frozenset()
    marks: frozenset[bytes] = frozenset()

    def has(self, value: bytes, rule: str, key: bytes) -> bool:
        """Is this value to stay where that rule finds it?"""
        return value in self.values or (
            bool(self.marks) and engine.mark(rule, value, key).encode() in self.marks
        )


@lru_cache(maxsize=4)
def read_allowances(text: str) -> Allowed:
    """The entries: one a line, blanks around it and lines that begin with `#` apart.

    Raises InputError, which names the line and never its words.
    """
    values: set[bytes] = set()
    marks: set[bytes] = set()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        if len(entry) < LEAST:
            raise InputError(
                f"{ALLOWANCES}, line {number}: a value of fewer than {LEAST} characters",
                f"take line {number} out of {ALLOWANCES}, or write the whole value",
            )
        raw = entry.encode("utf-8", "replace")
        (marks if engine.MARK.fullmatch(raw) else values).add(raw)
    if len(values) + len(marks) > MOST_ENTRIES:
        raise InputError(
            f"{ALLOWANCES} has more than {MOST_ENTRIES} entries", f"take some out of {ALLOWANCES}"
        )
    return Allowed(values=frozenset(values), marks=frozenset(marks))
