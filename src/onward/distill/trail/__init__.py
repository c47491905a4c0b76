"""Distil: the last steps of a session in order, each with how it ended."""
