"""`onward`: what was I in the middle of? Open work in all projects, of both agents.

`places` (folders, projects, what git says), `reading` (one file in brief), `threads` (all of it
together), `telling` (the answer, and how to go on with one).
"""
