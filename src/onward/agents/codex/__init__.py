"""Agents, Codex: the client's sessions ("threads") and rollouts, all generations since 0.8.

The room: `agent` (what the rest of the program sees), `records` (the shapes), `said` (who wrote
a text), `calls`, `program`, `patch` and `results` (a call, its script or patch, its result),
`tools` (their events), `spoken`, `jobs`, `helpers` and `reading` (records to events), `files`
(one thread's files, plain or compressed), `discovery`, `place`, `survey`; and for the hooks,
with the standard library alone, `hooks` (payloads), `usage` and `exchange`.
"""
