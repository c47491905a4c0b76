"""The start of a session: what a killed client left behind is captured, then the session is
told what waits.
"""
# The standard library's comfort (pathlib, re) costs as much as a start of Python.
# ruff: noqa: PTH112, PTH113, PTH114, PTH116, PTH118, PTH208

from __future__ import annotations

import os

from onward import regular
from onward.commands import handover_cache
from onward.hooks import processes, triage
from onward.storage import live, ranking, roots, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.storage.sessions import Captured, Running
    from onward.transcripts.hook_call import HookCall

RESUMED = ("resume", "fork")  # ways to start that bring the session's own history along
PENDING = """SESSION_BACKUP_PENDING: A previous session backup exists at {}
User should run /resume-latest to restore context, or /discard-backup to discard."""
WAITS = "An earlier session was not saved: /resume-latest continues it, /discard-backup drops it."
"""What the user is shown where the client can show it."""
SAVED = "A place was saved here: /resume-latest continues from it."
OPEN = "Open in another window at this moment, and not offered (session):"
COPIED = """A large session of this project is still being copied in the background, and is offered once that is done.
Until then `onward sessions` lists it."""
_TEMPORARY = ".onward-tmp"  # as `storage.atomic` has it
_LARGEST = 8 << 20  # bytes of a marker, or of the log of backups
_REASON = 20  # letters at most: no secret is so short, so what is shown needs no redaction


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Sweep, record the session as running, and return what it is to be told."""
    _clear(here, where[0])
    is_copied = sweep(call, here, where)
    processes.note(call, here, where)
    if call.detail != "compact":
        triage.begins(here, call.session, call.transcript)
    told = _waiting(call, here, where[0])
    if call.detail not in {"startup", "clear"}:
        return told
    open_ = _open_elsewhere(call, here, where[0]) if told else ""
    copied = COPIED if is_copied else ""
    return "\n".join(part for part in (told.rstrip("\n") if open_ else told, open_, copied) if part)


def _open_elsewhere(call: HookCall, here: Here, root: str) -> str:
    """A line on the sessions that are open in other windows and in which something was said."""
    others = [
        session[:8]
        for session, record in sessions.open_now(here.data, here.now).items()
        if record.root == root and session != call.session and triage.spoke(here, session) == "yes"
    ]
    return f"{OPEN} {', '.join(sorted(others))}." if others else ""


def _waiting(call: HookCall, here: Here, root: str) -> str:
    """What a session is told of all that waits."""
    if not _may_tell(call, here, root):
        return ""
    if told := prepared(call, here, root):
        return told
    from onward.hooks import context  # noqa: PLC0415 - only where there is more to tell

    context.find_packages()
    from onward.hooks import greeting  # noqa: PLC0415 - needs the packages

    return greeting.text(call, here, root)


def _clear(here: Here, root: str) -> None:
    """Remove what killed processes left half written, whether or not anything is captured."""
    memory = os.path.join(root, roots.PLACES["memory"])
    for folder in (memory, os.path.join(memory, "raw")):
        if any(name.endswith(_TEMPORARY) for name in _names(folder)):
            from onward.hooks import capture  # noqa: PLC0415 - hardly ever

            capture.clear(here, root, folder)


def _may_tell(call: HookCall, here: Here, root: str) -> bool:
    """Whether there may be anything to tell, by the names of files alone."""
    if roots.may_be_set(root):
        return True
    memory = os.path.join(root, roots.PLACES["memory"])
    if any(os.path.lexists(f"{memory}/{name}") for name in roots.MARKERS):
        return True
    if call.detail == "compact":
        return False
    if call.detail in RESUMED:
        return os.path.lexists(f"{live.folder(here.data, call.session)}/checkpoint.json")
    return _is_saved(here, root, memory)


def _is_saved(here: Here, root: str, memory: str) -> bool:
    """Whether there may be a saved place, by the names of files alone."""
    named = _names(f"{root}/{roots.PLACES['checkpoints']}")
    documents = [name for name in _names(memory) if name.startswith("session-")]
    protocols = (os.path.join(root, name) for name in (roots.PLACES["protocol"], "sp.json"))
    if any(name.endswith(".md") for name in named + documents) or any(
        map(os.path.lexists, protocols)
    ):
        return True
    return sessions.saved_last(here.data, root) > 0


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def sweep(call: HookCall, here: Here, where: tuple[str, str]) -> bool:
    """Capture what was lost, each as if it had ended when its transcript was last written.
    Returns whether a copy goes on in the background.

    Found by the records of this machine: among the sessions that run and, as only a repository has
    several work trees, those that wait. A session in a work tree that was removed is found from
    any other one of its repository, also one that ended and still waited to be resumed: its copy
    went with the folder. Sessions without a record are left alone.

    What the disk refuses is told in the log: the start goes on, and the next one tries again.
    """
    found: dict[str, str] = {}
    for session in sessions.near(here.data, wait=bool(where[1])):
        record = _lost(here, session, where)
        if not record or session == call.session or _runs(record, call, here.now):
            continue
        processes.end_idle_wait(here, session)
        transcript = triage.located(record.transcript)
        if triage.is_empty(transcript):  # nobody said a word in it
            sessions.end(here.data, session)
        else:
            found[session] = transcript
    if not found:
        return False
    from onward.hooks import capture  # noqa: PLC0415 - most starts find nothing, and it is slow

    return capture.capture_lost(here, found, where)


def _lost(here: Here, session: str, where: tuple[str, str]) -> Running | Captured | None:
    """The record by which a session may be a lost one of this project; None if it is not."""
    root, common = where
    if seen := sessions.running(here.data, session):
        return seen if seen.root == root or _is_removed(seen, common) else None
    captured = sessions.captured(here.data, session)
    return captured if captured and captured.copy and _is_removed(captured, common) else None


def _is_removed(record: Running | Captured, common: str) -> bool:
    """Whether a record speaks of a work tree of this repository that is there no more."""
    return record.common == common != "" and not os.path.isdir(record.root)


def _runs(record: Running | Captured, call: HookCall, now: float) -> bool:
    """One process serves one session at a time: its next one tells that this one is over."""
    if isinstance(record, sessions.Captured) or (call.pid and record.pid == str(call.pid)):
        return False
    return sessions.is_running(record, now)


def prepared(call: HookCall, here: Here, root: str) -> str:
    """The documents' two lines and the hand-over where it lies ready and nothing changed; "" where
    they are to be found otherwise.

    Only for the usual case: one marker, whose lines all lead to files of ours. All else is left to
    `greeting`, whose words are the same; its imports alone take ten times as long as this.
    """
    if call.detail not in {"startup", "clear"} or roots.may_be_set(root):
        return ""
    try:
        newest = _newest(os.path.join(root, roots.PLACES["memory"]))
        told = _told(call, here, root, newest) if newest else None
    except (OSError, ValueError):  # a disk or a file that is not as we left it
        return ""
    if told is None:
        return ""
    here.notice = WAITS if told else ""  # nothing was done in a session of which nothing is told
    shown = from_session(call, root, f"{roots.PLACES['memory']}/raw/{newest}")
    return "\n".join(part for part in (PENDING.format(shown), told) if part)


def from_session(call: HookCall, root: str, path: str) -> str:
    """A path from the project's root, as it is from the folder of the session."""
    up = os.path.relpath(root, os.path.realpath(call.project or call.cwd)).replace(os.sep, "/")
    return path if up == "." else f"{up}/{path}"


def _newest(memory: str) -> str:
    """The name of the backup that waits, where others hold no work; "" where a marker needs a closer
    look, because there is more work, or a line is stale or leads elsewhere.
    """
    if os.path.realpath(memory) != memory or any(
        os.path.lexists(f"{memory}/{name}") for name in roots.MARKERS[1:]
    ):
        return ""
    lines = regular.head(f"{memory}/{roots.MARKERS[0]}", _LARGEST).decode().splitlines()
    raw = os.path.join(memory, "raw")
    names = [line.removeprefix(raw + os.sep) for line in lines]
    if not names or not all(line.startswith(raw + os.sep) for line in lines):
        return ""
    if os.path.islink(raw) or not all(_is_ours(raw, name) for name in names):
        return ""
    told = ranking.saved(_log(f"{memory}/.backup-log")) if names[1:] else {}
    kinds = {told.get(name, ranking.UNTOLD)[1] for name in names[1:]}
    return names[0] if kinds <= {ranking.TRIVIAL} else ""


def _is_ours(raw: str, name: str) -> bool:
    """Whether it is named as our copies are, and a file with something in it."""
    found, path = ranking.parts(name), os.path.join(raw, name)
    if found is None or len(found[1]) >= _REASON or os.path.islink(path):
        return False
    return os.path.isfile(path) and os.stat(path).st_size > 0


def _told(call: HookCall, here: Here, root: str, backup: str) -> str | None:
    """What lies ready for the session of a backup; None where nothing does."""
    memory = os.path.join(root, roots.PLACES["memory"])
    log = _log(os.path.join(memory, ".backup-log"))
    copied = os.stat(os.path.join(memory, "raw", backup)).st_mtime
    if sessions.saved_last(here.data, root) >= copied:
        return None
    session, standing = ranking.saved(log).get(backup, ranking.UNTOLD)
    if standing != ranking.WORK and _is_saved(here, root, memory):
        return None  # a saved place is told before it
    folder = live.folder(here.data, session)
    if not folder or sessions.running(here.data, session):
        return None
    noted = live.noted(here.data, session) / 1e9
    prepared_at = os.stat(os.path.join(folder, "handover")).st_mtime
    if prepared_at < max(copied - handover_cache.LATE, noted):
        return None
    told = handover_cache.get(here.data, session, root, here.now)
    return told and addressed(call, here, root, told, session)


def addressed(call: HookCall, here: Here, root: str, told: str, session: str) -> str:
    """A hand-over that names where this session's agent leaves its note, which its turn's end then
    looks for. `session` is the one that it tells of.
    """
    live.put(here.data, call.session, "told", session)
    sessions.brief(here.data, call.session, session)
    return told.replace(handover_cache.NOTE, note_place(call, root))


def note_place(call: HookCall, root: str) -> str:
    """The file of the note of this session's agent, from the folder of the session."""
    return from_session(call, root, f"memory/.draft-{call.session[:8]}.json")


def _log(path: str) -> str:
    return regular.head(path, _LARGEST).decode("utf-8", "replace")
