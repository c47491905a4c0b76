"""repo: what git and the files under a project's root say today. Runs git, changes nothing.

Its functions are imported when they are asked for: hooks take `repo.unchanged`, and have no
time for the others.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.repo.git import common, top
    from onward.repo.observing import observe
    from onward.repo.reflog import commit_at
    from onward.repo.stamping import stamp
    from onward.repo.status import state
    from onward.repo.trees import drifted
else:
    _ROOMS = {
        "common": "git",
        "drifted": "trees",
        "observe": "observing",
        "stamp": "stamping",
        "top": "git",
    }
    _ROOMS |= {"state": "status", "commit_at": "reflog"}

    def __getattr__(name: str) -> object:
        if name not in _ROOMS:
            raise AttributeError(name)
        room = __import__(f"onward.repo.{_ROOMS[name]}", fromlist=[name])
        return getattr(room, name)


__all__ = ["commit_at", "common", "drifted", "observe", "stamp", "state", "top"]
