"""Distil: tests, builds and linters: which command is one, and how it ended."""
