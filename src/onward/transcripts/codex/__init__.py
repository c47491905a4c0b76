"""The client's sessions ("threads") and rollouts, all generations since 0.8.

`agent` is what the rest of the program sees, and where things lie; `transcript` one thread: its
facts, its files, the threads that it goes on from. `reading` makes events of `records` (the
shapes), by `conversation` (what was said) and `activity` (what was done, what still runs, who
helps), with `provenance` (who wrote a text), `calls` (a call and its result), `patch` and `tools`
(their events); `searchable` tells a search what a line says, `place` a user. `hooks` serves the
hooks, with the standard library alone.
"""
