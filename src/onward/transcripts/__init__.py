"""Where each client keeps its sessions, and how its records become events: what is the same for all.

This file imports nothing: the hooks, which must start at once, read only `hook_call`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

AGENTS = ("claude-code", "codex", "opencode", "copilot")
"""The one table: each has a folder in `agents/`, with `_` for `-`. No other module names one."""


def part(agent: str, module: str) -> "ModuleType":
    """A module of an agent's folder: `sessions`, `reader`, `hook` or `install`; imported only now."""
    return __import__(f"onward.agents.{agent.replace('-', '_')}.{module}", fromlist=[module])
