"""What the lines of a briefing are worth and how it shares out its room: every number in one place.

The lowest rank is bought first. Set with `python -m evals.weights` on real transcripts and read by
people: a number changes where the briefings of repositories that it was not fitted to gain as well.
"""

from __future__ import annotations

from msgspec import Struct


class Ranks(Struct, frozen=True):
    """The rank of the first line of a kind, and what each further one loses in worth: much where
    the first says nearly all, little where each says as much as the one before.
    """

    first: float
    step: float

    def at(self, number: int) -> float:
        """The rank of a line, counted from 0."""
        return self.first + self.step * number


class Weights(Struct, frozen=True, kw_only=True):
    """Ranks have no unit, shares are of the budget's tokens."""

    title_share: float = 0.15
    request_share: float = 0.28
    """Of the last request, told in short; at length it has twice as much."""
    next_share: float = 0.2

    request: float = 0.0
    about: float = 0.8
    """What the last words answer."""
    whole: float = 5.0
    """How much later a request or a plan is told at length than in short."""
    leant_on: Ranks = Ranks(1.0, 1.0)
    """Earlier requests, as long as the words after them are too few to say it all."""
    earlier: Ranks = Ranks(4.0, 3.0)
    """Earlier requests that nothing leans on."""
    assent: Ranks = Ranks(7.0, 4.0)
    """Earlier words such as "commit", which only tell what came between."""
    ended: Ranks = Ranks(4.9, 0.4)
    """How earlier requests ended, from the one before the last."""
    plan: float = 4.0
    goal: float = 11.0

    next_action: float = 0.1
    next_why: float = 2.5
    changed: Ranks = Ranks(1.0, 0.5)
    """Drift: what changed in the repository since then."""

    steps_share: float = 0.0075
    """So many of the last steps are told, for each token beyond those that the rest needs, where the session ended in
    the middle of them.
    """
    summed_share: float = 0.00125
    """The same where the agent's closing words sum them up."""
    step: Ranks = Ranks(1.4, 0.1)
    """The last steps, newest first."""

    older_step: Ranks = Ranks(14.0, 0.3)
    """Steps before those, where there is room left."""

    failed: Ranks = Ranks(2.0, 1.0)
    uncommitted: float = 3.0
    passed: Ranks = Ranks(3.3, 0.8)
    """Lines of checks that passed: each has several, and the newest say most."""
    unseen: Ranks = Ranks(12.0, 0.8)
    """Lines of checks whose outcome was not seen."""
    closing: tuple[float, ...] = (1.6, 5.6, 7.0, 10.0)
    """The agent's last words, in more and more characters (`brief.closing`)."""

    message: Ranks = Ranks(5.2, 1.2)
    """Earlier messages of the agent at more length than a line, newest first."""

    open_task: Ranks = Ranks(3.5, 0.6)
    task_note: float = 4.0
    """What is said of every open task, once."""
    done_task: Ranks = Ranks(25.0, 1.0)
    blocker: Ranks = Ranks(4.5, 2.0)
    done: Ranks = Ranks(6.0, 2.0)
    decided: Ranks = Ranks(4.4, 0.8)
    dead_end: Ranks = Ranks(4.8, 3.0)
    put_off: Ranks = Ranks(17.0, 3.0)
    command: Ranks = Ranks(4.2, 2.0)
    """Lines of commands that worked: a later one seldom is used again."""
    context: Ranks = Ranks(15.0, 2.5)

    file: Ranks = Ranks(3.5, 0.09)
    """Files in the order of their worth; a group has the mean of its files."""
    said: float = 0.2
    """How much later what the agent said of its edits is told than the file."""
    names: float = 2.0
    """How much later the names beside a file are told than the file."""
    single: float = 0.0025
    """So many files of the work in hand, for each token of the budget, have a line of their own."""
    fresh: float = 1.0
    """Worth of a file that was changed and not committed. This and the next three: how often a file
    of its kind was used again, by 75 sessions that were gone on with.
    """
    committed: float = 0.8
    read: float = 0.5
    named: float = 0.15
    scratch: float = 0.3
    """Worth of a file in a folder for what nobody keeps."""
    fades: float = 2.0
    """How much less the first file of a session is worth than its last: by `e` to this power."""
    again: float = 0.3
    """How much more a file is worth that was used again: by the count of uses to this power."""


WEIGHTS = Weights()
