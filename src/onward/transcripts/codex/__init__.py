"""The client's sessions ("threads") and rollouts, all generations since 0.8.

`transcript` is one thread: its facts, the threads that it goes on from, what a line says. `reading` makes
events of `records` (the shapes, and who wrote a text): what was said, and by `activity` what was done,
with `calls` (a call and its result). `hooks` serves the hooks, with the standard library alone.
"""
