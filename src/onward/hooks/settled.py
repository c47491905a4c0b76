"""Hooks: whether a session that ends was saved, and nothing that counts came after it."""

from __future__ import annotations

from onward.commands import saves
from onward.hooks import log, packages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here


def is_settled(here: Here, session: str, transcript: str, root: str) -> bool:
    """Whether nothing but our commands, bare assents and farewells came behind its last save.

    Else how many prompts did is put on record. What cannot be read may count.
    """
    save = saves.get(here.data, session, root)
    if save is None:
        return False
    packages.find()
    from onward.errors import OnwardError  # noqa: PLC0415 - few sessions were saved
    from onward.hooks import context, work  # noqa: PLC0415 - as above

    try:
        prompts, acts = work.behind(context.world(here, root), transcript, save.size)
    except (OnwardError, OSError) as error:
        log.note(here, f"whether all was saved is unknown: {log.where(error)}")
        return False
    saves.count(here.data, session, prompts)
    return not prompts and not acts
