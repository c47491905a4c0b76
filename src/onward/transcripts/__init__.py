"""Where each client keeps its sessions, and how its records become events.

One agent, one folder, one entry in `registry.AGENTS`. Nothing above this room names a client.
This file imports nothing: the hooks, which must start at once, read only `claude_code.hooks`.
"""
