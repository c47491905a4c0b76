"""Where a session stopped: its status in words, the active request, the agent's last message."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from onward import paths
from onward.briefing import files
from onward.briefing.budget import Line
from onward.briefing.lines import by
from onward.briefing.text import (
    choice,
    code,
    count,
    first_words,
    fitted,
    inline,
    last_line,
    listed,
    one_line,
    quote,
    shorten,
    tag,
)
from onward.briefing.tokens import characters_for, estimate
from onward.evidence import order_of
from onward.model import LOOKED, Checkpoint, Clean, Drift, Item, Request, Run, Status, Task
from onward.requests import active, is_reply, is_short, is_telling, is_typed, leading

_REQUEST_WHOLE, _REQUEST_CUT = 0.5, 0.35
"""Shares of the budget: a request that takes less than the first stands whole, a longer one is
cut to the second.
"""
_MESSAGE = ((0.12, 0.08), (0.16, 1.6), (0.3, 4.0), (0.45, 6.0), (1.0, 9.0))
"""Shares of the budget for the agent's last message, with the rank at which each is bought."""
_PLAN = ((0.14, 0.09), (0.3, 2.6), (1.0, 9.0))
"""The same for the plan that is to be carried out."""
_OLD_PLAN = ((0.08, 0.09), (0.2, 2.6), (0.4, 5.5), (1.0, 9.0))
"""The same for one that is older than the active request: that may still be a part of it."""
_ABOUT = ((0.08, 0.06), (0.15, 3.0), (0.5, 8.0))
_FOLLOWED = ((0.04, 1.5), (0.08, 3.0), (0.15, 5.0), (0.5, 8.0))
_BEFORE = ((0.1, 0.07), (0.25, 3.6), (1.0, 6.5))
"""The same for what a short reply answers, and for the last request that is none."""
_ANSWERS, _OLDER_ANSWER = 5, 2.0
"""Answers since the request that are bought at once, and the rank from which older ones are."""
_DETAIL, _ENDED = 300, 110
_BRANCHES = 2
_WRITTEN = frozenset({"created", "edited", "renamed"})


def status_line(c: Checkpoint, *, short: bool = False) -> str:
    """`turn finished`, `waiting for the user's answer: “…”`; "" where nothing is known of it.
    `short`: no place, and of the detail only the first words.
    """
    # A plan stands in full below.
    if c.status.kind == "finished" and is_helper(c):
        return "a sub-agent, which reported to the agent that asked" + tag(c.status.places[:1])
    below = c.status.waits_for == "plan" and c.plan is not None and not short
    detail = "" if below else one_line(c.status.detail or "")
    told = _in_words(c.status, shorten(detail, 140 if short else _DETAIL))
    return f"{told}{tag(() if short else c.status.places[:1])}" if told else ""


def is_helper(c: Checkpoint) -> bool:
    """Whether it is the file of a sub-agent by itself, which no user spoke to."""
    return bool(c.requests) and c.requests[active(c.requests)].source == "agent"


def _in_words(status: Status[Clean], short: str) -> str:  # noqa: PLR0911 - one case a kind
    match status.kind:
        case "waiting":
            return _waits(status, short)
        case "finished":
            return "turn finished; the agent waited for the next request"
        case "interrupted" if status.waits_for == "plan":
            what = f"ended at the plan{f' “{short}”' if short else ''}"
            return f"{what}: refused without a word, or taken into a new session"
        case "interrupted" if status.idle:
            return "interrupted by the user before anything was done for their last message"
        case "cut-off" if status.idle:
            return f"cut off before anything was done for the user's last message{f': {short}' if short else ''}"
        case "interrupted":
            at = f" during {code(short)}" if short else ""
            return f"interrupted by the user{at}; the turn was not finished"
        case "cut-off" if status.lost:
            return f"cut off before the turn was finished; {code(short)} has no result"
        case "cut-off":
            why = f": {short}" if short else ""
            return f"cut off before the turn was finished{why}"
        case "background":
            return f"turn finished; in the background, end not seen: {code(short)}"
        case _:
            return ""


def _waits(status: Status[Clean], detail: str) -> str:
    what = {
        "question": "waiting for the user's answer",
        "plan": "waiting for the user to approve the plan",
    }.get(status.waits_for, "waiting for the user")
    return f"{what}: “{detail}”" if detail else what


def remaining(c: Checkpoint, drift: Drift[Clean] | None) -> str:
    """What is open, counted: `2 of 5 tasks, 1 failing check (`pytest -q`), 3 files possibly
    uncommitted`; "" for nothing.
    """
    left = [task for task in c.tasks if task.status != "completed"]
    failing = [run for run in c.runs if run.outcome == "failed" and not _is_over(run, c)]
    checked = {run.command for run in c.runs}
    never = [f for f in c.failures if f.outcome == "failed" and f.command not in checked]
    never = [failure for failure in never if is_late(failure.places, c)]
    parts = [
        f"{len(left)} of {count(len(c.tasks), 'task')}{stale(left, c)}" if left else "",
        *(
            f"{each.total - each.done} of the {each.total} items seen in {code(each.path)}"
            for each in c.checklists
            if each.ticked and each.open
        ),
        _failing(failing, c),
        count(len(never), "command") + " that failed repeatedly" if never else "",
        count(len(c.blockers), "blocker") if c.blockers else "",
        files.summary(c, files.uncommitted(c, drift)),
        *_unpublished(c, drift),
        f"{len(c.background)} in the background, end not seen" if c.background else "",
    ]
    return ", ".join(part for part in parts if part)


def _unchecked_edit(c: Checkpoint) -> str:
    """`no test, build, lint or type check recognised after the last edit of code [t:9]`, for edits
    since the request; "" where one was.
    """
    changed = (f for f in c.files if f.change in _WRITTEN and not paths.prose(f.to or f.path))
    ends = [f.places[-1] for f in changed if f.places and not paths.apart(f.to or f.path)]
    # Of a file that only a commit named, it is not known when it was edited.
    commits = {place for item in c.progress for place in item.places}
    last = max((end for end in ends if end not in commits), key=order_of, default="")
    checked = max((order_of(place) for run in c.runs for place in run.places), default=0)
    told = bool(c.runs) and order_of(last) > checked and is_late([last], c)
    kinds = "no test, build, lint or type check recognised"
    return f"{kinds} after the last edit of code{tag([last])}" if told else ""


def stale(tasks: Sequence[Task[Clean]], c: Checkpoint) -> str:
    """` (the list is older than the last 3 requests [t:9])`; "" where it is not."""
    places = [place for task in tasks for place in task.places]
    if not places or is_late(places, c):
        return ""
    listed_at = max(map(order_of, places))
    asked = [max(map(order_of, each.places), default=0) for each in c.requests if is_typed(each)]
    later = sum(at > listed_at for at in asked)
    told = f"last {later} requests" if later > 1 else "last request"
    return f" (the list is older than the {told}{tag(places[:1])})"


def _unpublished(c: Checkpoint, drift: Drift[Clean] | None) -> Iterator[str]:
    """Commits that were not pushed and branches without a pull request: as git says now, else as
    the session showed last.
    """
    if drift is not None and not drift.no_git:
        yield f"{count(drift.unpushed, 'commit')} not pushed" if drift.unpushed else ""
    elif c.git is not None:
        if c.git.unpushed:
            of = count(c.git.unpushed, "commit") + tag(c.git.places)
            late = "" if is_late(c.git.places, c) else ", before the last request"
            yield f"the push of {of} failed{late}" if c.git.refused else f"no push seen of {of}"
        for seen, what in (
            (c.git.branches, "no pull request seen for the pushed"),
            (c.git.pulls, "no merge seen of"),
        ):
            newest = [item.text for item in reversed(seen)]
            yield f"{what} {listed(newest, _BRANCHES)}{tag(seen[-1].places)}" if seen else ""


def _is_over(run: Run[Clean], c: Checkpoint) -> bool:
    """Whether it failed before the request at hand, and edits came after it: it may be mended; or in
    a scratch folder: a trial.
    """
    past = bool(run.edits_after) and not is_late(run.places, c)
    return past or paths.apart(run.cwd or "")


def is_late(places: Sequence[str], c: Checkpoint) -> bool:
    """Whether it is of the time since the request that the session is about, if that is known."""
    asked = c.requests[leading(c.requests)].places if c.requests else ()
    since = max(map(order_of, asked), default=0)
    return max(map(order_of, places), default=since) >= since


def _failing(runs: Sequence[Run[Clean]], c: Checkpoint) -> str:
    if not runs:
        return ""
    since = by(runs[0])
    since += f", {count(runs[0].edits_after, 'edit')} since" if runs[0].edits_after else ""
    if not any(is_late(run.places, c) for run in runs):
        since += ", before the last request"
    return f"{count(len(runs), 'failing check')} ({code(runs[0].command)}{since})"


def lines(
    c: Checkpoint, drift: Drift[Clean] | None, budget: int, *, following: bool = True
) -> Iterator[Line]:
    """Status, what is open, next step (if `following`), the active request with what the user
    answered since, last message.
    """
    told = status_line(c)
    if told:
        yield Line(text=f"- Status: {told}", rank=0)
    left = remaining(c, drift)
    unchecked = _unchecked_edit(c)
    if left:
        yield Line(text=f"- Open: {left}{f', {unchecked}' if unchecked else ''}", rank=0.01)
    elif told:
        unfinished = c.requests and c.status.kind in {"cut-off", "interrupted"}
        what = "the request below" if unfinished else "nothing recorded"
        past = any(run.outcome == "failed" for run in c.runs)
        checks = "no check that failed since the request" if past else "no failing check"
        more = f"; {unchecked}" if unchecked else ""
        yield Line(text=f"- Open: {what} (no open task, {checks}{more})", rank=0.01)
    if following and not (c.next_action and c.next_action.author):  # which stands in the note
        yield from _next(c)
    before = bool(c.requests) and is_unanswered(c)
    if c.requests:
        at = active(c.requests)
        yield from _request(c.requests[at], budget, about=not before)
        yield from _before(c.requests, budget)
        answers = [r for r in c.requests[at + 1 :] if not _is_withdrawn(r, c)]
        for n, request in enumerate(answers, 1 - len(answers)):
            yield _answer(request, 0.05 if n > -_ANSWERS else _OLDER_ANSWER - n / 100)
    if c.closing is not None:
        said = "last message, before this request" if before else "last message"
        lead = f"The agent's {said}{tag(c.closing.places[:1])}:\n"
        yield _block(lead, c.closing.text, budget, _MESSAGE, partial(fitted, end=before, last=True))
    if c.plan is not None:
        kind = (
            "Approved plan"
            if c.plan.evidence == "asked"
            else f"Plan, {c.plan.why or 'of the agent'}"
        )
        asked = c.requests[active(c.requests)].places if c.requests else ()
        old = max(map(order_of, c.plan.places), default=0) < max(map(order_of, asked), default=0)
        lead = f"{kind}{tag(c.plan.places[:1])}{', before the active request' * old}:\n"
        yield _block(lead, c.plan.text, budget, _OLD_PLAN if old else _PLAN)


def _next(c: Checkpoint) -> Iterator[Line]:
    """What comes next as far as the record decides it."""
    item, text = c.next_action, ""
    if item and not is_told(item, c):
        text = f"{shorten(one_line(item.text), 400)}{_since_listed(item, c)}"
        text += tag(item.places, item.evidence)
    elif item and c.requests and c.status.kind in {"interrupted", "cut-off"}:
        text = f"continue the active request below{_begun(c)}"
    elif c.status.kind == "waiting":
        text = (
            f"the user's answer to the {c.status.waits_for or 'question'}, which is not there yet"
        )
    elif c.status.kind in {"finished", "background"} and c.closing:
        ends = last_line(c.closing.text)
        if not ends and is_short(c.closing.text):
            return
        lead = "the agent's last message ends" if ends else "see the agent's last message"
        said = f": {inline(ends, _DETAIL)}" if ends else ""
        text = f"the record does not decide it; {lead}{said}{tag(c.closing.places[:1])}"
    if text:
        yield Line(text=f"- Next: {text}", rank=0.02)


def _begun(c: Checkpoint) -> str:
    """How far the active request came, where that is known."""
    # An answer is a request of its own, for which the agent goes on, and so is "continue".
    at = active(c.requests)
    at = leading(c.requests) if is_reply(c.requests[at].text) else at
    if c.status.idle and at == active(c.requests):
        return "; nothing was done for it yet"
    counts = [request.changes for request in c.requests[at:]]
    if None in counts:
        return ""
    changes = sum(filter(None, counts))
    told = f"{count(changes, 'change') if changes else 'no change'} of project files seen"
    since = f"since{tag(c.requests[at].places[:1])}" if at < active(c.requests) else "for it so far"
    asked = max(map(order_of, c.requests[at].places), default=0)
    acts = (item for item in c.progress if not item.author)
    done = [item for item in acts if max(map(order_of, item.places), default=0) > asked]
    last = f", last git step: {one_line(done[-1].text)}{tag(done[-1].places[:1])}" if done else ""
    return f"; {told} {since}{last}"


def _since_listed(item: Item[Clean], c: Checkpoint) -> str:
    """How much was changed after the task list was written last, from which a next step comes."""
    listed = max((order_of(p) for task in c.tasks for p in task.places), default=0)
    if item.template != "open task" or not listed:
        return ""
    changed = [f for f in c.files if f.change not in LOOKED and f.places]
    later = sum(order_of(f.places[-1]) > listed for f in changed)
    return f" ({count(later, 'file')} changed since the task list was written)" if later else ""


def is_told(item: Item[Clean], c: Checkpoint) -> bool:
    """Whether the next step only repeats the status or the active request, which stand beside it."""
    request = c.requests[active(c.requests)].places if c.requests else ()
    status = c.status.places if c.status.kind in {"waiting", "finished"} else ()
    failing = {p for run in c.runs if run.pasted and run.outcome == "failed" for p in run.places}
    return bool(set(item.places) & ({*status, *request} - failing))


def is_unanswered(c: Checkpoint) -> bool:
    """Whether the agent said nothing after the active request: its last message is what that answers."""
    asked = max(map(order_of, c.requests[active(c.requests)].places), default=0)
    return c.closing is not None and 0 < max(map(order_of, c.closing.places), default=0) < asked


def _request(request: Request[Clean], budget: int, *, about: bool) -> Iterator[Line]:
    who = "Asked by the agent above it" if request.source == "agent" else "Active request"
    lead = f"{who}{tag(request.places[:1])}:\n"
    text = request.text
    if estimate(text) > budget * _REQUEST_WHOLE:
        text = Clean(fitted(text, characters_for(text, budget * _REQUEST_CUT)))
    yield Line(text=lead + quote(text), rank=0.03)
    short = is_short(request.text)
    if request.about and about and (short or request.source != "queued"):
        lead = "It follows the agent's message:\n"
        # One that says what is wanted needs it less than one of three words.
        shares = _FOLLOWED if is_telling(request.text) else _ABOUT
        point = choice(request.text)
        yield _block(lead, request.about, budget, shares, partial(fitted, end=True, point=point))


def _before(requests: Sequence[Request[Clean]], budget: int) -> Iterator[Line]:
    at, now = leading(requests), active(requests)
    if at == now:
        return
    request, told = requests[at], ""
    if request.ended and request.ended == requests[now].about:
        told = ", followed by the message above"
    elif request.ended:
        told = f", after which the agent said “{first_words(one_line(request.ended), _ENDED)}”"
    lead = f"An earlier request{tag(request.places[:1])}{told}:\n"
    yield _block(lead, request.text, budget, _BEFORE)


def _is_withdrawn(request: Request[Clean], c: Checkpoint) -> bool:
    """Whether it is a refusal before the plan that was approved, which stands below: it stands among
    the decisions alone.
    """
    if c.plan is None or c.plan.evidence != "asked" or request.source != "refusal":
        return False
    return max(map(order_of, request.places)) < max(map(order_of, c.plan.places), default=0)


def _answer(request: Request[Clean], rank: float) -> Line:
    words, about = inline(request.text, 600), request.about
    if request.source == "refusal":
        told = f"refused {shorten(about, 240)}, saying: {words}" if about else f"refused: {words}"
    elif request.source == "answer":
        told = f"answered: {f'{inline(about, 240)} → ' if about else ''}{words}"
    else:
        told = f"wrote: {words}"
    return Line(text=f"Then the user {told}{tag(request.places[:1])}", rank=rank)


def _block(
    lead: str,
    text: str,
    budget: int,
    shares: Sequence[tuple[float, float]],
    fit: Callable[[str, int], str] = fitted,
) -> Line:
    """A quotation in several lengths, shortened by `fit`."""
    forms: dict[str, float] = {}
    for share, rank in shares:
        room = len(text) + 1 if share >= 1 else characters_for(text, budget * share)
        forms.setdefault(lead + quote(fit(text, max(room, 160))), rank)
    (short, rank), *longer = forms.items()
    return Line(text=short, rank=rank, count=0, longer=tuple((r, t) for t, r in longer))
