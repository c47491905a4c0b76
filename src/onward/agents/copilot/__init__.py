"""Copilot CLI: its sessions, its hooks, what is installed for it."""
