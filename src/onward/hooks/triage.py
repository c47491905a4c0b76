"""Whether the end of a session is worth a copy. Light, as most sessions are soon told.

The record `spoke` of a session says what was said since its client started it: `no` nothing,
`ours` only commands of ours and answers to their question, `yes` anything else. It is missing
where the start was not seen.
"""

from __future__ import annotations

import os

from onward.storage import live, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here

_SPOKE = "spoke"
_LARGE = 1_000_000  # bytes; nobody has said nothing in so many


def is_worth(here: Here, session: str, transcript: str) -> bool:
    """Whether there is anything to come back to that was not captured before.

    A session whose only words were our own commands is not: somebody resumed, looked and left.
    Its copy, the newest, would stand before the work that they looked at. But where they agreed
    to go on from a backup, that one waits no more, and this session stands in its place.
    """
    status = grown(transcript)
    if is_empty(transcript):
        return False
    known, said = sessions.captured(here.data, session), spoke(here, session)
    is_there = known is not None and os.path.isdir(known.root)  # noqa: PTH112 - pathlib is slow to import
    if known and is_there and (known.status == status or said == "no"):
        return False
    if said == "yes" or int(status[0]) > _LARGE or is_heir(here, session):
        return True
    from onward.hooks import context  # noqa: PLC0415 - only where a transcript is read

    context.find_packages()
    from onward.commands import work  # noqa: PLC0415 - as above

    return work.has_work(transcript, prompts=said != "ours")


def is_settled(here: Here, session: str, transcript: str, root: str) -> bool:
    """Whether nothing but our commands, bare assents and farewells came behind its last save.

    Else how many prompts did is put on record. What cannot be read may count.
    """
    save = sessions.saved(here.data, session, root)
    if save is None:
        return False
    from onward.hooks import context  # noqa: PLC0415 - few sessions were saved

    context.find_packages()
    from onward.commands import work  # noqa: PLC0415 - as above
    from onward.errors import OnwardError  # noqa: PLC0415 - as above

    try:
        prompts, acts = work.behind(context.world(here, root), transcript, save.size)
    except (OnwardError, OSError) as error:
        here.note("whether all was saved is unknown", error)
        return False
    sessions.count_since(here.data, session, prompts)
    return not prompts and not acts


def is_heir(here: Here, session: str) -> bool:
    """Of a backup; checkpoints and documents stay where they are."""
    known = sessions.resumed(here.data, session)
    return known is not None and known.agreed and known.kind == sessions.BACKUP


_standings: dict[str, int] = {}  # what was found out in this process


def standing(transcript: str) -> int:
    """What kind of work it is, as `ranking` has it."""
    if transcript not in _standings:
        from onward.hooks import context  # noqa: PLC0415 - at the end of a session alone

        context.find_packages()
        from pathlib import Path  # noqa: PLC0415 - as above

        from onward.commands import work  # noqa: PLC0415 - as above

        is_large = int(grown(transcript)[0] or 0) > _LARGE
        _standings[transcript] = work.standing(Path(transcript), whole=not is_large)
    return _standings[transcript]


def begins(here: Here, session: str, transcript: str) -> None:
    """Record that a client starts (or takes up) a session, and nothing was said in it yet.

    Not where something said before is still to be captured: then that stays on record. That the
    transcript has grown tells nothing: clients write to it as soon as they open it (measured,
    2.1.330 in a terminal).
    """
    status = grown(transcript)
    known = sessions.captured(here.data, session)
    is_captured = known is not None and known.status == status
    if not status[0] or is_captured or spoke(here, session) == "no":
        rests(here, session)


def rests(here: Here, session: str) -> None:
    """Record that all that was said is captured, and nobody says more."""
    live.put(here.data, session, _SPOKE, "no")


def speaks(here: Here, session: str, word: str) -> None:
    """Record that something was said. A command of ours changes nothing after other words, nor
    where nobody knows what was said before it.
    """
    known = spoke(here, session)
    if known == "no" or (word == "yes" and known != "yes"):
        live.put(here.data, session, _SPOKE, word)


def spoke(here: Here, session: str) -> str:
    """What was said since the client started the session: `no`, `ours` or `yes`; "" where its
    start was not seen.
    """
    return next(iter(live.get(here.data, session, _SPOKE)), "")


def is_empty(transcript: str) -> bool:
    """Whether there is no transcript, or nothing in it."""
    return grown(transcript)[0] in {"", "0"}


def located(transcript: str) -> str:
    """Where a transcript is: its client may have moved it to the folder of another project, as it
    does when it removes the work tree that a session was held in.
    """
    if os.path.isfile(transcript):  # noqa: PTH113 - pathlib is slow to import
        return transcript
    folder, name = os.path.split(transcript)
    top = os.path.dirname(folder)  # noqa: PTH120 - as above
    try:
        places = [f"{top}/{each}/{name}" for each in os.listdir(top)]  # noqa: PTH208 - as above
    except OSError:
        return transcript
    return next(filter(os.path.isfile, places), transcript)


def grown(transcript: str) -> tuple[str, str]:
    """Size and time of a transcript, as records have them; empty for one that is not there."""
    try:
        status = os.stat(transcript)  # noqa: PTH116 - pathlib is slow to import
    except OSError:
        return "", ""
    return str(status.st_size), str(status.st_mtime_ns)
