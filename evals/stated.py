"""What a text says of commands: which it gives, and how it says that checks ended."""

from __future__ import annotations

import re

from evals.checks import Run, Verdict, head
from evals.shell import spoken

_FAIL = re.compile(
    r"\bfail(?:ed|s|ing|ures?)?\b|[✗✘❌✖]|\bbroken\b|\berrors?\b|\bred\b"
    r"|\bexit(?:ed)?(?: with)?(?: code| status)? [1-9]|失败|错误|未通过",
    re.IGNORECASE,
)
_PASS = re.compile(
    r"\bpass(?:ed|es|ing)?\b|[✓✔✅]|\bgreen\b|\bsucce(?:ss|ssful|ssfully|eds|eded)\b|\bclean(?:ly)?\b"
    r"|\bok\b|\bexit(?:ed)?(?: with)?(?: code| status)? 0\b|通过|成功",
    re.IGNORECASE,
)
_NONE_FAILED = re.compile(
    r"\b(?:0|no|zero|without(?: any)?) (?:\w+ )?(?:fail(?:ed|ures?|ing)|errors?|issues)\b|没有错误",
    re.IGNORECASE,
)
_NOT_PASSED = re.compile(
    r"\b(?:not|never|n't|doesn't|don't) (?:yet )?(?:pass|succeed|build|compile)", re.IGNORECASE
)
_COUNTED = re.compile(r"\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?)\b", re.IGNORECASE)
_LATER = re.compile(
    r"\b(?:not run|unseen|outcome (?:not|un)|should|must|will|until|if|to make)\b", re.IGNORECASE
)
_WORKED = re.compile(r"\bworked\b", re.IGNORECASE)
"""In a heading, of the commands below it; in a sentence it says too little."""
_KINDS = {
    "test": re.compile(r"\btests?\b|测试", re.IGNORECASE),
    "build": re.compile(r"\bbuilds?\b|\bcompil|构建|编译", re.IGNORECASE),
    "lint": re.compile(r"\blint|\btype-?check|\btypes\b", re.IGNORECASE),
}
_INDENT = re.compile(r"[ \t]*")
_BELOW = 6
"""Lines under a command in which its end may be told."""


def verdict(text: str) -> Verdict | None:
    """How a piece of text says that something ended; None where it says nothing, or both.

    >>> verdict("18 failed, 1 passed"), verdict("45 passed, 0 failed"), verdict("ran, not run again")
    ('failed', 'passed', None)
    """
    if _COUNTED.search(text) or _NOT_PASSED.search(text):
        return "failed"
    clear = _NONE_FAILED.sub(" passed ", text)
    fails, passes = _FAIL.search(clear), _PASS.search(clear)
    if (fails is None) == (passes is None) or _LATER.search(text):
        return None
    return "failed" if fails else "passed"


def gives(line: str, form: tuple[str, ...], *, code: bool) -> bool:
    """Whether a line gives a command. `code`: it stands in a code block. One bare word must
    stand where code stands: "make sure" runs no `make`.
    """
    if len(form) > 1 or code:
        return spoken(form).search(line) is not None
    spans = re.findall(r"`([^`]+)`", line) + re.findall(r"^\s*\$ (.+)", line)
    return any(spoken(form).search(span) for span in spans)


def numbered(text: str) -> list[tuple[str, bool]]:
    """The lines of a text, and whether each stands in a code block."""
    out, fenced = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        out.append((line, fenced or line.startswith("    ")))
    return out


def of_run(text: str, run: Run, others: list[Run]) -> set[Verdict]:
    """What a text says of one run.

    By its whole command; where that is not given anywhere, by the words that make it a check
    (`cargo test`), if no other such check ended differently.
    """
    found = _of_form(text, run.form, others)
    short = head(run.form)
    alike = {o.verdict for o in others if head(o.form) == short} <= {run.verdict}
    return found if found or not alike else _of_form(text, short, others)


def _of_form(text: str, form: tuple[str, ...], others: list[Run]) -> set[Verdict]:
    lines = numbered(text)
    ends = [o.form for o in others]
    said: set[Verdict] = set()
    heading = ""
    for n, (line, code) in enumerate(lines):
        heading = line if line.startswith("#") and not code else heading
        if not gives(line, form, code=code):
            continue
        under = _below(lines, n, [form, *ends])
        told = _beside(line, form, ends) or verdict("\n".join(under))
        told = told or ("passed" if _WORKED.search(heading) else verdict(heading))
        if told:
            said.add(told)
    return said


def _beside(line: str, form: tuple[str, ...], others: list[tuple[str, ...]]) -> Verdict | None:
    """The verdict in a command's own line: behind it, up to the next command; else in front of
    the first command of the line ("Passed: `a`, `b`").
    """
    found = spoken(form).search(line)
    if found is None:
        return None
    # The closing mark of the command's own span ends the command, the next mark begins another.
    marks = [m.start() for m in re.finditer("`", line)]
    ends = [mark for mark in marks if mark >= found.end()][1:2]
    ends += [m.start() for o in others if (m := spoken(o).search(line, found.end()))]
    behind = line[found.end() : min(ends, default=len(line))]
    return verdict(behind) or verdict(line[: min([found.start(), *marks])])


def _below(lines: list[tuple[str, bool]], at: int, forms: list[tuple[str, ...]]) -> list[str]:
    """The lines that belong to a command's line: deeper ones, or the rest of its code block."""
    out = []
    depth = len(_INDENT.match(lines[at][0])[0])  # type: ignore[index]
    for line, code in lines[at + 1 : at + 1 + _BELOW]:
        deeper = len(_INDENT.match(line)[0]) > depth  # type: ignore[index]
        if not line.strip() or not (deeper or (code and lines[at][1])):
            break
        if any(gives(line, form, code=code) for form in forms):
            break
        out.append(line)
    return out


def of_kind(text: str, kind: str) -> set[Verdict]:
    """What a text says of all checks of a kind, without naming a command."""
    noun = _KINDS[kind]
    sentences = re.split(r"(?<=[.!?;。])\s|\n", text)
    return {told for s in sentences if noun.search(s) and "`" not in s and (told := verdict(s))}
