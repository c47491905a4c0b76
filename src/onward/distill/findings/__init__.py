"""Distil: what follows from it all: decisions, dead ends, blockers, the next action."""
