"""The client's sessions and transcripts, all generations since 1.0.

`transcript` is one session: its facts, its files, its rewinds, what a line says. `reading` makes events
of `records` (the shapes, and who wrote a text), with `tools` (what each does, and what became of a call).
`hooks` serves the hooks, with the standard library alone.
"""
