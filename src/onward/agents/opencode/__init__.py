"""opencode: its sessions, its hooks, what is installed for it."""
