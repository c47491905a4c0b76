"""The client's sessions and transcripts, all generations since 1.0.

`agent` is what the rest of the program sees, and where things lie; `transcript` one session:
its facts, its files, its rewinds. `reading` makes events of `records` (the shapes), with
`provenance` (who wrote a text), `calls` (a call and its result) and `tools` (their events);
`searchable` tells a search what a line says, `place` a user. `hooks` serves the hooks, with the
standard library alone.
"""
