"""Agents: whether a session was more than a word and its answer. Light: a hook asks at every end.

There is one client as yet; another one's transcripts will be told by the agent's name.
"""

from __future__ import annotations

from onward.agents.claude_code.exchange import is_trivial

__all__ = ["is_trivial"]
