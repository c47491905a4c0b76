"""`onward`: what was I in the middle of? Open work in all projects, of both agents.

The room: `places` (folders and projects), `finding` and `reading` (sessions and checkpoints in
brief), `today` (what git says now), `looking` (all of it, as threads), `rows` and `lines` (what is
told), `going` (how to go on with one).
"""
