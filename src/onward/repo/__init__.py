"""repo: what git and the files under a project's root say today. Runs git, changes nothing."""

from __future__ import annotations

from onward.repo.git import common, top
from onward.repo.observing import observe
from onward.repo.stamping import stamp
from onward.repo.status import state

__all__ = ["common", "observe", "stamp", "state", "top"]
