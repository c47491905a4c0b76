"""What a compaction is asked to keep: facts, one a line, for a model that writes a summary.

Part of the briefing's room. It trusts what it is given: `commands.keep` takes out of a
checkpoint all that the person did not say and the agent did not do itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from onward.brief.select import Line, Part, choose
from onward.brief.text import code, count, one_line, shorten
from onward.model import Checkpoint, Clean, Run

CHARACTERS = 2400
_HEAD = "Facts recorded by onward from this session's transcript; keep them in the summary:"
_LAST, _EARLIER, _WORDS = 500, 200, 240  # characters of the person's words
_REQUESTS, _RULES, _COMMANDS, _FILES = 3, 5, 5, 15


def keep(checkpoint: Checkpoint) -> Clean:
    """The facts as Markdown, under 2,500 characters; "" where there are none."""
    found = Part(heading=_HEAD, lines=tuple(_lines(checkpoint)), noun="fact")
    chosen = choose([found], CHARACTERS, CHARACTERS)[0]
    if not chosen:
        return Clean("")
    return Clean("\n".join([_HEAD, *chosen.values()]) + "\n")


def _lines(c: Checkpoint) -> Iterator[Line]:
    last = c.requests[-1:]
    found = [(0, f"The person's last request: {_quoted(i.text, _LAST)}") for i in last]
    if c.next_action:
        found.append((1, f"Next action: {one_line(c.next_action.text)}"))
    found += [(2, _run(run)) for run in c.runs]
    for item in c.dead_ends[:_RULES]:
        words = f", saying {_quoted(item.why, _WORDS)}" if item.why else ""
        found.append((3, f"The person refused {code(item.text)}{words}"))
    found += [(4, f"The person said: {_quoted(i.text, _WORDS)}") for i in c.decisions[:_RULES]]
    if c.files:
        more = len(c.files) - _FILES
        rest = f" and {count(more, 'more file')}" if more > 0 else ""
        names = ", ".join(code(f.to or f.path) for f in c.files[:_FILES])
        found.append((3, f"Files edited and not committed: {names}{rest}"))
    said = {item.text for item in c.decisions}
    before = [item for item in c.requests[:-1][-_REQUESTS:] if item.text not in said]
    found += [(5, f"Asked before that: {_quoted(i.text, _EARLIER)}") for i in reversed(before)]
    for item in c.commands[:_COMMANDS]:
        found.append((6, f"Command that worked: {code(item.text)}"))
    for n, (rank, text) in enumerate(found):
        yield Line(text=f"- {text}", rank=rank + n / 100)


def _run(run: Run[Clean]) -> str:
    """A check by its command and how it ended, without a word of its output."""
    where = f" in {code(run.cwd)}" if run.cwd else ""
    since = f", {count(run.edits_after, 'edit')} ago" if run.edits_after else ""
    return f"Check {code(run.command)}{where}: {run.outcome}{since}"


def _quoted(text: str, limit: int) -> str:
    return f"“{shorten(one_line(text), limit)}”"
