"""One thread as it is told, in a list and as JSON."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from shlex import quote

from msgspec import Struct

from onward.commands.overview.clean import Cleaner
from onward.commands.overview.places import Place
from onward.commands.overview.threads import Seen
from onward.commands.result import compose
from onward.commands.world import World
from onward.documents.times import age, moment
from onward.model import Clean
from onward.open_work.signs import Sign
from onward.transcripts import registry

_NOW = 60  # seconds
_CHECKS = {"test": "test", "build": "build", "lint": "lint", "types": "type check"}


class Reason(Struct, frozen=True, kw_only=True):
    """Why a thread counts as open: in a word or two, and what says so."""

    kind: str
    brief: Clean
    text: Clean
    evidence: str
    session: Clean
    places: tuple[str, ...]


class Row(Struct, frozen=True, kw_only=True):
    """One thread."""

    project: Clean
    folder: Clean
    branch: Clean
    work_tree: Clean
    """The name of a linked work tree; "" for the main one."""
    age: str
    ended: str
    open: bool
    status: str
    """How its newest session stood at its last event (`model.Status.kind`), "" if unknown."""
    state: Clean
    """All reasons in brief, and what else is to be known of the place."""
    task: Clean
    wanted: Clean
    next_action: Clean
    reasons: tuple[Reason, ...]
    uncommitted: tuple[Clean, ...]
    pending_backups: int
    checkpoints: tuple[Clean, ...]
    agent: str
    session: Clean
    start: Clean
    """The command that starts the agent there; "" where the folder is gone."""


def row(world: World, seen: Seen, cleaner: Cleaner) -> Row:
    """A thread as it is told at this moment."""
    thread, place, lead = seen.thread, seen.place, seen.thread.lead
    at, root = moment(thread.ended), place.root
    past = world.now.timestamp() - at.timestamp() if at else 0.0
    folder = lead.folder if place.gone else cleaner.path(root, root)
    backups = (r.sign.count for r in thread.reasons if r.sign.kind == "backup")
    return Row(
        project=compose("~") if folder == "~" else _name(place, folder, cleaner),
        folder=folder,
        branch=compose("") if seen.branch == "HEAD" else seen.branch,
        work_tree=cleaner.text(place.work_tree, root),
        age="now" if past < _NOW else age(past),
        ended=thread.ended,
        open=thread.is_open,
        state=_state(seen),
        status=lead.status,
        task=lead.task,
        wanted=lead.wanted,
        next_action=lead.following,
        reasons=tuple(
            Reason(
                kind=reason.sign.kind,
                brief=brief(reason.sign),
                text=reason.sign.text,
                evidence=reason.sign.evidence,
                session=reason.session,
                places=reason.sign.places,
            )
            for reason in thread.reasons
        ),
        uncommitted=thread.uncommitted,
        pending_backups=next(backups, 0),
        checkpoints=tuple(each.name for each in thread.named),
        agent=lead.agent,
        session=lead.session,
        start=compose("") if place.gone else command(folder, registry.start(lead.agent)),
    )


def command(folder: Clean, words: Sequence[str]) -> Clean:
    """What to type to be in a folder and start an agent there; "" for no words."""
    if not words:
        return compose("")
    told = " ".join(map(quote, words))
    if os.name == "nt":
        return compose(f'cd "{folder}"; {told}')
    # The shell reads a quoted ~ as a name.
    where = f"~/{quote(folder[2:])}" if folder.startswith("~/") else quote(folder)
    return compose(f"cd {folder if folder == '~' else where} && {told}")


def brief(sign: Sign) -> Clean:
    """A sign in a word or two."""
    number, count = sign.count, f"{sign.count} "
    told = {
        "question": "waits for you",
        "stopped": "interrupted",
        "broken-off": "cut off",
        "background": "runs in the background",
        "failing": f"{_CHECKS.get(sign.of, 'check')} fails",
        "tasks": f"{count}open task{'s' * (number > 1)}",
        "uncommitted": f"{count}uncommitted",
        "backup": f"{count if number > 1 else ''}backup{'s' * (number > 1)} pending",
        "checkpoint": f"checkpoint {sign.text}" if number == 1 else f"{count}checkpoints",
        "operation": sign.text.removeprefix("a "),
    }
    return compose(told[sign.kind])


def _name(place: Place, folder: Clean, cleaner: Cleaner) -> Clean:
    if place.gone:  # clean already
        parts = re.split(r"[\\/]", folder)
        # A work tree below a folder of somebody's tools: what stands before that is the project.
        tools = (n for n, part in enumerate(parts) if n > 1 and part.startswith("."))
        return compose(parts[next(tools, len(parts)) - 1] or folder)
    return cleaner.text(place.name, place.root)


def _state(seen: Seen) -> Clean:
    """The reasons of the session that is told, then those of the place."""
    lead, reasons = seen.thread.lead.session, seen.thread.reasons
    own = [reason for reason in reasons if reason.session in {"", lead}]
    told: list[str] = list(dict.fromkeys(brief(each.sign) for each in own))
    if earlier := len({reason.session for reason in reasons} - {"", lead}):
        told.append(f"{earlier} earlier open" if told else f"{earlier} open")
    told = told or ["finished"]
    if seen.state and seen.state.ahead and seen.state.branch == seen.branch:
        told.append(f"{seen.state.ahead} not pushed")
    if seen.place.gone:
        told.append("folder is gone")
    return compose(" · ".join(told))
