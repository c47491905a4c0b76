"""Agents: how full the context of a session is. Light: a hook asks at every turn.

There is one client as yet; another one's transcripts will be told by the agent's name.
"""

from __future__ import annotations

from onward.agents.claude_code.usage import TAIL, used, window

__all__ = ["TAIL", "used", "window"]
