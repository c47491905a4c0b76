"""Where each client keeps its sessions, and how its records become events.

One agent, one module or folder, one line in `registry.AGENTS`. Nothing above this package names a client.
This file imports nothing: the hooks, which must start at once, read only `hook_call`.
"""
