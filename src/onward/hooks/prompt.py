"""Hooks: the user sent a prompt: an answer to our question, a close signal, or input to log."""

from __future__ import annotations

from onward import slash_commands, user_input
from onward.hooks import alive, packages, triage
from onward.storage import question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Note that the user said something; returns what the agent is told of an answer."""
    alive.note(call, here, where)
    if slash_commands.is_ours(call.prompt):
        triage.speaks(here, call.session, "ours")
        return ""
    if not call.prompt.startswith("/") and question.get(here.data, call.session):
        packages.find()
        from onward.hooks import answering  # noqa: PLC0415 - only after our question

        if told := answering.answer(call, here, where[0]):
            triage.speaks(here, call.session, "ours")
            return told
    triage.speaks(here, call.session, "yes")
    if call.prompt.startswith("/"):
        return ""
    closes = user_input.is_close_signal(call.prompt)
    if closes or user_input.is_significant(call.prompt):
        from onward.hooks import spawn  # noqa: PLC0415 - a short answer needs no child

        fields = {"project": where[0], "session": call.session, "transcript": call.transcript}
        job = "close" if closes else "prompt"
        spawn.later(here, job, fields | {"prompt": call.prompt})
    return ""
