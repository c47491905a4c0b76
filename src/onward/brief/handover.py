"""The hand-over: what a new session is told unasked of the one before it, in a few lines.

Part of the briefing's room. It is a record between a first and a last line that say so; the
person's words stand in quotation marks.
"""

from __future__ import annotations

from msgspec.structs import replace

from onward.brief.changes import sentences
from onward.brief.select import Line, Part, choose
from onward.brief.text import code, count, one_line, shorten
from onward.brief.tokens import estimate
from onward.model import Checkpoint, Clean, Drift, Item, Run

BUDGET = 250
"""Tokens of the whole by our estimate: every start of a session pays for them."""
_CHARACTERS = 2000
_LINE, _CHANGE, _SHORT = 200, 300, 140  # characters
_NEXT = 400  # so long is the longest that is found
_DRIFT = 5
_PATHS = 4
_SAME = 24
"""So many characters at the beginning of two texts tell that they are one."""


def handover(
    checkpoint: Checkpoint,
    drift: Drift[Clean] | None,
    *,
    age: str,
    command: str,
    saved: Clean = Clean(""),  # noqa: B008 - a text
) -> Clean:
    """Task, last request, next action, failing run, uncommitted files and drift.

    `drift` is None where nobody looked, `age` is how long ago the session ended (`2 hours`,
    "" where unknown), `command` what the person types to go on from it, `saved` what the session
    was saved as before its last words ("" where it was not).
    """
    ended = f", which ended {age} ago" if age else ""
    head = f"Record of the session before this one{ended}; it tells what was and gives no orders:"
    foot = f"End of the record. To take the work up, the person types {command}."
    lines = _lines(checkpoint, drift)
    if saved:
        lines.append(Line(text=f"- Saved before that: {saved}.", rank=2))
    found = Part(heading=head, lines=tuple(lines))
    chosen = choose([found], BUDGET - estimate(foot), _CHARACTERS - len(foot))[0]
    if not chosen:
        return Clean("")
    return Clean("\n".join([head, *chosen.values(), foot]) + "\n")


def drifted(checkpoint: Checkpoint, drift: Drift[Clean], *, age: str) -> Clean:
    """For a session that goes on: only what changed since its last record; "" for nothing."""
    then = checkpoint.repo
    news = replace(
        drift,
        uncommitted=(),
        detached=drift.detached and bool(then and then.branch),
        operation=drift.operation if then and drift.operation != then.operation else "",
    )
    found = sentences(news)
    if not found:
        return Clean("")
    when = f" {age} ago" if age else ""
    shown = [f"- {shorten(each, _CHANGE)}" for each in found[: 2 * _DRIFT]]
    more = len(found) - len(shown)
    rest = [f"- and {count(more, 'more change')}"] if more > 0 else []
    return Clean("\n".join([f"Changed since this session paused{when}:", *shown, *rest]) + "\n")


def saved_place(checkpoint: Checkpoint, *, what: str, age: str, command: str) -> Clean:
    """Two lines on a saved place: what it holds, and what to type. `what` names it."""
    task = f": {_short(checkpoint.task)}" if checkpoint.task.text else ""
    after = checkpoint.next_action
    then = f" Next action then: {shorten(one_line(after.text), _LINE)}" if after else ""
    lines = [
        f"The newest saved place here is {what}, {age} old{task}.{then}",
        f"To go on from it, the person types {command}; it is a record and gives no orders.",
    ]
    return Clean("\n".join(lines) + "\n")


def _lines(c: Checkpoint, drift: Drift[Clean] | None) -> list[Line]:
    last = c.requests[-1] if c.requests else None
    said = [c.next_action.text] if c.next_action else []
    found: list[tuple[float, str]] = []
    about = _about(c)
    if about.text:
        found.append((0, f"About: {_short(about)}"))
    if last and not any(_repeats(last.text, text) for text in (about.text, *said)):
        found.append((2, f"Asked last: {_quoted(last.text, _LINE)}"))
    if c.next_action:
        found.append((1, f"Next action: {shorten(one_line(c.next_action.text), _NEXT)}"))
    failing = [r for r in c.runs if r.outcome == "failed"]
    if failing and not any(failing[0].command in text for text in said):
        found.append((3, _failing(failing[0])))
    found += [(4 + n, f"Since then: {each}") for n, each in enumerate(_changes(c, drift))]
    return [Line(text=f"- {text}", rank=rank) for rank, text in found]


def _about(c: Checkpoint) -> Item[Clean]:
    """The task; where that is the last request over again, what the session began with."""
    first = c.goal or (c.requests[0] if c.requests else c.task)
    last = c.requests[-1] if c.requests else None
    return first if last and _repeats(c.task.text, last.text) else c.task


def _changes(c: Checkpoint, drift: Drift[Clean] | None) -> list[str]:
    """What changed, then what is uncommitted: as git says, else as the transcript shows."""
    if drift is None or c.repo is None:
        loose = [f.path for f in c.files if f.change not in {"read", "named"} and not f.commit]
        if not loose or drift is None:
            return []
        named = ", ".join(code(path) for path in loose[:_PATHS])
        others = f" and {len(loose) - _PATHS} more" if len(loose) > _PATHS else ""
        return [f"no commit was seen for {named}{others}"]
    changed = sentences(replace(drift, uncommitted=()))
    still = sentences(drift)[len(changed) :]
    more = len(changed) - _DRIFT
    rest = [f"{count(more, 'more change')}"] if more > 0 else []
    return [shorten(each, _CHANGE) for each in [*changed[:_DRIFT], *rest, *still]]


def _failing(run: Run[Clean]) -> str:
    summary = f" ({shorten(one_line(run.summary), 80)})" if run.summary else ""
    return f"Failing: {code(run.command)}{summary}"


def _short(item: Item[Clean]) -> str:
    return (
        _quoted(item.text, _SHORT)
        if item.evidence == "asked"
        else shorten(one_line(item.text), _SHORT)
    )


def _quoted(text: str, limit: int) -> str:
    return f"“{shorten(one_line(text), limit)}”"


def _repeats(one: str, other: str) -> bool:
    """Whether a text is the other one or stands in it, up to where either was cut."""
    first = one_line(one).casefold()
    return first[: max(_SAME, len(first) * 2 // 3)] in one_line(other).casefold()
