"""Distil: the state that the next step and the blockers are chosen from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from onward.distill import paths
from onward.distill.said.bare import is_bare
from onward.distill.said.cues import is_question
from onward.distill.said.manner import asks_back, is_reproach, weight, wonders
from onward.distill.said.plan import Plans, moved_on, title_of
from onward.distill.said.questions import Questions
from onward.distill.said.requests import answered, names_work, refusals, wanted, window
from onward.distill.said.talk import Said, Talk
from onward.distill.said.tasks import Todos
from onward.distill.text import CUT, abridge, one_line
from onward.model import FileFact, Item, Run, order_of

_LIMIT = 260
_BEFORE = 120
_WEIGHT = 2
"""Words of a request below which it says nothing of what the work is about."""
_GIST = 160
"""Of a request that is only named, because it stands in full among the requests."""


_TOOK = re.compile(r" in [\d.:]+ ?m?s\b[^,;]*$")
"""How long a run took, at the end of its summary."""


class State(Struct, frozen=True, kw_only=True):
    """What was said, asked, planned, run and changed."""

    talk: Talk
    questions: Questions
    plans: Plans
    todos: Todos
    runs: Sequence[Run[str]] = ()
    """Last runs, newest first."""
    files: Sequence[FileFact[str]] = ()
    locked: Sequence[Item[str]] = ()
    """What waits for a login or a quota."""


class Standing(Struct, frozen=True, kw_only=True):
    """What is to be done as things stand: a request in the person's words, or a plan."""

    text: str
    place: str


def standing(state: State) -> Standing | None:
    """The last request that says something, or the approved plan if that is newer. Words that
    only correct or remark on the work are told beside the request that they lean on.
    """
    request, plan = wanted(state.talk), state.plans.approved
    newer = request is None or state.plans.approved_at > request.at
    if plan is not None and newer and not moved_on(state.plans.approved_at, state.talk):
        return Standing(text=f"the plan {quoted(title_of(plan))}", place=plan.place)
    request = request or state.talk.last_prompt()
    if request is None:
        return None
    asked = [s for s in reversed(window(state.talk)) if names_work(s)]
    if weight(request.text) < _WEIGHT:  # "plan this out": what "this" is stands before
        asked = [s for s in asked if weight(s.text) >= _WEIGHT] or asked
    work = next(iter(asked), None)
    text = said(request.text, _GIST)
    proposes = wonders(request.text) and not is_question(
        request.text
    )  # "should we do it in a branch"
    stands = not proposes and (asks_back(request.text) or answered(request) is not None)
    if work is not None and work is not request and not stands:
        text = f"{said(work.text, _BEFORE)}, minding {text}"
    last = state.talk.last_prompt()
    if last is not None and last.at > request.at and not is_bare(last.text):
        too = " and" if ", minding " in text else ", minding"
        text += f"{too} {said(last.text, _GIST)}"  # "merge /review": too slight to stand alone
    return Standing(text=text, place=request.place)


def to_answer(talk: Talk) -> Said | None:
    """The person's last words, if they want an answer: a question or a complaint."""
    last = next(reversed(refusals(talk)), talk.last_prompt())
    wants = last is not None and (asks_back(last.text) or is_reproach(last.text))
    return last if wants else None


def since_prompt(talk: Talk) -> bool:
    """Whether the agent's last act came after the person's last words."""
    last = talk.last_prompt()
    return last is None or order_of(talk.last_act_place) > order_of(last.place)


def said(text: str, limit: int = _LIMIT) -> str:
    """A request in one line, quoted; all of it stands among the requests."""
    return quoted(one_line(CUT.sub("…", abridge(text, limit)), limit))


def since(talk: Talk) -> float:
    """The line after which nothing was finished: of the last commit, else of the first
    request that still holds.
    """
    held = window(talk)
    return max(order_of(held[0].place) if held else 0, talk.finished_line)


def line_of_run(run: Run[str]) -> float:
    """Where a run stands in the main transcript; 0 for a sub-agent's."""
    return max((order_of(place) for place in run.places), default=0)


def outcome(run: Run[str], limit: int) -> str:
    """How a run failed, to stand after its command: ` (1 failed, 6 passed): tests/x.py: …`, with
    the first decisive lines; a lone failing test and its error are told together.
    """
    summary = _TOOK.sub("", run.summary or "").strip("= ")
    test, *errors = run.decisive[:3] or ("",)
    told = [test, *errors]
    if len(told) == 2 and " " not in test:
        told = [f"{test}: {errors[0]}"]
    details = "; ".join(line for line in told if line and line != summary)
    counted = f" ({summary})" if summary else ""
    return counted + (f": {one_line(details, limit)}" if details else "")


def uncommitted(files: Sequence[FileFact[str]]) -> list[str]:
    """Files changed by the agent that no commit of the session was seen to take in."""
    changed = {"created", "edited", "deleted", "renamed"}
    return [
        f.path
        for f in files
        if f.change in changed
        and not f.commit
        and not paths.absolute(f.path)
        and not paths.apart(f.path)
    ]


def edits(count: int) -> str:
    """A number of edits in words."""
    return "1 edit" if count == 1 else f"{count} edits"


def quoted(text: str) -> str:
    """Someone's words, marked as such."""
    return f"“{text.strip()}”"
