"""Open work: which sessions are one piece of work, whether it is open, and what says so.

Part of the pure core: `signs` (what a checkpoint holds against its being finished), `known` (what is
kept of one session), `threads` (sessions that are one piece of work).
"""
