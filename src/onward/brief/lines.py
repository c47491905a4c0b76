"""How one finding reads in a briefing: an item, a run, a file, a task."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onward.brief import named
from onward.brief.text import code, count, fitted, one_line, quote, shorten, tag
from onward.model import Clean, FileFact, Item, Run, Task

TEXT_LIMIT = 320  # characters of an item; a longer one is shown by `onward show`
WHY_LIMIT = 200
NAMES, FEWER = 110, 90
"""Characters of the names beside a file of the work in hand and beside another changed one."""

_SPANS = 3
"""Changed places of a file that are named."""

_MARK = {"completed": "[x]", "in_progress": "[~]", "pending": "[ ]"}
_NAMED = re.compile(r"[^-][^\s=]*[./]")
_REMOVED = "removed since"
"""How the summary of a pass ends that holds no longer (`distill.checks.runs`)."""
_COUNT = re.compile(r"\b([1-9]\d*) (passed|passing|skipped|warnings?|packages)\b")


def bullet(item: Item[Clean]) -> str:
    """`- text — reason [claimed t:541]`."""
    why = f" — {shorten(one_line(item.why), WHY_LIMIT)}" if item.why else ""
    text = one_line(item.text).removeprefix("- ")
    return f"- {shorten(text, TEXT_LIMIT)}{why}{tag(item.places, item.evidence)}"


def quoted(item: Item[Clean], limit: int, lead: str = "") -> str:
    """The person's words, quoted with their line breaks."""
    said = [line.rstrip() for line in item.text.strip().split("\n") if line.strip()]
    body = quote("\n".join(fitted(said, limit)))
    head = f"{lead}{tag(item.places[:1])}".strip()
    return f"{head}\n{body}" if head else body


def task(entry: Task[Clean]) -> str:
    """`- [ ] TASK_003 Fix the login — what is known of it`."""
    name = f"{entry.id} " if entry.id else ""
    context = f" — {shorten(one_line(entry.context), WHY_LIMIT)}" if entry.context else ""
    doing = " (in progress)" if entry.status == "in_progress" else ""
    return f"- {_MARK[entry.status]} {name}{shorten(one_line(entry.title), TEXT_LIMIT)}{doing}{context}"


def run(entry: Run[Clean], *, elsewhere: bool = False) -> str:
    """A run that failed; what decided it stands indented below it. `elsewhere`: the same command
    passed later in another folder.
    """
    where = f" in {code(entry.cwd)}" if entry.cwd else ""
    summary = f": {shorten(one_line(entry.summary), 160)}" if entry.summary else ""
    edits = _since(entry)
    if elsewhere:
        edits = "run later in another folder, see below"
    head = f"- {code(entry.command)}{where} FAILED{summary}{f' ({edits})' if edits else ''}{tag(entry.places[:1])}"
    return "\n".join(
        [head, *(f"  - {shorten(one_line(line), 200)}" for line in entry.decisive[:4])]
    )


def ended(entry: Run[Clean], *, briefly: bool = False) -> str:
    """A run in a list of those that ended alike: `` `pytest` (8 passed, 2 edits since) ``. `briefly`:
    of a long command no more than the first file or folder that it names.
    """
    gone = (entry.summary or "").endswith(_REMOVED)
    notes = [str(entry.summary)] if gone else [_counts(entry), _since(entry)]
    told = ", ".join(note for note in notes if note)
    command = _beginning(entry.command) if briefly else entry.command
    return code(command) + (f" ({told})" if told else "")


def _beginning(command: str) -> str:
    words = command.split()
    at = next((n for n, word in enumerate(words) if n and _NAMED.match(word)), len(words))
    return command if at + 2 >= len(words) else f"{' '.join(words[: at + 1])} …"


def _counts(entry: Run[Clean]) -> str:
    """What a summary says in numbers, without how long it took."""
    if entry.outcome != "passed":
        return shorten(one_line(entry.summary), 120) if entry.summary else ""
    counts = _COUNT.findall(entry.summary or "")
    return ", ".join(f"{n} {what}" for n, what in counts[:3])


def _since(entry: Run[Clean]) -> str:
    after = entry.edits_after
    return "" if not after else "1 edit since" if after == 1 else f"{after} edits since"


def file(fact: FileFact[Clean]) -> str:
    """A file of the work in hand, and what was done to it."""
    done = [_change(fact)]
    if fact.spans and fact.change == "edited":
        done.append(_spans(fact.spans))
    elif fact.change == "created" and fact.added > fact.removed:
        done.append(count(fact.added - fact.removed, "line"))
    elif fact.change == "edited" and (fact.added or fact.removed):
        done.append(f"+{fact.added} −{fact.removed}")
    if fact.since_green:
        done.append("no full test run since")
    return f"- {code(fact.path)} {', '.join(done)}{_for(fact, NAMES)}{tag(fact.places[-1:])}"


def _for(fact: FileFact[Clean], limit: int) -> str:
    """What was done to a file in the agent's words, else its names in so many characters."""
    said = "; ".join(f"“{one_line(words)}”" for words in fact.said)
    names = named.shortened(one_line(fact.why), limit) if fact.why else ""
    return f" — {told}" if (told := said or names) else ""


def _spans(spans: Sequence[tuple[int, int]]) -> str:
    """`line 7`, `lines 3, 7-9`, `in 5 places`: they stand in the order of the file, not of time."""
    if len(spans) > _SPANS:
        return f"in {len(spans)} places"
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in spans]
    return f"line{'s' * (shown != [str(spans[0][0])])} {', '.join(shown)}"


def about(fact: FileFact[Clean]) -> str:
    """Another file that is not committed, in fewer words."""
    return f"- {code(fact.path)} {fact.change}{_for(fact, FEWER)}"


def _change(fact: FileFact[Clean]) -> str:
    if fact.change == "renamed" and fact.to:
        return f"renamed to {code(fact.to)}"
    return fact.change
