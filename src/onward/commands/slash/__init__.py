"""Commands, slash: what the slash commands run before the agent reads a word of them.

A problem is an answer here, as any other: where such a command ended with a status other than
0, the client would give up the whole slash command (measured).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from onward.commands.slash import added, loading, looking, saving, told
from onward.commands.slash.asked import Asked, unframed
from onward.commands.world import World
from onward.errors import NotFoundError, OnwardError, RefusedError, StorageError, UsageError
from onward.model import Clean
from onward.storage import live
from onward.transcripts import registry

_ADD = "add"
_SHELL = "shell-"
_RECENT = 60.0
"""Seconds for which a shell is remembered: its number comes round, in a container soon."""
_MODES: Mapping[str, Callable[[Asked], Clean]] = {
    "save": saving.checkpoint,
    "list": looking.list_checkpoints,
    "resume": loading.resume_checkpoint,
    "delete": looking.delete_checkpoint,
}
WITH_WORDS = ("document-and-save-to", "resume-from", "checkpoint")


def _checkpoint(asked: Asked) -> Clean:
    mode, rest = (*asked.text.split(maxsplit=1), "", "")[:2]
    if mode not in _MODES:
        forms = "save NAME, list, resume NAME or delete NAME"
        raise UsageError(f"which of these? {forms}", f"{asked.typed} list")
    return _MODES[mode](asked._replace(text=rest))


def _first(world: World, shell: str) -> bool:
    """Whether a shell calls for the first time. A typed line that ends the here-document could
    call the command again, with words of its own: the client lets that pass (measured).
    """
    data, session = str(world.data), registry.current(world.env)
    live.expire(data, session, _SHELL, world.now.timestamp() - _RECENT)
    return live.claim(data, session, f"{_SHELL}{shell}")


COMMANDS: Mapping[str, Callable[[Asked], Clean]] = {
    "document-and-save": saving.document_and_save,
    "document-and-save-to": saving.document_and_save_to,
    "resume-latest": loading.resume_latest,
    "resume-from": loading.resume_from,
    "sessions-list": looking.sessions_list,
    "discard-backup": looking.discard_backup,
    "checkpoint": _checkpoint,
    "save-session-protocol": saving.save_session_protocol,
    "load-session-protocol": loading.load_session_protocol,
}


def run(world: World, name: str, step: str, raw: str, shell: str) -> Clean:
    """The text for the agent. `name` may carry a plugin's prefix (`onward:checkpoint`); `step` is
    "" or "add"; `raw` is what was typed, as the command file frames it; `shell` tells the shell
    that runs the lines of one command from every other.
    """
    before, colon, command = name.rpartition(":")
    asked = Asked(world, command, before + colon, unframed(raw))
    try:
        if command not in COMMANDS or step not in {"", _ADD}:
            raise NotFoundError(f"there is no slash command {name} {step}".rstrip(), "/help")
        if not step and not _first(world, shell):
            raise RefusedError("this command was run already; what stood behind it was left undone")
        return added.add(asked) if step == _ADD else COMMANDS[command](asked)
    except OnwardError as error:
        return told.problem(asked, error)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return told.problem(asked, StorageError(f"{error.filename or 'the disk'}: {reason}"))
