"""Where this call runs."""

from __future__ import annotations

import os
import time

from onward.hooks import claims
from onward.storage.machine import data_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from onward.transcripts.hook_call import HookCall


class Here:
    """The folder `data` for our own things, the user's `home`, the environment, the clock.

    `agent` is the client as the command line named it; `project` its project once the payload
    is read, "" before; `notice` one line for the user, where the client can show it.
    """

    __slots__ = ("agent", "data", "env", "home", "notice", "now", "project")

    def __init__(self, env: Mapping[str, str], agent: str = "", project: str = "") -> None:
        self.agent = agent
        self.env = env
        self.home = os.path.expanduser("~")  # noqa: PTH111 - pathlib costs more than the hook may
        self.data = data_folder(env, self.home)
        self.now = time.time()
        self.project = project
        self.notice = ""

    def client(self) -> ModuleType:
        """What the client's folder in `transcripts/` offers to hooks."""
        name = f"onward.transcripts.{self.agent.replace('-', '_')}.hooks"
        return __import__(name, fromlist=["parse"])

    def ready(self) -> bool:
        """Whether our folder is there; made where the home is, never a home with it."""
        if os.path.isdir(self.data):  # noqa: PTH112 - as above
            return True
        if not self.env.get("ONWARD_DATA") and not os.path.isdir(self.home):  # noqa: PTH112
            return False
        try:
            os.makedirs(self.data, 0o700, exist_ok=True)  # noqa: PTH103
        except OSError:
            return False
        return True

    def once(self, call: HookCall) -> bool:
        """Whether this call is the first of its kind, as `claims` has it."""
        return not self.ready() or claims.claim(self.data, call, self.now)
