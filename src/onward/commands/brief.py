"""`brief`: the briefing of a transcript or of a saved place."""

from __future__ import annotations

from shlex import quote

from onward.briefing import brief as render
from onward.commands import drifting, source, workspace
from onward.commands.result import Result
from onward.commands.world import World


def brief(world: World, what: str, *, budget: int, look: bool, named: str = "") -> Result:
    """The briefing within `budget` tokens; `look` compares with the repository of today. `named` is
    what to type instead of `what`, where that is a path: redaction may take a name out of it.
    """
    found = source.load(world, what, verb="brief")
    drift = drifting.look(world, found) if look else None
    age = drifting.age_of(world, found)
    clean = workspace.redactor(world).text
    target = quote(named or what)
    where, whole = clean(target), clean(f"onward show {target}")
    if found.kind == "transcript":
        where, whole = clean(f"--session {target}"), clean(f"onward distill {target}")
    told = None if found.path.name in target else whole  # a path is long, and told once already
    text = render(found.checkpoint, drift, budget=budget, age=age, source=where, whole=told)
    data = {"briefing": text, "age": age, "checkpoint": found.checkpoint, "drift": drift}
    return Result(text=text, data=data)
