"""The sections of a briefing in reading order, and those that need no module of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from onward.briefing import checks, earlier, files, status
from onward.briefing.budget import Line, Section
from onward.briefing.drift import sentences
from onward.briefing.lines import RANKS, TEXT, WHY, bullet, items, own
from onward.briefing.text import (
    code,
    fitted,
    indented,
    inline,
    is_list,
    one_line,
    shorten,
    tag,
)
from onward.briefing.tokens import characters_for
from onward.model import (
    PIPED,
    Checklist,
    Checkpoint,
    Clean,
    Drift,
    Item,
    Task,
)
from onward.requests import active, is_short

_COMMAND = 300
_WHOLE, _LONGER = 800, 2.5
"""Characters of a line of the note where there is room, and how much later they are bought."""
_ITEMS = (2, 5, 12)
"""Open items of a checklist that are told, in each of its lengths."""
_ALIKE = 120
"""Characters by which a message is known again."""
_CHECKS, _BACKGROUND = "## Checks", "## Started in the background, end not seen"
_COMMANDS = "## Commands, no failure seen at their last run"
_OF_COMMANDS = frozenset({_CHECKS, _BACKGROUND, _COMMANDS})
_AUTHORS = {"agent": "the agent", "client": "the client's summary"}
_TOGETHER = 3
"""Commands in a line."""
_LISTED, _LISTED_RANK = 0.1, 1.7
"""Share of the budget, and rank, of the agent's newest long message among the steps, of one with a
list unless the very last says little: most often it says what the next steps are.
"""
_STEPS, _STEPS_SUMMED_UP = 0.0075, 0.002
"""Last steps that are bought early, for each token of the budget; fewer where the agent ended its
turn with a message.
"""


def sections(
    c: Checkpoint, drift: Drift[Clean] | None, budget: int, *, continued: bool = False
) -> list[Section]:
    """Every section that has something to say. `continued`: next step and drift stand above it already."""
    every = [
        Section(
            heading="## Where it stopped",
            lines=tuple(status.lines(c, drift, budget, following=not continued)),
        ),
        Section(heading="## Note", lines=tuple(_note(c)), noun="note"),
        Section(heading="## Changed since then", lines=() if continued else tuple(_drift(drift))),
        Section(heading="## Tasks", lines=tuple(_tasks(c)), noun="completed task"),
        items("## Blockers", own(c.blockers), "blocker"),
        items("## Demands of the user", own(c.constraints), "constraint"),
        Section(heading=_CHECKS, lines=tuple(checks.checks(c)), noun="check"),
        Section(
            heading=_BACKGROUND,
            lines=tuple(_background(c)),
            noun="background command",
        ),
        Section(heading="## Last steps, oldest first", lines=tuple(_steps(c, budget)), noun="step"),
        Section(
            heading="## Commits",
            others="## Other commits",
            lines=tuple(_commits(c)),
            noun="git step",
        ),
        *files.sections(c, drift, budget),
        Section(heading=_COMMANDS, lines=tuple(_commands(c)), noun="command"),
        Section(
            heading="## Failed approaches", lines=tuple(checks.failed(c)), noun="failed approach"
        ),
        Section(heading="## Decisions of the user", lines=earlier.decisions(c), noun="decision"),
        Section(
            heading="## Earlier requests, newest first",
            lines=tuple(earlier.requests(c)),
            noun="earlier request",
        ),
        items("## Context", own(c.context), "context", "report"),
    ]
    folder = files.elsewhere(c)
    return [_nearer(section, folder) for section in every if section.lines]


def _nearer(section: Section, folder: str) -> Section:
    """The section with `…/` for the folder, where a path or "in" leads a code span; no command is
    changed, which must run as it stands.
    """
    if not folder:
        return section
    runs = section.heading in _OF_COMMANDS
    lines = (
        replace(
            line,
            text=_near(line.text, folder, runs=runs),
            longer=tuple((rank, _near(text, folder, runs=runs)) for rank, text in line.longer),
        )
        for line in section.lines
    )
    return replace(section, lines=tuple(lines))


def _near(text: str, folder: str, *, runs: bool) -> str:
    if not runs and not text.startswith("- Ran "):
        text = text.replace(f"`{folder}", f"`{files.ELSEWHERE}")
    for lead in ("in ", "In "):
        text = text.replace(f"{lead}`{folder[:-1]}`", f"{lead}`{files.ELSEWHERE}`")
    return text


# ------------------------------------------------------------------- note, drift, tasks


def _note(c: Checkpoint) -> Iterator[Line]:
    groups: tuple[tuple[str, Iterable[Item[Clean] | None]], ...] = (
        ("Task", [c.task if c.task.unverified else None]),
        ("Next", [c.next_action]),
        ("Blocker", c.blockers),
        ("Constraint", c.constraints),
        ("Decision", c.decisions),
        ("Do not repeat", c.dead_ends),
        ("Progress", reversed(c.progress)),
        ("Context", c.context),
    )
    for label, those in groups:
        written = (item for item in those if item is not None and item.author)
        # The first lines of each kind come before the files and checks, the last ones behind them.
        for n, item in enumerate(written):
            short, whole = (_noted(c, label, item, most) for most in (TEXT, _WHOLE))
            rank = RANKS["note"].at(n)
            longer = ((rank + _LONGER, whole),) if whole != short else ()
            yield Line(text=short, rank=rank, longer=longer)


def _noted(c: Checkpoint, label: str, item: Item[Clean], most: int) -> str:
    """A line of the note with at most so many characters; several next steps are a list."""
    why = f" (why: {shorten(one_line(item.why), most)})" if item.why else ""
    doubt = f" **unverified**: {one_line(item.unverified)}" if item.unverified else ""
    end = f"{why}{doubt}{tag(item.places[:1])}"
    said = f"- {label}, by {_AUTHORS.get(item.author or '', 'the user')}"
    told = [step for step in item.text.splitlines() if step.strip()]
    if item is not c.next_action or len(told) < 2:
        return f"{said}: {shorten(one_line(item.text), most)}{end}"
    steps = (f"  {n}. {shorten(one_line(step), TEXT)}" for n, step in enumerate(told, 1))
    return "\n".join((f"{said}{end}:", *steps))


def _drift(drift: Drift[Clean] | None) -> Iterator[Line]:
    # What is still uncommitted has not changed: it stands among the files.
    for n, sentence in enumerate(sentences(replace(drift, uncommitted=())) if drift else ()):
        yield Line(text=f"- {sentence}", rank=RANKS["change"].at(n))


def _tasks(c: Checkpoint) -> Iterator[Line]:
    """Open tasks whatever their number, then the completed ones, all or none: some would look like all."""
    left = [task for task in c.tasks if task.status != "completed"]
    for n, task in enumerate(left):
        yield Line(text=task_line(task), rank=RANKS["open task"].at(n))
    done = [task_line(task) for task in c.tasks if task.status == "completed"]
    if done:
        if older := status.stale(c.tasks, c):
            done.insert(0, f"- Completed{older}:")
        yield Line(
            text="\n".join(done), rank=RANKS["done task"].first, count=len(c.tasks) - len(left)
        )
    yield from map(_checklist, c.checklists)


def _checklist(each: Checklist[Clean]) -> Line:
    """The first open items of a list in a file, in several lengths."""
    left = each.total - each.done
    told = f"{left} of the {each.total} items seen are open" if left else f"all {each.total} ticked"
    told += "" if each.ticked or not left else ", none was ticked in this session"
    lead = f"- Checklist {code(each.path)}: {told}{tag(each.places)}"
    items = [f"“{shorten(one_line(title), WHY)}”" for title in each.open]
    forms = [f"{lead}; first {'; '.join(items[:most])}" for most in _ITEMS] if items else [lead]
    rank = RANKS["checklist" if each.ticked and left else "unticked"].first
    longer = ((rank + 4 * n, form) for n, form in enumerate(forms[1:], 1))
    return Line(text=forms[0], rank=rank, longer=tuple(longer), count=0)


def task_line(task: Task[Clean]) -> str:
    """`- [ ] TASK_003 Fix the login (in progress): what is known of it`."""
    mark = {"completed": "[x]", "in_progress": "[~]", "pending": "[ ]"}[task.status]
    name = f"{task.id} " if task.id else ""
    doing = " (in progress)" if task.status == "in_progress" else ""
    doing += f", shown as {inline(task.doing, WHY)}" if task.doing else ""
    context = f": {shorten(one_line(task.context), WHY)}" if task.context else ""
    return f"- {mark} {name}{one_line(task.title)}{doing}{context}"


def _background(c: Checkpoint) -> Iterator[Line]:
    for n, item in enumerate(c.background):
        text = f"- {code(shorten(one_line(item.text), _COMMAND))}{checks.where(item.why)}{tag(item.places)}"
        yield Line(text=text, rank=RANKS["background"].at(n))


# ------------------------------------------------------------- steps, commits, commands


def _steps(c: Checkpoint, budget: int) -> Iterator[Line]:
    above, early = one_line(_answered(c))[:_ALIKE], _early(c, budget)
    request = c.requests[active(c.requests)] if c.requests else None
    asked = request.places if request else ()
    # It may stand above, in full if there was room: here a line of it is enough.
    before = one_line((request and request.about) or "")[:_ALIKE]
    words = {place: request.text for request in c.requests for place in request.places}
    brief = c.closing is not None and is_short(c.closing.text)
    said = (
        n
        for n, i in enumerate(c.trail)
        if i.evidence == "claimed" and i.why and (brief or is_list(i.why))
    )
    listed = max(said, default=-1)
    # What was done, and how it ended, says more than what the agent said it would do.
    short = {n for n, i in enumerate(c.trail) if i.evidence == "claimed" and not i.why}
    # What the user said stands above too, or among the requests.
    asks = {n for n, i in enumerate(c.trail) if i.evidence == "asked"}
    for at, item in enumerate(c.trail):
        back = len(c.trail) - 1 - at
        told = back - sum(n > at for n in (short if at in asks else short | asks))
        late = (told < early and at not in short) or (brief and at == listed)
        rank = RANKS["step" if late else "older step"].at(back)
        who = "The agent: " if item.evidence == "claimed" else ""
        if _begins(item, above):
            continue  # it stands above
        if item.evidence == "asked" and set(item.places) & set(asked):
            shown = f"- The user: (the active request){tag(item.places[:1])}"
            yield Line(text=shown, rank=rank)
            continue
        lead, where = f"- {who}{one_line(item.text)}", tag(item.places[:1])
        whole = (
            f"- {who.strip() or one_line(item.text)}{where}\n{indented(item.why)}"
            if item.why and not _begins(item, before)
            else ""
        )
        longer = ((max(rank + 1, RANKS["message"].at(back)), whole),) if whole else ()
        if at == listed and item.why and whole:
            room = characters_for(item.why, budget * _LISTED)
            shorter = f"- {who.strip()}{where}\n{indented(fitted(item.why, room))}"
            longer = ((max(rank + 0.01, _LISTED_RANK), shorter), *longer)
        facts = _progress_in(item, c)
        if item.evidence == "asked":
            facts = frozenset(p for p in item.places if inline(words.get(p, ""), TEXT) in item.text)
        yield Line(text=lead + where, rank=rank, longer=longer, facts=facts)


def _early(c: Checkpoint, budget: int) -> int:
    """How many of the last steps are bought early."""
    summed_up = c.closing is not None and c.status.kind in {"finished", "waiting", "background"}
    return max(3, int(budget * (_STEPS_SUMMED_UP if summed_up else _STEPS)))


def _answered(c: Checkpoint) -> str:
    """The agent's message that the active request answers, where it is sure to stand above."""
    if not c.requests:
        return ""
    request = c.requests[active(c.requests)]
    told = is_short(request.text) or status.is_unanswered(c)
    return (request.about or "") if told else ""


def _begins(item: Item[Clean], text: str) -> bool:
    """Whether a step is the message that begins with this text."""
    return bool(text) and item.why is not None and one_line(item.why)[:_ALIKE] == text


def _commits(c: Checkpoint) -> Iterator[Line]:
    """Commits, pushes and other progress of the record, newest first."""
    found = {item.text: item for item in own(c.progress)}
    for n, item in enumerate(reversed(found.values())):
        rank = RANKS["commit"].at(n)
        yield Line(text=bullet(item), rank=rank, facts=frozenset({item.text}))


def _progress_in(step: Item[Clean], c: Checkpoint) -> frozenset[str]:
    """The lines of progress that a step consists of; none where it tells more than these."""
    found = [item.text for item in own(c.progress) if item.text in step.text]
    rest: str = step.text
    for text in sorted(found, key=len, reverse=True):
        rest = rest.replace(text, "")
    return frozenset() if rest.strip("; ") else frozenset(found)


def _commands(c: Checkpoint) -> Iterator[Line]:
    """Commands exactly as they ran, without those that stand among the checks."""
    runs = {(run.command, run.cwd or "") for run in c.runs}
    bare = {f"cd {cwd} && {command}" if cwd else command for command, cwd in runs}
    shown = [item for item in c.commands if item.text not in bare and len(item.text) <= _COMMAND]
    numbered = list(enumerate(shown))
    piped = [each for each in numbered if each[1].template == PIPED]
    plain = [each for each in numbered if each not in piped]
    for lead, those in (("", plain), ("Behind a pipe, so the exit status is unknown: ", piped)):
        for start in range(0, len(those), _TOGETHER):
            group = those[start : start + _TOGETHER]
            told = "; ".join(code(i.text) + _purpose(i) + tag(i.places[:1]) for _, i in group)
            rank = RANKS["command"].at(group[0][0] // _TOGETHER)
            yield Line(text=f"- {lead}{told}", rank=rank, count=len(group))


def _purpose(item: Item[Clean]) -> str:
    return f" ({shorten(one_line(item.why), 100)})" if item.why else ""
