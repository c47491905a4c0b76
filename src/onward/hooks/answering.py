"""Hooks: the user's answer to the question of a resume."""

from __future__ import annotations

from onward.commands import answer as verb
from onward.hooks import context
from onward.hooks.environment import Here
from onward.transcripts.hook_call import HookCall


def answer(call: HookCall, here: Here, root: str) -> str:
    """What the agent is to be told; "" where the prompt is no answer."""
    project, world = context.project(here, root), context.world(here, root)
    return str(verb.answer(world, project, call.session, call.prompt))
