"""The agents, each in a folder: where its `sessions` are and what `reader` makes of them, what its `hook`s are
told, what is there to `install`. `transcripts.AGENTS` is the table of them.

The packages import nothing, and `hook` next to nothing: a hook must start at once.
"""
