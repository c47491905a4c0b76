"""Hooks: what is told of a pending backup where its hand-over lies ready, and nothing changed.

Only for the usual case: one marker, whose lines all lead to files of ours. All else is left to
`greeting`, whose words are the same; it imports what this has no time for.
"""
# The standard library's comfort (pathlib, re) costs as much as a start of Python.
# ruff: noqa: PTH113, PTH114, PTH116, PTH118, PTH123

from __future__ import annotations

import os

from onward.commands import handover_cache, saves
from onward.storage import live, roots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

PENDING = """SESSION_BACKUP_PENDING: A previous session backup exists at {}
User should run /resume-latest to restore context, or /discard-backup to discard."""
_STAMP = 15  # characters of a backup's name: 20260301_100000
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz_")
_REASON = 20  # letters at most: no secret is so short, so what is shown needs no redaction


def text(call: HookCall, here: Here, root: str) -> str:
    """The documents' two lines and the hand-over; "" where they are to be found otherwise."""
    if call.detail not in {"startup", "clear"} or roots.may_be_set(root):
        return ""
    try:
        newest = _newest(os.path.join(root, roots.PLACES["memory"]))
        told = _told(here, root, newest) if newest else None
    except (OSError, ValueError):  # a disk or a file that is not as we left it
        return ""
    if told is None:
        return ""
    shown = f"{roots.PLACES['memory']}/raw/{newest}"
    return "\n".join(part for part in (PENDING.format(shown), told) if part)


def _newest(memory: str) -> str:
    """The name of the newest backup that waits; "" where any line of a marker needs a closer
    look, because it is stale, or leads elsewhere.
    """
    if os.path.realpath(memory) != memory or any(
        os.path.lexists(f"{memory}/{name}") for name in roots.MARKERS[1:]
    ):
        return ""
    with open(f"{memory}/{roots.MARKERS[0]}", encoding="utf-8") as marker:
        lines = marker.read().splitlines()
    raw = os.path.join(memory, "raw")
    names = [line.removeprefix(raw + os.sep) for line in lines]
    if not names or not all(line.startswith(raw + os.sep) for line in lines):
        return ""
    if os.path.islink(raw) or not all(_is_ours(name) and _is_whole(raw, name) for name in names):
        return ""
    behind = _trivial(memory)
    first, stamps = names[0], [name[:_STAMP] for name in names]
    is_first = first == max(names, key=lambda name: (name not in behind, name))
    return first if is_first and stamps.count(first[:_STAMP]) == 1 else ""


def _trivial(memory: str) -> set[str]:
    """As `markers.trivial` has it."""
    try:
        with open(f"{memory}/.backup-log", encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return set()
    told = [line.split(" ") for line in lines if line.endswith(" trivial")]
    return {words[2] for words in told if len(words) > 3 and words[1] == "saved"}


def _is_ours(name: str) -> bool:
    stem = name.removesuffix(".jsonl")
    time, (reason, _, number) = stem[:_STAMP], stem[_STAMP:].partition("-")
    is_dated = len(time) == _STAMP and time[8] == "_" and (time[:8] + time[9:]).isdecimal()
    is_plain = len(reason) <= _REASON and _LETTERS.issuperset(reason)
    return stem != name and is_dated and is_plain and f"{number}0".isdecimal()


def _is_whole(raw: str, name: str) -> bool:
    path = os.path.join(raw, name)
    return os.path.isfile(path) and not os.path.islink(path) and os.stat(path).st_size > 0


def _told(here: Here, root: str, backup: str) -> str | None:
    """What lies ready for the session of a backup; None where nothing does."""
    memory = os.path.join(root, roots.PLACES["memory"])
    if saves.newest(here.data, root) >= os.stat(os.path.join(memory, "raw", backup)).st_mtime:
        return None
    session = _session(os.path.join(memory, ".backup-log"), backup)
    folder = live.folder(here.data, session)
    if not folder:
        return None
    since = os.stat(os.path.join(folder, "handover")).st_mtime
    if since < os.stat(os.path.join(memory, "raw", backup)).st_mtime - handover_cache.LATE:
        return None
    return handover_cache.get(here.data, session, root, here.now)


def _session(log: str, backup: str) -> str:
    """Whose backup it is, by the last line of the log that tells of it."""
    with open(log, encoding="utf-8", errors="replace") as file:
        told = file.read().rpartition(f" saved {backup} session=")
    words = told[2].split(maxsplit=1)
    return words[0] if told[1] and words else ""
