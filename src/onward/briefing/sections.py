"""The sections of a briefing in reading order, each line with the rank at which it is bought."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from onward import paths
from onward.briefing import files, status
from onward.briefing.budget import Line, Section
from onward.briefing.drift import sentences
from onward.briefing.text import (
    code,
    count,
    first_words,
    fitted,
    inline,
    is_list,
    one_line,
    quote,
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
    Failure,
    Item,
    Request,
    Run,
    Task,
)
from onward.requests import SHORT, active, extent, is_reply, is_short, is_telling, leading

_TEXT, _WHY = 320, 200
"""Characters of a line and of the reason behind it; the place has the rest."""
_COMMAND = 300
_REPEATED, _CHANGED, _ERROR, _FEW, _LATER = 3, 3, 120, 2, 4.5
"""Series of failures, changes of each, characters of an error; few failures, and their later rank."""
_ITEMS = (2, 5, 12)
"""Open items of a checklist that are told, in each of its lengths."""
_SUMMARY = 80
"""Characters of a summary beside a check that passed; a longer one is not told."""
_ALIKE = 120
"""Characters by which a message is known again."""
_CHECKS, _BACKGROUND = "## Checks", "## Running in the background when the session ended"
_COMMANDS = "## Commands, no failure seen at their last run"
_OF_COMMANDS = frozenset({_CHECKS, _BACKGROUND, _COMMANDS})
_PINNED = 3
"""Refusals with words that are bought before most else."""
_AUTHORS = {"agent": "the agent", "client": "the client's summary"}
_TOGETHER = 3
"""Commands, and checks that ended alike, in a line."""


_NEXT_REQUEST = 1.2
"""Rank of the newest earlier request where those that stand above are short."""
_SAME_TURN = 1.25
"""Rank of those that were asked in the same turn as the active one."""
_ABOUT = 160
"""Characters of the message that a short request answers."""
_FIRST_REQUEST = 4.0
"""Rank of the session's first request: most often it says what the whole is for."""


_LISTED, _LISTED_RANK = 0.1, 1.7
"""Share of the budget, and rank, of the agent's newest long message among the steps, of one with a
list unless the very last says little: most often it says what the next steps are.
"""


class _Rank(NamedTuple):
    """Rank of the first line of a kind, and how much later each further one is bought."""

    first: float
    step: float

    def at(self, number: int) -> float:
        return self.first + self.step * number


_RANKS = {
    "open task": _Rank(0.1, 0.001),
    "done task": _Rank(25.0, 1.0),
    "checklist": _Rank(0.5, 0.0),
    "unticked": _Rank(7.0, 0.0),
    "note": _Rank(0.3, 0.05),
    "change": _Rank(1.0, 0.3),
    "step": _Rank(1.4, 0.1),
    "older step": _Rank(5.5, 0.3),
    "message": _Rank(5.2, 0.8),
    "failed": _Rank(0.9, 0.5),
    "passed": _Rank(1.3, 0.15),
    "cut off": _Rank(1.45, 0.5),
    "unseen": _Rank(3.0, 0.8),
    "background": _Rank(1.2, 0.5),
    "failure": _Rank(1.5, 0.8),
    "old failure": _Rank(3.2, 0.8),
    "blocker": _Rank(1.1, 0.5),
    "commit": _Rank(2.4, 0.4),
    "command": _Rank(1.6, 1.2),
    "dead end": _Rank(2.3, 1.0),
    "decision": _Rank(2.5, 0.5),
    "approved": _Rank(1.9, 0.0),
    "earlier": _Rank(1.9, 0.2),
    "earlier reply": _Rank(4.5, 1.0),
    "ended": _Rank(4.9, 1.0),
    "context": _Rank(9.0, 2.0),
    "constraint": _Rank(0.9, 0.3),
}
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
        _items("## Blockers", _own(c.blockers), "blocker"),
        _items("## Demands of the user", _own(c.constraints), "constraint"),
        Section(heading=_CHECKS, lines=tuple(_checks(c)), noun="check"),
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
        Section(heading="## Failed approaches", lines=tuple(_failed(c)), noun="failed approach"),
        Section(heading="## Decisions of the user", lines=_decisions(c), noun="decision"),
        Section(
            heading="## Earlier requests, newest first",
            lines=tuple(_earlier(c)),
            noun="earlier request",
        ),
        _items("## Context", _own(c.context), "context", "report"),
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


def bullet(item: Item[Clean]) -> str:
    """`- text: reason [claimed t:541]`."""
    why = f" ({shorten(one_line(item.why), _WHY)})" if item.why else ""
    doubt = f" (unverified: {shorten(one_line(item.unverified), _WHY)})" if item.unverified else ""
    return f"- {shorten(one_line(item.text), _TEXT)}{why}{doubt}{tag(item.places, item.evidence)}"


def _own(items: Iterable[Item[Clean]]) -> list[Item[Clean]]:
    """The lines of the record, without those of the note."""
    return [item for item in items if not item.author]


def _items(heading: str, items: Iterable[Item[Clean]], kind: str, noun: str = "") -> Section:
    lines = []
    for n, item in enumerate(items):
        rank = _RANKS[kind].at(n)
        text = bullet(item)
        whole = f"- {one_line(item.text)}{tag(item.places, item.evidence)}"
        longer = ((rank + 6, whole),) if len(whole) > len(text) else ()
        lines.append(Line(text=text, rank=rank, longer=longer))
    return Section(heading=heading, lines=tuple(lines), noun=noun or kind)


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
    written = [(label, i) for label, items in groups for i in items if i is not None and i.author]
    for n, (label, item) in enumerate(written):
        why = f" (why: {shorten(one_line(item.why), 400)})" if item.why else ""
        doubt = f" **unverified**: {one_line(item.unverified)}" if item.unverified else ""
        end = f"{why}{doubt}{tag(item.places[:1])}"
        said = f"- {label}, by {_AUTHORS.get(item.author or '', 'the user')}"
        told = [step for step in item.text.splitlines() if step.strip()]
        if item is c.next_action and len(told) > 1:
            listed = "\n".join(
                f"  {n}. {shorten(one_line(x), _TEXT)}" for n, x in enumerate(told, 1)
            )
            text = f"{said}{end}:\n{listed}"
        else:
            text = f"{said}: {shorten(one_line(item.text), 800)}{end}"
        yield Line(text=text, rank=_RANKS["note"].at(n))


def _drift(drift: Drift[Clean] | None) -> Iterator[Line]:
    # What is still uncommitted has not changed: it stands among the files.
    for n, sentence in enumerate(sentences(replace(drift, uncommitted=())) if drift else ()):
        yield Line(text=f"- {sentence}", rank=_RANKS["change"].at(n))


def _tasks(c: Checkpoint) -> Iterator[Line]:
    """Open tasks whatever their number, then the completed ones, all or none: some would look like all."""
    left = [task for task in c.tasks if task.status != "completed"]
    for n, task in enumerate(left):
        yield Line(text=task_line(task), rank=_RANKS["open task"].at(n))
    done = [task_line(task) for task in c.tasks if task.status == "completed"]
    if done:
        if older := status.stale(c.tasks, c):
            done.insert(0, f"- Completed{older}:")
        yield Line(
            text="\n".join(done), rank=_RANKS["done task"].first, count=len(c.tasks) - len(left)
        )
    yield from map(_checklist, c.checklists)


def _checklist(each: Checklist[Clean]) -> Line:
    """The first open items of a list in a file, in several lengths."""
    left = each.total - each.done
    told = f"{left} of the {each.total} items seen are open" if left else f"all {each.total} ticked"
    told += "" if each.ticked or not left else ", none was ticked in this session"
    lead = f"- Checklist {code(each.path)}: {told}{tag(each.places)}"
    items = [f"“{shorten(one_line(title), _WHY)}”" for title in each.open]
    forms = [f"{lead}; first {'; '.join(items[:most])}" for most in _ITEMS] if items else [lead]
    rank = _RANKS["checklist" if each.ticked and left else "unticked"].first
    longer = ((rank + 4 * n, form) for n, form in enumerate(forms[1:], 1))
    return Line(text=forms[0], rank=rank, longer=tuple(longer), count=0)


def task_line(task: Task[Clean]) -> str:
    """`- [ ] TASK_003 Fix the login (in progress): what is known of it`."""
    mark = {"completed": "[x]", "in_progress": "[~]", "pending": "[ ]"}[task.status]
    name = f"{task.id} " if task.id else ""
    doing = " (in progress)" if task.status == "in_progress" else ""
    context = f": {shorten(one_line(task.context), _WHY)}" if task.context else ""
    return f"- {mark} {name}{one_line(task.title)}{doing}{context}"


# ------------------------------------------------------------------------------- checks


def _checks(c: Checkpoint) -> Iterator[Line]:
    """Failures each with its decisive lines, then what passed, then what is unknown; newest first."""
    edited = (f for f in c.files if f.added or f.removed)
    if not c.runs and not c.failures and not all(paths.prose(f.to or f.path) for f in edited):
        told = "- No run of a test, build, lint or type check was recognised in this session"
        yield Line(text=told, rank=_RANKS["passed"].at(0), count=0)
    for n, run in enumerate(r for r in c.runs if r.outcome == "failed"):
        of_it = (f for f in c.failures if (f.command, f.cwd) == (run.command, run.cwd))
        lines = [_failure(run), *(_series(each, run) for each in of_it)]
        yield Line(text="\n  -".join(lines), rank=_RANKS["failed"].at(n))
    yield from _grouped("passed", [r for r in c.runs if r.outcome == "passed"], "passed")
    unseen = [run for run in c.runs if run.outcome == "unseen"]
    # One of which it is known why it did not end says more.
    yield from _grouped("result unknown", [run for run in unseen if run.summary], "cut off")
    yield from _grouped("result unknown", [run for run in unseen if not run.summary], "unseen")


def _failure(run: Run[Clean]) -> str:
    summary = f": {shorten(one_line(run.summary), 160)}" if run.summary else ""
    head = f"- {_what(run)}{_in(run.cwd)} FAILED{summary}{_since(run)}{tag(run.places[:1])}"
    decisive = [line for line in run.decisive if line != run.summary][:4]
    return "\n".join([head, *(f"  - {shorten(one_line(line), 200)}" for line in decisive)])


def _series(failure: Failure[Clean], run: Run[Clean] | None = None) -> str:
    """How often a command failed, how that ended, what was changed, and its errors but for those of
    the last run.
    """
    worked, told = failure.outcome == "passed", {run.summary, *run.decisive} if run else set()
    ended = f", then worked{tag(failure.places[2:])}" if worked else ", not seen to work since"
    changed = [*map(code, failure.changed[:_CHANGED])]
    changed += [f"{len(failure.changed) - _CHANGED} more"] * (len(failure.changed) > _CHANGED)
    errors = [shorten(one_line(line), _ERROR) for line in failure.lines if line not in told]
    edits = f"; changed {'before that' if worked else 'in between'}: {', '.join(changed)}"
    said = f"; errors: {'; '.join(errors)}" if errors else ""
    where = tag(failure.places[:2])
    return f" failed {failure.times} times{where}{ended}{edits if changed else ''}{said}"


def _grouped(ended: str, runs: list[Run[Clean]], kind: str) -> Iterator[Line]:
    """Checks of one folder that ended alike, a few in a line, each with its place."""
    number = 0
    for folder in dict.fromkeys(run.cwd for run in runs):
        mine = [run for run in runs if run.cwd == folder]
        for start in range(0, len(mine), _TOGETHER):
            group = mine[start : start + _TOGETHER]
            told = "; ".join(_counted(run, ended) for run in group)
            text = f"- In {code(folder)}: {told}" if folder else f"- {told}"
            yield Line(text=text, rank=_RANKS[kind].at(number), count=len(group))
            number += 1


def _counted(run: Run[Clean], ended: str) -> str:
    summary = one_line(run.summary or "") if run.kind == "test" or ended != "passed" else ""
    told = f" ({summary})" if 0 < len(summary) <= _SUMMARY else ""
    if run.outcome == "unseen" and summary:
        ended, told = shorten(summary, _ERROR), ""
    again = run.outcome == "passed" and run.places[1:]
    unknown = f", run again since, result unknown{tag(again[:1])}" if again else ""
    return f"{_what(run)}: {ended}{told}{_since(run)}{tag(run.places[:1])}{unknown}"


def _what(run: Run[Clean]) -> str:
    return f"{'hooks of ' if run.kind == 'other' else ''}{code(run.command)}"


def _since(run: Run[Clean]) -> str:
    # An edit of a document undoes no pass: it is not counted there.
    noun = "edit" if run.outcome == "failed" else "code edit"
    since = f", {count(run.edits_after, noun)} since" if run.edits_after else ""
    return run.by + since


def _in(folder: str | None) -> str:
    return f" in {code(folder)}" if folder else ""


def _background(c: Checkpoint) -> Iterator[Line]:
    for n, item in enumerate(c.background):
        text = f"- {code(shorten(one_line(item.text), _COMMAND))}{_in(item.why)}{tag(item.places)}"
        yield Line(text=text, rank=_RANKS["background"].at(n))


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
        rank = _RANKS["step" if late else "older step"].at(back)
        who = "The agent: " if item.evidence == "claimed" else ""
        if _begins(item, above):
            continue  # it stands above
        if item.evidence == "asked" and set(item.places) & set(asked):
            shown = f"- The user: (the active request){tag(item.places[:1])}"
            yield Line(text=shown, rank=rank)
            continue
        lead, where = f"- {who}{one_line(item.text)}", tag(item.places[:1])
        whole = (
            f"- {who.strip() or one_line(item.text)}{where}\n{_indented(item.why)}"
            if item.why and not _begins(item, before)
            else ""
        )
        longer = ((max(rank + 1, _RANKS["message"].at(back)), whole),) if whole else ()
        if at == listed and item.why and whole:
            room = characters_for(item.why, budget * _LISTED)
            shorter = f"- {who.strip()}{where}\n{_indented(fitted(item.why, room))}"
            longer = ((max(rank + 0.01, _LISTED_RANK), shorter), *longer)
        facts = _progress_in(item, c)
        if item.evidence == "asked":
            facts = frozenset(
                p for p in item.places if inline(words.get(p, ""), _TEXT) in item.text
            )
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


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in quote(text).splitlines())


def _commits(c: Checkpoint) -> Iterator[Line]:
    """Commits, pushes and other progress of the record, newest first."""
    own = {item.text: item for item in _own(c.progress)}
    for n, item in enumerate(reversed(own.values())):
        rank = _RANKS["commit"].at(n)
        yield Line(text=bullet(item), rank=rank, facts=frozenset({item.text}))


def _progress_in(step: Item[Clean], c: Checkpoint) -> frozenset[str]:
    """The lines of progress that a step consists of; none where it tells more than these."""
    found = [item.text for item in _own(c.progress) if item.text in step.text]
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
            rank = _RANKS["command"].at(group[0][0] // _TOGETHER)
            yield Line(text=f"- {lead}{told}", rank=rank, count=len(group))


def _purpose(item: Item[Clean]) -> str:
    return f" ({shorten(one_line(item.why), 100)})" if item.why else ""


# ---------------------------------------------------- failed approaches, words of the user


def _failed(c: Checkpoint) -> Iterator[Line]:
    failing = {(run.command, run.cwd) for run in c.runs if run.outcome == "failed"}
    repeated = [f for f in c.failures if (f.command, f.cwd) not in failing]
    for n, failure in enumerate(repeated[:_REPEATED]):
        # What was tried before it worked is as good to know later on.
        worked = failure.outcome == "passed"
        late = worked or status.is_late(failure.places, c)
        rank = _RANKS["failure" if late else "old failure"].at(n)
        rank += _LATER if worked and failure.times <= _FEW else 0
        what = f"- {code(shorten(failure.command, _COMMAND))}{_in(failure.cwd)}"
        yield Line(text=what + _series(failure), rank=rank)
    for n, item in enumerate(_own(c.dead_ends)):
        if item.evidence == "asked" and item.why:
            # What the user refused with words, and the agent did not do since, holds on.
            said = "; then they wrote" if item.places[1:] else ", saying"
            told = f"- {shorten(one_line(item.text), _TEXT)}{said} {inline(item.why, _WHY)}"
            told += tag(item.places, item.evidence)
            kind = "constraint" if n < _PINNED else "dead end"
            # The same refusal stands among the decisions.
            same = frozenset(item.places[:1])
            yield Line(text=told, rank=_RANKS[kind].at(n), facts=same)
        else:
            yield Line(text=bullet(item), rank=_RANKS["dead end"].at(n))


def _decisions(c: Checkpoint) -> tuple[Line, ...]:
    """The newest plan that was approved is bought early: later requests may still be a part of it."""
    # What the user said last, and the plan, stand above.
    latest = (
        (c.requests[leading(c.requests)], *c.requests[active(c.requests) :]) if c.requests else ()
    )
    above = {place for r in latest for place in r.places[:1]} | set(c.plan.places if c.plan else ())
    # What the user wrote right after a refusal stands with that.
    above |= {place for item in c.dead_ends for place in item.places[1:]}
    decided = [item for item in _own(c.decisions) if not above & set(item.places)]
    lines = list(_items("", decided, "decision").lines)
    at = next((n for n, item in enumerate(decided) if item.template == "approved plan"), None)
    if at is not None:
        lines[at] = replace(lines[at], rank=_RANKS["approved"].first, longer=())
    # What was refused with words holds on; an answer is most often carried out by now.
    refused = [n for n, item in enumerate(decided) if item.template == "refusal"]
    for later, n in enumerate(refused):
        lines[n] = replace(lines[n], rank=_RANKS["decision"].at(later))
        place = frozenset(decided[n].places[:1])
        if any(place <= set(each.places) for each in c.dead_ends):
            lines[n] = replace(lines[n], longer=(), facts=place)
    return tuple(lines)


def _earlier(c: Checkpoint) -> Iterator[Line]:
    """What the user asked before, each with the agent's last message before the next request, which
    may be an interim one: a turn can end in mid-work.
    """
    decided = {place for item in c.decisions for place in item.places}
    above = c.requests[leading(c.requests)] if c.requests else None
    stopped = {p for item in c.decisions if item.template == "interruption" for p in item.places}
    before = [r for r in c.requests[: max(active(c.requests), 0)] if r is not above]
    before = [r for r in before if not stopped & set(r.places)]
    now = c.requests[active(c.requests)].text if c.requests else ""
    before = [r for r in before if not _is_told_apart(r, decided) and r.text != now]
    before = [r for r in before if r.ended or not is_reply(r.text)]
    before = [r for r in before if any(map(str.isalnum, r.text))]  # but for "?"
    # Of those that say the same, word by word, the last stands; of those that only begin alike and
    # led to nothing too: they were sent again.
    before = [r for r in before if r.changes or r.text[:_ALIKE] != now[:_ALIKE]]
    said = {r.text if r.changes else r.text[:_ALIKE]: n for n, r in enumerate(before)}
    newest = sorted(said.values(), reverse=True)
    opening = next((r for r in before if is_telling(r.text)), None)
    messages = {item.why or item.text for item in c.trail}
    little = above is not None and extent(above.text)[1] < 2 * SHORT
    at = (n for n in newest if is_telling(before[n].text))
    # The newest that says much, else the newest that says anything, leads where those above are short.
    lead = next((n for n in newest if not is_short(before[n].text)), next(at, -1)) if little else -1
    running = _same_turn(c.requests)
    # What was carried out says more of the work than what was answered.
    order = sorted(newest, key=lambda n: not before[n].changes)
    for number in newest:
        request, n = before[number], order.index(number)
        kind = "earlier" if is_telling(request.text) else "earlier reply"
        rank = min(_RANKS[kind].at(n), _FIRST_REQUEST if request is opening else 99)
        rank = min(rank, _SAME_TURN if request.places[:1] in running else 99)
        rank = min(rank, _NEXT_REQUEST) if number == lead else rank
        later = max(rank + 1, _RANKS["ended"].at(n))
        ended = request.ended if request.ended not in messages else None
        where = tag(request.places[:1])
        head = f"{where}{_answering(request)}"
        forms = {f"- {inline(request.text, 110)}{head}": rank}
        forms.setdefault(f"- {inline(request.text, 200)}{head}", rank + 0.8)
        if ended:
            forms[f"- {inline(request.text, 200)}{head}\n  last message: {_end(ended, 240)}"] = (
                later
            )
        if len(request.text) > 200 or len(ended or "") > 240:
            longest = f"- {inline(request.text, 1200)}{head}"
            longest += f"\n  last message:\n{_indented(fitted(ended, 1200))}" if ended else ""
            forms.setdefault(longest, later + 6)
        (text, first), *longer = forms.items()
        facts = frozenset() if ended else frozenset(request.places)
        more = tuple((at, form) for form, at in longer)
        yield Line(text=text, rank=first, longer=more, facts=facts)


def _answering(request: Request[Clean]) -> str:
    """The end of the message that a short request answers, without which it says nothing."""
    lines = [line for line in (request.about or "").splitlines() if any(map(str.isalpha, line))]
    short = not is_telling(request.text) and request.source not in {"answer", "refusal"}
    return f", answering {inline(lines[-1], _ABOUT)}" if short and lines else ""


def _same_turn(requests: Sequence[Request[Clean]]) -> set[tuple[str, ...]]:
    """The places of those that the agent was at work on when the active one was written, but for replies."""
    at = max(active(requests), 0)
    while at and requests[at].source == "queued":
        at -= 1
    return {r.places[:1] for r in requests[at : active(requests)] if not is_reply(r.text)}


def _is_told_apart(request: Request[Clean], decided: set[str]) -> bool:
    """Whether it stands among the decisions, or only the client answered (`/plugin list`)."""
    if request.source == "command":
        return not request.ended
    return request.source in {"answer", "refusal"} and bool(decided & set(request.places))


def _end(text: str, limit: int) -> str:
    return f"“{first_words(one_line(text), limit)}”"
