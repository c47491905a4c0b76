"""Hooks: somebody typed a prompt: an answer to our question, a farewell, words to remember."""

from __future__ import annotations

from onward import slash_commands
from onward.hooks import alive, packages, worth
from onward.store import question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.agents.hook_call import HookCall
    from onward.hooks.here import Here


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Note that something was said; returns what the agent is to be told of an answer."""
    alive.note(call, here, where)
    if slash_commands.is_ours(call.prompt):
        worth.speaks(here, call.session, "ours")
        return ""
    if not call.prompt.startswith("/") and question.get(here.data, call.session):
        packages.find()
        from onward.hooks import answering  # noqa: PLC0415 - only after our question

        if told := answering.answer(call, here, where[0]):
            worth.speaks(here, call.session, "ours")
            return told
    worth.speaks(here, call.session, "yes")
    if call.prompt.startswith("/"):
        return ""
    from onward.hooks import gate  # noqa: PLC0415 - a slash command needs none

    if gate.may_matter(call.prompt):
        from onward.hooks import spawn  # noqa: PLC0415 - few prompts need a child

        fields = {"project": where[0], "session": call.session, "transcript": call.transcript}
        spawn.later(here, "prompt", fields | {"prompt": call.prompt})
    return ""
