"""A session goes on: the user sent a prompt, the agent answered, or is about to run a command."""

from __future__ import annotations

import os

from onward.hooks import processes, triage
from onward.storage import live, roots, sessions
from onward.transcripts import hook_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

_IDLE = 10.0  # minutes, where no settings say otherwise
_LONG = 30_000  # milliseconds, the documents' 30 s
_PAUSE = 60.0  # seconds in which one save is enough, or one look at the context
_FULL, _STEP = 70, 5
"""Percent of the context from which exchanges are kept, and until the next autosave."""
_NEAR = 50
"""Percent at which one more answer may come above. At a turn's end the client has not always
written the answer that ended it (measured), and what is there tells of the request before it.
"""
_CONTEXT = 200_000  # tokens of a context of which nothing is known
_BYTES = 4  # of a transcript that hold a token, at least: where no answer is written yet


def prompt(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Note that the user said something; returns what the agent is told of an answer."""
    from onward import slash_commands, user_input  # noqa: PLC0415 - for a prompt alone

    processes.note(call, here, where)
    _look_later(here, call.session)
    if slash_commands.is_ours(call.prompt):
        triage.speaks(here, call.session, "ours")
        return ""
    is_plain = not call.prompt.startswith("/")
    is_asked = is_plain and sessions.asked(here.data, call.session)
    if is_asked and (told := _answered(call, here, where[0])):
        triage.speaks(here, call.session, "ours")
        return told
    triage.speaks(here, call.session, "yes")
    if not is_plain:
        return ""
    closes = user_input.is_close_signal(call.prompt)
    if closes or user_input.is_significant(call.prompt):
        _later(call, here, where[0], "close" if closes else "prompt", prompt=call.prompt)
    return _findings(call, here, where[0])


def _findings(call: HookCall, here: Here, root: str) -> str:
    """What in the note that the agent left after the start does not agree with the record."""
    found = live.get(here.data, call.session, "findings")
    if not found:
        return ""
    from onward.hooks import start  # noqa: PLC0415 - hardly ever

    live.drop(here.data, call.session, "findings")
    place = start.note_place(call, root)
    return "\n".join([f"Your note, checked; to correct it once, write {place} again:", *found])


def _answered(call: HookCall, here: Here, root: str) -> str:
    """What the agent is told where the prompt answers our question; "" where it does not."""
    from onward.hooks import context  # noqa: PLC0415 - only after our question

    world = context.verb(here, root)
    from onward.commands import resume  # noqa: PLC0415 - needs the packages

    return str(resume.answer(world, call.session, call.prompt))


def turn(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Note the turn; where the context may be nearly full let a child look closely. Starts the
    shell that waits for the session to become idle, unless one waits.
    """
    processes.note(call, here, where)
    if triage.is_empty(call.transcript):
        return ""
    if triage.spoke(here, call.session) == "no":
        triage.speaks(here, call.session, "yes")  # a shell line of the user's is no prompt
    setting, idle, state = _settings(here, where[0])
    tokens, window, written = _used(here, call.transcript, setting)
    if 100 * (tokens or written // _BYTES) > _NEAR * window:
        size = triage.grown(call.transcript)[0]
        _later(call, here, where[0], "turn", last=call.last, size=size)
    else:
        live.drop(here.data, call.session, "full")
    if _has_note(call, here, where[0]):
        _later(call, here, where[0], "note")
    if idle and (not triage.is_empty(state) or triage.spoke(here, call.session) == "yes"):
        processes.begin_idle_wait(call, here, where[0], idle * 60)
    return ""


def _has_note(call: HookCall, here: Here, root: str) -> bool:
    """Whether the agent left its note as the hand-over asks. One that belongs to a question or to a
    save is taken with that.
    """
    if not live.get(here.data, call.session, "told") or live.get(
        here.data, call.session, "written"
    ):
        return False
    note = f"{root}/memory/.draft-{call.session[:8]}.json"
    return os.path.isfile(note) and not sessions.asked(here.data, call.session)  # noqa: PTH113 - pathlib is slow to import


def _settings(here: Here, root: str) -> tuple[int, float, str]:
    """The size of the context (0 for the model's own), the minutes, SESSION-STATE.md."""
    if not roots.may_be_set(root):
        return 0, _IDLE, f"{root}/{roots.PLACES['state']}"
    from onward.hooks import context  # noqa: PLC0415 - few projects have settings

    project = context.project(here, root)
    settings = project.settings
    return settings.context_window, settings.idle_minutes, str(project.state_file)


def steps_above(here: Here, session: str, transcript: str, setting: int) -> tuple[int, bool]:
    """0 up to 70 %, then how many steps of 5 % were begun, by what is written in the transcript; and
    whether these are more than at the last look, of which the record `full` tells.
    """
    tokens, window, _ = _used(here, transcript, setting)
    percent = 100 * tokens // window
    step = (percent - _FULL) // _STEP + 1 if percent > _FULL else 0
    known = live.get(here.data, session, "full")
    live.put(here.data, session, "full", str(step))
    return step, step > int(known[0] if known and known[0].isdigit() else 0)


def filled(call: HookCall, here: Here, root: str) -> bool:
    """In the middle of a turn: whether another step is reached, for which a child then autosaves. The
    exchange is not over, so it is not kept.
    """
    window = _settings(here, root)[0]
    _, is_reached = steps_above(here, call.session, call.transcript, window)
    if is_reached:
        _later(call, here, root, "autosave", signal="context")
    return is_reached


def _used(here: Here, transcript: str, setting: int) -> tuple[int, int, int]:
    """Tokens (0 where nothing tells), those of the context, and the transcript's bytes. `setting` is
    the size of the context in tokens, 0 for the model's own.
    """
    try:
        with open(transcript, "rb") as file:  # noqa: PTH123 - pathlib is slow to import
            size = file.seek(0, 2)
            file.seek(max(0, size - hook_call.TAIL))
            tokens, window = hook_call.client(here.agent).used(file.read(hook_call.TAIL))
    except OSError:
        return 0, 1, 0
    return tokens, setting if setting > 0 else window or _CONTEXT, size


def tool(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Let a child autosave where the context has filled by another step since it was last looked at,
    else where a command may take more than 30 s; at most once a minute.
    """
    processes.note(call, here, where)
    _look_later(here, call.session)
    if filled(call, here, where[0]) or not (call.background or call.limit > _LONG):
        return ""
    last = live.get(here.data, call.session, "long")
    if last and 0 <= here.now - float(last[0]) < _PAUSE:
        return ""
    live.put(here.data, call.session, "long", str(here.now))
    _later(call, here, where[0], "autosave", signal="long")
    return ""


def _look_later(here: Here, session: str) -> None:
    """Let the shim call us for a command in a minute, by the time of a file: a shell compares times
    without starting a process.
    """
    live.put(here.data, session, "look")
    try:
        at = here.now + _PAUSE
        os.utime(os.path.join(live.folder(here.data, session), "look"), (at, at))  # noqa: PTH118
    except OSError:  # the disk says no: it is looked at when the turn ends
        pass


def _later(call: HookCall, here: Here, root: str, job: str, **fields: str) -> None:
    own = {"project": root, "session": call.session, "transcript": call.transcript}
    processes.later(here, job, own | fields)
