"""Commands, slash: lists, and what is done with."""

from __future__ import annotations

from onward.commands import backup, document, listing, trash
from onward.commands.slash import told
from onward.commands.slash.asked import Asked, words
from onward.errors import UsageError
from onward.model import Clean


def sessions_list(asked: Asked) -> Clean:
    """The session documents, a pending backup on top."""
    result = document.list_documents(asked.world)
    return told.answer(told.as_typed(result.text, asked.prefix), told.notes(asked, result))


def discard_backup(asked: Asked) -> Clean:
    """The newest pending backup and its marker go, unread."""
    result = backup.discard(asked.world)
    return told.answer(result.text, told.notes(asked, result))


def list_checkpoints(asked: Asked) -> Clean:
    """The table of the checkpoints."""
    world = asked.world
    result = listing.list_checkpoints(
        str(world.cwd), world.now.timestamp(), lambda: world, data=str(world.data)
    )
    return told.answer(result.text, told.notes(asked, result))


def delete_checkpoint(asked: Asked) -> Clean:
    """A checkpoint into the trash."""
    name = next(words(asked.text), "")
    if not name:
        raise UsageError("which checkpoint?", f"{asked.typed} list")
    result = trash.delete(asked.world, name)
    return told.answer(result.text, told.notes(asked, result))
