"""How one finding reads in a briefing: an item, a run, a file, a task."""

from __future__ import annotations

from onward.brief.text import code, one_line, quote, shorten, tag
from onward.model import Clean, FileFact, Item, Run, Task

TEXT_LIMIT = 320  # characters of an item; a longer one is shown by `onward show`
WHY_LIMIT = 200

_MARK = {"completed": "[x]", "in_progress": "[~]", "pending": "[ ]"}
_RESULT = {"passed": "passed", "failed": "FAILED", "unseen": "ran, outcome not seen"}


def bullet(item: Item[Clean]) -> str:
    """`- text — reason [claimed t:541]`."""
    why = f" — {shorten(one_line(item.why), WHY_LIMIT)}" if item.why else ""
    return f"- {shorten(one_line(item.text), TEXT_LIMIT)}{why}{tag(item.places, item.evidence)}"


def quoted(item: Item[Clean], limit: int, lead: str = "") -> str:
    """The person's words, quoted with their line breaks."""
    body = quote(shorten(item.text.strip(), limit))
    head = f"{lead}{tag(item.places)}".strip()
    return f"{head}\n{body}" if head else body


def task(entry: Task[Clean]) -> str:
    """`- [ ] TASK_003 Fix the login — what is known of it`."""
    name = f"{entry.id} " if entry.id else ""
    context = f" — {shorten(one_line(entry.context), WHY_LIMIT)}" if entry.context else ""
    doing = " (in progress)" if entry.status == "in_progress" else ""
    return f"- {_MARK[entry.status]} {name}{shorten(one_line(entry.title), TEXT_LIMIT)}{doing}{context}"


def run(entry: Run[Clean]) -> str:
    """A run and how it ended; what decided a failure stands indented below it."""
    where = f" in {code(entry.cwd)}" if entry.cwd else ""
    summary = f": {shorten(one_line(entry.summary), 160)}" if entry.summary else ""
    edits = {0: "", 1: " (1 edit since)"}.get(
        entry.edits_after, f" ({entry.edits_after} edits since)"
    )
    head = f"- {code(entry.command)}{where} {_RESULT[entry.outcome]}{summary}{edits}{tag(entry.places[:1])}"
    return "\n".join(
        [head, *(f"  - {shorten(one_line(line), 200)}" for line in entry.decisive[:4])]
    )


def file(fact: FileFact[Clean]) -> str:
    """A file, what was done to it, and why it matters."""
    done = [_change(fact)]
    if fact.spans and fact.change == "edited":
        first, last = fact.spans[-1]
        done.append(f"line {first}" if first == last else f"lines {first}-{last}")
    elif fact.added or fact.removed:
        done.append(f"+{fact.added} −{fact.removed}")
    if fact.since_green:
        done.append("untested")
    if fact.commit:
        done.append(f"in {fact.commit}")
    why = f" — {shorten(one_line(fact.why), 60)}" if fact.why else ""
    place = "" if fact.change in {"read", "named"} else tag(fact.places[-1:])
    return f"- {code(fact.path)} {', '.join(done)}{why}{place}"


def _change(fact: FileFact[Clean]) -> str:
    if fact.change == "renamed" and fact.to:
        return f"renamed to {code(fact.to)}"
    return "named" if fact.change == "named" else fact.change
