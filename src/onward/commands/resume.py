"""`resume`: the documents' recovery briefing, then going on or putting it in the trash; `brief`, the
briefing alone; and the user's plain yes or no to a resume that waits for it (`storage.sessions`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from shlex import quote

from msgspec import Struct
from msgspec.structs import replace

from onward import evidence
from onward.briefing import DEFAULT_BUDGET, brief
from onward.briefing.drift import sentences
from onward.briefing.text import listed, one_line, shorten, tag
from onward.briefing.tokens import estimate
from onward.commands import autosave, document, save, shared, source, thread
from onward.commands.result import Notes, Result, compose
from onward.commands.source import Source
from onward.commands.world import World
from onward.documents import active_context, times
from onward.errors import OnwardError, RefusedError
from onward.model import LOOKED, Checkpoint, Clean, Drift, Item
from onward.storage import backups, checkpoints, documents, overview, sessions
from onward.transcripts import registry

_PROGRESS = 6  # of the newest; the briefing below has the rest
_WARNINGS = 12  # of the most consequential
_FIND = 8  # paths to find again
_SMALLEST = 600  # tokens of the briefing below a block that is long itself
_PART = 120  # characters of each part of the question
_LATER = 3600.0  # seconds; a save and its file's time are never so far apart
_GONE = {"deleted", "missing", "renamed", "moved"}


class Recovery(Struct, frozen=True, dict=True):
    """A saved place as it is told to whoever takes it up; `others` are the names of the rest."""

    world: World
    found: Source
    others: Sequence[str] = ()

    @cached_property
    def drift(self) -> Drift[Clean] | None:
        """What changed since the save."""
        return source.drifted(self.world, self.found)

    def tell(self, *end: str, answered: bool = False, waiting: bool = True) -> Result:
        """The documents' block, then the briefing, then `end`. The notes name the commands of an
        answer unless it was given or is one of words, and a backup that waits unless not `waiting`.
        """
        world, found, checkpoint, drift = self.world, self.found, self.found.checkpoint, self.drift
        thread.brief(world, checkpoint)
        block = self._block()
        left = DEFAULT_BUDGET - estimate("\n".join([*block, "", *end]))
        lines = [*block, "", self._briefing(max(left, _SMALLEST)), *end]
        next_action = checkpoint.next_action.text if checkpoint.next_action else None
        data: dict[str, object] = {
            "name": found.name,
            "kind": found.kind,
            "path": world.local(found.path),
        }
        data |= {"machine": found.machine, "age": world.age(found.mtime)}
        data |= {"task": checkpoint.task.text, "next_action": next_action}
        data |= {"stale": _stale(drift)[0], "others": list(self.others)}
        data |= {"checkpoint": checkpoint, "drift": drift}
        notes = self._notes(answered=answered, waiting=waiting)
        return Result(text=compose(*lines), data=data, notes=notes, prose=True)

    def glance(self) -> Result:
        """The block alone, which fits on a screen; the briefing comes when they say yes."""
        notes = self._notes(answered=True)
        return Result(text=compose(*self._block(), "", ""), notes=notes, prose=True)

    def go_on(self) -> Result:
        """The briefing without the block, for somebody who has just read that and said yes."""
        notes = self.agreed()
        text = compose("", self._briefing(DEFAULT_BUDGET), *self.order)
        return Result(text=text, notes=notes, prose=True)

    def agreed(self) -> Notes:
        """The user goes on with it. Returns what in the agent's note does not agree with the record."""
        thread.keep(self.world, self.found.kind, self.found.checkpoint, agreed=True)
        return _go_on(self.world, registry.current(self.world.env), self.found)

    @property
    def order(self) -> list[str]:
        """What is to be done now, for who agreed."""
        following = self.found.checkpoint.next_action
        told = "No next action was recorded: ask what to do next."
        if following:
            told = f"Continue with: {evidence.escape(following.text)}{_doubt(following)}"
        gone = moved_paths(self.drift)
        return [f"Locate these moved or missing files first: {gone}", told] if gone else [told]

    def _briefing(self, budget: int) -> Clean:
        age = self._ages()[0]
        return brief(self.found.checkpoint, self.drift, budget=budget, age=age, continued=True)

    def _block(self) -> list[str]:
        world, found, checkpoint = self.world, self.found, self.found.checkpoint
        stale, same = _stale(self.drift)
        title = one_line(checkpoint.task.text) or found.called
        age, changed = self._ages()
        stamp = checkpoint.saved or checkpoint.created
        at = times.moment(stamp) or datetime.fromtimestamp(found.mtime, UTC)
        date = times.local(times.utc(at), world.now.tzinfo or UTC)
        later = f"; file changed {changed} ago" if changed else ""
        lines = [f"📌 Resume: {title}", f"Saved: {date} ({age}{later})", "✅ Progress:"]
        lines += [f"- {one_line(text)}{end}" for text, end in _done(checkpoint)[-_PROGRESS:]]
        following = checkpoint.next_action
        steps = following.text.splitlines() if following else ["none recorded"]
        first, *more = map(evidence.quote, steps)
        lines.append(f"🔜 Next action: {first}{_tag(following)}")
        lines += [f"   {line}" for line in more]
        if stale:
            lines += ["⚠️ Stale warnings:", *(f"- {line}" for line in stale[:_WARNINGS])]
            if len(stale) > _WARNINGS:
                lines.append(f"- and {len(stale) - _WARNINGS} more")
        return [*lines, *same]

    def _ages(self) -> tuple[str, str]:
        """How long ago the save was, by the file's own time. A file that was changed well after its
        save must not make the work look younger: then the second one is the file's age.
        """
        world, found = self.world, self.found
        changed = world.age(found.mtime)
        at = times.seconds(found.checkpoint.saved or found.checkpoint.created)
        if not at or found.kind != "checkpoint" or found.mtime - at < _LATER:
            return changed, ""
        return world.age(at), changed

    def _notes(self, *, answered: bool, waiting: bool = True) -> Notes:
        notes, world, found = list[str](), self.world, self.found
        if waiting and backups.pending(world.project):  # it may hold something newer
            notes.append(f"a session backup is pending: {world.typed('onward backup resume')}")
        yes, no = f"onward resume {found.name} --yes", f"onward resume {found.name} --no"
        if self.others:
            command = world.typed("onward list")
            notes.append(f"the newest of {len(self.others) + 1}; to see the others: {command}")
        if found.machine:
            told = f"it was saved on {found.machine} and stays there"
            notes.append(told if answered else f"{told}; to continue: {yes}")
        elif found.name and not answered:
            notes.append(f"to continue: {yes}; to put it in the trash: {no}")
        return tuple(notes)


def present(world: World, what: str, *, accepted: bool = False) -> Result:
    """The briefing; `accepted` it ends in the next action, else in the question."""
    place = Recovery(world, *chosen(world, what))
    findings = place.agreed() if accepted else ()
    end = place.order if accepted else [question(place.found)]
    result = place.tell(*end, answered=accepted)
    return result._replace(notes=(*result.notes, *findings))


def terminal_question(found: Source) -> Clean:
    """What somebody at a terminal is asked."""
    no = "no puts the checkpoint in the trash" if found.is_own else "no changes nothing"
    leaves = "; Enter or q leaves it as it is" if found.is_own else ""
    return compose(question(found).rstrip(), f"({no}{leaves})")


def _go_on(world: World, session: str, found: Source | None) -> Notes:
    """The buffer is emptied, the active context follows; a line for each finding of the note."""
    with suppress(OnwardError):  # a full disk or a link: the resume goes on without
        autosave.empty_buffer(world.project)
        if found and found.kind != "transcript":
            bring_up_to_date(world, found)
    return thread.take_note(world, session) if session else ()


def bring_up_to_date(world: World, found: Source) -> None:
    """Let the active context tell of a place that the user goes on from. Raises OnwardError."""
    project = world.project
    text = documents.read(project.active_context, project.root)
    at = times.seconds(active_context.parse(text).saved) if text.strip() else 0.0
    if not at or at >= found.mtime:
        return
    state = replace(found.checkpoint, saved=times.utc(datetime.fromtimestamp(found.mtime, UTC)))
    context = document.context_of(world, state, world.local(found.path))
    documents.rewrite(project, project.active_context, lambda _: context)


def brief_only(
    world: World, what: str, *, budget: int = DEFAULT_BUDGET, look: bool = True
) -> Result:
    """The briefing within `budget` tokens of `what`, else of what was worked on last; `look` compares
    with the repository of today. Raises NotFoundError.
    """
    what = what or source.last(world)
    found = source.load(world, what, verb="brief")
    thread.brief(world, found.checkpoint)
    drift = source.drifted(world, found) if look else None
    age = world.age(found.mtime)
    clean = world.redactor.text
    target = document.typed(world, found.path) if source.is_path(what) else quote(what)
    if source.is_path(what) and found.path in registry.transcripts(world.home, world.env):
        target = found.checkpoint.origin.session or target  # of a path redaction takes names out
    where, whole = clean(target), clean(f"onward show {target}")
    if found.kind == "transcript":
        where, whole = clean(f"--session {target}"), clean(f"onward distill {target}")
    told = None if found.path.name in target else whole  # a path is long, and told once already
    text = brief(found.checkpoint, drift, budget=budget, age=age, source=where, whole=told)
    data = {"briefing": text, "age": age, "checkpoint": found.checkpoint, "drift": drift}
    return Result(text=text, data=data, prose=True)


def decline(world: World, what: str) -> Result:
    """The user does not want it: into the trash with it."""
    name = what or source.newest_name(world)
    if shared.is_address(name):
        peer, _ = shared.find(world, name, "resume")
        message = f"{name} is on {peer.label} and stays there; nothing was deleted"
        raise RefusedError(message, f"onward forget {name}")
    if name not in checkpoints.names(world.project) and (world.cwd / name).exists():
        message = "only a named checkpoint can be declined; nothing was deleted"
        raise RefusedError(message, "onward list")
    deleted = save.delete(world, name)
    thread.drop(world, registry.current(world.env), name)
    return deleted


def chosen(world: World, what: str) -> tuple[Source, list[str]]:
    """What to resume: the newest checkpoint, else any other place or session, where nothing was named;
    and then which others there are.
    """
    names: list[str] = [what] if what else [*checkpoints.names(world.project)]
    what, *others = names or [source.newest_place(world) or source.last(world)]
    return source.load(world, what), others


def _stale(drift: Drift[Clean] | None) -> tuple[list[str], list[str]]:
    """What changed since the save; and what did not, but must not be forgotten."""
    changed = sentences(replace(drift, uncommitted=())) if drift else []
    return changed, sentences(drift)[len(changed) :] if drift else []


def question(found: Source) -> Clean:
    """The documents' sentence."""
    checkpoint = found.checkpoint
    last, _ = _done(checkpoint)[-1]
    following = checkpoint.next_action
    doubt = " (unverified)" if following and following.unverified else ""
    parts = (
        f"Resuming: {_part(checkpoint.task.text) or found.called}.",
        f"Last progress: {_part(last)}.",
        f"Next action: {_part(following.text if following else 'none recorded')}{doubt}.",
    )
    return compose(" ".join([*parts, "Ready to continue? (yes/no)"]))


def _done(c: Checkpoint) -> Sequence[tuple[str, str]]:
    """What was noted or committed, the newest last, each with its evidence; else the completed tasks;
    else the changed files.
    """
    if c.progress:
        return [(item.text, _tag(item)) for item in c.progress]
    finished = [each for each in c.tasks if each.status == "completed"]
    if finished:
        return [(f"Completed: {each.title}", tag(each.places, each.evidence)) for each in finished]
    files = [f for f in c.files if f.change not in LOOKED]
    changed = [f.to or f.path for f in files]
    gone = [f.path for f in files if f.change == "deleted"]
    told = f"Changed {listed(changed, _FIND, deleted=gone)}" if changed else "none noted"
    return [(told, "")]


def _part(text: str) -> str:
    return shorten(one_line(text), _PART).rstrip(".。")


def _tag(item: Item[Clean] | None) -> str:
    return f"{tag(item.places, item.evidence)}{_doubt(item)}" if item else ""


def _doubt(item: Item[Clean]) -> str:
    """What in the agent's line does not agree with the record."""
    return f" (unverified: {one_line(item.unverified)})" if item.unverified else ""


def moved_paths(drift: Drift[Clean] | None) -> str:
    """The recorded paths that are not where they were, the first of them; "" for none."""
    gone = [each.path for each in drift.files if each.change in _GONE] if drift else []
    more = f", and {len(gone) - _FIND} more" if len(gone) > _FIND else ""
    return f"{', '.join(gone[:_FIND])}{more}"


# ------------------------------------------------------------------------ yes or no

_ANSWER = 60  # characters of a plain answer
# Whole messages, as a prompt for yes or no takes them. Anything else is no answer: it changes
# nothing, and the agent that asked can understand it.
YES = {
    *("yes", "y", "yes please", "yes continue", "ok", "okay", "sure", "continue", "go ahead"),
    *("ja", "oui", "sí", "si", "sì", "sim", "да", "tak", "evet"),
    *("是", "是的", "好", "好的", "继续", "はい", "네", "예"),
}
NO = {
    *("no", "n", "nope", "no thanks", "no thank you", "start fresh", "no start fresh"),
    *("nein", "non", "não", "нет", "nie"),
    *("不", "不是", "不要", "否", "いいえ", "아니요"),
}


def answer(world: World, session: str, prompt: str) -> Clean:
    """What the agent is to be told of the answer; "" where the prompt is none. Yes brings the
    active context up to date, no puts a named checkpoint into the trash; either ends the waiting,
    as does a second prompt that is no answer. From the first one on, backups are offered again.
    Raises StorageError.
    """
    data, project = str(world.data), world.project
    asked = sessions.asked(data, session)
    if asked is None:
        return compose("")
    name = asked.name
    same = os.path.realpath(asked.root) == os.path.realpath(project.root)
    told = compose("")
    if same and plain(prompt) in YES:
        found = drift = None
        with suppress(OnwardError):  # deleted meanwhile: what was shown can still be done
            found = source.load(world, name or asked.file) if name or asked.file else None
            drift = source.drifted(world, found) if found and name else None
        what = " the next action of the briefing above."
        if found and name and (following := found.checkpoint.next_action):
            what = f": {following.text}{_doubt(following)}"
        lines = [f"The user said yes: continue with{what}"]
        if gone := moved_paths(drift):
            lines.append(f"Before that verify these paths again: {gone}")
        thread.agree(world, session)
        told = compose(*lines, *_go_on(world, session, found))
    elif same and plain(prompt) in NO:
        told = _start_fresh(world, name)
        if asked.file:
            overview.decline(world.data, project.root, Path(asked.file))
        thread.drop(world, session)
        thread.clear_draft(world, session)
    elif same and not asked.is_late:
        asked.is_late = True
        put_back(world, asked)
        sessions.ask(data, session, asked)
        return told
    sessions.answered(data, session)
    if told:
        left = [path for path in backups.pending(project) if path.name in asked.again]
        if left:
            backups.process(project, left, None, now=world.now)
    return told


def put_back(world: World, asked: sessions.Question) -> None:
    """What the question took in waits again, as nobody said yes or no to it."""
    if asked.at and not (asked.again or asked.name):
        asked.again = backups.put_back(world.project, since=asked.at, now=world.now)


def plain(prompt: str) -> str:
    """A short prompt without case and marks; "?" stays, since a question is no answer."""
    if len(prompt) > _ANSWER:
        return ""
    return " ".join(re.sub(r"[^\w\s?？]", " ", prompt.casefold()).split())  # noqa: RUF001


def _start_fresh(world: World, name: str) -> Clean:
    """Nothing but a named checkpoint is put away, and that can be brought back."""
    told = "The user said no: start fresh, and ask what to do."
    if not name or name not in checkpoints.names(world.project):
        return compose(told, "Nothing was deleted.")
    save.delete(world, name)
    shown = world.display_redactor.text(name)
    back = f"onward restore {shown}"
    return compose(told, f"The checkpoint {shown} is in the trash. To bring it back: {back}")
