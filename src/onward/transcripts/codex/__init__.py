"""The client's sessions ("threads") and rollouts, all generations since 0.8.

The room: `agent` (what the rest of the program sees), `records` (the shapes), `said` (who wrote
a text), `calls`, `program`, `patch` and `results` (a call, its script or patch, its result),
`tools` (their events), `jobs`, `helpers` and `acts` (what was done), `spoken` and `talk` (what was
said), `reading` (lines to events, by these two), `lineage` (a fork and its past), `packed`
(compressed files), `files` (a thread opened), `home` (where they lie), `discovery`, `place`,
`survey`, `heard` (a line as a search has it); and for the hooks, with the standard library alone,
`hooks` (payloads), `usage` and `exchange`.
"""
