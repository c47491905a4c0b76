"""The client's sessions and transcripts, all generations since 1.0.

The room: `agent` (what the rest of the program sees), `records` (the shapes), `said` (who wrote
a text), `calls`, `tools`, `edits` and `rejected` (a call, its result, their events), `reading`
(records to events), `files` (one session's files), `home` (where they lie), `discovery`, `place`, `survey`, `heard` (a line
as a search has it); and for the hooks, with the standard library alone, `hooks` (payloads), `usage`
(how full the context is) and `exchange`.
"""
