"""Distil: what was changed, committed and read."""
