"""Hooks: the user's answer to the question of a resume."""

from __future__ import annotations

from onward.agents.hook_call import HookCall
from onward.commands import answer as verb
from onward.hooks import ground
from onward.hooks.here import Here


def answer(call: HookCall, here: Here, root: str) -> str:
    """What the agent is to be told; "" where the prompt is no answer."""
    project, world = ground.project(here, root), ground.world(here, root)
    return str(verb.answer(world, project, call.session, call.prompt))
