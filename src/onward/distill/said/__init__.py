"""Distil: what was said: requests, questions, plans, tasks, closing words."""
