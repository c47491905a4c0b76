"""Distil: what is left to do when the agent has finished its turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from onward.distill import paths
from onward.distill.acts import act
from onward.distill.checks.rulings import ruled_out
from onward.distill.findings.state import (
    State,
    edits,
    line_of_run,
    quoted,
    said,
    standing,
    to_answer,
    uncommitted,
)
from onward.distill.said import options
from onward.distill.said.closing import ends_of, next_steps
from onward.distill.said.cues import is_offer_of_courtesy, is_pick, is_substantial
from onward.distill.said.manner import is_remark, weighty
from onward.distill.said.questions import asking
from onward.distill.said.requests import names_work
from onward.distill.said.talk import Talk
from onward.distill.said.tasks import open_task
from onward.distill.text import WIDE, one_line, shorten, words
from onward.model import Item, Run, order_of

_PROSE = (".md", ".txt", ".rst", ".adoc")
"""Files that no test covers."""
_NAMED = 4
_SAYING = 3
_REPLY = 140
_KINDS = {"test": "tests", "build": "build", "types": "type check", "lint": "linter"}
_YES = re.compile(r"\W*(?:yes|yep|y|no|ok|okay|sure|sg|lgtm|sgtm|好|是|sim|sí)\b", re.IGNORECASE)


def what_is_left(state: State) -> Iterator[Item[str]]:
    """The agent's own next steps, a check that has gone stale, changes without a commit, and
    at last the question what comes next.
    """
    left = next_steps(state.talk.reply)
    if left:
        yield Item(
            text=f"Go by the agent's last words on what comes next: {quoted(shorten(left, 300))}",
            evidence="claimed",
            places=(state.talk.reply_place,),
        )
    run = stale(state)
    if run is not None:
        yield _again(run, state.talk)
    loose = uncommitted(state.files)
    if loose and any(f.commit for f in state.files) and not _only_notes(state, loose):
        text = f"Look over and commit the changes in {_listed(loose)}"
        yield Item(text=text, evidence="observed")
    yield from _task(state)
    yield from _ask(state, loose)


def _task(state: State) -> Iterator[Item[str]]:
    """What the task list, grown old, still has open; and the note to begin with, if the agent's last
    act was to write one.
    """
    task = open_task(state.todos, state.talk, old=True)
    if task is not None:
        note = _note(state)
        read = f"First read `{note}`, which the agent wrote last. " if note else ""
        yield replace(task, text=f"{read}{task.text}")


def _note(state: State) -> str:
    """The document that was just written and that the agent's last words name; "" for none."""
    path = (state.talk.note_named() or ("", ""))[0].replace("\\", "/")
    return next((f.path for f in state.files if path and f"/{path}".endswith(f"/{f.path}")), "")


def _again(run: Run[str], talk: Talk) -> Item[str]:
    """A check to be run again, in the way the person wants it run."""
    where = f" in {run.cwd}" if run.cwd else ""
    since = f"{edits(run.edits_after)} came after it last passed"
    ruling = ruled_out(run.command, talk)
    text = f"Run {act(run.command)}{where} again: {since}"
    places = run.places
    if ruling is not None:
        text = f"Run the {_KINDS.get(run.kind, 'checks')} again with `{ruling.instead}` ({quoted(ruling.words)}): {since}"
        places = (*run.places, ruling.place)
    return Item(text=text, evidence="observed", places=places)


def stale(state: State) -> Run[str] | None:
    """The newest check that passed before code was changed that is not committed yet, tests
    first; none if a test or a build passed after the last edit.
    """
    proving = [run for run in state.runs if run.kind in {"test", "build"}]
    if any(run.outcome == "passed" and not run.edits_after for run in proving):
        return None
    loose = set(uncommitted(state.files))
    edited = [f for f in state.files if f.path in loose and not f.path.endswith(_PROSE)]
    last = max((order_of(place) for f in edited for place in f.places), default=0)
    old = [
        run
        for run in state.runs
        if run.outcome == "passed" and line_of_run(run) < last and not _scratch(run.command)
    ]
    rank = {"test": 0, "build": 1, "types": 2}
    return min(old, key=lambda run: rank.get(run.kind, 3), default=None)


def _scratch(command: str) -> bool:
    """Whether a check is a script of the moment, kept outside of the project."""
    return any(paths.absolute(word) and paths.apart(word) for word in command.split())


def _only_notes(state: State, loose: Sequence[str]) -> bool:
    """Whether all that is not committed is text that the agent began: a note for the person or
    for a helper, which nobody may want in the history.
    """
    begun = {f.path for f in state.files if f.change == "created" and f.path.endswith(_PROSE)}
    return set(loose) <= begun


def _ask(state: State, loose: Sequence[str]) -> Iterator[Item[str]]:
    """Nothing is known to be left."""
    request, talk, asked = standing(state), state.talk, to_answer(state.talk)
    if request is None and not talk.reply:
        return
    reply, last = quoted(one_line(_gist(talk.reply), _REPLY)), talk.last_prompt()
    text = f"Ask the person what comes next: the agent's last words were {reply}"
    if asked is not None:
        text = f"Ask the person whether this is settled: {said(asked.text, _REPLY)}; the agent answered {reply}"
    elif last is not None and is_remark(last.text):
        text += f", the person's {said(last.text, _REPLY)}"
    elif request is not None:
        text = f"Ask the person what comes next: the agent said it was done with {request.text}: {reply}"
    offer = _not_taken_up(talk)
    text += f"; never answered: {quoted(offer)}" if offer else ""
    text += f"; no commit was seen for the changes in {_listed(loose)}" if loose else ""
    place = talk.reply_place or (request.place if request else "")
    yield Item(text=text, evidence="claimed", places=(place,))


def _gist(reply: str) -> str:
    """The first line that says something: of "Spawned." the lines after it too."""
    told = ""
    for line in ends_of(reply).splitlines() if reply else ():
        if told and line.endswith((":", "\uff1a")):
            continue
        told = f"{told} {line.strip(' -*•')}" if told else line
        if len(words(told)) >= _SAYING or re.search(rf"[{WIDE}]{{4}}", told):
            break
    return told


def _not_taken_up(talk: Talk) -> str:
    """The offer before the person's last words, where these went on to something else."""
    last = talk.last_prompt()
    if last is None or not names_work(last, answers=False) or not is_substantial(last.text):
        return ""
    taken = is_pick(last.text) or options.keys(last.text) or _YES.match(last.text)
    offered = asking(last.offer, 120) if not taken else ""
    if weighty(last.text) <= weighty(offered):
        return ""  # "fix the issues with M4" is the yes to "shall I fix the M4 issues?"
    return offered if offered and not is_offer_of_courtesy(offered) else ""


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
