"""What was said and done, and how it ended: the last steps of a session, and its timeline."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, takewhile
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.evidence import order_of
from onward.model import (
    Asked,
    Background,
    Compacted,
    Delegated,
    Edited,
    Event,
    Evidence,
    Halt,
    Interrupt,
    Item,
    Linked,
    Looked,
    Moved,
    Planned,
    Prompt,
    Ran,
    Refusal,
    Reply,
    Searched,
    Titled,
    TodoList,
    TurnEnded,
    Used,
)
from onward.record.checks import Check, checks, decisive, last_lines
from onward.record.commands import consulted, folder_of, is_looking
from onward.record.commits import Commits, git_words
from onward.record.conversation import act_line, refused
from onward.record.python import python_source
from onward.record.runners import clean, counts
from onward.record.shell import Command, split
from onward.record.text import bounded, code, command_line, one_line, quoted, vocabulary
from onward.record.written import written
from onward.slash_commands import is_ours

_KEPT = 80
"""Events of the main thread that are kept; of long outputs the reader has cut the middle."""
_MOST = 14
_WORDS = 70
"""Characters of the user's words, which stand whole among the requests."""
_MESSAGE, _WHOLE = 200, 1_200
"""Characters of an agent's message in the line, and of what is kept of it beside the line."""
_SNIPPET = 64
_COMMAND = 300
_LINE, _SHORT = 120, 12
_PARTS, _ROOM, _BEFORE = 5, 440, 120
"""Parts of one step that are told, their characters, and those of the names of the ones before."""
_HITS, _WROTE = 4, 3
_VERBS = {
    "edit": "Edited ",
    "new": "Wrote ",
    "look": "Inspected ",
    "seek": "Searched for ",
    "run": "Ran ",
    "helper": "Sub-agent: ",
}
_STATES = {
    "open": "result unknown",
    "interrupted": "interrupted by the user",
    "timeout": "timed out",
    "denied": "not permitted",
}
_AT = "\0"
"""Between a file and the place in it, in the key of an edit."""
_IDLE = vocabulary("mkdir touch chmod sleep cd export source set")
_SAYS = re.compile(r"\w{2}")
_CUT_OUTPUT = re.compile(
    r"\s{0,9}(?:2>&1\s{0,9})?\|\s{0,9}(?:head|tail)\b[^|;&\n]*$|\s{0,9}2>&1\s{0,9}$"
)
_SILENT = (Background, Compacted, Linked, Moved, Titled, TurnEnded)
"""Events that are no step."""


class Step(Struct, frozen=True, kw_only=True):
    """One step. `parts` are what was done, by what it was done to; steps of one kind are joined."""

    kind: str
    """`request`, `message`, `edit`, `new`, `look`, `seek`, `run`, `helper` or `act`."""
    parts: dict[str, str]
    place: str
    evidence: Evidence = "observed"
    folder: str = ""
    """Where commands ran, "" for the project's own folder."""
    whole: str = ""
    """The lines of a message that the step only begins to tell."""

    @property
    def group(self) -> tuple[str, str, str]:
        """What steps that are told as one have in common: kind, folder and thread."""
        return self.kind, self.folder, self.place.rpartition(":")[0]

    def item(self) -> Item[str]:
        """The step in a line."""
        every = list(self.parts.items())
        told = _last(every)
        where = f"in {code(self.folder)}: " if self.folder else ""
        between = ", " if self.kind in {"new", "look"} else "; "
        text = f"{_VERBS.get(self.kind, '')}{where}{between.join(_file_once(told))}"
        text += _earlier([key for key, _ in every[: len(every) - len(told)]], self.kind)
        return Item(text=text, evidence=self.evidence, places=(self.place,), why=self.whole or None)


class Steps:
    """Collects the last events that are steps of the work, of sub-agents edits and commands alone."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._events: deque[tuple[Event, tuple[Step, ...]]] = deque(maxlen=_KEPT)
        """Those of the main thread, each with what sub-agents did before it."""
        self._helped: deque[Step] = deque(maxlen=_KEPT)

    def see(self, event: Event, _at: int) -> None:
        """Keep what the user or the agent said and did."""
        if event.thread and isinstance(event, Edited | Ran):
            self._helped.extend(_by_helper(event, self._root))
        elif not event.thread and not isinstance(event, _SILENT):
            self._events.append((event, tuple(self._helped)))
            self._helped.clear()

    def items(self, closing: str = "") -> tuple[Item[str], ...]:
        """The last steps, oldest first, without the message that stands at `closing`."""
        steps = (step for step in _without_repeats(self._steps()) if step.place != closing)
        return tuple(step.item() for step in _joined(steps)[-_MOST:])

    def _steps(self) -> Iterator[Step]:
        told = ""
        # A call that never came back is known only at the end of the file.
        events = sorted(self._events, key=lambda each: order_of(each[0].place))
        tried = {path: event for event, _ in events for path in _tried(event, self._root)}
        for event, helped in events:
            yield from helped
            if isinstance(event, Used) and event.path and event not in tried.values():
                continue  # another edit of the file came after it
            if isinstance(event, Edited | Looked) and event.place == told:
                continue  # what the command changed or the search hit, in the client's own words
            told = event.place if isinstance(event, Ran | Searched) else told
            if step := step_of(event, self._root):
                yield step


def _tried(event: Event, root: str) -> Iterator[str]:
    """The files that an event changed, or failed to."""
    if isinstance(event, Edited | Used) and event.path:
        yield paths.relative(event.path, root)
    for each in written(event) if isinstance(event, Ran) else ():
        yield paths.relative(each.path, root)


def step_of(event: Event, root: str) -> Step | None:  # noqa: PLR0911 - one case a kind of event
    """The step that an event is; None where there is nothing to tell."""
    match event:
        case Prompt():
            who = "The agent above it" if event.source == "agent" else "The user"
            told = f"{who}: {quoted(one_line(event.text, _WORDS))}" if event.text.strip() else ""
            said: Evidence = "claimed" if event.source == "agent" else "asked"
            return _step("request", told or "The user sent an image", event, said)
        case Reply():
            return _message("", event.text, event)
        case Delegated():
            return _delegated(event)
        case Edited():
            return _edit(event, root)
        case Looked():
            path = paths.relative(event.path, root)
            told = code(path) + in_lines(*event.span)
            return Step(kind="look", parts={path: told}, place=event.place)
        case Searched():
            told = _searched(event, root)
            return Step(kind="seek", parts={event.pattern: told}, place=event.place)
        case Ran():
            return _ran(event, root)
        case _:
            told = _other(event, root)
            return _step("act", told, event) if told else None


def _by_helper(event: Edited | Ran, root: str) -> Iterator[Step]:
    """What a sub-agent changed or ran, each part with its verb; nothing of what it only looked at."""
    step = step_of(event, root)
    if step and step.kind != "look":
        mark = "" if isinstance(event, Edited) else "`"
        verb = _VERBS.get(step.kind, "").lower()
        verb += f"in {code(step.folder)}: " if step.folder else ""
        parts = {mark + key: verb + told for key, told in step.parts.items()}
        yield replace(step, kind="helper", parts=parts, folder="")


def _step(kind: str, told: str, event: Event, evidence: Evidence = "observed") -> Step:
    return Step(kind=kind, parts={told: told}, place=event.place, evidence=evidence)


def _message(lead: str, text: str, event: Event) -> Step | None:
    if not _SAYS.search(text):
        return None
    told = one_line(text, _MESSAGE)
    step = _step("message", lead + quoted(told), event, "claimed")
    return replace(step, whole="" if told == text.strip() else bounded(text, _WHOLE))


def _delegated(event: Delegated) -> Step | None:
    task = one_line(event.task.strip().partition("\n")[0], _WORDS)
    ended = {"done": "reported", "running": "still running", "failed": "failed"}[event.state]
    lead = f"Sub-agent {quoted(task)} {ended}"
    report = event.report if event.state == "done" else ""
    told = _message(f"{lead}: ", report, event)
    if told is None:
        return _step("act", lead, event)
    # At length too it must not read as the words of the agent itself.
    return replace(told, whole=f"{lead}:\n{told.whole}" if told.whole else "")


# ---------------------------------------------------------------------------- files


def _edit(event: Edited, root: str) -> Step:
    path = paths.relative(event.path, root)
    told = code(path)
    if event.change == "created":
        return Step(kind="new", parts={path: told}, place=event.place)
    if event.change == "renamed" and event.to:
        told += f" (renamed to {code(paths.relative(event.to, root))})"
    elif event.change != "edited":
        told += f" ({event.change})"
    else:
        told += _where(event)
    return Step(kind="edit", parts={f"{path}{_AT}{event.spans}": told}, place=event.place)


def _where(event: Edited) -> str:
    """` line 767: `if (found) {``: where, and the first line that was put in or taken out."""
    where = in_lines(event.spans[0][0], event.spans[-1][1]) if event.spans else ""
    line, gone = _first(event.text), _first(event.gone)
    if line:
        return f"{where}: {code(line, _SNIPPET)}"
    return f"{where}: removed {code(gone, _SNIPPET)}" if gone else where


def _first(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if _SAYS.search(line)), "")


def in_lines(first: int, last: int) -> str:
    """` line 7`, ` lines 7-9`, ` from line 7 on`; "" where neither is known."""
    if not last:
        return f" from line {first} on" if first > 1 else ""
    return f" line {last}" if first == last else f" lines {max(first, 1)}-{last}"


def _searched(event: Searched, root: str) -> str:
    where = paths.relative(event.where, root) if event.where else "."
    told = code(event.pattern) + ("" if where == "." else f" in {code(where)}")
    found = [line.removeprefix(f"{root}/") if root else line for line in event.found]
    kept = ", ".join(code(line, 90) for line in found[:_HITS])
    more = len(found) - min(len(found), _HITS) + event.more
    return f"{told}: {kept or 'nothing found'}" + (f" and {more} more" if more else "")


# ------------------------------------------------------------------------- commands


def _ran(ran: Ran, root: str) -> Step | None:
    """A command with how it ended; None for one that never ran or has nothing to tell."""
    commands = split(ran.command, ran.cwd)
    if ran.state == "cancelled" or not commands:
        return None
    doing = [c for c in commands if not is_looking(c) or c.writes]
    done = ran.state == "done" and not ran.background
    if done and not doing:
        # What only prints words of the agent's own has looked at nothing.
        prints = all(c.given or (c.words[:1] == ("echo",) and "$" not in c.text) for c in commands)
        return None if prints else _look(ran, root)
    if done and (found := [check for check in checks(ran, root) if check.kind != "other"]):
        folder = _folder(folder_of(found[-1].command), root)
        parts = {c.command.text: checked(c) for c in found}
        return Step(kind="run", parts=parts, place=ran.place, folder=folder)
    if done and all(c.words[:1] and (c.words[0] in _IDLE or c.writes) for c in doing):
        made = [paths.relative(w.to or w.path, root) for w in written(ran)]
        parts = {path: code(path) for path in made}
        return Step(kind="new", parts=parts, place=ran.place) if made else None
    if done and not ran.failed and (told := _git(ran)):
        return _step("act", "; ".join(told), ran)
    shown = shown_command(ran, root)
    ended = _ended(ran)
    parts = {shown: shown + _scripted(ran, doing, root) + (f": {ended}" if ended else "")}
    folder = "" if _goes_home(commands, root) else _folder(ran.cwd, root)
    return Step(kind="run", parts=parts, place=ran.place, folder=folder)


def _scripted(ran: Ran, doing: Sequence[Command], root: str) -> str:
    """The files that a Python script wrote, whose lines are not shown."""
    made = written(ran) if any(map(python_source, doing)) else ()
    named = dict.fromkeys(code(paths.relative(each.path, root)) for each in made)
    more = f" and {len(named) - _WROTE} more" if len(named) > _WROTE else ""
    return f" (changes {', '.join([*named][:_WROTE])}{more})" if named else ""


def _look(ran: Ran, root: str) -> Step:
    files = [paths.relative(path, root) for path in consulted(ran)]
    if files and not ran.failed:
        return Step(kind="look", parts={path: code(path) for path in files}, place=ran.place)
    shown = shown_command(ran, root)
    lines = [line for line in clean(ran.output).splitlines() if line.strip()]
    # Of several lines the last is as good as any, but for a log, whose first is the newest.
    commands = [c for c in split(ran.command, ran.cwd) if c.words[:1] != ("cd",)]
    logs = len(commands) == 1 and git_words(commands[0])[:1] == ("log",)
    logs = logs and "--reverse" not in commands[0].words
    line = one_line(lines[0], _LINE) if logs and lines else ""
    line = _short_output(ran) if len(lines) == 1 else line
    if ran.failed:
        status = f"exit {ran.exit_code}" if ran.exit_code else "failed"
        line = _ended(ran, looks=True) if lines else f"{status}, no output"
    return Step(kind="look", parts={shown: shown + (f" ({line})" if line else "")}, place=ran.place)


def checked(check: Check) -> str:
    """A check with its outcome and the line that proves it."""
    text = f"{code(check.command.text, _COMMAND)}: "
    if check.outcome == "unseen":
        return text + "result unknown"
    counted = check.summary if check.outcome == "failed" or counts(check.summary) else ""
    note = counted or next(iter(check.decisive), "")
    return text + check.outcome + (f" ({one_line(note, _LINE)})" if note else "")


def _ended(ran: Ran, *, looks: bool = False) -> str:
    if ran.state in _STATES:
        return _STATES[ran.state]
    if ran.background:
        return "started in the background"
    text = clean(ran.output)
    told = _git(ran)
    if ran.failed:
        line = next(iter(decisive(text)), "") or _first_and_last_line(text, last=looks)
        # What it printed last may have nothing to do with it; the status has.
        status = f" (exit {ran.exit_code})" if (ran.exit_code or 0) > 1 else ""
        told.append(f"failed{status}" + (f": {one_line(line, _LINE)}" if line else ""))
    elif not told:
        # A program may print errors and end well: `psql -f`.
        told += [one_line(line, _LINE) for line in decisive(text)[:1]]
        told += [line for line in [_short_output(ran)] if line and line not in told]
    return "; ".join(told)


def _first_and_last_line(text: str, *, last: bool) -> str:
    """The first and the last line of a short output, where a program says what went wrong; of a look,
    whose first lines are what it found, the last alone.
    """
    lines = last_lines(text, _SHORT + 1)
    shown = lines[-1:] if last or len(lines) > _SHORT else lines
    room = _LINE // min(len(shown), 2) if shown else 0
    ends = dict.fromkeys((*shown[:1], *shown[-1:]))
    return " … ".join(one_line(line, room) for line in ends)


def _short_output(ran: Ran) -> str:
    """The last line of an output if it is short enough to be told."""
    line = next(iter(last_lines(clean(ran.output))), "")
    return line if len(line) <= _LINE and _SAYS.search(line) else ""


def _git(ran: Ran) -> list[str]:
    """What git says that it did: commits, pushes, pull requests."""
    git = Commits()
    git.see(ran, 0)
    return [item.text for item in git.items()]


def _folder(cwd: str, root: str) -> str:
    folder = paths.relative(cwd, root)
    return "" if folder == "." or not root else folder


def _goes_home(commands: Sequence[Command], root: str) -> bool:
    """Whether a script begins with a `cd` to the project, which is not shown."""
    moves = len(commands) > 1 and commands[0].words[:1] == ("cd",)
    return moves and not _folder(commands[1].cwd, root) and commands[0].then in {"&&", ";"}


def shown_command(ran: Ran, root: str) -> str:
    """The command as it was typed, without the `cd` to the project and what only cuts the output."""
    text = ran.command.strip()
    commands = split(ran.command, ran.cwd)
    if _goes_home(commands, root):
        text = text.partition(commands[0].then)[2].strip() or text
    return command_line(_CUT_OUTPUT.sub("", text), _COMMAND)


# --------------------------------------------------------------------------- others


def _other(event: Event, root: str) -> str:  # noqa: PLR0911 - one case a kind of event
    """What was done beside commands and edits, in a line; "" for nothing."""
    match event:
        case Interrupt():
            at = f" during {act_line(event.act, root)}" if event.act else ""
            return f"The user interrupted the agent{at}"
        case Refusal():
            saying = f": {quoted(one_line(event.words, _MESSAGE))}" if event.words.strip() else ""
            if event.kind == "plan" and not saying:
                return f"No answer in words to {refused(event, root)}"
            return f"The user refused {refused(event, root)}{saying}"
        case Halt():
            return f"The session was cut off: {one_line(event.reason, _MESSAGE)}"
        case Planned():
            ended = {True: "approved by the user", False: "", None: "not answered yet"}
            told = ended[event.approved]
            return f"Presented a plan, {told}" if told else ""
        case Asked():
            each = (
                f"{one_line(q.text, _LINE)} {q.answer or '(no answer)'}" for q in event.questions
            )
            return f"Asked the user: {one_line('; '.join(each), _MESSAGE)}"
        case Used():
            if event.open:
                return (
                    f"Began {event.tool} {one_line(event.detail, _WORDS)}".rstrip() + ": no result"
                )
            if event.path:
                file = code(paths.relative(event.path, root))
                return f"Edit of {file} failed: {one_line(event.error, _LINE)}".rstrip(": ")
            failed = f": failed, {one_line(event.error, _WORDS)}" if event.error else ""
            return f"Used {event.tool} {one_line(event.detail, _WORDS)}".rstrip() + failed
        case _:
            return ""


# -------------------------------------------------------------------------- joining


def _joined(steps: Iterable[Step]) -> list[Step]:
    """What follows each other and is alike, as one step: edits, looks, commands of one folder."""
    out: list[Step] = []
    for step in steps:
        last = out[-1] if out and step.kind in _VERBS else None
        key, told = [*last.parts.items()][-1] if last and last.kind == "run" else ("", "")
        # The result behind the next command would be taken for that of one without any.
        untold = bool(key) and key == told
        if last is None or untold or step.group != last.group:
            out.append(step)
            continue
        before = {key: told for key, told in last.parts.items() if key not in step.parts}
        out[-1] = replace(last, parts={**before, **step.parts}, place=step.place)
    return out


def _without_repeats(steps: Iterator[Step]) -> Iterator[Step]:
    """Of the same command or look only the last time; looks only where nothing was done after."""
    later: set[tuple[str, str]] = set()  # to look at a file is not to write it
    out: list[Step] = []
    for step in reversed(list(steps)):
        looks = step.kind in {"look", "seek"}
        if looks and any(s.kind not in {"look", "seek", "message"} for s in out):
            continue
        parts = {k: told for k, told in step.parts.items() if (step.kind, k) not in later}
        later |= {(step.kind, k) for k in step.parts} if looks or step.kind == "run" else set()
        if parts:
            out.append(replace(step, parts=parts))
    return reversed(out)


def _last(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The last parts, as many as there is room for; the last one in any case."""
    room, kept = _ROOM, list[tuple[str, str]]()
    for key, told in reversed(parts[-_PARTS:]):
        room -= len(told)
        if room < 0 and kept:
            break
        kept.append((key, told))
    return kept[::-1]


def _file_once(parts: list[tuple[str, str]]) -> Iterator[str]:
    """What was done, a file named once for all that was done to it in a row."""
    before = ""
    for key, told in parts:
        path, found, _ = key.partition(_AT)
        yield told.removeprefix(f"{code(path)} ") if found and path == before else told
        before = path


def _earlier(keys: list[str], kind: str) -> str:
    """The parts for which there was no room: their files by name, the newest first."""
    if not keys:
        return ""
    named = [k.partition(_AT)[0] for k in keys if kind != "run" and not k.startswith("`")]
    files = [code(path.rpartition("/")[2]) for path in named]
    names = list(dict.fromkeys(reversed(files)))
    fit = list(takewhile(lambda told: len(told) <= _BEFORE, accumulate(names, "{}, {}".format)))
    left = len(keys) - sum(name in names[: len(fit)] for name in files)
    told = [f"before that {fit[-1]}"] if fit else []
    told += [f"{left} more before"] if left else []
    return "; " + " and ".join(told)


# ------------------------------------------------------------------------- timeline

Kind = Literal[
    "request", "message", "tasks", "edit", "check", "commit", "decision", "compaction", "stop"
]
_LONGEST = 4_000
"""Characters kept of a text."""


class Moment(Struct, frozen=True, kw_only=True):
    """One line of the timeline. `detail` are the lines that prove a failure, a summary, or tasks."""

    kind: Kind
    place: str
    at: str
    text: str
    detail: str = ""
    outcome: Literal["", "passed", "failed", "unseen"] = ""
    path: str = ""
    """Of an edit, as the tool had it."""


def timeline(events: Iterable[Event], root: str = "") -> Iterator[Moment]:
    """The moments of the main thread, and the edits of its sub-agents. Raw text."""
    commits, known = Commits(root), 0
    for number, event in enumerate(events):
        if not event.thread or isinstance(event, Edited):
            yield from _told(event, root)
        commits.see(event, number)
        made = commits.items()
        for item in made[known:]:
            yield _moment("commit", event, item.text)
        known = len(made)


def _told(event: Event, root: str) -> Iterator[Moment]:
    match event:
        case Prompt() if event.text.strip() and not is_ours(event.text):
            yield _moment("request", event, event.text)
        case Reply() if event.text.strip():
            yield _moment("message", event, event.text)
        case TodoList() if event.items:
            counted = Counter(task.status.replace("_", " ") for task in event.items)
            told = ", ".join(f"{number} {status}" for status, number in sorted(counted.items()))
            each = (f"{task.status.replace('_', ' ')}: {task.title}" for task in event.items)
            yield _moment("tasks", event, f"Task list: {told}", "\n".join(each))
        case Compacted():
            yield _moment("compaction", event, "The context was compacted", event.summary)
        case Ran():
            for check in checks(event, root):
                lines = "\n".join(check.decisive)
                yield _moment("check", event, checked(check), lines, outcome=check.outcome)
        case Edited() if step := step_of(event, root):
            yield _moment("edit", event, step.item().text, path=event.to or event.path)
        case Asked() | Refusal() if step := step_of(event, root):
            yield _moment("decision", event, step.item().text)
        case Halt() | Interrupt() if step := step_of(event, root):
            yield _moment("stop", event, step.item().text)


def _moment(kind: Kind, event: Event, text: str, detail: str = "", **more: Any) -> Moment:
    text, detail = bounded(text, _LONGEST), bounded(detail, _LONGEST)
    return Moment(kind=kind, place=event.place, at=event.at, text=text, detail=detail, **more)
