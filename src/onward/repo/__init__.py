"""repo: what git and the files under a project's root say today. Runs git, changes nothing.

Its functions are imported when they are asked for: hooks take `repo.invocation`, and have no
time for the others.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.repo.files import stamp
    from onward.repo.git import commit_at, common, state, top
    from onward.repo.observing import drifted, observe
else:
    _MODULES = {"stamp": "files", "drifted": "observing", "observe": "observing"}

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(name)
        module = __import__(f"onward.repo.{_MODULES.get(name, 'git')}", fromlist=[name])
        return getattr(module, name)


__all__ = ["commit_at", "common", "drifted", "observe", "stamp", "state", "top"]
