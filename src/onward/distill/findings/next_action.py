"""Distil: the very next step, so worded that it can be done without the old session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from onward.distill.acts import act
from onward.distill.checks.again import may_run_again
from onward.distill.checks.rulings import ruled_out
from onward.distill.findings.left import what_is_left
from onward.distill.findings.state import (
    State,
    edits,
    line_of_run,
    outcome,
    quoted,
    said,
    since,
    since_prompt,
    standing,
    to_answer,
    uncommitted,
)
from onward.distill.said import options
from onward.distill.said.awaited import awaited
from onward.distill.said.closing import announces, intention, planned, remedy
from onward.distill.said.cues import is_assent, names_commit
from onward.distill.said.manner import asks_back, is_reproach
from onward.distill.said.plan import Plans, title_of
from onward.distill.said.questions import asking, open_question, question_in
from onward.distill.said.talk import Said, Talk
from onward.distill.said.tasks import open_task
from onward.distill.text import clamp, one_line
from onward.model import FileFact, Item, Refusal, Run, order_of

_LIMIT = 400
"""Characters of the whole step: longer ones are read over."""
_WORDS = 260
_LEFT = 15
"""Edits after which a failure of an earlier request is no longer what comes next."""
_ANNOUNCED = 160
_COMPILES = (["vet"], ["check"], ["clippy"])
"""Subcommands that compile what they look at."""
_ACTS = 12
"""So many acts after a question are work on something more than its answer."""


def next_action(state: State) -> Item[str] | None:
    """The first of these that there is: a question left open, a prompt not answered, an act
    that was stopped, a failing run, the open task, work broken off, the agent's own next
    steps, a check that has gone stale, changes not committed, the last request.
    """
    found = next(_candidates(state), None)
    if found is None:
        return None
    reasons = [*(f"blocked: {each.text}" for each in state.locked), found.why]
    why = "; ".join(filter(None, reasons)) or None
    return replace(found, text=clamp(found.text, _LIMIT), why=why)


def _candidates(state: State) -> Iterator[Item[str]]:
    talk = state.talk
    if state.plans.pending is not None:
        plan = state.plans.pending
        text = f"Approve or change the plan that waits for an answer: {title_of(plan)}"
        yield Item(text=text, evidence="observed", places=(plan.place,))
    question = open_question(talk, state.questions)
    if question is not None:
        yield _ask(question, state.files)
    wait = awaited(talk)
    if wait is not None:
        yield replace(wait, text=f"Wait for the person: {quoted(wait.text)}")
    prompt = talk.unanswered()
    if prompt is not None and not talk.interrupt and not talk.halt:
        yield _unanswered(prompt)
    yield from _stopped(state)
    yield from (mend(run, state.talk) for run in _failing(state))
    task = open_task(state.todos, talk)
    if task is not None:
        yield task
    yield from _broken_off(state)
    yield from what_is_left(state)


def _ask(question: Item[str], files: Sequence[FileFact[str]]) -> Item[str]:
    """An offer to commit says by itself that the changes are not committed."""
    loose = len(uncommitted(files))
    note = ""
    if loose and names_commit(question.text):
        changed = "1 changed file" if loose == 1 else f"{loose} changed files"
        note = f" (no commit was seen for {changed})"
    return Item(
        text=f"Answer the agent's question: {quoted(question.text)}{note}",
        evidence=question.evidence,
        places=question.places,
    )


def _unanswered(prompt: Said) -> Item[str]:
    if is_assent(prompt.text) and prompt.stopped and prompt.about:
        text = f"Go on with the act that was stopped: {act(prompt.about)}"
    elif is_assent(prompt.text) and prompt.offer:
        offer = quoted(question_in(prompt.offer, _WORDS))
        text = f"Do what was agreed to with {quoted(prompt.text)}: {offer}"
    elif not prompt.text:
        asked = asking(prompt.offer, _WORDS)
        text = "Look at the picture that the person sent last"
        text += f", in answer to {quoted(asked)}" if asked else ""
    elif asks_back(prompt.text) or is_reproach(prompt.text):
        text = f"Answer the person: {said(prompt.text)}"
    else:
        told = options.picked(prompt.text, prompt.offer)
        text = f"Do what was asked last and not begun: {said(told)}"
    return Item(text=text, evidence="asked", places=(prompt.place,))


def _stopped(state: State) -> Iterator[Item[str]]:
    """An act that the person refused or interrupted, or that the client broke off."""
    talk, request, task = state.talk, standing(state), open_task(state.todos, state.talk)
    doing = f", for {request.text}" if request else ""
    doing = f". {task.text}" if task else doing
    if talk.refused is not None and talk.refused.act:
        yield _refused(talk.refused, doing, state.plans)
    if talk.interrupt is not None:
        doing_it = act(talk.interrupt.act or talk.last_act)
        how = "stopped by the person"
        if talk.last_act_cut:
            how += " half-way; it may have done part of its work"
        text = f"Go on with the interrupted act: {doing_it} ({how}){doing}"
        if not doing_it:
            text = f"Go on where the person stopped the work{doing}"
        yield Item(text=text, evidence="observed", places=(talk.interrupt.place,))
    if talk.halt is not None:
        last = f"; last act: {act(talk.last_act)}" if talk.last_act else ""
        reason = one_line(talk.halt.reason, 160)
        meant = intention(talk.reply) if since_prompt(talk) else ""
        meant = f"; announced last: {quoted(one_line(meant, _ANNOUNCED))}" if meant else ""
        text = f"Go on with the work that the client broke off ({reason}{last}{meant}){doing}"
        yield Item(text=text, evidence="observed", places=(talk.halt.place,))


def _refused(refusal: Refusal, doing: str, plans: Plans) -> Item[str]:
    """Words say what to do instead; without them only the person knows."""
    words, refused = one_line(refusal.words, _WORDS), refusal.act
    refused = one_line(refused, _WORDS) if refusal.kind in {"plan", "question"} else act(refused)
    text = f"Ask how to go on: the person refused {refused}{doing}"
    if refusal.kind == "plan" and not words:
        # A plan taken up in a fresh session looks like this in the old one.
        last = plans.all[-1][1] if plans.all else None
        file = f" in {last.path}" if last and last.path else ""
        text = (
            f"Ask whether the plan{file} is to be carried out: {refused} (put aside without a word)"
        )
    elif words:
        text = f"Do what the person said instead of {refused}: {quoted(words)}"
    return Item(text=text, evidence="asked", places=(refusal.place,))


def _failing(state: State) -> list[Run[str]]:
    """Runs that failed since the last finished thing, tests and builds first: an older
    failure was left behind on purpose more often than not.
    """
    start = since(state.talk)
    rank = {"test": 0, "build": 0, "types": 1, "lint": 1}
    failed = [
        r
        for r in state.runs
        if r.outcome == "failed"
        and line_of_run(r) >= start
        and not ruled_out(r.command, state.talk)
        and not _left_behind(r, state.talk)
        and not _overtaken(r, state.runs)
    ]
    return sorted(failed, key=lambda run: rank.get(run.kind, 2))


def _left_behind(run: Run[str], talk: Talk) -> bool:
    """Whether the person asked for something else since, and much was changed without a look
    back at the failure.
    """
    last = talk.last_prompt()
    return run.edits_after > _LEFT and last is not None and order_of(last.place) > line_of_run(run)


def _overtaken(run: Run[str], runs: Sequence[Run[str]]) -> bool:
    """Whether its program compiled the same files later in another way: `go vet ./api/...` passed
    after `go build ./api/...`, which has nothing to build there.
    """
    here, program = _paths_of(run), run.command.split()[:1]
    return bool(here) and any(
        other.outcome == "passed"
        and other.cwd == run.cwd
        and line_of_run(other) >= line_of_run(run)
        and other.command.split()[:1] == program
        and other.command.split()[1:2] in _COMPILES
        and here <= _paths_of(other)
        for other in runs
        if run.kind == "build"
    )


def _paths_of(run: Run[str]) -> set[str]:
    return {word for word in run.command.split() if "/" in word and not word.startswith("-")}


def mend(run: Run[str], talk: Talk) -> Item[str]:
    """A failing run as the next thing to do; why, in the agent's last words where they come after
    it and name the way. What was edited since may have mended it.
    """
    claimed = "" if line_of_run(run) > order_of(talk.reply_place) else remedy(talk.reply)
    where = f" in {run.cwd}" if run.cwd else ""
    told = f"{act(run.command)}{where}"
    text = f"Mend the failing run: {told}{outcome(run, 220)}"
    if run.edits_after:
        text = f"Run {told} again: {edits(run.edits_after)} came after it failed{outcome(run, 220)}"
    return Item(
        text=text,
        evidence="observed",
        places=(*run.places, talk.reply_place) if claimed else run.places,
        why=f"claimed by the agent: {quoted(claimed)}" if claimed else None,
    )


def _edited_since(place: str, files: Sequence[FileFact[str]]) -> bool:
    """Whether files were changed after these words: they were taken for an order."""
    changed = (f for f in files if f.change not in {"read", "named"})
    return any(order_of(at) > order_of(place) for f in changed for at in f.places)


def _planned(talk: Talk) -> str:
    """What the agent said that it does for the last request, where it made a list of it."""
    asked = talk.last_prompt()
    start = order_of(asked.place) if asked else 0
    for message, place in ((talk.reply, talk.reply_place), (talk.finding, talk.finding_place)):
        if order_of(place) > start and (listed := planned(message)):
            return listed
    return ""


def _under_way(talk: Talk) -> str:
    """What the agent said that it does, where few acts came after it; "" before the last words."""
    asked = talk.last_prompt()
    since = asked is None or order_of(talk.reply_place) > order_of(asked.place)
    few = 0 < talk.acts_after_reply < _ACTS
    said = intention(talk.reply) or (talk.reply if announces(talk.reply) else "")
    return one_line(said, _ANNOUNCED).rstrip(":\uff1a") if since and few else ""


def _broken_off(state: State) -> Iterator[Item[str]]:
    """The transcript ends in the middle of the work: acts, and no closing words after, or
    words that only announce the next act.
    """
    talk = state.talk
    meant = "" if talk.acts_after_reply else intention(talk.reply)
    if not talk.acts_after_reply and not meant and not announces(talk.reply):
        return
    request, asked = standing(state), to_answer(talk)
    last = act(talk.last_act) if since_prompt(talk) else ""
    doing = _under_way(talk)
    note = f" (last act: {last})" if last else ""
    if last and doing:
        note = f" — in the middle of what it announced: {quoted(doing)}; last act: {last}"
    if last and talk.last_act_open:
        first = (
            "run again first" if may_run_again(talk.last_act) else "see first whether it was done"
        )
        note = f" — {first}, its end was not seen: {last}"
    elif not talk.acts_after_reply:
        note = f" — announced last: {quoted(one_line(meant or talk.reply, _ANNOUNCED))}"
    listed = _planned(talk)
    if listed:
        note = f" — as it announced: {quoted(listed)}" + (f"; last act: {last}" if last else "")
    if asked is not None and asks_back(asked.text) and talk.acts_after_reply < _ACTS:
        text = f"Answer the person: {said(asked.text, _WORDS)}{note}"
        if _edited_since(asked.place, state.files):
            text = f"Go on with the work that their question led to, and answer it: {said(asked.text, _WORDS)}{note}"
        yield Item(text=text, evidence="asked", places=(asked.place,))
    elif request is not None:
        text = f"Go on with what was asked, begun and not finished: {request.text}{note}"
        yield Item(text=text, evidence="asked", places=(request.place,))
    elif last:
        text = f"Go on with the work that was broken off after: {last}"
        yield Item(text=text, evidence="observed", places=(talk.last_act_place,))
